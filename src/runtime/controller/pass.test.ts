import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure, type Log, ManualClock, silentLog } from '#base'
import { fenced } from '../election/fence.ts'
import type { Trouble } from '../plan/trouble.ts'
import { Stopped } from '../scope.ts'
import { type PassOptions, runPass } from './pass.ts'

/** A pass whose look at the world ends in that error, while it is stopped for that reason; with what it logs as an error. */
async function passThatFails(
  error: unknown,
  why?: Error,
): Promise<{ readonly trouble: Trouble | undefined; readonly errors: number }> {
  const stop = new AbortController()
  if (why !== undefined) stop.abort(why)
  let errors = 0
  const log: Log = { ...silentLog, error: () => void errors++ }
  const observe = (): never => {
    throw error as Error
  }
  const options: Partial<PassOptions> = {
    definition: { name: 'greeting', reconciler: { observe, decide: () => assert.fail('nothing was seen') } } as never,
    key: { cluster: '', namespace: 'a', name: 'b' } as never,
    claim: undefined,
    writes: [],
    clock: new ManualClock(),
    log,
    signal: stop.signal,
    target: () => undefined,
  }
  const { trouble } = await runPass(options as PassOptions)
  return { trouble, errors }
}

const cut = new HttpFailure('aborted', 'the call was given up')

test('calls that were cut short because the lease was lost are no errors: another replica leads', async () => {
  const { trouble, errors } = await passThatFails(cut, fenced('leadership was lost'))
  assert.deepEqual([trouble?.kind, trouble?.reason, errors], ['soon', 'NotLeader', 0])
})

test('nor are those that were cut short by a deadline or the end of the process', async () => {
  for (const why of ['deadline', 'stop'] as const) {
    const { trouble, errors } = await passThatFails(cut, new Stopped(why, 'over'))
    assert.deepEqual([trouble?.kind, trouble?.reason, errors], ['backoff', 'DeadlineExceeded', 0])
  }
})

test('a defect is one whoever leads, and so is a call that was cut short by nobody', async () => {
  for (const [error, why] of [
    [new TypeError('x is not a function'), fenced('leadership was lost')],
    [cut, undefined],
  ] as const) {
    const { trouble, errors } = await passThatFails(error, why)
    assert.deepEqual([trouble?.reason, errors], ['InternalError', 1])
  }
})
