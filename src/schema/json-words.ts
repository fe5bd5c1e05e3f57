// What is wrong with a text that is no JSON, in the words of Go's scanner, which clients show to people.
import { quoteCharacter } from './go-quote.ts'

/** The first thing that is wrong; the text must not be valid JSON. */
export function syntaxProblem(text: string): string {
  return bytesProblem(Buffer.from(text))
}

/** The same of bytes that may be no text at all. */
export function bytesProblem(bytes: Uint8Array): string {
  // One character a byte: the scanner sees no more of the text than that.
  const scanner = new Scanner(Buffer.from(bytes).toString('latin1'))
  return scanner.run() ?? endOfInput
}

const endOfInput = 'unexpected end of JSON input'

class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Goes through the text without recursion, since a hostile text nests as deep as it is long. */
  run(): string | undefined {
    const open: ('{' | '[')[] = []
    let wanted: 'value' | 'value or ]' | 'key' | 'key or }' | 'after' = 'value'
    for (;;) {
      this.#space()
      const char = this.#text[this.#at]
      if (wanted === 'after' && open.length === 0) return char === undefined ? undefined : this.#wrong('after top-level value')
      if (char === undefined) return endOfInput
      if (wanted === 'after') {
        const closes = open.at(-1) === '{' ? '}' : ']'
        const place = open.at(-1) === '{' ? 'after object key:value pair' : 'after array element'
        if (char !== ',' && char !== closes) return this.#wrong(place)
        this.#at++
        if (char === ',') wanted = closes === '}' ? 'key' : 'value'
        else open.pop()
      } else if ((wanted === 'value or ]' && char === ']') || (wanted === 'key or }' && char === '}')) {
        this.#at++
        open.pop()
        wanted = 'after'
      } else if (wanted === 'key' || wanted === 'key or }') {
        const problem = this.#key(char)
        if (problem !== undefined) return problem
        wanted = 'value'
      } else if (char === '{' || char === '[') {
        this.#at++
        open.push(char)
        wanted = char === '{' ? 'key or }' : 'value or ]'
      } else {
        const problem = this.#scalar(char)
        if (problem !== undefined) return problem
        wanted = 'after'
      }
    }
  }

  #key(char: string): string | undefined {
    if (char !== '"') return this.#wrong('looking for beginning of object key string')
    const problem = this.#string()
    if (problem !== undefined) return problem
    this.#space()
    const next = this.#text[this.#at]
    if (next === undefined) return endOfInput
    if (next !== ':') return this.#wrong('after object key')
    this.#at++
    return undefined
  }

  #scalar(char: string): string | undefined {
    if (char === '"') return this.#string()
    if (char === '-' || isDigit(char)) return this.#number()
    for (const literal of ['true', 'false', 'null']) if (char === literal[0]) return this.#literal(literal)
    return this.#wrong('looking for beginning of value')
  }

  #literal(literal: string): string | undefined {
    for (let index = 0; index < literal.length; index++, this.#at++) {
      const char = this.#text[this.#at]
      if (char === undefined) return endOfInput
      if (char !== literal[index]) return this.#wrong(`in literal ${literal} (expecting '${literal[index]}')`)
    }
    return undefined
  }

  #string(): string | undefined {
    this.#at++
    for (;;) {
      const char = this.#text[this.#at]
      if (char === undefined) return endOfInput
      if (char === '"') break
      if (char < ' ') return this.#wrong('in string literal')
      this.#at++
      if (char !== '\\') continue
      const escape = this.#text[this.#at]
      if (escape === undefined) return endOfInput
      if (!'"\\/bfnrtu'.includes(escape)) return this.#wrong('in string escape code')
      this.#at++
      for (let digit = 0; escape === 'u' && digit < 4; digit++, this.#at++) {
        const hex = this.#text[this.#at]
        if (hex === undefined) return endOfInput
        if (!/[0-9a-fA-F]/.test(hex)) return this.#wrong('in \\u hexadecimal character escape')
      }
    }
    this.#at++
    return undefined
  }

  #number(): string | undefined {
    if (this.#text[this.#at] === '-') this.#at++
    if (this.#text[this.#at] === '0') this.#at++
    else if (!this.#digits()) return this.#missing('in numeric literal')
    if (this.#text[this.#at] === '.') {
      this.#at++
      if (!this.#digits()) return this.#missing('after decimal point in numeric literal')
    }
    if (!/[eE]/.test(this.#text[this.#at] ?? '')) return undefined
    this.#at++
    if (/[-+]/.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#digits() ? undefined : this.#missing('in exponent of numeric literal')
  }

  #digits(): boolean {
    const from = this.#at
    while (isDigit(this.#text[this.#at] ?? '')) this.#at++
    return this.#at > from
  }

  #missing(place: string): string {
    return this.#text[this.#at] === undefined ? endOfInput : this.#wrong(place)
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++
  }

  #wrong(place: string): string {
    return `invalid character ${quoted(this.#text[this.#at] as string)} ${place}`
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9'
}

/** Go's scanner quotes single bytes, and the two quotation marks the other way round. */
function quoted(char: string): string {
  if (char === "'") return "'\\''"
  return char === '"' ? `'"'` : `'${quoteCharacter(char)}'`
}
