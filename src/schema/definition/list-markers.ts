// How lists and maps say that they merge: the markers must fit what they mark.
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { internalItems } from './internal-form.ts'

export function checkListMarkers(schema: JsonObject, at: string, errors: FieldError[]): void {
  const listType = schema['x-kubernetes-list-type']
  const mapType = schema['x-kubernetes-map-type']
  if (mapType !== undefined) {
    mustBe('object', schema, at, 'must be object if x-kubernetes-map-type is specified', errors)
    if (mapType !== 'atomic' && mapType !== 'granular') {
      errors.push(fieldError.notSupported(`${at}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
    }
  }
  if (listType !== undefined) {
    mustBe('array', schema, at, 'must be array if x-kubernetes-list-type is specified', errors)
    if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') {
      errors.push(fieldError.notSupported(`${at}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']))
    }
  }
  if (listType === 'set') checkSet(schema, at, errors)
  const keys = schema['x-kubernetes-list-map-keys']
  if (isList(keys) && listType !== 'map') {
    const text = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const path = `${at}.x-kubernetes-list-type`
    errors.push(listType === undefined ? fieldError.required(path, text) : fieldError.invalid(path, listType, text))
  }
  if (listType === 'map') checkKeyed(schema, textsOf(keys), at, errors)
}

function textsOf(list: Json | undefined): readonly string[] {
  return isList(list) ? list.filter(item => typeof item === 'string') : []
}

function mustBe(type: string, schema: JsonObject, at: string, text: string, errors: FieldError[]): void {
  if (schema.type === type) return
  const missing = schema.type === undefined || schema.type === ''
  errors.push(missing ? fieldError.required(`${at}.type`, text) : fieldError.invalid(`${at}.type`, schema.type, text))
}

function checkKeyed(schema: JsonObject, keys: readonly string[], at: string, errors: FieldError[]): void {
  const path = `${at}.x-kubernetes-list-map-keys`
  if (keys.length === 0) errors.push(fieldError.required(path, 'must not be empty if x-kubernetes-list-type is map'))
  const { items } = schema
  if (isList(items)) {
    const shown = internalItems(items)
    const why = 'must only have a single schema if x-kubernetes-list-type is map'
    errors.push({ ...fieldError.invalid(`${at}.items`, shown, why), ordered: true })
  } else if (!isObject(items))
    errors.push(fieldError.required(`${at}.items`, 'must have a schema if x-kubernetes-list-type is map'))
  else checkKeyedItems(items, keys, at, errors)
}

function checkKeyedItems(items: JsonObject, keys: readonly string[], at: string, errors: FieldError[]): void {
  const isKeyed = items.type === 'object'
  if (isKeyed) checkKeys(items, keys, at, errors)
  else {
    const why = "must be object if parent array's x-kubernetes-list-type is map"
    errors.push(fieldError.invalid(`${at}.items.type`, items.type ?? '', why))
  }
  if (items.nullable === true)
    errors.push(fieldError.forbidden(`${at}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is map'))
  if (!isKeyed) return
  for (const key of keys) checkKey(items, key, `${at}.items.properties[${key}]`, errors)
}

function checkKeys(items: JsonObject, keys: readonly string[], at: string, errors: FieldError[]): void {
  const path = `${at}.x-kubernetes-list-map-keys`
  const before = new Set<string>()
  for (const key of keys) {
    const property = propertyOf(items, key)
    if (property === undefined) errors.push(fieldError.invalid(path, keys, 'entries must all be names of item properties'))
    else if (property.type === 'object' || property.type === 'array') {
      // A real server tells the type of the items.
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(fieldError.invalid(`${at}.items.properties[${key}].type`, items.type, why))
    }
    if (before.has(key)) errors.push(fieldError.invalid(path, keys, 'must not contain duplicate entries'))
    before.add(key)
  }
}

function propertyOf({ properties }: JsonObject, key: string): JsonObject | undefined {
  if (!isObject(properties) || !Object.hasOwn(properties, key)) return undefined
  const property = properties[key]
  return isObject(property) ? property : undefined
}

function checkKey(items: JsonObject, key: string, at: string, errors: FieldError[]): void {
  const property = propertyOf(items, key)
  if (property === undefined) return
  const isRequired = isList(items.required) && items.required.includes(key)
  if (!isRequired && property.default === undefined) {
    const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
    errors.push(fieldError.required(`${at}.default`, why))
  }
  if (property.nullable === true) {
    const why = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'
    errors.push(fieldError.forbidden(`${at}.nullable`, why))
  }
}

function checkSet({ items }: JsonObject, at: string, errors: FieldError[]): void {
  if (!isObject(items)) return
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  // A real server shows null, whatever was said.
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    errors.push(fieldError.invalid(`${at}.items.x-kubernetes-map-type`, null, text))
  const listType = items['x-kubernetes-list-type']
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic')
    errors.push(fieldError.invalid(`${at}.items.x-kubernetes-list-type`, listType, text))
  if (items.nullable === true)
    errors.push(fieldError.forbidden(`${at}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is set'))
}
