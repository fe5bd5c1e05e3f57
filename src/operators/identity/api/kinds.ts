// The four kinds of the group, in the order in which a person meets them.
import { type CustomResourceDefinition, renderCrd } from '#kube'
import { configKind } from './config-kind.ts'
import { operatorConfigKind } from './operator-config-kind.ts'
import { replicaSetKind } from './replica-set-kind.ts'
import { roleKind } from './role-kind.ts'

export {
  type ConfigSpec,
  type ConfigStatus,
  configKind,
  type DeliveryType,
  type Publication,
  type WorkloadIdentityConfig,
} from './config-kind.ts'
export {
  type OperatorConfig,
  type OperatorConfigSpec,
  operatorConfigKind,
  type RoleNames,
} from './operator-config-kind.ts'
export {
  type ClusterPhase,
  type ClusterStatus,
  type FailedCluster,
  type PlacementRef,
  type PlacementStatus,
  type ReplicaSetSpec,
  type ReplicaSetStatus,
  type ReplicaSetTemplate,
  type RolloutSummary,
  replicaSetKind,
  type ServiceAccountRoleReplicaSet,
} from './replica-set-kind.ts'
export { type RoleSpec, type RoleStatus, roleKind, type ServiceAccountRole } from './role-kind.ts'

/** The CustomResourceDefinitions, ready to be applied. */
export function renderIdentityCrds(): readonly CustomResourceDefinition[] {
  return [renderCrd(operatorConfigKind), renderCrd(configKind), renderCrd(roleKind), renderCrd(replicaSetKind)]
}
