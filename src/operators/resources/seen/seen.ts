// What can be seen of a claim and of its resource, and what a decision about them has: types, and nothing that does anything. Whoever looks
// fills them in; whoever judges takes them as they are.

import type { Instant } from '#base'
import type { Condition } from '#kube'
import type { Trouble } from '#runtime'
import type { Fields, Resource } from '../api.ts'
import type { DeviatingKind, SecretKey } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import type { Settings } from '../options.ts'
import type { Place, PlaceChoice } from '../place/select-place.ts'
import type { Holder } from '../secrets/protected-objects.ts'
import type { FoundByLookup, Lookup, Notes } from './notes.ts'

export interface Identifiers {
  readonly spec: Fields
  readonly status: Fields
  readonly arn?: string
}

export type Adoption =
  | { readonly kind: 'none' }
  | { readonly kind: 'read-only'; readonly lookup?: Lookup; readonly identifiers?: Content }
  | { readonly kind: 'adopted'; readonly policy: string | undefined; readonly identifiers: Identifiers }
  | { readonly kind: 'adopt' | 'adopt-or-create'; readonly identifiers: Identifiers }
  /** Asked for in a way that cannot be followed. */
  | { readonly kind: 'wrong'; readonly message: string }

export type Resolved =
  | { readonly kind: 'resolved'; readonly spec: Fields; readonly notices: readonly Condition[]; readonly hasReferences: boolean }
  /** `stop`: only a person can help. */
  | { readonly kind: 'unresolved'; readonly how: 'wait' | 'stop'; readonly message: string; readonly terminal: boolean }

export type Secrets =
  | { readonly kind: 'read'; readonly spec: Fields; readonly hash: string | undefined }
  /** Somebody has to make or mend a Secret. */
  | { readonly kind: 'unusable'; readonly message: string }

export type OutputSecret = Holder

/** What a decision knows of the Secret. */
export type Output =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'found'; readonly target: SecretKey; readonly secret: OutputSecret }

/** What a glance says. */
export interface Glance {
  /** A print of all that the last full look rested on but AWS itself. */
  readonly basis: string
  /** What the list says of it. */
  readonly shown: string
  /** It is as it was, so that a full look can wait. */
  readonly isUnchanged: boolean
}

export type InAws =
  | { readonly kind: 'not-read' }
  /** `isUnasked`: nothing is known by which AWS could be asked for it. `isSearched`: a list has all there are, and it is not among them. */
  /** `alike`: what there is that looks as the manifest asks for, where it was counted. */
  | {
      readonly kind: 'absent'
      readonly extra?: Fields
      readonly isUnasked?: true
      readonly isSearched?: true
      readonly alike?: readonly string[]
    }
  /** `lookedUp`: which resource a lookup found, so that the next look goes to it. */
  /** `isNew`: it came after our count, so that our create call made it. */
  | { readonly kind: 'present'; readonly content: Content; readonly lookedUp?: FoundByLookup; readonly isNew?: true }
  | { readonly kind: 'failed'; readonly trouble: Trouble }
  /** Nothing shows, so that a full look can wait. */
  | { readonly kind: 'unchanged' }

export interface Seen {
  readonly claim: Resource | undefined
  readonly place: PlaceChoice
  readonly namespaceAnnotations: Readonly<Record<string, string>>
  readonly references: Resolved
  readonly secrets: Secrets
  /** The Secret that is written to, where one is. */
  readonly output: Output
  readonly adoption: Adoption
  /** The manifest with references resolved and tags added, and what is known of the resource. */
  readonly wanted: Content
  readonly inAws: InAws
  readonly notes: Notes
  /** Where cheap reads are on. */
  readonly glance: Glance | undefined
  /** `namespace/name` of a claim that has the same resource, and had it first. */
  readonly olderOwner: string | undefined
  /** `namespace/name` of the living claim whose mark the resource bears. */
  readonly markHolder: string | undefined
}

export interface Rules extends DeviatingKind {
  readonly settings: Settings
}

/** What every branch has once the claim is there and its place is settled. */
export interface Situation extends Rules {
  readonly seen: Seen
  readonly claim: Resource
  readonly place: Place
  readonly now: Instant
}
