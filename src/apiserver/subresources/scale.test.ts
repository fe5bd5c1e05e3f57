// What is wrong with a scale, as a real server 1.34 says it: of a built-in kind it is an object like any other, of a custom one a number.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ManualClock } from '#base'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
after(() => server.close())
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const things = '/apis/example.com/v1/namespaces/default/things'
const target = { deployment: `${deployments}/d/scale?dryRun=All`, thing: `${things}/t/scale?dryRun=All` }
const spec = {
  selector: { matchLabels: { a: 'b' } },
  template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
}
assert.equal((await ask(server, 'POST', deployments, { metadata: { name: 'd' }, spec })).status, 201)
const openSchema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
await ask(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, subresources: { scale }, schema: openSchema }],
  },
})
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, spec: { replicas: 1 } }
assert.equal((await ask(server, 'POST', things, thing)).status, 201)

const label =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const strange = `metadata.labels: Invalid value: "A b": ${label}`
const labels = { a: 'A b' }
const elsewhere = 'the namespace of the provided object does not match the namespace sent on the request'
const stale = 'the object has been modified; please apply your changes to the latest version and try again'
const uid = (key: string): string =>
  `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: `

for (const [method, kind, metadata, replicas, message] of [
  ['PUT', 'deployment', { labels, namespace: 'x' }, 1, elsewhere],
  ['PATCH', 'deployment', { labels, namespace: 'x' }, 1, elsewhere],
  ['PUT', 'thing', { namespace: 'x' }, 1, elsewhere],
  ['PUT', 'deployment', { labels, resourceVersion: '1' }, 1, strange],
  ['PATCH', 'deployment', { labels, uid: 'x' }, 1, strange],
  ['PUT', 'deployment', { labels, uid: 'x' }, -1, uid('/deployments/default/d')],
  ['PUT', 'thing', { uid: 'x' }, -1, uid('/example.com/things/default/t')],
  [
    'PATCH',
    'deployment',
    { uid: 'x' },
    1,
    'deployments/scale.apps "d": Precondition failed: UID in precondition: x, UID in object meta: ',
  ],
  [
    'PATCH',
    'deployment',
    { uid: 'x' },
    -1,
    'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'PATCH',
    'thing',
    { uid: 'x' },
    -1,
    'Thing.example.com "t" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
  ],
  [
    'PUT',
    'thing',
    { labels },
    -1,
    'Thing.example.com "t" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
  ],
  ['PATCH', 'thing', { uid: 'x', resourceVersion: '1' }, 1, stale],
  ['PATCH', 'deployment', { resourceVersion: 'x' }, -1, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
  ['PATCH', 'deployment', { resourceVersion: 'x', uid: 'x' }, 1, 'deployments/scale.apps "d": Precondition failed: UID in'],
  ['PATCH', 'deployment', { resourceVersion: 'x' }, 1, 'strconv.ParseUint: parsing "x": invalid syntax'],
  ['PUT', 'deployment', { resourceVersion: 'x' }, 1, 'strconv.ParseUint: parsing "x": invalid syntax'],
  ['PATCH', 'thing', { resourceVersion: '-1' }, 1, 'strconv.ParseUint: parsing "-1": invalid syntax'],
  [
    'PATCH',
    'thing',
    { resourceVersion: '99999999999999999999999' },
    1,
    'strconv.ParseUint: parsing "99999999999999999999999": value out of range',
  ],
  ['PATCH', 'deployment', { resourceVersion: '1' }, 1, stale],
  ['PATCH', 'deployment', { resourceVersion: '0' }, 1, undefined],
  ['PATCH', 'deployment', { resourceVersion: '00' }, 1, undefined],
  ['PUT', 'thing', { labels, finalizers: ['x'] }, 1, undefined],
  ['PATCH', 'thing', { labels, uid: 'x' }, 1, undefined],
] as const)
  test(`a scale of a ${kind} with ${JSON.stringify({ metadata, replicas })} is ${message === undefined ? 'taken' : 'refused'} by ${method}`, async () => {
    const name = kind === 'thing' ? 't' : 'd'
    const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, ...metadata }, spec: { replicas } }
    const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json'
    const reply = await ask(server, method, target[kind], body, { type })
    if (message === undefined) assert.equal(reply.status, 200, reply.text)
    else assert.ok(reply.body.message.includes(message), reply.body.message)
  })

test('a scale is shown by its metadata alone to who wants no more, and is no list', async () => {
  const asked = (as: string) =>
    ask(server, 'GET', `${deployments}/d/scale`, undefined, {
      headers: { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` },
    })
  const { body } = await asked('PartialObjectMetadata')
  assert.deepEqual(
    [body.kind, body.apiVersion, body.metadata.name, body.spec],
    ['PartialObjectMetadata', 'meta.k8s.io/v1', 'd', undefined],
  )
  const list = await asked('PartialObjectMetadataList')
  const why = 'you requested PartialObjectMetadataList, but the requested object is not a list (*autoscaling.Scale)'
  assert.deepEqual([list.status, list.body.message], [406, why])
})
