import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '#runtime'
import { driftMetrics } from './metrics.ts'
import { OwnCalls, sendOwn } from './own-calls.ts'

test('our own requests are known again, the latest 20,000 of them', () => {
  const calls = new OwnCalls(true)
  calls.note(undefined)
  for (let request = 0; request <= 20_000; request++) calls.note(`r-${request}`)
  assert.equal(calls.has('r-0'), false)
  assert.equal(calls.has('r-1'), true)
  assert.equal(calls.has('r-20000'), true)
})

test('where nobody follows events no request is kept', () => {
  const calls = new OwnCalls(false)
  calls.note('r')
  assert.equal(calls.has('r'), false)
})

test('a call that we make is known by the number that AWS gave it', async () => {
  const ownCalls = new OwnCalls(true)
  const sent: unknown[] = []
  const client = {
    send: (...call: readonly unknown[]) => {
      sent.push(call)
      return Promise.resolve({ output: { a: 1 }, requestId: 'r' })
    },
  }
  const signal = new AbortController().signal
  const output = await sendOwn(client as never, { operation: 'GetRole', input: { RoleName: 'x' } }, { ownCalls, signal })
  assert.deepEqual([output, ownCalls.has('r'), sent], [{ a: 1 }, true, [['GetRole', { RoleName: 'x' }, { signal }]]])
})

test('a queue that can be read is counted as one, and as none while it cannot', () => {
  const metrics = new Metrics()
  const { reachable, message } = driftMetrics(metrics)
  const line = (): string | undefined =>
    metrics
      .expose()
      .split('\n')
      .find(each => each.startsWith('vouch_drift_queue_reachable{'))
  reachable('q', true)
  assert.match(line() ?? '', / 1$/)
  reachable('q', false)
  assert.match(line() ?? '', / 0$/)
  message('own')
  assert.match(metrics.expose(), /vouch_drift_messages_total\{result="own"\} 1/)
  const unseen = driftMetrics(undefined)
  assert.deepEqual([unseen.reachable('q', true), unseen.message('own')], [undefined, undefined])
})
