// `maxFailures` and `maxConcurrency`: a number of clusters, or so many per cent of them.

export type Amount = { readonly kind: 'count'; readonly count: number } | { readonly kind: 'percent'; readonly percent: number }

/** A text that is no percentage is refused although the schema lets it through (§2.5). */
export function parseAmount(
  value: number | string,
  field: string,
): Amount | { readonly kind: 'wrong'; readonly message: string } {
  if (typeof value === 'number') return { kind: 'count', count: value }
  const percent = /^([+-]?\d+(?:\.\d+)?)%$/.exec(value)?.[1]
  if (percent !== undefined) return { kind: 'percent', percent: Number(percent) }
  const what = `'${value}' is an invalid maximum threshold value: string is not a percentage`
  return { kind: 'wrong', message: `failed to parse the provided ${field}: ${what}` }
}

/**
 * How many clusters of `total` the amount is; `otherwise` for what is no amount: zero, less than zero, more than there are. The percentage
 * is taken in floating point, as the library does, so that 28 % of 25 are 8 (§6.8 item 6).
 */
export function sizeOf(amount: Amount | undefined, total: number, otherwise: number): number {
  if (amount === undefined) return otherwise
  const size = amount.kind === 'count' ? amount.count : Math.ceil((amount.percent / 100) * total)
  return size <= 0 || size > total ? otherwise : size
}

/** The same, but more than there are is all of them: whoever tolerates 10 failures tolerates all of 4 clusters failing. */
export function sizeUpTo(amount: Amount | undefined, total: number, otherwise: number): number {
  const size = sizeOf(amount, Number.MAX_SAFE_INTEGER, otherwise)
  return amount?.kind === 'percent' ? sizeOf(amount, total, otherwise) : Math.min(size, total)
}
