// What is remembered of a claim between passes: types, and nothing that does anything.
import type { Content } from '../model/request.ts'
import type { Tags } from '../model/tags.ts'

export interface Lookup {
  /** As it was written: another one is another lookup. */
  readonly text: string
  /** With `*` for anything. */
  readonly name: string | undefined
  readonly tags: Tags
  /** Inputs that the list needs, such as `clusterName`. */
  readonly given: Readonly<Record<string, string>>
}

/** What a lookup found, kept between passes so that it is not listed again. */
export interface FoundByLookup {
  readonly text: string
  readonly identifiers: Content
}

export interface Notes {
  /** The update that was sent last, how often in a row it made no difference, and how many went out for one generation without coming in step. */
  readonly update?:
    | {
        readonly hash: string
        readonly sent: number
        readonly lastMs: number
        readonly row: number
        readonly generation: number | undefined
      }
    | undefined
  /** Looks in a row at which a value that AWS chooses was missing. */
  readonly lateLooks?: number
  /** The generation with which the resource was last found in step. */
  readonly inStepWith?: number | undefined
  /** The paths that the manifest spoke of then, with what its references resolved to. */
  readonly given?: readonly string[] | undefined
  /** Prints of the elements that its lists had then, where there are any. */
  readonly elements?: readonly string[] | undefined
  /** Which resource a lookup found. */
  readonly lookedUp?: FoundByLookup | undefined
  /** What a cheap read may be held against. */
  readonly rest?: Rest | undefined
  /** How often somebody said that the resource changed in AWS. */
  readonly disturbances?: number
  /** When the delete call went out. */
  readonly deletedMs?: number | undefined
  readonly deletions?: number | undefined
  /** When a create call went out last, or, where another process may have sent it, when this one looked for what it made for the first time. */
  readonly calledMs?: number | undefined
  /** When a create call succeeded. */
  readonly createdMs?: number | undefined
  /** The manifest of which the create call was made. */
  readonly madeGeneration?: number | undefined
  /** Create calls in a row after which nothing was found. */
  readonly creations?: number | undefined
  /** The intent that this process put on record, and when, while its create call has not gone out: nothing can have been made by it. */
  readonly unsent?: { readonly token: string; readonly atMs: number } | undefined
  /** When a list first left the resource out. */
  readonly absentMs?: number | undefined
  /** The intent whose create call was refused, so that nothing was made by it. */
  readonly refusedIntent?: string | undefined
}

/** A full look that found the resource in step. */
export interface Rest {
  /** What it rested on, and what the list said of the resource then. */
  readonly basis: string
  readonly shown: string
  readonly lookedMs: number
  /** Full looks since then that a list asked for and that found nothing. */
  readonly idleLooks: number
  /** What was said later than this was not looked at yet. */
  readonly disturbances: number
}
