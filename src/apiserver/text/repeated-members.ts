// Objects whose text has a key twice, as Go's decoder reads them into a type: what comes later goes into what is there already.
import { isRecord, NumberText } from '#base'
import { type NumbersAs, type ParsedJson, parseJsonAs } from './json.ts'
import { keysOf } from './json-keys.ts'

/** The value of a well-formed text, with members of one name in one. Only maps go into each other: of all else the last one counts. */
export function parseMerging(numbers: NumbersAs, text: string): ParsedJson {
  const mark = unusedMark(text)
  let [marked, end] = ['', 0]
  for (const [index, found] of keysOf(text).entries()) {
    if (!found.again) continue
    marked += text.slice(end, found.at) + JSON.stringify(found.key + mark + index)
    end = found.end
  }
  const parsed = parseJsonAs(numbers, marked + text.slice(end))
  return { ...parsed, value: withoutMarks(parsed.value, mark, plainMembers) }
}

/** What no key has in it. */
function unusedMark(text: string): string {
  let mark = ' again '
  while (text.includes(mark)) mark += 'and '
  return mark
}

/** Structures that an object of any kind always has: null is read into them and changes nothing. */
const plainMembers: readonly string[] = ['metadata', 'spec', 'status']

function withoutMarks(value: unknown, mark: string, plain: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map(item => withoutMarks(item, mark))
  if (!isMap(value)) return value
  const out: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const [key = name] = name.split(mark, 1)
    if (member === null && plain.includes(key) && isMap(out[key])) continue
    setOwn(out, key, together(Object.hasOwn(out, key) ? out[key] : undefined, withoutMarks(member, mark)))
  }
  return out
}

function together(before: unknown, later: unknown): unknown {
  if (!isMap(before) || !isMap(later)) return later
  const out = { ...before }
  for (const [key, value] of Object.entries(later))
    setOwn(out, key, together(Object.hasOwn(out, key) ? out[key] : undefined, value))
  return out
}

function isMap(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof NumberText)
}

/** Own property, also for the name that assignment treats specially. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
