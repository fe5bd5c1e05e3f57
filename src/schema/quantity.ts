// Kubernetes quantities (`100m`, `1.5Gi`, `1e3`) as exact fractions.

/** value = numerator / 10^scale. */
export interface Quantity {
  readonly numerator: bigint
  readonly scale: number
  readonly text: string
}

const pattern = /^([+-]?)(\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,4}))?$/

export function isQuantity(text: string): boolean {
  return parseQuantity(text) !== undefined
}

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n }

export function parseQuantity(text: string): Quantity | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, sign, digits = '', suffix, exponentText] = match
  const [whole = '', fraction = ''] = digits.split('.')
  let numerator = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n)
  let scale = fraction.length
  if (suffix !== undefined && suffix in binary) numerator <<= binary[suffix] as bigint
  else scale -= exponentText === undefined ? (decimal[suffix ?? ''] ?? 0) : Number(exponentText)
  if (scale < 0) {
    if (scale < -400) return undefined
    numerator *= 10n ** BigInt(-scale)
    scale = 0
  }
  return roundedUp(numerator, scale, text)
}

/** Nothing is finer than a nano: what is smaller is rounded away from zero. */
function roundedUp(numerator: bigint, scale: number, text: string): Quantity {
  if (scale <= 9) return { numerator, scale, text }
  const divisor = 10n ** BigInt(scale - 9)
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (magnitude + divisor - 1n) / divisor
  return { numerator: numerator < 0n ? -rounded : rounded, scale: 9, text }
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const left = a.numerator * 10n ** BigInt(b.scale)
  const right = b.numerator * 10n ** BigInt(a.scale)
  if (left === right) return 0
  return left < right ? -1 : 1
}

export function addQuantities(a: Quantity, b: Quantity, sign: 1n | -1n = 1n): Quantity {
  const scale = Math.max(a.scale, b.scale)
  const numerator = a.numerator * 10n ** BigInt(scale - a.scale) + sign * b.numerator * 10n ** BigInt(scale - b.scale)
  return { numerator, scale, text: '' }
}

/** The whole number that the quantity is, or undefined. */
export function quantityAsInteger(quantity: Quantity): bigint | undefined {
  const divisor = 10n ** BigInt(quantity.scale)
  const value = quantity.numerator / divisor
  if (value * divisor !== quantity.numerator) return undefined
  return value >= -(2n ** 63n) && value < 2n ** 63n ? value : undefined
}

export function quantityAsNumber(quantity: Quantity): number {
  return Number(quantity.numerator) / 10 ** quantity.scale
}

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** The shortest text with whole numbers, by powers of ten or of 1,024; as the server writes what it computed. */
export function renderQuantity({ numerator, scale }: Quantity, base: 'decimal' | 'binary' = 'decimal'): string {
  const nanos = numerator * 10n ** BigInt(9 - scale)
  if (base === 'binary' && nanos % 10n ** 9n === 0n) return withSuffix(nanos / 10n ** 9n, 1_024n, binarySuffixes)
  return withSuffix(nanos, 1_000n, decimalSuffixes)
}

function withSuffix(value: bigint, step: bigint, suffixes: readonly string[]): string {
  let [count, power] = [value, 0]
  while (count !== 0n && count % step === 0n && power < suffixes.length - 1) [count, power] = [count / step, power + 1]
  return count === 0n ? '0' : `${count}${suffixes[power]}`
}
