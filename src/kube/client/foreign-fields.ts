// Field sets (`metadata.managedFields`) are a third to a half of what a server says about an object, in hundreds of tiny JSON objects, and
// a reader that keeps only its own throws the others away. Here they are cut out of the text before it is parsed, which is cheaper.
//
// Why a cut cannot be wrong without being noticed. Outside of strings JSON has no backslash, so `"managedFields":[` with its plain quotes
// is always a key, or the end of one, with its array. The cut ends at the first `]`, which is at the array's end or before it:
// - before it and in an inner array: the brackets of what is left do not match, so it is no JSON;
// - before it and in a string: from there on what was within quotes is without and the reverse. At the next cut the bare word
//   managedFields stands outside quotes, and at the end a string is open: no JSON either.
// So whatever parses had only whole arrays cut out, and the marks left in their place tell whether they were those of the objects'
// metadata, where servers write an array or nothing. In any doubt the whole text is parsed.

interface Marked {
  readonly metadata?: { managedFields?: unknown } | null
}

export class ForeignFields {
  /** Names with the closing quote only: what a search looks for first should be rare. One that ends alike keeps a little too much. */
  readonly #own: readonly string[]

  private constructor(own: readonly string[]) {
    this.#own = own
  }

  /** Leaves alone what these managers own a part of; `undefined` when their names might be written in several ways. */
  static except(managers: readonly string[]): ForeignFields | undefined {
    if (!managers.every(name => /^[\w.:@ -]+$/.test(name))) return undefined
    // Every stream of every cluster has the same list, and holds what it gets for as long as it stands.
    const known = exceptThese.get(managers)
    if (known !== undefined) return known
    const made = new ForeignFields(managers.map(name => `${name}"`))
    exceptThese.set(managers, made)
    return made
  }

  /** As `JSON.parse`, but `metadata.managedFields` of the objects in the value may be undefined. */
  parse(text: string, objectsOf: (value: unknown) => readonly unknown[]): unknown {
    const pieces: string[] = []
    const end = this.#cut(text, pieces)
    if (pieces.length === 0) return JSON.parse(text)
    let value: unknown
    try {
      value = JSON.parse(pieces.join(mark) + mark + text.slice(end))
    } catch {
      return JSON.parse(text)
    }
    return clearMarks(objectsOf(value)) === pieces.length ? value : JSON.parse(text)
  }

  /** The pieces before each cut, and where the last one ends. */
  #cut(text: string, pieces: string[]): number {
    let from = 0
    for (let at = text.indexOf(rareEnd); at >= 0; at = text.indexOf(rareEnd, at + rareEnd.length)) {
      if (!text.startsWith(rareStart, at - rareStart.length)) continue
      const start = at + rareEnd.length - 1
      const end = text.indexOf(']', start) + 1
      // An empty array is not worth a cut.
      if (end === 0 || text[start + 1] !== '{') continue
      if (this.#isKept(text.slice(start, end))) continue
      pieces.push(text.slice(from, start))
      from = end
    }
    return from
  }

  #isKept(sets: string): boolean {
    for (const name of this.#own) if (sets.includes(name)) return true
    // Characters written as numbers could hide a name.
    return this.#own.length > 0 && sets.includes('\\u')
  }
}

const exceptThese = new WeakMap<readonly string[], ForeignFields>()

/** The key in two parts: a search for text that begins with an ordinary character stops at each of them. */
const rareStart = '"managed'
const rareEnd = 'Fields":['
const mark = 'null'

/** How many objects had the mark. Unset and not deleted: an object that a key is deleted from takes three times the memory. */
function clearMarks(objects: readonly unknown[]): number {
  let cleared = 0
  for (const object of objects as readonly (Marked | null | undefined)[]) {
    const metadata = object?.metadata
    if (metadata?.managedFields !== null || metadata === undefined) continue
    metadata.managedFields = undefined
    cleared++
  }
  return cleared
}
