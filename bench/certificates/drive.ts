// Time that passes as soon as nobody has anything left to do: hours of waiting for AWS cost what the work in them costs.
import { setImmediate as turn } from 'node:timers/promises'
import type { CertWorld } from '../../src/operators/certificates/testing/cert-world.ts'

/** Turns of the event loop without a timer, after which whoever could go on has done so. */
const turns = 6

export async function driveUntil(
  world: Pick<CertWorld, 'clock' | 'server'>,
  isDone: () => boolean,
  withinMs: number,
): Promise<void> {
  const { clock, server } = world
  const endMs = clock.monotonicMs() + withinMs
  while (!isDone()) {
    for (let round = 0; round < turns; round++) {
      await server.settle()
      await turn()
    }
    const dueMs = clock.nextDueMs()
    if (isDone()) return
    if (dueMs === undefined || dueMs > endMs) throw new Error(`it did not end within ${withinMs / 1_000} s of virtual time`)
    await clock.advance(dueMs - clock.monotonicMs())
  }
}

export async function driveFor(world: Pick<CertWorld, 'clock' | 'server'>, ms: number): Promise<void> {
  const { clock } = world
  let isOver = false
  clock.timer(ms, () => {
    isOver = true
  })
  await driveUntil(world, () => isOver, ms)
}
