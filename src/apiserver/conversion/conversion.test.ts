import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { createApiServer } from '../create-api-server.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely
type Any = any

async function ask(server: ApiServer, method: string, target: string, body?: unknown, type?: string): Promise<Any> {
  const response = await server.as()({
    method,
    target,
    headers: type === undefined ? {} : { 'content-type': type },
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
  })
  return { status: response.status, ...JSON.parse(Buffer.from(response.body as Uint8Array).toString()) }
}

const openObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const schemaOf = (spec: object): object => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec }, status: openObject } },
})

function definition(conversion: object, storage = 'v2'): Any {
  const version = (name: string, spec: object): object => ({
    name,
    served: true,
    storage: name === storage,
    schema: schemaOf(spec),
    subresources: { status: {} },
  })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      conversion,
      versions: [
        version('v1', { hostPort: { type: 'string' }, color: { type: 'string', default: 'red' } }),
        version('v2', { host: { type: 'string' }, port: { type: 'string' }, color: { type: 'string' } }),
      ],
    },
  }
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

/** hostPort in v1 is host and port in v2. */
function convertOne(object: Any, desired: string): Any {
  if (object.apiVersion === desired) return object
  const { hostPort, host, port, ...rest } = object.spec ?? {}
  const [left, right] = (hostPort ?? '').split(':')
  const spec = desired.endsWith('v2') ? { ...rest, host: left, port: right } : { ...rest, hostPort: `${host}:${port}` }
  return { ...object, apiVersion: desired, spec }
}

interface Calls {
  readonly sizes: number[]
  readonly requests: Any[]
}

function converter(calls: Calls, bend: (response: Any, request: Any) => Any = response => response): HttpExchange {
  return message => {
    const { request } = JSON.parse(Buffer.from(message.body as Uint8Array).toString())
    calls.sizes.push(request.objects.length)
    calls.requests.push(request)
    const convertedObjects = request.objects.map((object: Any) => convertOne(object, request.desiredAPIVersion))
    const response = bend({ uid: request.uid, convertedObjects, result: { status: 'Success' } }, request)
    const review = { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response }
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(review)) })
  }
}

async function serverWith(conversion: object, handler?: HttpExchange): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', objects: [definition(conversion)] })
  if (handler !== undefined) server.serve({ namespace: 'default', service: 'converter' }, handler)
  return server
}

test('an object is stored at the storage version and shown at each other one by the webhook', async () => {
  const calls: Calls = { sizes: [], requests: [] }
  const server = await serverWith(webhook, converter(calls))
  const made = await ask(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  assert.deepEqual([made.status, made.apiVersion, made.spec], [201, 'example.com/v1', { hostPort: 'h:1', color: 'red' }])
  // Once to store it, once to answer: as a real server, which reads back what it stored.
  assert.deepEqual(
    calls.requests.map(request => request.desiredAPIVersion),
    ['example.com/v2', 'example.com/v1'],
  )
  calls.requests.length = 0
  const stored = await ask(server, 'GET', `${at('v2')}/a`)
  assert.deepEqual([stored.apiVersion, stored.spec], ['example.com/v2', { host: 'h', port: '1', color: 'red' }])
  assert.equal(calls.requests.length, 0, 'objects at the wanted version are not sent')
  const put = await ask(server, 'PUT', `${at('v1')}/a`, { ...made, status: undefined, spec: { hostPort: 'h:2' } })
  assert.equal(put.spec.hostPort, 'h:2', JSON.stringify(put))
  const patched = await ask(server, 'PATCH', `${at('v1')}/a`, { spec: { hostPort: 'g:3' } }, 'application/merge-patch+json')
  assert.equal(patched.spec.hostPort, 'g:3')
  assert.equal((await ask(server, 'GET', `${at('v2')}/a`)).spec.host, 'g')
  const status = await ask(server, 'PATCH', `${at('v1')}/a/status`, { status: { ok: true } }, 'application/merge-patch+json')
  assert.deepEqual([status.status.ok, status.spec.hostPort], [true, 'g:3'])
  const gone = await ask(server, 'DELETE', `${at('v1')}/a`)
  assert.equal(gone.kind, 'Status')
  await server.close()
})

test('a write that changes nothing at the other version changes nothing in the store', async () => {
  const server = await serverWith(webhook, converter({ sizes: [], requests: [] }))
  const made = await ask(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  const again = await ask(server, 'PATCH', `${at('v1')}/a`, { spec: { hostPort: 'h:1' } }, 'application/merge-patch+json')
  assert.equal(again.metadata.resourceVersion, made.metadata.resourceVersion)
  await server.close()
})

test('a list is converted in batches, a page of it only as far as it goes, and nothing twice', async () => {
  const calls: Calls = { sizes: [], requests: [] }
  const server = await serverWith(webhook, converter(calls))
  for (let index = 0; index < 7; index++) {
    await ask(server, 'POST', at('v2'), widget('v2', `w${index}`, { host: 'h', port: String(index) }))
  }
  assert.deepEqual(calls.sizes, [])
  const page = await ask(server, 'GET', `${at('v1')}?limit=3`)
  assert.deepEqual([page.items.length, page.metadata.remainingItemCount, calls.sizes], [3, 4, [3]])
  const all = await ask(server, 'GET', at('v1'))
  assert.deepEqual(
    all.items.map((item: Any) => item.spec.hostPort),
    [0, 1, 2, 3, 4, 5, 6].map(index => `h:${index}`),
  )
  assert.deepEqual(calls.sizes, [3, 4])
  await Promise.all([ask(server, 'GET', at('v1')), ask(server, 'GET', `${at('v1')}/w1`)])
  assert.deepEqual(calls.sizes, [3, 4], 'what is converted stays so')
  const removed = await ask(server, 'DELETE', at('v1'))
  assert.equal(removed.items.length, 7)
  await server.close()
})

test('watches at another version get every event converted, once for all watchers', async () => {
  const calls: Calls = { sizes: [], requests: [] }
  const server = await serverWith(webhook, converter(calls))
  await ask(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '0' }))
  const open = async (query: string): Promise<AsyncIterator<Uint8Array>> => {
    const { body } = await server.as()({ method: 'GET', target: `${at('v1')}?watch=1${query}`, headers: {}, body: null })
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  }
  const read = async (watch: AsyncIterator<Uint8Array>): Promise<Any[]> => {
    const { value } = await watch.next()
    const lines = Buffer.from(value).toString().trim().split('\n')
    return lines.map(line => JSON.parse(line)).map(({ type, object }) => [type, object.apiVersion, object.spec.hostPort])
  }
  const watches = [await open(''), await open('&labelSelector=!none')]
  for (const watch of watches) assert.deepEqual(await read(watch), [['ADDED', 'example.com/v1', 'h:0']])
  calls.sizes.length = 0
  await ask(server, 'PATCH', `${at('v2')}/a`, { spec: { port: '9' } }, 'application/merge-patch+json')
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
  const applyAs = (manager: string, version: string, spec: object): Promise<Any> =>
    ask(server, 'PATCH', `${at(version)}/a?fieldManager=${manager}`, widget(version, 'a', spec), 'application/apply-patch+yaml')
  const first = await applyAs('one', 'v1', { color: 'blue', hostPort: 'h:1' })
  assert.equal(first.status, 201, JSON.stringify(first))
  const same = await applyAs('two', 'v2', { host: 'h' })
  assert.equal(same.status, 200, JSON.stringify(same))
  const other = await applyAs('two', 'v2', { host: 'h', color: 'green' })
  assert.equal(other.status, 'Failure')
  assert.match(other.message, /^Apply failed with 1 conflict: conflict with "one": \.spec\.color$/)
  await server.close()
})

test('mutating webhooks with matchPolicy Equivalent see and patch the version of their rule', async () => {
  const server = await serverWith(webhook, converter({ sizes: [], requests: [] }))
  const seen: string[] = []
  server.serve({ namespace: 'default', service: 'hook' }, message => {
    const { request } = JSON.parse(Buffer.from(message.body as Uint8Array).toString())
    seen.push(`${request.object.apiVersion} ${request.object.spec.host}`)
    const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/port', value: '77' }])).toString('base64')
    const response = { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch }
    const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response }
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(review)) })
  })
  const hook = {
    name: 'a.b.c',
    clientConfig: { service: { namespace: 'default', name: 'hook' } },
    rules: [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v2'], resources: ['widgets'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  await ask(server, 'POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'm' },
    webhooks: [hook],
  })
  const made = await ask(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  assert.deepEqual([made.spec?.hostPort, seen], ['h:77', ['example.com/v2 h']], JSON.stringify(made))
  await server.close()
})

const breaches: [string, (response: Any) => Any, RegExp][] = [
  ['another uid', response => ({ ...response, uid: 'x' }), /failed: .*expected response\.uid="/],
  ['too few objects', response => ({ ...response, convertedObjects: [] }), /returned 0 objects, expected 1$/],
  [
    'a failure with a message',
    response => ({ uid: response.uid, result: { status: 'Failure', message: 'no way' } }),
    /^conversion webhook for example\.com\/v2, Kind=Widget failed: no way$/,
  ],
  [
    'a failure without',
    response => ({ uid: response.uid, result: {} }),
    /failed: response\.result\.status was '', not 'Success'$/,
  ],
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

function bent(change: (object: Any) => Any): (response: Any) => Any {
  return response => ({ ...response, convertedObjects: response.convertedObjects.map(change) })
}

function bentMeta(change: object): (response: Any) => Any {
  return bent(object => ({ ...object, metadata: { ...object.metadata, ...change } }))
}

for (const [what, bend, expected] of breaches) {
  test(`a converter that answers with ${what} fails the read, and the object is as before`, async () => {
    const server = await serverWith(webhook, converter({ sizes: [], requests: [] }, bend))
    await ask(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
    for (const target of [`${at('v1')}/a`, at('v1')]) {
      const { code, reason, message } = await ask(server, 'GET', target)
      assert.deepEqual([code, reason], [500, undefined], message)
      assert.match(message, expected)
    }
    assert.equal((await ask(server, 'GET', `${at('v2')}/a`)).spec.host, 'h')
    await server.close()
  })
}

test('labels and annotations may change in conversion, and nothing else of the metadata does', async () => {
  const bend = bentMeta({ labels: { by: 'converter' }, finalizers: ['sneaky/one'], generation: 99 })
  const server = await serverWith(webhook, converter({ sizes: [], requests: [] }, bend))
  await ask(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
  const { metadata } = await ask(server, 'GET', `${at('v1')}/a`)
  assert.deepEqual([metadata.labels, metadata.finalizers, metadata.generation], [{ by: 'converter' }, undefined, 1])
  await server.close()
})

test('a converter that is not there, or silent for half a minute, fails reads and writes at its versions only', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock, controllers: 'none', objects: [definition(webhook)] })
  const unreachable = await ask(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  assert.equal(unreachable.code, 500)
  assert.match(
    unreachable.message,
    /^conversion webhook for example\.com\/v1, Kind=Widget failed: Post "https:\/\/converter\.default\.svc\/convert"/,
  )
  assert.equal((await ask(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h' }))).status, 201)
  server.serve({ namespace: 'default', service: 'converter' }, () => new Promise(() => {}))
  const pending = ask(server, 'GET', `${at('v1')}/a`)
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
  const { body } = await server.as()({
    method: 'GET',
    target: `${at('v1')}?watch=1&resourceVersion=${server.revision}`,
    headers: {},
    body: null,
  })
  const watch = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  works = false
  await ask(server, 'POST', at('v2'), widget('v2', 'a', { host: 'h', port: '1' }))
  const event = JSON.parse(Buffer.from((await watch.next()).value).toString())
  assert.deepEqual([event.type, event.object.code], ['ERROR', 500])
  assert.equal((await watch.next()).done, true)
  works = true
  assert.equal((await ask(server, 'GET', `${at('v1')}/a`)).spec.hostPort, 'h:1')
  await server.close()
})

test('without a webhook rows are stored at the storage version, and only the apiVersion differs', async () => {
  const server = await serverWith({ strategy: 'None' })
  const made = await ask(server, 'POST', at('v1'), widget('v1', 'a', { hostPort: 'h:1' }))
  // As in a real server, what the storage version's schema does not know is gone when it is read back.
  assert.deepEqual([made.status, made.apiVersion, made.spec], [201, 'example.com/v1', { color: 'red' }])
  assert.deepEqual((await ask(server, 'GET', `${at('v2')}/a`)).spec, { color: 'red' })
  assert.match(
    server.snapshot(),
    /"apiVersion":"example\.com\/v2","kind":"Widget"|"kind":"Widget","apiVersion":"example\.com\/v2"/,
  )
  await server.close()
})
