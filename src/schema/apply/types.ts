// What server-side apply and the bookkeeping of field owners take and give. The work is pure: the time comes in as text, conversion
// between versions as a function.
import type { StatusCause } from '#kube'
import type { JsonObject } from '../json.ts'
import type { MergeShape } from '../shape.ts'

/** One version of a kind, as the merge needs it. */
export interface VersionView {
  readonly shape: MergeShape
  /** The object at this version; undefined when it cannot be converted, which drops the owners that only this version knows. */
  convert(object: JsonObject): JsonObject | undefined
  /** Whether the object can stand at this version at all; default yes. */
  holds?(object: JsonObject): boolean
}

/** Gives the view for an apiVersion (`apps/v1`), or undefined when it is no longer served. */
export type Versions = (apiVersion: string) => VersionView | undefined

export interface ApplyRequest {
  /** At the version applied. Undefined creates. */
  readonly live: JsonObject | undefined
  readonly applied: JsonObject
  readonly manager: string
  readonly force: boolean
  readonly shape: MergeShape
  readonly apiVersion: string
  readonly subresource?: string
  /** RFC 3339 with whole seconds. */
  readonly now: string
  /** Paths (`[['status']]`) that this endpoint never owns or sets. */
  readonly resetFields?: readonly (readonly string[])[]
  /** Other versions under which owners were recorded. Default: every version is the applied one. */
  readonly versions?: Versions
  /** Schema defaulting; runs on the merged result before owners are compared, as on a real server. */
  readonly applyDefaults?: (object: JsonObject) => JsonObject
}

export type ApplyResult =
  | {
      readonly kind: 'merged'
      readonly object: JsonObject /** False: nothing but times of owners would change. */
      readonly changed: boolean
    }
  | { readonly kind: 'conflict'; readonly message: string; readonly causes: readonly StatusCause[] }
  /** The body does not fit the schema: 500 with an empty reason and this message (the part after "failed to create typed patch object (…): "). */
  | { readonly kind: 'untypeable'; readonly message: string }
  /** What is there does not: an item of a keyed list without its key was written when nobody owned anything. */
  | { readonly kind: 'untypeable-live'; readonly message: string }

export interface UpdateRequest {
  readonly live: JsonObject | undefined
  /** What would be stored, with the managedFields that the client sent (or none). */
  readonly next: JsonObject
  readonly manager: string
  readonly shape: MergeShape
  readonly apiVersion: string
  readonly subresource?: string
  readonly now: string
  readonly resetFields?: readonly (readonly string[])[]
  readonly versions?: Versions
}
