// Objects of a kind say much alike: the same words in their conditions, the same field sets, the same policy. Off the wire each comes with
// a copy of its own of all that, which is most of what a cache of them holds. Here what was seen lately is handed out again.
import type { StoredObject } from '#kube'

/**
 * How many characters of texts are kept. It is many times what one object adds, so that the texts of one object do not drive out those
 * that many share.
 */
const textsMax = 262_144
const fieldSetsMax = 131_072
/** A power of two. */
const textSlots = 8_192
/** Longer texts are not shared: each would drive out many others. */
const textMax = 8_192
/** Deeper parts are left as they are: a server allows more levels than our stack has. */
const depthMax = 24

/** What the caches of many clusters share: they say the same of their objects of a kind, and each is small. */
export class SharingByKind {
  readonly #kinds = new Map<string, Sharing>()

  of(kind: string): Sharing {
    const sharing = this.#kinds.get(kind) ?? new Sharing()
    this.#kinds.set(kind, sharing)
    return sharing
  }
}

export class Sharing {
  readonly #texts = new LatelyByLook()
  /** Absent until a field set is read, since of most kinds none ever is. */
  #fieldSets: Lately<object> | undefined

  /** Changes the caller's object in place: a text or a field set that an earlier object had becomes that object's copy of it. */
  within<T extends StoredObject>(object: T): T {
    this.#shareIn(object, depthMax)
    return object
  }

  /** Changes the object itself: a copy would be garbage, and the aim is less of it. */
  #shareIn(object: object, depth: number): void {
    if (depth === 0 || Object.isFrozen(object)) return
    if (Array.isArray(object)) return this.#shareInList(object, depth)
    const values = object as Record<string, unknown>
    for (const name in values) {
      const held = values[name]
      if (typeof held === 'string') values[name] = this.#texts.like(held)
      else if (typeof held !== 'object' || held === null) continue
      else if (name === 'fieldsV1') {
        this.#fieldSets ??= new Lately(fieldSetsMax)
        values[name] = this.#fieldSets.like(JSON.stringify(held), held)
      } else this.#shareIn(held, depth - 1)
    }
  }

  /** By index: the names of a list's entries would be made as texts first, which takes longer than all the rest. */
  #shareInList(list: unknown[], depth: number): void {
    for (let index = 0; index < list.length; index++) {
      const held = list[index]
      if (typeof held === 'string') list[index] = this.#texts.like(held)
      else if (typeof held === 'object' && held !== null) this.#shareIn(held, depth - 1)
    }
  }
}

/** Roughly what an entry takes beside its characters. */
const entryCharacters = 32

/** Values that were asked for lately, in two generations: when the younger one is full it becomes the older, and the older is dropped. */
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

/**
 * Texts that were seen lately, each in the slot that its length and a few of its characters name. Most texts of a busy stream are seen once:
 * a map would hash every character of theirs, which takes longer than to parse them.
 */
class LatelyByLook {
  /** A map, since there is one of these for each kind, and most see little. */
  readonly #slots = new Map<number, string>()
  #characters = 0

  like(text: string): string {
    const { length } = text
    if (length > textMax) return text
    const slot = slotOf(text, length)
    const known = this.#slots.get(slot)
    if (known === text) return known
    this.#characters += length - (known?.length ?? 0)
    if (this.#characters > textsMax) {
      this.#slots.clear()
      this.#characters = length
    }
    this.#slots.set(slot, text)
    return text
  }
}

/** Names that are counted differ in their last characters, kinds of texts in their length and their middle. */
function slotOf(text: string, length: number): number {
  let look = length
  look = Math.imul(look, 31) + text.charCodeAt(0)
  look = Math.imul(look, 31) + text.charCodeAt(length >> 1)
  look = Math.imul(look, 31) + text.charCodeAt((length * 3) >> 2)
  look = Math.imul(look, 31) + text.charCodeAt(length - 2)
  look = Math.imul(look, 31) + text.charCodeAt(length - 1)
  return (Math.imul(look, 0x9e3779b1) >>> 19) & (textSlots - 1)
}
