// Takes paths out of a value.
import { copyObject, isList, isObject, type Json, type JsonObject } from '../json.ts'
import { type MergeList, type MergeMap, type MergeShape, untyped } from '../shape.ts'
import { type FieldSet, isEmptySet, leafSet, node } from './field-set.ts'
import { elementOf } from './path-element.ts'

/** A map or list that loses all it had is null: absent for most kinds, but it keeps its place for the defaulting that follows. */
export function removePaths(shape: MergeShape, value: Json, paths: FieldSet): Json {
  if (paths.children === undefined) return value
  if (shape.kind === 'list') return isList(value) && shape.how !== 'atomic' ? removeItems(shape, value, paths) : value
  if (!isObject(value)) return value
  if (shape.kind === 'map') return shape.atomic ? value : removeKeys(shape, value, paths)
  return shape.kind === 'untyped' ? removeKeys(undefined, value, paths) : value
}

function removeKeys(shape: MergeMap | undefined, value: JsonObject, paths: FieldSet): Json {
  let out: Record<string, Json> | undefined
  for (const [element, below] of paths.children ?? []) {
    const key = element.slice(2)
    if (!element.startsWith('f:') || !Object.hasOwn(value, key)) continue
    out ??= copyObject(value)
    if (below.member) delete out[key]
    else out[key] = removePaths(shape?.fields[key]?.shape ?? shape?.rest ?? untyped, value[key] as Json, below)
  }
  if (out === undefined) return value
  return Object.keys(out).length === 0 ? null : out
}

function removeItems(shape: MergeList, list: readonly Json[], paths: FieldSet): Json {
  const out: Json[] = []
  for (const item of list) {
    const element = elementOf(shape, item)
    const below = typeof element === 'string' ? paths.children?.get(element) : undefined
    if (below === undefined) out.push(item)
    else if (!below.member) out.push(removePaths(shape.items, item, below))
  }
  return out.length === 0 ? null : out
}

/** The set with every declared field on the way to its paths as a path of its own, so that structures can go with their content. */
export function withDeclaredParents(shape: MergeShape, set: FieldSet): FieldSet {
  if (set.children === undefined) return set
  const children = new Map<string, FieldSet>()
  for (const [element, child] of set.children) {
    const field = shape.kind === 'map' && element.startsWith('f:') ? shape.fields[element.slice(2)] : undefined
    const below = withDeclaredParents(field?.shape ?? innerShape(shape), child)
    children.set(element, field !== undefined && !below.member ? withMember(below) : below)
  }
  return node(set.member, children)
}

function withMember(set: FieldSet): FieldSet {
  return isEmptySet(set) ? leafSet : { member: true, children: set.children }
}

function innerShape(shape: MergeShape): MergeShape {
  if (shape.kind === 'map') return shape.rest ?? untyped
  return shape.kind === 'list' ? shape.items : untyped
}
