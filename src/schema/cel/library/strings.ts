// The strings library. Positions count code points.
import { characterEscapes } from '../../go-quote.ts'
import { codePointsOf } from '../code-points.ts'
import { CelList, type CelValue, EvalError } from '../values.ts'
import { formatText } from './format.ts'
import type { Cost, LibraryFunction } from './function.ts'
import { textCost, traversal } from './size.ts'

export const strings: Readonly<Record<string, LibraryFunction>> = {
  startsWith: ([text, start]) => (bothText(text, start) ? text.startsWith(start as string) : undefined),
  endsWith: ([text, end]) => (bothText(text, end) ? text.endsWith(end as string) : undefined),
  contains: ([text, part]) => (bothText(text, part) ? text.includes(part as string) : undefined),
  charAt: ([text, at]) => (isText(text) && isInt(at) ? charAt(codePointsOf(text), Number(at)) : undefined),
  lowerAscii: ([text]) => (isText(text) ? text.replaceAll(/[A-Z]+/g, part => part.toLowerCase()) : undefined),
  upperAscii: ([text]) => (isText(text) ? text.replaceAll(/[a-z]+/g, part => part.toUpperCase()) : undefined),
  trim: ([text]) => (isText(text) ? text.replace(leading, '').replace(trailing, '') : undefined),
  replace: ([text, from, to, limit]) => replace(text, from, to, limit),
  split: ([text, by, limit]) => split(text, by, limit),
  substring: ([text, start, end]) => substring(text, start, end),
  join: ([list, by]) => join(list, by),
  'strings.quote': ([text]) => (isText(text) ? quoted(text) : undefined),
  format: ([text, args]) => (isText(text) && args instanceof CelList ? formatText(text, args.items) : undefined),
}

// What Go's unicode.IsSpace takes for white space.
const leading = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
const trailing = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/

const onePass: Cost = ([text]) => Math.max(1, textCost(traversal(text)))
const prefixCost: Cost = ([, part]) => textCost(traversal(part))

export const stringCosts: Readonly<Record<string, Cost>> = {
  startsWith: prefixCost,
  endsWith: prefixCost,
  contains: ([text, part]) => textCost(traversal(text)) * textCost(traversal(part)),
  charAt: onePass,
  lowerAscii: onePass,
  upperAscii: onePass,
  trim: onePass,
  replace: onePass,
  split: onePass,
  substring: onePass,
  join: onePass,
  'strings.quote': onePass,
  format: onePass,
}

function isText(value: CelValue | undefined): value is string {
  return typeof value === 'string'
}

function isInt(value: CelValue | undefined): value is bigint {
  return typeof value === 'bigint'
}

function bothText(a: CelValue | undefined, b: CelValue | undefined): a is string {
  return typeof a === 'string' && typeof b === 'string'
}

function outOfRange(index: number): EvalError {
  return new EvalError(`index out of range: ${index}`)
}

function charAt(characters: readonly string[], at: number): string {
  if (at < 0 || at > characters.length) throw outOfRange(at)
  return characters[at] ?? ''
}

function replace(
  text: CelValue | undefined,
  from: CelValue | undefined,
  to: CelValue | undefined,
  limit: CelValue | undefined,
): string | undefined {
  if (!isText(text) || !isText(from) || !isText(to) || (limit !== undefined && !isInt(limit))) return undefined
  const count = limit === undefined || limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
  const parts = pieces(text, from, count)
  const size = text.length + (parts.length - 1) * to.length
  if (size > sizeMax) throw new EvalError('the result is too large')
  return parts.join(to)
}

/** No value grows beyond what a request could hold many times over. */
const sizeMax = 64 * 1024 * 1024

/** The text cut at up to `count` places; an empty separator cuts around every character. */
function pieces(text: string, by: string, count: number): string[] {
  if (by === '') {
    const characters = codePointsOf(text)
    const all = ['', ...characters, '']
    if (characters.length + 1 <= count) return all
    const head = all.slice(0, count)
    return [...head, characters.slice(Math.max(count - 1, 0)).join('')]
  }
  const out: string[] = []
  let from = 0
  while (out.length < count) {
    const at = text.indexOf(by, from)
    if (at < 0) break
    out.push(text.slice(from, at))
    from = at + by.length
  }
  return [...out, text.slice(from)]
}

function split(text: CelValue | undefined, by: CelValue | undefined, limit: CelValue | undefined): CelValue | undefined {
  if (!isText(text) || !isText(by) || (limit !== undefined && !isInt(limit))) return undefined
  if (limit === 0n) return new CelList([])
  const count = limit === undefined || limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
  if (by !== '') return new CelList(pieces(text, by, count - 1))
  const characters = codePointsOf(text)
  if (characters.length <= count) return new CelList(characters)
  return new CelList([...characters.slice(0, count - 1), characters.slice(count - 1).join('')])
}

function substring(text: CelValue | undefined, start: CelValue | undefined, end: CelValue | undefined): string | undefined {
  if (!isText(text) || !isInt(start) || (end !== undefined && !isInt(end))) return undefined
  const characters = codePointsOf(text)
  const from = Number(start)
  const to = end === undefined ? characters.length : Number(end)
  if (end === undefined && (from < 0 || from > characters.length)) throw outOfRange(from)
  if (from > to) throw new EvalError(`invalid substring range. start: ${from}, end: ${to}`)
  if (from < 0 || from > characters.length) throw outOfRange(from)
  if (to < 0 || to > characters.length) throw outOfRange(to)
  return characters.slice(from, to).join('')
}

function join(list: CelValue | undefined, by: CelValue | undefined): string | undefined {
  if (!(list instanceof CelList) || (by !== undefined && !isText(by))) return undefined
  const size = list.items.reduce<number>((sum, item) => sum + (isText(item) ? item.length : 0), 0)
  if (size > sizeMax) throw new EvalError('the result is too large')
  for (const item of list.items) if (!isText(item)) throw new EvalError('no such overload')
  return (list.items as readonly string[]).join(by ?? '')
}

function quoted(text: string): string {
  return `"${codePointsOf(text)
    .map(character => characterEscapes[character] ?? character)
    .join('')}"`
}

/** First or last place of a part in a text, from a place on. */
export function indexOfText(text: string, part: string, from: bigint | undefined, last: boolean): bigint {
  const characters = codePointsOf(text)
  const wanted = codePointsOf(part)
  if (from !== undefined && from < 0n) throw outOfRange(Number(from))
  if (part !== '' && from !== undefined && from >= BigInt(characters.length)) return -1n
  if (part === '') return from ?? (last ? BigInt(characters.length) : 0n)
  if (!last) return codePointIndex(text, text.indexOf(part, utf16Offset(characters, Number(from ?? 0n))))
  const start = Math.min(Number(from ?? BigInt(characters.length)), characters.length - wanted.length)
  return start < 0 ? -1n : codePointIndex(text, text.lastIndexOf(part, utf16Offset(characters, start)))
}

function utf16Offset(characters: readonly string[], codePoints: number): number {
  let offset = 0
  for (let i = 0; i < codePoints; i++) offset += (characters[i] ?? '').length
  return offset
}

function codePointIndex(text: string, offset: number): bigint {
  return offset < 0 ? -1n : BigInt(codePointsOf(text.slice(0, offset)).length)
}
