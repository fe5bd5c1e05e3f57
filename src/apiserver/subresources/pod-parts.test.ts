// Containers that come later, as `kubectl debug` adds them, and resources that change while a pod runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { type Answer, ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

interface PodSpec {
  readonly containers: readonly { readonly image: string; readonly resources?: object }[]
  readonly ephemeralContainers?: readonly { readonly name: string }[]
}

const pods = '/api/v1/namespaces/default/pods'
const strategic = { type: 'application/strategic-merge-patch+json' }
const amounts = { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '2' } }
const debug = { name: 'debugger', image: 'busybox', targetContainerName: 'main', tty: true }

async function world(): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
  await ask(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
  const made = await ask(server, 'POST', pods, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'main', image: 'i', resources: amounts }] },
  })
  assert.equal(made.status, 201)
  return server
}

const change = (server: ApiServer, part: string, spec: object) =>
  ask<Answer<PodSpec>>(server, 'PATCH', `${pods}/p/${part}`, { metadata: { labels: { a: 'b' } }, spec }, strategic)

test('a container is added to a pod, which keeps all else, and neither goes nor changes', async () => {
  const server = await world()
  const added = await change(server, 'ephemeralcontainers', {
    ephemeralContainers: [debug],
    containers: [{ name: 'main', image: 'other' }],
  })
  assert.equal(added.status, 200)
  const { body } = await ask<Answer<PodSpec>>(server, 'GET', `${pods}/p`)
  assert.deepEqual(
    [body.spec.ephemeralContainers?.map(({ name }) => name), body.spec.containers[0]?.image, body.metadata.labels],
    [['debugger'], 'i', undefined],
  )
  assert.equal(body.metadata.generation, 2)
  assert.deepEqual(body.metadata.managedFields.at(-1)?.subresource, 'ephemeralcontainers')
  for (const [containers, told] of [
    [[{ ...debug, image: 'other' }], 'existing ephemeral containers "debugger" may not be changed'],
    [[{ $patch: 'replace' }], 'existing ephemeral containers "debugger" may not be removed'],
    [[{ name: 'main', image: 'i' }], 'spec.ephemeralContainers[0].name: Duplicate value: "main"'],
    [[{ name: 'x', image: 'i', targetContainerName: 'none' }], 'targetContainerName: Not found: "none"'],
    [[{ name: 'x', image: 'i', ports: [{ containerPort: 80 }] }], 'ports: Forbidden: cannot be set for an Ephemeral Container'],
  ] as const) {
    const refused = await change(server, 'ephemeralcontainers', { ephemeralContainers: containers })
    assert.equal(refused.status, 422)
    assert.ok(refused.body.message.includes(told), refused.body.message)
  }
})

for (const [resources, told] of [
  [{ requests: { cpu: '1500m' }, limits: { cpu: '3' } }, undefined],
  [{ requests: { cpu: '3' } }, 'must be less than or equal to cpu limit of 2'],
  [{ requests: { memory: null } }, 'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed'],
  [{ limits: { 'ephemeral-storage': '1Gi' } }, 'spec: Forbidden: only cpu and memory resources are mutable'],
  [
    { requests: { cpu: '2' }, limits: { memory: '64Mi' } },
    'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  ],
] as const)
  test(`a resize to ${JSON.stringify(resources)} is ${told === undefined ? 'taken, and nothing else of the request' : `refused: ${told}`}`, async () => {
    const server = await world()
    const { status, body } = await change(server, 'resize', { containers: [{ name: 'main', image: 'other', resources }] })
    assert.equal(status, told === undefined ? 200 : 422)
    if (told !== undefined) assert.ok(body.message.includes(told), body.message)
    else
      assert.deepEqual(
        [body.spec.containers[0]?.resources, body.spec.containers[0]?.image, body.metadata.labels],
        [{ requests: { cpu: '1500m', memory: '64Mi' }, limits: { cpu: '3' } }, 'i', undefined],
      )
  })

test('containers whose names do not fit are told as they were sent', async () => {
  const server = await world()
  const spec = {
    containers: [
      { name: 'main', image: 'i' },
      { name: 'side', image: 'i' },
    ],
  }
  await ask(server, 'POST', pods, { metadata: { name: 'two' }, spec })
  const resize = async (...names: string[]): Promise<number> => {
    const containers = names.map(name => ({ name, image: 'other' }))
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'two' }, spec: { ...spec, containers } }
    return (await ask(server, 'PUT', `${pods}/two/resize?dryRun=All`, pod)).status
  }
  assert.equal(await resize('main', 'side'), 200)
  assert.equal(await resize('main', 'other'), 422)
  assert.equal(await resize('other', 'side'), 422)
})

test('a write of a part tells of what it may not say of the whole, and of all where containers come or go', async () => {
  const server = await world()
  const write = async (part: string, body: object): Promise<string> => {
    const answer = await ask(server, 'PATCH', `${pods}/p/${part}?dryRun=All`, body, strategic)
    return answer.status === 200 ? '' : answer.body.message
  }
  const uid = 'metadata.uid: Invalid value: "x": field is immutable'
  for (const part of ['resize', 'ephemeralcontainers', 'status']) {
    assert.equal(await write(part, { metadata: { uid: 'x' } }), `Pod "p" is invalid: ${uid}`)
    assert.equal(await write(part, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z', generation: 9 } }), '')
  }
  assert.equal(await write('resize', { metadata: { labels: { 'A b': 'c' } }, spec: { hostname: 'A' } }), '')
  const more = await write('resize', { spec: { hostname: 'A', containers: [{ name: 'z', image: 'i' }] } })
  assert.match(more, /spec\.hostname: Invalid value: "A".*spec\.containers: Forbidden: containers may not be added or removed/)
})

test('a pod behind a gate says so from the beginning, and one that a node runs has no account', async () => {
  const server = await world()
  const spec = { containers: [{ name: 'main', image: 'i' }] }
  const held = await ask(server, 'POST', pods, {
    metadata: { name: 'held' },
    spec: { ...spec, schedulingGates: [{ name: 'x/a' }] },
  })
  const { conditions } = held.body.status as unknown as { conditions: readonly Record<string, unknown>[] }
  assert.deepEqual(
    conditions.map(({ lastTransitionTime: _time, ...rest }) => rest),
    [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ],
  )
  const annotations = { 'kubernetes.io/config.mirror': 'x' }
  const { body } = await ask(server, 'POST', pods, { metadata: { name: 'own', annotations }, spec: { ...spec, nodeName: 'n' } })
  assert.equal((body.spec as unknown as Record<string, unknown>).serviceAccountName, undefined)
})

test('an amount that is null is none', async () => {
  const server = await world()
  const [type, value] = ['application/json-patch+json', null]
  const path = '/spec/containers/0/resources/limits/cpu'
  const { body } = await ask(server, 'PATCH', `${pods}/p/resize?dryRun=All`, [{ op: 'add', path, value }], { type })
  const why = 'spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 0'
  assert.equal(body.message, `Pod "p" is invalid: ${why}`)
})

test('a pod has no later containers when it is made, and none through a write of the pod itself', async () => {
  const server = await world()
  const spec = { containers: [{ name: 'main', image: 'i' }], ephemeralContainers: [{ name: 'x', image: 'i' }] }
  const made = await ask(server, 'POST', pods, { metadata: { name: 'q' }, spec })
  assert.equal(made.status, 422)
  assert.ok(made.body.message.includes('spec.ephemeralContainers: Forbidden: cannot be set on create'), made.body.message)
  assert.equal((await ask(server, 'PATCH', `${pods}/p`, { spec: { ephemeralContainers: [debug] } }, strategic)).status, 422)
})

test('the quality of a pod stays when its status is written, and the one address is the first of all', async () => {
  const server = await world()
  const write = async (status: object): Promise<object> => {
    const { body } = await ask(server, 'PATCH', `${pods}/p/status?dryRun=All`, { status }, strategic)
    const { qosClass, podIP, podIPs } = body.status as unknown as Record<string, unknown>
    return { qosClass, podIP, podIPs }
  }
  const [first, other] = [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }]
  const qosClass = 'Burstable'
  assert.deepEqual(await write({ qosClass: null }), { qosClass, podIP: undefined, podIPs: undefined })
  assert.deepEqual(await write({ podIP: '10.0.0.1' }), { qosClass, podIP: '10.0.0.1', podIPs: [first] })
  assert.deepEqual(await write({ podIPs: [first, other] }), { qosClass, podIP: '10.0.0.1', podIPs: [first, other] })
  assert.deepEqual(await write({ podIP: '10.0.0.9', podIPs: [first, other] }), {
    qosClass,
    podIP: '10.0.0.9',
    podIPs: [{ ip: '10.0.0.9' }],
  })
  await server.close()
})
