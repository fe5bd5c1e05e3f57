// What a schema must be like so that objects can be pruned, defaulted and applied by it, in the server's words.

import { compareText } from '#base'
import { type FieldError, fieldError, renderFieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject, jsonEqual } from '../json.ts'
import { compilePattern } from '../pattern/pattern.ts'
import { depthMax, isSet } from './vocabulary.ts'

type Level = 'root' | 'field' | 'item'

/** What is found is told in the order of its words, as a real server sorts it. */
export function checkStructure(schema: JsonObject, at: string, errors: FieldError[]): void {
  const found: FieldError[] = []
  checkNode(schema, at, 'root', found, 0)
  const told = found.map(error => ({ error, text: renderFieldError(error) })).sort((a, b) => compareText(a.text, b.text))
  errors.push(...told.map(({ error }) => error))
}

function checkNode(schema: JsonObject, at: string, level: Level, errors: FieldError[], depth: number): void {
  if (depth > depthMax) return
  checkPattern(schema, at, errors)
  checkType(schema, at, level, errors)
  checkItems(schema, at, errors)
  checkExtensions(schema, at, errors)
  if (level === 'root' && schema.additionalProperties !== undefined)
    errors.push(fieldError.forbidden(`${at}.additionalProperties`, 'must not be used at the root'))
  if (level === 'root' || schema['x-kubernetes-embedded-resource'] === true) checkIdentity(schema, at, level, errors)
  checkChildren(schema, at, errors, depth)
  checkJunctors(schema, at, errors, depth)
}

function checkPattern(schema: JsonObject, at: string, errors: FieldError[]): void {
  const { pattern } = schema
  const problem = typeof pattern === 'string' ? compilePattern(pattern).problem : undefined
  if (problem !== undefined)
    errors.push(fieldError.invalid(`${at}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`))
}

function hasType(schema: JsonObject): boolean {
  return typeof schema.type === 'string' && schema.type !== ''
}

function checkType(schema: JsonObject, at: string, level: Level, errors: FieldError[]): void {
  const free = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema['x-kubernetes-embedded-resource'] === true && schema.type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(hasType(schema) ? fieldError.invalid(`${at}.type`, schema.type, text) : fieldError.required(`${at}.type`, text))
  } else if (!hasType(schema) && (level === 'root' || !free)) {
    const where = { root: 'at the root', field: 'for specified object fields', item: 'for specified array items' }[level]
    errors.push(fieldError.required(`${at}.type`, `must not be empty ${where}`))
  } else if (level === 'root' && schema.type !== 'object')
    errors.push(fieldError.invalid(`${at}.type`, schema.type, 'must be object at the root'))
}

function checkItems({ type, items }: JsonObject, at: string, errors: FieldError[]): void {
  const isMissing = isList(items) ? items.length === 0 : !isObject(items)
  if (type === 'array' && isMissing) errors.push(fieldError.required(`${at}.items`, 'must be specified'))
}

function checkExtensions(schema: JsonObject, at: string, errors: FieldError[]): void {
  const preserve = schema['x-kubernetes-preserve-unknown-fields']
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  if (preserve === false)
    errors.push(fieldError.invalid(`${at}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  if (schema['x-kubernetes-int-or-string'] === true) {
    const text = 'must be false if x-kubernetes-int-or-string is true'
    if (preserve === true) errors.push(fieldError.invalid(`${at}.x-kubernetes-preserve-unknown-fields`, true, text))
    if (embedded) errors.push(fieldError.invalid(`${at}.x-kubernetes-embedded-resource`, true, text))
  }
  if (embedded && preserve !== true && !isSet(schema.properties)) {
    const text = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(fieldError.required(`${at}.properties`, text))
  }
}

/** What is known of every object may be narrowed a little, and not redefined. */
function checkIdentity({ properties }: JsonObject, at: string, level: Level, errors: FieldError[]): void {
  const { apiVersion, kind, metadata } = isObject(properties) ? properties : {}
  for (const [name, property] of Object.entries({ apiVersion, kind })) {
    if (isObject(property) && property.type !== 'string')
      errors.push(fieldError.invalid(`${at}.properties[${name}].type`, property.type ?? '', 'must be string'))
  }
  if (!isObject(metadata)) return
  const path = `${at}.properties[metadata]`
  if (metadata.type !== 'object') errors.push(fieldError.invalid(`${path}.type`, metadata.type ?? '', 'must be object'))
  else if (level === 'root' && !narrowsNamesOnly(metadata)) {
    errors.push(
      fieldError.forbidden(
        path,
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    )
  }
}

function narrowsNamesOnly(metadata: JsonObject): boolean {
  if (Object.keys(metadata).some(key => key !== 'type' && key !== 'properties')) return false
  const properties = isObject(metadata.properties) ? metadata.properties : {}
  return Object.keys(properties).every(key => key === 'name' || key === 'generateName')
}

function checkChildren(schema: JsonObject, at: string, errors: FieldError[], depth: number): void {
  if (isObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties))
      if (isObject(property)) checkNode(property, `${at}.properties[${name}]`, 'field', errors, depth + 1)
  }
  const { additionalProperties, items } = schema
  if (isObject(additionalProperties)) checkNode(additionalProperties, `${at}.additionalProperties`, 'field', errors, depth + 1)
  if (isObject(items)) checkNode(items, `${at}.items`, 'item', errors, depth + 1)
}

/** Alternatives judge values; they must not shape them. */
function checkJunctors(schema: JsonObject, at: string, errors: FieldError[], depth: number): void {
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const list = schema[name]
    if (!isList(list)) continue
    // The one way in which a value may be said to be an integer or a string.
    if (name === 'anyOf' && isEitherType(list)) continue
    list.forEach((item, index) => {
      const isAllOfEither = name === 'allOf' && index === 0 && isObject(item) && isList(item.anyOf) && isEitherType(item.anyOf)
      if (isObject(item) && !isAllOfEither) checkValueOnly(item, `${at}.${name}[${index}]`, errors, depth + 1)
    })
  }
  if (isObject(schema.not)) checkValueOnly(schema.not, `${at}.not`, errors, depth + 1)
}

function isEitherType(list: readonly Json[]): boolean {
  return jsonEqual(list, [{ type: 'integer' }, { type: 'string' }])
}

const emptyInJunctors: readonly (readonly [string, string])[] = [
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['title', 'must be empty to be structural'],
  ['type', 'must be empty to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function checkValueOnly(schema: JsonObject, at: string, errors: FieldError[], depth: number): void {
  if (depth > depthMax) return
  for (const [name, text] of emptyInJunctors) {
    const value = schema[name]
    if (value !== undefined && value !== null && value !== '' && value !== false)
      errors.push(fieldError.forbidden(`${at}.${name}`, text))
  }
  checkPattern(schema, at, errors)
  if (isObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      if (isObject(property)) checkValueOnly(property, `${at}.properties[${name}]`, errors, depth + 1)
    }
  }
  if (isObject(schema.items)) checkValueOnly(schema.items, `${at}.items`, errors, depth + 1)
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const list = schema[name]
    if (!isList(list)) continue
    list.forEach((item, index) => {
      if (isObject(item)) checkValueOnly(item, `${at}.${name}[${index}]`, errors, depth + 1)
    })
  }
  if (isObject(schema.not)) checkValueOnly(schema.not, `${at}.not`, errors, depth + 1)
}
