// A rollout that people steer, in the simulator: it breaks, stops, is mended and tried again; it is taken back in the middle; it is paused; while
// clusters leave and come back and the template is edited. Two replicas with leader election, two clusters at a time, a minute for each, and no
// failure is let pass. A stand-in for the Role controller says of a Role with the annotation `broken` that it is not well.
import { findCondition, type KubeObject, type ObjectKey } from '#kube'
import {
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '#operators/identity/api'
import { type AnyController, defineController, type Reads } from '#runtime'
import type { Deed, Effect, Subject, World } from '#simulator'
import { createReplicaSetController } from '../../../src/operators/identity/replica-sets/controller.ts'
import { roleSource } from '../../../src/operators/identity/role/sources.ts'
import { deed, removes, takesLease, tearsDown } from '../deeds.ts'
import {
  change,
  choose,
  create,
  home,
  isOfSet,
  namespace,
  onRole,
  ownerUidOf,
  publish,
  roleAt,
  rolesIn,
  seesTheWorld,
  selectedOf,
  setCrds,
  setWorld,
} from '../identity-sets.ts'
import { runProbed } from '../probed.ts'
import {
  asksForAWhile,
  isInFlight,
  isWell,
  retries,
  steeringInvariants,
  steers,
  unsteered,
  withoutPastSteering,
} from './steering.ts'

const clusters = ['c1', 'c2', 'c3', 'c4', 'c5']
const window = 2
const leaseMs = 240_000
const path = `/apis/${roleKind.apiVersion}/namespaces/${home}/awsserviceaccountrolereplicasets/app`
const strategy = { type: 'Progressive', progressive: { maxConcurrency: window, maxFailures: 0, progressDeadline: '60s' } }

export const identitySteeredSubject: Subject = {
  name: 'identity-steered',
  servers: ['hub'],
  objects: () => [...[home, ...clusters].map(namespace), ...setCrds],
  replicas: 2,
  start: process =>
    runProbed(process, {
      controllers: [createReplicaSetController({}), standIn],
      lease: { namespace: home, name: 'sets' },
      leaseMs,
    }),
  script: [
    publish('fleet', [
      ['c1', 'c2', 'c3'],
      ['c4', 'c5'],
    ]),
    { ...create('app', [{ name: 'fleet', rolloutStrategy: strategy }], 0), creates: true },
    // Two break, their time runs out, and it stops. One is mended, and both are tried again, the other in time.
    breaks('c2', 20_000),
    breaks('c3', 20_500),
    change('app', ['S3'], 21_000),
    mends('c2', 100_000),
    retries(path, 101_000),
    mends('c3', 130_000),
    // One breaks, and all of it is taken back in the middle, while a cluster leaves.
    breaks('c1', 180_000),
    change('app', ['Glue'], 181_000),
    steers(path, 'rollback', 'true', 182_500),
    choose('fleet', 1, ['c5'], 183_000),
    mends('c1', 200_000),
    steers(path, 'rollback', null, 215_000),
    choose('fleet', 1, ['c4', 'c5'], 215_500),
    retries(path, 230_000),
    // Edited while it is paused.
    change('app', ['Athena'], 240_000),
    steers(path, 'paused', 'true', 240_500),
    change('app', ['SNS'], 242_000),
    steers(path, 'paused', null, 260_000),
  ],
  disturbances: [
    { ...onRole('c1', 'app', { spec: { policyARNs: ['arn:aws:iam::aws:policy/Stranger'] } }), fault: 'F18' },
    { ...removes('delete c2/app', { path: `${rolesIn('c2')}/app` }, undefined), fault: 'F19' },
    { ...breaksForAWhile('c4', 90_000), fault: 'F18' },
    { ...retries(path, undefined), fault: 'F18' },
    { ...asksForAWhile('paused', path, 40_000), fault: 'F18' },
    { ...asksForAWhile('rollback', path, 40_000), fault: 'F18' },
    { ...leavesForAWhile(30_000), fault: 'F18' },
    { ...tearsDown('c3', roleAt), fault: 'F17' },
    { ...takesLease(home, 'sets', leaseMs), fault: 'F18' },
  ],
  ...setWorld,
  leaseMs,
  invariants: [
    { code: 'sees', check: seesTheWorld },
    ...steeringInvariants({ path, always: ['c1', 'c2', 'c3'], failuresMax: 0 }),
    { code: 'in-flight', check: withinTheWindow },
  ],
  endsAs: withoutPastSteering,
  unfinished,
  safetyMs: 300_000,
  // Who was killed by a clock of two hours before leads again when that clock has come there, maybe at half the rate.
  settleMs: 16_200_000,
  settleStreamsMs: 900_000,
}

function breaks(cluster: string, afterMs: number): Deed {
  return marks(cluster, 'true', afterMs)
}

function mends(cluster: string, afterMs: number): Deed {
  return marks(cluster, null, afterMs)
}

function marks(cluster: string, broken: 'true' | null, afterMs: number): Deed {
  return { ...onRole(cluster, 'app', { metadata: { annotations: { broken } } }), afterMs }
}

function breaksForAWhile(cluster: string, forMs: number): Deed {
  return deed(`break ${cluster} for a while`, `${rolesIn(cluster)}/app`, undefined, async world => {
    await breaks(cluster, 0).run(world)
    world.parkDeed(mends(cluster, forMs))
  })
}

function leavesForAWhile(forMs: number): Deed {
  return deed('c5 leaves for a while', undefined, undefined, async world => {
    await choose('fleet', 1, ['c4'], 0).run(world)
    world.parkDeed(choose('fleet', 1, ['c4', 'c5'], forMs))
  })
}

/** The Role controller, as far as a set sees it. */
const standIn: AnyController = defineController<ServiceAccountRole | undefined>({
  name: 'roles',
  claims: roleSource,
  reconciler: {
    observe: (key: ObjectKey, world: Reads) => world.find<ServiceAccountRole>(roleKind.type, key),
    decide: role => {
      const isThere = role !== undefined && role.metadata.deletionTimestamp === undefined
      const said =
        role?.metadata.annotations?.['broken'] === 'true'
          ? ({ type: 'Ready', status: 'False', reason: 'WaitingForACK', message: 'it is broken' } as const)
          : ({ type: 'Ready', status: 'True', reason: 'Ready', message: 'delivered' } as const)
      return { actions: [], conditions: isThere ? [said] : [], next: { kind: 'await-change' } }
    },
  },
  // A status that is refused as invalid is looked at again with the drift, and the subject does not wait an hour.
  driftMs: 240_000,
})

/** Where a cluster is begun that is well, or has nothing, no more are in flight with it than may be, of any template of the set. */
function withinTheWindow({ by, before, after, subresource }: Effect, world: World): string | undefined {
  if (by === 'user' || after?.kind !== roleKind.type.kind || subresource !== undefined) return undefined
  if (before !== undefined && before.metadata.generation === after.metadata.generation) return undefined
  const set = world.find('hub', path)
  if (set === undefined || (before !== undefined && !isWell(before as ServiceAccountRole & KubeObject))) return undefined
  const inFlight = selectedOf(world, set).filter(cluster => {
    const role = world.find('hub', `${rolesIn(cluster)}/app`) as (ServiceAccountRole & KubeObject) | undefined
    return role !== undefined && isInFlight(world, role)
  })
  return inFlight.length > window ? `${inFlight.join(', ')} are in flight` : undefined
}

function unfinished(world: World): string | undefined {
  const set = world.find('hub', path) as ReplicaSet | undefined
  if (set === undefined) return 'there is no set'
  for (const cluster of clusters) {
    const role = world.find('hub', `${rolesIn(cluster)}/app`) as (ServiceAccountRole & KubeObject) | undefined
    if (role === undefined) return `${cluster} has no Role`
    if (ownerUidOf(role) !== set.metadata.uid || !isOfSet(role, set)) return `${cluster} has another Role`
    if (!isWell(role)) return `${cluster} is not well`
  }
  const ready = findCondition(set.status?.conditions, 'Ready')
  if (ready?.status !== 'True' || set.kind !== replicaSetKind.type.kind) return `it says ${ready?.reason}`
  return unsteered(set)
}
