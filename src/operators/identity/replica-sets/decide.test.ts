// What is done and said about a set: its mistakes, placements that are not there, what begins, what is taken away, and when to look again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { type Action, awaitChange, type Plan } from '#runtime'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind, type ServiceAccountRole } from '../api/kinds.ts'
import { setNamespace, templateOf } from '../testing/set-world.ts'
import { buildChild, wantedChild } from './child.ts'
import { decideReplicaSet } from './decide.ts'
import type { ReplicaSetSeen } from './seen.ts'

const now = Date.parse('2026-01-02T00:00:00Z')
const finalizers = ['aws.identity.appthrust.io/service-account-role-replicaset-finalizer']

interface Given {
  readonly spec?: object
  readonly metadata?: object
  readonly status?: object
  readonly strategy?: object
  readonly clusters?: readonly string[]
  readonly unresolved?: string
  readonly roles?: Readonly<Record<string, 'True' | 'False'>>
  /** When the Roles said so, before now. */
  readonly agoMs?: number
  readonly strays?: readonly string[]
  readonly foreign?: readonly string[]
}

function setWith({ spec, metadata, status, strategy }: Given): ReplicaSet {
  const placementRefs = [{ name: 'p', ...(strategy && { rolloutStrategy: strategy }) }]
  const held = { namespace: setNamespace, name: 'app', uid: 'u', resourceVersion: '1', generation: 1, finalizers, ...metadata }
  const set = replicaSetKind.make(held, { placementRefs, template: templateOf('app'), ...spec } as never)
  return { ...set, ...(status && { status }) } as ReplicaSet
}

function roleIn(set: ReplicaSet, cluster: string, status: 'True' | 'False', agoMs: number): ServiceAccountRole {
  const built = buildChild(set, cluster, wantedChild(set, templateOf('app'))) as StoredObject & Pick<ServiceAccountRole, 'spec'>
  const time = new Date(now - agoMs).toISOString()
  const ready = { type: 'Ready', status, reason: 'x', message: '', observedGeneration: 1, lastTransitionTime: time }
  const metadata = { ...built.metadata, uid: cluster, generation: 1, creationTimestamp: time }
  return { ...built, metadata, status: { conditions: [ready] } } as unknown as ServiceAccountRole
}

function decide(given: Given): Plan {
  const { clusters = [], unresolved, roles = {}, agoMs = 0, strays = [], foreign = [] } = given
  const claim = setWith(given)
  const groups = clusters.length === 0 ? [] : [{ name: '', index: 0, clusters }]
  const done = { ok: true as const, groups, decisionGroupCount: 1, selectedClusterCount: clusters.length }
  const resolution = unresolved === undefined ? done : { ok: false as const, message: unresolved }
  const seen: ReplicaSetSeen = {
    claim,
    placements: [{ ref: claim.spec.placementRefs?.[0] ?? { name: 'p' }, resolution }],
    children: new Map(Object.entries(roles).map(([cluster, status]) => [cluster, roleIn(claim, cluster, status, agoMs)])),
    foreign: new Set(foreign),
    namespaces: new Map(clusters.map(name => [name, 'there' as const])),
    strays: strays.map(cluster => roleIn(claim, cluster, 'True', agoMs)),
    kept: 0,
    remaining: [],
  }
  return decideReplicaSet(seen, now, { rules: 'safe' })
}

function writesOf(actions: readonly Action[]): string {
  const name = (action: Action): string => {
    if (action.kind === 'together') return action.branches.map(branch => branch.map(name).join('; ')).join(', ')
    return 'object' in action && action.kind !== 'add-finalizer' && action.kind !== 'remove-finalizer'
      ? `${action.kind} ${action.object.metadata.namespace ?? ''}`
      : action.kind
  }
  return actions.map(name).join('; ')
}
const saidBy = ({ conditions }: Plan, type: string): string => {
  const found = conditions.find(one => one.type === type)
  return found === undefined ? 'nothing' : `${found.status} ${found.reason}: ${found.message}`
}

const reserved = (field: string): string => `spec.template.metadata.${field} is reserved for the operator; leave it out`
const labelled = (labels: object, annotations: object = {}): object => ({
  spec: { template: { ...templateOf('app'), metadata: { labels, annotations } } },
})
for (const [what, given, message] of [
  [
    'no placements',
    { spec: { placementRefs: [] } },
    'spec.placementRefs is missing; name the placements that choose the clusters',
  ],
  [
    'no ServiceAccount',
    { spec: { template: { spec: {} } } },
    'spec.template.spec.serviceAccount is missing; name whose role it is',
  ],
  [
    'reserved labels',
    labelled({ 'aws.identity.appthrust.io/runtime': 'x', 'app.kubernetes.io/managed-by': 'x', a: '1' }),
    reserved('labels["app.kubernetes.io/managed-by"]'),
  ],
  [
    'a reserved annotation',
    labelled({ a: '1' }, { 'aws.identity.appthrust.io/replicaset-owner-ref': 'x' }),
    reserved('annotations["aws.identity.appthrust.io/replicaset-owner-ref"]'),
  ],
] as readonly (readonly [string, Given, string])[])
  test(`a set with ${what} is told so, and nothing is done [#178]`, () => {
    const { actions, conditions, next, status } = decide({ ...given, clusters: ['a'], strays: ['z'] })
    assert.deepEqual([actions, status, next], [[], undefined, { kind: 'stalled', reason: 'InvalidSpec', message }])
    assert.deepEqual(
      conditions.map(({ type, reason }) => `${type} ${reason}`),
      ['AWSServiceAccountRolesApplied InvalidSpec', 'Ready InvalidSpec'],
    )
  })

test('labels and annotations of people are no mistake', () =>
  assert.equal(writesOf(decide({ ...labelled({ a: '1' }, { b: '2' }), clusters: ['a'] }).actions), 'create a'))

test('while a placement cannot be resolved nothing is taken away, and it is looked at again in half a minute', () => {
  const plan = decide({ unresolved: 'Placement p does not exist', strays: ['z'] })
  assert.deepEqual(plan.actions, [])
  assert.equal(saidBy(plan, 'PlacementResolved'), 'False PlacementUnavailable: Placement p does not exist')
  assert.deepEqual(Object.keys(plan.status ?? {}), ['placements'])
  assert.ok(plan.next.kind === 'look-again' && plan.next.afterMs === 30_000)
})

test('a set that goes is decided as one that ends', () => {
  const plan = decide({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, clusters: ['a'] })
  assert.equal(writesOf(plan.actions), 'remove-finalizer; record-event')
})

test('a set that is not there has no plan', () => {
  const plan = decideReplicaSet(undefined, now, { rules: 'safe' })
  assert.deepEqual([plan.actions, plan.conditions], [[], []])
})

const paused = { annotations: { 'aws.identity.appthrust.io/rollout-paused': 'true' } }
const oneAtATime = { type: 'Progressive', progressive: { maxConcurrency: 1 } }
const rows: readonly (readonly [what: string, given: Given, writes: string, ready: string])[] = [
  ['selects nothing', {}, '', 'True Ready: 0 of 0 clusters are ready'],
  [
    'was not held yet',
    { metadata: { finalizers: [] }, clusters: ['a'] },
    'add-finalizer; record-event; create a',
    'False ChildrenPending: 0 of 1 clusters are ready',
  ],
  ['selects two clusters', { clusters: ['a', 'b'] }, 'create a, create b', 'False ChildrenPending: 0 of 2 clusters are ready'],
  [
    'goes one cluster at a time',
    { clusters: ['a', 'b'], strategy: oneAtATime },
    'create a',
    'False ChildrenPending: 0 of 1 clusters are ready',
  ],
  [
    'has its first cluster',
    { clusters: ['a', 'b'], strategy: oneAtATime, roles: { a: 'True' } },
    'create b',
    'False ChildrenPending: 1 of 2 clusters are ready',
  ],
  [
    'waits for its first cluster',
    { clusters: ['a', 'b'], strategy: oneAtATime, roles: { a: 'False' } },
    '',
    'False ChildrenPending: 0 of 1 clusters are ready',
  ],
  ['has all', { clusters: ['a', 'b'], roles: { a: 'True', b: 'True' } }, '', 'True Ready: 2 of 2 clusters are ready'],
  [
    'has one too many',
    { clusters: ['a'], roles: { a: 'True' }, strays: ['z'] },
    'delete z',
    'False ChildrenPending: 1 of 1 clusters are ready',
  ],
  [
    'has one too many and is paused',
    { clusters: ['a'], roles: { a: 'True' }, strays: ['z'], metadata: paused },
    '',
    'False ChildrenPending: 1 of 1 clusters are ready',
  ],
  ['is paused', { clusters: ['a'], metadata: paused }, '', 'True Ready: 0 of 0 clusters are ready'],
  [
    'finds its name taken',
    { clusters: ['a', 'b'], foreign: ['a'] },
    'create b',
    'False ChildConflict: in 1 clusters a Role of this name is not of this set',
  ],
]
for (const [what, given, writes, ready] of rows)
  test(`a set that ${what} ${writes === '' ? 'writes nothing' : `writes: ${writes}`} [4.4]`, () => {
    const plan = decide(given)
    assert.deepEqual([writesOf(plan.actions), saidBy(plan, 'Ready')], [writes, ready])
  })

test('the status counts what is selected, wanted and there', () => {
  const counted = (given: Given): readonly unknown[] => {
    const { selectedClusterCount, desiredClusterCount, appliedClusterCount, readyClusterCount, rollout } = decide(given)
      .status as NonNullable<ReplicaSet['status']>
    return [selectedClusterCount, desiredClusterCount, appliedClusterCount, readyClusterCount, rollout?.total]
  }
  assert.deepEqual(counted({}), [undefined, undefined, undefined, undefined, 0])
  assert.deepEqual(
    counted({ clusters: ['a', 'b', 'c'], strategy: oneAtATime, roles: { a: 'True', b: 'False' } }),
    [3, 2, 2, 1, 3],
  )
})

test('the template is remembered once it is rolled out to the end, and until then the one before', () => {
  const before = { spec: { serviceAccount: { namespace: 'apps', name: 'old' } } }
  const remembered = (roles: Given['roles']): unknown =>
    decide({ clusters: ['a'], roles: roles ?? {}, status: { completedTemplate: before } }).status?.['completedTemplate']
  assert.deepEqual(remembered({ a: 'True' }), templateOf('app'))
  assert.deepEqual(remembered({ a: 'False' }), before)
})

test('a request for another try is remembered when it is taken up', () => {
  const retried = (value?: string): unknown => {
    const annotations = value === undefined ? {} : { 'aws.identity.appthrust.io/rollout-retry': value }
    return decide({ clusters: ['a'], metadata: { annotations } }).status?.['retry']
  }
  assert.deepEqual([retried('one'), retried()], [{ request: 'one', since: '2026-01-02T00:00:00Z' }, undefined])
})

const soaking = (minSuccessTime: string): object => ({ type: 'Progressive', progressive: { maxConcurrency: 1, minSuccessTime } })
for (const [what, strategy, afterMs] of [
  ['of ten minutes', soaking('10m'), 540_000],
  ['of a day, in steps of an hour', soaking('24h'), 3_600_000],
] as const)
  test(`a soak time ${what} is waited for`, () => {
    const { next, actions } = decide({ clusters: ['a', 'b'], strategy, roles: { a: 'True' }, agoMs: 60_000 })
    assert.deepEqual([actions, next.kind === 'look-again' && next.afterMs], [[], afterMs])
  })

test('where nothing ends by time, a change is awaited', () =>
  assert.deepEqual(decide({ clusters: ['a'], roles: { a: 'True' } }).next, awaitChange))
