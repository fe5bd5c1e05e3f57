// Client-side pace: a token bucket per service, account and region that slows down when AWS throttles and speeds up again when it
// does not. Shared by all clients of the three, since AWS counts them together.
import type { Clock, Instant } from '#base'
import type { Rate } from '../../limits.ts'

export interface PaceOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  /** The most we ever send; throttling lowers it for a while. Without one the pace is unlimited until the first throttle. */
  readonly rate?: Rate | undefined
}

/** Below this even a busy account gets somewhere. */
const perSecondMin = 0.5
const slowdown = 0.7
/** A throttled pace wins back this share of what it lost each second, and a little more, so that it always arrives. */
const recoveryPerSecond = 0.1
const recoveryFloorPerSecond = 0.5
/** One burst of parallel calls is throttled many times at once and must count as one lesson. */
const lessonMs = 500

export class Pace {
  readonly #clock: PaceOptions['clock']
  readonly #full: Rate | undefined
  #perSecond: number
  #burst: number
  #tokens: number
  #filledAtMs: Instant
  #lessonAtMs = Number.NEGATIVE_INFINITY
  /** Calls per second that went through lately, to start slowing down from where there was no limit. */
  #measured = 0
  #measuredAtMs: Instant
  #measuredCalls = 0
  /** Callers wait in line, so that none is overtaken. */
  #line: Promise<void> = Promise.resolve()
  /** What changes something takes from here as well. */
  readonly #writes: Pace | undefined

  constructor({ clock, rate }: PaceOptions) {
    this.#clock = clock
    this.#full = rate
    this.#perSecond = rate?.perSecond ?? Number.POSITIVE_INFINITY
    this.#burst = rate?.burst ?? Number.POSITIVE_INFINITY
    this.#tokens = this.#burst
    this.#filledAtMs = clock.monotonicMs()
    this.#measuredAtMs = this.#filledAtMs
    this.#writes = rate?.writes === undefined ? undefined : new Pace({ clock, rate: rate.writes })
  }

  /** Resolves when the call may be sent. Rejects when the signal aborts first. */
  async enter(signal?: AbortSignal, isWrite = false): Promise<void> {
    // Its own line first: a write that waits holds no read back.
    if (isWrite) await this.#writes?.enter(signal)
    const turn = this.#line.then(() => this.#take(signal))
    this.#line = turn.catch(() => {})
    return turn
  }

  /** AWS said: too many. Where writes are counted by themselves, one of them says nothing of reads. */
  throttled(isWrite = false): void {
    if (isWrite && this.#writes !== undefined) return this.#writes.throttled()
    const now = this.#clock.monotonicMs()
    if (now - this.#lessonAtMs < lessonMs) return
    this.#lessonAtMs = now
    const from = Number.isFinite(this.#perSecond) ? this.#perSecond : Math.max(this.#measured, this.#measuredCalls, 1)
    this.#perSecond = Math.max(perSecondMin, from * slowdown)
    this.#burst = Math.max(1, Math.min(this.#burst, this.#perSecond))
    this.#tokens = 0
    this.#filledAtMs = now
  }

  get perSecond(): number {
    return this.#perSecond
  }

  async #take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    this.#fill()
    if (this.#tokens < 1) {
      await this.#clock.sleep(Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1_000), signal)
      this.#fill()
    }
    this.#tokens -= 1
    this.#measure()
  }

  #fill(): void {
    const now = this.#clock.monotonicMs()
    const seconds = Math.max(0, now - this.#filledAtMs) / 1_000
    this.#filledAtMs = now
    if (!Number.isFinite(this.#perSecond)) return
    this.#tokens = Math.min(this.#burst, this.#tokens + seconds * this.#perSecond)
    this.#recover(seconds)
  }

  #recover(seconds: number): void {
    const full = this.#full?.perSecond ?? Number.POSITIVE_INFINITY
    if (this.#perSecond >= full) return
    const lost = Number.isFinite(full) ? full - this.#perSecond : this.#perSecond
    this.#perSecond = Math.min(full, this.#perSecond + seconds * (lost * recoveryPerSecond + recoveryFloorPerSecond))
    this.#burst =
      this.#full === undefined ? Math.max(1, this.#perSecond) : Math.min(this.#full.burst, Math.max(1, this.#perSecond))
  }

  #measure(): void {
    const now = this.#clock.monotonicMs()
    this.#measuredCalls += 1
    if (now - this.#measuredAtMs < 1_000) return
    this.#measured = (this.#measuredCalls * 1_000) / (now - this.#measuredAtMs)
    this.#measuredCalls = 0
    this.#measuredAtMs = now
  }
}
