// What a process remembers of a claim between its passes. Only to do less or to be patient: whoever forgets all of it does the same things
// again, and nothing twice that must not be done twice.

import type { Found } from './lookup.ts'

export interface Notes {
  /** The update that was sent last, and how often in a row it made no difference. */
  readonly update?: { readonly hash: string; readonly sent: number; readonly lastMs: number } | undefined
  /** Looks in a row at which a value that AWS chooses was missing. */
  readonly lateLooks?: number
  /** The generation with which the resource was last found in step. */
  readonly inStepWith?: number | undefined
  /** Which resource a lookup found. */
  readonly lookedUp?: Found | undefined
  /** What a cheap read may be held against. */
  readonly rest?: Rest | undefined
  /** How often somebody said that the resource changed in AWS. */
  readonly disturbances?: number
  /** When the delete call went out. */
  readonly deletedMs?: number | undefined
  readonly deletions?: number | undefined
  /** When a create call succeeded. */
  readonly createdMs?: number | undefined
  /** Create calls in a row after which nothing was found. */
  readonly creations?: number | undefined
  /** When a list first left the resource out. */
  readonly absentMs?: number | undefined
  /** The intent whose create call was refused, so that nothing was made by it. */
  readonly refusedIntent?: string
}

/** A full look that found the resource in step. */
export interface Rest {
  /** What it rested on, and what the list said of the resource then. */
  readonly as: string
  readonly shown: string
  readonly lookedMs: number
  /** Full looks since then that a list asked for and that found nothing. */
  readonly idle: number
  /** What was said later than this was not looked at yet. */
  readonly disturbances: number
}

/** More claims than one process serves; those that fall out only cost a call more. */
const claimsMax = 200_000

export class Memory {
  readonly #notes = new Map<string, Notes>()

  of(uid: string): Notes {
    return this.#notes.get(uid) ?? {}
  }

  note(uid: string, notes: Notes): void {
    const held = { ...this.#notes.get(uid), ...notes }
    const kept = Object.fromEntries(Object.entries(held).filter(([, value]) => value !== undefined)) as Notes
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

  get size(): number {
    return this.#notes.size
  }
}
