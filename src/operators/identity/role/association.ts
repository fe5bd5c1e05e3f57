// The association that makes EKS hand out the role (§4.3, 5.6).
import { type Condition, controllerOf } from '#kube'
import type { Action, OwnAction } from '#runtime'
import type { ChildParent } from '../children/child.ts'
import { childCondition } from '../children/ready.ts'
import type { ClusterProperties } from '../inventory/properties.ts'
import { bindingCondition } from './binding-conditions.ts'
import { type ResourceStates, type RoleResources, resourceNames } from './resources.ts'
import type { RoleSeen } from './seen.ts'

export interface AssociationDecision<Own extends OwnAction> {
  readonly actions: readonly Action<Own>[]
  /** Absent while the role has no ARN. */
  readonly condition?: Condition
  /** A stranger has its name. */
  readonly stop?: Condition
}

export function decideAssociation<S extends ResourceStates, Own extends OwnAction>(
  seen: RoleSeen<S>,
  { eksClusterName = '' }: ClusterProperties,
  parent: ChildParent,
  resources: RoleResources<S, Own>,
): AssociationDecision<Own> {
  const { claim, resources: states } = seen
  const roleArn = states.role.arn
  if (roleArn === undefined) return { actions: [] }
  const readiness = { condition: 'PodIdentityAssociationReady', noun: 'EKS pod identity association', needsArn: false } as const
  const condition = collision(seen) ?? childCondition(states.association, readiness)
  if (states.association.owned === 'foreign') return { actions: [], condition, stop: condition }
  const actions = resources.ensureAssociation(states, parent, {
    name: resourceNames(claim).association,
    uid: claim.metadata.uid,
    clusterName: eksClusterName,
    serviceAccount: claim.spec.serviceAccount,
    roleArn,
  })
  return { actions, condition }
}

/** Names of associations are not hashed: two bindings can want the same one, and the second is told so (14.1 L6). */
function collision({ claim, resources: { association } }: RoleSeen): Condition | undefined {
  if (association.owned !== 'foreign' || association.object === undefined) return undefined
  const controller = controllerOf(association.object)
  if (controller?.kind !== claim.kind) return undefined
  const message =
    `the association of AWSServiceAccountRole/${controller.name} has the name ${association.object.metadata.name}, ` +
    'which this binding needs as well: give one of the two another name'
  return bindingCondition('PodIdentityAssociationReady', 'False', 'InvalidSpec', message)
}
