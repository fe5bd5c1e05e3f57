// Notices that a stream is silent: half-open connections, stalled proxies and servers that forgot us all look like a quiet kind. One
// timer per stretch of silence, not per line.
import type { Clock, Timer } from '#base'

/** The stream that is watched. */
export interface Listened {
  readonly clock: Clock
  /** A stream that stood this long since the server agreed to it counts as working. */
  readonly healthyMs: number
  allowedMs(): number
  /** Since the last line came. */
  silentMs(): number
  onHealthy(): void
  onSilent(allowedMs: number): void
}

export class Silence {
  readonly #stream: Listened
  readonly #check = (): void => this.#look()
  #openedMs = Number.POSITIVE_INFINITY
  #timer: Timer | undefined

  constructor(stream: Listened) {
    this.#stream = stream
    this.#timer = stream.clock.timer(stream.allowedMs(), this.#check)
  }

  /** Whether the stream has stood for long enough. */
  get isHealthy(): boolean {
    return this.#stream.clock.monotonicMs() - this.#openedMs >= this.#stream.healthyMs
  }

  /** The server agreed. Until it does nothing is known of it, however long it takes: who is cut off waits for a connection like this. */
  opened(): void {
    const { clock, healthyMs } = this.#stream
    if (this.#timer === undefined) return
    this.#openedMs = clock.monotonicMs()
    this.#timer.cancel()
    this.#timer = clock.timer(healthyMs, this.#check)
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #look(): void {
    if (this.isHealthy) this.#stream.onHealthy()
    const allowedMs = this.#stream.allowedMs()
    const leftMs = allowedMs - this.#stream.silentMs()
    if (leftMs > 0) this.#timer = this.#stream.clock.timer(leftMs, this.#check)
    else this.#stream.onSilent(allowedMs)
  }
}
