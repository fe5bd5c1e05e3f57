// The middle of both operations: what a change from one object to another does to everybody's ownership.
import { isObject, type Json, type JsonObject } from '../json.ts'
import { type MapField, type MergeMap, type MergeShape, untyped } from '../shape.ts'
import { type Comparison, compare } from './compare.ts'
import { difference, type FieldSet, intersection, isEmptySet, leafSet, node, union, withoutBranches } from './field-set.ts'
import { type Owner, type Owners } from './managers.ts'
import type { Versions } from './types.ts'

export interface ObjectEdit {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly shape: MergeShape
  readonly apiVersion: string
  readonly versions: Versions | undefined
  readonly resetFields: readonly (readonly string[])[]
}

export interface Conflict {
  readonly owner: Owner
  readonly set: FieldSet
}

export interface OwnershipChange {
  /** Everybody's sets after the change, without what the change took or removed. */
  readonly owners: Owners
  readonly conflicts: readonly Conflict[]
  readonly comparison: Comparison
}

/** Owners other than `self` lose what was changed or removed; what was changed is also reported as conflicts. */
export function changeOwnership(change: ObjectEdit, owners: Owners, self: string | undefined): OwnershipChange {
  const comparison = filtered(compareObjects(change.shape, change.before, change.after), change.resetFields)
  const out: Owners = new Map()
  const conflicts: Conflict[] = []
  const byVersion = new Map<string, Comparison | undefined>([[change.apiVersion, comparison]])
  for (const [identity, owner] of owners) {
    if (identity === self) {
      out.set(identity, owner)
      continue
    }
    const seen = comparisonAt(owner.apiVersion, change, byVersion)
    // A version that is no longer served takes its owners with it.
    if (seen === undefined) continue
    const taken = intersection(owner.set, union(seen.added, seen.modified))
    if (!isEmptySet(taken)) conflicts.push({ owner, set: taken })
    const kept = difference(difference(owner.set, taken), seen.removed)
    if (!isEmptySet(kept)) out.set(identity, kept === owner.set ? owner : { ...owner, set: kept })
  }
  return { owners: out, conflicts, comparison }
}

function comparisonAt(
  apiVersion: string,
  change: ObjectEdit,
  known: Map<string, Comparison | undefined>,
): Comparison | undefined {
  if (known.has(apiVersion)) return known.get(apiVersion)
  const view = change.versions?.(apiVersion)
  const before = view?.convert(change.before)
  const after = view?.convert(change.after)
  const seen =
    view === undefined || before === undefined || after === undefined
      ? undefined
      : filtered(compareObjects(view.shape, before, after), change.resetFields)
  known.set(apiVersion, seen)
  return seen
}

function filtered(comparison: Comparison, resetFields: readonly (readonly string[])[]): Comparison {
  if (resetFields.length === 0) return comparison
  return {
    added: withoutBranches(comparison.added, resetFields),
    modified: withoutBranches(comparison.modified, resetFields),
    removed: withoutBranches(comparison.removed, resetFields),
  }
}

/**
 * Compares whole objects. Plain structures of built-in kinds are always there in the stored form, so they must not count as new when
 * an object is created.
 */
export function compareObjects(shape: MergeShape, before: JsonObject, after: JsonObject): Comparison {
  return compare(shape, withPresent(shape, before), withPresent(shape, after))
}

function withPresent(shape: MergeShape, value: JsonObject): JsonObject {
  if (shape.kind !== 'map') return value
  let out: Record<string, Json> | undefined
  for (const [key, field] of presentFields(shape)) {
    const known = value[key]
    const filled =
      known === undefined || known === null ? zeroValue(field) : isObject(known) ? withPresent(field.shape, known) : known
    if (filled === known) continue
    out ??= { ...value }
    out[key] = filled
  }
  return out ?? value
}

function zeroValue(field: MapField): Json {
  return field.present === 'struct' ? emptyStruct(field.shape) : (field.zero ?? null)
}

const emptyStructs = new WeakMap<MergeShape, JsonObject>()

function emptyStruct(shape: MergeShape): JsonObject {
  let struct = emptyStructs.get(shape)
  if (struct === undefined) {
    struct = withPresent(shape, {})
    emptyStructs.set(shape, struct)
  }
  return struct
}

const present = new WeakMap<MergeMap, readonly (readonly [string, MapField])[]>()

function presentFields(shape: MergeMap): readonly (readonly [string, MapField])[] {
  let fields = present.get(shape)
  if (fields === undefined) {
    fields = shape.atomic ? [] : Object.entries(shape.fields).filter(([, field]) => field.present)
    present.set(shape, fields)
  }
  return fields
}

const strippedMeta = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]
const metaSet = node(true, new Map(strippedMeta.map(name => [`f:${name}`, leafSet])))

/** What nobody owns: identity, and what the server keeps itself. */
const neverOwned: FieldSet = node(
  false,
  new Map([
    ['f:apiVersion', leafSet],
    ['f:kind', leafSet],
    ['f:metadata', metaSet],
  ]),
)

export function withoutIdentity(set: FieldSet): FieldSet {
  return difference(set, neverOwned)
}

/** What was recorded at the version of the request, as its shape has it today. */
export function reconciledOwners(
  { apiVersion, shape }: { readonly apiVersion: string; readonly shape: MergeShape },
  owners: Owners,
): Owners {
  const out: Owners = new Map()
  for (const [identity, owner] of owners) {
    const set = owner.apiVersion === apiVersion ? reconcileWithShape(shape, owner.set) : owner.set
    out.set(identity, set === owner.set ? owner : { ...owner, set })
  }
  return out
}

/**
 * Sets that were recorded when a part was granular shrink to the part once it is atomic. The other way round nothing happens: who owned
 * the whole owns its name and nothing in it.
 */
function reconcileWithShape(shape: MergeShape, set: FieldSet): FieldSet {
  if (set.children === undefined) return set
  if (isAtomic(shape)) return leafSet
  let children: Map<string, FieldSet> | undefined
  for (const [element, child] of set.children) {
    const changed = reconcileWithShape(shapeBelow(shape, element), child)
    if (changed === child) continue
    children ??= new Map(set.children)
    children.set(element, changed)
  }
  return children === undefined ? set : node(set.member, children)
}

function isAtomic(shape: MergeShape): boolean {
  return (shape.kind === 'map' && shape.atomic) || (shape.kind === 'list' && shape.how === 'atomic')
}

function shapeBelow(shape: MergeShape, element: string): MergeShape {
  if (shape.kind === 'map') return shape.fields[element.slice(2)]?.shape ?? shape.rest ?? untyped
  return shape.kind === 'list' ? shape.items : untyped
}
