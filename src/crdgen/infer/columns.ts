// The columns that `kubectl get` shows, as the config of a resource asks for them.
import { compareText, didYouMean } from '#base'
import type { PrinterColumn } from '#kube'
import type { ResourceConfig } from '../config/generator-config.ts'
import { configError, type LoadedConfig } from '../config/read-config.ts'
import { fieldNamed, pathSteps } from './field-config.ts'
import { type Field, type FieldMap, type FieldType, leafOf, type TypeRegistry } from './field-type.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly priority: number
  readonly index: number
}

export function columnsOf(
  resource: string,
  {
    spec,
    status,
    types,
    loaded,
  }: { readonly spec: FieldMap; readonly status: FieldMap; readonly types: TypeRegistry; readonly loaded: LoadedConfig },
): readonly PrinterColumn[] {
  const config = loaded.config.resources?.get(resource) ?? {}
  const columns = [...fieldColumns(config, { spec, status, types }), ...additionalColumns(config)]
  const orders = { name: byText('name'), type: byText('type'), jsonpath: byText('jsonPath'), index: byIndex }
  const wanted = (config.print?.order_by ?? 'name').toLowerCase()
  if (!Object.hasOwn(orders, wanted)) {
    const path = ['resources', resource, 'print', 'order_by']
    throw configError(
      loaded,
      path,
      `"${wanted}" is no order${didYouMean(wanted, Object.keys(orders))}; it is one of ${Object.keys(orders).join(', ')}`,
    )
  }
  columns.sort(orders[wanted as keyof typeof orders])
  return [...columns.map(rendered), ...lastColumns(config)]
}

function byText(key: 'name' | 'type' | 'jsonPath'): (a: Column, b: Column) => number {
  return (a, b) => compareText(a[key], b[key])
}

function byIndex(a: Column, b: Column): number {
  return a.index - b.index
}

function fieldColumns(
  config: ResourceConfig,
  { spec, status, types }: { readonly spec: FieldMap; readonly status: FieldMap; readonly types: TypeRegistry },
): Column[] {
  const columns: Column[] = []
  for (const [key, { print }] of [...(config.fields ?? [])].sort(([a], [b]) => compareText(a, b))) {
    if (print === undefined) continue
    const inSpec = find(spec, { key, types })
    const found = inSpec ?? find(status, { key, types })
    if (found === undefined) continue
    columns.push({
      name: print.name ?? found.field.names.camel,
      type: columnType(found.field.type),
      jsonPath: `.${inSpec === undefined ? 'status' : 'spec'}.${found.path}`,
      priority: print.priority ?? 0,
      index: print.index ?? 0,
    })
  }
  return columns
}

function find(
  fields: FieldMap,
  { key, types }: { readonly key: string; readonly types: TypeRegistry },
): { readonly field: Field; readonly path: string } | undefined {
  const [first = '', ...rest] = pathSteps(key)
  // What has a dotted name and leads into no field is a field with its parts joined.
  const joined = rest.length === 0 ? undefined : fieldNamed(fields, key)
  let field = fieldNamed(fields, first)
  if (field === undefined && joined !== undefined) return { field: joined, path: joined.json }
  let path = field?.json ?? ''
  for (const name of rest) {
    const leaf = field === undefined ? undefined : leafOf(field.type)
    field = leaf?.kind === 'structure' ? fieldNamed(types.fieldsOf(leaf.shape), name) : undefined
    path = `${path}.${field?.json}`
  }
  return field === undefined ? undefined : { field, path }
}

function columnType({ kind }: FieldType): PrinterColumn['type'] {
  if (kind === 'boolean' || kind === 'integer' || kind === 'number') return kind
  return kind === 'timestamp' ? 'date' : 'string'
}

function additionalColumns({ print }: ResourceConfig): Column[] {
  return (print?.additional_columns ?? []).map(
    ({ name = '', json_path: jsonPath = '', type = 'string', priority = 0, index = 0 }) => ({
      name,
      jsonPath,
      type,
      priority,
      index,
    }),
  )
}

function rendered({ name, type, jsonPath, priority }: Column): PrinterColumn {
  // The API server says which types it does not know; a config may ask for any.
  const column = { name, type: type as PrinterColumn['type'], jsonPath }
  return priority === 0 ? column : { ...column, priority }
}

function lastColumns({ print }: ResourceConfig): PrinterColumn[] {
  const columns: PrinterColumn[] = []
  if (print !== undefined && print.add_synced_column !== false) {
    columns.push({ name: 'Synced', type: 'string', jsonPath: '.status.conditions[?(@.type=="ACK.ResourceSynced")].status' })
  }
  if (print?.add_age_column === true) columns.push({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
  return columns
}
