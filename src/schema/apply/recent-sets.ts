// The JSON of field sets that were written lately. Objects that are made alike have owners of the same fields: one copy serves them all,
// and what is known of it (which set it says) is known of each.
import type { JsonObject } from '../json.ts'
import type { FieldSet } from './field-set.ts'

/** How many characters the texts of one generation may have together; there are two generations. */
const charactersMax = 131_072
/** Larger sets are those of few objects, and would drive out many others. */
const textMax = 8_192

export class RecentSets {
  #young = new Map<string, JsonObject>()
  #old = new Map<string, JsonObject>()
  #characters = 0

  /** What an equal set was rendered as, or what `render` makes of this one. */
  like(set: FieldSet, render: (set: FieldSet) => JsonObject): JsonObject {
    const text = textOf(set)
    if (text.length > textMax) return render(set)
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const kept = this.#old.get(text) ?? render(set)
    this.#keep(text, kept)
    return kept
  }

  #keep(text: string, fieldsV1: JsonObject): void {
    if (this.#characters + text.length > charactersMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#characters = 0
    }
    this.#young.set(text, fieldsV1)
    this.#characters += text.length
  }
}

/**
 * Two sets with one text are equal. The reverse need not hold: elements stand in the order in which they came. Lengths tell where elements
 * end, since an element may hold any character.
 */
function textOf(set: FieldSet): string {
  const member = set.member ? '.' : ''
  if (set.children === undefined) return member
  let text = `${member}{`
  for (const [element, child] of set.children) text += `${element.length}:${element}${textOf(child)}`
  return `${text}}`
}
