// Objects on their way through the server. The top level and the metadata of a draft belong to the request that made it and are
// changed in place until it is committed; anything deeper may be shared with other versions and is replaced, never changed.
import type { JsonObject } from '#schema'

export interface DraftMeta {
  name?: string
  generateName?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string | null
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: DraftOwner[]
  managedFields?: DraftManagedFields[]
  selfLink?: string
}

export interface DraftOwner {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface DraftManagedFields {
  manager?: string
  operation?: string
  apiVersion?: string
  time?: string
  fieldsType?: string
  fieldsV1?: Record<string, unknown>
  subresource?: string
}

/** Any object of any kind, as plain JSON values; whole numbers that a double cannot hold are bigint. */
export interface Draft {
  apiVersion: string
  kind: string
  metadata: DraftMeta
  [field: string]: unknown
}

/** What every stored object has. */
export interface CommittedMeta extends DraftMeta {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly creationTimestamp: string
}

/** A committed object: frozen by agreement. */
export interface Committed extends Readonly<Draft> {
  readonly metadata: CommittedMeta
}

/** A draft that was prepared for the store: name, uid and creation are there, and the store gives the revision. */
export function asCommitted(draft: Readonly<Draft>): Committed {
  return draft as Committed
}

/** A draft that shares everything but its top level and its metadata. */
export function draftFrom(object: Readonly<Draft>): Draft {
  return { ...object, metadata: { ...object.metadata } }
}

/** The same value to code that knows objects as JSON. */
export function asJson(object: Readonly<Draft>): JsonObject {
  return object as unknown as JsonObject
}

export function asDraft(object: JsonObject): Draft {
  return object as unknown as Draft
}

/** A deep copy of JSON values. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson) as T
  const copy: Record<string, unknown> = {}
  for (const key in value) {
    if (key !== '__proto__') copy[key] = copyJson(value[key])
    else Object.defineProperty(copy, key, { value: copyJson(value[key]), writable: true, enumerable: true, configurable: true })
  }
  return copy as T
}

/** Deep equality of JSON values; the order of keys does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]))
  if (Array.isArray(b)) return false
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every(key => Object.hasOwn(right, key) && equalJson(left[key], right[key]))
}
