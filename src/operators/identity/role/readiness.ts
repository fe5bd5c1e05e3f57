// `DeliveryReady` and `Ready`: the first row that fits (§4.3).
import { type Condition, findCondition, isConditionTrue } from '#kube'
import type { Reason } from '../api/conditions.ts'
import type { DeliveryType, WorkloadIdentityConfig } from '../api/kinds.ts'
import { bindingCondition } from './binding-conditions.ts'

export interface ReadinessInput {
  readonly delivery: DeliveryType
  readonly config: WorkloadIdentityConfig
  /** What is said besides. */
  readonly conditions: readonly Condition[]
  /** Of the conditions, those of children that are refused for good. */
  readonly refusedTypes: readonly string[]
}

export function readinessOf({ delivery, config, conditions, refusedTypes }: ReadinessInput): readonly Condition[] {
  const find = (type: string): Condition | undefined => conditions.find(condition => condition.type === type)
  const isTrue = (type: string): boolean => find(type)?.status === 'True'
  const not = (reason: Reason, message: string): readonly Condition[] => [
    bindingCondition('DeliveryReady', 'False', reason, message),
    bindingCondition('Ready', 'False', reason, message),
  ]
  const because = (type: string, otherwise: string): string => find(type)?.message ?? otherwise
  // What will not pass by itself is said first.
  const refused = conditions.find(({ type }) => refusedTypes.includes(type))
  if (refused !== undefined) return not('WaitingForACK', refused.message)
  if (!isTrue('RoleReady')) return not('WaitingForACK', because('RoleReady', 'the IAM role is not ready'))
  if (!isTrue('PolicyReady')) return not('WaitingForACK', because('PolicyReady', 'the IAM policy is not ready'))
  if (delivery !== 'EKSPodIdentity') {
    if (!isTrue('ServiceAccountAnnotationReady')) {
      return not('RemoteDeliveryPending', because('ServiceAccountAnnotationReady', 'the ServiceAccount is not annotated'))
    }
    if (!isConditionTrue(config, 'Ready')) {
      return not('ConfigNotReady', whyNotReady(config))
    }
  } else {
    if (!isTrue('PodIdentityAssociationReady')) {
      return not('WaitingForACK', because('PodIdentityAssociationReady', 'the association is not ready'))
    }
    const agent = find('PodIdentityAgentReady')
    if (agent === undefined || agent.status === 'Unknown') {
      return not('RemoteCheckPending', agent?.message ?? 'nothing is known of the agent')
    }
    if (agent.status === 'False') return not('RemoteDeliveryPending', agent.message)
  }
  const message = 'the role is delivered'
  return [
    bindingCondition('DeliveryReady', 'True', 'HubResourcesReady', message),
    bindingCondition('Ready', 'True', 'Ready', message),
  ]
}

/** In the Config's own words: whoever reads a Role may not be allowed to read the Config. */
export function whyNotReady({ status }: WorkloadIdentityConfig): string {
  const ready = findCondition(status?.conditions, 'Ready')
  if (ready === undefined) return 'AWSWorkloadIdentityConfig/default has not been looked at yet'
  if (ready.status === 'True') return 'AWSWorkloadIdentityConfig/default was changed and has not been looked at since'
  return `AWSWorkloadIdentityConfig/default is not Ready: ${ready.reason}: ${ready.message}`
}
