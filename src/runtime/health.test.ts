import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRequest } from '#base'
import { type HealthCheck, healthHandler } from './health.ts'

const good: HealthCheck = { name: 'good', check: () => ({ ok: true }) }
const noted: HealthCheck = { name: 'noted', check: () => ({ ok: true, note: 'one more' }) }
const bad: HealthCheck = { name: 'bad', check: () => ({ ok: false, why: 'it broke' }) }
const metrics = { expose: () => 'a 1\n' }

async function ask(target: string, live: readonly HealthCheck[], more: Partial<HttpRequest> & { readonly status?: 500 } = {}) {
  const { status: failedStatus, ...request } = more
  const handler = healthHandler({ live, ready: [bad], metrics, ...(failedStatus === undefined ? {} : { failedStatus }) })
  const { status, headers, body } = await handler({ method: 'GET', target, headers: {}, body: null, ...request })
  return { status, type: headers['content-type'], text: Buffer.from(body as Uint8Array).toString() }
}

const plain = 'text/plain; charset=utf-8'

for (const [what, checks, target, status, text] of [
  ['no check', [], '/livez', 200, 'ok'],
  ['all good', [good, noted], '/livez', 200, 'ok'],
  ['all good, under the older name', [good], '/healthz', 200, 'ok'],
  ['all good, asked for more', [good, noted], '/livez?verbose', 200, '[+]good ok\n[+]noted ok (one more)\nok\n'],
  ['one of two bad', [good, bad], '/livez', 503, '[+]good ok\n[-]bad failed: it broke\nnot ok\n'],
  ['the first of two bad', [bad, noted], '/livez?verbose', 503, '[-]bad failed: it broke\n[+]noted ok (one more)\nnot ok\n'],
  ['readiness asked for, which is bad', [good], '/readyz', 503, '[-]bad failed: it broke\nnot ok\n'],
  ['something else asked for', [good], '/', 404, 'not here: /healthz, /livez, /readyz, /metrics'],
] as const)
  test(`health with ${what}`, async () => assert.deepEqual(await ask(target, checks), { status, type: plain, text }))

test('an older program finds the status of failure that it expects', async () => {
  assert.equal((await ask('/livez', [bad], { status: 500 })).status, 500)
})

test('only reading is allowed', async () => {
  for (const [method, status] of [
    ['HEAD', 200],
    ['POST', 405],
    ['DELETE', 405],
  ] as const)
    assert.equal((await ask('/livez', [good], { method })).status, status, method)
})

test('metrics are given where there are any', async () => {
  assert.deepEqual(await ask('/metrics', []), { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text: 'a 1\n' })
  const none = await healthHandler({ live: [], ready: [] })({ method: 'GET', target: '/metrics', headers: {}, body: null })
  assert.equal(none.status, 404)
})
