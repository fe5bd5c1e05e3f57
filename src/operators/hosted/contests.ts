// What this process wrote lately, by what was wanted: when the same is wanted again and again, somebody undoes it, and writing it once more
// helps nobody. Only a hint against quarrels: whoever forgets it writes a few times more.
import { createHash } from 'node:crypto'
import type { Clock, Instant } from '#base'

/** In this time so many writes of the same are taken for bad luck; after them the time has to pass. */
const windowMs = 600_000
const writesMax = 3
/** What falls out is forgotten, which costs a few writes. */
const keptMax = 4_096

export class Contests {
  readonly #clock: Clock
  readonly #writes = new Map<string, readonly Instant[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Until when the same is not to be written again; `undefined` when it may be. */
  heldUntil(uid: string, wanted: unknown): Instant | undefined {
    const recent = this.#recent(keyOf(uid, wanted))
    const [oldest] = recent
    return oldest === undefined || recent.length < writesMax ? undefined : oldest + windowMs
  }

  note(uid: string, wanted: unknown): void {
    const key = keyOf(uid, wanted)
    const times = [...this.#recent(key), this.#clock.now()]
    this.#writes.delete(key)
    this.#writes.set(key, times)
    if (this.#writes.size > keptMax) this.#writes.delete(this.#writes.keys().next().value ?? '')
  }

  #recent(key: string): readonly Instant[] {
    const after = this.#clock.now() - windowMs
    return (this.#writes.get(key) ?? []).filter(time => time > after)
  }
}

function keyOf(uid: string, wanted: unknown): string {
  return createHash('sha256')
    .update(`${uid} ${JSON.stringify(wanted)}`)
    .digest('base64')
}
