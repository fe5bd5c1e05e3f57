// The ReplicaSet controller in the simulator: a hub with four cluster namespaces, two replicas with leader election, a stand-in for the Role
// controller in the same process, placements that are edited in the middle of a rollout, people who meddle with Roles and namespaces.
import { placementDecisionKind, placementKind, placementLabels } from '#fleet'
import { controllerReference, findCondition, type KubeObject, type ObjectKey, renderCrd, type StoredObject } from '#kube'
import {
  finalizers,
  labels,
  operatorName,
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  reasons,
  renderIdentityCrds,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '#operators/identity/api'
import { type Action, type AnyController, defineController, type Reads, troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { createReplicaSetController } from '../../src/operators/identity/replica-sets/controller.ts'
import { roleSource } from '../../src/operators/identity/role/sources.ts'
import { creates, deed, edits, puts, removes, takesLease, tearsDown } from './deeds.ts'
import { runProbed } from './probed.ts'
import { asksForAWhile, isInFlight, isWell, retries, steeringInvariants } from './steered/steering.ts'

export const home = 'platform'
const clusters = ['c1', 'c2', 'c3', 'c4']
const api = 'aws.identity.appthrust.io/v1alpha1'
const ocm = 'cluster.open-cluster-management.io/v1beta1'
const leaseMs = 240_000
const prefix = 'aws.identity.appthrust.io'
const sets = `/apis/${api}/namespaces/${home}/awsserviceaccountrolereplicasets`
export const rolesIn = (cluster: string): string => `/apis/${api}/namespaces/${cluster}/awsserviceaccountroles`
const decisions = `/apis/${ocm}/namespaces/${home}/placementdecisions`
const policy = (name: string): string => `arn:aws:iam::aws:policy/${name}`

/** One cluster at a time, over two groups; nothing of it ever fails for good, and no clock is looked at. */
const slow = { type: 'Progressive', progressive: { maxConcurrency: 1, maxFailures: '100%' } }

type SetWorldMember =
  | 'roleOf'
  | 'ownerUidOf'
  | 'statusIsOfStandIn'
  | 'purposeOf'
  | 'isWanted'
  | 'readsAtRestPerMinute'
  | 'finalizer'
  | 'reasons'

/** What every world of sets says of its objects and of rest. */
export const setWorld: Pick<Subject, SetWorldMember> = {
  roleOf,
  ownerUidOf,
  statusIsOfStandIn: true,
  purposeOf: ({ metadata }) => metadata.namespace ?? '',
  isWanted,
  readsAtRestPerMinute: 6,
  finalizer: finalizers.replicaSet,
  reasons: [...reasons, ...Object.keys(troubleReasons)],
}

export const identitySetsSubject: Subject = {
  name: 'identity-sets',
  servers: ['hub'],
  objects: () => hubObjects,
  replicas: 2,
  versions: 2,
  start,
  script: [
    publish('fleet', [['c1', 'c2'], ['c3']]),
    publish('edge', [['c4']]),
    { ...create('slow', [{ name: 'fleet', rolloutStrategy: slow }], 0), creates: true },
    { ...create('wide', [{ name: 'fleet' }, { name: 'edge' }], 0), creates: true },
    change('slow', ['S3'], 6_000),
    // In the middle of that: a cluster leaves, another comes, the groups are others.
    choose('fleet', 0, ['c3'], 9_000),
    choose('fleet', 1, ['c1', 'c4'], 9_500),
    change('wide', ['S3', 'Glue'], 12_000),
    removes('delete wide', { path: `${sets}/wide` }, 18_000),
    create('wide', [{ name: 'edge' }], 22_000),
    choose('fleet', 0, ['c1', 'c2'], 24_000),
    choose('fleet', 1, ['c3', 'c4'], 24_500),
    // Somebody else's Role stands in the way of a set for good.
    foreign('c4', 'late', 25_000),
    create('late', [{ name: 'fleet' }], 27_000),
  ],
  disturbances: [
    { ...onRole('c1', 'slow', { spec: { policyARNs: [policy('Stranger')] } }), fault: 'F18' },
    { ...onRole('c2', 'wide', { metadata: { labels: { mine: 'kept' } } }), fault: 'F18' },
    { ...onRole('c1', 'wide', { metadata: { labels: { [labels.managedBy]: null } } }), fault: 'F18' },
    { ...removes('delete c1/slow', { path: `${rolesIn('c1')}/slow` }, undefined), fault: 'F19' },
    { ...removes('delete c2/wide', { path: `${rolesIn('c2')}/wide` }, undefined), fault: 'F19' },
    // The name is taken between our look and our call.
    { ...foreign('c1', 'wide', undefined), fault: 'F19' },
    { ...edits('release slow', { path: `${sets}/slow` }, { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    // Whether anybody ever saw it is the schedule's: what is said of it afterwards is no end that two runs share (D1).
    { ...asksForAWhile('paused', `${sets}/slow`, 15_000), fault: 'F18' },
    { ...asksForAWhile('rollback', `${sets}/slow`, 10_000), fault: 'F18' },
    { ...retries(`${sets}/slow`, undefined), fault: 'F18' },
    { ...tearsDown('c2', roleAt), fault: 'F17' },
    { ...takesLease(home, 'sets', leaseMs), fault: 'F18' },
  ],
  ...setWorld,
  leaseMs,
  invariants: [
    { code: 'sees', check: seesTheWorld },
    { code: 'in-flight', check: oneAtATime },
    // Each of them is left out by some decision.
    ...steeringInvariants({ path: `${sets}/slow`, always: [], failuresMax: clusters.length }),
  ],
  endsAs: withoutPastTemplates,
  unfinished,
  // A lease that has to run out by a clock at half the rate, and then clusters one after the other.
  settleMs: 900_000,
  settleStreamsMs: 240_000,
}

/** Of a set that is not rolled out completely: which template was, over the clusters that were selected then, is history and no end of its own. */
function withoutPastTemplates(object: KubeObject): unknown {
  const { status } = object as ReplicaSet
  if (object.kind !== replicaSetKind.type.kind || status === undefined) return object
  if (findCondition(status.conditions, 'PlacementRolledOut')?.status === 'True') return object
  const { completedTemplate: _past, ...rest } = status
  return { ...object, status: rest }
}

function start(process: ProcessContext): Promise<void> {
  const controller = createReplicaSetController({})
  return runProbed(process, {
    controllers: [process.version === 0 ? controller : { ...controller, workers: 1 }, roleStandIn],
    listing: process.version === 0 ? 'stream' : 'pages',
    lease: { namespace: home, name: 'sets' },
    leaseMs,
  })
}

/** The Role controller, as far as a set sees it: what it made becomes Ready. */
const roleStandIn: AnyController = defineController<ServiceAccountRole | undefined>({
  name: 'roles',
  claims: roleSource,
  reconciler: {
    observe: (key: ObjectKey, world: Reads) => world.find<ServiceAccountRole>(roleKind.type, key),
    decide: role => {
      const isOurs = role !== undefined && ownerUidOf(role) !== undefined && role.metadata.deletionTimestamp === undefined
      const said = { type: 'Ready', status: 'True', reason: 'Ready', message: 'delivered' } as const
      const actions: readonly Action[] = []
      return { actions, conditions: isOurs ? [said] : [], next: { kind: 'await-change' } }
    },
  },
  // A status that is refused as invalid is looked at again with the drift, and the subject does not wait an hour.
  driftMs: 240_000,
})

export function roleOf({ kind }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (kind === 'AWSServiceAccountRoleReplicaSet') return 'claim'
  return kind === 'AWSServiceAccountRole' ? 'external' : 'other'
}

/** All three marks. */
export function ownerUidOf({ metadata }: KubeObject): string | undefined {
  const { [labels.managedBy]: managedBy, [labels.replicaSetUid]: uid } = metadata.labels ?? {}
  const isNamed = metadata.annotations?.[`${prefix}/replicaset-owner-ref`] === `${home}/${metadata.name}`
  return managedBy === operatorName && isNamed ? uid : undefined
}

function refsOf(set: KubeObject): readonly string[] {
  return (set as ReplicaSet).spec.placementRefs.map(({ name }) => name)
}

/** By the decisions of this moment. */
export function selectedOf(world: World, set: KubeObject): readonly string[] {
  const refs = refsOf(set)
  const found = [...world.objects()].filter(
    ({ kind, metadata }) => kind === 'PlacementDecision' && refs.includes(metadata.labels?.[placementLabels.placement] ?? ''),
  )
  return found.flatMap(clustersOf)
}

function clustersOf(decision: KubeObject): readonly string[] {
  const { status } = decision as { readonly status?: { readonly decisions?: readonly { readonly clusterName: string }[] } }
  return (status?.decisions ?? []).map(({ clusterName }) => clusterName)
}

/** A Role whose cluster was always meant since it was made is wanted; one that was left out for a while may be on its way out. */
function isWanted(claim: KubeObject, role: KubeObject, _server: string): boolean {
  const world = currentWorld
  if (world === undefined) return true
  const cluster = role.metadata.namespace ?? ''
  const spec = (role as ServiceAccountRole).spec.serviceAccount.name
  return selectedOf(world, claim).includes(cluster) && spec === claim.metadata.name && !wasLeftOut(world, cluster)
}

/** Whether a decision once held the cluster and then did not. */
function wasLeftOut(world: World, cluster: string): boolean {
  return world.effects.some(
    ({ before, after }) =>
      after?.kind === 'PlacementDecision' &&
      before !== undefined &&
      clustersOf(before).includes(cluster) &&
      !clustersOf(after).includes(cluster),
  )
}

/** The world of the effect that is being judged: `isWanted` is not given it. */
let currentWorld: World | undefined

/** An invariant that always holds: by it `isWanted` knows the world of the effects that come. */
export function seesTheWorld(_: Effect, world: World): undefined {
  currentWorld = world
}

/** Whether a process begins something with this effect: it makes a Role, or gives it another spec. */
function begins({ by, before, after, subresource }: Effect): boolean {
  if (by === 'user' || after === undefined || roleOf(after) !== 'external' || subresource !== undefined) return false
  return (
    before === undefined ||
    JSON.stringify((before as ServiceAccountRole).spec) !== JSON.stringify((after as ServiceAccountRole).spec)
  )
}

/** Never more out than the strategy says: every other Role that we wrote for this set, by whatever template, has to be well. */
function oneAtATime(effect: Effect, world: World): string | undefined {
  const { before, after } = effect
  if (!begins(effect) || after?.metadata.name !== 'slow') return undefined
  const set = [...world.objects()].find(({ metadata }) => metadata.uid === ownerUidOf(after))
  if (set === undefined) return undefined
  const selected = selectedOf(world, set)
  const others = [...world.objects()].filter(
    object =>
      roleOf(object) === 'external' &&
      object.metadata.uid !== after.metadata.uid &&
      ownerUidOf(object) === set.metadata.uid &&
      object.metadata.deletionTimestamp === undefined &&
      selected.includes(object.metadata.namespace ?? ''),
  ) as ServiceAccountRole[]
  const out = others.filter(role => isInFlight(world, role))
  // Where nothing is well nobody else is put out by a change; but there too one comes after the other.
  const wasDown = before !== undefined && !isWell(before as ServiceAccountRole & KubeObject)
  const inTheWay = wasDown
    ? out.filter(({ spec }) => JSON.stringify(spec) === JSON.stringify((after as (typeof others)[number]).spec))
    : out
  if (inTheWay.length === 0) return undefined
  const names = inTheWay.map(({ metadata }) => metadata.namespace).join(', ')
  return `${after.metadata.namespace}/slow is begun while ${names} is in flight`
}

export function isOfSet(role: ServiceAccountRole, set: ReplicaSet): boolean {
  return JSON.stringify(role.spec) === JSON.stringify(set.spec.template.spec)
}

function unfinished(world: World): string | undefined {
  for (const object of world.objects()) {
    const { namespace = '', name = '', uid, deletionTimestamp } = object.metadata
    if (roleOf(object) === 'claim') {
      if (deletionTimestamp !== undefined) return `${name} is still terminating`
      const wrong = wrongIn(world, object as ReplicaSet)
      if (wrong !== undefined) return `${name} ${wrong}`
    } else if (roleOf(object) === 'external') {
      const owner = ownerUidOf(object)
      if (owner === undefined || world.released.has(owner)) continue
      const set = [...world.objects()].find(({ metadata }) => metadata.uid === owner)
      if (set === undefined || !selectedOf(world, set).includes(namespace)) return `${namespace}/${name} (${uid}) is one too many`
    }
  }
  return undefined
}

function wrongIn(world: World, set: ReplicaSet): string | undefined {
  const selected = [...new Set(selectedOf(world, set))]
  let foreigners = 0
  for (const cluster of selected) {
    const role = world.find('hub', `${rolesIn(cluster)}/${set.metadata.name}`) as ServiceAccountRole | undefined
    if (role === undefined) return `has no Role in ${cluster}`
    if (ownerUidOf(role) !== set.metadata.uid) foreigners++
    else if (!isOfSet(role, set)) return `has another template in ${cluster}`
    else if (!isWell(role)) return `is not ready in ${cluster}`
  }
  const { status } = set
  const ready = findCondition(status?.conditions, 'Ready')
  const wanted = foreigners === 0 ? 'True Ready' : 'False ChildConflict'
  if (`${ready?.status} ${ready?.reason}` !== wanted) return `says ${ready?.status} ${ready?.reason}, and it is ${wanted}`
  const counted = [status?.selectedClusterCount ?? 0, status?.readyClusterCount ?? 0, status?.conflictCount ?? 0]
  const real = [selected.length, selected.length - foreigners, foreigners]
  return counted.join() === real.join() ? undefined : `counts ${counted.join()}, and there are ${real.join()}`
}

export function create(name: string, placementRefs: readonly object[], afterMs: number): Deed {
  const spec = { placementRefs, template: { spec: template(name, ['EC2']) } }
  const set = { apiVersion: api, kind: 'AWSServiceAccountRoleReplicaSet', metadata: { namespace: home, name }, spec }
  return creates(`create ${name}`, { path: sets }, set, afterMs)
}

function template(name: string, policies: readonly string[]): object {
  return { serviceAccount: { namespace: 'apps', name }, policyARNs: policies.map(policy) }
}

export function change(name: string, policies: readonly string[], afterMs: number): Deed {
  const patch = { spec: { template: { spec: { policyARNs: policies.map(policy) } } } }
  return edits(`change ${name}`, { path: `${sets}/${name}` }, patch, afterMs)
}

/** The placement controller chooses others for one group. */
export function choose(placement: string, group: number, chosen: readonly string[], afterMs: number): Deed {
  const path = `${decisions}/${placement}-decision-${group}/status`
  const status = { decisions: chosen.map(clusterName => ({ clusterName, reason: '' })) }
  return edits(`choose ${chosen.join()} for ${placement}/${group}`, { path }, { status }, afterMs)
}

function foreign(cluster: string, name: string, afterMs: number | undefined): Deed {
  const spec = template('theirs', ['Theirs'])
  const role = { apiVersion: api, kind: 'AWSServiceAccountRole', metadata: { namespace: cluster, name }, spec }
  return puts(`foreign ${cluster}/${name}`, { path: rolesIn(cluster) }, role, afterMs)
}

export function onRole(cluster: string, name: string, patch: object): Deed {
  return deed(`edit ${cluster}/${name} ${JSON.stringify(patch)}`, `${rolesIn(cluster)}/${name}`, undefined, world =>
    world.act('hub', 'PATCH', `${rolesIn(cluster)}/${name}`, patch, 'application/merge-patch+json'),
  )
}

export function roleAt({ kind, metadata }: KubeObject): string | undefined {
  return kind === 'AWSServiceAccountRole' ? `${rolesIn(metadata.namespace ?? '')}/${metadata.name}` : undefined
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: ['kubernetes'] } } as KubeObject
}

/** The placement controller makes its decisions once the Placement is there, since they name its uid. */
export function publish(name: string, groups: readonly (readonly string[])[]): Deed {
  const placements = `/apis/${ocm}/namespaces/${home}/placements`
  const conditions = [
    {
      type: 'PlacementSatisfied',
      status: 'True',
      reason: 'AllDecisionsScheduled',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ]
  return deed(`publish ${name}`, undefined, 0, async world => {
    const made = await world.act('hub', 'POST', placements, { apiVersion: ocm, kind: 'Placement', metadata: { name }, spec: {} })
    const owner = controllerReference(made.body as StoredObject)
    for (const [index, chosen] of groups.entries()) {
      const metadata = {
        name: `${name}-decision-${index}`,
        labels: { [placementLabels.placement]: name, [placementLabels.groupIndex]: String(index) },
        ownerReferences: [owner],
      }
      await world.act('hub', 'POST', decisions, { apiVersion: ocm, kind: 'PlacementDecision', metadata, spec: {} })
      const status = { decisions: chosen.map(clusterName => ({ clusterName, reason: '' })) }
      await world.act('hub', 'PATCH', `${decisions}/${metadata.name}/status`, { status }, 'application/merge-patch+json')
    }
    await world.act('hub', 'PATCH', `${placements}/${name}/status`, { status: { conditions } }, 'application/merge-patch+json')
  })
}

export const setCrds: readonly KubeObject[] = [
  ...renderIdentityCrds(),
  renderCrd(placementKind),
  renderCrd(placementDecisionKind),
]
const hubObjects: readonly KubeObject[] = [...[home, ...clusters].map(namespace), ...setCrds]
