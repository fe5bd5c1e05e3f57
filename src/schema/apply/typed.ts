// Whether a value fits its shape: what an applied body must do before it is merged. The first few problems are told, in the words of
// the server.
import { goNumber, goText } from '../go-text.ts'
import { isList, isObject, type Json, type JsonObject, renderJson } from '../json.ts'
import type { MergeList, MergeMap, MergeShape, ScalarShape } from '../shape.ts'
import { elementOf, renderElement } from './path-element.ts'

const problemsMax = 20

/** Undefined when it fits; else all problems as one text. */
export function typeProblems(shape: MergeShape, value: Json): string | undefined {
  const problems: string[] = []
  check(shape, value, '', problems)
  if (problems.length === 0) return undefined
  if (problems.length === 1) return problems[0]
  return `errors:\n${problems.map(problem => `  ${problem}`).join('\n')}`
}

function check(shape: MergeShape, value: Json, at: string, problems: string[]): void {
  if (problems.length >= problemsMax || value === null) return
  switch (shape.kind) {
    case 'scalar':
      checkScalar(shape, value, at, problems)
      return
    case 'map':
      if (isObject(value)) checkMap(shape, value, at, problems)
      else problems.push(`${prefix(at)}expected map, got ${goValue(value)}`)
      return
    case 'list':
      if (isList(value)) checkList(shape, value, at, problems)
      else problems.push(`${prefix(at)}expected list, got ${goValue(value)}`)
      return
    case 'untyped':
  }
}

function prefix(at: string): string {
  return at === '' ? '' : `${at}: `
}

function checkScalar(shape: ScalarShape, value: Json, at: string, problems: string[]): void {
  const type = isObject(value) ? 'object' : isList(value) ? 'list' : typeof value
  switch (shape.type) {
    case 'string':
      if (type !== 'string') problems.push(`${prefix(at)}expected string, got ${goStruct(value)}`)
      return
    case 'integer':
    case 'number':
      if (type !== 'number' && type !== 'bigint')
        problems.push(`${prefix(at)}expected numeric (int or float), got ${goType(value)}`)
      return
    case 'boolean':
      if (type !== 'boolean') problems.push(`${prefix(at)}expected boolean, got ${goValue(value)}`)
      return
    case 'any':
      if (type === 'object' || type === 'list') problems.push(`${prefix(at)}expected any scalar, got &{${goText(value)}}`)
      return
    case 'whole':
  }
}

function checkMap(shape: MergeMap, value: JsonObject, at: string, problems: string[]): void {
  for (const key of Object.keys(value)) {
    const below = shape.fields[key]?.shape ?? shape.rest
    const path = `${at}.${key}`
    if (below === undefined) problems.push(`${path}: field not declared in schema`)
    else check(below, value[key] as Json, path, problems)
  }
}

function checkList(shape: MergeList, list: readonly Json[], at: string, problems: string[]): void {
  const seen = new Set<string>()
  list.forEach((item, index) => {
    if (shape.how === 'atomic') {
      check(shape.items, item, `${at}[${index}]`, problems)
      return
    }
    const element = elementOf(shape, item)
    if (typeof element !== 'string') {
      problems.push(`${at}: element ${index}: ${element.problem}`)
      return
    }
    if (seen.has(element)) problems.push(`${at}: duplicate entries for key ${renderElement(element)}`)
    seen.add(element)
    check(shape.items, item, `${at}${renderElement(element)}`, problems)
  })
}

/** A value as Go prints one of its wrapped JSON values. */
function goStruct(value: Json): string {
  return `&value.valueUnstructured{Value:${goLiteral(value)}}`
}

function goValue(value: Json): string {
  return `&{${goText(value)}}`
}

function goLiteral(value: Json): string {
  if (isList(value)) return `[]interface {}{${value.map(goLiteral).join(', ')}}`
  if (isObject(value)) {
    const parts = Object.keys(value)
      .sort()
      .map(key => `${JSON.stringify(key)}:${goLiteral(value[key] as Json)}`)
    return `map[string]interface {}{${parts.join(', ')}}`
  }
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value)
  return value === null ? 'interface {}(nil)' : renderJson(value)
}

function goType(value: Json): string {
  if (isList(value)) return '[]interface {}'
  if (isObject(value)) return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
