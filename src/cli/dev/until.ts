import { setTimeout as pause } from 'node:timers/promises'

const triesMax = 500
const pauseMs = 10

/** Waits for a state. A world in one process reaches it in milliseconds or never. */
export async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    if (await holds()) return
    await pause(pauseMs)
  }
  throw new Error(`${what}: not there after ${(triesMax * pauseMs) / 1000} s`)
}
