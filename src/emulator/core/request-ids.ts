// Ids of requests, in the two forms that AWS gives them. They follow from the seed and a request's number; one draw serves several.

import type { AwsState } from '../state/aws-state.ts'
import { uuidOf } from '../state/hash-random.ts'

const idBytes = 16
const s3IdBytes = 8
/** What one hash of the random stream yields. */
const idsPerDraw = 4

export class RequestIds {
  readonly #state: AwsState
  #draw = -1
  #bytes: Buffer = Buffer.alloc(0)

  constructor(state: AwsState) {
    this.#state = state
  }

  /** Returns a UUID; request ids of S3 are sixteen hexadecimal digits instead. */
  next(form: 'uuid' | 's3'): string {
    const number = this.#state.nextRequest()
    const draw = Math.floor(number / idsPerDraw)
    if (draw !== this.#draw) {
      this.#bytes = Buffer.from(this.#state.random.fork(`requests/${draw}`).bytes(idBytes * idsPerDraw))
      this.#draw = draw
    }
    const from = (number % idsPerDraw) * idBytes
    return form === 's3'
      ? this.#bytes.toString('hex', from, from + s3IdBytes).toUpperCase()
      : uuidOf(this.#bytes.subarray(from, from + idBytes))
  }
}
