// Tables as `kubectl get` prints them.
import type { Json, JsonObject } from '#schema'

export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

export interface TableRow {
  readonly cells: readonly Json[]
  readonly conditions?: readonly JsonObject[]
}

/** How one kind becomes rows. `now` is in milliseconds since 1970, for ages. */
export interface TablePrinter {
  readonly columns: readonly TableColumn[]
  row(object: JsonObject, now: number): TableRow
}
