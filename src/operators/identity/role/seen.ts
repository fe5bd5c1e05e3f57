// Everything that a decision about a binding rests on.

import type { OperatorConfig, ServiceAccountRole, WorkloadIdentityConfig } from '../api/kinds.ts'
import type { DescribedCluster } from '../inventory/describe.ts'
import type { AnnotationSeen } from '../target/annotation.ts'
import type { ResourceStates } from './resources.ts'

export interface RoleSeen<S extends ResourceStates = ResourceStates> {
  readonly claim: ServiceAccountRole
  /** `namespace/name` of all live bindings of the ServiceAccount in this namespace, this one included; the oldest, who has it, first. */
  readonly siblings: readonly string[]
  readonly operatorConfig: OperatorConfig | undefined
  readonly config: WorkloadIdentityConfig | undefined
  readonly cluster: DescribedCluster
  readonly resources: S
  /** `undefined` where EKS delivers: the target is not looked at (case 148). */
  readonly annotation: AnnotationSeen | undefined
}
