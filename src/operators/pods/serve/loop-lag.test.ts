import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { Metrics } from '#runtime'
import { watchLoopLag } from './loop-lag.ts'

test('the longest delay of the event loop shows until it was scraped [§5.7]', async () => {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const stop = new AbortController()
  let lateMs = 0
  // Time goes on while the loop is busy: the sleep is over, and its sleeper learns of it later.
  const late = Object.assign(Object.create(clock) as ManualClock, {
    monotonicMs: () => clock.monotonicMs() + lateMs,
    sleep: (delayMs: number, signal?: AbortSignal) => clock.sleep(delayMs, signal),
  })
  const watching = watchLoopLag(late, metrics, stop.signal)
  const shown = (): string | undefined => /^identity_webhook_event_loop_lag_seconds (.*)$/m.exec(metrics.expose())?.[1]
  assert.equal(clock.nextDueMs(), 500)
  await clock.advance(500)
  assert.equal(shown(), '0')
  lateMs = 40
  await clock.advance(1_000)
  assert.equal(shown(), '0.04')
  assert.equal(shown(), '0')
  stop.abort(new Error('the test ends'))
  await drain()
  await watching
  assert.equal(clock.pendingCount(), 0)
})
