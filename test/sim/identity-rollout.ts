// One ReplicaSet over many clusters of which some are away, in the simulator: ten at a time, or a tenth, changed in the middle, by two replicas
// with leader election. A stand-in for the Role controller says of some that their clusters cannot be reached. Forty clusters are run as a test;
// a thousand of which ten are away are `npm run sim -- --controller identity-thousand`, which takes minutes for each schedule.
import { findCondition, type KubeObject, type ObjectKey } from '#kube'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, roleKind, type ServiceAccountRole } from '#operators/identity/api'
import { type AnyController, defineController, type Reads } from '#runtime'
import type { Deed, Effect, ProcessContext, Subject, World } from '#simulator'
import { createReplicaSetController } from '../../src/operators/identity/replica-sets/controller.ts'
import { roleSource } from '../../src/operators/identity/role/sources.ts'
import { deed, removes, takesLease } from './deeds.ts'
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
  roleOf,
  rolesIn,
  seesTheWorld,
  setCrds,
  setWorld,
} from './identity-sets.ts'
import { runProbed } from './probed.ts'
import {
  asksForAWhile,
  isInFlight,
  isWell,
  retries,
  steeringInvariants,
  unsteered,
  withoutPastSteering,
} from './steered/steering.ts'

const leaseMs = 240_000
const path = `/apis/${roleKind.apiVersion}/namespaces/${home}/awsserviceaccountrolereplicasets/app`
const deadlineMs = 60_000
/** How many there are, how many of them are away, and how many may be in flight at a time. */
interface Size {
  readonly name: string
  readonly clusters: number
  readonly away: number
  readonly window: number
}

export const identityRolloutSubject: Subject = rolloutSubject({ name: 'identity-rollout', clusters: 40, away: 2, window: 10 })
export const identityThousandSubject: Subject = rolloutSubject({
  name: 'identity-thousand',
  clusters: 1_000,
  away: 10,
  window: 100,
})

function rolloutSubject(size: Size): Subject {
  const clusters = Array.from({ length: size.clusters }, (_, index) => `c${index}`)
  /** Wherever it stands, and never the first. */
  const isAway = (cluster: string): boolean => Number(cluster.slice(1)) % (size.clusters / size.away) === 7
  const progressive = { maxConcurrency: size.window, maxFailures: '10%', progressDeadline: `${deadlineMs / 1_000}s` }
  const strategy = { type: 'Progressive', progressive }
  const [sooner, later] = [clusters.slice(0, size.clusters / 2), clusters.slice(size.clusters / 2)]
  return {
    name: size.name,
    servers: ['hub'],
    objects: () => [...[home, ...clusters].map(namespace), ...setCrds],
    replicas: 2,
    start: process => start(process, isAway),
    script: [
      publish('fleet', [sooner, later]),
      { ...create('app', [{ name: 'fleet', rolloutStrategy: strategy }], 0), creates: true },
      // In the middle of that.
      change('app', ['S3'], 2_000),
    ],
    disturbances: [
      { ...onRole('c1', 'app', { spec: { policyARNs: ['arn:aws:iam::aws:policy/Stranger'] } }), fault: 'F18' },
      { ...removes('delete c2/app', { path: `${rolesIn('c2')}/app` }, undefined), fault: 'F19' },
      { ...removes('delete c7/app', { path: `${rolesIn('c7')}/app` }, undefined), fault: 'F19' },
      { ...takesLease(home, 'sets', leaseMs), fault: 'F18' },
      { ...retries(path, undefined), fault: 'F18' },
      { ...asksForAWhile('paused', path, 40_000), fault: 'F18' },
      { ...asksForAWhile('rollback', path, 90_000), fault: 'F18' },
      { ...leavesForAWhile(later, 30_000), fault: 'F18' },
    ],
    ...setWorld,
    leaseMs,
    invariants: [
      { code: 'sees', check: seesTheWorld },
      ...steeringInvariants({
        path,
        always: sooner.filter(cluster => !isAway(cluster)),
        failuresMax: Math.ceil(size.clusters / 10),
      }),
      {
        code: 'in-flight',
        check: (effect, world) =>
          withinTheWindow(
            effect,
            world,
            clusters.filter(name => !isAway(name)),
            { window: size.window, failures: Math.ceil(size.clusters / 10) },
          ),
      },
    ],
    endsAs: withoutPastSteering,
    unfinished: world => unfinished(world, clusters, isAway),
    // Roles that were made before the clock of who leads jumped two hours back run out of time when it has come there again, maybe at half the rate.
    settleMs: 16_200_000,
    settleStreamsMs: 600_000,
  }
}

/** Every other cluster of the group. */
function leavesForAWhile(group: readonly string[], forMs: number): Deed {
  const leaves = choose(
    'fleet',
    1,
    group.filter((_, index) => index % 2 === 0),
    0,
  )
  return deed('half of a group leaves for a while', undefined, undefined, async world => {
    await leaves.run(world)
    world.parkDeed(choose('fleet', 1, group, forMs))
  })
}

type IsAway = (cluster: string) => boolean

function start(process: ProcessContext, isAway: IsAway): Promise<void> {
  return runProbed(process, {
    controllers: [createReplicaSetController({}), standIn(isAway)],
    lease: { namespace: home, name: 'sets' },
    leaseMs,
  })
}

/** The Role controller, as far as a set sees it. */
const standIn = (isAway: IsAway): AnyController =>
  defineController<ServiceAccountRole | undefined>({
    name: 'roles',
    claims: roleSource,
    reconciler: {
      observe: (key: ObjectKey, world: Reads) => world.find<ServiceAccountRole>(roleKind.type, key),
      decide: role => {
        const isThere = role !== undefined && role.metadata.deletionTimestamp === undefined
        const said = isAway(role?.metadata.namespace ?? '')
          ? ({ type: 'Ready', status: 'False', reason: 'TargetClusterUnavailable', message: 'it is away' } as const)
          : ({ type: 'Ready', status: 'True', reason: 'Ready', message: 'delivered' } as const)
        return { actions: [], conditions: isThere ? [said] : [], next: { kind: 'await-change' } }
      },
    },
  })

/** Never more begun and not Ready than the window, besides those whose cluster is away or whose time ran out: others take their places. */
function withinTheWindow(
  { by, before, after, subresource, sentAtMs }: Effect,
  world: World,
  living: readonly string[],
  { window, failures }: { readonly window: number; readonly failures: number },
): string | undefined {
  if (by === 'user' || after === undefined || roleOf(after) !== 'external' || subresource !== undefined) return undefined
  if (before !== undefined && before.metadata.generation === after.metadata.generation) return undefined
  const set = setOf(world)
  if (set === undefined) return undefined
  const inFlight = living.filter(cluster => {
    const role = roleIn(world, cluster)
    return role !== undefined && isInFlight(world, role)
  })
  // No more of them than may fail: with more nothing is begun.
  const late = inFlight.filter(cluster => isToldLate(set, cluster) || isOutOfTime(roleIn(world, cluster), sentAtMs))
  const counted = inFlight.length - Math.min(late.length, failures)
  return counted > window ? `${counted} clusters are in flight` : undefined
}

/** Whoever leads next keeps to it, also by a clock that is behind. */
function isToldLate({ status }: ReplicaSet, cluster: string): boolean {
  return status?.clusters?.some(({ clusterName, phase }) => clusterName === cluster && phase === 'TimedOut') === true
}

/** By the clock of who writes: also a living one is, whose status is refused for a minute (F16). */
function isOutOfTime(role: ServiceAccountRole | undefined, nowMs: number): boolean {
  if (role === undefined) return false
  const { metadata, status } = role
  const ready = findCondition(status?.conditions, 'Ready')
  const written = (metadata.managedFields ?? []).filter(({ subresource }) => subresource === undefined)
  const begun = [metadata.creationTimestamp, ready?.lastTransitionTime, ...written.map(({ time }) => time)]
  const beganAtMs = Math.max(...begun.flatMap(time => (typeof time === 'string' ? [Date.parse(time)] : [])))
  return nowMs - beganAtMs >= deadlineMs
}

function setOf(world: World): ReplicaSet | undefined {
  return world.find('hub', path) as ReplicaSet | undefined
}

function roleIn(world: World, cluster: string): ServiceAccountRole | undefined {
  return world.find('hub', `${rolesIn(cluster)}/app`) as ServiceAccountRole | undefined
}

function unfinished(world: World, clusters: readonly string[], isAway: IsAway): string | undefined {
  const set = setOf(world)
  if (set === undefined) return 'there is no set'
  for (const cluster of clusters) {
    const role = roleIn(world, cluster) as (ServiceAccountRole & KubeObject) | undefined
    if (role === undefined) return `${cluster} has no Role`
    if (ownerUidOf(role) !== set.metadata.uid || !isOfSet(role, set)) return `${cluster} has another Role`
    if (isWell(role) === isAway(cluster)) return `${cluster} is Ready, or not, and ought not to be`
  }
  const { status } = set
  const counted = [status?.selectedClusterCount ?? 0, status?.readyClusterCount ?? 0]
  if (counted.join() !== [clusters.length, clusters.filter(name => !isAway(name)).length].join())
    return `it counts ${counted.join()}`
  const late = clusters.filter(isAway).length
  // A minute by the clock of whoever leads, which may run at half the rate.
  const timedOut = status?.placements?.[0]?.rollout?.timedOut ?? 0
  if (timedOut !== late) return `${timedOut} of ${late} have run out of time`
  if ((status?.clusters?.length ?? 0) > 100) return `its status names ${status?.clusters?.length} clusters`
  if (findCondition(status?.conditions, 'Ready')?.status !== 'False') return 'it is Ready without those that are away'
  return unsteered(set)
}
