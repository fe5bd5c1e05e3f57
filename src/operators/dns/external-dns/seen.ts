// All that a decision about one ExternalDNS rests on.
import type { StoredObject } from '#kube'
import type { ExternalDns } from '../api/kinds.ts'
import type { BindingSeen } from '../binding/view.ts'
import type { CleanupJob } from '../cleanup/job.ts'
import type { Model } from '../convert/convert.ts'
import type { CredentialsRequest } from '../credentials/request.ts'
import type { OperandFinding, PreflightFinding } from '../findings/findings.ts'
import type { Deployment } from '../operand/deployment.ts'
import type { Contender } from '../ownership/rivals.ts'
import type { SourceBinding } from '../rbac/binding-actions.ts'
import type { DnsSurroundings } from '../settings.ts'
import type { PlatformDns } from '../zones/platform-dns.ts'
import type { PodLike } from './deployment-conditions.ts'

export type CredentialsSecret = StoredObject & { readonly data?: Readonly<Record<string, string>> }
export type ConfigMapObject = StoredObject & { readonly data?: Readonly<Record<string, string>> }
export type StoredRequest = CredentialsRequest &
  StoredObject & {
    readonly status?: {
      readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[]
    }
  }

export interface DnsSeen {
  readonly dns: ExternalDns
  readonly model: Model
  readonly surroundings: DnsSurroundings
  /** What the operand mounts. */
  readonly target: CredentialsSecret | undefined
  /** Where it comes from; a name without a Secret is one that is missing. */
  readonly source: { readonly name: string; readonly secret: CredentialsSecret | undefined } | undefined
  readonly request: StoredRequest | undefined
  readonly account: StoredObject | undefined
  readonly deployment: (Deployment & StoredObject) | undefined
  readonly trustedCa: ConfigMapObject | undefined
  readonly pods: readonly PodLike[]
  /** Objects that write the same names in the same zones. */
  readonly rivals: readonly string[]
  readonly preflight: PreflightFinding | undefined
  readonly operand: OperandFinding | undefined
  /** Others that write under the very same owner id. */
  readonly sameOwner: readonly Contender[]
  /** Where operands have rights of their own. */
  readonly sourceBinding: (SourceBinding & StoredObject) | undefined
  /** The last run of an operand whose records are to go. */
  readonly cleanupJob: (CleanupJob & StoredObject) | undefined
  /** What the platform says of its own zones. */
  readonly platformDns: PlatformDns | undefined
  /** Where the identity of the pod is a binding. */
  readonly binding: BindingSeen | undefined
}
