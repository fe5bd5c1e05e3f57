// The older document, OpenAPI v2: the same schemas under other names. Tools that check manifests read its definitions.
import { isRecord } from '#base'
import type { RegisteredResource } from '../registry/resource.ts'
import { schemasOf } from './document.ts'

export function swaggerOf(resources: readonly RegisteredResource[], version: string): Readonly<Record<string, unknown>> {
  const definitions = Object.fromEntries([...schemasOf(resources.flatMap(({ versions }) => versions))].sort(byName).map(older))
  return { swagger: '2.0', info: { title: 'Kubernetes', version: `v${version}.0` }, paths: {}, definitions }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function older([name, schema]: readonly [string, unknown]): [string, unknown] {
  return [name, olderSchema(schema)]
}

/** v3 writes a reference beside other words as `allOf` with one member; v2 lets it stand by itself. */
function olderSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(olderSchema)
  if (!isRecord(schema)) return schema
  return Object.assign({}, ...Object.entries(schema).map(([key, value]) => olderWord(key, value)))
}

function olderWord(key: string, value: unknown): object {
  switch (key) {
    case '$ref':
      return { $ref: String(value).replace('#/components/schemas/', '#/definitions/') }
    case 'properties':
      // Its keys are names of fields, of which some are words of schemas.
      return { properties: Object.fromEntries(Object.entries(Object(value)).map(older)) }
    case 'allOf':
      return Array.isArray(value) && value.length === 1 ? Object(olderSchema(value[0])) : { allOf: olderSchema(value) }
    case 'format':
      return value === 'int-or-string' ? { type: 'string', format: value } : { format: value }
    case 'oneOf':
    case 'anyOf':
    case 'nullable':
      return {}
    default:
      return { [key]: key === 'default' || key.startsWith('x-') ? value : olderSchema(value) }
  }
}
