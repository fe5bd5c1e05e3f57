// The merge view of a custom kind's schema. Once per node.
import { objectMetaShape } from '../builtin/shape.ts'
import { fieldsOf, type MapField, type MergeShape, stringShape, untyped } from '../shape.ts'
import type { SchemaNode } from './node.ts'

const shapes = new WeakMap<SchemaNode, MergeShape>()

export function shapeOfNode(node: SchemaNode): MergeShape {
  let shape = shapes.get(node)
  if (shape === undefined) {
    shape = makeShape(node)
    shapes.set(node, shape)
  }
  return shape
}

/** The whole object: identity and metadata have their own shapes, whatever the schema says about them. */
export function rootShape(node: SchemaNode): MergeShape {
  const root = makeShape(node)
  return root.kind === 'map' ? { ...root, fields: { ...root.fields, ...identityFields() } } : root
}

function identityFields(): Readonly<Record<string, MapField>> {
  return fieldsOf([
    ['apiVersion', { shape: stringShape }],
    ['kind', { shape: stringShape }],
    ['metadata', { shape: objectMetaShape() }],
  ])
}

function isFormed({ checks }: SchemaNode): boolean {
  return ![undefined, '', 'byte'].includes(checks?.format)
}

function makeShape(node: SchemaNode): MergeShape {
  if (node.intOrString) return untyped
  switch (node.type) {
    case 'string':
      // Of a text with a form of its own the merge does not know the type; validation does.
      return { kind: 'scalar', type: isFormed(node) ? 'any' : 'string' }
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: 'scalar', type: node.type }
    case 'array':
      return {
        kind: 'list',
        how: node.listType,
        keys: node.listKeys,
        items: node.items === undefined ? untyped : shapeOfNode(node.items),
      }
    case 'object':
      return objectShape(node)
    default:
      return node.properties === undefined ? untyped : objectShape(node)
  }
}

function objectShape(node: SchemaNode): MergeShape {
  const atomic = node.mapType === 'atomic'
  const rest = node.additional !== undefined ? shapeOfNode(node.additional) : node.preserve ? untyped : undefined
  const fields = fieldsOf(Object.entries(node.properties ?? {}).map(([name, property]) => [name, fieldOf(property)]))
  const all = node.embedded ? fieldsOf([...Object.entries(identityFields()), ...Object.entries(fields)]) : fields
  return { kind: 'map', fields: all, rest, atomic }
}

function fieldOf(node: SchemaNode): MapField {
  return { shape: shapeOfNode(node), ...(node.default !== undefined && { default: node.default }) }
}
