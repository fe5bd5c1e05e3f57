// What changed between two values, as field sets. Atomic parts count as one; what is new counts at every level.
import { isList, isObject, type Json, type JsonObject, jsonEqual } from '../json.ts'
import { type MergeList, type MergeMap, type MergeShape, untyped } from '../shape.ts'
import { emptySet, type FieldSet, leafSet, node } from './field-set.ts'
import { elementOf } from './path-element.ts'

export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

const same: Comparison = { added: emptySet, modified: emptySet, removed: emptySet }
const addedLeaf: Comparison = { added: leafSet, modified: emptySet, removed: emptySet }
const modifiedLeaf: Comparison = { added: emptySet, modified: leafSet, removed: emptySet }
const removedLeaf: Comparison = { added: emptySet, modified: emptySet, removed: leafSet }

/** `undefined` is absence; null is a value. */
export function compare(shape: MergeShape, before: Json | undefined, after: Json | undefined): Comparison {
  if (before === after) return same
  switch (shape.kind) {
    case 'scalar':
      return compareLeaf(before, after)
    case 'map':
      return compareMaps(shape, before, after)
    case 'list':
      return compareLists(shape, before, after)
    default:
      return compareUntyped(before, after)
  }
}

function compareLeaf(before: Json | undefined, after: Json | undefined): Comparison {
  if (before === undefined) return addedLeaf
  if (after === undefined) return removedLeaf
  return jsonEqual(before, after) ? same : modifiedLeaf
}

const untypedMap: MergeMap = { kind: 'map', fields: Object.create(null) as MergeMap['fields'], rest: untyped, atomic: false }

function compareUntyped(before: Json | undefined, after: Json | undefined): Comparison {
  const mapOrAbsent = (value: Json | undefined): boolean => value === undefined || value === null || isObject(value)
  return mapOrAbsent(before) && mapOrAbsent(after) ? compareMaps(untypedMap, before, after) : compareLeaf(before, after)
}

function compareMaps(shape: MergeMap, before: Json | undefined, after: Json | undefined): Comparison {
  const left = isObject(before) ? before : noKeys
  const right = isObject(after) ? after : noKeys
  if (shape.atomic || (isEmpty(left) && isEmpty(right))) return compareLeaf(before, after)
  const gather = new Gathering()
  for (const key of Object.keys(left)) {
    const below = shape.fields[key]?.shape ?? shape.rest ?? untyped
    gather.take(`f:${key}`, compare(below, left[key], Object.hasOwn(right, key) ? right[key] : undefined))
  }
  for (const key of Object.keys(right)) {
    if (Object.hasOwn(left, key)) continue
    gather.take(`f:${key}`, compare(shape.fields[key]?.shape ?? shape.rest ?? untyped, undefined, right[key]))
  }
  return gather.result(before === undefined, after === undefined)
}

const noKeys: JsonObject = {}

function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false
  return true
}

function compareLists(shape: MergeList, before: Json | undefined, after: Json | undefined): Comparison {
  const left = isList(before) ? before : []
  const right = isList(after) ? after : []
  if (shape.how === 'atomic' || (left.length === 0 && right.length === 0)) return compareLeaf(before, after)
  const oldItems = byElement(shape, left, false)
  const newItems = byElement(shape, right, true)
  const gather = new Gathering()
  for (const [element, items] of oldItems) gather.take(element, compareItems(shape, items, newItems.get(element)))
  for (const [element, items] of newItems) if (!oldItems.has(element)) gather.take(element, compareItems(shape, undefined, items))
  return gather.result(before === undefined, after === undefined)
}

/** A new item that has no name among its siblings: what is in such a list cannot be owned. */
export class UnnamedItem extends Error {}

function byElement(shape: MergeList, list: readonly Json[], areNew: boolean): Map<string, Json[]> {
  const items = new Map<string, Json[]>()
  for (const item of list) {
    const element = elementOf(shape, item)
    if (typeof element !== 'string') {
      if (areNew) throw new UnnamedItem(element.problem)
      continue
    }
    const known = items.get(element)
    if (known === undefined) items.set(element, [item])
    else known.push(item)
  }
  return items
}

/** Items that share a name (only older objects have such) are compared as one. */
function compareItems(shape: MergeList, before: readonly Json[] | undefined, after: readonly Json[] | undefined): Comparison {
  if ((before?.length ?? 0) > 1 || (after?.length ?? 0) > 1) return compareLeaf(before, after)
  return compare(shape.items, before?.[0], after?.[0])
}

class Gathering {
  private added: Map<string, FieldSet> | undefined
  private modified: Map<string, FieldSet> | undefined
  private removed: Map<string, FieldSet> | undefined

  take(element: string, below: Comparison): void {
    if (below === same) return
    if (below.added !== emptySet) {
      this.added ??= new Map()
      this.added.set(element, below.added)
    }
    if (below.modified !== emptySet) {
      this.modified ??= new Map()
      this.modified.set(element, below.modified)
    }
    if (below.removed !== emptySet) {
      this.removed ??= new Map()
      this.removed.set(element, below.removed)
    }
  }

  result(isNew: boolean, isGone: boolean): Comparison {
    return { added: node(isNew, this.added), modified: node(false, this.modified), removed: node(isGone, this.removed) }
  }
}
