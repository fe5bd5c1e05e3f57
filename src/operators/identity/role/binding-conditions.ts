// Conditions of a binding, in the words of the spec's closed lists.
import type { Condition, ConditionStatus, StoredCondition } from '#kube'
import type { ConditionType, Reason } from '../api/conditions.ts'
import type { ServiceAccountRole } from '../api/kinds.ts'

export function bindingCondition(type: ConditionType, status: ConditionStatus, reason: Reason, message: string): Condition {
  return { type, status, reason, message }
}

/** "Fail ready": the condition that is not fulfilled, and `Ready` for the same reason (§4.1). */
export function failReady(type: ConditionType, reason: Reason, message: string): readonly Condition[] {
  return [bindingCondition(type, 'False', reason, message), bindingCondition('Ready', 'False', reason, message)]
}

/** What stands there now. */
export function heldCondition(claim: ServiceAccountRole, type: ConditionType): StoredCondition | undefined {
  return claim.status?.conditions?.find(condition => condition.type === type)
}
