// Values that nobody has described yet: what a parser of JSON or YAML gave back, what stands in an annotation, what another program printed.
// A member is asked for here, and a cast is not needed to do so.

/** An object with members; a list is none. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What stands at the end of the path; undefined where the path ends early. What every object inherits is no member of it. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((held, name) => (isRecord(held) && Object.hasOwn(held, name) ? held[name] : undefined), value)
}

/** Undefined where the text is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
