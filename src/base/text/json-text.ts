// JSON with a memory of where everything stood. `JSON.parse` forgets it, and an error in a policy document of a hundred lines is
// only useful with its line. Strict JSON, bounded depth, duplicate names kept so that the reader can refuse them.

/** Where a value begins. Lines and columns count from 1, columns in UTF-16 units, as editors do. */
export interface TextPlace {
  readonly offset: number
  readonly line: number
  readonly column: number
}

export type JsonNode =
  | { readonly kind: 'object'; readonly at: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly at: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly at: number; readonly value: string }
  | { readonly kind: 'number'; readonly at: number; readonly value: number; readonly text: string }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'null'; readonly at: number }

export interface JsonMember {
  readonly name: string
  readonly nameAt: number
  readonly value: JsonNode
}

/** Not JSON. `at` is the offset of the first character that does not fit. */
export class JsonTextError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.name = 'JsonTextError'
    this.at = at
  }
}

/** Deeper than any document that people write, and far from what overflows a stack. */
const depthMax = 200

/** Parses a whole text. Throws `JsonTextError`, never anything else. */
export function parseJsonText(text: string): JsonNode {
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

/** The line and column of an offset. */
export function placeOf(text: string, offset: number): TextPlace {
  let line = 1
  let lineStart = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) {
    line += 1
    lineStart = next + 1
  }
  return { offset, line, column: offset - lineStart + 1 }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// JSON forbids exactly these characters in strings.
// oxlint-disable-next-line no-control-regex
const plainText = /[^"\\\u0000-\u001f]*/y
const backslash = 0x5c

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): JsonNode {
    this.#skipWhitespace()
    const at = this.#at
    if (depth > depthMax) throw new JsonTextError(`nested deeper than ${depthMax} levels`, at)
    switch (this.#text[at]) {
      case '{':
        return this.#object(at, depth)
      case '[':
        return this.#array(at, depth)
      case '"':
        return { kind: 'string', at, value: this.#string() }
      case 't':
        return this.#word('true', { kind: 'boolean', at, value: true })
      case 'f':
        return this.#word('false', { kind: 'boolean', at, value: false })
      case 'n':
        return this.#word('null', { kind: 'null', at })
      default:
        return this.#number(at)
    }
  }

  end(): void {
    this.#skipWhitespace()
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the text')
  }

  #object(at: number, depth: number): JsonNode {
    const members: JsonMember[] = []
    this.#at += 1
    this.#skipWhitespace()
    if (this.#skip('}')) return { kind: 'object', at, members }
    do {
      this.#skipWhitespace()
      const nameAt = this.#at
      if (this.#text[nameAt] !== '"') throw this.#unexpected('a name in quotes')
      const name = this.#string()
      this.#skipWhitespace()
      if (!this.#skip(':')) throw this.#unexpected('":"')
      members.push({ name, nameAt, value: this.value(depth + 1) })
      this.#skipWhitespace()
    } while (this.#skip(','))
    if (!this.#skip('}')) throw this.#unexpected('"," or "}"')
    return { kind: 'object', at, members }
  }

  #array(at: number, depth: number): JsonNode {
    const items: JsonNode[] = []
    this.#at += 1
    this.#skipWhitespace()
    if (this.#skip(']')) return { kind: 'array', at, items }
    do {
      items.push(this.value(depth + 1))
      this.#skipWhitespace()
    } while (this.#skip(','))
    if (!this.#skip(']')) throw this.#unexpected('"," or "]"')
    return { kind: 'array', at, items }
  }

  #string(): string {
    this.#at += 1
    const plain = this.#take(plainText)
    return this.#skip('"') ? plain : plain + this.#escapedRest()
  }

  /** Reads the rest of a text from its first escape on with the engine's own reader. Where that refuses it, the error tells the place. */
  #escapedRest(): string {
    const end = closingQuote(this.#text, this.#at)
    if (end < 0) throw this.#wrongCharacter()
    try {
      const rest = String(JSON.parse(`"${this.#text.slice(this.#at, end)}"`))
      this.#at = end + 1
      return rest
    } catch {
      throw this.#wrongCharacter()
    }
  }

  #wrongCharacter(): JsonTextError {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (code < 0x20) return this.#unexpected('no control character')
      if (code !== backslash) continue
      const length = escapeLength(this.#text, this.#at + 1)
      this.#at += length === 0 ? 1 : length
      if (length === 0) return this.#unexpected('an escape such as \\n or \\u0041')
    }
    return this.#unexpected('the closing quote')
  }

  #number(at: number): JsonNode {
    const text = this.#take(numberPattern)
    if (text === '') throw this.#unexpected('a value')
    return { kind: 'number', at, value: Number(text), text }
  }

  #word(word: string, node: JsonNode): JsonNode {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected('a value')
    this.#at += word.length
    return node
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #skipWhitespace(): void {
    while (isWhitespace(this.#text.charCodeAt(this.#at))) this.#at += 1
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #unexpected(wanted: string): JsonTextError {
    const found = this.#text[this.#at]
    return found === undefined
      ? new JsonTextError(`expected ${wanted}, but the text ends here`, this.#at)
      : new JsonTextError(`expected ${wanted}, found ${JSON.stringify(found)}`, this.#at)
  }
}

/** Where the quote is that no backslash takes its meaning from; -1 when there is none. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at
    while (first > from && text[first - 1] === '\\') first -= 1
    if ((at - first) % 2 === 0) return at
  }
  return -1
}

function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

const unicode = 0x75
const simpleEscapes = new Set(Array.from('"\\/bfnrt', letter => letter.charCodeAt(0)))

/** Of what follows a backslash; 0 when it is none. */
function escapeLength(text: string, at: number): number {
  const letter = text.charCodeAt(at)
  if (letter === unicode) return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5)) ? 5 : 0
  return simpleEscapes.has(letter) ? 1 : 0
}
