// Waiting for a state of programs that are not ours and run on the machine's own clock.
import { systemClock } from '#base'

/** What `look` finds, once it finds something; a state is waited for, never a time. */
export async function eventually<T>(
  look: () => Promise<T | undefined>,
  what: () => string | Promise<string>,
  withinMs = 30_000,
): Promise<T> {
  const untilMs = systemClock.monotonicMs() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (systemClock.monotonicMs() > untilMs) throw new Error(`not within ${withinMs} ms: ${await what()}`)
    await systemClock.sleep(50)
  }
}

/** The same for what is so or not. */
export async function comesAbout(
  isSo: () => Promise<boolean>,
  what: () => string | Promise<string>,
  withinMs?: number,
): Promise<void> {
  await eventually(async () => (await isSo()) || undefined, what, withinMs)
}
