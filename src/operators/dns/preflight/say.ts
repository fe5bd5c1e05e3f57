// One condition that a try gives.
import type { Condition, ConditionStatus } from '#kube'

export function say(type: string, status: ConditionStatus, reason: string, message: string): Condition {
  return { type, status, reason, message }
}
