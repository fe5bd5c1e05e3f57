// ConfigMaps, Secrets, ServiceAccounts and namespaces.
import { fieldError } from '../../field-error.ts'
import { isList, isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import { syntaxProblem } from '../../json-words.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, immutable, objectOf, text } from './checks.ts'

const sizeMax = 1_048_576
const keyMax = 253

/** A key of a secret or a config map is the name of a file as well. */
export function checkKey(key: string, at: string, errors: Errors): void {
  if (key.length > keyMax) errors.push(fieldError.invalid(at, key, `must be no more than ${keyMax} characters`))
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    const text =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
    errors.push(fieldError.invalid(at, key, text))
  }
  if (key === '.') errors.push(fieldError.invalid(at, key, "must not be '.'"))
  else if (key === '..') errors.push(fieldError.invalid(at, key, "must not be '..'"))
  else if (key.startsWith('..')) errors.push(fieldError.invalid(at, key, "must not start with '..'"))
}

function byteLength(base64: Json | undefined): number {
  return Buffer.byteLength(text(base64), 'base64')
}

export function validateConfigMap(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const data = objectOf(object.data)
  const binary = objectOf(object.binaryData)
  let size = 0
  for (const [key, value] of Object.entries(data)) {
    checkKey(key, `data[${key}]`, errors)
    if (Object.hasOwn(binary, key)) errors.push(fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    size += Buffer.byteLength(text(value))
  }
  for (const [key, value] of Object.entries(binary)) {
    checkKey(key, `binaryData[${key}]`, errors)
    size += byteLength(value)
  }
  if (size > sizeMax) errors.push(fieldError.tooLong('[]', sizeMax))
  if (old?.immutable === true) checkFrozen(object, old, ['data', 'binaryData'], errors)
  return errors
}

function checkFrozen(object: JsonObject, old: JsonObject, fields: readonly string[], errors: Errors): void {
  const frozen = 'field is immutable when `immutable` is set'
  if (object.immutable !== true) errors.push(fieldError.forbidden('immutable', frozen))
  for (const field of fields)
    if (!jsonEqual(objectOf(object[field]), objectOf(old[field]))) errors.push(fieldError.forbidden(field, frozen))
}

export function validateSecret(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const data = objectOf(object.data)
  let size = 0
  for (const [key, value] of Object.entries(data)) {
    checkKey(key, `data[${key}]`, errors)
    size += byteLength(value)
  }
  if (size > sizeMax) errors.push(fieldError.tooLong('data', sizeMax))
  checkSecretType(object, data, errors)
  if (old !== undefined) {
    immutable(object.type, old.type, 'type', errors)
    if (old.immutable === true) checkFrozen(object, old, ['data'], errors)
  }
  return errors
}

function checkSecretType(object: JsonObject, data: JsonObject, errors: Errors): void {
  const demand = (key: string): boolean => {
    if (data[key] !== undefined) return true
    errors.push(fieldError.required(`data[${key}]`))
    return false
  }
  switch (object.type) {
    case 'kubernetes.io/service-account-token': {
      const annotations = objectOf(objectOf(object.metadata).annotations)
      const name = 'kubernetes.io/service-account.name'
      if (text(annotations[name]) === '') errors.push(fieldError.required(`metadata.annotations[${name}]`))
      return
    }
    case 'kubernetes.io/dockercfg':
      if (demand('.dockercfg')) checkJson(data, '.dockercfg', errors)
      return
    case 'kubernetes.io/dockerconfigjson':
      if (demand('.dockerconfigjson')) checkJson(data, '.dockerconfigjson', errors)
      return
    case 'kubernetes.io/basic-auth':
      if (data.username === undefined && data.password === undefined) {
        errors.push(fieldError.required('data[username]'), fieldError.required('data[password]'))
      }
      return
    case 'kubernetes.io/ssh-auth':
      if (byteLength(data['ssh-privatekey']) === 0) errors.push(fieldError.required('data[ssh-privatekey]'))
      return
    case 'kubernetes.io/tls':
      demand('tls.crt')
      demand('tls.key')
      return
    default:
  }
}

function checkJson(data: JsonObject, key: string, errors: Errors): void {
  const content = Buffer.from(text(data[key]), 'base64').toString()
  try {
    const value = JSON.parse(content) as Json
    // Null is a map without members.
    if (value === null || isObject(value)) return
    const kind = isList(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    const why = `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`
    errors.push(fieldError.invalid(`data[${key}]`, '<secret contents redacted>', why))
  } catch {
    errors.push(fieldError.invalid(`data[${key}]`, '<secret contents redacted>', syntaxProblem(content)))
  }
}
