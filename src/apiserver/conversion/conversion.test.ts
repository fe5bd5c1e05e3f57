import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, ManualClock } from '#base'
import type { KubeObject } from '#kube'
import type { ApiServer } from '../api-server.ts'
import { type Answer, answerTo, ask, nextEvents, openWatch, type Reply } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { type ConversionRequest, reviewer } from '../review.fixture.ts'
import { anySchema, widgetDefinition, widgetVersion } from '../widget.fixture.ts'

const schemaOf = (spec: object): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: spec }, status: anySchema },
})

function definition(conversion: object, storage = 'v2'): KubeObject {
  const version = (name: string, spec: object): object =>
    widgetVersion(schemaOf(spec), { name, storage: name === storage, subresources: { status: {} } })
  const versions = [
    version('v1', { hostPort: { type: 'string' }, color: { type: 'string', default: 'red' } }),
    version('v2', { host: { type: 'string' }, port: { type: 'string' }, color: { type: 'string' } }),
  ]
  return widgetDefinition(versions, { conversion })
}

const webhook = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { namespace: 'default', name: 'converter', path: '/convert' } },
    conversionReviewVersions: ['v1'],
  },
}
const at = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`
const widget = (version: string, name: string, spec: object): object => ({
  apiVersion: `example.com/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec,
})

interface WidgetSpec {
  readonly hostPort?: string
  readonly host?: string
  readonly port?: string
}

/** hostPort in v1 is host and port in v2. */
function convertOne(object: Answer<WidgetSpec>, desired: string): object {
  if (object.apiVersion === desired) return object
  const { hostPort, host, port, ...rest } = object.spec ?? {}
  const [left, right] = (hostPort ?? '').split(':')
  const spec = desired.endsWith('v2') ? { ...rest, host: left, port: right } : { ...rest, hostPort: `${host}:${port}` }
  return { ...object, apiVersion: desired, spec }
}

interface Calls {
  readonly sizes: number[]
  readonly requests: ConversionRequest[]
}

interface Conversion {
  readonly convertedObjects: readonly Answer[]
  readonly [field: string]: unknown
}

/** Alters a converter's response on its way. */
type Bend = (response: Conversion, request: ConversionRequest) => object | undefined

function converter(calls: Calls, bend: Bend = response => response): HttpExchange {
  return reviewer(request => {
    calls.sizes.push(request.objects.length)
    calls.requests.push(request)
    const objects = request.objects as readonly Answer<WidgetSpec>[]
    const convertedObjects = objects.map(object => convertOne(object, request.desiredAPIVersion)) as Answer[]
    return bend({ convertedObjects, result: { status: 'Success' } }, request)
  })
}

async function serverWith(conversion: object, handler?: HttpExchange): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', objects: [definition(conversion)] })
  if (handler !== undefined) server.serve({ namespace: 'default', service: 'converter' }, handler)
  return server
}

test('an object is stored at the storage version and shown at each other one by the webhook', async () => {
  const calls: Calls = { sizes: [], requests: [] }
  const server = await serverWith(webhook, converter(calls))
  const { status: created, body: made } = await ask(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  assert.deepEqual([created, made.apiVersion, made.spec], [201, 'example.com/v1', { hostPort: 'h:1', color: 'red' }])
  // Once to store it, once to answer: as a real server, which reads back what it stored.
  assert.deepEqual(
    calls.requests.map(request => request.desiredAPIVersion),
    ['example.com/v2', 'example.com/v1'],
  )
  calls.requests.length = 0
  const stored = await answerTo(server, 'GET', `${at('v2')}/a`)
  assert.deepEqual([stored.apiVersion, stored.spec], ['example.com/v2', { host: 'h', port: '1', color: 'red' }])
  assert.equal(calls.requests.length, 0, 'objects at the wanted version are not sent')
  const put = await answerTo(server, 'PUT', `${at('v1')}/a`, { ...made, status: undefined, spec: { hostPort: 'h:2' } })
  assert.equal(put.spec.hostPort, 'h:2', JSON.stringify(put))
  const patched = await answerTo(
    server,
    'PATCH',
    `${at('v1')}/a`,
    { spec: { hostPort: 'g:3' } },
    { type: 'application/merge-patch+json' },
  )
  assert.equal(patched.spec.hostPort, 'g:3')
  assert.equal((await answerTo(server, 'GET', `${at('v2')}/a`)).spec.host, 'g')
  const status = await answerTo(
    server,
    'PATCH',
    `${at('v1')}/a/status`,
    { status: { ok: true } },
    { type: 'application/merge-patch+json' },
  )
  assert.deepEqual([status.status.ok, status.spec.hostPort], [true, 'g:3'])
  const gone = await answerTo(server, 'DELETE', `${at('v1')}/a`)
  assert.equal(gone.kind, 'Status')
  await server.close()
})

test('a write that changes nothing at the other version changes nothing in the store', async () => {
  const server = await serverWith(webhook, converter({ sizes: [], requests: [] }))
  const made = await answerTo(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  const again = await answerTo(
    server,
    'PATCH',
    `${at('v1')}/a`,
    { spec: { hostPort: 'h:1' } },
    { type: 'application/merge-patch+json' },
  )
  assert.equal(again.metadata.resourceVersion, made.metadata.resourceVersion)
  await server.close()
})

test('a list is converted in batches, a page of it only as far as it goes, and nothing twice', async () => {
  const calls: Calls = { sizes: [], requests: [] }
  const server = await serverWith(webhook, converter(calls))
  for (let index = 0; index < 7; index++) {
    await answerTo(server, 'POST', at('v2'), widget('v2', `w${index}`, { host: 'h', port: String(index) }))
  }
  assert.deepEqual(calls.sizes, [])
  const page = await answerTo(server, 'GET', `${at('v1')}?limit=3`)
  assert.deepEqual([page.items.length, page.metadata.remainingItemCount, calls.sizes], [3, 4, [3]])
  const all = await answerTo(server, 'GET', at('v1'))
  assert.deepEqual(
    all.items.map(item => item.spec.hostPort),
    [0, 1, 2, 3, 4, 5, 6].map(index => `h:${index}`),
  )
  assert.deepEqual(calls.sizes, [3, 4])
  await Promise.all([answerTo(server, 'GET', at('v1')), answerTo(server, 'GET', `${at('v1')}/w1`)])
  assert.deepEqual(calls.sizes, [3, 4], 'what is converted stays so')
  const removed = await answerTo(server, 'DELETE', at('v1'))
  assert.equal(removed.items.length, 7)
  await server.close()
})

test('watches at another version get every event converted, once for all watchers', async () => {
  const calls: Calls = { sizes: [], requests: [] }
  const server = await serverWith(webhook, converter(calls))
  await answerTo(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '0' }))
  const read = async (watch: AsyncIterator<Uint8Array, undefined>): Promise<unknown[]> =>
    (await nextEvents(watch)).map(({ type, object }) => [type, object.apiVersion, object.spec.hostPort])
  const watches = [await openWatch(server, at('v1')), await openWatch(server, `${at('v1')}?labelSelector=!none`)]
  for (const watch of watches) assert.deepEqual(await read(watch), [['ADDED', 'example.com/v1', 'h:0']])
  calls.sizes.length = 0
  await answerTo(server, 'PATCH', `${at('v2')}/a`, { spec: { port: '9' } }, { type: 'application/merge-patch+json' })
  assert.deepEqual(await Promise.all(watches.map(read)), [
    [['MODIFIED', 'example.com/v1', 'h:9']],
    [['MODIFIED', 'example.com/v1', 'h:9']],
  ])
  assert.deepEqual(calls.sizes, [1])
  for (const watch of watches) await watch.return?.()
  await server.close()
})

test('appliers at two versions own the same fields and conflict over them', async () => {
  const server = await serverWith(webhook, converter({ sizes: [], requests: [] }))
  const applyAs = (manager: string, version: string, spec: object): Promise<Reply> =>
    ask(server, 'PATCH', `${at(version)}/a?fieldManager=${manager}`, widget(version, 'a', spec), {
      type: 'application/apply-patch+yaml',
    })
  const first = await applyAs('one', 'v1', { color: 'blue', hostPort: 'h:1' })
  assert.equal(first.status, 201, JSON.stringify(first))
  const same = await applyAs('two', 'v2', { host: 'h' })
  assert.equal(same.status, 200, JSON.stringify(same))
  const other = await applyAs('two', 'v2', { host: 'h', color: 'green' })
  assert.equal(other.body.status, 'Failure')
  assert.match(other.body.message, /^Apply failed with 1 conflict: conflict with "one": \.spec\.color$/)
  await server.close()
})

test('mutating webhooks with matchPolicy Equivalent see and patch the version of their rule', async () => {
  const server = await serverWith(webhook, converter({ sizes: [], requests: [] }))
  const seen: string[] = []
  const portPatch = reviewer(request => {
    const { apiVersion, spec } = request.object as Answer<WidgetSpec>
    seen.push(`${apiVersion} ${spec.host}`)
    const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/port', value: '77' }])).toString('base64')
    return { allowed: true, patchType: 'JSONPatch', patch }
  })
  server.serve({ namespace: 'default', service: 'hook' }, portPatch)
  const hook = {
    name: 'a.b.c',
    clientConfig: { service: { namespace: 'default', name: 'hook' } },
    rules: [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v2'], resources: ['widgets'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  await answerTo(server, 'POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'm' },
    webhooks: [hook],
  })
  const made = await answerTo(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  assert.deepEqual([made.spec?.hostPort, seen], ['h:77', ['example.com/v2 h']], JSON.stringify(made))
  await server.close()
})

const breaches: [string, Bend, RegExp][] = [
  ['another uid', response => ({ ...response, uid: 'x' }), /failed: .*expected response\.uid="/],
  ['too few objects', response => ({ ...response, convertedObjects: [] }), /returned 0 objects, expected 1$/],
  [
    'a failure with a message',
    () => ({ result: { status: 'Failure', message: 'no way' } }),
    /^conversion webhook for example\.com\/v2, Kind=Widget failed: no way$/,
  ],
  ['a failure without', () => ({ result: {} }), /failed: response\.result\.status was '', not 'Success'$/],
  ['no response', () => undefined, /failed: .*no response provided$/],
  [
    'another version',
    bent(object => ({ ...object, apiVersion: 'example.com/v3' })),
    /invalid groupVersion \(expected example\.com\/v1, received example\.com\/v3\)$/,
  ],
  [
    'another kind',
    bent(object => ({ ...object, kind: 'Gadget' })),
    /returned invalid object at index 0: invalid kind \(expected Widget, received Gadget\)$/,
  ],
  ['another name', bentMeta({ name: 'b' }), /must have the same name: a != b$/],
  ['another namespace', bentMeta({ namespace: 'b' }), /must have the same namespace: default != b$/],
  ['another uid of the object', bentMeta({ uid: 'b' }), /must have the same UID: [-0-9a-f]{36} != b$/],
  ['no metadata', bent(({ metadata: _metadata, ...object }) => object), /missing metadata in converted object$/],
  ['a label that is none', bentMeta({ labels: { a: 'b c' } }), /invalid metadata\.labels/],
]

function bent(change: (object: Answer) => object): Bend {
  return response => ({ ...response, convertedObjects: response.convertedObjects.map(change) })
}

function bentMeta(change: object): Bend {
  return bent(object => ({ ...object, metadata: { ...object.metadata, ...change } }))
}

for (const [what, bend, expected] of breaches) {
  test(`a converter that answers with ${what} fails the read, and the object is as before`, async () => {
    const server = await serverWith(webhook, converter({ sizes: [], requests: [] }, bend))
    await answerTo(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
    for (const target of [`${at('v1')}/a`, at('v1')]) {
      const { code, reason, message } = await answerTo(server, 'GET', target)
      assert.deepEqual([code, reason], [500, undefined], message)
      assert.match(message, expected)
    }
    assert.equal((await answerTo(server, 'GET', `${at('v2')}/a`)).spec.host, 'h')
    await server.close()
  })
}

test('labels and annotations may change in conversion, and nothing else of the metadata does', async () => {
  const bend = bentMeta({ labels: { by: 'converter' }, finalizers: ['sneaky/one'], generation: 99 })
  const server = await serverWith(webhook, converter({ sizes: [], requests: [] }, bend))
  await answerTo(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
  const { metadata } = await answerTo(server, 'GET', `${at('v1')}/a`)
  assert.deepEqual([metadata.labels, metadata.finalizers, metadata.generation], [{ by: 'converter' }, undefined, 1])
  await server.close()
})

test('a converter that is not there, or silent for half a minute, fails reads and writes at its versions only', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock, controllers: 'none', objects: [definition(webhook)] })
  const unreachable = await answerTo(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  assert.equal(unreachable.code, 500)
  assert.match(
    unreachable.message,
    /^conversion webhook for example\.com\/v1, Kind=Widget failed: Post "https:\/\/converter\.default\.svc\/convert"/,
  )
  assert.equal((await ask(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h' }))).status, 201)
  server.serve({ namespace: 'default', service: 'converter' }, () => new Promise(() => {}))
  const pending = answerTo(server, 'GET', `${at('v1')}/a`)
  await clock.advance(30_000)
  assert.match((await pending).message, /context deadline exceeded/)
  await server.close()
  assert.equal(clock.pendingCount(), 0)
})

test('a watch whose converter fails ends with the error, and the next one begins anew', async () => {
  let works = true
  const server = await serverWith(
    webhook,
    converter({ sizes: [], requests: [] }, response => (works ? response : { ...response, uid: 'x' })),
  )
  const watch = await openWatch(server, `${at('v1')}?resourceVersion=${server.revision}`)
  works = false
  await answerTo(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
  const [event] = await nextEvents(watch)
  assert.deepEqual([event?.type, event?.object.code], ['ERROR', 500])
  assert.equal((await watch.next()).done, true)
  works = true
  assert.equal((await answerTo(server, 'GET', `${at('v1')}/a`)).spec.hostPort, 'h:1')
  await server.close()
})

test('without a webhook rows are stored at the storage version, and only the apiVersion differs', async () => {
  const server = await serverWith({ strategy: 'None' })
  const { status, body: made } = await ask(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  // As in a real server, what the storage version's schema does not know is gone when it is read back.
  assert.deepEqual([status, made.apiVersion, made.spec], [201, 'example.com/v1', { color: 'red' }])
  assert.deepEqual((await answerTo(server, 'GET', `${at('v2')}/a`)).spec, { color: 'red' })
  assert.match(
    server.snapshot(),
    /"apiVersion":"example\.com\/v2","kind":"Widget"|"kind":"Widget","apiVersion":"example\.com\/v2"/,
  )
  await server.close()
})
