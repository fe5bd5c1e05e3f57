// The objects of the runtime as they were found on a target.
import type { StoredObject } from '#kube'

/** An object of the runtime's names: whose it is decides whether it may be touched (S2). */
export type Found =
  | { readonly kind: 'absent' }
  | { readonly kind: 'ours'; readonly object: StoredObject }
  | { readonly kind: 'foreign'; readonly object: StoredObject }

export interface RuntimeObjects {
  readonly caSecret: Found
  readonly servingSecret: Found
  readonly serviceAccount: Found
  readonly clusterRole: Found
  readonly clusterRoleBinding: Found
  readonly service: Found
  readonly deployment: Found
  readonly webhook: Found
}
