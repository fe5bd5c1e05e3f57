// The kinds of the workload identity operator and the names that other programs read. Other operators may import this file, and only it;
// whoever uses what the operator made comes in by it as `#operators/identity/api`.
export { type ConditionType, conditionTypes, type Reason, reasons } from './api/conditions.ts'
export {
  type ConfigSpec,
  type ConfigStatus,
  configKind,
  type DeliveryType,
  type OperatorConfig,
  type OperatorConfigSpec,
  operatorConfigKind,
  type Publication,
  type ReplicaSetSpec,
  type ReplicaSetStatus,
  type RoleSpec,
  type RoleStatus,
  renderIdentityCrds,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
  type ServiceAccountRoleReplicaSet,
  type WorkloadIdentityConfig,
} from './api/kinds.ts'
export {
  annotations,
  audience,
  finalizers,
  group,
  labels,
  operatorName,
  reservedLabelKeys,
  roleArnAnnotation,
  singletonName,
  webhookNamespaceDefault,
} from './api/labels.ts'
export { patterns } from './api/patterns.ts'
export type { AckResourceEntry } from './api/status.ts'
export {
  associationKind,
  bucketKind,
  type ChildKind,
  policyKind,
  providerKind,
  roleKind as iamRoleKind,
} from './children/kinds.ts'
export { propertiesOf, propertyNames } from './inventory/properties.ts'
export { ownerLabel, signingSecretName } from './names.ts'
