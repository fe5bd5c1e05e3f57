import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alone, bodyAt, type Given } from './alone.fixture.ts'
import { scheduler } from './scheduler.ts'

interface NodeParts {
  readonly labels?: Record<string, string>
  readonly taints?: readonly object[]
  readonly unschedulable?: boolean
  readonly ready?: string
}

function node(name: string, { labels = {}, ready = 'True', ...spec }: NodeParts = {}): Given {
  return { kind: 'Node', metadata: { name, labels }, spec, status: { conditions: [{ type: 'Ready', status: ready }] } }
}

function pod(spec: object, more: object = {}): Given {
  return { kind: 'Pod', metadata: { name: 'p', uid: 'u' }, spec, ...more }
}

const tainted = (effect: string, rest: object = { key: 'k', value: 'v' }): NodeParts => ({ taints: [{ ...rest, effect }] })
const affinity = (...nodeSelectorTerms: readonly object[]): object => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
})
const term = (key: string, value: string): object => ({ matchExpressions: [{ key, operator: 'In', values: [value] }] })

/** The node that the pod is bound to, or what is said of it. */
async function chosen(spec: object, nodes: readonly Given[]): Promise<unknown> {
  const world = new Alone(scheduler)
  world.put(...nodes, pod(spec))
  const { asked, again } = await world.look('default/p')
  assert.equal(again, undefined)
  const [first] = asked
  if (first?.what === 'POST /api/v1/namespaces/default/pods/p/binding') {
    assert.equal(asked.length, 1)
    const { target, ...rest } = first.body as { target: { kind: string; name: string } }
    assert.deepEqual(rest, { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'p', namespace: 'default' } })
    assert.equal(target.kind, 'Node')
    return target.name
  }
  const { status } = bodyAt(asked, 0) as { status: { conditions: readonly { message: string }[] } }
  return status.conditions.at(-1)?.message
}

const unselected = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."
const untolerated = '0/1 nodes are available: 1 node(s) had untolerated taint {k: v}.'
const rows: readonly (readonly [said: string, spec: object, nodes: readonly Given[], chosen: string])[] = [
  ['a server without nodes', {}, [], 'embedded-node-0'],
  ['two nodes', {}, [node('a'), node('b')], 'a'],
  ['two nodes of which the second is free', {}, [node('a', { unschedulable: true }), node('b')], 'b'],
  ['a node that is cordoned', {}, [node('a', { unschedulable: true })], '0/1 nodes are available: 1 node(s) were unschedulable.'],
  [
    'a node that is cordoned, of a pod that tolerates it',
    { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }] },
    [node('a', { unschedulable: true })],
    'a',
  ],
  ['a taint', {}, [node('a', tainted('NoSchedule'))], untolerated],
  ['a taint that drives away', {}, [node('a', tainted('NoExecute'))], untolerated],
  ['a taint that only prefers', {}, [node('a', tainted('PreferNoSchedule'))], 'a'],
  [
    'a taint without a value',
    {},
    [node('a', tainted('NoSchedule', { key: 'k' }))],
    '0/1 nodes are available: 1 node(s) had untolerated taint {k: }.',
  ],
  [
    'the first taint of a node that is ready',
    {},
    [node('a', tainted('NoSchedule', { key: 'node.kubernetes.io/not-ready' }))],
    'a',
  ],
  [
    'the first taint of a node that is not',
    {},
    [node('a', { ...tainted('NoSchedule', { key: 'node.kubernetes.io/not-ready' }), ready: 'False' })],
    '0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.',
  ],
  [
    'three nodes, of whom two refuse alike',
    {},
    [node('a', { unschedulable: true }), node('b', tainted('NoSchedule')), node('c', { unschedulable: true })],
    '0/3 nodes are available: 1 node(s) had untolerated taint {k: v}, 2 node(s) were unschedulable.',
  ],
  ['a selector of the second', { nodeSelector: { disk: 'fast' } }, [node('a'), node('b', { labels: { disk: 'fast' } })], 'b'],
  ['a selector of none', { nodeSelector: { disk: 'fast' } }, [node('a', { labels: { disk: 'slow' } })], unselected],
  [
    'an affinity of two terms',
    affinity(term('disk', 'slow'), term('disk', 'fast')),
    [node('a', { labels: { disk: 'fast' } })],
    'a',
  ],
  ['an affinity of another', affinity(term('disk', 'slow')), [node('a', { labels: { disk: 'fast' } })], unselected],
  ['an affinity without terms', affinity(), [node('a')], unselected],
  ['an affinity with an empty term', affinity({}), [node('a')], unselected],
  [
    'an affinity that fits beside a selector that does not',
    { ...affinity(term('disk', 'fast')), nodeSelector: { zone: 'a' } },
    [node('a', { labels: { disk: 'fast' } })],
    unselected,
  ],
]

for (const [said, spec, nodes, wanted] of rows)
  test(`of ${said}, a pod gets ${wanted}`, async () => {
    assert.equal(await chosen(spec, nodes), wanted)
  })

const tolerations: readonly (readonly [toleration: object, isEnough: boolean])[] = [
  [{ key: 'k', value: 'v' }, true],
  [{ key: 'k', operator: 'Equal', value: 'w' }, false],
  [{ key: 'k' }, false],
  [{ key: 'k', operator: 'Exists' }, true],
  [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }, true],
  [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
  [{ key: 'other', operator: 'Exists' }, false],
  [{ key: 'other', value: 'v' }, false],
  [{ operator: 'Exists' }, true],
  [{ operator: 'Equal', value: 'v' }, false],
]

for (const [toleration, isEnough] of tolerations)
  test(`${JSON.stringify(toleration)} ${isEnough ? 'tolerates' : 'does not tolerate'} a taint of k and v`, async () => {
    assert.equal(await chosen({ tolerations: [toleration] }, [node('a', tainted('NoSchedule'))]), isEnough ? 'a' : untolerated)
  })

test('one of two tolerations is enough, and a taint without a value needs none', async () => {
  const nodes = [node('a', tainted('NoSchedule', { key: 'k' }))]
  assert.equal(await chosen({ tolerations: [{ key: 'x', operator: 'Exists' }, { key: 'k' }] }, nodes), 'a')
})

const deletionTimestamp = '2026-01-01T00:00:00Z'
for (const [said, left] of [
  ['is bound', pod({ nodeName: 'b' })],
  ['is held by a gate', pod({ schedulingGates: [{ name: 'a.b/c' }] })],
  ['is going', { ...pod({}), metadata: { name: 'p', deletionTimestamp } }],
] as const)
  test(`a pod that ${said} is left alone`, async () => {
    const world = new Alone(scheduler)
    world.put(node('a'), left)
    assert.deepEqual(await world.requests('default/p'), [])
    assert.deepEqual(world.put(node('b')), [], 'and no node brings it back')
  })

test('a pod that is not there is no work', async () => {
  assert.deepEqual(await new Alone(scheduler).requests('default/p'), [])
})

test('a pod is looked at when it changes, and every waiting one when a node does', () => {
  const world = new Alone(scheduler)
  assert.deepEqual(world.put(pod({})), ['default/p'])
  assert.deepEqual(world.put({ ...pod({}), metadata: { name: 'q', namespace: 'x' } }), ['x/q'])
  assert.deepEqual(world.put(node('a')), ['default/p', 'x/q'])
  assert.deepEqual(
    world.change('pods', 'default/p', object => void (object.spec = { nodeName: 'a' })),
    ['default/p'],
  )
  assert.deepEqual(world.remove('nodes', 'a'), ['x/q'])
  assert.deepEqual(world.remove('pods', 'x/q'), [])
  assert.deepEqual(world.put({ kind: 'ConfigMap', metadata: { name: 'c' } }), [])
})

const message = '0/1 nodes are available: 1 node(s) were unschedulable.'
const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
const ready = { type: 'Ready', status: 'False' }

test('of a pod that fits nowhere the status says why, beside what stands there, and an event', async () => {
  const world = new Alone(scheduler)
  const before = { status: { conditions: [ready, { ...unscheduled, message: 'another' }] } }
  world.put(node('a', { unschedulable: true }), pod({}, before))
  const now = '2026-01-01T00:00:00Z'
  assert.deepEqual((await world.look('default/p')).asked, [
    {
      what: 'PATCH /api/v1/namespaces/default/pods/p/status',
      body: { status: { conditions: [ready, { ...unscheduled, lastProbeTime: null, lastTransitionTime: now }] } },
    },
    {
      what: 'POST /api/v1/namespaces/default/events',
      body: {
        kind: 'Event',
        apiVersion: 'v1',
        metadata: { generateName: 'p.', namespace: 'default' },
        involvedObject: { kind: 'Pod', apiVersion: 'v1', name: 'p', namespace: 'default', uid: 'u' },
        source: { component: 'default-scheduler' },
        type: 'Warning',
        reason: 'FailedScheduling',
        message,
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      },
    },
  ])
})

for (const [said, condition, times] of [
  ['has been said', unscheduled, 0],
  ['stands in another condition', { ...unscheduled, type: 'Other' }, 2],
] as const)
  test(`what ${said} is ${times === 0 ? 'not said again' : 'said'}`, async () => {
    const world = new Alone(scheduler)
    world.put(node('a', { unschedulable: true }), pod({}, { status: { conditions: [ready, condition] } }))
    assert.equal((await world.requests('default/p')).length, times)
  })
