// What the engine tells of itself while it runs, held against what it promises: one pass a key, caches that do not go back, prompt service.
import type { Lane } from '#runtime'
import type { Probe } from '../effects.ts'
import type { SimProcess } from './sim-process.ts'

export interface ProbeInputs {
  /** Counts the check, and fails the run when there is a text of what is broken. */
  readonly expect: (code: string, broken: string | undefined) => void
  /** For how long nothing has gone wrong any more; undefined while something may. */
  readonly healedForMs: () => number | undefined
  /** A pass over a claim begins. */
  readonly passBegan: (process: string, controller: string, key: string) => void
  /** How long a key may wait for a worker, by lane, while nothing goes wrong. */
  readonly waitsMsMax: Readonly<Record<Lane, number>>
}

/** Without faults calls are answered at once, so a worker is free as soon as it is looked for; drift may wait for others of its kind. */
export const waitsMsMax: Readonly<Record<Lane, number>> = { begun: 1_000, fresh: 1_000, retry: 1_000, drift: 60_000 }

export function probeOf(process: SimProcess, inputs: ProbeInputs): Probe {
  const expect = (code: string, broken: string | undefined): void => {
    if (process.alive) inputs.expect(code, broken === undefined ? undefined : `${process.name}: ${broken}`)
  }
  return {
    reconcileStarted: (controller, key) => {
      const what = `${controller} ${key}`
      expect('S17', process.reconciling.has(what) ? `reconciles ${what} twice at once` : undefined)
      if (!process.alive) return
      process.reconciling.add(what)
      inputs.passBegan(process.name, controller, key)
    },
    reconcileEnded: (controller, key) => {
      if (process.alive) process.reconciling.delete(`${controller} ${key}`)
    },
    keyTaken: (lane, waitedMs) => {
      // Timers that ran while its clock changed its rate are due at another own time than they were set for.
      if (process.clock.steady) expectPrompt(expect, inputs, lane, waitedMs)
    },
    cacheMoved: (cache, listing, change) => {
      if (process.alive) expect('S18', process.caches.moved(cache, listing, change))
    },
    expected: expect,
    atRest: holdsBack => {
      process.holdsBack = holdsBack
    },
  }
}

/** L9: while nothing goes wrong, workers are free soon and take what is most urgent. What waited before is not counted. */
function expectPrompt(expect: ProbeInputs['expect'], inputs: ProbeInputs, lane: Lane, waitedMs: number): void {
  const healedForMs = inputs.healedForMs()
  if (healedForMs === undefined) return
  const waited = Math.min(waitedMs, healedForMs)
  const allowed = inputs.waitsMsMax[lane]
  expect('L9', waited <= allowed ? undefined : `a ${lane} key waited ${waited} ms, more than ${allowed}`)
}
