// Reading request bodies off Node's streams, whole or piece by piece, within their time.
import type { Readable } from 'node:stream'
import { GatheredBytes } from '../../limits/gathered.ts'
import { HttpFailure } from '../../seams/http.ts'
import type { Held } from './held-bodies.ts'

/** How long a sender may take. */
export interface BodyPatience {
  /** Between two pieces. */
  readonly silenceMs: number
  /** For all of them together; `Infinity`: as long as they keep coming. */
  readonly totalMs: number
}

/** The whole body, of which `length` bytes were announced. Rejects when the sender stops or goes away. */
export function readWhole(source: Readable, length: number, patience: BodyPatience, held?: Held): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes(length)
    let ended = false
    const timer = new BodyTimer(patience, late => fail(late))
    const fail = (error: Error): void => {
      timer.end()
      reject(error)
    }
    source.on('data', (piece: Buffer) => {
      timer.hear()
      held?.add(piece.length)
      gathered.add(piece)
    })
    source.on('end', () => {
      ended = true
      timer.end()
      held?.whole()
      const bytes = gathered.joined()
      if (bytes.length === length) resolve(bytes)
      else reject(new HttpFailure('malformed', `the body has ${bytes.length} bytes where ${length} were announced`))
    })
    source.on('error', fail)
    source.on('close', () => {
      // After every request: an error, whose stack is dear, is only made for those that were cut off.
      if (!ended) fail(new HttpFailure('aborted', 'the client went away within the body'))
    })
  })
}

/** The body as it comes. Ends the source when the reader stops early or the sender takes too long. */
export async function* readPieces(source: Readable, patience: BodyPatience, held?: Held): AsyncGenerator<Uint8Array> {
  const timer = new BodyTimer(patience, late => source.destroy(late))
  const arrivals = new Arrivals(source)
  try {
    for (;;) {
      const piece = arrivals.take()
      if (piece === 'end') break
      if (piece === undefined) {
        await arrivals.more()
        continue
      }
      timer.hear()
      held?.add(piece.length)
      yield piece
    }
    held?.whole()
  } catch (error) {
    if (error instanceof HttpFailure) throw error
    throw new HttpFailure('aborted', 'the client went away within the body', { cause: error })
  } finally {
    timer.end()
    arrivals.stop()
  }
}

/**
 * What came of a body, and when there is more. Node's own iterator of a stream listens for all ways in which any stream may end, which
 * costs more than a small body does.
 */
class Arrivals {
  readonly #source: Readable
  #end: 'end' | Error | undefined
  #wake: () => void = () => {}
  readonly #listeners = {
    readable: (): void => this.#wake(),
    end: (): void => this.#over('end'),
    error: (error: Error): void => this.#over(error),
    close: (): void => this.#over(new Error('the stream closed before its end')),
  }

  constructor(source: Readable) {
    this.#source = source
    for (const [event, listener] of Object.entries(this.#listeners)) source.on(event, listener)
    if (source.readableEnded) this.#over('end')
    else if (source.destroyed) this.#over(source.errored ?? new Error('the stream was closed'))
  }

  /** The next piece, or undefined when none is there yet. Throws when the body broke off. */
  take(): Buffer | 'end' | undefined {
    const piece = this.#source.destroyed ? null : (this.#source.read() as Buffer | null)
    if (piece !== null) return piece
    if (this.#end instanceof Error) throw this.#end
    return this.#end
  }

  /** Resolves when it is worth while to look again. */
  more(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
    })
  }

  stop(): void {
    for (const [event, listener] of Object.entries(this.#listeners)) this.#source.off(event, listener)
  }

  #over(how: 'end' | Error): void {
    this.#end ??= how
    this.#wake()
  }
}

/** One timer for both bounds: where the whole has a limit, the silence within it needs none of its own. */
export class BodyTimer {
  readonly #timer: NodeJS.Timeout
  readonly #refreshes: boolean

  constructor({ silenceMs, totalMs }: BodyPatience, onLate: (late: HttpFailure) => void) {
    this.#refreshes = totalMs === Number.POSITIVE_INFINITY
    const late = (): void => onLate(new HttpFailure('timeout', 'the rest of the body did not come'))
    this.#timer = setTimeout(late, this.#refreshes ? silenceMs : totalMs)
  }

  hear(): void {
    if (this.#refreshes) this.#timer.refresh()
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
