import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alone, type Given } from './alone.fixture.ts'
import { endpointSlices, eventLife } from './endpoint-slices.ts'

const labels = { app: 'web' }
const service = (spec: object | undefined = { selector: labels }, name = 'web'): Given => ({
  kind: 'Service',
  metadata: { name, uid: `of ${name}` },
  ...(spec && { spec }),
})
const pod = (
  name: string,
  { status = { podIP: '10.0.0.1' }, metadata = {} }: { status?: object; metadata?: object } = {},
): Given => ({
  kind: 'Pod',
  metadata: { name, uid: `of ${name}`, labels, ...metadata },
  spec: { nodeName: 'n' },
  status,
})
const ready = { podIP: '10.0.0.2', conditions: [{ type: 'Ready', status: 'True' }] }
const endpoint = (name: string, address: string, isReady: boolean, terminating = false): object => ({
  addresses: [address],
  conditions: { ready: isReady, serving: isReady, terminating },
  nodeName: 'n',
  targetRef: { kind: 'Pod', name, namespace: 'default', uid: `of ${name}` },
})
const owner = { apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'of web', controller: true, blockOwnerDeletion: true }
const slice = (content: object, metadata: object = { ownerReferences: [owner] }): Given => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'web-1', ...metadata },
  ...content,
})
const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'

test('a service gets a slice with the pods that it selects and that have an address', async () => {
  const world = new Alone(endpointSlices)
  world.put(
    service({
      selector: labels,
      ports: [{ port: 80 }, { name: 'two', protocol: 'UDP', port: 81, targetPort: 8081 }, { port: 82, targetPort: 'http' }],
    }),
    pod('a'),
    pod('b', { status: ready }),
    pod('c', { status: ready, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    pod('d', { status: {} }),
    pod('e', { metadata: { labels: { app: 'other' } } }),
    pod('f', { metadata: { namespace: 'x' } }),
  )
  const { asked, again } = await world.look('default/web')
  assert.equal(again, undefined)
  assert.deepEqual(asked, [
    {
      what: `POST ${path}`,
      body: {
        kind: 'EndpointSlice',
        apiVersion: 'discovery.k8s.io/v1',
        metadata: {
          generateName: 'web-',
          namespace: 'default',
          labels: {
            'kubernetes.io/service-name': 'web',
            'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          },
          ownerReferences: [owner],
        },
        addressType: 'IPv4',
        endpoints: [endpoint('a', '10.0.0.1', false), endpoint('b', '10.0.0.2', true), endpoint('c', '10.0.0.2', false, true)],
        ports: [
          { name: '', protocol: 'TCP', port: 80 },
          { name: 'two', protocol: 'UDP', port: 8081 },
          { name: '', protocol: 'TCP', port: 82 },
        ],
      },
    },
  ])
})

const ports = [{ name: '', protocol: 'TCP', port: 80 }]
const endpoints = [endpoint('a', '10.0.0.1', false)]
for (const [said, there, requests] of [
  ['says so already', slice({ endpoints, ports }), []],
  ['has other endpoints', slice({ ports }), [`PUT ${path}/web-1`]],
  ['has other ports', slice({ endpoints }), [`PUT ${path}/web-1`]],
  ['has another owner', slice({ endpoints, ports }, { ownerReferences: [{ ...owner, uid: 'other' }] }), [`POST ${path}`]],
  ['has no owner', slice({ endpoints, ports }, {}), [`POST ${path}`]],
] as const)
  test(`of a slice that ${said}, ${requests[0]?.split(' ')[0] ?? 'nothing'} comes`, async () => {
    const world = new Alone(endpointSlices)
    world.put(service({ selector: labels, ports: [{ port: 80 }] }), pod('a'), there)
    const { asked } = await world.look('default/web')
    assert.deepEqual(
      asked.map(({ what }) => what),
      requests,
    )
    for (const { body } of asked) assert.deepEqual([body.endpoints, body.ports], [endpoints, ports])
  })

test('an empty slice of a service without ports and pods is as it should be', async () => {
  const world = new Alone(endpointSlices)
  world.put(service(), slice({}))
  assert.deepEqual(await world.requests('default/web'), [])
})

test('a service without a selector has nothing that would fill its slice', async () => {
  const world = new Alone(endpointSlices)
  world.put(service({}), service({ selector: {} }, 'empty'), { kind: 'Service', metadata: { name: 'bare' } })
  for (const name of ['web', 'empty', 'bare', 'absent']) assert.deepEqual(await world.requests(`default/${name}`), [], name)
  assert.deepEqual(world.put(pod('a')), [])
})

test('a service is looked at when it changes, and when a pod that it selects does', () => {
  const world = new Alone(endpointSlices)
  assert.deepEqual(world.put(service()), ['default/web'])
  assert.deepEqual(world.put(service({ selector: { app: 'other' } }, 'other')), ['default/other'])
  assert.deepEqual(world.put(pod('a')), ['default/web'])
  assert.deepEqual(world.remove('pods', 'default/a'), ['default/web'])
  assert.deepEqual(world.put({ kind: 'ConfigMap', metadata: { name: 'a', labels } }), [])
  assert.deepEqual(world.remove('services', 'default/web'), [])
})

const hourMs = 3_600_000
const event = (more: object = {}): Given => ({
  kind: 'Event',
  metadata: { name: 'e', creationTimestamp: '2026-01-01T00:00:00Z' },
  ...more,
})
for (const [more, leftMs] of [
  [{}, hourMs],
  [{ lastTimestamp: null }, hourMs],
  [{ lastTimestamp: '2026-01-01T00:10:00Z' }, hourMs + 600_000],
  [{ lastTimestamp: '2025-12-31T00:00:00Z' }, hourMs],
  [{ series: { count: 1, lastObservedTime: '2026-01-01T00:20:00.000000Z' } }, hourMs + 1_200_000],
  [{ series: {} }, hourMs],
] as const)
  test(`an event with ${JSON.stringify(more)} is kept for ${leftMs / 1_000} s`, async () => {
    const world = new Alone(eventLife)
    assert.deepEqual(world.put(event(more)), ['default/e'])
    assert.deepEqual(await world.look('default/e'), { asked: [], again: leftMs })
    await world.clock.advance(leftMs - 1)
    assert.deepEqual(await world.look('default/e'), { asked: [], again: 1 })
    await world.clock.advance(1)
    const { asked, again } = await world.look('default/e')
    assert.deepEqual([asked.map(({ what }) => what), again], [['DELETE /api/v1/namespaces/default/events/e'], undefined])
  })

test('an event that is gone is no work', async () => {
  const world = new Alone(eventLife)
  world.put(event())
  assert.deepEqual(world.remove('events', 'default/e'), [])
  assert.deepEqual(await world.look('default/e'), { asked: [], again: undefined })
  assert.deepEqual(world.put({ kind: 'ConfigMap', metadata: { name: 'e' } }), [])
})
