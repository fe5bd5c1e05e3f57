// Where along the reference trace something is made to go wrong, and in which order: wherever the budget ends, what was tried is spread.

import type { Deed } from '../subject.ts'
import type { RunResult } from './run.ts'
import type { Departure } from './schedule.ts'

/** Every fault that was on offer at a step of the clean run, those first that make a race. */
export function singleFaults(clean: RunResult, deeds: readonly Deed[]): readonly Departure[] {
  const points = clean.offers.flatMap((labels, step) => [...new Set(labels)].map(label => ({ step, label })))
  const races = new Set(points.filter(point => isRace(point, clean, deeds)))
  return [...spread([...races]), ...spread(points.filter(point => !races.has(point)))]
}

/**
 * A kill on both sides of each effect of the plain order: just before it takes hold, when it is under way and will, and when it has and its
 * answer has not come. Renewals of the lease and events are no steps of the work.
 */
export function killsAtEffects(clean: RunResult): readonly Departure[] {
  return clean.trace.flatMap((label, step) => {
    const by = /^(?:apply|reply \d+) (\S+) \S+ (?:POST|PUT|PATCH|DELETE) (?!.*(?:\/leases\b|\/events\b))/.exec(label)?.[1]
    const kill = clean.offers[step]?.find(offered => /^F[12] kill /.test(offered) && offered.endsWith(` ${by}`))
    return by === undefined || kill === undefined ? [] : [{ step, label: kill }]
  })
}

/** Two kills in a row: the second during or after the recovery from the first. */
export function pairsOfKills(clean: RunResult): readonly (readonly Departure[])[] {
  const kills = clean.offers.flatMap((labels, step) =>
    labels.filter(label => label.startsWith('F1 kill')).map(label => ({ step, label })),
  )
  const stride = Math.max(1, Math.ceil(kills.length / 24))
  const chosen = kills.filter((_, index) => index % stride === 0)
  const pairs = chosen.flatMap(first =>
    [1, 3, 7, 15].map(gap => {
      // Soon after its start a process is killed as F2.
      const label = gap < 12 ? first.label.replace('F1', 'F2') : first.label
      return [first, { step: first.step + gap, label }]
    }),
  )
  return spread(pairs)
}

/** Whether somebody else acts on an object that a process has just sent a write to: between its look and its call (W4). */
function isRace({ step, label }: Departure, { pendingWrites }: RunResult, deeds: readonly Deed[]): boolean {
  const touched = deeds.find(deed => label.endsWith(` ${deed.label}`))?.touches
  if (touched === undefined) return false
  return pendingWrites[step]?.some(write => isWithin(touched, write.slice(write.indexOf(' /') + 1))) === true
}

/** By strides of the golden ratio: wherever the budget ends, what was tried is spread over the whole trace. */
function spread<T>(points: readonly T[]): readonly T[] {
  const stride = coprimeNear(Math.round(points.length * 0.618), points.length)
  return points.map((_, index) => points[(index * stride) % points.length] as T)
}

/** `/a/b` is within `/a` and within `/a/b`. */
function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** The first number from `near` on that shares no factor with `count`, so that its multiples visit everything once. */
function coprimeNear(near: number, count: number): number {
  const commonFactor = (a: number, b: number): number => (b === 0 ? a : commonFactor(b, a % b))
  let number = Math.max(1, near)
  while (commonFactor(number, count) !== 1) number++
  return number
}
