// Answers on their way in. A small one is read whole before the exchange resolves: it saves its reader a stream.
import type { Readable } from 'node:stream'
import type { HttpFailure, HttpHeaders } from '../../http.ts'

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

export async function* receivePieces(incoming: Incoming): AsyncGenerator<Uint8Array> {
  let finished = false
  try {
    for await (const piece of incoming.source) yield piece as Buffer
    finished = incoming.complete()
    if (!finished) throw cutShort()
  } catch (error) {
    throw incoming.failure(error)
  } finally {
    incoming.done(finished)
  }
}

function cutShort(): Error {
  return new Error('the answer is cut short')
}
