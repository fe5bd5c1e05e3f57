// Keys of YAML that stand twice in their map, with the lines on which they stand again: the innermost first, as the server's own library
// meets them.
import { EVENT_ID, type Event, getScalarValue, parseEvents } from 'js-yaml'
import { LineCounter } from './json-keys.ts'

export interface RepeatedYamlKey {
  readonly key: string
  /** From one. */
  readonly line: number
}

export function repeatedYamlKeys(text: string): readonly RepeatedYamlKey[] {
  const found = new Keys(text).read()
  const lines = new LineCounter(text)
  const lineOf = new Map([...found].sort((a, b) => a.at - b.at).map(({ at }) => [at, lines.lineAt(at)]))
  return found.map(({ key, at }) => ({ key, line: lineOf.get(at) ?? 0 }))
}

interface Found {
  readonly key: string
  readonly at: number
}

class Keys {
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #found: Found[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#events = parseEvents(text, {})
  }

  read(): readonly Found[] {
    while (this.#at < this.#events.length) this.#node()
    return this.#found
  }

  /** Whatever comes next, and all that is in it. */
  #node(): void {
    const event = this.#events[this.#at++]
    if (event?.type === EVENT_ID.MAPPING) this.#map()
    else if (event?.type === EVENT_ID.SEQUENCE || event?.type === EVENT_ID.DOCUMENT) {
      while (!this.#isOver()) this.#node()
      this.#at++
    }
  }

  #map(): void {
    const before = new Set<string>()
    while (!this.#isOver()) {
      const event = this.#events[this.#at] as Event
      this.#node()
      this.#node()
      if (event.type !== EVENT_ID.SCALAR) continue
      const key = getScalarValue(this.#text, event)
      if (before.has(key)) this.#found.push({ key, at: event.valueStart })
      before.add(key)
    }
    this.#at++
  }

  #isOver(): boolean {
    const event = this.#events[this.#at]
    return event === undefined || event.type === EVENT_ID.POP
  }
}
