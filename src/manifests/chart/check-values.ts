// A person's values held against the schema of a chart, as Helm does before it renders anything. It knows the words of schemas that
// schema.ts writes, and no others.
import type { ValuesSchema } from './schema.ts'

/** One line for each value that does not fit, with its path. */
export function valuesTrouble(value: unknown, schema: ValuesSchema, path = ''): readonly string[] {
  const at = path === '' ? '/' : path
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some(type => isOf(value, type)))
    return [`at ${at}: ${typeOf(value)}, where ${types.join(' or ')} is wanted`]
  if (schema.enum?.every(word => word !== value) === true)
    return [`at ${at}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`]
  if (schema.minimum !== undefined && typeof value === 'number' && value < schema.minimum)
    return [`at ${at}: ${String(value)} is less than ${schema.minimum}`]
  if (Array.isArray(value)) return value.flatMap((one, index) => valuesTrouble(one, schema.items ?? {}, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  const missing = (schema.required ?? []).filter(name => !(name in value))
  if (missing.length > 0) return missing.map(name => `at ${at}: ${name} is missing; null cannot take it away`)
  return Object.entries(value).flatMap(([name, one]) => {
    const own = schema.properties?.[name] ?? schema.additionalProperties
    if (own === false) return [`at ${at}: there is no value ${name}`]
    return own === undefined ? [] : valuesTrouble(one, own, `${path}/${name}`)
  })
}

function isOf(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
