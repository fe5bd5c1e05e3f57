import { setTimeout as pause } from 'node:timers/promises'

const pauseMs = 20
const waitMsMax = 30_000

export interface UntilOptions {
  readonly what: string
  readonly signal: AbortSignal
  /** Says what is missing when the state is not reached in time. */
  readonly why?: () => Promise<string>
}

/** Waits for a state, or for the end. A world in one process reaches it in a few seconds or never; then `why` says what is missing. */
export async function until({ what, signal, why }: UntilOptions, holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + waitMsMax
  signal.throwIfAborted()
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`${what}: not so after ${waitMsMax / 1000} s${why ? `: ${await why()}` : ''}`)
    await pause(pauseMs, undefined, { signal })
  }
}
