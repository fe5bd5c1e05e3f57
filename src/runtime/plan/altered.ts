// Servers alter what they are sent: they prune, shorten, normalise, reorder (W9). Where the answer to a write still differs from what
// was wanted, writing it again would differ again, for ever (B25). So the pair "this was wanted, this is what came of it" is
// remembered, and only something new, on either side, is written.
import { createHash } from 'node:crypto'
import type { StoredObject } from '#kube'

/** How many objects are remembered. Beyond it the oldest is forgotten, which costs one write that changes nothing. */
const remembered = 10_000

export class Altered {
  readonly #memory = new Map<string, string>()

  /** True when these fields were written before, and the server made the same of them. */
  isKnown(place: string, wanted: unknown, actual: StoredObject): boolean {
    const known = this.#memory.get(place)
    return known !== undefined && known === digest(wanted, actual)
  }

  remember(place: string, wanted: unknown, actual: StoredObject): void {
    this.#memory.delete(place)
    this.#memory.set(place, digest(wanted, actual))
    if (this.#memory.size > remembered) this.#memory.delete(this.#memory.keys().next().value as string)
  }

  forget(place: string): void {
    this.#memory.delete(place)
  }

  get size(): number {
    return this.#memory.size
  }
}

function digest(wanted: unknown, actual: StoredObject): string {
  return createHash('sha256')
    .update(JSON.stringify([actual.metadata.uid, wanted, restrictTo(wanted, actual)]))
    .digest('base64')
}

/** What `actual` says of the fields that `wanted` names. */
function restrictTo(wanted: unknown, actual: unknown): unknown {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return actual
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return actual
  const restricted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(wanted))
    restricted[name] = restrictTo(value, (actual as Record<string, unknown>)[name])
  return restricted
}
