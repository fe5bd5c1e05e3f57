// A watch body: one JSON value per line, cut into pieces wherever the network likes. A line that cannot be read is reported and
// passed over: the informer that reads us decides what it missed.
import type { KubeObject } from '../objects.ts'
import type { Status } from '../status.ts'
import type { WatchEvent } from './client.ts'
import type { ForeignFields } from './foreign-fields.ts'
import { textOf } from './outcome.ts'

const newline = 0x0a
/** An object has at most 3 MiB in requests; with managed fields and escapes it grows, but not to this. */
const lineBytesMax = 33_554_432

/** Puts the pieces together to whole lines, several at a time: decoding once per piece is what makes a busy watch cheap. */
export class WholeLines {
  #held: Uint8Array[] = []
  #heldBytes = 0

  /** The lines that end in this piece. */
  take(piece: Uint8Array): string[] {
    const last = piece.lastIndexOf(newline)
    if (last < 0) {
      this.#held.push(piece)
      this.#heldBytes += piece.length
      if (this.#heldBytes > lineBytesMax) throw new RangeError(`a line of the watch has more than ${lineBytesMax} bytes`)
      return []
    }
    // Only the line that was cut is put together; copying whole pieces for it would double the work.
    const first = this.#held.length === 0 ? -1 : piece.indexOf(newline)
    const lines = first === last ? [] : textOf(piece.subarray(first + 1, last)).split('\n')
    if (first >= 0) lines.unshift(textOf(Buffer.concat([...this.#held, piece.subarray(0, first)])))
    this.#held = last + 1 < piece.length ? [piece.subarray(last + 1)] : []
    this.#heldBytes = piece.length - last - 1
    return lines
  }

  /** The last line, where the body ended without an end of it. */
  rest(): string[] {
    const held = this.#held
    this.#held = []
    return held.length === 0 ? [] : textOf(Buffer.concat(held)).split('\n')
  }
}

export function parseWatchLine(line: string, foreign?: ForeignFields): WatchEvent | undefined {
  if (line === '' || line === '\r') return undefined
  let value: { readonly type?: unknown; readonly object?: unknown } | null
  try {
    value = (foreign === undefined ? JSON.parse(line) : foreign.parse(line, objectOf)) as typeof value
  } catch {
    return { type: 'UNREADABLE', reason: 'a line of the watch is no JSON, or was cut' }
  }
  const { type, object } = value ?? {}
  if (typeof object !== 'object' || object === null) return { type: 'UNREADABLE', reason: 'a watch event has no object' }
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return hasName(object)
        ? { type, object: object as KubeObject }
        : { type: 'UNREADABLE', reason: `a watch event of type ${type} has no named object` }
    case 'BOOKMARK':
      return parseBookmark(object as KubeObject)
    case 'ERROR':
      return { type, status: object as Status }
    default:
      return { type: 'UNREADABLE', reason: `a watch event has the unknown type ${JSON.stringify(type)?.slice(0, 40)}` }
  }
}

function objectOf(event: unknown): readonly unknown[] {
  return [(event as { object?: unknown } | null)?.object]
}

function hasName(object: object): boolean {
  const { metadata } = object as { metadata?: { name?: unknown; resourceVersion?: unknown } | null }
  return typeof metadata?.name === 'string' && typeof metadata.resourceVersion === 'string'
}

function parseBookmark(object: KubeObject): WatchEvent<never> {
  const metadata = object.metadata as KubeObject['metadata'] | undefined
  if (typeof metadata?.resourceVersion !== 'string') return { type: 'UNREADABLE', reason: 'a bookmark has no resourceVersion' }
  const initialEventsEnd = metadata.annotations?.['k8s.io/initial-events-end'] === 'true'
  return { type: 'BOOKMARK', resourceVersion: metadata.resourceVersion, initialEventsEnd }
}
