// Kubernetes quantities (`100m`, `1.5Gi`, `1e3`) as exact fractions.

/** value = numerator / 10^scale. */
export interface Quantity {
  readonly numerator: bigint
  readonly scale: number
  readonly text: string
}

const pattern = /^([+-]?)(\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,4}))?$/

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n }

export function parseQuantity(text: string): Quantity | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, sign, digits = '', suffix, exponentText] = match
  const [whole = '', fraction = ''] = digits.split('.')
  let numerator = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n)
  let scale = fraction.length
  if (suffix !== undefined && suffix in binary) numerator = atMost(numerator << (binary[suffix] as bigint), scale)
  else scale -= exponentText === undefined ? (decimal[suffix ?? ''] ?? 0) : Number(exponentText)
  if (scale < 0) {
    if (scale < -400) return undefined
    numerator *= 10n ** BigInt(-scale)
    scale = 0
  }
  return roundedUp(numerator, scale, text)
}

const binaryMax = 2n ** 63n - 1n

/** What is counted in powers of two has to fit 64 bits, and is cut there. */
function atMost(numerator: bigint, scale: number): bigint {
  const max = binaryMax * 10n ** BigInt(scale)
  return numerator > max ? max : numerator < -max ? -max : numerator
}

/** Nothing is finer than a nano: what is smaller is rounded away from zero. */
function roundedUp(numerator: bigint, scale: number, text: string, finest = 9): Quantity {
  if (scale <= finest) return { numerator, scale, text }
  const divisor = 10n ** BigInt(scale - finest)
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (magnitude + divisor - 1n) / divisor
  return { numerator: numerator < 0n ? -rounded : rounded, scale: finest, text }
}

/** Most texts by far: short, and as short as they can be. */
const plainAmount = /^[1-9]\d{0,2}(?:m|k|M|G|Ki|Mi|Gi)?$/

/**
 * The text under which a server keeps a quantity: with whole numbers, and the greatest suffix that allows them. A text whose digits and power
 * of a thousand are those already stays as it was written, sign, zeros and all. `finest` is how many digits may follow the point.
 */
export function keptQuantity(text: string, finest: 3 | 9): string | undefined {
  if (plainAmount.test(text)) return text
  const quantity = parseQuantity(text)
  const match = pattern.exec(text)
  if (quantity === undefined || match === null) return undefined
  const [, , digits = '', suffix, exponentText] = match
  const amount = roundedUp(quantity.numerator, quantity.scale, text, finest)
  if (amount.numerator === 0n) return '0'
  if (suffix !== undefined && suffix in binary) {
    const kept = renderQuantity(amount, isWithin(amount, 1_024n) ? 'decimal' : 'binary')
    return text === `+${kept}` ? text : kept
  }
  const fraction = digits.split('.')[1] ?? ''
  const power = (exponentText === undefined ? (decimal[suffix ?? ''] ?? 0) : Number(exponentText)) - fraction.length
  const figures = digits.replace('.', '')
  const isShortest = power % 3 === 0 && power >= -finest && BigInt(figures) % 1_000n !== 0n
  if (isShortest && figures.length <= exactDigitsMax) return text
  return exponentText === undefined ? renderQuantity(amount) : renderExponent(amount)
}

/** With more digits a text is always written anew. */
const exactDigitsMax = 18

function isWithin({ numerator, scale }: Quantity, limit: bigint): boolean {
  const magnitude = numerator < 0n ? -numerator : numerator
  return magnitude < limit * 10n ** BigInt(scale)
}

/** With a power of ten that is one of a thousand: `1500e-3`. */
function renderExponent({ numerator, scale }: Quantity): string {
  let [count, power] = [numerator * 10n ** BigInt((3 - (scale % 3)) % 3), -Math.ceil(scale / 3) * 3]
  while (count % 1_000n === 0n) [count, power] = [count / 1_000n, power + 3]
  return power === 0 ? String(count) : `${count}e${power}`
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
