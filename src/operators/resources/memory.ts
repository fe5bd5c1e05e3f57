// What a process remembers of a claim between its passes. Only to do less or to be patient: whoever forgets all of it does the same things
// again, and nothing twice that must not be done twice. It ends with the term of leadership: what it says of calls that were refused, or
// never went out, is only true while nobody else calls.
import type { Companion } from '#runtime'
import type { Notes } from './seen/notes.ts'

/** More claims than one process serves; those that fall out only cost a call more. */
const claimsMax = 200_000
/** So many different manifests of a kind speak of their fields in as many ways; most of ten thousand claims do in one. */
const listsMax = 1_000

export class Memory {
  readonly #notes = new Map<string, Notes>()
  /** By their text: what many claims speak of alike is held once. */
  readonly #lists = new Map<string, readonly string[]>()

  of(uid: string): Notes {
    return this.#notes.get(uid) ?? {}
  }

  note(uid: string, notes: Notes): void {
    const held = { ...this.#notes.get(uid), ...notes }
    const given = held.given === undefined ? undefined : this.#list(held.given)
    const kept = Object.fromEntries(Object.entries({ ...held, given }).filter(([, value]) => value !== undefined)) as Notes
    this.#notes.delete(uid)
    if (Object.keys(kept).length === 0) return
    this.#notes.set(uid, kept)
    const oldest = this.#notes.keys().next().value
    if (this.#notes.size > claimsMax && oldest !== undefined) this.#notes.delete(oldest)
  }

  /** Somebody says that the resource changed: the next look at it is a full one. */
  disturb(uid: string): void {
    this.note(uid, { disturbances: (this.of(uid).disturbances ?? 0) + 1 })
  }

  forget(uid: string): void {
    this.#notes.delete(uid)
  }

  clear(): void {
    this.#notes.clear()
    this.#lists.clear()
  }

  get size(): number {
    return this.#notes.size
  }

  /** Different lists of what claims speak of. */
  get lists(): number {
    return this.#lists.size
  }

  /** A copy that was parsed is flat, where joined paths keep the parts that they were joined of. */
  #list(paths: readonly string[]): readonly string[] {
    const text = JSON.stringify(paths)
    const known = this.#lists.get(text)
    if (known !== undefined) return known
    if (this.#lists.size >= listsMax) this.#lists.clear()
    const list = JSON.parse(text) as readonly string[]
    this.#lists.set(text, list)
    return list
  }
}

/** Forgets all at the beginning of each term, before any claim is looked at. */
export function forgetsEachTerm(memories: () => Iterable<Memory>): Companion {
  return {
    name: 'resources-memory',
    run: () => {
      for (const memory of memories()) memory.clear()
      return Promise.resolve()
    },
  }
}
