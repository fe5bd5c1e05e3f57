// JSON without loss: whole numbers that a double cannot hold come back as `<int 9007199254740993>`, so that a comparison sees every digit.

export function parseLossless(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const source = context?.source ?? ''
    return /^-?\d{16,}$/.test(source) ? `<int ${source}>` : value
  })
}

/** JSON with keys in order, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'undefined'
}

export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
