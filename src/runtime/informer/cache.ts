// The cache behind an informer: it decides for each line of a stream, and for each fresh list, what changes. Separate from the
// informer's comings and goings so that its rules can be tested with plain values.
import type { StoredObject } from '#kube'
import type { Change, Listener } from './change.ts'
import { type Indexes, ObjectStore } from './store.ts'
import { compareVersions, isOlder } from './version.ts'

export interface CacheCounts {
  events: number
  /** How many lines of a watch told nothing new: they were repeated, or older than what is held. */
  repeated: number
}

export class Cache<T extends StoredObject> {
  #store: ObjectStore<T>
  readonly #indexes: Indexes<T>
  /** Joined anew for each that comes: a list that is added to, or spread, takes room for sixteen, and there are many with one. */
  #listeners: readonly Listener<T>[] = []
  readonly #moves: Move<T>[] = []
  /** Everything up to here is in the cache. */
  #position: string | undefined
  #synced = false
  readonly counts: CacheCounts = { events: 0, repeated: 0 }

  constructor(indexes: Indexes<T> = {}) {
    this.#indexes = indexes
    this.#store = new ObjectStore(indexes)
  }

  get store(): ObjectStore<T> {
    return this.#store
  }

  get position(): string | undefined {
    return this.#position
  }

  /** True once a whole list was taken in. It stays true: an old cache is still a cache. */
  get synced(): boolean {
    return this.#synced
  }

  listen(listener: Listener<T>): () => void {
    this.#listeners = this.#listeners.concat(listener)
    return () => {
      this.#listeners = this.#listeners.filter(one => one !== listener)
    }
  }

  /**
   * Takes in a whole list at once: nobody ever sees half of it. Deletions that were missed come to light here. `rewind`: the server
   * went back in time for good (restored from a backup), so that older objects of the list count too.
   */
  replace(incoming: ObjectStore<T>, position: string, rewind = false): void {
    const before = this.#store
    const initial = !this.#synced
    const changes: Change<T>[] = []
    const next = initial && before.size === 0 ? incoming : new ObjectStore<T>(this.#indexes)
    for (const object of incoming.values()) {
      const held = before.get(object.metadata.namespace ?? '', object.metadata.name)
      const kept = held !== undefined && isSame(held, object, rewind) ? held : object
      if (next !== incoming) next.set(kept)
      if (held === undefined) changes.push({ kind: 'added', object, initial })
      else if (kept !== held) pushReplaced(changes, held, object)
    }
    for (const held of before.values()) {
      if (incoming.get(held.metadata.namespace ?? '', held.metadata.name) === undefined)
        changes.push({ kind: 'removed', object: held })
    }
    this.#store = next
    this.#synced = true
    this.#position = position
    for (const change of changes) this.#tell(change)
    this.#moved()
  }

  /**
   * Takes in one line of a live stream. `gap` means that the line cannot be placed: something was missed or came out of order, and
   * only a fresh list tells what is true now.
   */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): 'applied' | 'repeated' | 'gap' {
    this.counts.events++
    const held = this.#store.get(object.metadata.namespace ?? '', object.metadata.name)
    const version = object.metadata.resourceVersion
    const outOfOrder = this.#position !== undefined && (compareVersions(version, this.#position) ?? 1) <= 0
    const verdict = held === undefined ? judgeAbsent(type, outOfOrder) : judgeHeld(held, version, outOfOrder)
    if (verdict !== 'applied') {
      this.counts.repeated++
      return verdict
    }
    if (type === 'DELETED') this.#remove(object, held)
    else this.#set(object, held)
    if (!outOfOrder) this.#position = version
    this.#moved()
    return 'applied'
  }

  /** A bookmark: nothing happened up to here that we did not see. */
  advance(position: string): void {
    if (this.#position !== undefined && isOlder(position, this.#position)) return
    this.#position = position
    this.#moved()
  }

  /** The position cannot be resumed from; what is held stays until the next list replaces it. */
  losePosition(): void {
    this.#position = undefined
  }

  /** True when the state written as this version is in the cache, or a later one. */
  hasReached(written: Written): boolean {
    if (this.#position !== undefined && (compareVersions(this.#position, written.version) ?? -1) >= 0) return true
    const held = this.#store.get(written.namespace, written.name)
    if (written.kind === 'gone') return this.#synced && held?.metadata.uid !== written.uid
    return held !== undefined && (compareVersions(held.metadata.resourceVersion, written.version) ?? -1) >= 0
  }

  /** Calls `reached` once, when the write has been seen. */
  whenReached(written: Written, reached: () => void): () => void {
    const move: Move<T> = { written, reached }
    this.#moves.push(move)
    return () => {
      const index = this.#moves.indexOf(move)
      if (index >= 0) this.#moves.splice(index, 1)
    }
  }

  /** Nobody follows the server any more: whoever waits for a write to be seen would wait for ever. */
  release(): void {
    for (const { reached } of this.#moves.splice(0)) reached()
  }

  #remove(object: T, held: T | undefined): void {
    this.#store.delete(object.metadata.namespace ?? '', object.metadata.name)
    if (held !== undefined) this.#tell({ kind: 'removed', object: held.metadata.uid === object.metadata.uid ? object : held })
  }

  #set(object: T, held: T | undefined): void {
    this.#store.set(object)
    if (held === undefined) this.#tell({ kind: 'added', object, initial: false })
    else {
      const changes: Change<T>[] = []
      pushReplaced(changes, held, object)
      for (const change of changes) this.#tell(change)
    }
  }

  #tell(change: Change<T>): void {
    for (const listener of this.#listeners) listener(change)
  }

  #moved(): void {
    if (this.#moves.length === 0) return
    for (const move of this.#moves.slice()) {
      if (!this.hasReached(move.written)) continue
      const index = this.#moves.indexOf(move)
      if (index < 0) continue
      this.#moves.splice(index, 1)
      move.reached()
    }
  }
}

/** A write of our own, as the cache will come to see it. */
export type Written =
  | { readonly kind: 'there'; readonly namespace: string; readonly name: string; readonly version: string }
  | { readonly kind: 'gone'; readonly namespace: string; readonly name: string; readonly uid: string; readonly version: string }

interface Move<_T> {
  readonly written: Written
  readonly reached: () => void
}

function isSame(held: StoredObject, object: StoredObject, rewind: boolean): boolean {
  if (held.metadata.uid !== object.metadata.uid) return false
  // A list that is newer as a whole holds no older object; one that claims to is not believed.
  const order = compareVersions(object.metadata.resourceVersion, held.metadata.resourceVersion)
  return order === 0 || (order !== undefined && order < 0 && !rewind)
}

/** The same name with another uid is two changes: one object went, another came (W5). */
function pushReplaced<T extends StoredObject>(changes: Change<T>[], held: T, object: T): void {
  if (held.metadata.uid === object.metadata.uid) {
    changes.push({ kind: 'changed', object, previous: held })
    return
  }
  changes.push({ kind: 'removed', object: held }, { kind: 'added', object, initial: false })
}

function judgeAbsent(type: 'ADDED' | 'MODIFIED' | 'DELETED', outOfOrder: boolean): 'applied' | 'repeated' | 'gap' {
  // A late DELETED of what is gone already is harmless. A late ADDED or MODIFIED is either a repetition of something deleted since,
  // or a line that was overtaken: it must not bring the dead back, and must not be lost.
  if (!outOfOrder) return 'applied'
  return type === 'DELETED' ? 'repeated' : 'gap'
}

function judgeHeld(held: StoredObject, version: string, outOfOrder: boolean): 'applied' | 'repeated' | 'gap' {
  const order = compareVersions(version, held.metadata.resourceVersion)
  if (order !== undefined && order <= 0) return 'repeated'
  return outOfOrder && order === undefined ? 'gap' : 'applied'
}
