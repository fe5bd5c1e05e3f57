import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../ask.fixture.ts'
import { Alone, type Asked, bodyAt, type Given, type Told } from './alone.fixture.ts'
import { kubelet, node } from './kubelet.ts'

const now = '2026-01-01T00:00:00Z'
const earlier = '2025-12-31T00:00:00Z'

interface PodParts {
  readonly spec?: object
  readonly status?: object
  readonly metadata?: object
}

function pod({ spec = {}, status = {}, metadata = {} }: PodParts = {}): Given {
  return {
    kind: 'Pod',
    metadata: { name: 'p', uid: 'u', ...metadata },
    spec: { nodeName: 'embedded-node-0', containers: [{ name: 'c', image: 'a:1' }], ...spec },
    status,
  }
}

function holding(...objects: readonly Given[]): Alone {
  const world = new Alone(kubelet)
  world.put(...objects)
  return world
}

const statusPath = 'PUT /api/v1/namespaces/default/pods/p/status'
const events = 'POST /api/v1/namespaces/default/events'

function statusIn(asked: readonly Asked[]): Fields {
  assert.equal(asked[0]?.what, statusPath)
  return asked[0].body.status as Fields
}

function messagesIn(asked: readonly Asked[]): readonly string[] {
  return asked.filter(({ what }) => what === events).map(({ body }) => `${String(body.reason)}: ${String(body.message)}`)
}

const condition = (type: string, status: string, since = now): object => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: since,
})
const conditions = (containersReady: string, ready = containersReady, since = now): object[] => [
  condition('PodReadyToStartContainers', 'True', since),
  condition('Initialized', 'True', since),
  condition('Ready', ready, since),
  condition('ContainersReady', containersReady, since),
  condition('PodScheduled', 'True', since),
]
const host = { hostIP: '192.168.0.10', hostIPs: [{ ip: '192.168.0.10' }] }
const container = { name: 'c', lastState: {}, restartCount: 0, image: 'a:1' }

test('a pod that came to the node runs, and says what a kubelet says', async () => {
  const { asked, again } = await holding(pod()).look('default/p')
  assert.equal(again, undefined)
  assert.deepEqual(statusIn(asked), {
    ...host,
    startTime: now,
    phase: 'Running',
    podIP: '10.244.0.1',
    podIPs: [{ ip: '10.244.0.1' }],
    containerStatuses: [
      {
        ...container,
        state: { running: { startedAt: now } },
        ready: true,
        imageID: 'a:1@sha256:embedded',
        containerID: 'embedded://u/c',
        started: true,
      },
    ],
    conditions: conditions('True'),
  })
  assert.deepEqual(messagesIn(asked), [
    'Pulled: Container image "a:1" already present on machine',
    'Created: Created container: c',
    'Started: Started container c',
  ])
  const { resourceVersion } = bodyAt(asked, 0).metadata as { resourceVersion: string }
  assert.deepEqual(asked[1]?.body, {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { generateName: 'p.', namespace: 'default' },
    involvedObject: { kind: 'Pod', apiVersion: 'v1', name: 'p', namespace: 'default', uid: 'u', resourceVersion },
    source: { component: 'kubelet', host: 'embedded-node-0' },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type: 'Normal',
    reason: 'Pulled',
    message: 'Container image "a:1" already present on machine',
  })
})

test('no two of six hundred pods get one address', async () => {
  const names = Array.from({ length: 600 }, (_, index) => `p${index}`)
  const world = holding(...names.map(name => pod({ metadata: { name, uid: name }, spec: { containers: [] } })))
  const addresses: unknown[] = []
  for (const name of names) {
    const { asked } = await world.look(`default/${name}`)
    addresses.push((bodyAt(asked, 0).status as Fields).podIP)
  }
  assert.equal(new Set(addresses).size, names.length)
  assert.deepEqual(
    [0, 253, 254, 599].map(index => addresses[index]),
    ['10.244.0.1', '10.244.0.254', '10.244.1.1', '10.244.2.92'],
  )
})

test('what a status says already is kept: since when the pod started, and other conditions', async () => {
  const other = { type: 'a.b/gate', status: 'True' }
  const status = { startTime: earlier, conditions: [other, condition('PodScheduled', 'True', earlier)] }
  const said = statusIn((await holding(pod({ status })).look('default/p')).asked)
  assert.equal(said.startTime, earlier)
  assert.deepEqual(said.conditions, [other, ...conditions('True').slice(0, 4), condition('PodScheduled', 'True', earlier)])
})

for (const [annotations, gate, containersReady, ready] of [
  [{}, undefined, 'True', 'True'],
  [{ 'sim/never-ready': 'false' }, undefined, 'True', 'True'],
  [{ 'sim/never-ready': 'true' }, undefined, 'False', 'False'],
  [{}, 'True', 'True', 'True'],
  [{}, 'False', 'True', 'False'],
  [{}, 'absent', 'True', 'False'],
] as const)
  test(`with ${JSON.stringify(annotations)} and a gate that is ${gate ?? 'not there'}, ready is ${ready}`, async () => {
    const spec = gate === undefined ? {} : { readinessGates: [{ conditionType: 'a.b/gate' }] }
    const present = gate === undefined || gate === 'absent' ? [] : [{ type: 'a.b/gate', status: gate }]
    const status = { conditions: [...present, { type: 'a.b/other', status: 'True' }] }
    const said = statusIn((await holding(pod({ spec, status, metadata: { annotations } })).look('default/p')).asked)
    assert.deepEqual((said.conditions as readonly object[]).slice(-5), conditions(containersReady, ready))
    const [first] = said.containerStatuses as readonly { ready: boolean }[]
    assert.equal(first?.ready, containersReady === 'True')
  })

test('of a pod that runs only what has changed of its readiness is written', async () => {
  const spec = { readinessGates: [{ conditionType: 'a.b/gate' }] }
  const running = (present: readonly object[]): Alone =>
    holding(pod({ spec, status: { phase: 'Running', podIP: '10.244.7.7', conditions: present } }))
  const closed = { type: 'a.b/gate', status: 'False' }
  const open = { type: 'a.b/gate', status: 'True' }
  assert.deepEqual(await running([closed, ...conditions('True', 'False', earlier)]).requests('default/p'), [])
  const { asked, again } = await running([open, ...conditions('True', 'False', earlier)]).look('default/p')
  assert.equal(again, undefined)
  const since = conditions('True', 'True', earlier).with(2, condition('Ready', 'True'))
  assert.deepEqual(asked[0]?.body.status, { phase: 'Running', podIP: '10.244.7.7', conditions: [open, ...since] })
  assert.equal(asked.length, 1)
})

test('a pod that runs and is never ready is told so once', async () => {
  const metadata = { annotations: { 'sim/never-ready': 'true' } }
  const of = (ready: string): Promise<readonly string[]> =>
    holding(pod({ metadata, status: { phase: 'Running', conditions: conditions(ready) } })).requests('default/p')
  assert.deepEqual(await of('True'), [statusPath])
  assert.deepEqual(await of('False'), [])
})

for (const [exitCode, phase, reason] of [
  ['0', 'Succeeded', 'Completed'],
  ['3', 'Failed', 'Error'],
] as const)
  test(`a pod whose program ends with ${exitCode} has ${phase.toLowerCase()}`, async () => {
    const { asked } = await holding(pod({ metadata: { annotations: { 'sim/exit-code': exitCode } } })).look('default/p')
    const terminated = { exitCode: Number(exitCode), reason, startedAt: now, finishedAt: now }
    assert.equal(asked.length, 1)
    assert.deepEqual(statusIn(asked), {
      ...host,
      startTime: now,
      phase,
      podIP: '10.244.0.1',
      podIPs: [{ ip: '10.244.0.1' }],
      containerStatuses: [{ ...container, state: { terminated }, ready: false, imageID: '', started: false }],
    })
  })

for (const [said, left] of [
  ['of another node', pod({ spec: { nodeName: 'other' } })],
  ['without a node', { ...pod(), spec: {} }],
  ['that succeeded', pod({ status: { phase: 'Succeeded' } })],
  ['that failed', pod({ status: { phase: 'Failed' } })],
] as const)
  test(`a pod ${said} is left alone`, async () => {
    assert.deepEqual(await holding(left).look('default/p'), { asked: [], again: undefined })
  })

test('a pod that is not there is no work', async () => {
  assert.deepEqual(await holding().look('default/p'), { asked: [], again: undefined })
})

const secret: Given = { kind: 'Secret', metadata: { name: 's' } }
const configMap: Given = { kind: 'ConfigMap', metadata: { name: 'm' } }
const noSecret = 'MountVolume.SetUp failed for volume "v" : secret "s" not found'
const noConfigMap = 'MountVolume.SetUp failed for volume "v" : configmap "m" not found'
const projected = (...sources: readonly object[]): object => ({ projected: { sources } })

for (const [volume, there, problem] of [
  [{ emptyDir: {} }, [], undefined],
  [{ secret: { secretName: 's' } }, [], noSecret],
  [{ secret: { secretName: 's' } }, [secret], undefined],
  [{ secret: { secretName: 's', optional: true } }, [], undefined],
  [{ secret: { secretName: 's', optional: false } }, [configMap], noSecret],
  [{ configMap: { name: 'm' } }, [secret], noConfigMap],
  [{ configMap: { name: 'm' } }, [configMap], undefined],
  [{ configMap: { name: 'm', optional: true } }, [], undefined],
  [{ projected: {} }, [], undefined],
  [projected({ serviceAccountToken: { path: 't' } }), [], undefined],
  [projected({ secret: { name: 's' } }), [], noSecret],
  [projected({ secret: { name: 's', optional: true } }, { configMap: { name: 'm' } }), [], noConfigMap],
  [projected({ secret: { name: 's' } }, { configMap: { name: 'm', optional: true } }), [secret], undefined],
] as const)
  test(`with ${there.length} of what it needs, a volume of ${JSON.stringify(volume)} ${problem === undefined ? 'is there' : 'is waited for'}`, async () => {
    const world = holding(
      ...there,
      pod({
        spec: {
          volumes: [
            { name: 'ok', emptyDir: {} },
            { name: 'v', ...volume },
          ],
        },
      }),
    )
    const { asked, again } = await world.look('default/p')
    if (problem === undefined) {
      assert.equal(statusIn(asked).phase, 'Running')
      assert.equal(again, undefined)
      return
    }
    assert.deepEqual(statusIn(asked), {
      ...host,
      startTime: now,
      phase: 'Pending',
      containerStatuses: [
        { ...container, state: { waiting: { reason: 'ContainerCreating' } }, ready: false, imageID: '', started: false },
      ],
    })
    assert.deepEqual(messagesIn(asked), [`FailedMount: ${problem}`])
    assert.equal(asked[1]?.body.type, 'Warning')
    assert.equal(again, 1_000)
  })

test('that a volume is waited for is said once', async () => {
  const spec = { volumes: [{ name: 'v', secret: { secretName: 's' } }] }
  const world = holding(pod({ spec, status: { phase: 'Pending', containerStatuses: [] } }))
  assert.deepEqual(await world.look('default/p'), { asked: [], again: 1_000 })
})

test('a pod that is deleted ends at once, and one that wants to wait at its time', async () => {
  const deleted = {
    what: 'DELETE /api/v1/namespaces/default/pods/p',
    body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid: 'u' } },
  }
  const going = (annotations: object): Alone =>
    holding(pod({ metadata: { deletionTimestamp: '2026-01-01T00:00:30Z', annotations } }))
  assert.deepEqual(await going({}).look('default/p'), { asked: [deleted], again: undefined })
  assert.deepEqual(await going({ 'sim/slow-termination': 'false' }).look('default/p'), { asked: [deleted], again: undefined })
  const slow = going({ 'sim/slow-termination': 'true' })
  assert.deepEqual(await slow.look('default/p'), { asked: [], again: 30_000 })
  await slow.clock.advance(29_999)
  assert.deepEqual(await slow.look('default/p'), { asked: [], again: 1 })
  await slow.clock.advance(1)
  assert.deepEqual(await slow.look('default/p'), { asked: [deleted], again: undefined })
})

test('a status that the server failed to take is tried again; one that came too late is not', async () => {
  const answering = (status: number): Alone => {
    const world = new Alone(kubelet, {
      answer: ({ what }) => (what === statusPath ? { status, object: { message: 'no' } } : undefined),
    })
    world.put(pod())
    return world
  }
  await assert.rejects(answering(500).look('default/p'), /writing the status of a pod: no/)
  assert.equal((await answering(499).look('default/p')).asked.length, 4)
})

test('a pod is looked at when it changes; when it goes, its log goes', () => {
  const world = new Alone(kubelet)
  assert.deepEqual(world.put(pod()), ['default/p'])
  world.ports.logs.append('u', 'printed')
  assert.deepEqual(
    world.change('pods', 'default/p', object => void (object.status = {})),
    ['default/p'],
  )
  assert.equal(world.ports.logs.read('u'), 'printed')
  assert.deepEqual(world.remove('pods', 'default/p'), [])
  assert.equal(world.ports.logs.read('u'), undefined)
  assert.deepEqual(world.put(configMap), [])
})

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const lease = { holderIdentity: 'embedded-node-0', leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' }
const heartbeat = (type: string, status: string, reason: string, message: string): object => ({
  type,
  status,
  reason,
  message,
  lastHeartbeatTime: now,
  lastTransitionTime: now,
})

test('the node is made with its status and its lease, which is renewed every ten seconds', async () => {
  const world = new Alone(node, { emulate: '1.33' })
  const { asked, again } = await world.look('embedded-node-0')
  assert.equal(again, 10_000)
  assert.deepEqual(
    asked.map(({ what }) => what),
    ['POST /api/v1/nodes', 'PUT /api/v1/nodes/embedded-node-0/status', `POST ${leases}`],
  )
  const labels = { 'kubernetes.io/hostname': 'embedded-node-0', 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' }
  assert.deepEqual(asked[0]?.body, {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'embedded-node-0', labels },
    spec: {},
  })
  const { nodeInfo, addresses, ...status } = bodyAt(asked, 1).status as { nodeInfo: Fields; addresses: unknown }
  const resources = { cpu: '8', memory: '32Gi', pods: '110' }
  assert.deepEqual(status, {
    capacity: resources,
    allocatable: resources,
    conditions: [
      heartbeat('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      heartbeat('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      heartbeat('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      heartbeat('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
  })
  assert.equal(nodeInfo.kubeletVersion, 'v1.33.0')
  assert.deepEqual(addresses, [
    { type: 'InternalIP', address: host.hostIP },
    { type: 'Hostname', address: 'embedded-node-0' },
  ])
  assert.deepEqual(asked[2]?.body, {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    metadata: { name: 'embedded-node-0' },
    spec: lease,
  })
})

test('a node that is there is left as it is, and its lease renewed', async () => {
  const world = new Alone(node)
  world.put(
    { kind: 'Node', metadata: { name: 'embedded-node-0' }, spec: {} },
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'embedded-node-0', namespace: 'kube-node-lease', labels: { a: 'b' } },
      spec: {},
    },
  )
  const { asked, again } = await world.look('embedded-node-0')
  assert.equal(again, 10_000)
  assert.deepEqual(
    asked.map(({ what }) => what),
    [`PUT ${leases}/embedded-node-0`],
  )
  assert.deepEqual(asked[0]?.body.spec, lease)
  assert.deepEqual((bodyAt(asked, 0).metadata as Fields).labels, { a: 'b' })
})

test('a node that somebody else makes meanwhile gets no status from here', async () => {
  const refused: Told = { status: 409, object: {} }
  const world = new Alone(node, { answer: ({ what }) => (what === 'POST /api/v1/nodes' ? refused : undefined) })
  assert.deepEqual(await world.requests('embedded-node-0'), ['POST /api/v1/nodes', `POST ${leases}`])
})

test('the node comes with the namespace of its lease', () => {
  const world = new Alone(node)
  const namespace = (name: string): Given => ({ kind: 'Namespace', metadata: { name } })
  assert.deepEqual(world.put(namespace('default')), [])
  assert.deepEqual(world.put(namespace('kube-node-lease')), ['embedded-node-0'])
  assert.deepEqual(
    world.change('namespaces', 'kube-node-lease', object => void (object.status = {})),
    [],
  )
  assert.deepEqual(world.put({ kind: 'Node', metadata: { name: 'kube-node-lease' } }), [])
})
