// What is foreseen of a set is what its controller then does, and nothing is written to know it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Placement, type PlacementDecision, placementDecisionKind, placementKind } from '#fleet'
import { namespaces } from '#kube'
import { type ReplicaSetSpec, replicaSetKind, roleKind, type ServiceAccountRole } from '../api/kinds.ts'
import { policyArn, type SetWorld, setNamespace, setWorld, templateOf } from '../testing/set-world.ts'
import { type ForeseenRollout, foreseeRollout, type RolloutForesight } from './foresee.ts'

const newPolicy = 'arn:aws:iam::aws:policy/AmazonS3FullAccess'
const oneAtATime = (more: object = {}): ReplicaSetSpec['placementRefs'] => [
  { name: 'p', rolloutStrategy: { type: 'Progressive', progressive: { maxConcurrency: 1, ...more } } },
]
const none: ForeseenRollout = {
  selected: 0,
  creates: [],
  changes: [],
  replaces: [],
  removes: [],
  waiting: 0,
  broken: [],
  remarks: [],
}

interface Written {
  readonly spec?: Partial<ReplicaSetSpec>
  readonly annotations?: Readonly<Record<string, string>>
}

async function foresee(world: SetWorld, { spec = {}, annotations = {} }: Written = {}): Promise<RolloutForesight> {
  const { client, clock } = world
  const whole = { placementRefs: oneAtATime(), template: templateOf('app'), ...spec }
  const { apiVersion, type } = replicaSetKind
  const metadata = { namespace: setNamespace, name: 'app', annotations }
  const manifest = { apiVersion, kind: type.kind, metadata, spec: whole }
  const hub = {
    placements: (await client.list<Placement>(placementKind.type)).items,
    decisions: (await client.list<PlacementDecision>(placementDecisionKind.type)).items,
    roles: (await client.list<ServiceAccountRole>(roleKind.type)).items,
    namespaces: (await client.list(namespaces)).items,
  }
  return foreseeRollout(manifest, await world.findSet('app'), hub, { rules: 'safe', now: clock.now() })
}

const known = (rollout: Partial<ForeseenRollout>): RolloutForesight => ({ kind: 'known', rollout: { ...none, ...rollout } })

test('a new set begins where it was foreseen to begin, and the rest waits', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  assert.deepEqual(await foresee(world), known({ selected: 3, creates: ['a'], waiting: 2 }))
  assert.deepEqual(await world.clustersWith('app'), [], 'nothing is written to know it')
  await world.makeSet('app', { placementRefs: oneAtATime() })
  assert.deepEqual(await world.clustersWith('app'), ['a'])
})

test('a change of the template reaches the cluster that was foreseen, and a set as it stands changes nothing', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', { placementRefs: oneAtATime() })
  await world.converge()
  assert.deepEqual(await foresee(world), known({ selected: 3 }))
  const changed = { spec: { template: templateOf('app', [newPolicy]) } }
  assert.deepEqual(await foresee(world, changed), known({ selected: 3, changes: ['a'], waiting: 2 }))
  await world.changeTemplate('app', [newPolicy])
  assert.deepEqual((await world.child('a'))?.spec.policyARNs, [newPolicy])
  assert.deepEqual((await world.child('b'))?.spec.policyARNs, [policyArn])
})

test('placements that are left take their clusters along, as long as what is chosen is certain', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.choose('q', ['b', 'c'])
  await world.makeSet('app')
  await world.converge()
  const moved = { spec: { placementRefs: [{ name: 'q' }] } }
  assert.deepEqual(await foresee(world, moved), known({ selected: 2, creates: ['c'], removes: ['a'] }))
  const both = { spec: { placementRefs: [{ name: 'q' }, { name: 'r' }] } }
  assert.deepEqual(await foresee(world, both), {
    kind: 'unresolved',
    message: 'Placement r does not exist in this namespace; create it',
  })
})

test('a Placement whose controller has not said anything yet is told, since what it selects may not be all', async () => {
  await using world = await setWorld()
  await world.client.create(placementKind.type, placementKind.make({ namespace: setNamespace, name: 'p' }, {}))
  const remarks = ['Placement p has no status: its controller has not said yet what it chooses']
  assert.deepEqual(await foresee(world), known({ remarks }))
})

test('what is in the way is named by cluster', async () => {
  await using world = await setWorld({ clusters: ['a', 'b'] })
  await world.choose('p', ['a', 'b', 'nowhere'])
  const foreign = roleKind.make({ namespace: 'a', name: 'app' }, templateOf('other').spec)
  await world.client.create(roleKind.type, foreign)
  const seen = await foresee(world, { spec: { placementRefs: [{ name: 'p' }] } })
  assert.ok(seen.kind === 'known')
  const { broken, ...rest } = seen.rollout
  const { broken: _none, ...nothing } = none
  assert.deepEqual(rest, { ...nothing, selected: 3, creates: ['b'] })
  assert.deepEqual(
    broken.map(({ clusterName, reason }) => `${clusterName} ${reason}`),
    ['a ChildConflict', 'nowhere ClusterNamespaceMissing'],
  )
})

const marks = (uid: string): object => ({
  labels: { 'app.kubernetes.io/managed-by': 'aws-workload-identity-operator', 'aws.identity.appthrust.io/replicaset-uid': uid },
  annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': 'platform/app' },
})

/** Of lists alone: cluster a has the Role of another ServiceAccount, b is left, and of the rest each says how it fares. */
function foreseeLists(clusters: readonly string[], roles: readonly object[], strategy?: object): RolloutForesight {
  const metadata = { namespace: setNamespace, name: 'app', uid: 'u', resourceVersion: '1', generation: 1 }
  const spec = { placementRefs: [{ name: 'p', ...(strategy && { rolloutStrategy: strategy }) }], template: templateOf('app') }
  const live = { apiVersion: replicaSetKind.apiVersion, kind: replicaSetKind.type.kind, metadata, spec }
  const labels = {
    'cluster.open-cluster-management.io/placement': 'p',
    'cluster.open-cluster-management.io/decision-group-index': '0',
  }
  const owner = { kind: 'Placement', name: 'p', uid: 'p-uid', controller: true }
  const hub = {
    placements: [
      { metadata: { namespace: setNamespace, name: 'p', uid: 'p-uid' }, status: { numberOfSelectedClusters: clusters.length } },
    ],
    decisions: [
      {
        metadata: { namespace: setNamespace, name: 'd', labels, ownerReferences: [owner] },
        status: { decisions: clusters.map(clusterName => ({ clusterName, reason: '' })) },
      },
    ],
    roles: roles.map(role => ({ ...role, spec: templateOf('app').spec, ...role })),
    namespaces: clusters.map(name => ({ metadata: { name } })),
  }
  return foreseeRollout(live as never, live as never, hub as never, { rules: 'safe', now: Date.parse('2026-01-02T00:00:00Z') })
}

const roleIn = (cluster: string, more: object = {}): object => ({
  metadata: {
    namespace: cluster,
    name: 'app',
    uid: cluster,
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...marks('u'),
  },
  ...more,
})
const ready = (status: 'True' | 'False'): object => ({
  status: {
    conditions: [
      { type: 'Ready', status, reason: 'x', message: '', observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
  },
})

test('a Role for another ServiceAccount is replaced, and one of a cluster that is left is removed', () => {
  const other = { spec: { ...templateOf('app').spec, serviceAccount: { namespace: 'apps', name: 'other' } } }
  const seen = foreseeLists(['a'], [roleIn('a', other), roleIn('b')])
  assert.deepEqual(seen, known({ selected: 1, replaces: ['a'], removes: ['b'] }))
})

test('what waits is what is neither worked on nor done, nor out of time', () => {
  const strategy = { type: 'Progressive', progressive: { maxConcurrency: 1, maxFailures: 2, progressDeadline: '1m' } }
  const roles = [roleIn('a', ready('True')), roleIn('b', ready('False'))]
  const seen = foreseeLists(['a', 'b', 'c', 'd', 'e'], roles, strategy)
  assert.ok(seen.kind === 'known')
  const { selected, creates, waiting } = seen.rollout
  assert.deepEqual([selected, creates, waiting], [5, ['c'], 2])
})

test('a paused rollout, one of which too many failed, and one that is taken back say why nothing new begins', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  const paused = { annotations: { 'aws.identity.appthrust.io/rollout-paused': 'true' } }
  const seen = await foresee(world, paused)
  assert.ok(seen.kind === 'known')
  assert.deepEqual([seen.rollout.creates, seen.rollout.waiting, seen.rollout.remarks.length], [[], 3, 1])
  await world.makeSet('app', { placementRefs: oneAtATime({ progressDeadline: '10m' }) })
  await world.report('a', false)
  await world.advance(660_000)
  const failed = await foresee(world, { spec: { placementRefs: oneAtATime({ progressDeadline: '10m' }) } })
  assert.ok(failed.kind === 'known')
  assert.match(failed.rollout.remarks.join(), /^more clusters of p failed than may/)
  assert.deepEqual(failed.rollout.creates, [])
})

test('a strategy that cannot be followed, a set without a template and one that is going roll nothing out', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  const five = await foresee(world, { spec: { placementRefs: oneAtATime({ maxFailures: '5' }) } })
  assert.ok(five.kind === 'refused')
  assert.match(five.message, /^plan rollout for placement ref "p": failed to parse the provided maxFailures/)
  assert.deepEqual(await foresee(world, { spec: { placementRefs: [] } }), {
    kind: 'refused',
    message: 'spec.placementRefs is missing; name the placements that choose the clusters',
  })
  await world.makeSet('app')
  await world.client.delete(replicaSetKind.type, { namespace: setNamespace, name: 'app' })
  assert.deepEqual(await foresee(world), { kind: 'refused', message: 'the set is being deleted' })
})
