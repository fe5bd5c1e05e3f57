// A custom kind's schema, read once from `openAPIV3Schema` into the form that pruning, defaulting and validation walk. Reading never
// fails: what a definition may contain is checked elsewhere (definition/), and what is checked there does not come here.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { compilePattern, type Pattern } from '../pattern/pattern.ts'

export interface SchemaNode {
  readonly type: string | undefined
  readonly nullable: boolean
  readonly intOrString: boolean
  readonly preserve: boolean
  readonly embedded: boolean
  /** Own properties only: made without a prototype. */
  readonly properties: Readonly<Record<string, SchemaNode>> | undefined
  readonly additional: SchemaNode | undefined
  readonly items: SchemaNode | undefined
  readonly listType: 'atomic' | 'set' | 'map'
  readonly listKeys: readonly string[]
  readonly mapType: 'atomic' | 'granular'
  readonly default: Json | undefined
  readonly required: readonly string[]
  readonly checks: ValueChecks | undefined
  readonly logic: Logic | undefined
  readonly rules: readonly RuleText[]
  /** Whether this node or one below has rules, list markers to check, or objects within. */
  readonly has: { readonly rules: boolean; readonly uniqueLists: boolean; readonly embedded: boolean }
  readonly source: JsonObject
}

export interface ValueChecks {
  readonly enum: readonly Json[] | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly exclusiveMinimum: boolean
  readonly exclusiveMaximum: boolean
  readonly multipleOf: number | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly pattern: Pattern | undefined
  readonly format: string | undefined
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
  readonly minProperties: number | undefined
  readonly maxProperties: number | undefined
}

export interface Logic {
  readonly allOf: readonly SchemaNode[]
  readonly anyOf: readonly SchemaNode[]
  readonly oneOf: readonly SchemaNode[]
  readonly not: SchemaNode | undefined
}

export interface RuleText {
  readonly rule: string
  readonly message: string | undefined
  readonly messageExpression: string | undefined
  readonly reason: string | undefined
  readonly fieldPath: string | undefined
  readonly optionalOldSelf: boolean | undefined
}

/** Deeper schemas are cut off: no honest one comes near, and walks recurse. */
const depthMax = 500

export function readSchema(schema: Json | undefined, depth = 0): SchemaNode {
  const source = isObject(schema) && depth < depthMax ? schema : {}
  const properties = readProperties(source.properties, depth)
  const additional = readAdditional(source.additionalProperties, depth)
  const items = isObject(source.items) ? readSchema(source.items, depth + 1) : undefined
  const rules = readRules(source['x-kubernetes-validations'])
  const children = [
    ...Object.values(properties ?? {}),
    ...(additional === undefined ? [] : [additional]),
    ...(items === undefined ? [] : [items]),
  ]
  const listType = source['x-kubernetes-list-type']
  return {
    type: text(source.type),
    nullable: source.nullable === true,
    intOrString: source['x-kubernetes-int-or-string'] === true,
    preserve: source['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: source['x-kubernetes-embedded-resource'] === true,
    properties,
    additional,
    items,
    listType: listType === 'set' || listType === 'map' ? listType : 'atomic',
    listKeys: texts(source['x-kubernetes-list-map-keys']),
    mapType: source['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular',
    default: source.default,
    required: texts(source.required),
    checks: readChecks(source),
    logic: readLogic(source, depth),
    rules,
    has: {
      rules: rules.length > 0 || children.some(child => child.has.rules),
      uniqueLists: listType === 'set' || listType === 'map' || children.some(child => child.has.uniqueLists),
      embedded: source['x-kubernetes-embedded-resource'] === true || children.some(child => child.has.embedded),
    },
    source,
  }
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function texts(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter(item => typeof item === 'string') : []
}

function number(value: Json | undefined): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'number' ? value : undefined
}

function readProperties(value: Json | undefined, depth: number): Readonly<Record<string, SchemaNode>> | undefined {
  if (!isObject(value)) return undefined
  const properties = Object.create(null) as Record<string, SchemaNode>
  for (const [key, property] of Object.entries(value)) properties[key] = readSchema(property, depth + 1)
  return properties
}

/** `additionalProperties: true` lets anything in and keeps it; `false` is the same as none for a structural schema. */
function readAdditional(value: Json | undefined, depth: number): SchemaNode | undefined {
  if (value === true) return readSchema({ 'x-kubernetes-preserve-unknown-fields': true }, depth + 1)
  return isObject(value) ? readSchema(value, depth + 1) : undefined
}

function readRules(value: Json | undefined): readonly RuleText[] {
  if (!isList(value)) return []
  return value.filter(isObject).map(rule => ({
    rule: typeof rule.rule === 'string' ? rule.rule : '',
    message: text(rule.message),
    messageExpression: text(rule.messageExpression),
    reason: text(rule.reason),
    fieldPath: text(rule.fieldPath),
    optionalOldSelf: typeof rule.optionalOldSelf === 'boolean' ? rule.optionalOldSelf : undefined,
  }))
}

const checkNames =
  'enum minimum maximum multipleOf minLength maxLength pattern format minItems maxItems minProperties maxProperties'.split(' ')

function readChecks(source: JsonObject): ValueChecks | undefined {
  if (checkNames.every(name => source[name] === undefined)) return undefined
  const pattern = text(source.pattern)
  return {
    enum: isList(source.enum) && source.enum.length > 0 ? source.enum : undefined,
    minimum: number(source.minimum),
    maximum: number(source.maximum),
    exclusiveMinimum: source.exclusiveMinimum === true,
    exclusiveMaximum: source.exclusiveMaximum === true,
    multipleOf: number(source.multipleOf),
    minLength: number(source.minLength),
    maxLength: number(source.maxLength),
    pattern: pattern === undefined ? undefined : compilePattern(pattern),
    format: text(source.format),
    minItems: number(source.minItems),
    maxItems: number(source.maxItems),
    minProperties: number(source.minProperties),
    maxProperties: number(source.maxProperties),
  }
}

function readLogic(source: JsonObject, depth: number): Logic | undefined {
  const list = (value: Json | undefined): SchemaNode[] => (isList(value) ? value.map(item => readSchema(item, depth + 1)) : [])
  const allOf = list(source.allOf)
  const anyOf = list(source.anyOf)
  const oneOf = list(source.oneOf)
  const not = isObject(source.not) ? readSchema(source.not, depth + 1) : undefined
  return allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined ? { allOf, anyOf, oneOf, not } : undefined
}
