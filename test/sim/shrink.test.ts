// How long a failure is made smaller: until it is least, or until the time is over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Departure, type Subject, shrink, type World } from '#simulator'
import { configMapMirrorSubject } from './configmap-mirror.ts'

const runMs = 1_000
const departures: readonly Departure[] = Array.from({ length: 8 }, (_, step) => ({ step, label: 'offered by nobody' }))

/** Breaks whatever is left out; each run takes a second. */
function brokenSubject(): { readonly subject: Subject; readonly elapsedMs: () => number } {
  const worlds = new Set<World>()
  const check = (_: unknown, world: World): string => {
    worlds.add(world)
    return 'broken on purpose'
  }
  return { subject: { ...configMapMirrorSubject, invariants: [{ code: 'S0', check }] }, elapsedMs: () => worlds.size * runMs }
}

async function leastWithin(budgetMs: number): Promise<{ readonly left: number; readonly tookMs: number }> {
  const { subject, elapsedMs } = brokenSubject()
  const schedule = { seed: 'clean', faults: [], departures }
  const least = await shrink(
    subject,
    { schedule, code: 'S0', message: 'broken on purpose', shrunk: departures },
    { elapsedMs, budgetMs },
  )
  return { left: least.length, tookMs: elapsedMs() }
}

test('a failure is made smaller until its time is over, and what is least by then is its script', async () => {
  assert.deepEqual(await leastWithin(60_000), { left: 0, tookMs: 2 * runMs })
  assert.deepEqual(await leastWithin(1), { left: 4, tookMs: runMs })
  assert.deepEqual(await leastWithin(0), { left: 8, tookMs: 0 })
})
