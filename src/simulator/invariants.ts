// The safety invariants `S` of docs/rules/reliability.md that can be stated for any controller of claims and external objects. Each looks at one
// effect in the world it took hold in.
import type { KubeObject } from '#kube'
import type { Effect } from './effects.ts'
import type { Invariant } from './subject.ts'
import { cloudName } from './world/cloud.ts'
import type { World } from './world/world.ts'

interface ConditionShape {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly observedGeneration?: number
}

export const safetyInvariants: readonly Invariant[] = [
  { code: 'S1', check: onExternal(atMostOneExternal) },
  { code: 'S2', check: onExternal(foreignUntouched) },
  { code: 'S4', check: onExternal(destructionIsExact) },
  { code: 'S5', check: onExternal(finalizerFirst) },
  { code: 'S6', check: onClaim(finalizerLast) },
  // After S6, which notes what was released by hand: with the last finalizer the claim may go in the same effect.
  { code: 'S3', check: (_, world) => unclaimed(world) },
  { code: 'S7', check: fenced },
  { code: 'S8', check: onClaim(successIsOfItsGeneration) },
  { code: 'S21', check: onClaim(conditionRules) },
]

type Check = Invariant['check']

function onExternal(check: Check): Check {
  return (effect, world) => {
    const object = effect.after ?? effect.before
    return object !== undefined && world.subject.roleOf(object) === 'external' ? check(effect, world) : undefined
  }
}

function onClaim(check: Check): Check {
  return (effect, world) => {
    const object = effect.after ?? effect.before
    return object !== undefined && world.subject.roleOf(object) === 'claim' ? check(effect, world) : undefined
  }
}

/** S1: at most one external object exists for a claim and a purpose. */
function atMostOneExternal(effect: Effect, world: World): string | undefined {
  const { subject } = world
  if (effect.after === undefined) return undefined
  const owner = subject.ownerUidOf(effect.after, world)
  if (owner === undefined) return undefined
  const purpose = subject.purposeOf(effect.after, effect.server)
  for (const [server, shadow] of world.shadows) {
    for (const object of shadow.objects.values()) {
      if (object.metadata.uid === effect.after.metadata.uid || subject.roleOf(object) !== 'external') continue
      if (subject.ownerUidOf(object, world) === owner && subject.purposeOf(object, server) === purpose) {
        return `two objects for ${purpose}: ${nameOf(object)} and ${nameOf(effect.after)}`
      }
    }
  }
  return undefined
}

/** S2: no object with a missing or foreign mark is changed or deleted by a process. */
function foreignUntouched(effect: Effect, world: World): string | undefined {
  if (effect.by === 'user' || effect.before === undefined || sameVersion(effect)) return undefined
  if (effect.subresource === 'status' && world.subject.statusIsOfStandIn === true) return undefined
  return world.subject.ownerUidOf(effect.before, world) === undefined
    ? `${effect.by} ${effect.method} ${nameOf(effect.before)}, which carries no mark of ours`
    : undefined
}

/** S3: every object with our mark has a living or terminating claim. */
function unclaimed(world: World): string | undefined {
  const { subject } = world
  for (const shadow of world.shadows.values()) {
    for (const object of shadow.objects.values()) {
      if (subject.roleOf(object) !== 'external') continue
      const owner = subject.ownerUidOf(object, world)
      if (owner !== undefined && claimOf(world, owner) === undefined && !world.released.has(owner))
        return `${nameOf(object)} has no claim`
    }
  }
  return undefined
}

/** S4: a delete carries the uid it was decided for, and that object is unwanted when the delete takes hold. */
function destructionIsExact(effect: Effect, world: World): string | undefined {
  if (effect.by === 'user' || effect.method !== 'DELETE' || effect.before === undefined) return undefined
  const uid = (effect.body as { preconditions?: { uid?: string } } | undefined)?.preconditions?.uid
  // AWS takes no preconditions; its names are made of the claim's uid, and what carries another mark is not touched (S2).
  if (uid === undefined && effect.server !== cloudName)
    return `${effect.by} deletes ${nameOf(effect.before)} without a uid precondition`
  const owner = world.subject.ownerUidOf(effect.before, world)
  const claim = owner === undefined ? undefined : claimOf(world, owner)
  if (
    claim !== undefined &&
    claim.metadata.deletionTimestamp === undefined &&
    world.subject.isWanted(claim, effect.before, effect.server)
  ) {
    return `${effect.by} deletes ${nameOf(effect.before)}, which its claim wants`
  }
  return undefined
}

/** S5: the finalizer was durable before the claim's first external effect. */
function finalizerFirst(effect: Effect, world: World): string | undefined {
  if (effect.by === 'user' || effect.before !== undefined || effect.after === undefined) return undefined
  const owner = world.subject.ownerUidOf(effect.after, world)
  const claim = owner === undefined ? undefined : claimOf(world, owner)
  if (claim === undefined)
    return isOvertaken(effect, owner ?? '', world)
      ? undefined
      : `${effect.by} creates ${nameOf(effect.after)} for a claim that is not there`
  // Taken off by hand between our look and our write (F20). The rule speaks of the claim's first effect, before which it was durable; the
  // next look puts it back, and from then on the rule holds again.
  if (world.released.has(claim.metadata.uid ?? '')) return undefined
  return claim.metadata.finalizers?.includes(finalizerOf(claim, world))
    ? undefined
    : `${effect.by} creates ${nameOf(effect.after)} before the claim has its finalizer`
}

/**
 * Somebody took the finalizer off by hand (F20), or deleted a claim that keeps what it made, after this very pass had been told by the server
 * that the claim is there and held. No look is later than the call that follows it; what was made is whose hand that was.
 */
function isOvertaken({ by, sentStep }: Effect, owner: string, world: World): boolean {
  return sentStep !== undefined && world.released.has(owner) && world.chronicle.sawHeld(by, owner, sentStep)
}

/** S6: the finalizer goes only after each external object is gone. */
function finalizerLast(effect: Effect, world: World): string | undefined {
  const object = effect.after ?? effect.before
  const finalizer = object === undefined ? '' : finalizerOf(object, world)
  const had = effect.before?.metadata.finalizers?.includes(finalizer) ?? false
  const has = effect.after?.metadata.finalizers?.includes(finalizer) ?? false
  const uid = effect.before?.metadata.uid
  // Put back by a process: what the claim made is its own again.
  if (!had && has && effect.by !== 'user') world.chronicle.takeBack(effect.after?.metadata.uid ?? '')
  if (!had || has || uid === undefined) return undefined
  if (effect.by === 'user') {
    // Whoever takes the finalizer off by hand takes the leftovers over (F20).
    world.chronicle.release(uid)
    return undefined
  }
  for (const shadow of world.shadows.values()) {
    for (const object of shadow.objects.values()) {
      if (world.subject.roleOf(object) === 'external' && world.subject.ownerUidOf(object, world) === uid) {
        return `${effect.by} releases ${nameOf(effect.before as KubeObject)} while ${nameOf(object)} is there`
      }
    }
  }
  return undefined
}

/** S7: once a later leader has acted, an earlier one has no effect but one whose precondition made it harmless. */
function fenced(effect: Effect, world: World): string | undefined {
  const object = effect.after ?? effect.before
  if (effect.by === 'user' || object === undefined) return undefined
  const role = world.subject.roleOf(object)
  const { chronicle } = world
  if (role === 'lease') {
    const { holderIdentity = '' } = (effect.after as { spec?: { holderIdentity?: string } } | undefined)?.spec ?? {}
    chronicle.lead(holderIdentity, effect, world.subject.leaseOf === undefined ? undefined : object.metadata.name)
    return undefined
  }
  const lease = world.subject.leaseOf?.(object.metadata.namespace ?? '')
  const leader = chronicle.leader(lease)
  if (role === 'event' || leader.holder === '') return undefined
  if (effect.by === leader.process && effect.epoch === leader.epoch) {
    chronicle.leaderActed(lease)
    return undefined
  }
  if (!leader.hasActed || hasPrecondition(effect)) return undefined
  return `${effect.by} (life ${effect.epoch}) writes ${nameOf(object)} after ${leader.process} (life ${leader.epoch}) has acted as leader`
}

/** S8: success is reported for the generation that the status itself names, and never for one that is not there yet. */
function successIsOfItsGeneration(effect: Effect, world: World): string | undefined {
  const claim = effect.after
  if (claim === undefined || effect.by === 'user') return undefined
  // Kinds without a spec have no generation: there is nothing that a status could be late for.
  const generation = claim.metadata.generation
  if (generation === undefined) return undefined
  for (const condition of conditionsOf(claim, world)) {
    const observed = condition.observedGeneration ?? statusOf(claim, world)?.observedGeneration
    if (observed === undefined && condition.status === 'True' && world.subject.observesGeneration !== false)
      return `${condition.type}=True without an observedGeneration`
    if (observed !== undefined && observed > generation)
      return `${condition.type} observed generation ${observed} of ${generation}`
  }
  return undefined
}

/** S21: one condition per type, transition time only on change, reason from the closed list, message bounded. */
function conditionRules(effect: Effect, world: World): string | undefined {
  if (effect.after === undefined || effect.by === 'user') return undefined
  const before = new Map(conditionsOf(effect.before, world).map(condition => [condition.type, condition]))
  const seen = new Set<string>()
  for (const condition of conditionsOf(effect.after, world)) {
    if (seen.has(condition.type)) return `two conditions of type ${condition.type}`
    seen.add(condition.type)
    if (!world.subject.reasons.includes(condition.reason ?? ''))
      return `reason ${condition.reason} of ${condition.type} is not in the closed list`
    if ((condition.message ?? '').length > 32_768) return `message of ${condition.type} is not bounded`
    const old = before.get(condition.type)
    if (old === undefined) continue
    const moved = old.lastTransitionTime !== condition.lastTransitionTime
    const changed = old.status !== condition.status
    if (moved && !changed) return `${condition.type}: transition time moved without a change of status`
    // Kubernetes keeps whole seconds: two changes within one second bear the same time, and rightly so.
    const ageMs = effect.sentAtMs - Date.parse(condition.lastTransitionTime ?? '')
    if (changed && !moved && (ageMs < 0 || ageMs >= 1_000))
      return `${condition.type}: transition time stayed despite a change of status`
  }
  return undefined
}

function finalizerOf(claim: KubeObject, { subject: { finalizer } }: World): string {
  return typeof finalizer === 'string' ? finalizer : finalizer(claim)
}

/** The living or terminating claim with this uid. */
function claimOf(world: World, uid: string): KubeObject | undefined {
  for (const object of world.objects()) if (object.metadata.uid === uid && world.subject.roleOf(object) === 'claim') return object
  return undefined
}

function sameVersion(effect: Effect): boolean {
  return effect.before?.metadata.resourceVersion === effect.after?.metadata.resourceVersion
}

/** A late write is harmless when it takes hold only on the very state it was decided on; a uid alone is not enough for that. */
function hasPrecondition(effect: Effect): boolean {
  if (effect.method === 'POST') return effect.before === undefined
  if (Array.isArray(effect.body)) {
    return (effect.body as { op?: string; path?: string }[]).some(({ op, path }) => op === 'test' && path !== '/metadata/uid')
  }
  const body = effect.body as
    | { preconditions?: { resourceVersion?: string }; metadata?: { resourceVersion?: string } }
    | undefined
  return body?.preconditions?.resourceVersion !== undefined || body?.metadata?.resourceVersion !== undefined
}

interface StatusShape {
  readonly conditions?: readonly ConditionShape[]
  readonly observedGeneration?: number
}

function statusOf(object: KubeObject | undefined, world: World): StatusShape | undefined {
  if (object === undefined) return undefined
  const status = world.subject.statusOf === undefined ? (object as { status?: unknown }).status : world.subject.statusOf(object)
  return (status ?? undefined) as StatusShape | undefined
}

function conditionsOf(object: KubeObject | undefined, world: World): readonly ConditionShape[] {
  return statusOf(object, world)?.conditions ?? []
}

function nameOf(object: KubeObject): string {
  return `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`
}
