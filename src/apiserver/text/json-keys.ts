// The keys of a JSON text: which stand twice in one object, and in what order they come. Nesting is bounded here as well.
import { JsonError } from './json.ts'

/** Go's decoder stops here as well. */
const depthMax = 10_000

/** Paths of keys that stand twice in one object, and a refusal of nesting without end. Cheap when there are none. */
export function findDuplicates(text: string, value: unknown): string[] {
  return [...new Set(repeatedKeys(text, value).map(({ path }) => path))]
}

export interface KeyInText {
  /** `spec.ports[0].name`. */
  readonly path: string
  readonly key: string
  /** Whether the object had it before. */
  readonly again: boolean
  /** Where it begins in the text, and what comes after it. */
  readonly at: number
  readonly end: number
}

export interface RepeatedKey extends KeyInText {
  /** Counted from 1. */
  readonly line: number
}

export function repeatedKeys(text: string, value: unknown): RepeatedKey[] {
  if (countKeysInText(text) === countKeys(value, 0)) return []
  const lines = new LineCounter(text)
  const repeated = keysOf(text).filter(({ again }) => again)
  return repeated.map(found => ({ ...found, line: lines.lineAt(found.at) }))
}

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

const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/gs

/** Walks tokens of text that is known to be well formed, with its own stack. */
export function keysOf(text: string): KeyInText[] {
  const found: KeyInText[] = []
  const stack: Frame[] = []
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
      const [at, end] = [match.index, match.index + mark.length - match[1].length]
      top.key = JSON.parse(text.slice(at, end)) as string
      found.push({ path: join(top.path, top.key), key: top.key, again: top.keys.has(top.key), at, end })
      top.keys.add(top.key)
    }
  }
  return found
}

/** Lines of rising positions: each part of the text is read once, however many positions are asked for. */
export class LineCounter {
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
