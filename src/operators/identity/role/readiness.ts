// `DeliveryReady` and `Ready`: the first row that fits (§4.3).
import { type Condition, isConditionTrue } from '#kube'
import type { Reason } from '../api/conditions.ts'
import type { DeliveryType, WorkloadIdentityConfig } from '../api/kinds.ts'
import { bindingCondition } from './binding-conditions.ts'

export interface ReadinessInput {
  readonly delivery: DeliveryType
  readonly config: WorkloadIdentityConfig
  /** What is said besides. */
  readonly conditions: readonly Condition[]
}

export function readinessOf({ delivery, config, conditions }: ReadinessInput): readonly Condition[] {
  const find = (type: string): Condition | undefined => conditions.find(condition => condition.type === type)
  const isTrue = (type: string): boolean => find(type)?.status === 'True'
  const not = (reason: Reason, message: string): readonly Condition[] => [
    bindingCondition('DeliveryReady', 'False', reason, message),
    bindingCondition('Ready', 'False', reason, message),
  ]
  const because = (type: string, otherwise: string): string => find(type)?.message ?? otherwise
  if (!isTrue('RoleReady')) return not('WaitingForACK', because('RoleReady', 'the IAM role is not ready'))
  if (!isTrue('PolicyReady')) return not('WaitingForACK', because('PolicyReady', 'the IAM policy is not ready'))
  if (delivery !== 'EKSPodIdentity') {
    if (!isTrue('ServiceAccountAnnotationReady')) {
      return not('RemoteDeliveryPending', because('ServiceAccountAnnotationReady', 'the ServiceAccount is not annotated'))
    }
    if (!isConditionTrue(config, 'Ready')) {
      return not('ConfigNotReady', 'AWSWorkloadIdentityConfig/default is not Ready; its conditions say why')
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
