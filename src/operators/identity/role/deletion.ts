// The end of a binding, in the reverse order of trust (P16): the annotation that sends pods to the role, the association, the role, the
// policy, and the finalizer when each was seen gone (P5).
import type { Instant } from '#base'
import type { Condition } from '#kube'
import { type Action, emptyPlan, lookAgain, type OwnAction, type Plan } from '#runtime'
import { roleKind } from '../api/kinds.ts'
import { annotations, finalizers } from '../api/labels.ts'
import { finalizerRemoved, roleArnEnds } from '../api/own-events.ts'
import type { ChildState } from '../children/state.ts'
import { bindingCondition, heldCondition } from './binding-conditions.ts'
import { decideCleanup } from './cleanup.ts'
import { type ResourceName, type ResourceStates, type RoleResources, resourceNames, roleNamesOf } from './resources.ts'
import type { RoleSeen } from './seen.ts'
import { silentDeletionMs } from './settling.ts'

const order: readonly ResourceName[] = ['association', 'role', 'other', 'policy']
const nouns: Readonly<Record<ResourceName, string>> = {
  association: 'PodIdentityAssociation',
  role: 'Role',
  policy: 'Policy',
  other: 'Role',
}

export function decideDeletion<S extends ResourceStates, Own extends OwnAction>(
  seen: RoleSeen<S>,
  now: Instant,
  resources: RoleResources<S, Own>,
): Plan<Own> {
  const { claim } = seen
  if (claim.metadata.finalizers?.includes(finalizers.role) !== true) return emptyPlan
  const isForced = claim.metadata.annotations?.[annotations.forceDelete] === 'true'
  const cleanup = decideCleanup(seen, resources.deliveryOf(seen.resources))
  if (cleanup.kind === 'wait' && !isForced) {
    return { actions: [], conditions: [], next: lookAgain(cleanup.lookAgainMs, 'the target is being listed') }
  }
  if (cleanup.kind === 'blocked' && !isForced) {
    const condition = bindingCondition('DeletionBlocked', 'True', 'RemoteClusterUnavailable', cleanup.message)
    return { actions: [], conditions: [condition], next: lookAgain(60_000, 'the target may be back') }
  }
  // By these pods get the role. That it ends is told after the first of them has changed, and before the role goes.
  const ways = [...(cleanup.kind === 'remove' ? cleanup.actions : []), ...resources.remove(seen.resources, claim, 'association')]
  const removals = order.filter(which => which !== 'association').flatMap(which => resources.remove(seen.resources, claim, which))
  const held = order.filter(which => resources.isHeld(seen.resources, claim, which))
  const actions: readonly Action<Own>[] = [...ways, ...(ways.length > 0 ? warnOfArn(seen) : []), ...removals]
  if (actions.some(({ kind }) => kind === 'act:aws')) {
    return { actions, conditions: [], next: lookAgain(0, 'to see what is gone') }
  }
  if (actions.length > 0 || (held.length > 0 && !isForced)) return { actions, ...pending(seen, held, now) }
  return release(seen, held)
}

/**
 * Pods get the role as long as its ServiceAccount is annotated or associated. Where its name rests on our uid, nobody gets that name again.
 * The one in force counts: a former one has another in its place.
 */
function warnOfArn({ claim, resources }: RoleSeen): readonly Action[] {
  const arn = claim.status?.roleARN ?? resources.role.arn
  const endsForEver = resourceNames(claim).role === roleNamesOf(claim).ObjectUID
  return arn === undefined || !endsForEver ? [] : [roleArnEnds(claim, arn)]
}

/** What is still there, in its own words; silent for a moment, in which most of it goes. */
function pending(seen: RoleSeen, held: readonly ResourceName[], now: Instant): Pick<Plan, 'conditions' | 'next'> {
  const { claim, resources } = seen
  const leftMs = Math.max(0, ...held.map(which => silentDeletionMs(resources[which], now)))
  const isBlocked = heldCondition(claim, 'DeletionBlocked')?.status === 'True'
  if (held.length === 0 || (leftMs > 0 && !isBlocked)) {
    return { conditions: [], next: lookAgain(Math.max(1_000, leftMs), 'to tell what does not go') }
  }
  const message = `waiting for the end of ${held.map(which => describe(which, resources[which])).join('; ')}`
  const condition: Condition = bindingCondition('DeletionBlocked', 'True', 'ChildrenPending', message)
  return { conditions: [condition], next: { kind: 'await-change' } }
}

/** A block that is over is told first (case 156), then the finalizer goes. */
function release({ claim }: RoleSeen, left: readonly ResourceName[]): Plan {
  if (heldCondition(claim, 'DeletionBlocked')?.status === 'True') {
    const condition = bindingCondition('DeletionBlocked', 'False', 'DeletionUnblocked', 'nothing blocks the deletion any more')
    return { actions: [], conditions: [condition], next: { kind: 'await-change' } }
  }
  const forced = left.length === 0 ? '' : `; by force, leaving ${left.map(which => nouns[which]).join(', ')} to its controller`
  const message = `removed ${finalizers.role}${forced}`
  return {
    actions: [
      { kind: 'remove-finalizer', type: roleKind.type, object: claim, finalizer: finalizers.role },
      finalizerRemoved(claim, message),
    ],
    conditions: [],
    next: { kind: 'await-change' },
  }
}

function describe(which: ResourceName, { object, trouble }: ChildState): string {
  const name = object === undefined ? nouns[which] : `${nouns[which]} ${object.metadata.name}`
  return trouble === undefined ? name : `${name} (${trouble.message})`
}
