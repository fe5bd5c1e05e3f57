// What a schema may say at all, wherever in it: of types, of what is not supported, and of how lists and maps merge.
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { checkListMarkers } from './list-markers.ts'

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref']

/** Deeper than this nothing is looked at; the body limit keeps honest schemas far below. */
export const depthMax = 400

export function checkVocabulary(schema: JsonObject, at: string, errors: FieldError[], depth = 0): void {
  if (depth > depthMax) return
  checkTypeName(schema.type, `${at}.type`, errors)
  for (const name of unsupported)
    if (isSet(schema[name])) errors.push(fieldError.forbidden(`${at}.${name}`, `${name} is not supported`))
  if (schema.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(fieldError.forbidden(`${at}.uniqueItems`, why))
  }
  checkExclusive(schema, at, errors)
  if (isItemList(schema.items)) errors.push(fieldError.forbidden(`${at}.items`, 'items must be a schema object and not an array'))
  for (const [path, child] of partsOf(schema)) checkVocabulary(child, `${at}.${path}`, errors, depth + 1)
  checkListMarkers(schema, at, errors)
}

/** With these words somewhere a schema is not even looked at for its structure. */
export function hasForeignWords(schema: JsonObject, depth = 0): boolean {
  if (depth > depthMax) return false
  if (isItemList(schema.items) || unsupported.some(name => isSet(schema[name]))) return true
  return partsOf(schema).some(([, part]) => hasForeignWords(part, depth + 1))
}

function isItemList(items: Json | undefined): boolean {
  return isList(items) && items.length > 0
}

function checkTypeName(type: Json | undefined, at: string, errors: FieldError[]): void {
  if (typeof type !== 'string' || type === '' || types.includes(type)) return
  errors.push(fieldError.notSupported(at, type, types))
  if (type === 'null') errors.push(fieldError.forbidden(at, 'type cannot be set to null, use nullable as an alternative'))
}

export function isSet(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return false
  return !(isObject(value) && Object.keys(value).length === 0)
}

function checkExclusive({ additionalProperties, properties }: JsonObject, at: string, errors: FieldError[]): void {
  if (!isSet(properties) || (additionalProperties !== false && !isObject(additionalProperties))) return
  errors.push(fieldError.forbidden(`${at}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'))
}

/** All schemas within one, in the order in which a real server comes to them. */
function partsOf(schema: JsonObject): (readonly [path: string, part: JsonObject])[] {
  const { additionalProperties, properties, not, items } = schema
  const named = Object.entries(isObject(properties) ? properties : {})
  const parts: (readonly [string, Json | undefined])[] = [
    ['additionalProperties', additionalProperties],
    ...named.map(([name, property]) => [`properties[${name}]`, property] as const),
    ['not', not],
    ...['allOf', 'oneOf', 'anyOf', 'items'].flatMap(name => listed(name, schema[name])),
    ['items', items],
  ]
  return parts.filter((part): part is readonly [string, JsonObject] => isObject(part[1]))
}

function listed(name: string, list: Json | undefined): (readonly [string, Json])[] {
  return isList(list) ? list.map((item, index) => [`${name}[${index}]`, item] as const) : []
}
