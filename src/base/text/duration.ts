// Durations as Go writes them, because Kubernetes and its tools do: `1h30m`, `300ms`, `1.5h`. Inside they are milliseconds.

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
const goMsMax = 2 ** 63 / 1e6

/** A duration as Go reads it, with Go's words for what is wrong: such texts stand in conditions which others match on. */
export type GoDuration = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly message: string }

export function parseGoDuration(text: string): GoDuration {
  return read(text, goMsMax)
}

/** Milliseconds, or `undefined` when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  if (text.replace(/^[+-]/, '').length > 100) return undefined
  const found = read(text, Number.POSITIVE_INFINITY)
  return found.ok ? found.ms : undefined
}

function read(text: string, msMax: number): GoDuration {
  const quoted = JSON.stringify(text)
  const invalid: GoDuration = { ok: false, message: `time: invalid duration ${quoted}` }
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return { ok: true, ms: 0 }
  if (unsigned === '') return invalid
  let sum = 0
  let rest = unsigned
  while (rest !== '') {
    const number = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0]
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

/** As Go prints it: `1h30m0s`, `1.5s`, `300ms`, `0s`. Parts of a millisecond are kept to the nanosecond. */
export function renderDuration(durationMs: number): string {
  if (durationMs === 0) return '0s'
  const sign = durationMs < 0 ? '-' : ''
  const ns = Math.round(Math.abs(durationMs) * 1e6)
  if (ns === 0) return '0s'
  if (ns < 1_000) return `${sign}${ns}ns`
  if (ns < 1_000_000) return `${sign}${ns / 1_000}µs`
  if (ns < 1_000_000_000) return `${sign}${ns / 1_000_000}ms`
  const hours = Math.floor(ns / 3.6e12)
  const minutes = Math.floor((ns % 3.6e12) / 6e10)
  const seconds = (ns % 6e10) / 1e9
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`
}
