// Durations as text (`1h30m`, `1.5s`) both ways.

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

export function parseDuration(text: string): bigint | undefined {
  if (text.length > 256) return undefined
  const match = /^([+-]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text)
  if (match === null) return undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of (match[2] as string).matchAll(
    /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const size = units[unit] as bigint
    total += BigInt(whole === '' ? '0' : whole) * size
    if (fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length)
  }
  const nanos = match[1] === '-' ? -total : total
  return nanos > -(2n ** 63n) && nanos < 2n ** 63n ? nanos : undefined
}

/** Seconds, with a fraction where there is one. */
export function renderSeconds(nanos: bigint): string {
  const sign = nanos < 0n ? '-' : ''
  const magnitude = nanos < 0n ? -nanos : nanos
  const fraction = String(magnitude % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${sign}${magnitude / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
}
