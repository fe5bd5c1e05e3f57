// Reading request bodies off Node's streams, whole or piece by piece, never waiting longer than the limit for the next piece.
import type { Readable } from 'node:stream'
import { HttpFailure } from '../../http.ts'

/** The whole body, of which `length` bytes were announced. Rejects when the sender stops or goes away. */
export function readWhole(source: Readable, length: number, silenceMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined
    let rest: Buffer[] | undefined
    let ended = false
    const timer = setTimeout(() => fail(new HttpFailure('timeout', 'the rest of the body did not come')), silenceMs)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    source.on('data', (piece: Buffer) => {
      timer.refresh()
      if (first === undefined) first = piece
      else if (rest === undefined) rest = [first, piece]
      else rest.push(piece)
    })
    source.on('end', () => {
      ended = true
      clearTimeout(timer)
      const bytes = rest === undefined ? (first ?? new Uint8Array(0)) : Buffer.concat(rest)
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

/** The body as it comes. Ends the source when the reader stops early or the sender is silent for too long. */
export async function* readPieces(source: Readable, silenceMs: number): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => source.destroy(new HttpFailure('timeout', 'the rest of the body did not come')), silenceMs)
  try {
    for await (const piece of source.iterator({ destroyOnReturn: false })) {
      timer.refresh()
      yield piece as Buffer
    }
  } catch (error) {
    if (error instanceof HttpFailure) throw error
    throw new HttpFailure('aborted', 'the client went away within the body', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
