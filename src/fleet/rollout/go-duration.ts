// A duration in a rollout strategy is read as Go reads one, with Go's words for what is wrong: that text stands in conditions which others
// match on (§6.8). A reader of durations that only says yes or no is in #base.

/** Milliseconds, or why the text is no duration. */
export type GoDuration = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly message: string }

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** Go counts nanoseconds in 63 bits. */
const msMax = 2 ** 63 / 1e6

export function parseGoDuration(text: string): GoDuration {
  const quoted = JSON.stringify(text)
  const invalid: GoDuration = { ok: false, message: `time: invalid duration ${quoted}` }
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return { ok: true, ms: 0 }
  if (unsigned === '') return invalid
  let sum = 0
  let rest = unsigned
  while (rest !== '') {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0]
    if (number === undefined) return invalid
    rest = rest.slice(number.length)
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? ''
    rest = rest.slice(unit.length)
    if (unit === '') return { ok: false, message: `time: missing unit in duration ${quoted}` }
    const factor = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined
    if (factor === undefined) {
      return { ok: false, message: `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}` }
    }
    sum += Number(number) * factor
    if (sum >= msMax) return invalid
  }
  return { ok: true, ms: text.startsWith('-') ? -sum : sum }
}
