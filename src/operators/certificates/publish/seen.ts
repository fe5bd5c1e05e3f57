// What a pass over the targets of a Cert can see. Values only.
import type { StoredObject } from '#kube'
import type { Cert } from '../api/kinds.ts'
import type { PublishKind } from '../api/publish.ts'

/** Which place of an object is meant. */
export interface PublishPlace {
  readonly kind: PublishKind
  readonly name: string
  readonly listener?: string
  readonly protocolPort?: string
}

export type FoundObject =
  | { readonly kind: 'present'; readonly object: StoredObject }
  | { readonly kind: 'missing' }
  /** The right to look is missing. */
  | { readonly kind: 'forbidden' }

export interface PlaceSeen extends PublishPlace {
  readonly isPrimary: boolean
  /** Not wanted any more: what is ours is taken out. */
  readonly isLeft: boolean
  readonly found: FoundObject
}

export interface PublishSeen {
  readonly claim: Cert | undefined
  readonly places: readonly PlaceSeen[]
}
