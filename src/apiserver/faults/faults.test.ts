import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure, ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { answerTo } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import type { FaultRule } from '../fault.ts'

const path = '/api/v1/namespaces/default/configmaps'

function world(...faults: FaultRule[]): { server: ApiServer; clock: ManualClock } {
  const clock = new ManualClock()
  return { server: createApiServer({ seed: 1, clock, controllers: 'none', faults }), clock }
}

test('an error after the commit leaves exactly one object, and the retry sees it [#210]', async () => {
  const { server } = world({ match: { verb: 'create', nth: 1 }, action: { kind: 'error-after-commit', how: 'timeout' } })
  assert.equal((await answerTo(server, 'POST', path, { metadata: { name: 'a' } })).code, 504)
  assert.equal((await answerTo(server, 'POST', path, { metadata: { name: 'a' } })).reason, 'AlreadyExists')
  assert.equal((await answerTo(server, 'GET', path)).items.length, 1)
  assert.deepEqual(server.faults.trace, [{ rule: 0, request: `POST ${path}` }])
  await server.close()
})

test('an error before the commit stores nothing and tells when to come back', async () => {
  const { server } = world({ match: { verb: 'create' }, action: { kind: 'error', status: 429, retryAfter: 3 }, times: 1 })
  const refused = await answerTo(server, 'POST', path, { metadata: { name: 'a' } })
  assert.deepEqual([refused.code, refused.details.retryAfterSeconds], [429, 3])
  assert.equal((await answerTo(server, 'POST', path, { metadata: { name: 'a' } })).metadata.name, 'a')
  await server.close()
})

test('a conflict arises because somebody touched the object just before', async () => {
  const { server } = world()
  const made = await answerTo(server, 'POST', path, { metadata: { name: 'a' }, data: { x: '1' } })
  server.faults.add({ match: { verb: 'update' }, action: { kind: 'conflict-once' }, times: 1 })
  assert.equal((await answerTo(server, 'PUT', `${path}/a`, { ...made, data: { x: '2' } })).reason, 'Conflict')
  const live = await answerTo(server, 'GET', `${path}/a`)
  assert.equal(live.metadata.annotations, undefined)
  assert.equal((await answerTo(server, 'PUT', `${path}/a`, { ...live, data: { x: '2' } })).data.x, '2')
  await server.close()
})

test('a stale read shows the past and a fresh one the present', async () => {
  const { server } = world()
  await answerTo(server, 'POST', path, { metadata: { name: 'a' } })
  server.faults.add({ match: { verb: 'list' }, action: { kind: 'stale-read', revisions: 1 }, times: 1 })
  assert.equal((await answerTo(server, 'GET', path)).items.length, 0)
  assert.equal((await answerTo(server, 'GET', path)).items.length, 1)
  await server.close()
})

test('a reset reaches the client as a failure without an answer', async () => {
  const { server } = world({ match: {}, action: { kind: 'reset' } })
  await assert.rejects(answerTo(server, 'GET', path), (error: unknown) => error instanceof HttpFailure && error.code === 'reset')
  await server.close()
})

test('a partitioned client hangs until the partition heals', async () => {
  const { server, clock } = world({ match: { client: 'kubernetes-admin' }, action: { kind: 'partition' } })
  let answered = false
  const pending = answerTo(server, 'GET', path).then(() => (answered = true))
  await clock.advance(3_600_000)
  assert.equal(answered, false)
  server.faults.clear()
  await pending
  await server.close()
})

test('a watch is cut in the middle of a line, and another is told that its place is gone', async () => {
  const { server } = world(
    { match: { verb: 'watch', nth: 1 }, action: { kind: 'watch-cut', afterEvents: 1, midLine: true } },
    { match: { verb: 'watch', nth: 2 }, action: { kind: 'watch-gone' } },
  )
  for (const name of ['a', 'b']) await answerTo(server, 'POST', path, { metadata: { name } })
  const read = async (): Promise<string> => {
    const response = await server.as()({ method: 'GET', target: `${path}?watch=1`, headers: {}, body: null })
    let text = ''
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString()
    return text
  }
  const lines = (await read()).split('\n')
  assert.equal(JSON.parse(lines[0] as string).object.metadata.name, 'a')
  assert.throws(() => JSON.parse(lines[1] as string) as unknown)
  assert.equal(JSON.parse(await read()).object.code, 410)
  await server.close()
})
