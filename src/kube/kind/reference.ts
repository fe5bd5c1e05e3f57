// The reference page of a kind, from its definition: fields with types, defaults and rules. Committed pages are compared with it in a
// test, so they cannot drift.
import type { Kind } from './kind.ts'
import { schemaOf } from './kind.ts'
import type { StructuralSchema } from './structural.ts'

interface Row {
  readonly path: string
  readonly schema: StructuralSchema
  readonly required: boolean
}

/** Markdown: a title, the description, one table for spec and one for status. */
export function renderReference<Spec, Status>(kind: Kind<Spec, Status>): string {
  const { definition, apiVersion } = kind
  const { properties = {} } = schemaOf(kind)
  const parts = ['spec', 'status'].flatMap(part => {
    const schema = properties[part]
    return schema === undefined ? [] : [`## ${part}`, renderTable(rowsOf(schema, part)), ...renderRules(schema, part)]
  })
  const names = [`\`kubectl get ${definition.plural}\``, ...(definition.shortNames ?? []).map(name => `\`${name}\``)].join(', ')
  const scope = definition.namespaced ? 'namespaced' : 'cluster-scoped'
  return [`# ${definition.kind}`, definition.description, `\`${apiVersion}\`, ${scope}; ${names}`, ...parts]
    .join('\n\n')
    .concat('\n')
}

function rowsOf(schema: StructuralSchema, path: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const row = { path: `${path}.${name}`, schema: child, required: schema.required?.includes(name) ?? false }
    return [row, ...rowsOf(child, row.path), ...rowsOf(child.items ?? {}, `${row.path}[]`), ...rowsOfValues(child, row.path)]
  })
}

function rowsOfValues(schema: StructuralSchema, path: string): Row[] {
  return typeof schema.additionalProperties === 'object' ? rowsOf(schema.additionalProperties, `${path}{}`) : []
}

function renderTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ path, schema, required }) => `| \`${path}\` | ${typeText(schema)} | ${presenceText(schema, required)} | ${cell(schema)} |`,
  )
  return ['| field | type | presence | meaning |', '|---|---|---|---|', ...lines].join('\n')
}

function typeText(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'integer or string'
  if (schema.enum !== undefined) return schema.enum.map(word => `\`${String(word)}\``).join(', ')
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`
  if (typeof schema.additionalProperties === 'object') return `map of ${typeText(schema.additionalProperties)}`
  return schema.format ?? schema.type ?? 'any'
}

function presenceText(schema: StructuralSchema, required: boolean): string {
  if (schema.default !== undefined) return `default \`${JSON.stringify(schema.default)}\``
  return required ? 'required' : 'optional'
}

function cell(schema: StructuralSchema): string {
  const bounds = boundsText(schema)
  const rules = (schema['x-kubernetes-validations'] ?? []).map(rule => rule.message ?? `\`${rule.rule}\``)
  return [schema.description ?? '', bounds, ...rules]
    .filter(text => text !== '')
    .join(' ')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}

function boundsText(schema: StructuralSchema): string {
  const bounds = (
    ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const
  )
    .filter(name => schema[name] !== undefined)
    .map(name => `${name} ${schema[name]}`)
  if (schema.pattern !== undefined) bounds.push(`pattern \`${schema.pattern}\``)
  return bounds.length === 0 ? '' : `(${bounds.join(', ')})`
}

function renderRules(schema: StructuralSchema, part: string): string[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  return rules.length === 0
    ? []
    : [`Rules over \`${part}\`:\n\n${rules.map(rule => `- ${rule.message ?? ''} (\`${rule.rule}\`)`).join('\n')}`]
}
