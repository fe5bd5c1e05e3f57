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
  /** Aborts what still runs, when a reason is given, and takes the listeners and the timer away. Harmless when called twice. */
  end(reason?: Error): void
}

export interface ScopeOptions {
  readonly parents?: readonly (AbortSignal | undefined)[]
  readonly deadline?: { readonly clock: Pick<Clock, 'timer'>; readonly ms: number; readonly what: string }
}

export function openScope(options: ScopeOptions): Scope {
  const controller = new AbortController()
  const parents = (options.parents ?? []).filter(parent => parent !== undefined)
  let timer: Timer | undefined
  let listeners: readonly (() => void)[] = []
  const end = (reason?: Error): void => {
    timer?.cancel()
    for (const [index, listener] of listeners.entries()) parents[index]?.removeEventListener('abort', listener)
    listeners = []
    if (reason !== undefined && !controller.signal.aborted) controller.abort(reason)
  }
  for (const parent of parents) {
    if (parent.aborted) {
      controller.abort(parent.reason)
      return { signal: controller.signal, end }
    }
  }
  listeners = parents.map(parent => {
    const listener = (): void => {
      end(parent.reason instanceof Error ? parent.reason : new Stopped('stop', String(parent.reason)))
    }
    parent.addEventListener('abort', listener, { once: true })
    return listener
  })
  const deadline = options.deadline
  if (deadline !== undefined) {
    timer = deadline.clock.timer(deadline.ms, () => {
      end(new Stopped('deadline', `${deadline.what} took longer than ${deadline.ms} ms`))
    })
  }
  return { signal: controller.signal, end }
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
