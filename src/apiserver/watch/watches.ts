// All open watches, by the table they follow. Wakes them when something was committed, once per turn however much it was.
import type { ServedKind } from '../registry/resource.ts'
import type { TaskScheduler } from '../scheduler.ts'
import type { Table } from '../store/store.ts'

export interface OpenWatch {
  /** Something happened in the table. */
  wake(): void
  end(): void
}

export class Watches {
  readonly #byTable = new Map<Table, Map<OpenWatch, ServedKind>>()
  readonly #dirty = new Set<Table>()
  readonly #scheduler: TaskScheduler

  constructor(scheduler: TaskScheduler) {
    this.#scheduler = scheduler
  }

  open(table: Table, watch: OpenWatch, kind: ServedKind): void {
    let watches = this.#byTable.get(table)
    if (watches === undefined) this.#byTable.set(table, (watches = new Map()))
    watches.set(watch, kind)
  }

  close(table: Table, watch: OpenWatch): void {
    this.#byTable.get(table)?.delete(watch)
  }

  get count(): number {
    let count = 0
    for (const watches of this.#byTable.values()) count += watches.size
    return count
  }

  committed(table: Table): void {
    if ((this.#byTable.get(table)?.size ?? 0) === 0) return
    if (this.#scheduler.stepped) {
      for (const watch of this.#byTable.get(table)?.keys() ?? [])
        this.#scheduler.post(`watch of ${table.name}`, () => watch.wake())
      return
    }
    if (this.#dirty.size === 0) queueMicrotask(() => this.#wakeDirty()) // After the write's own turn, before any timer or socket.
    this.#dirty.add(table)
  }

  /** Ends the watches of a resource, or all: their schema changed, or the server stops. */
  end(which: (kind: ServedKind) => boolean = () => true): void {
    for (const watches of this.#byTable.values()) {
      for (const [watch, kind] of Array.from(watches)) if (which(kind)) watch.end()
    }
  }

  #wakeDirty(): void {
    const tables = [...this.#dirty]
    this.#dirty.clear()
    for (const table of tables) {
      for (const watch of Array.from(this.#byTable.get(table)?.keys() ?? [])) watch.wake()
    }
  }
}
