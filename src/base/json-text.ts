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

const whitespace = /[ \t\n\r]*/y
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// JSON forbids exactly these characters in strings.
// oxlint-disable-next-line no-control-regex
const plainText = /[^"\\\u0000-\u001f]*/y
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): JsonNode {
    this.#take(whitespace)
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
    this.#take(whitespace)
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the text')
  }

  #object(at: number, depth: number): JsonNode {
    const members: JsonMember[] = []
    this.#at += 1
    this.#take(whitespace)
    if (this.#skip('}')) return { kind: 'object', at, members }
    do {
      this.#take(whitespace)
      const nameAt = this.#at
      if (this.#text[nameAt] !== '"') throw this.#unexpected('a name in quotes')
      const name = this.#string()
      this.#take(whitespace)
      if (!this.#skip(':')) throw this.#unexpected('":"')
      members.push({ name, nameAt, value: this.value(depth + 1) })
      this.#take(whitespace)
    } while (this.#skip(','))
    if (!this.#skip('}')) throw this.#unexpected('"," or "}"')
    return { kind: 'object', at, members }
  }

  #array(at: number, depth: number): JsonNode {
    const items: JsonNode[] = []
    this.#at += 1
    this.#take(whitespace)
    if (this.#skip(']')) return { kind: 'array', at, items }
    do {
      items.push(this.value(depth + 1))
      this.#take(whitespace)
    } while (this.#skip(','))
    if (!this.#skip(']')) throw this.#unexpected('"," or "]"')
    return { kind: 'array', at, items }
  }

  #string(): string {
    this.#at += 1
    const parts: string[] = []
    for (;;) {
      parts.push(this.#take(plainText))
      if (this.#skip('"')) return parts.join('')
      if (!this.#skip('\\')) {
        throw this.#at >= this.#text.length ? this.#unexpected('the closing quote') : this.#unexpected('no control character')
      }
      parts.push(this.#escape())
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? ''
    const plain = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined
    if (plain !== undefined) {
      this.#at += 1
      return plain
    }
    const hex = /^u([0-9a-fA-F]{4})/.exec(this.#text.slice(this.#at, this.#at + 5))?.[1]
    if (hex === undefined) throw this.#unexpected('an escape such as \\n or \\u0041')
    this.#at += 5
    return String.fromCharCode(Number.parseInt(hex, 16))
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
