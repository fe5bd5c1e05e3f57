// Answers on their way in. A small one is read whole before the exchange resolves: it saves its reader a stream.
import type { Readable } from 'node:stream'
import type { HttpFailure, HttpHeaders, HttpResponse } from '../../seams/http.ts'

export interface Incoming {
  readonly source: Readable
  /** Says after the end whether the answer is all there. */
  complete(): boolean
  /** What an error of the source means. */
  failure(error: unknown): HttpFailure
  /** Lets the connection go: called once, when the body was read, failed, or was left. */
  done(finished: boolean): void
}

const wholeAnswerBytesMax = 262_144
/** What may wait for a slow reader before the other side is told to hold on. */
const waitingBytesMax = 262_144

export function announcedLength(headers: HttpHeaders): number | undefined {
  const text = headers['content-length']
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

export function isSmall(headers: HttpHeaders): boolean {
  const length = announcedLength(headers)
  return length !== undefined && length <= wholeAnswerBytesMax
}

/** Apart from where streams are received: what they hold of an answer would hold its headers too. */
export async function wholeAnswer(status: number, headers: HttpHeaders, incoming: Incoming): Promise<HttpResponse> {
  return { status, headers, body: await receiveWhole(incoming, announcedLength(headers)) }
}

function receiveWhole(incoming: Incoming, length: number | undefined): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let over = false
    const finish = (error: unknown, short: boolean): void => {
      if (over) return
      over = true
      const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
      const whole = !short && incoming.complete() && bytes.length === length
      incoming.done(whole)
      if (whole) resolve(bytes)
      else reject(incoming.failure(error ?? cutShort()))
    }
    incoming.source.on('data', (piece: Buffer) => {
      pieces.push(piece)
    })
    incoming.source.on('end', () => finish(undefined, false))
    incoming.source.on('error', error => finish(error, true))
    incoming.source.on('close', () => finish(undefined, true))
  })
}

/**
 * Piece by piece as they came, for one reader. Node's own iterator joins all that is waiting into one, which for a busy stream means copying
 * megabytes into fresh memory each time.
 */
export function receivePieces(incoming: Incoming): AsyncIterableIterator<Uint8Array> {
  return new Pieces(incoming)
}

type Piece = IteratorResult<Uint8Array>
const ended: Piece = { done: true, value: undefined }

interface Reader {
  readonly resolve: (piece: Piece) => void
  readonly reject: (error: unknown) => void
}

/** By hand and not as a generator: that keeps a frame for as long as the stream stands, and most streams of most clusters are quiet. */
class Pieces implements AsyncIterableIterator<Uint8Array> {
  readonly #incoming: Incoming
  readonly #waiting: Buffer[] = []
  #waitingBytes = 0
  #state: 'new' | 'open' | 'over' = 'new'
  #end: 'end' | { readonly error: unknown } | undefined
  #reader: Reader | undefined

  constructor(incoming: Incoming) {
    this.#incoming = incoming
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Piece> {
    if (this.#state === 'over') return Promise.resolve(ended)
    if (this.#state === 'new') this.#begin()
    const piece = this.#waiting.shift()
    if (piece !== undefined) {
      this.#waitingBytes -= piece.length
      return Promise.resolve({ done: false, value: piece })
    }
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) {
        this.#finish({ resolve, reject }, this.#end)
        return
      }
      this.#reader = { resolve, reject }
      if (this.#incoming.source.isPaused()) this.#incoming.source.resume()
    })
  }

  return(): Promise<Piece> {
    if (this.#state !== 'over') this.#leave(false)
    this.#reader?.resolve(ended)
    this.#reader = undefined
    return Promise.resolve(ended)
  }

  #begin(): void {
    this.#state = 'open'
    const { source } = this.#incoming
    source.on('data', (piece: Buffer) => this.#take(piece))
    source.on('end', () => this.#close('end'))
    // These two stay, since what is left behind may still fail, and an error that nobody hears ends the process.
    source.on('error', error => this.#close({ error }))
    source.on('close', () => this.#close({ error: cutShort() }))
    if (source.destroyed && !source.readable) this.#close({ error: source.errored ?? cutShort() })
  }

  #take(piece: Buffer): void {
    if (this.#state === 'over') return
    const reader = this.#reader
    if (reader !== undefined) {
      this.#reader = undefined
      reader.resolve({ done: false, value: piece })
      return
    }
    this.#waiting.push(piece)
    this.#waitingBytes += piece.length
    if (this.#waitingBytes > waitingBytesMax) this.#incoming.source.pause()
  }

  #close(how: 'end' | { readonly error: unknown }): void {
    this.#end ??= how
    const reader = this.#reader
    this.#reader = undefined
    if (reader !== undefined) this.#finish(reader, this.#end)
  }

  /** All that had come was read. */
  #finish({ resolve, reject }: Reader, end: 'end' | { readonly error: unknown }): void {
    const finished = end === 'end' && this.#incoming.complete()
    const failure = finished ? undefined : this.#incoming.failure(end === 'end' ? cutShort() : end.error)
    this.#leave(finished)
    if (failure === undefined) resolve(ended)
    else reject(failure)
  }

  #leave(finished: boolean): void {
    this.#state = 'over'
    this.#waiting.length = 0
    // In this order: a stream that is destroyed first tells the server of an end and not of a cancel.
    this.#incoming.done(finished)
    if (!finished) this.#incoming.source.destroy()
  }
}

function cutShort(): Error {
  return new Error('the answer is cut short')
}
