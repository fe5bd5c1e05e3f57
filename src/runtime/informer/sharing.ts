// Objects of a kind say much alike: the same words in their conditions, the same field sets, the same policy. Off the wire each comes with
// a copy of its own of all that, which is most of what a cache of them holds. Here what was seen lately is handed out again.
import type { StoredObject } from '#kube'

/** In characters: more than one object says anew many times over. What many say stays among it however much else there is. */
const textsMax = 262_144
const fieldSetsMax = 131_072
/** Longer ones would drive out all others. */
const textMax = 8_192
/** Deeper, objects are either odd or large, and a server's limit is deeper than our stack. */
const depthMax = 24

export class Sharing {
  readonly #texts = new Lately<string>(textsMax)
  readonly #fieldSets = new Lately<object>(fieldSetsMax)

  /** The same object, which is the caller's alone: what is equal to something in an earlier one is that very thing afterwards. */
  within<T extends StoredObject>(object: T): T {
    this.#shareIn(object, depthMax)
    return object
  }

  /** In place: a copy would be garbage on the way to less of it. */
  #shareIn(object: object, depth: number): void {
    if (depth === 0 || Object.isFrozen(object)) return
    const values = object as Record<string, unknown>
    for (const name in values) {
      const held = values[name]
      if (typeof held === 'string') values[name] = this.#texts.like(held, held)
      else if (typeof held !== 'object' || held === null) continue
      else if (name === 'fieldsV1') values[name] = this.#fieldSets.like(JSON.stringify(held), held)
      else this.#shareIn(held, depth - 1)
    }
  }
}

/** What an entry takes beside its characters, about. */
const entryCharacters = 32

/** What came up lately: so much by its keys, and at most as much before it. */
class Lately<T> {
  readonly #max: number
  #young = new Map<string, T>()
  #youngCharacters = 0
  #old = new Map<string, T>()

  constructor(max: number) {
    this.#max = max
  }

  like(key: string, value: T): T {
    if (key.length > textMax) return value
    const known = this.#young.get(key)
    if (known !== undefined) return known
    const kept = this.#old.get(key) ?? value
    const characters = key.length + entryCharacters
    if (this.#youngCharacters + characters > this.#max) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngCharacters = 0
    }
    this.#young.set(key, kept)
    this.#youngCharacters += characters
    return kept
  }
}
