// What a pass says of a binding when something failed: the condition of the very step, with what stands in its way, and what is known
// all the same (§4.3: apply errors).
import { type Condition, findCondition, serviceAccounts } from '#kube'
import { foldOutcomes, type Outcome, type OwnAction, type Report, type ReportInput } from '#runtime'
import type { ConditionType, Reason } from '../api/conditions.ts'
import { bindingCondition } from './binding-conditions.ts'
import type { ResourceName, ResourceStates, RoleResources } from './resources.ts'
import type { RoleSeen } from './seen.ts'

const conditionOf: Readonly<Record<ResourceName, ConditionType>> = {
  role: 'RoleReady',
  policy: 'PolicyReady',
  association: 'PodIdentityAssociationReady',
  other: 'RoleMigrated',
}

export function reportRole<S extends ResourceStates, Own extends OwnAction>(
  input: ReportInput<Own> & { readonly seen: RoleSeen<S> | undefined },
  resources: Pick<RoleResources<S, Own>, 'resourceOf' | 'settlesAtOnce'>,
): Report | undefined {
  // Whether it is worth telling is the engine's rule: no conflict, no first bad weather.
  const folded = foldOutcomes(input)
  const failed = input.outcomes.find(outcome => outcome.kind === 'failed')
  if (folded === undefined) return undefined
  if (failed?.kind !== 'failed') return leavesStatus(input) ? undefined : withoutUnsettled(folded, input, resources)
  const { seen } = input
  if (seen === undefined) return folded
  const plan = { conditions: withoutUndone(input, resources) }
  const { message } = failed.trouble
  const step = stepOf(failed, resources, seen.claim)
  if (seen.claim.metadata.deletionTimestamp !== undefined) {
    const reason: Reason = step === 'annotation' ? 'RemoteClusterUnavailable' : 'ChildApplyFailed'
    return step === undefined ? folded : { conditions: [bindingCondition('DeletionBlocked', 'True', reason, message)] }
  }
  // The finalizer, or an event: nothing of the binding's own, and the reason is one of the closed list all the same.
  if (step === undefined)
    return { conditions: replace(plan.conditions, [bindingCondition('Ready', 'False', 'ResolverError', message)]) }
  // A failure at the other role leaves the binding Ready, since the role in force works.
  if (step === 'other')
    return { conditions: replace(plan.conditions, [bindingCondition('RoleMigrated', 'False', 'RoleMigrating', message)]) }
  if (step !== 'annotation' && resources.settlesAtOnce === true) return notSynced(plan.conditions, conditionOf[step], message)
  const reason: Reason = step === 'annotation' ? 'RemoteDeliveryPending' : 'ChildApplyFailed'
  const type: ConditionType = step === 'annotation' ? 'ServiceAccountAnnotationReady' : conditionOf[step]
  const summary = [
    bindingCondition('DeliveryReady', 'False', reason, message),
    bindingCondition('Ready', 'False', reason, message),
  ]
  return { conditions: replace(plan.conditions, [bindingCondition(type, 'False', reason, message), ...summary]) }
}

/** Of an annotation that was to come after what failed, what was said before stays said. */
function withoutUndone<S extends ResourceStates, Own extends OwnAction>(
  { plan, outcomes, seen }: ReportInput<Own> & { readonly seen: RoleSeen<S> | undefined },
  resources: Pick<RoleResources<S, Own>, 'resourceOf'>,
): readonly Condition[] {
  const isUndone = outcomes.some(outcome => outcome.kind !== 'done' && stepOf(outcome, resources, seen?.claim) === 'annotation')
  return isUndone ? plan.conditions.filter(({ type }) => type !== 'ServiceAccountAnnotationReady') : plan.conditions
}

/** AWS refused us as it would have refused ACK, and it is said in the same conditions. */
function notSynced(conditions: readonly Condition[], type: ConditionType, message: string): Report {
  const summary = [
    bindingCondition('DeliveryReady', 'False', 'WaitingForACK', message),
    bindingCondition('Ready', 'False', 'WaitingForACK', message),
  ]
  return { conditions: replace(conditions, [bindingCondition(type, 'False', 'ACKResourceNotSynced', message), ...summary]) }
}

/**
 * A child that was changed in this very pass still says of its old spec that it is in sync. Success is not said of what AWS does not
 * have yet (S8); where it was said of this generation before, it stays said for the moment that it takes.
 */
function withoutUnsettled<S extends ResourceStates, Own extends OwnAction>(
  report: Report,
  { outcomes, current, generation, seen }: ReportInput<Own> & { readonly seen: RoleSeen<S> | undefined },
  resources: Pick<RoleResources<S, Own>, 'resourceOf' | 'settlesAtOnce'>,
): Report | undefined {
  if (resources.settlesAtOnce === true) return report
  const claimed = outcomes.flatMap(outcome => {
    const isChange = outcome.kind === 'done' && outcome.changed && (outcome.action.kind as string) !== 'delete'
    const which = isChange ? resources.resourceOf(outcome.action, seen?.claim) : undefined
    return which !== undefined && which !== 'other' && isTrue(report.conditions, conditionOf[which]) ? [which] : []
  })
  if (claimed.length === 0) return report
  const held = findCondition(current, 'Ready')
  // The write itself brings the next look, which knows that the child has not settled.
  if (held?.status !== 'True' || held.observedGeneration === generation) return undefined
  const message = 'a change was handed to ACK just now'
  const unsettled = claimed.map(which => bindingCondition(conditionOf[which], 'False', 'ACKResourceNotSynced', message))
  const summary = [
    bindingCondition('DeliveryReady', 'False', 'WaitingForACK', message),
    bindingCondition('Ready', 'False', 'WaitingForACK', message),
  ]
  return { ...report, conditions: replace(report.conditions, [...unsettled, ...summary]) }
}

/** It lasts a moment as a rule (settling.ts). */
function leavesStatus<Own extends OwnAction>({ plan: { next } }: ReportInput<Own>): boolean {
  return next.kind === 'look-again' && next.leavesStatus === true
}

function stepOf<S extends ResourceStates, Own extends OwnAction>(
  { action }: Pick<Outcome, 'action'>,
  resources: Pick<RoleResources<S, Own>, 'resourceOf'>,
  claim: RoleSeen['claim'] | undefined,
): ResourceName | 'annotation' | undefined {
  if ('cluster' in action && 'type' in action && action.type === serviceAccounts) return 'annotation'
  return resources.resourceOf(action, claim)
}

function replace(conditions: readonly Condition[], by: readonly Condition[]): readonly Condition[] {
  const kept = conditions.map(condition => by.find(({ type }) => type === condition.type) ?? condition)
  return [...kept, ...by.filter(({ type }) => !conditions.some(condition => condition.type === type))]
}

function isTrue(conditions: readonly Condition[], type: ConditionType): boolean {
  return conditions.some(condition => condition.type === type && condition.status === 'True')
}
