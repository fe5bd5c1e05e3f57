// The merge view of a built-in type. Made on demand like the types themselves, and once per type.
import { type MapField, type MergeShape, stringShape, untyped } from '../shape.ts'
import { type StructType, type TypeNode, typeNamed } from './types.ts'

const shapes = new WeakMap<TypeNode, MergeShape>()

export function shapeOfType(type: TypeNode): MergeShape {
  let shape = shapes.get(type)
  if (shape === undefined) {
    shape = makeShape(type)
    shapes.set(type, shape)
  }
  return shape
}

function makeShape(type: TypeNode): MergeShape {
  switch (type.kind) {
    case 'struct':
      return structShape(type)
    case 'map':
      return { kind: 'map', fields: noFields, rest: shapeOfType(type.values), atomic: type.atomic }
    case 'list':
      return { kind: 'list', how: type.how, keys: type.keys, items: shapeOfType(type.items) }
    case 'string':
    case 'bytes':
      return stringShape
    case 'int32':
    case 'int64':
      return { kind: 'scalar', type: 'integer' }
    case 'number':
    case 'boolean':
      return { kind: 'scalar', type: type.kind }
    case 'quantity':
    case 'time':
    case 'micro-time':
      return { kind: 'scalar', type: 'any' }
    case 'any':
      // What a program keeps in an object of its own is one value, whatever is in it.
      return type.goName === 'runtime.RawExtension' ? { kind: 'scalar', type: 'whole' } : untyped
    default:
      return untyped
  }
}

const noFields: Readonly<Record<string, MapField>> = Object.create(null) as Record<string, MapField>

function structShape(type: StructType): MergeShape {
  let fields: Readonly<Record<string, MapField>> | undefined
  return {
    kind: 'map',
    rest: undefined,
    atomic: type.atomic,
    get fields() {
      fields ??= fieldShapes(type)
      return fields
    },
  }
}

function fieldShapes(type: StructType): Readonly<Record<string, MapField>> {
  const fields = Object.create(null) as Record<string, MapField>
  for (const [key, field] of Object.entries(type.fields)) {
    fields[key] = {
      shape: shapeOfType(field.type),
      ...(field.zero === 'struct' && { present: 'struct' }),
      ...(field.zero !== undefined &&
        field.zero !== 'struct' && { present: 'zero', zero: field.zero === 'null' ? null : field.zero }),
      ...(field.default !== undefined && field.type.kind !== 'struct' && { default: field.default }),
      ...(field.patch !== undefined && { patch: field.patch }),
    }
  }
  return fields
}

/** The shape of `metadata`, for custom kinds too. */
export function objectMetaShape(): MergeShape {
  return shapeOfType(typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'))
}
