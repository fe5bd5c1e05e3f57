// What a patch does to an object, whatever kind of patch it is, and what its text says besides.
import { isRecord } from '#base'
import type { Draft } from '../draft.ts'
import type { BodyFindings } from '../http/body.ts'

export interface PatchChange {
  (live: Readonly<Draft>): unknown
  readonly findings: BodyFindings
  /** Nested like the object: where the patch went in. */
  readonly touched?: unknown
  /** Values of the patch that a patched object has just as they were written. */
  readonly written?: WrittenValues
}

/** A value in whose text keys stand twice. */
export interface WrittenValue {
  readonly text: string
  /** Paths of those keys within it: `.x`, `[0].x`. */
  readonly repeats: readonly string[]
}

export type WrittenValues = ReadonlyMap<object, WrittenValue>

/** Paths of keys that stand twice in a patched object. What a later operation went into has been read, and has each key once. */
export function repeatsWithin(patched: unknown, { written, touched }: Pick<PatchChange, 'written' | 'touched'>): string[] {
  return written === undefined || written.size === 0 ? [] : repeatsBelow(patched, '', written, touched)
}

function repeatsBelow(value: unknown, path: string, written: WrittenValues, touched: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = isRecord(touched) ? undefined : written.get(value)
  if (own !== undefined) return own.repeats.map(repeat => (path === '' ? repeat.slice(1) : path + repeat))
  return Object.entries(value).flatMap(([key, item]) => {
    const below = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    return repeatsBelow(item, below, written, isRecord(touched) ? touched[key] : undefined)
  })
}
