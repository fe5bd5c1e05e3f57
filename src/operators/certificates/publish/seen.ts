// What can be seen of the objects that a certificate's ARN is written to.
import type { StoredObject } from '#kube'
import type { PublishTarget } from '../api/spec.ts'

export type TargetSeen =
  | { readonly kind: 'present'; readonly objects: readonly StoredObject[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden' }
  /** Publishing is off, or the kind is not there. */
  | { readonly kind: 'unavailable' }

export interface PublishSeen {
  readonly targets: readonly { readonly target: PublishTarget; readonly seen: TargetSeen }[]
  /** Objects that carry our ARN by the status and are no targets any more. */
  readonly former: readonly {
    readonly kind: PublishTarget['kind']
    readonly name: string
    readonly object: StoredObject | undefined
  }[]
}
