// A stretch of work that can be stopped: by its owner, by any of the signals above it, or by its deadline. All three leave through
// `end`, so no listener and no timer outlives the work (reliability L5).
import type { Clock, Timer } from '#base'

/** Why something was stopped from outside. It is the reason of every signal that a scope aborts by itself. */
export class Stopped extends Error {
  readonly why: 'deadline' | 'stop' | 'fence' | 'stall' | 'replaced'
  constructor(why: Stopped['why'], message: string) {
    super(message)
    this.name = 'Stopped'
    this.why = why
  }
}

export interface Scope {
  readonly signal: AbortSignal
  /** Aborts what still runs, when a reason is given, and takes the listeners and the timer away. Harmless when called twice: the first reason stays. */
  end(reason?: Error): void
}

export interface ScopeOptions {
  readonly parents?: readonly (AbortSignal | undefined)[]
  readonly deadline?: { readonly clock: Pick<Clock, 'timer'>; readonly ms: number; readonly what: string }
}

export function openScope(options: ScopeOptions): Scope {
  return new OpenScope(options)
}

/** Itself the listener of the signals above it, so that a scope that is open for hours holds no closures. */
class OpenScope implements Scope {
  readonly #controller = new AbortController()
  #parents: readonly AbortSignal[] = []
  #timer: Timer | undefined

  constructor({ parents = [], deadline }: ScopeOptions) {
    const above = parents.filter(parent => parent !== undefined)
    const aborted = above.find(parent => parent.aborted)
    if (aborted !== undefined) {
      this.#controller.abort(aborted.reason)
      return
    }
    this.#parents = above
    for (const parent of above) parent.addEventListener('abort', this, { once: true })
    if (deadline === undefined) return
    const { clock, ms, what } = deadline
    this.#timer = clock.timer(ms, () => this.end(new Stopped('deadline', `${what} took longer than ${ms} ms`)))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(reason?: Error): void {
    this.#timer?.cancel()
    for (const parent of this.#parents) parent.removeEventListener('abort', this)
    this.#parents = []
    if (reason !== undefined) this.#controller.abort(reason)
  }

  /** One of the signals above aborted. */
  handleEvent({ target }: { readonly target: unknown }): void {
    const reason = target instanceof AbortSignal ? (target.reason as unknown) : undefined
    this.end(reason instanceof Error ? reason : new Stopped('stop', String(reason)))
  }
}

/** Sleeps; false instead of a rejection when the signal aborted first. For loops, whose end is no error. */
export async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(delayMs, signal)
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}
