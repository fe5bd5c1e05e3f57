// JSON as the API server needs it: whole numbers past 2^53 keep every digit (as bigint), duplicate keys are found, nesting is
// bounded. The common case is the engine's own parser and one pass over the text.

import { NumberText } from '#base'
import { syntaxProblem } from './json-words.ts'

/** Go's decoder stops here as well. */
const depthMax = 10_000

export class JsonError extends Error {}

/** What becomes of numbers with a fraction or an exponent: they are worth what they are worth, or stay as they were written. */
export type NumbersAs = 'values' | 'texts'

export interface ParsedJson {
  readonly value: unknown
  /** Numbers of the value may be `NumberText`. */
  readonly hasNumberTexts: boolean
}

/** Parses text; throws `JsonError` with words for the sender. */
export function parseJson(text: string): unknown {
  return parseJsonAs('values', text).value
}

/** The same, with numbers as they are wanted. */
export function parseJsonAs(numbers: NumbersAs, text: string): ParsedJson {
  try {
    if (!notableNumber.test(text)) return { value: JSON.parse(text), hasNumberTexts: false }
    if (numbers === 'texts' && oddNumber.test(text)) return { value: withNumberTexts(text), hasNumberTexts: true }
    const value: unknown = JSON.parse(
      text,
      unsafeNumber.test(text) ? (keepDigits as Parameters<typeof JSON.parse>[1]) : undefined,
    )
    return { value, hasNumberTexts: false }
  } catch (error) {
    if (error instanceof JsonError) throw error
    throw new JsonError(syntaxProblem(text), { cause: error })
  }
}

export function stringifyJson(value: unknown, indent?: string): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, keepBigints, indent)
  }
}

/** Paths of keys that stand twice in one object, and a refusal of nesting without end. Cheap when there are none. */
export function findDuplicates(text: string, value: unknown): string[] {
  return [...new Set(repeatedKeys(text, value).map(({ path }) => path))]
}

export interface RepeatedKey {
  /** `spec.ports[0].name`. */
  readonly path: string
  readonly key: string
  /** The line of the later one, counted from 1. */
  readonly line: number
}

export function repeatedKeys(text: string, value: unknown): RepeatedKey[] {
  return countKeysInText(text) === countKeys(value, 0) ? [] : scanDuplicates(text)
}

/** Sixteen digits may pass 2^53, three-digit exponents may pass a double. */
const unsafeNumber = /\d{16}|\d[eE]\+?\d{3}/

/** After a colon, or within a list. Texts may look like it, which costs time and nothing else. */
const oddNumber = /"\s*:\s*-?\d+[.eE]|[[,]\s*-?\d+[.eE]/

/** What both of the above have in common, and most texts have nowhere: the one pass that every text gets. */
const notableNumber = /\d{16}|\d[.eE][-+\d]/

/** A number alone is nothing that anybody reads by its text. */
function withNumberTexts(text: string): unknown {
  const value: unknown = JSON.parse(text, keepTexts as Parameters<typeof JSON.parse>[1])
  return value instanceof NumberText ? value.value : value
}

function keepTexts(key: string, value: unknown, context: { source?: string }): unknown {
  const { source } = context
  if (typeof value !== 'number' || source === undefined || /^-?\d+$/.test(source)) return keepDigits(key, value, context)
  return new NumberText(source)
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  if (!Number.isFinite(value))
    throw new JsonError(`json: cannot unmarshal number ${context.source} into Go value of type float64`)
  if (context.source !== undefined && /^-?\d+$/.test(context.source)) return BigInt(context.source)
  return value
}

function keepBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

function countKeysInText(text: string): number {
  let count = 0
  let position = text.indexOf('"')
  while (position >= 0) {
    const end = closingQuote(text, position)
    let next = end + 1
    while (isSpace(text.charCodeAt(next))) next++
    if (text.charCodeAt(next) === 58) count++
    position = text.indexOf('"', next)
  }
  return count
}

function closingQuote(text: string, opening: number): number {
  let end = text.indexOf('"', opening + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0
  while (text.charCodeAt(index - 1 - slashes) === 92) slashes++
  return slashes % 2 === 1
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}

function countKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > depthMax) throw new JsonError('exceeded max depth')
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item, depth + 1)
    return count
  }
  for (const key in value) {
    count += 1 + countKeys((value as Record<string, unknown>)[key], depth + 1)
  }
  return count
}

interface Frame {
  readonly path: string
  readonly keys: Set<string> | undefined
  index: number
  key: string
}

/** Walks tokens of text that is known to be well formed, with its own stack. */
function scanDuplicates(text: string): RepeatedKey[] {
  const found: RepeatedKey[] = []
  const stack: Frame[] = []
  const lines = new LineCounter(text)
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/gs
  for (const match of text.matchAll(token)) {
    const top = stack.at(-1)
    const mark = match[0]
    if (mark === '{' || mark === '[') {
      const path = top === undefined ? '' : top.keys === undefined ? `${top.path}[${top.index}]` : join(top.path, top.key)
      stack.push({ path, keys: mark === '{' ? new Set() : undefined, index: 0, key: '' })
    } else if (mark === '}' || mark === ']') stack.pop()
    else if (mark === ',') {
      if (top !== undefined) top.index++
    } else if (match[1] !== undefined && top?.keys !== undefined) {
      top.key = JSON.parse(mark.slice(0, mark.length - match[1].length)) as string
      if (top.keys.has(top.key)) {
        found.push({ path: join(top.path, top.key), key: top.key, line: lines.lineAt(match.index) })
      }
      top.keys.add(top.key)
    }
  }
  return found
}

/** Lines of rising positions: each part of the text is read once, however many positions are asked for. */
class LineCounter {
  readonly #text: string
  #line = 1
  #next: number

  constructor(text: string) {
    this.#text = text
    this.#next = text.indexOf('\n')
  }

  lineAt(position: number): number {
    for (; this.#next >= 0 && this.#next < position; this.#next = this.#text.indexOf('\n', this.#next + 1)) this.#line++
    return this.#line
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
