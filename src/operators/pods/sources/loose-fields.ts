// Fields of JSON as the upstream's decoder finds them.

/** Field names count whatever their case; the last one wins, as with a decoder that assigns as it reads. */
export function fieldOf(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  let found: unknown
  const wanted = name.toLowerCase()
  for (const [key, value] of Object.entries(fields)) if (key.toLowerCase() === wanted && value !== null) found = value
  return found
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
