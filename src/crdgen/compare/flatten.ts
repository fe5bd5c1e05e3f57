// A CRD as a set of paths: what two CRDs are compared by.
import { compareText } from '#base'
import type { StructuralSchema } from '#kube'

export interface FlatField {
  /** `string`, `integer(int64)`, `array<string>`, `object{string}` … */
  readonly type: string
  readonly required: boolean
  readonly immutable: boolean
}

export interface FlatCrd {
  readonly names: Readonly<Record<string, string>>
  /** Name, type, priority and path of each, in their order. */
  readonly columns: readonly string[]
  /** `spec.tags[].key`, `spec.inline{}` … without the common status. */
  readonly fields: ReadonlyMap<string, FlatField>
  /** The common status, whole, as text. */
  readonly common: string
}

/** Reads a CRD of any origin; throws `TypeError` with the place where it is none. */
export function flattenCrd(crd: unknown): FlatCrd {
  const spec = record(record(crd, 'the document')['spec'], 'spec')
  const names = record(spec['names'], 'spec.names')
  const versions = list(spec['versions'], 'spec.versions').map(version => record(version, 'spec.versions[]'))
  const version = versions.find(each => each['storage'] === true) ?? versions[0] ?? {}
  const root = record(record(version['schema'], 'schema')['openAPIV3Schema'], 'openAPIV3Schema') as StructuralSchema
  const fields = new Map<string, FlatField>()
  walk(root, { path: '', into: fields })
  return {
    names: {
      group: String(spec['group']),
      scope: String(spec['scope']),
      kind: String(names['kind']),
      listKind: String(names['listKind']),
      plural: String(names['plural']),
      singular: String(names['singular']),
      shortNames: list(names['shortNames'] ?? [], 'shortNames').join(','),
      versions: versions.map(each => [each['name'], each['served'], each['storage']].map(String).join(':')).join(','),
      subresources: JSON.stringify(version['subresources'] ?? {}),
    },
    columns: list(version['additionalPrinterColumns'] ?? [], 'columns').map(column => columnText(record(column, 'column'))),
    fields,
    common: commonText(root),
  }
}

function columnText(column: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([column['name'], column['type'], column['priority'] ?? 0, column['jsonPath']])
}

const common = ['ackResourceMetadata', 'conditions']

function walk(schema: StructuralSchema, { path, into }: { readonly path: string; readonly into: Map<string, FlatField> }): void {
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (path === '' && name !== 'spec' && name !== 'status') continue
    if (path === 'status' && common.includes(name)) continue
    const childPath = path === '' ? name : `${path}.${name}`
    const required = schema.required?.includes(name) ?? false
    into.set(childPath, { type: typeText(child), required, immutable: isImmutable(child) })
    walk(child, { path: childPath, into })
  }
  if (schema.items !== undefined) walk(schema.items, { path: `${path}[]`, into })
  const values = schema.additionalProperties
  if (typeof values === 'object') walk(values, { path: `${path}{}`, into })
}

function typeText(schema: StructuralSchema): string {
  const format = schema.format === undefined ? '' : `(${schema.format})`
  const items = schema.items === undefined ? '' : `<${typeText(schema.items)}>`
  const values = typeof schema.additionalProperties === 'object' ? `{${typeText(schema.additionalProperties)}}` : ''
  const mapType = schema['x-kubernetes-map-type'] === undefined ? '' : ` ${schema['x-kubernetes-map-type']}`
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true ? ' open' : ''
  const inner = mapType !== '' && schema.required !== undefined ? ` requires ${[...schema.required].sort().join(',')}` : ''
  return `${schema.type ?? 'any'}${format}${items}${values}${mapType}${inner}${open}`
}

function isImmutable(schema: StructuralSchema): boolean {
  return (schema['x-kubernetes-validations'] ?? []).some(({ rule }) => rule.replaceAll(' ', '') === 'self==oldSelf')
}

function commonText(root: StructuralSchema): string {
  const status = root.properties?.['status']
  const found = common.map(name => [name, plain(status?.properties?.[name])])
  return JSON.stringify([...found, ['required', [...(status?.required ?? [])].sort()]])
}

/** The value without descriptions, its keys in order. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, each]) => key !== 'description' || typeof each !== 'string')
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)).map(([key, each]) => [key, plain(each)]))
}

function record(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new TypeError(`not a CustomResourceDefinition: ${where} is no object`)
}

function list(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`not a CustomResourceDefinition: ${where} is no list`)
}
