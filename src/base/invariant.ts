/** A broken promise of our own code, with the values that disagreed. Never thrown for bad input or bad weather. */
export class Bug extends Error {
  readonly values: unknown
  constructor(message: string, values?: unknown) {
    super(values === undefined ? message : `${message}: ${renderValues(values)}`)
    this.name = 'Bug'
    this.values = values
  }
}

/** Throws `Bug` unless the condition holds. */
export function invariant(condition: unknown, message: string, values?: unknown): asserts condition {
  if (!condition) throw new Bug(message, values)
}

/** The end of a `switch` over a union: reached only when a case was forgotten. */
export function assertNever(value: never): never {
  throw new Bug('unexpected case', value)
}

const renderedLengthMax = 2_000

function renderValues(values: unknown): string {
  try {
    return (JSON.stringify(values) ?? String(values)).slice(0, renderedLengthMax)
  } catch {
    return String(values)
  }
}
