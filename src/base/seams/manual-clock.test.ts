import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from './manual-clock.ts'
import { seededRandom } from './random.ts'

test('timers end in the order of their times, those of one time in the order in which they were set', async () => {
  const clock = new ManualClock()
  const random = seededRandom('timers')
  const ended: (readonly [number, number])[] = []
  const set = Array.from({ length: 200 }, (_, index) => [random.integer(40), index] as const)
  for (const timer of set) clock.timer(timer[0], () => ended.push(timer))
  assert.equal(clock.nextDueMs(), Math.min(...set.map(([ms]) => ms)))
  await clock.advance(40)
  assert.deepEqual(
    ended,
    set.toSorted(([a, first], [b, second]) => a - b || first - second),
  )
  assert.equal(clock.nextDueMs(), undefined)
})

test('a timer that is cancelled does not end, and leaves the others in order', async () => {
  const clock = new ManualClock()
  const ended: number[] = []
  const timers = Array.from({ length: 50 }, (_, index) => clock.timer((index * 37) % 50, () => ended.push((index * 37) % 50)))
  for (const [index, timer] of timers.entries()) if (index % 3 === 0) timer.cancel()
  await clock.advance(49)
  const left = timers.flatMap((_, index) => (index % 3 === 0 ? [] : [(index * 37) % 50])).toSorted((a, b) => a - b)
  assert.deepEqual(ended, left)
})

test('a jump moves the wall clock and no timer', async () => {
  const clock = new ManualClock()
  const before = [clock.now(), clock.monotonicMs()] as const
  clock.jump(5_000)
  assert.deepEqual([clock.now() - before[0], clock.monotonicMs() - before[1]], [5_000, 0])
  await clock.advance(10)
  assert.deepEqual([clock.now() - before[0], clock.monotonicMs() - before[1]], [5_010, 10])
})
