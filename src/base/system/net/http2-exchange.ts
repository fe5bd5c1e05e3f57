// One request on a stream of its own, until the last byte of its answer. A watch stands for hours, and a fleet has thousands of them: so this is
// one object, not closures over all that was known when the request was sent, and what the answer makes needless is let go of with it.
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2'
import type { HttpFailure, HttpRequest, HttpResponse } from '../../seams/http.ts'
import { abortFailure } from './failures.ts'
import { withoutPseudo } from './node-http2.ts'
import { type Incoming, isSmall, receivePieces, wholeAnswer } from './receive.ts'
import { pump } from './serve.ts'

/** The connection that an exchange goes over. */
export interface Carrier {
  /** It has ended by itself: a request that it did not answer was not looked at, or can be sent again where it only reads. */
  readonly hasEnded: boolean
  /** The server asks that nothing more comes this way. */
  leave(): void
  answered(): void
  /** The stream is over, well or not. */
  over(): void
  failure(error: unknown): HttpFailure
}

/** `refused` when the request may be sent again on another connection: the server did not look at it, or it is a mere read. */
export type Http2Answer = HttpResponse | 'refused'

interface Waiting {
  readonly resolve: (answer: Http2Answer | Promise<Http2Answer>) => void
  readonly reject: (error: unknown) => void
}

export class Http2Exchange implements Incoming {
  readonly source: ClientHttp2Stream
  readonly #carrier: Carrier
  readonly #signal: AbortSignal | undefined
  /** The connection may have died while idle, and sending the request once more does no harm. */
  readonly #isStale: boolean
  /** Until the header has come: from then on the reader of the body is told of whatever ends the stream. */
  #waiting: Waiting | undefined

  constructor(stream: ClientHttp2Stream, signal: AbortSignal | undefined, carrier: Carrier, isStale: boolean) {
    this.source = stream
    this.#carrier = carrier
    this.#signal = signal
    this.#isStale = isStale
    signal?.addEventListener('abort', this, { once: true })
  }

  run(body: HttpRequest['body']): Promise<Http2Answer> {
    const answer = new Promise<Http2Answer>((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
    this.source.on('error', error => this.#fail(error))
    this.source.on('close', () => {
      this.#carrier.over()
      if (this.#waiting !== undefined) this.#fail(new Error('the stream was closed'))
    })
    // Once: what it holds of the request is not needed while the answer goes on.
    this.source.once('response', (received, flags) => this.#take(received, flags))
    this.#send(body)
    if (this.#signal?.aborted === true) this.handleEvent()
    return answer
  }

  /** Whoever asked does not want it any more. */
  handleEvent(): void {
    this.source.close(constants.NGHTTP2_CANCEL)
    this.#waiting?.reject(abortFailure(this.#signal))
  }

  complete(): boolean {
    return this.source.rstCode === constants.NGHTTP2_NO_ERROR && !this.source.aborted
  }

  failure(error: unknown): HttpFailure {
    return this.#signal?.aborted === true ? abortFailure(this.#signal) : this.#carrier.failure(error)
  }

  done(finished: boolean): void {
    this.#release()
    if (!finished) this.source.close(constants.NGHTTP2_CANCEL)
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this)
  }

  #fail(error: unknown): void {
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    this.#release()
    const { rstCode } = this.source
    if (rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) this.#carrier.leave()
    if (this.#signal?.aborted === true) waiting.reject(abortFailure(this.#signal))
    else if (rstCode === constants.NGHTTP2_REFUSED_STREAM) waiting.resolve('refused')
    else if (this.#isStale && this.#carrier.hasEnded) waiting.resolve('refused')
    else waiting.reject(this.#carrier.failure(error))
  }

  #take(received: IncomingHttpHeaders & IncomingHttpStatusHeader, flags: number): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#carrier.answered()
    const headers = withoutPseudo(received)
    const status = received[':status'] ?? 0
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
      this.#release()
      this.source.resume()
      waiting?.resolve({ status, headers, body: null })
    } else if (isSmall(headers)) {
      const whole = wholeAnswer(status, headers, this)
      // Whoever has gone meanwhile is past both; what fails then must not be left to nobody, or the process ends.
      if (waiting === undefined) whole.catch(() => {})
      else whole.then(waiting.resolve, waiting.reject)
    } else {
      waiting?.resolve({ status, headers, body: receivePieces(this) })
    }
  }

  #send(body: HttpRequest['body']): void {
    const stream = this.source
    if (body === null) return
    if (body instanceof Uint8Array) {
      stream.end(body)
      return
    }
    pump(body, stream).then(
      () => stream.end(),
      (error: unknown) => {
        stream.close(constants.NGHTTP2_CANCEL)
        this.#waiting?.reject(error)
      },
    )
  }
}
