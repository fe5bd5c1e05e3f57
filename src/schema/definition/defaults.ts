// Defaults must be what they stand for: valid, and without unknown fields.

import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, jsonEqual } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'
import { defaultValue } from '../structural/default.ts'
import { pruneValue } from '../structural/prune.ts'
import { validateValue } from '../structural/validate.ts'

export function checkDefaults(node: SchemaNode, at: string, errors: FieldError[]): void {
  // Null says that there is no default.
  if (node.default !== undefined && node.default !== null) checkDefault(node, node.default, `${at}.default`, errors)
  for (const [name, property] of Object.entries(node.properties ?? {}))
    checkDefaults(property, `${at}.properties[${name}]`, errors)
  if (node.additional !== undefined) checkDefaults(node.additional, `${at}.additionalProperties`, errors)
  if (node.items !== undefined) checkDefaults(node.items, `${at}.items`, errors)
}

function checkDefault(node: SchemaNode, value: Json, at: string, errors: FieldError[]): void {
  if (isObject(value) || isList(value)) {
    if (!jsonEqual(pruneValue(node, value, ''), value)) {
      errors.push(fieldError.invalid(at, value, 'must not have unknown fields'))
      return
    }
  }
  const found: FieldError[] = []
  validateValue(node, defaultValue(node, value), '', found)
  for (const error of found) errors.push({ ...error, field: error.field === '' ? at : `${at}.${error.field}` })
}
