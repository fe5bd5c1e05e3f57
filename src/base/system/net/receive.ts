// Answers on their way in. A small one is read whole before the exchange resolves: it saves its reader a stream.
import type { Readable } from 'node:stream'
import type { HttpFailure, HttpHeaders } from '../../seams/http.ts'

export interface Incoming {
  readonly source: Readable
  readonly headers: HttpHeaders
  /** Says after the end whether the answer is all there. */
  readonly complete: () => boolean
  /** What an error of the source means. */
  readonly failure: (error: unknown) => HttpFailure
  /** Lets the connection go: called once, when the body was read, failed, or was left. */
  readonly done: (finished: boolean) => void
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

export function receiveWhole(incoming: Incoming): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let over = false
    const finish = (error: unknown, short: boolean): void => {
      if (over) return
      over = true
      const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
      const whole = !short && incoming.complete() && bytes.length === announcedLength(incoming.headers)
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
 * Piece by piece as they came. Node's own iterator joins all that is waiting into one, which for a busy stream means copying megabytes
 * into fresh memory each time.
 */
export async function* receivePieces(incoming: Incoming): AsyncGenerator<Uint8Array> {
  const { source } = incoming
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let end: 'end' | { readonly error: unknown } | undefined
  let wake = (): void => {}
  const close = (how: typeof end): void => {
    end ??= how
    wake()
  }
  const take = (piece: Buffer): void => {
    waiting.push(piece)
    waitingBytes += piece.length
    if (waitingBytes > waitingBytesMax) source.pause()
    wake()
  }
  source.on('data', take)
  source.on('end', () => close('end'))
  // These two stay, since what is left behind may still fail, and an error that nobody hears ends the process.
  source.on('error', error => close({ error }))
  source.on('close', () => close({ error: cutShort() }))
  if (source.destroyed && !source.readable) close({ error: source.errored ?? cutShort() })
  let finished = false
  try {
    for (;;) {
      for (const piece of waiting.splice(0)) {
        waitingBytes -= piece.length
        yield piece
      }
      if (end !== undefined && waiting.length === 0) break
      if (source.isPaused()) source.resume()
      if (waiting.length === 0 && end === undefined) await new Promise<void>(resolve => (wake = resolve))
    }
    if (end !== 'end') throw end.error
    finished = incoming.complete()
    if (!finished) throw cutShort()
  } catch (error) {
    throw incoming.failure(error)
  } finally {
    // In this order: a stream that is destroyed first tells the server of an end and not of a cancel.
    incoming.done(finished)
    if (!finished) source.destroy()
  }
}

function cutShort(): Error {
  return new Error('the answer is cut short')
}
