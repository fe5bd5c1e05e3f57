// The truth: one revision counter, one sorted table per resource, and for each the log of what happened lately. Pure memory and
// plain calls; HTTP, admission and schemas are around it. Every change is one synchronous call, so nothing can come between the
// comparison with the expected version and the write.
import { invariant } from '#base'
import { asCommitted, type Draft } from '../draft.ts'
import { EventLog, type StoreEvent } from './event-log.ts'
import { OrderedMap } from './ordered-map.ts'
import { Version } from './version.ts'

export class Table {
  readonly name: string
  rows: OrderedMap<Version>
  log: EventLog
  /** Revision of the last change of this table. */
  changed = 0
  /** Reads of the past that pages share; the newest few. */
  readonly #past: { readonly revision: number; readonly changed: number; readonly rows: OrderedMap<Version> }[] = []

  constructor(name: string, floor: number) {
    this.name = name
    this.rows = new OrderedMap()
    this.log = new EventLog(floor)
  }

  /** The rows as they were at the revision; undefined when the log does not reach back that far. */
  rowsAt(revision: number): OrderedMap<Version> | undefined {
    if (revision >= this.changed) return this.rows
    if (revision < this.log.floor) return undefined
    const known = this.#past.find(past => past.revision === revision && past.changed === this.changed)
    if (known !== undefined) return known.rows
    const rows = this.rows.fork()
    for (let index = this.log.end - 1, first = this.log.after(revision); index >= first; index--) {
      const event = this.log.at(index) as StoreEvent
      if (event.previous === undefined) rows.delete(event.key)
      else rows.set(event.key, event.previous)
    }
    this.#past.push({ revision, changed: this.changed, rows })
    if (this.#past.length > pastMax) this.#past.shift()
    return rows
  }

  fork(): Table {
    const copy = new Table(this.name, 0)
    copy.rows = this.rows.fork()
    copy.log = this.log.fork()
    copy.changed = this.changed
    return copy
  }
}

/** Concurrent pagings of one resource that get their snapshot without computing it again. */
const pastMax = 4

/** A real server is never near 1 at rest, and clients must not learn to expect it. */
const firstRevision = 100

export type CommitListener = (event: StoreEvent, table: Table) => void

export class Store {
  #revision = firstRevision
  #tables = new Map<string, Table>()
  #floor = 0
  readonly #listeners = new Set<CommitListener>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  get revision(): number {
    return this.#revision
  }

  get tables(): ReadonlyMap<string, Table> {
    return this.#tables
  }

  table(name: string): Table {
    let table = this.#tables.get(name)
    if (table === undefined) {
      table = new Table(name, this.#floor)
      this.#tables.set(name, table)
    }
    return table
  }

  /** Puts a new object under a free key. The draft becomes the committed object. */
  create(table: Table, key: string, draft: Draft): Version {
    invariant(table.rows.get(key) === undefined, 'create over an existing object', { table: table.name, key })
    return this.#commit(table, key, draft, 'ADDED', undefined)
  }

  /** Replaces the version that the caller read. */
  update(table: Table, key: string, expected: Version, draft: Draft): Version {
    invariant(table.rows.get(key) === expected, 'update of a version that is not the current one', { table: table.name, key })
    return this.#commit(table, key, draft, 'MODIFIED', expected)
  }

  /** Removes the object; the draft is its last content, which watchers see with the revision of the deletion. */
  remove(table: Table, key: string, expected: Version, draft: Draft): Version {
    invariant(table.rows.get(key) === expected, 'removal of a version that is not the current one', { table: table.name, key })
    return this.#commit(table, key, draft, 'DELETED', expected)
  }

  onCommit(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Forgets the past up to the revision. */
  compact(revision: number = this.#revision): void {
    this.#floor = Math.max(this.#floor, revision)
    for (const table of this.#tables.values()) table.log.compact(revision)
  }

  fork(nowMs: () => number): Store {
    const copy = new Store(nowMs)
    copy.#revision = this.#revision
    copy.#floor = this.#floor
    for (const [name, table] of this.#tables) copy.#tables.set(name, table.fork())
    return copy
  }

  /** Fills an empty store from what a snapshot or a journal held; the past before it is gone. */
  load(revision: number, rows: Iterable<{ table: string; key: string; version: Version }>): void {
    invariant(this.#tables.size === 0, 'load into a store that has tables')
    this.#revision = revision
    this.#floor = revision
    for (const { table, key, version } of rows) {
      const target = this.table(table)
      target.rows.set(key, version)
      target.changed = revision
    }
  }

  /** Goes on with what was kept of this same state; watches and pages of the past are over. */
  reload(kept: Store): void {
    invariant(kept.revision === this.#revision, 'reload of another state', { kept: kept.revision, current: this.#revision })
    for (const [name, table] of this.#tables) table.rows = kept.table(name).rows
    this.compact()
  }

  #commit(table: Table, key: string, draft: Draft, type: StoreEvent['type'], previous: Version | undefined): Version {
    const revision = ++this.#revision
    draft.metadata.resourceVersion = String(revision)
    const version = new Version(revision, asCommitted(draft))
    if (type === 'DELETED') table.rows.delete(key)
    else table.rows.set(key, version)
    table.changed = revision
    const event: StoreEvent = { revision, type, key, version, previous, atMs: this.#nowMs() }
    table.log.append(event)
    for (const listener of this.#listeners) listener(event, table)
    previous?.retire()
    return version
  }
}

/** Whoever finds, writes or counts what is stored. */
export interface StorePort {
  readonly store: Store
}
