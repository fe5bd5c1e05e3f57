// What a pass over an export can see. Values only; nothing of a key is among them.
import type { Cert } from '../api/kinds.ts'

export type ExportTarget =
  | { readonly kind: 'missing' }
  | { readonly kind: 'ours'; readonly serial: string | undefined; readonly arn: string | undefined }
  /** A Secret of this name that somebody else made. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'forbidden' }

export interface ExportSeen {
  readonly claim: Cert | undefined
  readonly target: ExportTarget
  /** Whether the namespace is one of those that were listed. */
  readonly isListed: boolean
}
