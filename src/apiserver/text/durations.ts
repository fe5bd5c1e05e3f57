// Spans of time as Go reads them, and what it says of a text that is none.

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
])

/** As many nanoseconds make a span of time at most; one more fits below zero. */
const mostNanos = 2n ** 63n - 1n

/** Undefined: it is one. */
export function durationTrouble(text: string): string | undefined {
  const [, sign = '', spans = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  if (spans === '0') return undefined
  const invalid = `time: invalid duration ${quoteBytes(text)}`
  if (spans === '') return invalid
  let sum = 0n
  for (let at = 0; at < spans.length; ) {
    const [span, whole = '', fraction = '', unit = ''] = /^(\d*)(\.\d*)?([^\d.]*)/.exec(spans.slice(at)) ?? ['']
    if (whole === '' && !/\d/.test(fraction)) return invalid
    if (whole.length > 19) return invalid
    if (unit === '') return `time: missing unit in duration ${quoteBytes(text)}`
    const nanos = units.get(unit)
    if (nanos === undefined) return `time: unknown unit ${quoteBytes(unit)} in duration ${quoteBytes(text)}`
    sum += BigInt(whole) * nanos + BigInt(Math.trunc(Number(`0${fraction}`) * Number(nanos)))
    if (sum > mostNanos + (sign === '-' ? 1n : 0n)) return invalid
    at += span.length
  }
  return undefined
}

/** Quoted byte by byte. */
function quoteBytes(text: string): string {
  const bytes = [...Buffer.from(text)].map(byte => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`
    const character = String.fromCharCode(byte)
    return character === '"' || character === '\\' ? `\\${character}` : character
  })
  return `"${bytes.join('')}"`
}
