// Items of keyed lists, found by their keys.
import { elementOf } from '../apply/path-element.ts'
import type { Json } from '../json.ts'
import type { SchemaNode } from './node.ts'
import { shapeOfNode } from './node-shape.ts'

/** The items of an older list by their keys: only keyed lists can be compared item by item. */
export function itemsByKey(node: SchemaNode, list: readonly Json[]): ReadonlyMap<string, Json> {
  return new Map(list.map(item => [itemKey(node, item), item]))
}

export function itemKey(node: SchemaNode, item: Json): string {
  const shape = shapeOfNode(node)
  const element = shape.kind === 'list' ? elementOf(shape, item) : ''
  return typeof element === 'string' ? element : ''
}
