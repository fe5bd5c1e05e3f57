import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { advanceTo } from './drive.ts'

async function steps(timersMs: readonly number[], untilMs: number, stepMs?: number): Promise<readonly string[]> {
  const clock = new ManualClock()
  const told: string[] = []
  const say = (what: string): Promise<void> => {
    told.push(`${what} at ${clock.monotonicMs()}`)
    return Promise.resolve()
  }
  for (const ms of timersMs) void clock.sleep(ms).then(() => say('timer'))
  await advanceTo(clock, untilMs, {
    settle: () => say('settled'),
    between: () => say('between'),
    ...(stepMs === undefined ? {} : { stepMs }),
  })
  return told.filter(each => !each.startsWith('timer'))
}

for (const [what, timers, untilMs, stepMs, told] of [
  ['nothing is due', [], 10, undefined, ['settled at 0', 'settled at 10']],
  ['a timer is due after the end', [11], 10, undefined, ['settled at 0', 'settled at 10']],
  ['a timer is due at the end', [10], 10, undefined, ['settled at 0', 'between at 10', 'settled at 10']],
  ['two are due', [3, 7], 10, undefined, ['settled at 0', 'between at 3', 'between at 7', 'settled at 10']],
  ['timers that are close are one step', [3, 4, 9], 10, 5, ['settled at 0', 'between at 5', 'between at 10', 'settled at 10']],
] as const)
  test(`a world moves on where ${what}`, async () => assert.deepEqual(await steps(timers, untilMs, stepMs), told))
