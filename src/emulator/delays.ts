// How late consumers see what was written, and how long things take (§12.2), by profile. A range is drawn per object, from the
// seed and the object's name and not from the order of calls, so that one more call does not shift the delays of the others.
import { assertNever, type Random } from '#base'
import type { Profile } from './aws.ts'
import type { Knobs } from './knobs.ts'

export type Range = readonly [minMs: number, maxMs: number]

/** How late something is, or how long it takes; a service has a table of its own. */
export interface Delay {
  /** Under which the knob `delays` changes it. */
  readonly name: string
  /** Under the profiles `demo` and `async`; `instant` is always 0, `hostile` is three times async where it is not given. */
  readonly demo: Range
  readonly async: Range
  readonly hostile?: Range
}

export function seconds(min: number, max: number = min): Range {
  return [min * 1_000, max * 1_000]
}

/** New temporary credentials as services other than STS see them. */
export const credentialsDelay: Delay = { name: 'credentials', demo: seconds(0), async: seconds(0, 2) }

/** Creates and deletes as lists of several services show them. */
export const listDelay: Delay = { name: 'list', demo: seconds(0), async: seconds(2, 3) }

const hostileFactor = 3

/** The delay of one object, in milliseconds; the same at every call. `objectId` holds the service: `iam/123456789012/role/app`. */
export function delayOf(
  delay: Delay,
  objectId: string,
  from: { readonly profile: Profile; readonly knobs: Knobs; readonly random: Random },
): number {
  const [min, max] = rangeOf(delay, from)
  if (min === max) return min
  return Math.round(min + from.random.fork(`delay/${delay.name}/${objectId}`).float() * (max - min))
}

/** No object is later than that; what must be remembered for late readers. */
export function longestDelayOf(delay: Delay, from: { readonly profile: Profile; readonly knobs: Knobs }): number {
  return rangeOf(delay, from)[1]
}

function rangeOf(delay: Delay, { profile, knobs }: { readonly profile: Profile; readonly knobs: Knobs }): Range {
  const own = knobs.delays[delay.name]
  if (own !== undefined) return typeof own === 'number' ? [own, own] : own
  switch (profile) {
    case 'instant':
      return [0, 0]
    case 'demo':
      return delay.demo
    case 'async':
      return delay.async
    case 'hostile':
      return delay.hostile ?? [delay.async[0] * hostileFactor, delay.async[1] * hostileFactor]
    default:
      return assertNever(profile)
  }
}
