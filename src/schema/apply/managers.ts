// The owners of an object's fields: managedFields as a map from identity to set, and back in the stored order.
import { compareText } from '#base'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { emptySet, type FieldSet, isEmptySet, setsEqual, union } from './field-set.ts'
import { parseFieldsV1, renderFieldsV1 } from './fields-v1.ts'
import { RecentSets } from './recent-sets.ts'

export interface Owner {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  readonly time: string | undefined
  readonly set: FieldSet
}

/** The owners by their identity. A map that was handed out is never changed in place. */
export type Owners = Map<string, Owner>

/** An entry as it is stored, but for its fields. */
type Entry = Readonly<Partial<Record<'operation' | 'time' | 'manager' | 'apiVersion' | 'subresource', string | undefined>>>

/** What tells two entries apart. An applier is the same at every version, so re-applying at another one replaces its entry. */
export function identityOf(owner: Entry): string {
  const subresource = (owner.subresource ?? '') === '' ? '' : `,"subresource":${JSON.stringify(owner.subresource)}`
  const version = owner.operation === 'Apply' ? '' : `,"apiVersion":${JSON.stringify(owner.apiVersion ?? '')}`
  return `{"manager":${JSON.stringify(owner.manager ?? '')},"operation":"${owner.operation}"${version}${subresource}}`
}

/** Undefined when any entry is malformed. */
export function decodeOwners(entries: Json | undefined): Owners | undefined {
  const owners: Owners = new Map()
  if (entries === undefined || entries === null) return owners
  if (!isList(entries)) return undefined
  for (const entry of entries) {
    const owner = decodeOwner(entry)
    if (owner === undefined) return undefined
    owners.set(identityOf(owner), owner)
  }
  return owners
}

/** The sets of stored entries, which are shared between versions of an object; without this every write would parse them again. */
const parsedSets = new WeakMap<JsonObject, FieldSet>()

function decodeOwner(entry: Json): Owner | undefined {
  if (!isObject(entry)) return undefined
  const { manager, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = entry
  if (operation !== 'Apply' && operation !== 'Update') return undefined
  if (fieldsType !== undefined && fieldsType !== '' && fieldsType !== 'FieldsV1') return undefined
  const set = fieldsV1 === undefined || fieldsV1 === null ? emptySet : parsedSet(fieldsV1)
  if (set === undefined) return undefined
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
  return {
    manager: text(manager),
    operation,
    apiVersion: text(apiVersion),
    subresource: text(subresource),
    time: typeof time === 'string' ? time : undefined,
    set,
  }
}

function parsedSet(fieldsV1: Json): FieldSet | undefined {
  if (!isObject(fieldsV1)) return undefined
  let set = parsedSets.get(fieldsV1)
  if (set === undefined) {
    set = parseFieldsV1(fieldsV1)
    if (set !== undefined) parsedSets.set(fieldsV1, set)
  }
  return set
}

const renderedSets = new WeakMap<FieldSet, JsonObject>()
const recentSets = new RecentSets()

export function encodeOwners(owners: Owners): Json[] {
  return [...owners.values()]
    .filter(owner => !isEmptySet(owner.set))
    .sort(compareOwners)
    .map(encodeOwner)
}

function encodeOwner(owner: Owner): JsonObject {
  const fieldsV1 = renderedSets.get(owner.set) ?? recentSets.like(owner.set, rendered)
  return {
    ...(owner.manager !== '' && { manager: owner.manager }),
    operation: owner.operation,
    ...(owner.apiVersion !== '' && { apiVersion: owner.apiVersion }),
    ...(owner.time !== undefined && { time: owner.time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(owner.subresource !== '' && { subresource: owner.subresource }),
  }
}

function rendered(set: FieldSet): JsonObject {
  const fieldsV1 = renderFieldsV1(set)
  renderedSets.set(set, fieldsV1)
  parsedSets.set(fieldsV1, set)
  return fieldsV1
}

/** An owner without a time comes before those that have one. */
const timeless = ''

/** The order in which entries are stored. */
export function compareOwners(a: Entry, b: Entry): number {
  return (
    compareText(a.operation ?? '', b.operation ?? '') ||
    compareText(a.time ?? timeless, b.time ?? timeless) ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  )
}

/** Whether both say the same apart from times. */
export function sameOwners(a: Owners, b: Owners): boolean {
  const filled = (owners: Owners): number => [...owners.values()].filter(owner => !isEmptySet(owner.set)).length
  if (filled(a) !== filled(b)) return false
  for (const [identity, owner] of a) {
    if (isEmptySet(owner.set)) continue
    const other = b.get(identity)
    if (other === undefined || other.apiVersion !== owner.apiVersion || !setsEqual(owner.set, other.set)) return false
  }
  return true
}

const updatersMax = 10

/** Beyond ten updaters the oldest of one version are joined under one name, so that the list cannot grow without bound. */
export function capUpdaters(owners: Owners): Owners {
  const updaters = [...owners].filter(([, owner]) => owner.operation === 'Update')
  if (updaters.length <= updatersMax) return owners
  updaters.sort(([aKey, a], [bKey, b]) => compareText(a.time ?? timeless, b.time ?? timeless) || compareText(aKey, bKey))
  return joinOldest(new Map(owners), updaters)
}

function joinOldest(out: Owners, updaters: readonly (readonly [string, Owner])[]): Owners {
  const firstOfVersion = new Map<string, string>()
  let count = updaters.length
  for (const [key, owner] of updaters) {
    if (count <= updatersMax) break
    const first = firstOfVersion.get(owner.apiVersion)
    if (first === undefined) {
      firstOfVersion.set(owner.apiVersion, key)
      continue
    }
    const bucketOwner: Owner = { ...owner, manager: 'ancient-changes', subresource: '' }
    const bucket = identityOf(bucketOwner)
    const known = out.get(bucket) ?? out.get(first)
    if (!out.has(bucket)) out.delete(first)
    out.delete(key)
    out.set(bucket, { ...bucketOwner, set: known === undefined ? owner.set : union(known.set, owner.set) })
    count--
  }
  return out
}
