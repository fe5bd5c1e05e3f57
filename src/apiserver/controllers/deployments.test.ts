import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../ask.fixture.ts'
import { Alone, bodyAt, type Given } from './alone.fixture.ts'
import { deployments } from './deployments.ts'
import { hashName } from './look.ts'

const now = '2026-01-01T00:00:00Z'
const earlier = '2025-12-31T00:00:00Z'
const revisionKey = 'deployment.kubernetes.io/revision'
const template = {
  metadata: { labels: { app: 'web' }, annotations: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'a:1' }] },
}
const hash = hashName(template)
const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u', controller: true, blockOwnerDeletion: true }

function deployment(spec: object = {}, more: object = {}, metadata: object = {}): Given {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', uid: 'u', generation: 3, ...metadata },
    spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec },
    ...more,
  }
}

interface SetParts {
  /** Wanted; absent where the set does not say. */
  readonly replicas?: number
  /** Pods there are, and those of them that serve; default as many as are wanted. */
  readonly pods?: number
  readonly available?: number
  readonly revision?: string
  readonly ownerReferences?: readonly object[]
}

function set(name: string, parts: SetParts = {}): Given {
  const { replicas, pods = replicas, available = pods, revision, ownerReferences = [owner] } = parts
  const metadata = {
    name,
    labels: { 'pod-template-hash': name === 'current' ? hash : name },
    ...(revision !== undefined && { annotations: { [revisionKey]: revision } }),
    ownerReferences: ownerReferences as NonNullable<Given['metadata']['ownerReferences']>,
  }
  const status = { replicas: pods, readyReplicas: available, availableReplicas: available }
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { ...(replicas !== undefined && { replicas }) }, status }
}

function holding(...objects: readonly Given[]): Alone {
  const world = new Alone(deployments)
  world.put(...objects)
  return world
}

const sets = '/apis/apps/v1/namespaces/default/replicasets'
const status = 'PUT /apis/apps/v1/namespaces/default/deployments/web/status'

/** How many replicas each set is scaled to, by its name. */
async function scales(...objects: readonly Given[]): Promise<object> {
  const { asked, again } = await holding(...objects).look('default/web')
  assert.equal(again, undefined)
  const scaled = asked.filter(({ what }) => what.startsWith(`PATCH ${sets}/`))
  return Object.fromEntries(
    scaled.map(({ what, body }) => [what.split('/').at(-1), (body.spec as { replicas: number }).replicas]),
  )
}

test('the first set of a deployment has all pods at once', async () => {
  const { asked, again } = await holding(deployment({ replicas: 5 })).look('default/web')
  assert.equal(again, undefined)
  const labels = { app: 'web', 'pod-template-hash': hash }
  assert.deepEqual(asked, [
    {
      what: `POST ${sets}`,
      body: {
        kind: 'ReplicaSet',
        apiVersion: 'apps/v1',
        metadata: {
          name: `web-${hash}`,
          namespace: 'default',
          labels,
          annotations: {
            [revisionKey]: '1',
            'deployment.kubernetes.io/desired-replicas': '5',
            'deployment.kubernetes.io/max-replicas': '7',
          },
          ownerReferences: [owner],
        },
        spec: {
          replicas: 5,
          selector: { matchLabels: labels },
          template: { ...template, metadata: { ...template.metadata, labels } },
        },
      },
    },
  ])
})

const recreate = { strategy: { type: 'Recreate' } }
const rolling = (maxSurge: number | string, maxUnavailable: number | string): object => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
})
for (const [said, objects, replicas, revision, max] of [
  ['that says no number', [deployment()], 1, '1', '2'],
  ['that recreates', [deployment({ replicas: 4, ...recreate })], 4, '1', '4'],
  ['with a surge of two', [deployment({ replicas: 4, ...rolling(2, 0) })], 4, '1', '6'],
  ['with a surge of a third', [deployment({ replicas: 4, ...rolling('33%', 0) })], 4, '1', '6'],
  ['with an older set', [deployment({ replicas: 4 }), set('old', { replicas: 4, revision: '7' })], 0, '8', '5'],
  ['with an older set of no revision', [deployment({ replicas: 4 }), set('old', { replicas: 4 })], 0, '1', '5'],
  [
    'with two older sets',
    [deployment({ replicas: 4 }), set('a', { replicas: 1, revision: '10' }), set('b', { replicas: 3, revision: '9' })],
    0,
    '11',
    '5',
  ],
  [
    'beside a set of another',
    [deployment({ replicas: 4 }), set('a', { ownerReferences: [{ ...owner, uid: 'v' }] })],
    4,
    '1',
    '5',
  ],
  ['beside a set of nobody', [deployment({ replicas: 4 }), set('a', { ownerReferences: [] })], 4, '1', '5'],
] as const)
  test(`a deployment ${said} begins a set of ${replicas} and revision ${revision}`, async () => {
    const { asked } = await holding(...objects).look('default/web')
    assert.equal(asked.length, 1)
    const { metadata, spec } = bodyAt(asked, 0) as { metadata: { annotations: Fields }; spec: Fields }
    assert.equal(spec.replicas, replicas)
    assert.equal(metadata.annotations[revisionKey], revision)
    assert.equal(metadata.annotations['deployment.kubernetes.io/max-replicas'], max)
  })

const rows: readonly (readonly [said: string, spec: object, sets: readonly Given[], scaled: object])[] = [
  ['one that is done', { replicas: 4 }, [set('current', { replicas: 4 })], {}],
  ['one that grew', { replicas: 4 }, [set('current', { replicas: 2 })], { current: 4 }],
  ['one that shrank', { replicas: 1 }, [set('current', { replicas: 4 })], { current: 1 }],
  ['one that says no number', {}, [set('current', { replicas: 3 })], { current: 1 }],
  ['a set that says no number', { replicas: 1 }, [set('current')], {}],
  ['one that is paused', { replicas: 4, paused: true }, [set('current', { replicas: 2 }), set('old', { replicas: 2 })], {}],
  ['one that is not paused', { replicas: 4, paused: false }, [set('current', { replicas: 2 })], { current: 4 }],
  [
    'a rollout that begins',
    { replicas: 4 },
    [set('current', { replicas: 0 }), set('old', { replicas: 4 })],
    { current: 1, old: 3 },
  ],
  [
    'a rollout of which one pod serves',
    { replicas: 4 },
    [set('current', { replicas: 2 }), set('old', { replicas: 3 })],
    { old: 1 },
  ],
  [
    'a rollout that waits for a new pod',
    { replicas: 4 },
    [set('current', { replicas: 2, available: 0 }), set('old', { replicas: 3 })],
    {},
  ],
  ['a rollout that ends', { replicas: 4 }, [set('current', { replicas: 4 }), set('old', { replicas: 1 })], { old: 0 }],
  [
    'a rollout over two old sets, the first of which goes first',
    { replicas: 4 },
    [set('current', { replicas: 3 }), set('a', { replicas: 1 }), set('b', { replicas: 1 })],
    { a: 0, b: 0 },
  ],
  [
    'a rollout that may lose one of two old sets',
    { replicas: 4 },
    [set('current', { replicas: 2 }), set('a', { replicas: 1 }), set('b', { replicas: 1 })],
    { current: 3, a: 0 },
  ],
  [
    'an old set that is empty, before one that is not',
    { replicas: 4 },
    [set('current', { replicas: 3 }), set('a', { replicas: 0 }), set('b', { replicas: 1 })],
    { current: 4, b: 0 },
  ],
  [
    'one that may lose none and surge by none: it loses one all the same',
    { replicas: 2, ...rolling(0, 0) },
    [set('current', { replicas: 0 }), set('old', { replicas: 2 })],
    { old: 1 },
  ],
  [
    'one that surges by one and may lose none',
    { replicas: 2, ...rolling(1, 0) },
    [set('current', { replicas: 0 }), set('old', { replicas: 2 })],
    { current: 1 },
  ],
  [
    'one that may lose half',
    { replicas: 4, ...rolling(0, '50%') },
    [set('current', { replicas: 0 }), set('old', { replicas: 4 })],
    { old: 2 },
  ],
  [
    'one whose share of pods to lose is rounded down',
    { replicas: 3, ...rolling(1, '60%') },
    [set('current', { replicas: 0 }), set('old', { replicas: 3 })],
    { current: 1, old: 2 },
  ],
  [
    'one that has more old pods than it wants',
    { replicas: 1, ...rolling(0, 1) },
    [set('current', { replicas: 0 }), set('old', { replicas: 5 })],
    { old: 0 },
  ],
  [
    'one that recreates and has old pods',
    { replicas: 4, ...recreate },
    [set('current', { replicas: 0 }), set('old', { replicas: 4 })],
    { old: 0 },
  ],
  [
    'one that recreates and whose old pods are going',
    { replicas: 4, ...recreate },
    [set('current', { replicas: 0 }), set('old', { replicas: 0, pods: 1 })],
    {},
  ],
  [
    'one that says no number and may lose all',
    rolling(1, '100%'),
    [set('current', { replicas: 0 }), set('old', { replicas: 1 })],
    { current: 1, old: 0 },
  ],
  [
    'one that has room for three new pods beside the last old one',
    { replicas: 4, ...rolling(0, 1) },
    [set('current', { replicas: 2 }), set('old', { replicas: 1 })],
    { current: 3 },
  ],
  [
    'a rollout whose new set has said nothing yet',
    { replicas: 1 },
    [{ ...set('current', { replicas: 1 }), status: {} }, set('old', { replicas: 1 })],
    {},
  ],
  [
    'one that recreates and whose old set says nothing',
    { replicas: 4, ...recreate },
    [set('current', { replicas: 0 }), { ...set('old', { replicas: 0 }), status: {} }],
    { current: 4 },
  ],
  [
    'one that recreates and whose old pods are gone',
    { replicas: 4, ...recreate },
    [set('current', { replicas: 0 }), set('old', { replicas: 0 })],
    { current: 4 },
  ],
]
for (const [said, spec, present, scaled] of rows)
  test(`of ${said}, sets are scaled to ${JSON.stringify(scaled)}`, async () => {
    assert.deepEqual(await scales(deployment(spec), ...present), scaled)
  })

test('of the sets that are empty only so many are kept, the newest', async () => {
  const deletes = async (spec: object, ...old: readonly Given[]): Promise<readonly string[]> => {
    const requests = await holding(deployment(spec), set('current', { replicas: 1 }), ...old).requests('default/web')
    return requests.filter(what => what.startsWith('DELETE')).map(what => what.split('/').at(-1) ?? '')
  }
  const empty = (name: string, revision?: string): Given =>
    set(name, { replicas: 0, ...(revision !== undefined && { revision }) })
  const three = [empty('a', '9'), empty('b', '10'), empty('c')]
  assert.deepEqual(await deletes({ revisionHistoryLimit: 1 }, ...three), ['c', 'a'])
  assert.deepEqual(await deletes({ revisionHistoryLimit: 1 }, empty('d', '1'), empty('c')), ['c'])
  assert.deepEqual(await deletes({ revisionHistoryLimit: 3 }, ...three), [])
  assert.deepEqual(await deletes({ revisionHistoryLimit: 5 }, ...three), [])
  assert.deepEqual(await deletes({ revisionHistoryLimit: 0 }, set('d', { replicas: 0, pods: 1 })), [])
  assert.deepEqual(await deletes({ revisionHistoryLimit: 0, paused: true }, set('d', { replicas: 1, pods: 0 })), [])
  assert.deepEqual(await deletes({ revisionHistoryLimit: 0 }, { ...empty('e'), status: {} }), ['e'])
  const eleven = Array.from({ length: 11 }, (_, index) => empty(`s${index}`, String(index + 1)))
  assert.deepEqual(await deletes({}, ...eleven), ['s0'])
})

test('the revision of the set is written to the deployment, through its status', async () => {
  const patches = async (annotations: object): Promise<readonly object[]> => {
    const world = holding(deployment({}, {}, { annotations }), set('current', { replicas: 1, revision: '2' }))
    return (await world.look('default/web')).asked.filter(({ what }) => what.startsWith('PATCH'))
  }
  const what = 'PATCH /apis/apps/v1/namespaces/default/deployments/web/status'
  assert.deepEqual(await patches({}), [{ what, body: { metadata: { annotations: { [revisionKey]: '2' } } } }])
  assert.deepEqual(await patches({ [revisionKey]: '1' }), [{ what, body: { metadata: { annotations: { [revisionKey]: '2' } } } }])
  assert.deepEqual(await patches({ [revisionKey]: '2' }), [])
})

const condition = (type: string, state: string, reason: string, message: string, since = now, updated = now): object => ({
  type,
  status: state,
  reason,
  message,
  lastUpdateTime: updated,
  lastTransitionTime: since,
})
const available = (since?: string, updated?: string): object =>
  condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', since, updated)
const unavailable = condition(
  'Available',
  'False',
  'MinimumReplicasUnavailable',
  'Deployment does not have minimum availability.',
)
const done = (since?: string, updated?: string): object =>
  condition('Progressing', 'True', 'NewReplicaSetAvailable', 'ReplicaSet "current" has successfully progressed.', since, updated)
const progressing = (since?: string, updated?: string): object =>
  condition('Progressing', 'True', 'ReplicaSetUpdated', 'ReplicaSet "current" is progressing.', since, updated)

async function statusOf(...objects: readonly Given[]): Promise<unknown> {
  return (await holding(...objects).look('default/web')).asked.find(({ what }) => what === status)?.body.status
}

for (const [said, spec, present, wanted] of [
  [
    'done',
    { replicas: 4 },
    [set('current', { replicas: 4 })],
    { replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4, conditions: [available(), done()] },
  ],
  ['of none', { replicas: 0 }, [set('current', { replicas: 0 })], { conditions: [available(), done()] }],
  [
    'short of one pod that serves',
    { replicas: 4 },
    [set('current', { replicas: 4, available: 3 })],
    {
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 1,
      conditions: [available(), progressing()],
    },
  ],
  [
    'short of two pods that serve',
    { replicas: 4 },
    [set('current', { replicas: 4, available: 2 })],
    {
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 2,
      conditions: [unavailable, progressing()],
    },
  ],
  [
    'short of pods',
    { replicas: 4 },
    [set('current', { replicas: 4, pods: 3 })],
    {
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 1,
      conditions: [available(), progressing()],
    },
  ],
  [
    'on its way from an old set',
    { replicas: 2 },
    [set('current', { replicas: 2 }), set('old', { replicas: 1 })],
    {
      replicas: 3,
      updatedReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 3,
      conditions: [available(), progressing()],
    },
  ],
  [
    'whose new set serves and whose old one does not',
    { replicas: 2 },
    [set('current', { replicas: 2 }), set('old', { replicas: 1, available: 0 })],
    {
      replicas: 3,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
      conditions: [available(), progressing()],
    },
  ],
  [
    'whose set has said nothing yet',
    { replicas: 1 },
    [{ ...set('current', { replicas: 1 }), status: {} }],
    { unavailableReplicas: 1, conditions: [unavailable, progressing()] },
  ],
  [
    'that says no number and has no pod',
    {},
    [set('current', { replicas: 1, pods: 0 })],
    { unavailableReplicas: 1, conditions: [unavailable, progressing()] },
  ],
] as const)
  test(`the status of a deployment ${said} says so`, async () => {
    assert.deepEqual(await statusOf(deployment(spec), ...present), { observedGeneration: 3, ...wanted })
  })

test('a status that says so already is not written, whenever it was; what changes of it has its time', async () => {
  const current = set('current', { replicas: 2, available: 1 })
  const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 }
  const before = {
    observedGeneration: 3,
    ...counts,
    unavailableReplicas: 1,
    conditions: [unavailable, progressing(earlier, earlier)],
  }
  assert.equal(await statusOf(deployment({ replicas: 2 }, { status: before }), current), undefined)
  const conditions = [available(earlier, earlier), done(earlier, earlier)]
  const after = (await statusOf(deployment({ replicas: 2 }, { status: { ...before, conditions } }), current)) as Fields
  assert.deepEqual(after.conditions, [unavailable, progressing(earlier, now)])
  const served = set('current', { replicas: 2 })
  const changed = (await statusOf(deployment({ replicas: 2 }, { status: { conditions } }), served)) as Fields
  assert.deepEqual(changed.conditions, conditions)
  const reworded = [
    { ...available(earlier, earlier), message: 'other' },
    { ...done(earlier, earlier), reason: 'Other' },
  ]
  const said = (await statusOf(deployment({ replicas: 2 }, { status: { conditions: reworded } }), served)) as Fields
  assert.deepEqual(said.conditions, [available(earlier, now), done(earlier, now)])
  assert.notEqual(await statusOf(deployment({ replicas: 2 }, { status: { conditions: null } }), served), undefined)
})

test('a deployment that is going or gone is left alone, and one that goes meanwhile gets no status', async () => {
  const metadata = { deletionTimestamp: now }
  assert.deepEqual(await holding(deployment({}, {}, metadata)).look('default/web'), { asked: [], again: undefined })
  assert.deepEqual(await holding().look('default/web'), { asked: [], again: undefined })
  const world: Alone = new Alone(deployments, {
    answer: () => {
      world.remove('deployments.apps', 'default/web')
      return undefined
    },
  })
  world.put(deployment(), set('current', { replicas: 3 }))
  assert.deepEqual(await world.requests('default/web'), [`PATCH ${sets}/current`])
})

test('the name of a template is short, the same for the same, and of letters that make no words', () => {
  assert.match(hash, /^[bcdfghjklmnpqrstvwxz2456789]{9}$/)
  assert.equal(hashName(structuredClone(template)), hash)
  assert.notEqual(hashName({ ...template, spec: {} }), hash)
})

test('a deployment is looked at when it changes, and when a set of it does', () => {
  const world = new Alone(deployments)
  assert.deepEqual(world.put(deployment()), ['default/web'])
  assert.deepEqual(world.put(set('a')), ['default/web'])
  assert.deepEqual(world.put(set('b', { ownerReferences: [] })), [])
  assert.deepEqual(world.put(set('c', { ownerReferences: [{ ...owner, kind: 'Rollout' }] })), [])
  assert.deepEqual(world.put({ kind: 'Pod', metadata: { name: 'p', ownerReferences: [owner] } }), [])
  assert.deepEqual(world.remove('replicasets.apps', 'default/a'), ['default/web'])
  assert.deepEqual(world.remove('deployments.apps', 'default/web'), [])
})
