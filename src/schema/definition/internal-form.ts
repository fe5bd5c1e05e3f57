// Some messages print a part of a definition the way the server holds it inside: with all its fields, under their internal names.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'

type Shape = readonly (readonly [internal: string, json: string, zero: Json, of?: 'schema' | 'schemas' | 'named' | 'either'])[]

const schemaShape: Shape = [
  ['ID', 'id', ''],
  ['Schema', '$schema', ''],
  ['Ref', '$ref', null],
  ['Description', 'description', ''],
  ['Type', 'type', ''],
  ['Nullable', 'nullable', false],
  ['Format', 'format', ''],
  ['Title', 'title', ''],
  ['Default', 'default', null],
  ['Maximum', 'maximum', null],
  ['ExclusiveMaximum', 'exclusiveMaximum', false],
  ['Minimum', 'minimum', null],
  ['ExclusiveMinimum', 'exclusiveMinimum', false],
  ['MaxLength', 'maxLength', null],
  ['MinLength', 'minLength', null],
  ['Pattern', 'pattern', ''],
  ['MaxItems', 'maxItems', null],
  ['MinItems', 'minItems', null],
  ['UniqueItems', 'uniqueItems', false],
  ['MultipleOf', 'multipleOf', null],
  ['Enum', 'enum', null],
  ['MaxProperties', 'maxProperties', null],
  ['MinProperties', 'minProperties', null],
  ['Required', 'required', null],
  ['Items', 'items', null, 'either'],
  ['AllOf', 'allOf', null, 'schemas'],
  ['OneOf', 'oneOf', null, 'schemas'],
  ['AnyOf', 'anyOf', null, 'schemas'],
  ['Not', 'not', null, 'schema'],
  ['Properties', 'properties', null, 'named'],
  ['AdditionalProperties', 'additionalProperties', null, 'either'],
  ['PatternProperties', 'patternProperties', null, 'named'],
  ['Dependencies', 'dependencies', null],
  ['AdditionalItems', 'additionalItems', null],
  ['Definitions', 'definitions', null, 'named'],
  ['ExternalDocs', 'externalDocs', null],
  ['Example', 'example', null],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false],
  ['XIntOrString', 'x-kubernetes-int-or-string', false],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null],
  ['XListType', 'x-kubernetes-list-type', null],
  ['XMapType', 'x-kubernetes-map-type', null],
  ['XValidations', 'x-kubernetes-validations', null],
]

export function internalSchema(schema: JsonObject): JsonObject {
  const out: Record<string, Json> = {}
  for (const [internal, name, zero, of] of schemaShape) out[internal] = member(schema[name], zero, of, name)
  return out
}

function member(value: Json | undefined, zero: Json, of: string | undefined, name: string): Json {
  if (value === undefined || value === null) return zero
  if (name === 'x-kubernetes-validations' && isList(value)) return value.map(rule => (isObject(rule) ? internalRule(rule) : rule))
  if (of === 'schema' && isObject(value)) return internalSchema(value)
  if (of === 'schemas' && isList(value)) return value.map(item => (isObject(item) ? internalSchema(item) : item))
  if (of === 'named' && isObject(value)) {
    const entries = Object.keys(value)
      .sort()
      .map(key => [key, isObject(value[key]) ? internalSchema(value[key]) : (value[key] as Json)] as const)
    return Object.fromEntries(entries)
  }
  if (of !== 'either') return value
  if (name === 'items') return internalItems(value)
  return { Allows: value !== false, Schema: isObject(value) ? internalSchema(value) : null }
}

export function internalItems(items: Json): JsonObject {
  return {
    Schema: isObject(items) ? internalSchema(items) : null,
    JSONSchemas: isList(items) ? items.map(item => (isObject(item) ? internalSchema(item) : item)) : null,
  }
}

export function internalRule(rule: JsonObject): JsonObject {
  return {
    Rule: rule.rule ?? '',
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }
}

/** Versions without what all of them share: that moves to the top of the definition. */
export function internalVersions(versions: readonly JsonObject[], own: ReadonlySet<string>): Json {
  const part = (name: string, value: Json | undefined, shown: (value: Json) => Json): Json =>
    value === undefined || !own.has(name) ? null : shown(value)
  return versions.map(version => ({
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: part('schema', version.schema, internalValidation),
    Subresources: part('subresources', version.subresources, internalSubresources),
    AdditionalPrinterColumns: part('additionalPrinterColumns', version.additionalPrinterColumns, internalColumns),
    SelectableFields: part('selectableFields', version.selectableFields, internalFields),
  }))
}

function internalValidation(value: Json): Json {
  const schema = isObject(value) ? value.openAPIV3Schema : undefined
  return { OpenAPIV3Schema: isObject(schema) ? internalSchema(schema) : null }
}

function internalSubresources(value: Json): Json {
  const { status, scale } = isObject(value) ? value : {}
  return { Status: status ?? null, Scale: isObject(scale) ? internalScale(scale) : null }
}

function internalScale({ specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = null }: JsonObject): JsonObject {
  return { SpecReplicasPath: specReplicasPath, StatusReplicasPath: statusReplicasPath, LabelSelectorPath: labelSelectorPath }
}

function internalColumns(value: Json): Json {
  return itemsOf(value).map(({ name = '', type = '', format = '', description = '', priority = 0, jsonPath = '' }) => ({
    Name: name,
    Type: type,
    Format: format,
    Description: description,
    Priority: priority,
    JSONPath: jsonPath,
  }))
}

function internalFields(value: Json): Json {
  return itemsOf(value).map(({ jsonPath = '' }) => ({ JSONPath: jsonPath }))
}

function itemsOf(value: Json): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : []
}
