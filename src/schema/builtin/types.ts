// The types of built-in kinds, made on demand from the condensed OpenAPI schemas beside this file. A struct's fields are resolved when
// first asked for: schemas refer to each other, one even to itself, and most runs use a tenth of them.

import type { Json } from '../json.ts'
import type { PatchTraits } from '../shape.ts'
import schemas from './schemas.gen.json' with { type: 'json' }
import { type WireField, wireMessage } from './wire-fields.ts'

export type TypeNode = StructType | MapType | ListType | LeafType

export interface StructType {
  readonly kind: 'struct'
  /** `io.k8s.api.core.v1.PodSpec`. */
  readonly schema: string
  /** `PodSpec`: the last part of the schema's name, which is also the name of the type in the server's messages. */
  readonly name: string
  readonly fields: Readonly<Record<string, TypeField>>
  readonly atomic: boolean
}

export interface MapType {
  readonly kind: 'map'
  readonly values: TypeNode
  readonly atomic: boolean
  /** `v1.ResourceList`: what its decoder calls it, where that is a name of its own; so with lists and leaves. */
  readonly goName?: string
}

export interface ListType {
  readonly kind: 'list'
  readonly items: TypeNode
  readonly how: 'atomic' | 'set' | 'map'
  readonly keys: readonly string[]
  readonly goName?: string
}

export interface LeafType {
  readonly goName?: string
  readonly kind:
    | 'string'
    | 'int32'
    | 'int64'
    | 'number'
    | 'boolean'
    | 'int-or-string'
    | 'quantity'
    | 'time'
    | 'micro-time'
    | 'bytes'
    | 'any'
    | 'schema-or-list'
    | 'schema-or-truth'
}

export interface TypeField {
  readonly type: TypeNode
  readonly default: Json | undefined
  /** What the stored form holds when the field is absent: `{}` for plain structures, zero values of fields that are always written. */
  readonly zero: 'struct' | 'null' | '' | '0' | 0 | false | undefined
  /** Zero, false, the empty string, the empty list and the empty map mean absent. */
  readonly zeroIsAbsent: boolean
  readonly patch: PatchTraits | undefined
}

/** A schema as the OpenAPI documents have it. */
export interface OpenApiSchema {
  readonly type?: string
  readonly format?: string
  readonly default?: Json
  readonly enum?: readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly additionalProperties?: OpenApiSchema | boolean
  readonly items?: OpenApiSchema
  readonly allOf?: readonly OpenApiSchema[]
  readonly oneOf?: readonly OpenApiSchema[]
  readonly $ref?: string
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string
    readonly version: string
    readonly kind: string
  }[]
}

export const openApiSchemas: Readonly<Record<string, OpenApiSchema>> = schemas as unknown as Readonly<
  Record<string, OpenApiSchema>
>

export const refPrefix = '#/components/schemas/'

/** The schema name (`io.k8s.api.apps.v1.Deployment`) of a served kind. */
export function schemaNameOf(group: string, version: string, kind: string): string | undefined {
  kindIndex ??= indexKinds()
  return kindIndex.get(`${group}/${version}/${kind}`)
}

// Two tables that are filled once from constant data; they hold nothing that a caller could see change.
let kindIndex: ReadonlyMap<string, string> | undefined
const types = new Map<string, TypeNode>()

export function typeNamed(name: string): TypeNode {
  let type = types.get(name)
  if (type === undefined) {
    type = specialTypes[name] ?? typeOf(openApiSchemas[name] ?? {}, name)
    types.set(name, type)
  }
  return type
}

function indexKinds(): ReadonlyMap<string, string> {
  const index = new Map<string, string>()
  for (const [name, schema] of Object.entries(openApiSchemas)) {
    // DeleteOptions and the like name many groups; only kinds of one group are served.
    const kinds = schema['x-kubernetes-group-version-kind'] ?? []
    for (const { group, version, kind } of kinds) if (kinds.length === 1) index.set(`${group}/${version}/${kind}`, name)
  }
  return index
}

const specialTypes: Readonly<Record<string, LeafType>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { kind: 'int-or-string' },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { kind: 'quantity' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': { kind: 'time' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': { kind: 'micro-time' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': { kind: 'any' },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { kind: 'any', goName: 'runtime.RawExtension' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': { kind: 'any', goName: 'v1.JSON' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray': { kind: 'schema-or-list' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': { kind: 'schema-or-truth' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray': { kind: 'any' },
}

function typeOf(schema: OpenApiSchema, name = ''): TypeNode {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref
  // A reference may carry its own merge rule: a list item type that is atomic only here, or one that is atomic everywhere else.
  if (ref !== undefined) return withMapType(typeNamed(ref.slice(refPrefix.length)), schema)
  const atomic = schema['x-kubernetes-map-type'] === 'atomic'
  if (schema.properties !== undefined) return structOf(schema, name, atomic)
  if (typeof schema.additionalProperties === 'object') return { kind: 'map', values: typeOf(schema.additionalProperties), atomic }
  if (schema.type === 'array') {
    const how = schema['x-kubernetes-list-type'] ?? 'atomic'
    return { kind: 'list', items: typeOf(schema.items ?? {}), how, keys: schema['x-kubernetes-list-map-keys'] ?? [] }
  }
  if (schema.type === 'object') return structOf({ properties: {} }, name, atomic)
  return { kind: leafKind(schema) }
}

function withMapType(type: TypeNode, schema: OpenApiSchema): TypeNode {
  const how = schema['x-kubernetes-map-type']
  if (type.kind !== 'struct' || how === undefined || type.atomic === (how === 'atomic')) return type
  return {
    kind: 'struct',
    schema: type.schema,
    name: type.name,
    atomic: how === 'atomic',
    get fields() {
      return type.fields
    },
  }
}

function leafKind(schema: OpenApiSchema): LeafType['kind'] {
  if (schema.type === 'integer') return schema.format === 'int32' ? 'int32' : 'int64'
  if (schema.type === 'string') return schema.format === 'byte' ? 'bytes' : 'string'
  if (schema.type === 'number' || schema.type === 'boolean') return schema.type
  return 'any'
}

function structOf(schema: OpenApiSchema, name: string, atomic: boolean): StructType {
  let fields: Readonly<Record<string, TypeField>> | undefined
  return {
    kind: 'struct',
    schema: name,
    name: name.slice(name.lastIndexOf('.') + 1),
    atomic,
    get fields() {
      fields ??= resolveFields(schema, name)
      return fields
    },
  }
}

/** Where an empty list is a wish of its own, and refused, and an absent one is filled. */
const saysNone: ReadonlySet<string> = new Set(['io.k8s.api.autoscaling.v2.HPAScalingRules policies'])

/** Of the texts that are written as null when absent these have neither a default nor a rule that asks for them. */
const mayBeNull: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.TypedLocalObjectReference apiGroup',
  'io.k8s.api.core.v1.TypedObjectReference apiGroup',
  'io.k8s.api.core.v1.AzureFilePersistentVolumeSource secretNamespace',
])

function resolveFields(schema: OpenApiSchema, name: string): Readonly<Record<string, TypeField>> {
  const fields = Object.create(null) as Record<string, TypeField>
  const required = new Set(schema.required)
  const wire = wireMessage(name)
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const onWire = wire.byName.get(key)
    const type = withGoName(typeOf(property), onWire?.goName)
    fields[key] = {
      type,
      default: property.default,
      zero:
        onWire === undefined || onWire.pointer
          ? // A structure that may be absent is written as null all the same.
            onWire?.always === true && (type.kind === 'struct' || mayBeNull.has(`${name} ${key}`))
            ? 'null'
            : undefined
          : type.kind === 'list' && required.has(key)
            ? 'null'
            : zeroOf(type, onWire),
      zeroIsAbsent: onWire !== undefined && !onWire.pointer && !onWire.always && !saysNone.has(`${name} ${key}`),
      patch: patchTraits(property),
    }
  }
  return fields
}

/** A name may stand within: `[]v1.IPFamily` is a list without a name, of items that have one. */
function withGoName(type: TypeNode, goName: string | undefined): TypeNode {
  if (goName === undefined || type.kind === 'struct') return type
  if (type.kind === 'list' && goName.startsWith('[]')) return { ...type, items: withGoName(type.items, goName.slice(2)) }
  const inMap = 'map[string]'
  if (type.kind === 'map' && goName.startsWith(inMap))
    return { ...type, values: withGoName(type.values, goName.slice(inMap.length)) }
  return { ...type, goName }
}

function zeroOf(type: TypeNode, field: WireField): TypeField['zero'] {
  if (type.kind === 'struct') return field.omitZero ? undefined : 'struct'
  if (type.kind === 'time' || type.kind === 'micro-time') return field.omitZero ? undefined : 'null'
  if (type.kind === 'quantity') return '0'
  if (!field.always) return undefined
  switch (type.kind) {
    case 'string':
      return ''
    case 'int32':
    case 'int64':
    case 'number':
      return 0
    case 'boolean':
      return false
    default:
      return 'null'
  }
}

function patchTraits(schema: OpenApiSchema): PatchTraits | undefined {
  const strategy = schema['x-kubernetes-patch-strategy']
  if (strategy === undefined) return undefined
  const parts = strategy.split(',')
  return {
    merge: parts.includes('merge'),
    replace: parts.includes('replace'),
    retainKeys: parts.includes('retainKeys'),
    mergeKey: schema['x-kubernetes-patch-merge-key'],
  }
}
