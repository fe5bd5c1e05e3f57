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

test('what a controller keeps in its revision is applied, and owned, as one value', async () => {
  const body = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'r' }, revision: 1, data: { a: [1] } }
  const target = '/apis/apps/v1/namespaces/default/controllerrevisions/r?fieldManager=m'
  const applied = await ask(server, 'PATCH', target, body, { type: 'application/apply-patch+yaml' })
  assert.deepEqual([applied.status, applied.body.data], [201, { a: [1] }])
  const [owner] = applied.body.metadata?.managedFields ?? []
  assert.deepEqual(owner?.fieldsV1, { 'f:data': {}, 'f:revision': {} })
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

test('YAML is told of by its lines and by the alphabet, and its words are what they are there', async () => {
  const post = (text: string, query = '') =>
    ask(server, 'POST', `${configMaps}?dryRun=All${query}`, Buffer.from(head + text), { type: 'application/yaml' })
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ym}\n'
  const odd = await post('zoo: 1\ndata: {a: b, a: c, a: d}\nfoo: 1\n', '&fieldValidation=Strict')
  const lines = 'yaml: unmarshal errors:\n  line 5: key "a" already set in map\n  line 5: key "a" already set in map'
  const strict = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: '
  assert.equal(odd.body.message, `${strict}${lines}, unknown field "foo", unknown field "zoo"`)
  const yes = await post('data: {a: yes}\n')
  const why = 'json: cannot unmarshal bool into Go struct field ConfigMap.data of type string'
  assert.deepEqual([yes.status, yes.body.message], [400, `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${why}`])
  assert.equal((await post('data: {a: "yes"}\n---\nno: [')).status, 201)
  const infinite = await post('data: {a: .inf}\n')
  assert.match(
    infinite.body.message ?? '',
    /^the object provided is unrecognized \(must be of type ConfigMap\): json: unsupported value: \+Inf /,
  )
})

const unknownFormat =
  'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf'
for (const type of [
  ';',
  'application/json;;',
  'application/json; charset',
  'application/json;=x',
  'application/json;a=b;a=c',
  'application/json;a=b;A=c',
  'application/json;a="b',
  'application/json; a=b c',
])
  test(`a body of the type ${type} cannot be read`, async () => {
    const { status, body } = await ask(server, 'POST', `${configMaps}?dryRun=All`, { metadata: { name: 'b' } }, { type })
    assert.deepEqual([status, body.message], [415, unknownFormat])
  })

for (const type of [' Application/JSON ', 'application/json;', 'application/json; charset="utf-8"; a=b;', '  '])
  test(`a body of the type "${type}" is JSON`, async () => {
    const { status, text } = await ask(server, 'POST', `${configMaps}?dryRun=All`, { metadata: { name: 'b' } }, { type })
    assert.equal(status, 201, text)
  })

test('a mark before JSON is told by its first byte, and one before YAML is nothing', async () => {
  const text = '\ufeff{"metadata":{"name":"b"}}'
  const { status, body } = await ask(server, 'POST', `${configMaps}?dryRun=All`, text)
  const why = "couldn't get version/kind; json parse error: invalid character 'ï' looking for beginning of value"
  const start = Buffer.from(text).subarray(0, 30).toString('hex')
  const told = `the object provided is unrecognized (must be of type ConfigMap): ${why} (${start})`
  assert.deepEqual([status, body.message], [400, told])
  assert.equal((await ask(server, 'POST', `${configMaps}?dryRun=All`, text, { type: 'application/yaml' })).status, 201)
})

test('who asks for one object is not told of streams, and types are compared letter by letter', async () => {
  const representations = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
  for (const accept of ['text/x', '*', 'application/JSON', 'application/json application/yaml']) {
    const { status, body } = await ask(server, 'GET', `${configMaps}/cx`, undefined, { headers: { accept } })
    assert.deepEqual([status, body.message], [406, `406: Not Acceptable\n\nAvailable representations: ${representations}`])
  }
  const type = 'Application/Merge-Patch+JSON'
  const { status, body } = await ask(server, 'PATCH', `${configMaps}/cx`, { data: {} }, { type })
  assert.deepEqual([status, body.message], [415, '415: Unsupported Media Type'])
})

test('what is wanted least comes last, and a parameter in capitals is none that anybody knows', async () => {
  const asked = (accept: string) => ask(server, 'GET', configMaps, undefined, { headers: { accept } })
  assert.match((await asked('application/json;q=0,application/yaml')).text, /^apiVersion: v1/)
  assert.equal((await asked('application/json;AS=Table;V=v1;G=meta.k8s.io')).body.kind, 'ConfigMapList')
})

const options = (target: string, body: object | string) => ask(server, 'DELETE', `${configMaps}/none${target}`, body)
const unsupported = 'Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"'
for (const [what, body, status, message] of [
  ['two trials', { dryRun: ['All', 'Odd'] }, 422, 'dryRun: Unsupported value: ["All","Odd"]: supported values: "All"'],
  ['a trial of nothing', { dryRun: [null] }, 422, 'dryRun: Unsupported value: [""]: supported values: "All"'],
  [
    'all that can be wrong',
    { dryRun: ['Odd'], propagationPolicy: 'x', orphanDependents: true },
    422,
    `[propagationPolicy: Invalid value: "x": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: ${unsupported}, dryRun: Unsupported value: ["Odd"]: supported values: "All"]`,
  ],
  [
    'a trial that is a number',
    { dryRun: ['All', 5] },
    500,
    'cannot unmarshal number into Go struct field DeleteOptions.dryRun of type string',
  ],
  [
    'a uid that is an object',
    { preconditions: { uid: {} } },
    500,
    'cannot unmarshal object into Go struct field Preconditions.preconditions.uid of type types.UID',
  ],
  [
    'a revision that is a number',
    { preconditions: { resourceVersion: 5 } },
    500,
    'cannot unmarshal number into Go struct field Preconditions.preconditions.resourceVersion of type string',
  ],
  [
    'an error to be ignored that is a text',
    { ignoreStoreReadErrorWithClusterBreakingPotential: 'x' },
    500,
    'cannot unmarshal string into Go struct field DeleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential of type bool',
  ],
] as const)
  test(`options of a deletion with ${what} are refused with ${status}`, async () => {
    const refused = await options('?dryRun=All', body)
    const prefix = status === 422 ? 'DeleteOptions.meta.k8s.io "" is invalid: ' : 'json: '
    assert.deepEqual([refused.status, refused.body.message], [status, prefix + message])
  })
