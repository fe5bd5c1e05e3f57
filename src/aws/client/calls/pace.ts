// Client-side pace: a token bucket per service, account and region. It begins without a limit, slows down when AWS throttles, and speeds up
// again: soon to what went well, and slowly beyond. Shared by all clients of the three, since AWS counts them together.
import type { Clock, Instant } from '#base'
import type { Rate } from '../../limits.ts'

export interface PaceOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  /** The most we ever send; throttling lowers it for a while. Without one the pace is unlimited until the first throttle. */
  readonly rate?: Rate | undefined
  /** What the service is known to allow an account: where the pace goes at the first throttle, so that it need not be found by more of them. */
  readonly known?: Rate | undefined
  /** Told of each new pace. */
  readonly onChange?: ((perSecond: number, isOfWrites: boolean) => void) | undefined
}

/** Below this even a busy account gets somewhere. */
const perSecondMin = 0.5
const slowdown = 0.7
/** A throttled pace wins back this share of what it lost each second, and a little more, so that it always arrives. */
const recoveryPerSecond = 0.1
const recoveryFloorPerSecond = 0.5
/** A service of which nothing is known allows as much at least, most of them far more. */
const unknownPerSecond = 5
/** Of the pace at which AWS throttled, this much went well. */
const sureShare = 0.9
/** So long without a throttle, and more is tried, by this share each second; after the longer time there is no limit any more. */
const calmMs = 60_000
const probePerSecond = 0.02
const forgottenMs = 900_000
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
  readonly #known: Rate | undefined
  readonly #onChange: (perSecond: number) => void
  /** The pace at which AWS throttled last. */
  #ceiling = Number.POSITIVE_INFINITY

  constructor({ clock, rate, known, onChange }: PaceOptions, isOfWrites = false) {
    this.#clock = clock
    this.#full = rate
    this.#perSecond = rate?.perSecond ?? Number.POSITIVE_INFINITY
    this.#burst = rate?.burst ?? Number.POSITIVE_INFINITY
    this.#tokens = this.#burst
    this.#filledAtMs = clock.monotonicMs()
    this.#measuredAtMs = this.#filledAtMs
    this.#known = known
    this.#onChange = perSecond => onChange?.(perSecond, isOfWrites)
    const writes = { clock, rate: rate?.writes, known: known?.writes, onChange }
    this.#writes = writes.rate === undefined && writes.known === undefined ? undefined : new Pace(writes, true)
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
    const isFirst = !Number.isFinite(this.#perSecond)
    // Few calls that are throttled say that others call as well, not that a few calls are too many.
    const least = this.#known?.perSecond ?? unknownPerSecond
    const from = isFirst ? Math.max(this.#measured, this.#measuredCalls, least) : this.#perSecond
    this.#ceiling = isFirst && this.#known !== undefined ? least / sureShare : from
    this.#perSecond = Math.max(perSecondMin, Math.min(from, this.#ceiling) * slowdown)
    this.#onChange(this.#perSecond)
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
    if (!Number.isFinite(this.#perSecond)) this.#tokens = Number.POSITIVE_INFINITY
  }

  /**
   * Lets the pace grow again: with a limit of one's own up to that limit, without one up to the last pace that went well and then slowly
   * beyond it.
   */
  #recover(seconds: number): void {
    const full = this.#full?.perSecond
    const aim = full ?? this.#ceiling * sureShare
    const before = this.#perSecond
    if (before < aim)
      this.#perSecond = Math.min(aim, before + seconds * ((aim - before) * recoveryPerSecond + recoveryFloorPerSecond))
    else if (full === undefined) this.#probe(seconds)
    const burst = this.#full?.burst ?? Number.POSITIVE_INFINITY
    // A pace that was lowered lowers what may come at once; at its full pace that is what was asked for, which may be more than a second's.
    this.#burst = this.#perSecond === full ? burst : Math.min(burst, Math.max(1, this.#perSecond))
    if (Math.floor(before) !== Math.floor(this.#perSecond)) this.#onChange(this.#perSecond)
  }

  #probe(seconds: number): void {
    const quietMs = this.#filledAtMs - this.#lessonAtMs
    if (quietMs > forgottenMs) this.#perSecond = Number.POSITIVE_INFINITY
    else if (quietMs > calmMs) this.#perSecond *= 1 + seconds * probePerSecond
    this.#ceiling = Math.max(this.#ceiling, this.#perSecond)
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
