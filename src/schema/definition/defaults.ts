// Defaults must be what they stand for: valid, and without unknown fields.

import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject, jsonEqual } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'
import { pruneObject, pruneValue } from '../structural/prune.ts'
import { validateValue } from '../structural/validate.ts'

export function checkDefaults(root: SchemaNode, at: string, errors: FieldError[]): void {
  checkNode(root, at, true, errors)
}

/** A real server does not look at those of members that no schema names. */
function checkNode(node: SchemaNode, at: string, isResource: boolean, errors: FieldError[]): void {
  // Null says that there is no default.
  if (node.default !== undefined && node.default !== null)
    checkDefault(node, node.default, `${at}.default`, isResource || node.embedded, errors)
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    const path = `${at}.properties[${name}]`
    if (isResource && name === 'metadata') forbidDefaults(property, path, errors)
    else checkNode(property, path, false, errors)
  }
  if (node.items !== undefined) checkNode(node.items, `${at}.items`, false, errors)
}

function forbidDefaults(node: SchemaNode, at: string, errors: FieldError[]): void {
  if (node.default !== undefined && node.default !== null)
    errors.push(fieldError.forbidden(`${at}.default`, 'must not be set in top-level metadata'))
  for (const [name, property] of Object.entries(node.properties ?? {}))
    forbidDefaults(property, `${at}.properties[${name}]`, errors)
}

function checkDefault(node: SchemaNode, value: Json, at: string, isResource: boolean, errors: FieldError[]): void {
  if (!jsonEqual(pruned(node, value, isResource), value))
    errors.push(fieldError.invalid(at, value, 'must not have unknown fields'))
  const before = errors.length
  checkIdentities(node, value, at, isResource, errors)
  // What is no object that says what it is is judged no further.
  if (errors.length > before) return
  const found: FieldError[] = []
  validateValue(node, value, '', found)
  // A member that no schema names has a path with a dot before it.
  for (const error of found) errors.push({ ...error, field: error.field === '' ? at : `${at}.${error.field.replace(/^\./, '')}` })
}

function pruned(node: SchemaNode, value: Json, isResource: boolean): Json {
  if (isResource && isObject(value)) return pruneObject(node, value, '', undefined, true)
  return isObject(value) || isList(value) ? pruneValue(node, value, '') : value
}

/** An object within says what it is, as one that stands alone does. */
function checkIdentities(node: SchemaNode, value: Json, at: string, isResource: boolean, errors: FieldError[]): void {
  const { items } = node
  if (isList(value) && items !== undefined)
    value.forEach((item, index) => checkIdentities(items, item, `${at}[${index}]`, items.embedded, errors))
  if (!isObject(value)) return
  if (isResource) checkIdentity(value, at, errors)
  for (const [key, member] of Object.entries(value)) {
    const declared = node.properties?.[key]
    const child = declared ?? node.additional
    const path = declared === undefined ? `${at}[${key}]` : `${at}.${key}`
    if (child !== undefined) checkIdentities(child, member, path, child.embedded, errors)
  }
}

/** What is no text ends the reading of it. */
function checkIdentity({ apiVersion, kind }: JsonObject, at: string, errors: FieldError[]): void {
  const texts = Object.entries({ apiVersion, kind })
  const wrong = texts.find(([, text]) => text !== undefined && typeof text !== 'string')
  if (wrong !== undefined) {
    errors.push(fieldError.invalid(`${at}.${wrong[0]}`, wrong[1], 'must be a string'))
    return
  }
  for (const [field, text] of texts) {
    if (text === undefined) errors.push(fieldError.required(`${at}.${field}`))
    else if (text === '') errors.push(fieldError.invalid(`${at}.${field}`, text, 'must not be empty'))
  }
}
