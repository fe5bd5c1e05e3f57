// Fields to the structural schema of a CRD.
import { compareText, given } from '#base'
import type { StructuralSchema } from '#kube'
import type { Field, FieldType, TypeRegistry } from '../infer/field-type.ts'
import { describe } from './describe.ts'

export interface SchemaContext {
  readonly types: TypeRegistry
  /** Patterns of shapes, for the descriptions. */
  patternOf(shape: string): string | undefined
  /** References may name what no object stands for. */
  readonly external: boolean
}

const immutable: StructuralSchema = {
  'x-kubernetes-validations': [{ message: 'Value is immutable once set', rule: 'self == oldSelf' }],
}

export function propertiesOf(fields: Iterable<Field>, context: SchemaContext): Record<string, StructuralSchema> {
  const entries = [...fields].map((field): readonly [string, StructuralSchema] => [field.json, schemaOfField(field, context)])
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)))
}

function schemaOfField(field: Field, context: SchemaContext): StructuralSchema {
  const description = describe(field.documentation, field.shape === undefined ? undefined : context.patternOf(field.shape))
  return {
    ...given({ description }),
    ...schemaOf(field.type, context),
    ...(field.immutable ? immutable : {}),
  }
}

function schemaOf(type: FieldType, context: SchemaContext): StructuralSchema {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'number':
      return { type: type.kind }
    case 'integer':
      return { format: 'int64', type: 'integer' }
    case 'timestamp':
      return { format: 'date-time', type: 'string' }
    case 'blob':
      return { format: 'byte', type: 'string' }
    case 'list':
      return { items: schemaOf(type.element, context), type: 'array' }
    case 'map':
      return { additionalProperties: schemaOf(type.value, context), type: 'object' }
    case 'structure':
      return { properties: propertiesOf(context.types.fieldsOf(type.shape).values(), context), type: 'object' }
    case 'secret':
      return secret
    case 'reference':
      return context.external ? externalReference : reference
    case 'unsupported':
      break
  }
  // checkFields refuses such kinds before.
  throw new Error(`${type.shape}: a ${type.what} reached the renderer`)
}

const secret: StructuralSchema = {
  description: 'A key of a Secret, whose value is read when the request is made.',
  properties: {
    key: { description: 'The key within the Secret.', type: 'string' },
    name: { description: 'Name of the Secret.', type: 'string' },
    namespace: { description: 'Namespace of the Secret; that of the object when absent.', type: 'string' },
  },
  required: ['key'],
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
}

const reference: StructuralSchema = {
  description: 'Another object that gives the value.',
  properties: {
    from: {
      description: 'The object that gives the value.',
      properties: { name: { type: 'string' }, namespace: { type: 'string' } },
      type: 'object',
    },
  },
  type: 'object',
}

const externalReference: StructuralSchema = {
  ...reference,
  properties: {
    external: {
      description: 'What no object stands for: exactly one of these is its value.',
      properties: { arn: { type: 'string' }, id: { type: 'string' }, name: { type: 'string' } },
      type: 'object',
    },
    ...reference.properties,
  },
}
