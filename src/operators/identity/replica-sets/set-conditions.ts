// Conditions of a ReplicaSet, in the words of the closed lists.
import type { Condition, ConditionStatus } from '#kube'
import type { ConditionType, Reason } from '../api/conditions.ts'

export function setCondition(type: ConditionType, status: ConditionStatus, reason: Reason, message: string): Condition {
  return { type, status, reason, message }
}

/** The condition that is not fulfilled, and `Ready` for the same reason (§4.1). */
export function failSet(type: ConditionType, reason: Reason, message: string): readonly Condition[] {
  return [setCondition(type, 'False', reason, message), setCondition('Ready', 'False', reason, message)]
}
