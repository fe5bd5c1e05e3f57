// Keeps calls away from a service that does not answer, one breaker for each service and account: so that a dead Route 53 does not stop
// looks at ACM, and nobody's deadline is spent on what will fail.
import { AwsError } from '#aws'
import { type Clock, HttpFailure, type Random } from '#base'
import type { BreakerState, CallMetrics } from '../telemetry/call-metrics.ts'
import { accountOf, type LayerCaller } from './call.ts'
import { isThrottled } from './throttle-retry.ts'

export interface BreakerSettings {
  /** In a row. */
  readonly failuresMax: number
  readonly windowMs: number
  /** Of the calls of a window, where there were enough. */
  readonly ratioMax: number
  readonly callsMin: number
  readonly openMsMin: number
  readonly openMsMax: number
}

export interface BreakerLayerOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly random: Random
  readonly settings: BreakerSettings
  readonly metrics?: CallMetrics | undefined
  /** Told when one opens. */
  onOpen?(service: string): void
}

/** No call was made: the service failed for others just now. */
export class CircuitOpen extends Error {
  readonly service: string
  readonly retryAfterMs: number
  constructor(service: string, retryAfterMs: number) {
    super(`${service} is not called, because it does not answer`)
    this.name = 'CircuitOpen'
    this.service = service
    this.retryAfterMs = retryAfterMs
  }
}

export function circuitBreaker(next: LayerCaller, options: BreakerLayerOptions): LayerCaller {
  const breakers = new Map<string, CircuitBreaker>()
  options.metrics?.readBreakers(service => worstOf([...breakers].filter(([key]) => key.startsWith(`${service}/`))))
  return async (call, callerOptions) => {
    const key = `${call.service}/${accountOf(call)}`
    let breaker = breakers.get(key)
    if (breaker === undefined) breakers.set(key, (breaker = new CircuitBreaker(call.service, options)))
    breaker.enter()
    try {
      const output = await next(call, callerOptions)
      breaker.succeeded()
      return output
    } catch (error) {
      if (callerOptions.signal.aborted) breaker.leave()
      else if (isOutage(error)) breaker.failed()
      // An answer that refuses is an answer: the service works.
      else if (error instanceof AwsError) breaker.succeeded()
      else breaker.leave()
      throw error
    }
  }
}

function worstOf(breakers: readonly (readonly [string, CircuitBreaker])[]): BreakerState {
  const states = new Set(breakers.map(([, { state }]) => state))
  if (states.has('open')) return 'open'
  return states.has('half-open') ? 'half-open' : 'closed'
}

/** No answer, an error of the service's own, or throttling that no patience overcame. */
function isOutage(error: unknown): boolean {
  if (error instanceof HttpFailure) return error.code !== 'aborted'
  if (error instanceof AwsError) return error.class === 'transient' || error.throttling
  return isThrottled(error)
}

/** Two calls that went well say that it is over. */
const successesMin = 2

export class CircuitBreaker {
  readonly #service: string
  readonly #options: BreakerLayerOptions
  #state: BreakerState = 'closed'
  #failuresInRow = 0
  #window: { readonly atMs: number; readonly isFailure: boolean }[] = []
  #openUntilMs = 0
  #openMs: number
  #isProbing = false
  #successes = 0

  constructor(service: string, options: BreakerLayerOptions) {
    this.#service = service
    this.#options = options
    this.#openMs = options.settings.openMsMin
  }

  get state(): BreakerState {
    return this.#state
  }

  /** Throws `CircuitOpen`. */
  enter(): void {
    const now = this.#options.clock.monotonicMs()
    if (this.#state === 'open') {
      if (now < this.#openUntilMs) throw new CircuitOpen(this.#service, this.#openUntilMs - now)
      this.#move('half-open')
      this.#successes = 0
      this.#isProbing = false
    }
    if (this.#state !== 'half-open') return
    // One probe at a time; the others are told to come a little later.
    if (this.#isProbing) throw new CircuitOpen(this.#service, 1_000)
    this.#isProbing = true
  }

  succeeded(): void {
    this.#isProbing = false
    this.#failuresInRow = 0
    this.#note(false)
    if (this.#state !== 'half-open') return
    this.#successes += 1
    if (this.#successes < successesMin) return
    this.#openMs = this.#options.settings.openMsMin
    this.#window = []
    this.#move('closed')
  }

  failed(): void {
    this.#isProbing = false
    this.#failuresInRow += 1
    this.#note(true)
    if (this.#state === 'half-open') {
      this.#openMs = Math.min(this.#options.settings.openMsMax, this.#openMs * 2)
      this.#open()
    } else if (this.#state === 'closed' && this.#isTooMuch()) this.#open()
  }

  /** The call was ended by us, and says nothing of the service. */
  leave(): void {
    this.#isProbing = false
  }

  #isTooMuch(): boolean {
    const { failuresMax, ratioMax, callsMin } = this.#options.settings
    if (this.#failuresInRow >= failuresMax) return true
    const failures = this.#window.filter(({ isFailure }) => isFailure).length
    return this.#window.length >= callsMin && failures / this.#window.length >= ratioMax
  }

  #note(isFailure: boolean): void {
    const now = this.#options.clock.monotonicMs()
    this.#window.push({ atMs: now, isFailure })
    const from = now - this.#options.settings.windowMs
    while (this.#window[0] !== undefined && this.#window[0].atMs <= from) this.#window.shift()
  }

  #open(): void {
    const { clock, random, onOpen } = this.#options
    this.#openUntilMs = clock.monotonicMs() + this.#openMs * (0.9 + random.float() * 0.2)
    this.#failuresInRow = 0
    this.#move('open')
    onOpen?.(this.#service)
  }

  #move(state: BreakerState): void {
    this.#state = state
    this.#options.metrics?.breakerMoved(this.#service, state)
  }
}
