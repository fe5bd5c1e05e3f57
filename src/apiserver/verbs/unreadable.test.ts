// What a real server 1.34 says to requests that it cannot read: seen by asking it the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { answerTo, ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const parsing = 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'
const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })

test('an apply that creates needs its name; over an object that is there it does not', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }
  const type = { type: 'application/apply-patch+yaml' }
  const target = `${configMaps}/cx?fieldManager=m`
  const refused = await ask(server, 'PATCH', target, body, type)
  const why = 'the name of the object (cx based on URL) was undeterminable: name must be provided'
  assert.deepEqual([refused.status, refused.body.reason, refused.body.message], [400, 'BadRequest', why])
  assert.equal((await ask(server, 'PATCH', target, { ...body, metadata: { name: 'cx' } }, type)).status, 201)
  const again = await ask(server, 'PATCH', target, { ...body, data: { a: 'c' } }, type)
  assert.deepEqual([again.status, again.body.data], [200, { a: 'c' }])
})

for (const [what, target, status, message] of [
  ['a list', `${configMaps}?resourceVersion=abc`, 400, `invalid resource version: ${parsing}`],
  ['a watch', `${configMaps}?watch=1&resourceVersion=abc`, 500, parsing],
  ['the read of one object', `${configMaps}/cx?resourceVersion=abc`, 500, parsing],
] as const)
  test(`${what} at a revision that cannot be read is refused with ${status}`, async () => {
    const { status: code, body } = await ask(server, 'GET', target)
    assert.deepEqual([code, body.message, body.code], [status, message, status])
    assert.equal(body.reason, status === 400 ? 'BadRequest' : undefined)
  })

for (const [accept, message] of [
  [
    'text/x',
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  ],
  [
    'application/json;as=Nonsense;v=v1;g=meta.k8s.io',
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  // Ours: what we do not write is not said to be accepted.
  ['application/vnd.kubernetes.protobuf', 'only the following media types are accepted: application/json, application/yaml'],
] as const)
  test(`who accepts only ${accept} is told what there is`, async () => {
    const { status, body } = await ask(server, 'GET', configMaps, undefined, { headers: { accept } })
    assert.deepEqual([status, body.reason, body.message], [406, 'NotAcceptable', message])
    assert.equal((await answerTo(server, 'GET', configMaps)).kind, 'ConfigMapList')
  })
