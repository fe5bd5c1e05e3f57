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

/** Milliseconds, or `undefined` when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith('-')
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return 0
  if (unsigned === '' || unsigned.length > 100) return undefined
  let sum = 0
  let at = 0
  const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y
  while (at < unsigned.length) {
    part.lastIndex = at
    const match = part.exec(unsigned)
    if (match === null) return undefined
    sum += Number(match[1]) * (unitMs[match[2] ?? ''] ?? Number.NaN)
    at = part.lastIndex
  }
  return negative ? -sum : sum
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
