// The whole state as JSON lines: a head with the revision and the server's identity, then one line per object. The journal's lines have
// the same form, so a state is a snapshot and whatever lines came after it.

import { Bug } from '#base'
import { asCommitted, type Committed, type Draft } from '../draft.ts'
import type { AuthorityState } from '../pki/authority.ts'
import type { StoreEvent } from '../store/event-log.ts'
import { Store, type Table } from '../store/store.ts'
import { Version } from '../store/version.ts'
import { parseJson, stringifyJson } from '../text/json.ts'
import type { IssuerState } from '../tokens/issuer.ts'

/** What a server is besides its objects; a snapshot keeps it, a fork takes it along. */
export interface ServerIdentity {
  readonly authority: AuthorityState
  readonly issuer: IssuerState
  readonly adminToken: string
}

/** The first line of a snapshot. */
interface Head {
  readonly format: 1
  readonly revision: number
  /** The server's wall clock: a virtual one goes on from here. */
  readonly now: number
  readonly identity: ServerIdentity
}

/** One object, or its end. */
interface Row {
  readonly rev: number
  readonly table: string
  readonly key: string
  readonly object: Committed | null
}

export interface SavedState {
  readonly revision: number
  readonly now: number
  readonly identity: ServerIdentity
  readonly rows: Iterable<{ table: string; key: string; version: Version }>
}

export function renderSnapshot(store: Store, identity: ServerIdentity, now: number): string {
  const head: Head = { format: 1, revision: store.revision, now, identity }
  const lines = [JSON.stringify(head)]
  for (const table of store.tables.values()) {
    table.rows.visit('', (version, key) => {
      lines.push(renderRow(version.revision, table.name, key, version.object))
      return true
    })
  }
  return `${lines.join('\n')}\n`
}

export function renderEvent(event: StoreEvent, table: Table): string {
  return `${renderRow(event.revision, table.name, event.key, event.type === 'DELETED' ? null : event.version.object)}\n`
}

/** Reads a snapshot and the journals after it. A last line that was cut off while it was written is left out: nobody was told of it. */
export function readState(snapshot: string, journals: readonly string[] = []): SavedState {
  const [first = '', ...lines] = wholeLines(snapshot)
  const head = readHead(first)
  const rows = new Map<string, { table: string; key: string; version: Version }>()
  let { revision } = head
  const apply = (line: string): void => {
    const row = parseJson(line) as Row
    const place = `${row.table}\n${row.key}`
    if (row.object === null) rows.delete(place)
    else rows.set(place, { table: row.table, key: row.key, version: new Version(row.rev, asCommitted(row.object as Draft)) })
    revision = Math.max(revision, row.rev)
  }
  for (const line of lines) apply(line)
  for (const journal of journals) {
    for (const line of wholeLines(journal)) if ((parseJson(line) as Row).rev > head.revision) apply(line)
  }
  return { revision, now: head.now, identity: head.identity, rows: rows.values() }
}

export function storeFrom(state: SavedState, nowMs: () => number): Store {
  const store = new Store(nowMs)
  store.load(state.revision, state.rows)
  return store
}

function readHead(line: string): Head {
  const head = parseJson(line) as Partial<Head> | null
  if (head?.format !== 1 || head.identity === undefined)
    throw new Bug('not a snapshot of an API server, or one of another version', line.slice(0, 100))
  return head as Head
}

function renderRow(rev: number, table: string, key: string, object: Committed | null): string {
  return stringifyJson({ rev, table, key, object } satisfies Row)
}

function wholeLines(text: string): string[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(line => line !== '')
}
