// Source text into tokens. Positions count code points, as messages do.
import { codePointsOf } from './code-points.ts'
import type { CelProblem } from './problems.ts'
import { CelBytes, CelUint, type CelValue } from './values.ts'

export type CelToken =
  | { readonly kind: 'ident'; readonly text: string; readonly at: number; readonly quoted?: boolean }
  | { readonly kind: 'literal'; readonly text: string; readonly value: CelValue; readonly at: number }
  | { readonly kind: 'symbol'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: '<EOF>'; readonly at: number }

export class SyntaxProblem extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Text that is no token: it is told, passed over, and what is left is read on. */
class StrayText extends SyntaxProblem {
  readonly end: number
  constructor(text: string, at: number, length: number) {
    super(`Syntax error: token recognition error at: '${text}'`, at)
    this.end = at + length
  }
}

interface Tokens {
  readonly tokens: readonly CelToken[]
  readonly problems: readonly CelProblem[]
}

const symbols = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '!',
  '?',
  ':',
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
]

/** Longer expressions are refused, as on a real server: 100 kB of code points. */
const lengthMax = 100_000

/** More are not told: a text of nothing but stray characters has as many. */
const problemsMax = 100

export function tokenize(source: string): Tokens {
  const characters = codePointsOf(source)
  if (characters.length > lengthMax)
    throw new SyntaxProblem(`expression code point size exceeds limit: size: ${characters.length}, limit ${lengthMax}`, 0)
  const tokens: CelToken[] = []
  const problems: CelProblem[] = []
  let at = 0
  while (at < characters.length) {
    try {
      const [token, next] = readToken(characters, at)
      if (token !== undefined) tokens.push(token)
      at = next
    } catch (error) {
      if (!(error instanceof StrayText) || problems.length === problemsMax) throw error
      problems.push({ at: error.at, message: error.message })
      at = error.end
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: characters.length })
  return { tokens, problems }
}

function readToken(characters: readonly string[], at: number): readonly [CelToken | undefined, number] {
  const character = characters[at] as string
  if (/[ \t\r\n\f]/.test(character)) return [undefined, at + 1]
  if (character === '/' && characters[at + 1] === '/') return [undefined, endOfLine(characters, at)]
  const prefix = stringPrefix(characters, at)
  if (prefix !== undefined) return readString(characters, at, prefix)
  if (/[0-9]/.test(character) || (character === '.' && /[0-9]/.test(characters[at + 1] ?? ''))) return readNumber(characters, at)
  if (/[A-Za-z_]/.test(character)) return readIdent(characters, at)
  if (character === '`') return readQuotedIdent(characters, at)
  for (const symbol of symbols) {
    if (symbol === characters.slice(at, at + symbol.length).join(''))
      return [{ kind: 'symbol', text: symbol, at }, at + symbol.length]
  }
  // What is only ever read twice is looked for twice.
  const length = '&|='.includes(character) && at + 1 < characters.length ? 2 : 1
  throw new StrayText(characters.slice(at, at + length).join(''), at, length)
}

function endOfLine(characters: readonly string[], at: number): number {
  const end = characters.indexOf('\n', at)
  return end < 0 ? characters.length : end + 1
}

function readIdent(characters: readonly string[], at: number): readonly [CelToken, number] {
  let end = at
  while (/[A-Za-z0-9_]/.test(characters[end] ?? '')) end++
  const text = characters.slice(at, end).join('')
  if (text === 'true' || text === 'false') return [{ kind: 'literal', text, value: text === 'true', at }, end]
  if (text === 'null') return [{ kind: 'literal', text, value: null, at }, end]
  return [{ kind: text === 'in' ? 'symbol' : 'ident', text, at }, end]
}

function readQuotedIdent(characters: readonly string[], at: number): readonly [CelToken, number] {
  const end = characters.indexOf('`', at + 1)
  const text = characters.slice(at + 1, Math.max(end, 0)).join('')
  if (end < 0 || !/^[A-Za-z0-9_./ -]+$/.test(text)) throw new StrayText('`', at, 1)
  return [{ kind: 'ident', text, at, quoted: true }, end + 1]
}

function readNumber(characters: readonly string[], at: number): readonly [CelToken, number] {
  const rest = characters.slice(at, at + 400).join('')
  const match = /^(0x[0-9a-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+[uU]?)/.exec(rest)
  const text = match?.[0] ?? ''
  const end = at + text.length
  if (/^0x|^\d+[uU]?$/.test(text)) {
    const unsigned = /[uU]$/.test(text) && !/^0x.*[^uU]$/.test(text)
    const value = BigInt(unsigned ? text.slice(0, -1) : text)
    return [{ kind: 'literal', text, value: unsigned ? new CelUint(value) : value, at }, end]
  }
  return [{ kind: 'literal', text, value: Number(text), at }, end]
}

interface Prefix {
  readonly raw: boolean
  readonly bytes: boolean
  readonly length: number
}

function stringPrefix(characters: readonly string[], at: number): Prefix | undefined {
  const rest = characters.slice(at, at + 3).join('')
  const match = /^([rR][bB]|[bB][rR]|[rR]|[bB]|)["']/.exec(rest)
  if (match === null) return undefined
  const prefix = (match[1] as string).toLowerCase()
  return { raw: prefix.includes('r'), bytes: prefix.includes('b'), length: prefix.length }
}

function readString(characters: readonly string[], at: number, prefix: Prefix): readonly [CelToken, number] {
  const start = at + prefix.length
  const mark = characters[start] as string
  const triple = characters[start + 1] === mark && characters[start + 2] === mark
  const closing = triple ? 3 : 1
  let end = start + closing
  while (end < characters.length && !closes(characters, end, mark, triple)) {
    if (!triple && (characters[end] === '\n' || characters[end] === '\r')) break
    end += characters[end] === '\\' && !prefix.raw ? 2 : 1
  }
  if (!closes(characters, end, mark, triple)) {
    throw new StrayText(characters.slice(at).join(''), at, characters.length - at)
  }
  const body = characters.slice(start + closing, end)
  const value = unescape(body, prefix, at)
  return [{ kind: 'literal', text: characters.slice(at, end + closing).join(''), value, at }, end + closing]
}

function closes(characters: readonly string[], at: number, mark: string, triple: boolean): boolean {
  if (characters[at] !== mark) return false
  return !triple || (characters[at + 1] === mark && characters[at + 2] === mark)
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '`': '`',
  '?': '?',
}

const codeLengths: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 }

function unescape(body: readonly string[], prefix: Prefix, at: number): CelValue {
  const bytes: number[] = []
  let text = ''
  const add = (piece: string): void => {
    if (prefix.bytes) bytes.push(...Buffer.from(piece, 'utf8'))
    else text += piece
  }
  for (let i = 0; i < body.length; i++) {
    const character = body[i] as string
    if (character !== '\\' || prefix.raw) {
      add(character === '\r' && body[i + 1] === '\n' ? '' : character)
      continue
    }
    const kind = body[++i] ?? ''
    const simple = simpleEscapes[kind]
    if (simple !== undefined) {
      add(simple)
      continue
    }
    const length = codeLengths[kind]
    const digits = length === undefined ? body.slice(i, i + 3).join('') : body.slice(i + 1, i + 1 + length).join('')
    const valid =
      length === undefined ? /^[0-3][0-7]{2}$/.test(digits) : digits.length === length && /^[0-9a-fA-F]+$/.test(digits)
    const code = Number.parseInt(digits, length === undefined ? 8 : 16)
    if (!valid || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (prefix.bytes && (length ?? 0) > 2)) {
      throw new SyntaxProblem('invalid escape sequence in a string', at)
    }
    if (prefix.bytes) bytes.push(code)
    else text += String.fromCodePoint(code)
    i += length ?? 2
  }
  return prefix.bytes ? new CelBytes(Uint8Array.from(bytes)) : text
}
