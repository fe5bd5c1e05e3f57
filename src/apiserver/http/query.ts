// The query of a request target, decoded when it is asked for.

export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>

  constructor(text: string) {
    this.#values = text === '' ? none : parse(text)
  }

  get(name: string): string | undefined {
    return this.#values.get(name)?.[0]
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** As the API server reads booleans: present and neither `false` nor `0` is true. */
  flag(name: string): boolean {
    const value = this.get(name)
    return value !== undefined && value !== 'false' && value !== '0' && value !== 'False' && value !== 'FALSE' && value !== 'f'
  }
}

const none: ReadonlyMap<string, readonly string[]> = new Map()

function parse(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
