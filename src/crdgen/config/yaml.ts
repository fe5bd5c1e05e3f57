// YAML with places: every key and value knows its offset, so that a refusal names the line. One document, string keys, scalars as
// the core schema reads them. Aliases are followed by reference and counted as what they stand for, so a bomb ends at a bound.
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent, YAMLException } from 'js-yaml'
import { placeOf } from '#base'
import { InferError } from '../infer-error.ts'
import { joinFlows } from './join-flows.ts'

export type YamlNode =
  | {
      readonly kind: 'scalar'
      readonly at: number
      readonly text: string
      readonly value: string | number | boolean | null
      readonly weight: 1
    }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly YamlNode[]; readonly weight: number }
  | { readonly kind: 'map'; readonly at: number; readonly entries: ReadonlyMap<string, YamlEntry>; readonly weight: number }

export interface YamlEntry {
  readonly keyAt: number
  readonly value: YamlNode
}

export interface YamlDocument {
  readonly file: string
  readonly source: string
  /** Absent for an empty document. */
  readonly root: YamlNode | undefined
}

/** The largest published config is 5,000 nodes; what is a hundred times that is no config. */
const nodesMax = 500_000
const bytesMax = 16 * 1024 * 1024

export function parseYamlWithPlaces(source: string, file: string): YamlDocument {
  if (source.length > bytesMax) throw new InferError('not-yaml', `${file}: larger than ${bytesMax} bytes`)
  const { events, text } = eventsOf(source, file)
  // A number of a line counts line ends: those of the text as it was written.
  const composer = new Composer(events, { source, text, file })
  return { file, source, root: composer.document() }
}

interface Events {
  readonly events: readonly Event[]
  /** What the events speak of: as long as the source, character for character. */
  readonly text: string
}

function eventsOf(source: string, file: string): Events {
  const read = (text: string): Events => ({ events: parseEvents(text, { filename: file, maxDepth: 100 }), text })
  try {
    return read(source)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    try {
      return read(joinFlows(source))
    } catch {
      const place = error.mark === undefined ? '' : `:${error.mark.line + 1}:${error.mark.column + 1}`
      throw new InferError('not-yaml', `${file}${place}: not YAML: ${error.reason}`, { cause: error })
    }
  }
}

/** `file:line`, as editors open it. */
export function lineOf(document: { readonly file: string; readonly source: string }, at: number): string {
  return `${document.file}:${placeOf(document.source, at).line}`
}

class Composer {
  readonly #events: readonly Event[]
  readonly #source: string
  readonly #text: string
  readonly #file: string
  readonly #anchors = new Map<string, YamlNode>()
  #next = 0

  constructor(
    events: readonly Event[],
    { source, text, file }: { readonly source: string; readonly text: string; readonly file: string },
  ) {
    this.#events = events
    this.#source = source
    this.#text = text
    this.#file = file
  }

  document(): YamlNode | undefined {
    if (this.#events.length === 0) return undefined
    this.#take()
    if (this.#peek()?.type === EVENT_ID.POP) return undefined
    const node = this.#node()
    this.#take()
    const second = this.#peek()
    if (second !== undefined) throw new InferError('not-yaml', `${this.#file}: holds more than one document; keep one`)
    return node.kind === 'scalar' && node.value === null ? undefined : node
  }

  #peek(): Event | undefined {
    return this.#events[this.#next]
  }

  #take(): Event {
    const event = this.#events[this.#next++]
    if (event === undefined) throw new InferError('not-yaml', `${this.#file}: ends early`)
    return event
  }

  #node(): YamlNode {
    const event = this.#take()
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#anchored(event, this.#scalar(event))
      case EVENT_ID.SEQUENCE:
        return this.#anchored(event, this.#list(event.start))
      case EVENT_ID.MAPPING:
        return this.#anchored(event, this.#map(event.start))
      case EVENT_ID.ALIAS:
        return this.#alias(event)
      default:
        throw new InferError('not-yaml', `${this.#file}: ends early`)
    }
  }

  #anchored(event: { readonly anchorStart: number; readonly anchorEnd: number }, node: YamlNode): YamlNode {
    if (event.anchorStart >= 0) this.#anchors.set(this.#source.slice(event.anchorStart, event.anchorEnd), node)
    return node
  }

  #alias({ anchorStart, anchorEnd }: { readonly anchorStart: number; readonly anchorEnd: number }): YamlNode {
    const name = this.#source.slice(anchorStart, anchorEnd)
    const node = this.#anchors.get(name)
    if (node === undefined) throw this.#refuse(anchorStart, `alias "${name}" has no anchor before it`)
    return node
  }

  #scalar(event: ScalarEvent): YamlNode {
    const text = getScalarValue(this.#text, event)
    const at = event.valueStart >= 0 ? event.valueStart : this.#source.length
    return { kind: 'scalar', at, text, value: event.style === SCALAR_STYLE.PLAIN ? plainValue(text) : text, weight: 1 }
  }

  #list(at: number): YamlNode {
    const items: YamlNode[] = []
    let weight = 1
    while (this.#peek()?.type !== EVENT_ID.POP) {
      const item = this.#node()
      weight = this.#bounded(weight + item.weight, at)
      items.push(item)
    }
    this.#take()
    return { kind: 'list', at, items, weight }
  }

  #map(at: number): YamlNode {
    const entries = new Map<string, YamlEntry>()
    let weight = 1
    while (this.#peek()?.type !== EVENT_ID.POP) {
      const key = this.#node()
      if (key.kind !== 'scalar') throw this.#refuse(at, 'a key must be text')
      if (entries.has(key.text)) throw this.#refuse(key.at, `key "${key.text}" comes twice`)
      const value = this.#node()
      weight = this.#bounded(weight + value.weight, at)
      entries.set(key.text, { keyAt: key.at, value })
    }
    this.#take()
    return { kind: 'map', at, entries, weight }
  }

  #bounded(weight: number, at: number): number {
    if (weight > nodesMax) throw this.#refuse(at, `its aliases stand for more than ${nodesMax} values; write them out`)
    return weight
  }

  #refuse(at: number, problem: string): InferError {
    return new InferError('not-yaml', `${lineOf({ file: this.#file, source: this.#source }, at)}: ${problem}`)
  }
}

function plainValue(text: string): string | number | boolean | null {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^[-+]?(?:\d+|\d*\.\d+|\d+\.\d*)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text)
  return text
}
