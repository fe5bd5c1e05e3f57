import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { ask, type Reply } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const services = '/api/v1/namespaces/default/services?dryRun=All'
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'

function world(): ApiServer {
  return createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
}

const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const service = (spec: object): object => ({ metadata: { name: 's' }, spec: { ...local, ...spec } })

test('a dry run shows the numbers after those that the service gives itself, or some out of the range', async () => {
  const server = world()
  const given = await ask(server, 'POST', services, service({ ports: [{ port: 80, nodePort: 30080 }] }))
  assert.equal(given.body.spec.healthCheckNodePort, 30081)
  const none = await ask(server, 'POST', services, service({ ports: [{ port: 80 }] }))
  assert.deepEqual(none.body.spec.ports, [{ port: 80, protocol: 'TCP', targetPort: 80, nodePort: 32769 }])
  assert.equal(none.body.spec.healthCheckNodePort, 32770)
  await server.close()
})

test('a port for the health of a service that is taken is an error of the server', async () => {
  const server = world()
  const spec = { ports: [{ port: 80, nodePort: 30080 }], healthCheckNodePort: 30080 }
  const { status, body } = await ask(server, 'POST', services, service(spec))
  const why = 'failed to allocate requested HealthCheck NodePort 30080: provided port is already allocated'
  assert.deepEqual([status, body.message, body.details], [500, `Internal error occurred: ${why}`, { causes: [{ message: why }] }])
  await server.close()
})

test('an address of a service is the same in an old form', async () => {
  const server = world()
  const path = '/api/v1/namespaces/default/services'
  const made = async (name: string, clusterIP: string): Promise<string> =>
    (await ask(server, 'POST', path, { metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } })).body.message
  const refused = (name: string, shown: string, why: string): string =>
    `Service "${name}" is invalid: spec.clusterIPs: Invalid value: ["${shown}"]: failed to allocate IP ${shown}: ${why}`
  assert.equal(await made('a', '::ffff:10.96.7.77'), undefined)
  assert.equal(await made('b', '10.96.7.077'), refused('b', '10.96.7.077', 'provided IP is already allocated'))
  const outside = await ask(server, 'POST', services, {
    metadata: { name: 'c' },
    spec: { clusterIP: '1.2.3.04', ports: [{ port: 80 }] },
  })
  const why = 'the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.96.0.0/12'
  assert.equal(outside.body.message, refused('c', '1.2.3.04', why))
  await server.close()
})

const elsewhere = { type: 'ExternalName', externalName: 'a.b' }
const twice = [
  { name: 'a', port: 80, nodePort: 30080 },
  { name: 'b', port: 81, nodePort: 30080 },
]

const changes: readonly (readonly [what: string, spec: object, code: number, message: string | undefined])[] = [
  ['goes elsewhere', elsewhere, 200, undefined],
  ['goes elsewhere with the way inside that it had', { ...elsewhere, internalTrafficPolicy: 'Cluster' }, 200, undefined],
  [
    'goes elsewhere with a way inside that there is not',
    { ...elsewhere, internalTrafficPolicy: 'X' },
    422,
    'Service "s" is invalid: spec.internalTrafficPolicy: Unsupported value: "X": supported values: "Cluster", "Local"',
  ],
  ['goes elsewhere and gives its address back', { ...elsewhere, clusterIP: '' }, 200, undefined],
  ['wants one port of its nodes twice', { type: 'NodePort', ports: twice }, 500, 'duplicate nodePort: {TCP 30080}'],
]

for (const [what, spec, code, message] of changes)
  test(`a service that ${what} is ${code === 200 ? 'taken' : 'refused'}`, async () => {
    const server = world()
    const path = '/api/v1/namespaces/default/services'
    await ask(server, 'POST', path, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })
    const { status, body } = await ask(
      server,
      'PATCH',
      `${path}/s?dryRun=All`,
      { spec },
      { type: 'application/merge-patch+json' },
    )
    assert.deepEqual([status, body.message], [code, message])
    assert.equal(body.spec?.clusterIPs, undefined)
    await server.close()
  })

test('where an endpoint is stands in its fields, not in the map of an older version', async () => {
  const server = world()
  const endpoints = [{ addresses: ['10.0.0.1'], zone: 'z', deprecatedTopology: { a: 'b' } }]
  const slice = { metadata: { name: 'e' }, addressType: 'IPv4', endpoints }
  const { body } = await ask(server, 'POST', slices, slice)
  assert.deepEqual(body.endpoints, [{ addresses: ['10.0.0.1'], conditions: {}, zone: 'z' }])
  const changed = await ask(server, 'PATCH', `${slices}/e`, { endpoints }, { type: 'application/merge-patch+json' })
  assert.deepEqual(changed.body.endpoints, body.endpoints)
  await server.close()
})

const dry: readonly (readonly [what: string, path: string, given: object, kept: object])[] = [
  [
    'where a node finds what to do',
    '/api/v1/nodes',
    { spec: { configSource: { configMap: {} }, providerID: 'p' }, status: { config: { assigned: {} } } },
    { spec: { providerID: 'p', taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } },
  ],
  [
    'how often a driver asks what fits on a node',
    '/apis/storage.k8s.io/v1/csidrivers',
    { spec: { nodeAllocatableUpdatePeriodSeconds: 10 } },
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      },
    },
  ],
  [
    'that a volume is attached already',
    '/apis/storage.k8s.io/v1/volumeattachments',
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } }, status: { attached: true } },
    { status: { attached: false } },
  ],
  ...(
    [
      ['that a claim is filled from elsewhere', { dataSourceRef: { apiGroup: 'a.b', kind: 'C', name: 'd', namespace: 'e' } }, {}],
      [
        'that a claim is filled from elsewhere, and not that it is from here',
        {
          dataSource: { kind: 'PersistentVolumeClaim', name: 'd' },
          dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'd', namespace: 'e' },
        },
        {
          dataSource: { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'd' },
          dataSourceRef: { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'd' },
        },
      ],
      ['that a claim is filled from what the older field does not know', { dataSource: { kind: 'Pod', name: 'p' } }, {}],
    ] as const
  ).map(
    ([what, source, kept]) =>
      [
        what,
        '/api/v1/namespaces/default/persistentvolumeclaims',
        { spec: { ...claim, ...source } },
        { spec: { ...claim, volumeMode: 'Filesystem', ...kept } },
      ] as const,
  ),
]

for (const [what, path, given, kept] of dry)
  test(`${what} is not kept`, async () => {
    const server = world()
    const { body } = await ask(server, 'POST', `${path}?dryRun=All`, { metadata: { name: 'x' }, ...given })
    for (const [part, value] of Object.entries(kept)) assert.deepEqual(body[part], value)
    await server.close()
  })

test('a claim says in both fields what it is filled from, and is told where they differ', async () => {
  const server = world()
  const path = '/api/v1/namespaces/default/persistentvolumeclaims?dryRun=All'
  const made = (source: object): Promise<Reply> =>
    ask(server, 'POST', path, { metadata: { name: 'x' }, spec: { ...claim, ...source } })
  const any = { apiGroup: 'a.b', kind: 'C', name: 'd' }
  const filled = await made({ dataSourceRef: any })
  assert.deepEqual([filled.body.spec.dataSource, filled.body.spec.dataSourceRef], [any, any])
  const told = await made({ dataSource: { ...any, name: 'e' }, dataSourceRef: any })
  assert.deepEqual(
    [told.status, told.body.message],
    [422, 'PersistentVolumeClaim "x" is invalid: spec: Invalid value: {}: must match dataSourceRef'],
  )
  await server.close()
})

test('a changed claim that leaves one of the two fields out means what the other says', async () => {
  const server = world()
  const path = '/api/v1/namespaces/default/persistentvolumeclaims'
  const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }
  const made = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'x' } }
  await ask(server, 'POST', path, { ...made, spec: { ...claim, dataSource: source } })
  for (const field of ['dataSource', 'dataSourceRef']) {
    const { body } = await ask(server, 'PUT', `${path}/x`, { ...made, spec: { ...claim, [field]: source } })
    assert.deepEqual([body.spec.dataSource, body.spec.dataSourceRef], [source, source])
  }
  await server.close()
})

test('by which number a volume could not be attached is not kept', async () => {
  const server = world()
  const path = '/apis/storage.k8s.io/v1/volumeattachments'
  const made = { metadata: { name: 'a' }, spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } }
  await ask(server, 'POST', path, made)
  const status = { attached: false, attachError: { message: 'm', errorCode: 3 }, detachError: { errorCode: 4 } }
  const { body } = await ask(server, 'PATCH', `${path}/a/status`, { status }, { type: 'application/merge-patch+json' })
  const kept = { attachError: { message: 'm', time: null }, detachError: { time: null } }
  assert.deepEqual(body.status, { attached: false, ...kept })
  await server.close()
})

test('what is wrong with the finalizers of a namespace is told as often as there', async () => {
  const server = world()
  const causesOf = async (path: string): Promise<number | undefined> => {
    const change = { metadata: { finalizers: ['x'] } }
    const { body } = await ask(server, 'PATCH', `/api/v1/namespaces/default${path}`, change, {
      type: 'application/merge-patch+json',
    })
    return body.details.causes?.length
  }
  assert.deepEqual([await causesOf(''), await causesOf('/status')], [2, 1])
  await server.close()
})
