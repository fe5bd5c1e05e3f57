// Times as built-in kinds hold them: read by the layout of RFC 3339, kept in UTC, to the second or to the microsecond.
import { quote } from '../go-quote.ts'

export type ReadTime = { readonly time: string } | { readonly problem: string }

/** Seconds are kept; a fraction of one is read and dropped. */
export function readTime(text: string): ReadTime {
  return plainTime.test(text) ? { time: text } : read(text, 'seconds')
}

/** Six digits of fraction, no more and no fewer. */
export function readMicroTime(text: string): ReadTime {
  return plainMicroTime.test(text) ? { time: text } : read(text, 'microseconds')
}

/** Already as they are kept, in a month that is long enough in any case: nearly all that are ever written. */
const plainTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/
const plainMicroTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/

interface Part {
  /** What stands for it in the layout, which refusals quote. */
  readonly layout: string
  readonly pattern: RegExp
  readonly name?: string
  readonly range?: readonly [least: number, most: number]
}

const separator = (layout: string): Part => ({ layout, pattern: new RegExp(`^${layout}`) })
const two = /^\d\d/
const upToSeconds: readonly Part[] = [
  { layout: '2006', pattern: /^\d{4}/, name: 'year' },
  separator('-'),
  { layout: '01', pattern: two, name: 'month', range: [1, 12] },
  separator('-'),
  { layout: '02', pattern: two, name: 'day' },
  separator('T'),
  { layout: '15', pattern: /^\d\d?/, name: 'hour', range: [0, 23] },
  separator(':'),
  { layout: '04', pattern: two, name: 'minute', range: [0, 59] },
  separator(':'),
  { layout: '05', pattern: two, name: 'second', range: [0, 59] },
]
const zone: Part = { layout: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/, name: 'zone' }
const parts: Readonly<Record<'seconds' | 'microseconds', readonly Part[]>> = {
  seconds: [...upToSeconds, { layout: '', pattern: /^(?:[.,]\d+)?/ }, zone],
  microseconds: [...upToSeconds, { layout: '.000000', pattern: /^\.\d{6}/, name: 'fraction' }, zone],
}

function read(text: string, precision: 'seconds' | 'microseconds'): ReadTime {
  const found: Record<string, string> = {}
  let rest = text
  for (const { layout, pattern, name, range } of parts[precision]) {
    const [part] = pattern.exec(rest) ?? []
    if (part === undefined)
      return problem(text, ` as ${quote(layoutOf(precision))}: cannot parse ${quote(rest)} as ${quote(layout)}`)
    rest = rest.slice(part.length)
    if (name === undefined) continue
    found[name] = part
    if (range !== undefined && (Number(part) < range[0] || Number(part) > range[1]))
      return problem(text, `: ${name} out of range`)
  }
  if (Number(found['zone']?.slice(1, 3)) > 24) return problem(text, ': time zone offset hour out of range')
  if (Number(found['zone']?.slice(4)) > 60) return problem(text, ': time zone offset minute out of range')
  if (rest !== '') return problem(text, `: extra text: ${quote(rest)}`)
  const time = inUtc(found)
  return time === undefined ? problem(text, ': day out of range') : { time }
}

function layoutOf(precision: 'seconds' | 'microseconds'): string {
  return parts[precision].map(({ layout }) => layout).join('')
}

function problem(text: string, why: string): ReadTime {
  return { problem: `parsing time ${quote(text)}${why}` }
}

/** Undefined when its month has no such day. */
function inUtc({
  year,
  month,
  day,
  hour,
  minute,
  second,
  fraction = '',
  zone: offset = 'Z',
}: Record<string, string>): string | undefined {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCDate() !== Number(day)) return undefined
  const sign = offset.startsWith('-') ? 1 : -1
  const minutes = offset === 'Z' ? 0 : sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)))
  date.setUTCHours(Number(hour), Number(minute) + minutes, Number(second))
  return `${date.toISOString().slice(0, 19)}${fraction}Z`
}
