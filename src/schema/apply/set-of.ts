// The field set of a value: every leaf, every atomic part, every item of a list, every key of an open map.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { type MergeList, type MergeMap, type MergeShape, untyped } from '../shape.ts'
import { emptySet, type FieldSet, leafSet, node } from './field-set.ts'
import { elementOf } from './path-element.ts'

export function setOf(shape: MergeShape, value: Json): FieldSet {
  switch (shape.kind) {
    case 'scalar':
      return leafSet
    case 'map':
      return isObject(value) ? setOfMap(shape, value) : nullSet(shape, value)
    case 'list':
      return isList(value) ? setOfList(shape, value) : nullSet(shape, value)
    default:
      return setOfUntyped(value)
  }
}

/** A null is owned where its whole part would be owned as one. */
function nullSet(shape: MergeMap | MergeList, value: Json): FieldSet {
  const atomic = shape.kind === 'map' ? shape.atomic : shape.how === 'atomic'
  return atomic || value !== null ? leafSet : emptySet
}

function setOfUntyped(value: Json): FieldSet {
  if (!isObject(value)) return leafSet
  return setOfMap(untypedMap, value)
}

const untypedMap: MergeMap = { kind: 'map', fields: Object.create(null) as MergeMap['fields'], rest: untyped, atomic: false }

function setOfMap(shape: MergeMap, value: JsonObject): FieldSet {
  if (shape.atomic) return leafSet
  const children = new Map<string, FieldSet>()
  for (const key of Object.keys(value)) {
    const item = value[key] as Json
    const field = shape.fields[key]
    const below = setOf(field?.shape ?? shape.rest ?? untyped, item)
    const asMember = field === undefined || item === null || (isObject(item) && isEmpty(item))
    const child = asMember && !below.member ? node(true, below.children) : below
    if (child !== emptySet) children.set(`f:${key}`, child)
  }
  return node(false, children)
}

function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false
  return true
}

function setOfList(shape: MergeList, list: readonly Json[]): FieldSet {
  if (shape.how === 'atomic') return leafSet
  const children = new Map<string, FieldSet>()
  for (const item of list) {
    const element = elementOf(shape, item)
    if (typeof element !== 'string') continue
    // Items that share a name are owned as one, without what is in them.
    if (children.has(element)) children.set(element, leafSet)
    else children.set(element, node(true, setOf(shape.items, item).children))
  }
  return node(false, children)
}
