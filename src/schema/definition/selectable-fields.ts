// Fields by which objects of a kind can be selected.
import { type FieldError, fieldError } from '../field-error.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'

const fieldsMax = 8

export function checkSelectableFields(fields: readonly Json[], schema: JsonObject, at: string, errors: FieldError[]): void {
  const seen = new Set<Json>()
  fields.forEach((field, index) => {
    const path = isObject(field) ? field.jsonPath : undefined
    const where = `${at}[${index}].jsonPath`
    if (typeof path !== 'string' || path === '') {
      errors.push(fieldError.required(where))
      return
    }
    const problem = pathProblem(path, schema)
    if (problem !== undefined) errors.push(fieldError.invalid(where, path, problem))
    else if (seen.has(path)) errors.push(fieldError.duplicate(where, path))
    seen.add(path)
  })
  if (fields.length > fieldsMax && errors.length === 0) errors.push(fieldError.tooMany(at, fields.length, fieldsMax))
}

function pathProblem(path: string, schema: JsonObject): string | undefined {
  if (!path.startsWith('.') && !path.startsWith('['))
    return `is an invalid path: expected [ or . but got: ${/^[^.[\]]*/.exec(path)?.[0] ?? path}`
  const [before = '', ...listed] = path.split(/\[(?:\d+|\*)\]/)
  const names = before.split('.').slice(1)
  if (names[0] === 'metadata') return 'is an invalid path: does not refer to a valid field'
  let node: Json | undefined = schema
  for (const name of names) node = isObject(node) && isObject(node.properties) ? node.properties[name] : undefined
  if (!isObject(node)) return 'is an invalid path: does not refer to a valid field'
  if (listed.length > 0) return 'is an invalid path: array notation is not allowed'
  if (node.type === 'string' || node.type === 'boolean' || node.type === 'integer') return undefined
  return 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
}
