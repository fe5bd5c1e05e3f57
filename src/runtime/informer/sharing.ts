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
/** A power of two. */
const partSlots = 2_048
/** Characters of the texts of a part and, of a list, its entries: with the slots they bound what is kept. */
const partTextMax = 1_024
const listEntriesMax = 16
/** Looks of parts are small numbers, none of them negative, */
const looks = 0x3fff_ffff
/** and this one is that of a part that is nobody else's. */
const own = -1

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
  readonly #parts = new PartsByLook()
  /** Absent until a field set is read, since of most kinds none ever is. */
  #fieldSets: Lately<object> | undefined

  /**
   * Changes the caller's object in place: a text, a field set, a list or an entry of one, such as a condition, that an earlier object had
   * becomes that object's copy of it.
   */
  within<T extends StoredObject>(object: T): T {
    this.#shareIn(object, depthMax)
    return object
  }

  /**
   * Changes the object itself: a copy would be garbage, and the aim is less of it. Returns its look, or `own` of one that is nobody else's:
   * it is large, or has something in it.
   */
  #shareIn(object: object, depth: number): number {
    if (depth === 0 || Object.isFrozen(object)) return own
    if (Array.isArray(object)) return this.#shareInList(object, depth)
    const values = object as Record<string, unknown>
    let look = 0
    let characters = 0
    for (const name in values) {
      const held = values[name]
      if (typeof held === 'string') {
        const lookOfText = lookOf(held, held.length)
        values[name] = this.#texts.like(held, lookOfText)
        look = Math.imul(look, 31) + lookOfText
        characters += held.length
      } else if (typeof held !== 'object' || held === null) look = Math.imul(look, 31) + Number(held)
      else {
        characters = Infinity
        if (name === 'fieldsV1') values[name] = this.#fieldSetLike(held, depth - 1)
        else {
          const lookWithin = this.#shareIn(held, depth - 1)
          if (lookWithin !== own && Array.isArray(held)) values[name] = this.#parts.listLike(held, lookWithin)
        }
      }
    }
    return characters > partTextMax ? own : look & looks
  }

  /** Where it names an owner, by uid, the whole is nobody else's; its parts are like those of others. */
  #fieldSetLike(set: object, depth: number): object {
    this.#fieldSets ??= new Lately(fieldSetsMax)
    const text = JSON.stringify(set)
    const known = this.#fieldSets.like(text, set)
    if (known === set && depth > 0 && !Object.isFrozen(set)) {
      const parts = set as Record<string, unknown>
      for (const name in parts) {
        const part = parts[name]
        if (typeof part === 'object' && part !== null) parts[name] = this.#fieldSetLike(part, depth - 1)
      }
    }
    return known
  }

  /** By index: the names of a list's entries would be made as texts first, which takes longer than all the rest. */
  #shareInList(list: unknown[], depth: number): number {
    // Other than that of its only entry, whose place it would take.
    let look = list.length + 1
    let characters = list.length > listEntriesMax ? Infinity : 0
    for (let index = 0; index < list.length; index++) {
      const held = list[index]
      let lookWithin: number
      if (typeof held === 'string') {
        lookWithin = lookOf(held, held.length)
        list[index] = this.#texts.like(held, lookWithin)
        characters += held.length
      } else if (typeof held === 'object' && held !== null) {
        lookWithin = this.#shareIn(held, depth - 1)
        if (lookWithin === own || Array.isArray(held)) characters = Infinity
        else list[index] = this.#parts.entryLike(held, lookWithin)
      } else lookWithin = Number(held)
      look = Math.imul(look, 31) + lookWithin
    }
    return characters > partTextMax ? own : look & looks
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

  like(text: string, look: number): string {
    const { length } = text
    if (length > textMax) return text
    const slot = slotOf(look, textSlots)
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

/** Entries of lists, and lists, that were seen lately, each in the slot that its look names. */
class PartsByLook {
  readonly #slots = new Map<number, object>()

  entryLike(entry: object, look: number): object {
    const slot = slotOf(look, partSlots)
    const known = this.#slots.get(slot)
    if (known !== undefined && isLikeEntry(known, entry)) return known
    this.#slots.set(slot, entry)
    return entry
  }

  listLike(list: readonly unknown[], look: number): readonly unknown[] {
    const slot = slotOf(look, partSlots)
    const known = this.#slots.get(slot)
    if (Array.isArray(known) && isLikeList(known, list)) return known
    this.#slots.set(slot, list)
    return list
  }
}

/** By identity: what is in them was shared before. */
function isLikeEntry(known: object, entry: object): boolean {
  if (Array.isArray(known)) return false
  let names = 0
  for (const name in entry) {
    if (!Object.is((known as Record<string, unknown>)[name], (entry as Record<string, unknown>)[name])) return false
    names++
  }
  for (const _ in known) names--
  return names === 0
}

function isLikeList(known: readonly unknown[], list: readonly unknown[]): boolean {
  if (known.length !== list.length) return false
  for (let index = 0; index < list.length; index++) if (!Object.is(known[index], list[index])) return false
  return true
}

/** Names that are counted differ in their last characters, kinds of texts in their length and their middle. */
function lookOf(text: string, length: number): number {
  let look = length
  look = Math.imul(look, 31) + text.charCodeAt(0)
  look = Math.imul(look, 31) + text.charCodeAt(length >> 1)
  look = Math.imul(look, 31) + text.charCodeAt((length * 3) >> 2)
  look = Math.imul(look, 31) + text.charCodeAt(length - 2)
  return Math.imul(look, 31) + text.charCodeAt(length - 1)
}

function slotOf(look: number, slots: number): number {
  return (Math.imul(look, 0x9e3779b1) >>> 16) & (slots - 1)
}
