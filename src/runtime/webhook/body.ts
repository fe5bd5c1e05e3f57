// A request's body with bounds: on its bytes, on the time it may take to come, and on the shape of its JSON, checked before it is parsed.
// A parser that recurses, or that builds a million items, is what an attacker sends a body for (X6).
import { GatheredBytes } from '#base'

export interface BodyLimits {
  readonly bytesMax: number
  readonly depthMax: number
  /** Items of one array, or fields of one object. */
  readonly itemsMax: number
  /**
   * How many values a body may hold in all its lists and objects: a parsed value takes up to a hundred bytes, however short its text is.
   */
  readonly valuesMax: number
}

/** An object of the largest size that etcd takes, twice (old and new), and what the review puts around it. */
export const bodyLimitsDefault: BodyLimits = { bytesMax: 7 * 1_024 * 1_024, depthMax: 200, itemsMax: 100_000, valuesMax: 500_000 }

export type BodyAnswer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  /** The sender stopped, or the time is over. */
  | { readonly kind: 'cut' }

/** Reads at most one byte more than allowed, and gives up when the signal aborts. */
export async function readBody(body: AsyncIterable<Uint8Array>, bytesMax: number, signal: AbortSignal): Promise<BodyAnswer> {
  const gathered = new GatheredBytes(bytesMax)
  const iterator = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await nextOrAborted(iterator, signal)
      if (step === undefined) return { kind: 'cut' }
      if (step.done === true) return { kind: 'bytes', bytes: gathered.joined() }
      gathered.add(step.value)
      if (gathered.length > bytesMax) return { kind: 'too-large' }
    }
  } catch {
    return { kind: 'cut' }
  } finally {
    // Not awaited: a sender that is silent would keep us here as well.
    iterator.return?.()?.catch(() => {})
  }
}

export type ShapeLimits = Omit<BodyLimits, 'bytesMax'>

/** What is wrong with the shape of this JSON text, without parsing it; `undefined` when nothing is. Whether it is JSON is another question. */
export function findShapeTrouble(bytes: Uint8Array, limits: ShapeLimits): string | undefined {
  const items: number[] = []
  let values = 1
  let inText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inText) {
      if (byte === backslash) at++
      else if (byte === quote) inText = false
      continue
    }
    if (byte === quote) inText = true
    else if (byte === openBrace || byte === openBracket) {
      if (++values > limits.valuesMax) return tooMany(limits)
      if (items.push(0) > limits.depthMax) return `it is nested deeper than ${limits.depthMax}`
    } else if (byte === closeBrace || byte === closeBracket) items.pop()
    else if (byte === comma && items.length > 0) {
      const count = (items.at(-1) ?? 0) + 1
      // `count` commas separate one item more.
      if (count >= limits.itemsMax) return `a list in it is longer than ${limits.itemsMax}`
      if (++values > limits.valuesMax) return tooMany(limits)
      items[items.length - 1] = count
    }
  }
  return undefined
}

function tooMany({ valuesMax }: ShapeLimits): string {
  return `it has more than ${valuesMax} values`
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

function nextOrAborted(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal,
): Promise<IteratorResult<Uint8Array> | undefined> {
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined)
    signal.addEventListener('abort', onAbort, { once: true })
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}
