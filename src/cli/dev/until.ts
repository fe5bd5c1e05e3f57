import { setTimeout as pause } from 'node:timers/promises'

const pauseMs = 20
const waitMsMax = 30_000

/** Waits for a state. A world in one process reaches it in a few seconds or never; then `why` says what is missing. */
export async function until(holds: () => Promise<boolean>, what: string, why?: () => Promise<string>): Promise<void> {
  const endMs = performance.now() + waitMsMax
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`${what}: not so after ${waitMsMax / 1000} s${why ? `: ${await why()}` : ''}`)
    await pause(pauseMs)
  }
}
