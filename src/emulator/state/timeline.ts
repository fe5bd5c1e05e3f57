// Late visibility (§12.2). The control plane sees the newest version of an object; a consumer sees the newest one that is
// older than the consumer's delay. The delay of one consumer class is constant per object (drawn from the seed and the object's
// name), so versions can never be seen out of order.
import type { Instant } from '#base'

export interface DatedVersion<T> {
  readonly atMs: Instant
  /** `undefined` marks a deletion that consumers have yet to see. */
  readonly value: T | undefined
}

/** Newest last; never empty. */
export type Timeline<T> = readonly DatedVersion<T>[]

export function newestOf<T>(timeline: Timeline<T> | undefined): T | undefined {
  return timeline?.at(-1)?.value
}

/** The version that a consumer with this delay sees now. */
export function seenOf<T>(timeline: Timeline<T> | undefined, now: Instant, delayMs: number): T | undefined {
  if (timeline === undefined) return undefined
  for (let index = timeline.length - 1; index >= 0; index--) {
    const version = timeline[index] as DatedVersion<T>
    if (version.atMs + delayMs <= now) return version.value
  }
  return undefined
}

/** When the newest version will be seen, or `undefined` when it is already. */
export function pendingUntil(timeline: Timeline<unknown> | undefined, now: Instant, delayMs: number): Instant | undefined {
  const newest = timeline?.at(-1)
  return newest !== undefined && newest.atMs + delayMs > now ? newest.atMs + delayMs : undefined
}

/**
 * Adds a version and forgets those that no consumer can see any more: all but the last of the versions older than `keepMs`, the
 * longest delay of any consumer. Answers `undefined` when nobody can see anything of the object any more.
 */
export function written<T>(
  timeline: Timeline<T> | undefined,
  value: T | undefined,
  when: { readonly now: Instant; readonly keepMs: number },
): Timeline<T> | undefined {
  const versions = [...(timeline ?? []), { atMs: when.now, value }]
  const oldest = Math.max(
    0,
    versions.findLastIndex(version => version.atMs + when.keepMs <= when.now),
  )
  const kept = versions.slice(oldest)
  // Nothing before the first version is the same as a deletion before it.
  while (kept.length > 0 && kept[0]?.value === undefined) kept.shift()
  return kept.length === 0 ? undefined : kept
}
