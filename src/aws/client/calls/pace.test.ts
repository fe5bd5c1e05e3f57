import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { Pace, type PaceOptions } from './pace.ts'

function pacing(options: Omit<PaceOptions, 'clock' | 'onChange'> = {}) {
  const clock = new ManualClock()
  const told: (readonly [perSecond: number, isOfWrites: boolean])[] = []
  const pace = new Pace({ clock, ...options, onChange: (perSecond, isOfWrites) => told.push([rounded(perSecond), isOfWrites]) })
  return {
    clock,
    pace,
    told,
    /** Asks for so many turns at once, and says how long the last of them waited. */
    lastWaitMs: async (turns = 1, isWrite = false): Promise<number> => {
      const from = clock.monotonicMs()
      let left = turns
      for (let turn = 0; turn < turns; turn++) void pace.enter(undefined, isWrite).then(() => left--)
      await drain()
      while (left > 0) await clock.advance(1)
      return clock.monotonicMs() - from
    },
  }
}

function rounded(perSecond: number): number {
  return Math.round(perSecond * 1_000) / 1_000
}

test('without a limit nobody waits, and with one as many go at once as may, and the others in their turn', async () => {
  const free = pacing()
  assert.equal(await free.lastWaitMs(1_000), 0)
  const bound = pacing({ rate: { perSecond: 10, burst: 3 } })
  assert.equal(await bound.lastWaitMs(3), 0)
  assert.equal(await bound.lastWaitMs(1), 100)
  assert.equal(await bound.lastWaitMs(4), 400)
  await bound.clock.advance(10_000)
  assert.equal(await bound.lastWaitMs(4), 100, 'no more than a burst is saved up')
})

test('more than a second’s may come at once where that is asked for, each time there was rest enough, and after a throttle again', async () => {
  const { clock, pace, lastWaitMs } = pacing({ rate: { perSecond: 10, burst: 20 } })
  for (let time = 0; time < 2; time++) {
    assert.equal(await lastWaitMs(20), 0)
    await clock.advance(2_000)
  }
  pace.throttled()
  await clock.advance(1_000)
  assert.equal(await lastWaitMs(7), 0)
  assert.ok((await lastWaitMs(20)) > 0)
  await clock.advance(60_000)
  await lastWaitMs()
  await clock.advance(2_000)
  assert.equal(await lastWaitMs(20), 0)
})

for (const [what, options, calls, perSecond] of [
  ['of which nothing is known goes by the least that any service allows', {}, 1, 3.5],
  ['of which nothing is known goes by what went through, where that was more', {}, 100, 70],
  ['goes by what is known of it', { known: { perSecond: 20, burst: 40 } }, 1, 14],
  ['goes by what is known of it, however much went through', { known: { perSecond: 20, burst: 40 } }, 100, 15.556],
  ['goes by its limit', { rate: { perSecond: 10, burst: 200 } }, 100, 7],
] as const)
  test(`the first throttle of a service ${what}`, async () => {
    const { pace, told, lastWaitMs } = pacing(options)
    assert.equal(await lastWaitMs(calls), 0)
    pace.throttled()
    assert.deepEqual(told, [[perSecond, false]])
    assert.equal(rounded(pace.perSecond), perSecond)
    assert.equal(await lastWaitMs(), Math.ceil(1_000 / perSecond), 'what was saved up is gone')
  })

test('throttles within half a second are one lesson, later ones are others, and there is a least pace', async () => {
  const { clock, pace } = pacing({ rate: { perSecond: 10, burst: 10 } })
  pace.throttled()
  await clock.advance(499)
  pace.throttled()
  assert.equal(rounded(pace.perSecond), 7)
  await clock.advance(1)
  pace.throttled()
  assert.equal(rounded(pace.perSecond), 4.9)
  for (let lesson = 0; lesson < 20; lesson++) {
    await clock.advance(500)
    pace.throttled()
  }
  assert.equal(pace.perSecond, 0.5)
})

test('a pace with a limit wins back a tenth of what it lost each second and a little more, and no more than all of it', async () => {
  const { clock, pace, lastWaitMs } = pacing({ rate: { perSecond: 10, burst: 10 } })
  pace.throttled()
  await clock.advance(1_000)
  await lastWaitMs()
  assert.equal(rounded(pace.perSecond), 7.8)
  await clock.advance(1_000)
  await lastWaitMs()
  assert.equal(rounded(pace.perSecond), 8.52)
  await clock.advance(60_000)
  await lastWaitMs()
  assert.equal(pace.perSecond, 10)
  await clock.advance(3_600_000)
  await lastWaitMs()
  assert.equal(pace.perSecond, 10)
})

test('a pace without a limit goes back to nine tenths of what was throttled, beyond it slowly after a minute, and is free after a quarter of an hour', async () => {
  const { clock, pace, lastWaitMs } = pacing()
  pace.throttled()
  await clock.advance(20_000)
  await lastWaitMs()
  assert.equal(rounded(pace.perSecond), 4.5)
  await clock.advance(40_000)
  await lastWaitMs()
  assert.equal(rounded(pace.perSecond), 4.5)
  await clock.advance(10_000)
  await lastWaitMs()
  assert.equal(rounded(pace.perSecond), 5.4)
  await clock.advance(830_000 - 1)
  assert.equal(await lastWaitMs(), 0)
  assert.ok(Number.isFinite(pace.perSecond))
  await clock.advance(2)
  assert.equal(await lastWaitMs(1_000), 0)
  assert.equal(pace.perSecond, Number.POSITIVE_INFINITY)
})

test('writes wait for themselves, and what is said of them says nothing of reads', async () => {
  const { pace, told, lastWaitMs } = pacing({ rate: { perSecond: 100, burst: 100, writes: { perSecond: 10, burst: 2 } } })
  assert.equal(await lastWaitMs(3, true), 100)
  assert.equal(await lastWaitMs(50), 0)
  pace.throttled(true)
  assert.deepEqual([told, pace.perSecond], [[[7, true]], 100])
  pace.throttled()
  assert.deepEqual(told.at(-1), [70, false])
})

test('where writes are not counted by themselves, one that is throttled says the same of all', () => {
  const { pace, told } = pacing({ rate: { perSecond: 100, burst: 100 } })
  pace.throttled(true)
  assert.deepEqual(told, [[70, false]])
})

test('whoever gives up while waiting takes nobody’s turn', async () => {
  const { clock, pace } = pacing({ rate: { perSecond: 1, burst: 1 } })
  await pace.enter()
  const stop = new AbortController()
  const given = pace.enter(stop.signal).catch((error: Error) => error.message)
  let isIn = false
  void pace.enter().then(() => (isIn = true))
  await drain()
  stop.abort(new Error('given up'))
  assert.equal(await given, 'given up')
  await clock.advance(1_000)
  assert.ok(isIn)
  await assert.rejects(pace.enter(AbortSignal.abort(new Error('gone'))), /gone/)
})
