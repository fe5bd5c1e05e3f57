// A circuit breaker per dependency (P11): a dead cluster or an empty quota stops the calls to it, and nothing else. While it is open
// one call at a time is let through as a probe; the first that succeeds closes it and wakes whoever waited.
import type { Clock, Random } from '#base'
import { Backoff } from './backoff.ts'

export interface BreakerOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly random: Random
  /** Failures in a row that open it. Fewer and one slow answer stops a healthy cluster; more and each key pays a deadline. */
  readonly failuresMax?: number
  readonly openMsMin?: number
  readonly openMsMax?: number
  /** Told the names (claim keys) that were turned away while the dependency was down, when it works again. */
  readonly onClosed?: (dependency: string, waiting: readonly string[]) => void
}

export type BreakerAnswer =
  | { readonly kind: 'go' }
  /** Do not call; the next probe is due then. */
  | { readonly kind: 'refused'; readonly retryInMs: number }

interface Circuit {
  failures: number
  /** Undefined while closed. */
  openUntilMs: number | undefined
  probing: boolean
  readonly waiting: Set<string>
}

/** So many who wait come back for the next probe, as a rule; one of them makes it. */
const probersMax = 10
/** The longest that another one stays away, if nothing wakes it. */
const awayMsMax = 600_000

/** Breakers by dependency name. A dependency without trouble takes no memory. */
export class Breakers {
  readonly #options: BreakerOptions
  readonly #backoff: Backoff
  readonly #circuits = new Map<string, Circuit>()

  constructor(options: BreakerOptions) {
    this.#options = options
    this.#backoff = new Backoff(options.random, {
      backoffMsMin: options.openMsMin ?? 1_000,
      backoffMsMax: options.openMsMax ?? 60_000,
    })
  }

  /** Asks before a call. `waiter` is who to wake when it closes, if the answer is no. After "go" exactly one of the two below follows. */
  ask(dependency: string, waiter?: string): BreakerAnswer {
    const circuit = this.#circuits.get(dependency)
    if (circuit?.openUntilMs === undefined) return { kind: 'go' }
    const leftMs = circuit.openUntilMs - this.#options.clock.monotonicMs()
    if (leftMs <= 0 && !circuit.probing) {
      circuit.probing = true
      return { kind: 'go' }
    }
    if (waiter !== undefined) circuit.waiting.add(waiter)
    return { kind: 'refused', retryInMs: this.#spread(Math.max(leftMs, this.#options.openMsMin ?? 1_000), circuit.waiting.size) }
  }

  succeeded(dependency: string): void {
    const circuit = this.#circuits.get(dependency)
    if (circuit === undefined) return
    this.#circuits.delete(dependency)
    this.#backoff.reset(dependency)
    if (circuit.waiting.size > 0) this.#options.onClosed?.(dependency, [...circuit.waiting])
  }

  /** `retryAfterMs`: what the dependency itself asked for, when it did: it is obeyed at once. */
  failed(dependency: string, retryAfterMs?: number): void {
    let circuit = this.#circuits.get(dependency)
    if (circuit === undefined) {
      circuit = { failures: 0, openUntilMs: undefined, probing: false, waiting: new Set() }
      this.#circuits.set(dependency, circuit)
    } else {
      circuit.probing = false
    }
    circuit.failures++
    const nowMs = this.#options.clock.monotonicMs()
    if (retryAfterMs !== undefined) circuit.openUntilMs = nowMs + retryAfterMs
    else if (circuit.failures >= (this.#options.failuresMax ?? 5)) circuit.openUntilMs = nowMs + this.#backoff.next(dependency)
  }

  /** A call was aborted, which says nothing of the dependency: where it was the probe, another call may be the probe. */
  released(dependency: string): void {
    const circuit = this.#circuits.get(dependency)
    if (circuit !== undefined) circuit.probing = false
  }

  /** Who waited is somebody else's to work on. */
  leave(waiter: string): void {
    for (const { waiting } of this.#circuits.values()) waiting.delete(waiter)
  }

  isOpen(dependency: string): boolean {
    return this.#circuits.get(dependency)?.openUntilMs !== undefined
  }

  /** Forgets a dependency that is gone for good. */
  forget(dependency: string): void {
    this.#circuits.delete(dependency)
    this.#backoff.reset(dependency)
  }

  /** Where ten thousand wait, all of them would look at their world for each probe, with what they read for it, and one of them probes. */
  #spread(retryInMs: number, waiting: number): number {
    if (waiting <= probersMax || retryInMs >= awayMsMax) return retryInMs
    const longest = Math.min(awayMsMax, (retryInMs * waiting) / probersMax)
    return retryInMs + (longest - retryInMs) * this.#options.random.float()
  }

  /** The dependencies that are held back now; one whose next call would go, and for which nobody waits, is held back no more. */
  open(): readonly string[] {
    const nowMs = this.#options.clock.monotonicMs()
    const isHeldBack = ({ openUntilMs, waiting, probing }: Circuit): boolean =>
      openUntilMs !== undefined && (openUntilMs > nowMs || probing || waiting.size > 0)
    return [...this.#circuits].filter(([, circuit]) => isHeldBack(circuit)).map(([name]) => name)
  }
}
