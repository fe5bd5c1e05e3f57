// The identity operator: from one small YAML to a pod that has its role. It watches Configs and Roles on a hub, has AWS resources made,
// and prepares the targets. It assumes no role itself and reads no token. Start with operator.ts (what a program assembles),
// then README.md (the contract), config/decide.ts and role/decide.ts (what happens when).
export { validatingConfiguration } from './admission/configuration.ts'
export { admissionHandlers, admissionPaths } from './admission/handlers.ts'
export {
  configKind,
  operatorConfigKind,
  type ReplicaSetStatus,
  renderIdentityCrds,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
  type ServiceAccountRoleReplicaSet,
  type WorkloadIdentityConfig,
  webhookNamespaceDefault,
} from './api.ts'
export { type IssuerStore, S3IssuerStore, type S3IssuerStoreOptions } from './config/issuer-store.ts'
export { graceMsDefault, propagationMsDefault, type RotationTimes } from './config/rotation.ts'
export { createIdentityOperator, type IdentityOperator, type IdentityOperatorOptions } from './create-operator.ts'
export { issuerUrl, selfHostedHostPath } from './documents/issuer.ts'
export { propertyNames } from './inventory/properties.ts'
export { type IdentityChartValues, identityChart, identityChartValues } from './manifests/chart.ts'
export { renderOperatorConfig, renderTargetManifests, type TargetManifestOptions } from './manifests/render.ts'
export { type HubRightsOptions, hubRights, targetRights } from './manifests/rights.ts'
export { bucketName, signingSecretName } from './names.ts'
export {
  type ForeseenRollout,
  foreseeRollout,
  type HubLists,
  type ReplicaSetManifest,
  type RolloutForesight,
} from './replica-sets/foresee.ts'
export { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry/telemetry.ts'
