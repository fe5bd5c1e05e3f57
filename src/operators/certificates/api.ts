// The kinds of this operator and the names under which it speaks: what others may know of it.
export { conditionTypes, type FailureReason, failureReasons, type ReadyReason, type WaitReason } from './api/conditions.ts'
export { type Cert, certKind } from './api/kinds.ts'
export { annotations, fieldManager, finalizer, group, managedBy, tagKeys } from './api/labels.ts'
export { type CertPolicy, certPolicyKind } from './api/policy.ts'
export type { CertSpec } from './api/spec.ts'
export {
  type CertRequest,
  type CertState,
  type CertStatus,
  type CertValidationRecord,
  type Superseded,
  states,
} from './api/status.ts'
