// Checks a value against a custom kind's schema, in the server's words. With an older value beside it, parts that did not change are
// not looked at again (ratcheting): tightening a schema must not make every older object unwritable.

import { type FieldError, fieldError } from '../field-error.ts'
import { hasFormat, isKnownFormat } from '../formats.ts'
import { goFloat, goNumber } from '../go-text.ts'
import { isList, isObject, type Json, type JsonObject, jsonEqual, renderJson } from '../json.ts'
import { itemKey, itemsByKey } from '../node/keyed-items.ts'
import type { Logic, SchemaNode, ValueChecks } from '../node/node.ts'
import type { Pattern } from '../pattern/pattern.ts'

/** More say nothing new, and a list of a million wrong items must not become a response of as many lines. */
const errorsMax = 500

export function validateValue(node: SchemaNode, value: Json, at: string, errors: FieldError[], old?: Json): void {
  if (errors.length >= errorsMax || (old !== undefined && jsonEqual(value, old))) return
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return validateValue(node, Number(value), at, errors, old)
  const type = typeOf(value)
  checkType(node, type, at, errors)
  if (node.logic !== undefined) checkLogic(node.logic, value, at, errors)
  if (typeof value === 'string') checkString(node, value, at, errors)
  else if (typeof value === 'number' || typeof value === 'bigint') checkNumber(node.checks, value, at, errors)
  else if (isList(value)) checkItems(node, value, at, errors, old)
  checkChoice(node.checks, value, at, errors)
  if (isObject(value)) checkMembers(node, value, at, errors, old)
}

type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

function typeOf(value: Json): JsonType {
  if (value === null) return 'null'
  if (isList(value)) return 'array'
  switch (typeof value) {
    case 'boolean':
      return 'boolean'
    case 'bigint':
      return 'integer'
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number'
    case 'string':
      return 'string'
    default:
      return 'object'
  }
}

function checkType(node: SchemaNode, type: JsonType, at: string, errors: FieldError[]): void {
  if (type === 'null') {
    if (node.nullable || (node.type === undefined && !node.intOrString)) return
    errors.push(wrongType(at, node.intOrString ? 'integer,string' : (node.type as string), 'null', 'null'))
    return
  }
  if (node.intOrString) {
    if (type !== 'integer' && type !== 'string') errors.push(wrongType(at, 'integer,string', type, type))
    return
  }
  if (node.type === undefined) return
  const format = node.checks?.format
  if (node.type === 'string' && type !== 'string' && format !== undefined && isKnownFormat(format.replaceAll('-', '')))
    checkFormatted(type, format, at, errors)
  else if (type !== node.type && !(type === 'integer' && node.type === 'number'))
    errors.push(wrongType(at, node.type, type, type))
}

/** Of what is no text a real server looks at the kind of number alone, and at lists not at all. */
function checkFormatted(type: JsonType, format: string, at: string, errors: FieldError[]): void {
  if (type === 'array') return
  const got = type === 'integer' ? 'int64' : type === 'number' ? 'float64' : ''
  errors.push(wrongType(at, format, got, got))
}

function wrongType(at: string, wanted: string, got: string, value: Json): FieldError {
  return fieldError.typeInvalid(at, value, `${inBody(at)} must be of type ${wanted}: "${got}"`)
}

function inBody(at: string): string {
  return `${at} in body`
}

function checkChoice(checks: ValueChecks | undefined, value: Json, at: string, errors: FieldError[]): void {
  const choice = checks?.enum
  if (choice === undefined || choice.some(allowed => jsonEqual(allowed, value))) return
  const supported = choice.map(allowed => (typeof allowed === 'string' ? allowed : renderJson(allowed)))
  errors.push(fieldError.notSupported(at, value, supported))
}

function checkString({ checks, type }: SchemaNode, value: string, at: string, errors: FieldError[]): void {
  if (checks === undefined) return
  checkText(checks, value, at, errors)
  const { format } = checks
  if (type === 'string' && format !== undefined && !hasFormat(format.replaceAll('-', ''), value))
    errors.push(fieldError.typeInvalid(at, value, `${inBody(at)} must be of type ${format}: ${renderJson(value)}`))
}

/** Only the first of these is told. */
function checkText(checks: ValueChecks, value: string, at: string, errors: FieldError[]): void {
  const { maxLength, minLength, pattern } = checks
  if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength)
    errors.push(fieldError.tooLong(at, maxLength))
  else if (minLength !== undefined && codePoints(value) < minLength) {
    errors.push(fieldError.invalid(at, value, `${inBody(at)} should be at least ${minLength} chars long`))
  } else if (pattern !== undefined) checkPattern(pattern, value, at, errors)
}

function checkPattern(pattern: Pattern, value: string, at: string, errors: FieldError[]): void {
  const match = pattern.match(value)
  if (match === 'yes') return
  const wish = match === 'no' ? `should match '${pattern.text}'` : `is too long to be matched with '${pattern.text}'`
  errors.push(fieldError.invalid(at, value, `${inBody(at)} ${wish}`))
}

function codePoints(value: string): number {
  let count = value.length
  for (let i = 0; i < value.length - 1; i++) {
    const high = value.charCodeAt(i)
    if (high >= 0xd800 && high < 0xdc00) {
      count--
      i++
    }
  }
  return count
}

function checkNumber(checks: ValueChecks | undefined, value: number | bigint, at: string, errors: FieldError[]): void {
  if (checks === undefined) return
  const { minimum, maximum, multipleOf } = checks
  const say = (text: string): void => void errors.push(fieldError.invalid(at, value, `${inBody(at)} should be ${text}`))
  // A bound is told in the type of what it bounds.
  const isFloat = typeOf(value) === 'number'
  const inType = (limit: number): number => (isFloat ? limit : Math.trunc(limit))
  const shown = (limit: number): string => (isFloat ? goFloat(limit) : goNumber(inType(limit)))
  if (multipleOf !== undefined && inType(multipleOf) <= 0)
    errors.push(fieldError.invalid(at, 0, `factor MultipleOf declared for ${at} must be positive: 0`))
  else if (multipleOf !== undefined && !isMultiple(value, inType(multipleOf))) say(`a multiple of ${shown(multipleOf)}`)
  if (minimum !== undefined && (checks.exclusiveMinimum ? value <= inType(minimum) : value < inType(minimum))) {
    say(`greater than ${checks.exclusiveMinimum ? '' : 'or equal to '}${shown(minimum)}`)
  }
  if (maximum !== undefined && (checks.exclusiveMaximum ? value >= inType(maximum) : value > inType(maximum))) {
    say(`less than ${checks.exclusiveMaximum ? '' : 'or equal to '}${shown(maximum)}`)
  }
}

function isMultiple(value: number | bigint, of: number): boolean {
  if (typeof value === 'bigint') return value % BigInt(of) === 0n
  const quotient = value / of
  // Whether more than 53 bits are a whole number nobody can say.
  return Math.abs(quotient) <= Number.MAX_SAFE_INTEGER && Math.abs(quotient - Math.round(quotient)) < 1e-9
}

function checkCount(checks: ValueChecks, list: readonly Json[], at: string, errors: FieldError[]): void {
  const { minItems, maxItems } = checks
  if (minItems !== undefined && list.length < minItems) {
    errors.push(fieldError.invalid(at, list.length, `${inBody(at)} should have at least ${minItems} items`))
  }
  if (maxItems !== undefined && list.length > maxItems) errors.push(fieldError.tooMany(at, list.length, maxItems))
}

function checkKeyCount(checks: ValueChecks, value: JsonObject, at: string, errors: FieldError[]): void {
  const { minProperties, maxProperties } = checks
  if (minProperties === undefined && maxProperties === undefined) return
  const count = Object.keys(value).length
  if (minProperties !== undefined && count < minProperties) {
    errors.push(fieldError.invalid(at, count, `${inBody(at)} should have at least ${minProperties} properties`))
  }
  if (maxProperties !== undefined && count > maxProperties) errors.push(fieldError.tooMany(at, count, maxProperties))
}

function checkItems(node: SchemaNode, list: readonly Json[], at: string, errors: FieldError[], old: Json | undefined): void {
  const { items, checks } = node
  if (items !== undefined) {
    const before = isList(old) && old.length > 0 && node.listType === 'map' ? itemsByKey(node, old) : undefined
    for (let i = 0; i < list.length; i++) {
      const item = list[i] as Json
      validateValue(items, item, `${at}[${i}]`, errors, before === undefined ? undefined : before.get(itemKey(node, item)))
    }
  }
  if (checks !== undefined) checkCount(checks, list, at, errors)
}

function checkMembers(node: SchemaNode, value: JsonObject, at: string, errors: FieldError[], old: Json | undefined): void {
  if (node.checks !== undefined) checkKeyCount(node.checks, value, at, errors)
  const before = isObject(old) ? old : undefined
  for (const key of Object.keys(value)) {
    const declared = node.properties?.[key]
    const child = declared ?? node.additional
    if (child === undefined) continue
    const older = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined
    validateValue(child, value[key] as Json, declared === undefined ? `${at}.${key}` : join(at, key), errors, older)
  }
  for (const name of node.required) {
    if (!Object.hasOwn(value, name)) errors.push(fieldError.required(join(at, name)))
  }
}

function join(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}

function checkLogic(logic: Logic, value: Json, at: string, errors: FieldError[]): void {
  // These verdicts belong to no field: their path is part of the text.
  const say = (text: string): void => void errors.push(fieldError.invalid('', '', text))
  if (logic.anyOf.length > 0 && !logic.anyOf.some(node => fits(node, value, at))) {
    say(`${JSON.stringify(at)} must validate at least one schema (anyOf)`)
    errors.push(...bestProblems(logic.anyOf, value, at))
  }
  if (logic.oneOf.length > 0) {
    const count = logic.oneOf.filter(node => fits(node, value, at)).length
    const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`
    if (count !== 1) say(`${JSON.stringify(at)} must validate one and only one schema (oneOf). ${found}`)
    if (count === 0) errors.push(...bestProblems(logic.oneOf, value, at))
  }
  if (logic.allOf.length > 0) checkAll(logic.allOf, value, at, errors)
  if (logic.not !== undefined && fits(logic.not, value, at)) say(`${JSON.stringify(at)} must not validate the schema (not)`)
}

function checkAll(nodes: readonly SchemaNode[], value: Json, at: string, errors: FieldError[]): void {
  let valid = 0
  for (const node of nodes) {
    const before = errors.length
    validateValue(node, value, at, errors)
    if (errors.length === before) valid++
  }
  if (valid === nodes.length) return
  const none = valid === 0 ? '. None validated' : ''
  errors.push(fieldError.invalid('', '', `${JSON.stringify(at)} must validate all the schemas (allOf)${none}`))
}

function fits(node: SchemaNode, value: Json, at: string): boolean {
  const errors: FieldError[] = []
  validateValue(node, value, at, errors)
  return errors.length === 0
}

/** What the alternative with the fewest problems says. */
function bestProblems(nodes: readonly SchemaNode[], value: Json, at: string): readonly FieldError[] {
  let best: FieldError[] | undefined
  for (const node of nodes) {
    const errors: FieldError[] = []
    validateValue(node, value, at, errors)
    if (best === undefined || errors.length < best.length) best = errors
  }
  return best ?? []
}
