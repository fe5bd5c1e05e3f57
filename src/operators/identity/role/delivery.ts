// How the role reaches the pods: by annotations on the ServiceAccount of the target, or by an association in EKS (§4.3).
import type { RoleArn } from '#aws'
import { given } from '#base'
import type { Condition, StoredCondition } from '#kube'
import type { Action } from '#runtime'
import type { RoleStatus, ServiceAccountRole } from '../api/kinds.ts'
import { type ClusterProperties, propertyNames } from '../inventory/properties.ts'
import {
  type AnnotationDecision,
  decideAnnotation,
  decideAnnotationRemoval,
  type ForeignAnnotation,
} from '../target/annotation.ts'
import { bindingCondition, heldCondition } from './binding-conditions.ts'
import type { RoleSeen } from './seen.ts'

export interface DeliveryPlan {
  readonly actions: readonly Action[]
  readonly conditions: readonly Condition[]
  /** Nothing was done, since what a deletion needs has to be written down first. */
  readonly gated?: boolean
  readonly lookAgainMs?: number
}

export interface Recorded extends Pick<RoleStatus, 'deliveryType' | 'resolvedClusterName'> {
  readonly roleARN?: RoleArn
}

/**
 * Whoever deletes the binding has to find the cluster and the ARN before an annotation can exist. A status that says nothing yet does
 * no harm: the role itself (label or tag `delivery`, its name made of our uid) is found first, and was there first. A status that says
 * something else would send the deletion elsewhere, so it is corrected before the target is touched (case 132).
 */
export function isRecorded(held: RoleStatus | undefined, wanted: Recorded): boolean {
  return (['deliveryType', 'resolvedClusterName', 'roleARN'] as const).every(
    name => held?.[name] === undefined || held[name] === wanted[name],
  )
}

export function decideAnnotationDelivery(seen: RoleSeen, wanted: Recorded, foreign?: ForeignAnnotation): DeliveryPlan {
  const { claim, annotation } = seen
  const { roleARN } = wanted
  if (roleARN === undefined) {
    return {
      actions: [],
      conditions: [bindingCondition('ServiceAccountAnnotationReady', 'False', 'WaitingForACK', 'the role has no ARN yet')],
    }
  }
  if (!isRecorded(claim.status, wanted)) {
    const message = 'cluster and role are recorded in the status before the ServiceAccount is annotated'
    return {
      actions: [],
      conditions: [bindingCondition('ServiceAccountAnnotationReady', 'False', 'RemoteDeliveryPending', message)],
      gated: true,
    }
  }
  if (annotation === undefined) {
    // The recorded delivery was EKS's, so the target was not looked at; the record is corrected first, and then it is.
    const message = 'the target has not been looked at yet'
    return {
      actions: [],
      conditions: [bindingCondition('ServiceAccountAnnotationReady', 'False', 'RemoteDeliveryPending', message)],
      gated: true,
    }
  }
  const current = heldCondition(claim, 'ServiceAccountAnnotationReady')
  const decision = decideAnnotation(annotation, {
    roleArn: roleARN,
    otherRoleArn: seen.resources.other.arn,
    current,
    regarding: referenceTo(claim),
    foreign,
  })
  return {
    actions: decision.actions,
    conditions: [stillRepaired(claim, current, decision) ?? decision.condition],
    ...given({ lookAgainMs: decision.lookAgainMs }),
  }
}

/** That the annotation was put right stays said until the spec changes: taking the word back at once would be one more write (M4). */
function stillRepaired(
  { metadata }: ServiceAccountRole,
  held: StoredCondition | undefined,
  { actions, condition }: AnnotationDecision,
): Condition | undefined {
  if (held?.reason !== 'AnnotationRepaired' || held.observedGeneration !== metadata.generation) return undefined
  if (actions.length > 0 || condition.status !== 'True') return undefined
  const { type, status, reason, message } = held
  return { type, status, reason, message }
}

/** Whether the agent that hands out credentials runs there, which only the inventory knows (14.1 L1). */
export function agentCondition({ eksAutoMode, podIdentityAgent }: ClusterProperties): Condition {
  if (eksAutoMode) return bindingCondition('PodIdentityAgentReady', 'True', 'EKSAutoMode', 'EKS Auto Mode runs the agent')
  switch (podIdentityAgent) {
    case 'ready':
      return bindingCondition('PodIdentityAgentReady', 'True', 'Ready', 'the inventory says that the agent runs')
    case 'missing':
      return bindingCondition(
        'PodIdentityAgentReady',
        'False',
        'RemoteDeliveryPending',
        'the inventory says that the agent is missing: install the add-on eks-pod-identity-agent',
      )
    default:
      return bindingCondition(
        'PodIdentityAgentReady',
        'Unknown',
        'RemoteCheckPending',
        `nothing is known of the agent: set the property ${propertyNames.podIdentityAgent} of the ClusterProfile to ready`,
      )
  }
}

/** An annotation that an earlier delivery left, where EKS delivers now: it would send pods to a role that does not trust them. */
export function decideLeftAnnotation(seen: RoleSeen): readonly Action[] {
  const { deliveryType, roleARN } = seen.claim.status ?? {}
  if (deliveryType === undefined || deliveryType === 'EKSPodIdentity' || roleARN === undefined) return []
  return seen.annotation === undefined ? [] : decideAnnotationRemoval(seen.annotation, { roleArn: roleARN }).actions
}

function referenceTo({ apiVersion, kind, metadata }: ServiceAccountRole): {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
} {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid }
}
