// How lists and maps say that they merge: the markers must fit what they mark.
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'

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
  const keys = schema['x-kubernetes-list-map-keys']
  if (isList(keys) && listType !== 'map') {
    const text = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const path = `${at}.x-kubernetes-list-type`
    errors.push(listType === undefined ? fieldError.required(path, text) : fieldError.invalid(path, listType, text))
  }
  if (listType === 'map') checkKeyed(schema, isList(keys) ? keys : [], at, errors)
  if (listType === 'set') checkSet(schema, at, errors)
}

function mustBe(type: string, schema: JsonObject, at: string, text: string, errors: FieldError[]): void {
  if (schema.type === type) return
  const missing = schema.type === undefined || schema.type === ''
  errors.push(missing ? fieldError.required(`${at}.type`, text) : fieldError.invalid(`${at}.type`, schema.type, text))
}

function checkKeyed(schema: JsonObject, keys: readonly Json[], at: string, errors: FieldError[]): void {
  const path = `${at}.x-kubernetes-list-map-keys`
  if (keys.length === 0) errors.push(fieldError.required(path, 'must not be empty if x-kubernetes-list-type is map'))
  const { items } = schema
  if (items === undefined) {
    errors.push(fieldError.required(`${at}.items`, 'must have a schema if x-kubernetes-list-type is map'))
    return
  }
  if (!isObject(items)) return
  if (items.type !== 'object') {
    errors.push(
      fieldError.invalid(`${at}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"),
    )
  }
  if (items.nullable === true)
    errors.push(fieldError.forbidden(`${at}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is map'))
  const properties = isObject(items.properties) ? items.properties : {}
  const seen = new Set<Json>()
  for (const key of keys) {
    const property = typeof key === 'string' && Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!isObject(property)) errors.push(fieldError.invalid(path, keys, 'entries must all be names of item properties'))
    else if (!seen.has(key)) checkKey(items, key as string, property, `${at}.items.properties[${key as string}]`, errors)
    if (seen.has(key)) errors.push(fieldError.invalid(path, keys, 'must not contain duplicate entries'))
    seen.add(key)
  }
}

function checkKey(items: JsonObject, key: string, property: JsonObject, at: string, errors: FieldError[]): void {
  if (property.type === 'object' || property.type === 'array') {
    errors.push(
      fieldError.invalid(`${at}.type`, property.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"),
    )
  }
  const required = isList(items.required) && items.required.includes(key)
  if (!required && property.default === undefined) {
    errors.push(
      fieldError.required(
        `${at}.default`,
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ),
    )
  }
  if (property.nullable === true) {
    errors.push(
      fieldError.forbidden(`${at}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'),
    )
  }
}

function checkSet(schema: JsonObject, at: string, errors: FieldError[]): void {
  const { items } = schema
  if (!isObject(items)) return
  if (items.nullable === true)
    errors.push(fieldError.forbidden(`${at}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is set'))
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    errors.push(fieldError.invalid(`${at}.items.x-kubernetes-map-type`, items['x-kubernetes-map-type'], text))
  }
  const listType = items['x-kubernetes-list-type']
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    errors.push(fieldError.invalid(`${at}.items.x-kubernetes-list-type`, listType, text))
  }
}
