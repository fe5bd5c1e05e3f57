// The table of a kind: recorded columns and our cells for built-in kinds, the declared columns for custom ones.

import { type Json, type JsonObject, renderJson, type StoredForm } from '#schema'
import type { ServedKind } from '../registry/resource.ts'
import { ageOf } from './age.ts'
import { plainPrinter, builtinPrinter as printerOfKind } from './builtin-printers.ts'
import recorded from './columns.gen.json' with { type: 'json' }
import { compileJsonPath } from './json-path.ts'
import type { TableColumn, TablePrinter } from './types.ts'

const builtinColumns = recorded as Readonly<Record<string, readonly TableColumn[] | undefined>>
const plainColumns = builtinColumns['*'] as readonly TableColumn[]
const nameColumn = plainColumns[0] as TableColumn

const printers = new WeakMap<ServedKind, TablePrinter>()

export function printerOf(kind: ServedKind): TablePrinter {
  let printer = printers.get(kind)
  if (printer === undefined) {
    printer = kind.resource.custom === undefined ? builtinPrinter(kind) : customPrinter(kind)
    printers.set(kind, printer)
  }
  return printer
}

function builtinPrinter({ resource, storedForm }: ServedKind): TablePrinter {
  const id = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
  const printer = printerOfKind(resource.group, resource.kind)
  return {
    columns: builtinColumns[id] ?? (printer === plainPrinter ? plainColumns : printer.columns),
    row: rowOfForm(printer, storedForm),
  }
}

/** Rows are made of the stored form, whatever was asked for. */
function rowOfForm({ row }: TablePrinter, form: StoredForm | undefined): TablePrinter['row'] {
  return form === undefined ? row : (object, now) => row(form.toStored(object), now)
}

interface DeclaredColumn {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
}

const ageOnly: readonly DeclaredColumn[] = [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }]

function customPrinter(kind: ServedKind): TablePrinter {
  const declared = kind.printerColumns.length === 0 ? ageOnly : (kind.printerColumns as unknown as readonly DeclaredColumn[])
  const columns = declared.map(column => ({
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description ?? `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority: column.priority ?? 0,
  }))
  return {
    columns: [nameColumn, ...columns],
    row: (object, now) => ({
      cells: [((object.metadata as JsonObject).name ?? '') as Json, ...declared.map(column => cellOf(column, object, now))],
    }),
  }
}

/** The first value that the path selects, as the column's type; null when there is none of that type. */
function cellOf(column: DeclaredColumn, object: JsonObject, now: number): Json {
  const value = compileJsonPath(column.jsonPath)?.evaluate(object)[0]
  if (value === undefined || value === null) return null
  switch (column.type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return ageOf(value, now)
    default:
      return typeof value === 'string' ? value : renderJson(value)
  }
}
