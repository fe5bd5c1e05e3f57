// The numbered cases of the ReplicaSet (§13.8), on the embedded world.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placementDecisionKind, placementKind } from '#fleet'
import { type KubeObject, namespaces, type StoredObject } from '#kube'
import type { Watch } from '#runtime'
import { Faulty } from '../../../runtime/testing/faulty.ts'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind, roleKind } from '../api/kinds.ts'
import { told } from '../testing/room-world.ts'
import { dropNamespace, namespace, policyArn, type SetWorld, setNamespace, setWorld, templateOf } from '../testing/set-world.ts'
import { decideReplicaSet } from './decide.ts'

const minute = 60_000
const progressive = (more: object = {}) => ({
  placementRefs: [{ name: 'p', rolloutStrategy: { type: 'Progressive' as const, progressive: { maxConcurrency: 1, ...more } } }],
})

function resolvedBy({ status }: ReplicaSet): string {
  const found = status?.conditions?.find(({ type }) => type === 'PlacementResolved')
  return `${found?.status} ${found?.reason} ${found?.message}`
}

/** `a Ready Ready, b Pending RolloutPending` */
async function clustersOf(world: SetWorld, name = 'app'): Promise<string> {
  const { status } = await world.set(name)
  return (status?.clusters ?? []).map(({ clusterName, phase, reason }) => `${clusterName} ${phase} ${reason}`).join(', ')
}

/** A Role that somebody else made in the cluster's namespace. */
async function makeRole(world: SetWorld, at: string, metadata: Partial<StoredObject['metadata']> = {}): Promise<void> {
  const object = roleKind.make(
    { namespace: at, name: 'app', ...metadata },
    { serviceAccount: { namespace: 'apps', name: 'theirs' }, policyARNs: [policyArn] },
  )
  await world.client.create(roleKind.type, object)
  await world.settle()
}

test('a decision with the label that the Placement does not control is ignored [13.8 #158]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  const { apiVersion, type } = placementDecisionKind
  const labels = {
    'cluster.open-cluster-management.io/placement': 'p',
    'cluster.open-cluster-management.io/decision-group-index': '1',
  }
  const key = { namespace: setNamespace, name: 'forged' }
  await world.client.create(type, { apiVersion, kind: type.kind, metadata: { ...key, labels }, spec: {} } as KubeObject)
  const status = { decisions: [{ clusterName: 'b', reason: '' }] }
  await world.client.patch(type, key, 'merge', { status }, { subresource: 'status' })
  await world.makeSet('app')
  assert.deepEqual(await world.clustersWith('app'), ['a'])
})

test('without its Placement a set says so and keeps what it said and made [13.8 #159]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  await world.converge()
  await world.client.delete(placementKind.type, { namespace: setNamespace, name: 'p' })
  await world.settle()
  const set = await world.set('app')
  assert.equal(told(set).PlacementResolved, 'False PlacementUnavailable')
  assert.equal(told(set).Ready, 'False PlacementUnavailable')
  assert.equal(set.status?.readyClusterCount, 2)
  assert.equal(await clustersOf(world), 'a Ready Ready, b Ready Ready')
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
  await world.choose('p', ['a', 'b'])
  assert.equal(told(await world.set('app')).Ready, 'True Ready', 'the Placement that comes is an event')
})

test('a status that cannot be written is tried again [13.8 #160]', async () => {
  const faulty = new Faulty()
  await using world = await setWorld({ through: faulty.through })
  let refused = 0
  faulty.judge = ({ target }) => (target.includes('/status') && refused++ < 3 ? { status: 500, reason: 'InternalError' } : 'pass')
  await world.makeSet('app')
  await world.advance(minute)
  assert.ok(refused > 3)
  assert.equal(told(await world.set('app')).PlacementResolved, 'False PlacementUnavailable')
})

test('one at a time: the others wait, and the next one starts when it is Ready [13.8 #161, 13.8 #162]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app', progressive())
  assert.deepEqual(await world.clustersWith('app'), ['a'])
  assert.equal(await clustersOf(world), 'a Pending ChildrenPending, b Pending RolloutPending, c Pending RolloutPending')
  await world.report('a', true)
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
  assert.equal(await clustersOf(world), 'a Ready Ready, b Pending ChildrenPending, c Pending RolloutPending')
})

test('what a Role said of an older generation does not count [13.8 #163]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  await world.makeSet('app')
  await world.report('a', true)
  await world.changeTemplate('app', [policyArn, 'arn:aws:iam::aws:policy/AmazonS3FullAccess'])
  assert.equal(await clustersOf(world), 'a Pending ChildrenPending')
  await world.report('a', true)
  assert.equal(await clustersOf(world), 'a Ready Ready')
})

test('a Role that stops being Ready takes the set out of Ready [13.8 #164]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  await world.converge()
  await world.report('b', false)
  const set = await world.set('app')
  assert.equal(told(set).Ready, 'False ChildrenPending')
  assert.match(JSON.stringify(set.status?.clusters), /AccessDenied: iam:CreateRole/, 'its own words')
})

test('a Role of somebody else is a conflict, and is neither changed nor deleted [13.8 #165]', async () => {
  await using world = await setWorld()
  await makeRole(world, 'b')
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  const theirs = await world.child('b')
  assert.equal(await clustersOf(world), 'a Pending ChildrenPending, b Conflict ChildConflict')
  assert.equal(told(await world.set('app')).Ready, 'False ChildConflict')
  await world.choose('p', ['a'])
  await world.client.delete(replicaSetKind.type, { namespace: setNamespace, name: 'app' })
  await world.settle()
  assert.deepEqual(await world.child('b'), theirs)
  assert.deepEqual(await world.clustersWith('app'), ['b'])
})

test('a Role in the way that goes is an event: the child is made at once', async () => {
  await using world = await setWorld()
  await makeRole(world, 'b')
  await world.choose('p', ['b'])
  await world.makeSet('app')
  await world.client.delete(roleKind.type, { namespace: 'b', name: 'app' })
  await world.settle()
  assert.equal(await clustersOf(world), 'b Pending ChildrenPending')
})

test('a Role of an earlier set of this name is a stranger’s [13.8 #166]', async () => {
  await using world = await setWorld()
  const marks = {
    labels: {
      'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
      'aws.identity.appthrust.io/replicaset-uid': '00000000-0000-4000-8000-000000000000',
    },
    annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': `${setNamespace}/app` },
  }
  await makeRole(world, 'a', marks)
  await world.choose('p', ['a'])
  await world.makeSet('app')
  assert.equal(await clustersOf(world), 'a Conflict ChildConflict')
  await world.client.delete(replicaSetKind.type, { namespace: setNamespace, name: 'app' })
  await world.settle()
  assert.equal(await world.findSet('app'), undefined)
  assert.deepEqual(await world.clustersWith('app'), ['a'])
})

test('two of the three marks are none [13.8 #167]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  await world.makeSet('app')
  const whole = (await world.child('a'))?.metadata
  assert.ok(whole?.labels !== undefined && whole.annotations !== undefined)
  const [managedBy, uid] = Object.keys(whole.labels)
  const [owner] = Object.keys(whole.annotations)
  for (const gone of [
    { labels: { [managedBy ?? '']: null } },
    { labels: { [uid ?? '']: null } },
    { annotations: { [owner ?? '']: null } },
  ]) {
    await world.client.patch(roleKind.type, { namespace: 'a', name: 'app' }, 'merge', { metadata: gone })
    await world.settle()
    assert.equal(await clustersOf(world), 'a Conflict ChildConflict', JSON.stringify(gone))
    const back = { labels: whole.labels, annotations: whole.annotations }
    await world.client.patch(roleKind.type, { namespace: 'a', name: 'app' }, 'merge', { metadata: back })
    await world.settle()
    assert.equal(await clustersOf(world), 'a Pending ChildrenPending')
  }
})

test('a cluster that leaves the placement loses its Role, and gets it back with the cluster [13.8 #168]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  await world.converge()
  const held = { metadata: { finalizers: ['example.com/held'] } }
  await world.client.patch(roleKind.type, { namespace: 'b', name: 'app' }, 'merge', held)
  await world.choose('p', ['a'])
  const set = await world.set('app')
  assert.equal(set.status?.staleClusterCount, 1)
  assert.equal(told(set).Ready, 'False ChildrenPending')
  await world.client.patch(roleKind.type, { namespace: 'b', name: 'app' }, 'merge', { metadata: { finalizers: null } })
  await world.settle()
  assert.deepEqual(await world.clustersWith('app'), ['a'])
  assert.equal((await world.set('app')).status?.staleClusterCount, undefined)
  assert.equal(told(await world.set('app')).Ready, 'True Ready')
  await world.choose('p', ['a', 'b'])
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
})

test('a Placement that is made anew takes nothing away before its controller has said anything', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  await world.converge()
  const key = { namespace: setNamespace, name: 'p' }
  const uids = [(await world.child('a'))?.metadata.uid, (await world.child('b'))?.metadata.uid]
  await world.client.delete(placementKind.type, key)
  await world.settle()
  const { apiVersion, type } = placementKind
  await world.client.create(type, { apiVersion, kind: type.kind, metadata: key, spec: {} } as KubeObject)
  await world.settle()
  await world.choose('p', ['a', 'b'])
  assert.deepEqual([(await world.child('a'))?.metadata.uid, (await world.child('b'))?.metadata.uid], uids)
})

test('nothing is taken away while the Placement counts more clusters than its decisions hold', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'], ['b'])
  await world.makeSet('app')
  await world.converge()
  // OCM in the middle of writing: one of the two decisions is gone for a moment.
  await world.client.delete(placementDecisionKind.type, { namespace: setNamespace, name: 'p-decision-2' })
  await world.settle()
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
  const counted = 'Placement p counts 2 clusters and its decisions hold 1'
  const held = await world.set('app')
  assert.equal(
    resolvedBy(held),
    `True Resolved the placements are resolved; ${counted}; Roles that stay meanwhile although their cluster is not selected: 1`,
  )
  assert.equal(held.status?.placements?.[0]?.conditions?.[0]?.message, `the placement is resolved; ${counted}`)
  assert.equal(told(held).Ready, 'True Ready')
  world.passes.length = 0
  await world.advance(2 * 60 * minute)
  assert.deepEqual(world.writes(), [], 'at rest nothing is written')
  await world.choose('p', ['a'])
  assert.deepEqual(await world.clustersWith('app'), ['a'])
  const done = await world.set('app')
  assert.equal(resolvedBy(done), 'True Resolved the placements are resolved')
  const since = (set: typeof held) => set.status?.conditions?.find(({ type }) => type === 'PlacementResolved')?.lastTransitionTime
  assert.equal(since(done), since(held), 'it was True all the time')
})

test('a Placement of which its controller has said nothing is told, and so is one whose decisions are not all there', async () => {
  await using world = await setWorld()
  const key = { namespace: setNamespace, name: 'p' }
  const { apiVersion, type } = placementKind
  await world.client.create(type, { apiVersion, kind: type.kind, metadata: key, spec: {} } as KubeObject)
  await world.makeSet('app')
  const silent = 'Placement p has no status: its controller has not said yet what it chooses'
  assert.equal(resolvedBy(await world.set('app')), `True Resolved the placements are resolved; ${silent}`)
  await world.choose('p', ['a'], ['b'])
  assert.equal(resolvedBy(await world.set('app')), 'True Resolved the placements are resolved')
  await world.client.patch(type, key, 'merge', { status: { numberOfSelectedClusters: 7 } }, { subresource: 'status' })
  await world.settle()
  const few = 'Placement p counts 7 clusters and its decisions hold 2'
  assert.equal(resolvedBy(await world.set('app')), `True Resolved the placements are resolved; ${few}`)
})

test('a cluster that is selected and refuses keeps the Role that it has [13.8 #169]', async () => {
  const faulty = new Faulty()
  await using world = await setWorld({ through: faulty.through })
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  await world.converge()
  faulty.judge = ({ method, target }) =>
    method === 'PATCH' && target.includes('/namespaces/b/') ? { status: 403, reason: 'Forbidden', message: 'no patch' } : 'pass'
  await world.changeTemplate('app', ['arn:aws:iam::aws:policy/AmazonS3FullAccess'])
  await world.advance(1_000)
  assert.match(await clustersOf(world), /b Failed ChildApplyFailed/)
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
})

test('a cluster without a namespace waits for it, and exactly its sets are woken [13.8 #170]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'late'])
  await world.choose('q', ['b'])
  await world.makeSet('app')
  await world.makeSet('other', { placementRefs: [{ name: 'q' }] })
  assert.equal(await clustersOf(world), 'a Pending ChildrenPending, late Failed ClusterNamespaceMissing')
  assert.equal((await world.set('app')).status?.failureCount, 1)
  world.passes.length = 0
  await world.client.create(namespaces, namespace('late'))
  await world.settle()
  assert.deepEqual(await world.clustersWith('app'), ['a', 'late'])
  assert.deepEqual([...new Set(world.passes.map(({ key }) => key.name))], ['app'])
})

test('a refused create is told with the words of who refused, and the others go on [13.8 #171, 13.8 #172]', async () => {
  const faulty = new Faulty()
  const message =
    'admission webhook denied the request: there is no AWSWorkloadIdentityConfig/default in namespace b; create it first'
  await using world = await setWorld({ through: faulty.through })
  faulty.judge = ({ method, target }) =>
    method === 'POST' && target.includes('/namespaces/b/awsserviceaccountroles')
      ? { status: 403, reason: 'Forbidden', message }
      : 'pass'
  await world.choose('p', ['a', 'b', 'c'])
  await world.makeSet('app')
  assert.equal(await clustersOf(world), 'a Pending ChildrenPending, b Failed ChildApplyFailed, c Pending ChildrenPending')
  const { status } = await world.set('app')
  assert.deepEqual(status?.failedClusters, [{ clusterName: 'b', phase: 'Failed', reason: 'ChildApplyFailed', message }])
  assert.deepEqual([status.appliedClusterCount, status.failureCount], [2, 1])
  assert.equal(told(await world.set('app')).Ready, 'False ChildApplyFailed')
  faulty.judge = () => 'pass'
  await world.advance(minute)
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b', 'c'])
})

test('annotations that the schema lets through and the server does not are told [13.8 #173]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  const annotations = { one: '€'.repeat(88_000) }
  await world.makeSet('app', { template: { ...templateOf('app'), metadata: { annotations } } })
  assert.equal(await clustersOf(world), 'a Failed ChildApplyFailed')
})

test('a Role that cannot be taken away is told, and all else is said too [13.8 #174]', async () => {
  const faulty = new Faulty()
  await using world = await setWorld({ through: faulty.through })
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  await world.converge()
  faulty.judge = ({ method }) => (method === 'DELETE' ? { status: 403, reason: 'Forbidden', message: 'no delete' } : 'pass')
  await world.choose('p', ['a'])
  const set = await world.set('app')
  assert.deepEqual([set.status?.selectedClusterCount, set.status?.staleClusterCount], [1, 1])
  const ready = set.status?.conditions?.find(({ type }) => type === 'Ready')
  assert.equal(`${ready?.status} ${ready?.reason}`, 'False ChildrenPending')
  assert.match(ready?.message ?? '', /the Role in namespace b does not go: no delete/)
})

test('a create whose answer is lost is not made twice and is no failure [13.8 #175]', async () => {
  const faulty = new Faulty()
  await using world = await setWorld({ through: faulty.through })
  faulty.judge = ({ method, target }) => (method === 'POST' && target.includes('serviceaccountroles') ? 'reset-after' : 'pass')
  await world.choose('p', ['a'])
  await world.makeSet('app')
  faulty.judge = () => 'pass'
  await world.advance(minute)
  assert.equal(await clustersOf(world), 'a Pending ChildrenPending')
  assert.deepEqual(await world.clustersWith('app'), ['a'])
})

test('what somebody changes of ours comes back, what somebody adds stays; by the rules of OCM it goes [13.8 #176, B30]', async () => {
  for (const rules of ['safe', 'ocm'] as const) {
    await using world = await setWorld({ rules })
    await world.choose('p', ['a'])
    const metadata = { labels: { team: 'blue' }, annotations: { note: 'ours' } }
    await world.makeSet('app', { template: { ...templateOf('app'), metadata } })
    const theirs = { labels: { team: null, mine: 'kept' }, annotations: { note: 'changed', 'example.com/mine': 'kept' } }
    await world.client.patch(roleKind.type, { namespace: 'a', name: 'app' }, 'merge', {
      metadata: theirs,
      spec: { policyARNs: [], policyDocument: { Version: 'x' } },
    })
    await world.settle()
    const child = await world.child('a')
    assert.equal(child?.metadata.labels?.team, 'blue')
    assert.equal(child.metadata.annotations?.note, 'ours')
    assert.deepEqual(child.spec, templateOf('app').spec)
    const kept = rules === 'safe' ? 'kept' : undefined
    assert.equal(child.metadata.labels.mine, kept)
    assert.equal(child.metadata.annotations['example.com/mine'], kept)
  }
})

test('a label that leaves the template leaves the Roles', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  await world.makeSet('app', { template: { ...templateOf('app'), metadata: { labels: { old: 'x', kept: 'y' } } } })
  const key = { namespace: setNamespace, name: 'app' }
  await world.client.patch(replicaSetKind.type, key, 'merge', { spec: { template: { metadata: { labels: { old: null } } } } })
  await world.settle()
  const { labels = {} } = (await world.child('a'))?.metadata ?? {}
  assert.deepEqual([labels.old, labels.kept], [undefined, 'y'])
})

test('a Role of ours for another ServiceAccount goes, is told until it is gone, and comes back right [13.8 #177]', async () => {
  await using world = await setWorld()
  const paused = 'aws.identity.appthrust.io/rollout-paused'
  await world.choose('p', ['b'])
  await world.makeSet('app', {}, { annotations: { [paused]: 'true' } })
  const { uid } = (await world.set('app')).metadata
  await makeRole(world, 'a', {
    labels: {
      'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
      'aws.identity.appthrust.io/replicaset-uid': uid,
    },
    annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': `${setNamespace}/app` },
    finalizers: ['example.com/held'],
  })
  await world.choose('p', ['a'])
  await world.annotate('app', { [paused]: null })
  const deletes = (): number => world.writes().filter(({ verb }) => verb === 'delete').length
  for (const round of ['deleted', 'looked at again']) {
    assert.equal(await clustersOf(world), 'a Pending ImmutableChildDrift', round)
    assert.equal((await world.set('app')).status?.staleClusterCount, 1, round)
    assert.equal(deletes(), 1, round)
    await world.annotate('app', { 'example.com/look': round })
  }
  await world.client.patch(roleKind.type, { namespace: 'a', name: 'app' }, 'merge', { metadata: { finalizers: null } })
  await world.settle()
  assert.deepEqual((await world.child('a'))?.spec.serviceAccount, { namespace: 'apps', name: 'app' })
  assert.equal(await clustersOf(world), 'a Pending ChildrenPending')
  assert.equal((await world.set('app')).status?.staleClusterCount, undefined)
})

/** Of a set that has nothing yet. */
const nothing = { children: new Map(), foreign: new Set<string>(), namespaces: new Map(), strays: [], kept: 0, remaining: [] }

test('reserved keys of a stored template: nothing is applied [13.8 #178]', () => {
  const claim = {
    apiVersion: replicaSetKind.apiVersion,
    kind: replicaSetKind.type.kind,
    metadata: { namespace: setNamespace, name: 'app', uid: 'u', resourceVersion: '1', generation: 1 },
    spec: {
      placementRefs: [{ name: 'p' }],
      template: { ...templateOf('app'), metadata: { labels: { 'aws.identity.appthrust.io/delivery': 'x' } } },
    },
  }
  const plan = decideReplicaSet({ claim, placements: [], ...nothing }, 0, { rules: 'safe' })
  assert.deepEqual(
    plan.conditions.map(({ type, reason }) => `${type} ${reason}`),
    ['AWSServiceAccountRolesApplied InvalidSpec', 'Ready InvalidSpec'],
  )
  assert.deepEqual(
    plan.actions.map(({ kind }) => kind),
    ['add-finalizer', 'record-event'],
  )
  assert.equal(plan.next.kind, 'stalled')
})

test('a deleted set waits for its Roles, says so, and goes [13.8 #179, 13.8 #181]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  const held = { metadata: { finalizers: ['example.com/held'] } }
  await world.client.patch(roleKind.type, { namespace: 'b', name: 'app' }, 'merge', held)
  await world.client.delete(replicaSetKind.type, { namespace: setNamespace, name: 'app' })
  await world.settle()
  const set = await world.set('app')
  assert.deepEqual([told(set).CleanupBlocked, told(set).Ready], ['True DeletionBlocked', 'False DeletionBlocked'])
  assert.deepEqual(await world.clustersWith('app'), ['b'])
  const before = world.writes().length
  await world.advance(10 * minute)
  assert.equal(world.writes().length, before, 'waiting writes nothing')
  await world.client.patch(roleKind.type, { namespace: 'b', name: 'app' }, 'merge', { metadata: { finalizers: null } })
  await world.settle()
  assert.equal(await world.findSet('app'), undefined)
  const statuses = world.writes().filter(({ subresource }) => subresource === 'status')
  assert.ok(statuses.length > 0)
})

test('a Role of a deleted set that cannot be deleted is told [13.8 #180]', async () => {
  const faulty = new Faulty()
  await using world = await setWorld({ through: faulty.through })
  await world.choose('p', ['a'])
  await world.makeSet('app')
  faulty.judge = ({ method }) => (method === 'DELETE' ? { status: 403, reason: 'Forbidden', message: 'no delete' } : 'pass')
  await world.client.delete(replicaSetKind.type, { namespace: setNamespace, name: 'app' })
  await world.settle()
  const set = await world.set('app')
  assert.deepEqual([told(set).CleanupBlocked, told(set).Ready], ['True ChildApplyFailed', 'False ChildApplyFailed'])
  faulty.judge = () => 'pass'
  await world.advance(minute)
  assert.equal(await world.findSet('app'), undefined)
})

test('a malformed owner annotation names nobody [13.8 #182]', async () => {
  await using world = await setWorld()
  world.passes.length = 0
  for (const [at, owner] of [
    ['a', 'app'],
    ['b', 'platform/app/x'],
    ['c', '/'],
  ] as const) {
    await makeRole(world, at, { annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': owner } })
  }
  assert.deepEqual(world.passes, [])
})

test('a change whose sets cannot be told is counted each time by its mapping, and comes to them once they can [13.8 #183]', async () => {
  let lookups = 0
  const failed: (string | undefined)[] = []
  const mapping = (watch: Watch): Watch => ({
    ...watch,
    toClaims: (object, world, cluster) => {
      if (watch.name === 'replicaSetsForOCMPlacementDecision' && lookups++ < 2) throw new Error('no index')
      return watch.toClaims(object, world, cluster)
    },
  })
  await using world = await setWorld({ mapping, onMappingFailed: name => failed.push(name) })
  await world.makeSet('app')
  await world.choose('p', ['a'])
  await world.advance(1_000)
  assert.deepEqual(failed, Array(2).fill('replicaSetsForOCMPlacementDecision'))
  assert.deepEqual(await world.clustersWith('app'), ['a'])
})

/** As an API server may hold them that took them before the schema wanted more. */
const halfSets = {
  'without placements': { template: templateOf('half') },
  'without a template': { placementRefs: [{ name: 'p' }] },
  'without anything': undefined,
}

for (const [what, spec] of Object.entries(halfSets))
  test(`a stored set ${what} makes and takes nothing, and keeps no other back [13.8 #178, #183]`, async () => {
    const metadata = { namespace: setNamespace, name: 'half', uid: 'half', resourceVersion: '1', generation: 1 }
    const half = { apiVersion: replicaSetKind.apiVersion, kind: replicaSetKind.type.kind, metadata, spec }
    await using world = await setWorld({ objects: [half as KubeObject] })
    await world.choose('p', ['a'])
    await world.makeSet('app')
    assert.deepEqual([await world.clustersWith('app'), await world.clustersWith('half')], [['a'], []])
    const { actions, conditions } = decideReplicaSet({ claim: half as ReplicaSet, placements: [], ...nothing }, 0, {
      rules: 'safe',
    })
    assert.deepEqual(actions.map(({ kind }) => kind).toSorted(), ['add-finalizer', 'record-event'])
    assert.match(conditions.find(({ type }) => type === 'Ready')?.message ?? '', /^spec\.[.A-Za-z]+ is missing; name /)
  })

test('a far recheck is looked at within the hour [13.8 #184]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app', progressive({ minSuccessTime: '3h' }))
  await world.report('a', true)
  const next = world.passes.at(-1)
  assert.deepEqual(await world.clustersWith('app'), ['a'])
  assert.ok(next !== undefined)
  await world.advance(181 * minute)
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
})

test('a string that is no percentage is told, and nothing is rolled out [13.8 #187]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a'])
  await world.makeSet('app', progressive({ maxFailures: '5' }))
  assert.deepEqual(
    [told(await world.set('app')).PlacementRolledOut, await world.clustersWith('app')],
    ['False ChildApplyFailed', []],
  )
  const said = (await world.set('app')).status?.conditions?.find(({ type }) => type === 'PlacementRolledOut')?.message
  assert.match(said ?? '', /^plan rollout for placement ref "p": failed to parse the provided maxFailures: '5'/)
})

test('a cluster that is not ready within its deadline has timed out [13.8 #188]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app', progressive({ progressDeadline: '10m' }))
  await world.report('a', false)
  await world.advance(11 * minute)
  assert.equal(await clustersOf(world), 'a TimedOut RolloutTimedOut, b Pending RolloutPending')
  const set = await world.set('app')
  assert.equal(set.status?.failureCount, 1)
  assert.equal(told(set).RolloutStopped, 'True TooManyFailures')
  assert.deepEqual(await world.clustersWith('app'), ['a'])
})

test('a cluster that two placements choose has one Role and counts once, and once in each [13.8 #185, 13.8 #189]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.choose('q', ['b', 'c'])
  await world.makeSet('app', { placementRefs: [{ name: 'p' }, { name: 'q' }] })
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b', 'c'])
  const { status } = await world.set('app')
  assert.deepEqual([status?.selectedClusterCount, status?.rollout?.total], [3, 3])
  assert.deepEqual(
    status?.placements?.map(({ selectedClusterCount }) => selectedClusterCount),
    [2, 2],
  )
})

test('a set that selects nothing is Ready, with all counts zero [4.4 Q]', async () => {
  await using world = await setWorld()
  await world.choose('p', [])
  await world.makeSet('app')
  const set = await world.set('app')
  assert.equal(told(set).Ready, 'True Ready')
  assert.equal(set.status?.selectedClusterCount, undefined)
})

test('a namespace that goes takes its Role along, and the cluster says why [B27]', async () => {
  await using world = await setWorld()
  await world.choose('p', ['a', 'b'])
  await world.makeSet('app')
  await world.converge()
  await dropNamespace(world, 'b')
  await world.advance(minute)
  assert.equal(await clustersOf(world), 'a Ready Ready, b Failed ClusterNamespaceMissing')
  await world.client.create(namespaces, namespace('b'))
  await world.settle()
  assert.deepEqual(await world.clustersWith('app'), ['a', 'b'])
})

test('a hub without placements says what to install, and the process works', async () => {
  await using world = await setWorld({ withoutPlacements: true })
  await world.makeSet('app')
  const ready = (await world.set('app')).status?.conditions?.find(({ type }) => type === 'Ready')
  assert.equal(ready?.reason, 'PlacementUnavailable')
  assert.match(ready.message, /install Open Cluster Management/)
})
