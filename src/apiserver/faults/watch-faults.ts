// What faults do to one watch: cut it, hold its events back, answer that its place is gone, or (only on purpose) break the rules.
import type { Clock, Random, Timer } from '#base'
import type { FaultAction } from '../fault.ts'

export interface WatchFaults {
  readonly gone: boolean
  readonly bookmarks: 'storm' | 'none' | undefined
  /** The stream with the faults of its request on it. */
  wrap(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

const quiet: WatchFaults = { gone: false, bookmarks: undefined, wrap: stream => stream }

export function watchFaults(actions: readonly FaultAction[] | undefined, clock: Clock, random: Random): WatchFaults {
  if (actions === undefined || actions.length === 0) return quiet
  const bookmarks = actions.find(action => action.kind === 'bookmarks')
  return {
    gone: actions.some(action => action.kind === 'watch-gone'),
    bookmarks: bookmarks?.kind === 'bookmarks' ? bookmarks.how : undefined,
    wrap: stream => actions.reduce((inner, action) => wrapOne(inner, action, clock, random), stream),
  }
}

function wrapOne(
  stream: AsyncIterable<Uint8Array>,
  action: FaultAction,
  clock: Clock,
  random: Random,
): AsyncIterable<Uint8Array> {
  switch (action.kind) {
    case 'watch-cut':
      return cut(stream, action.afterEvents ?? 0, action.midLine ?? false)
    case 'watch-lag':
      return lag(stream, action, clock)
    case 'delay':
      return action.what === 'watch-event' ? lag(stream, { ms: action.ms }, clock) : stream
    case 'hostile':
      return hostile(stream, action.how, random)
    default:
      return stream
  }
}

async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield chunk.subarray(start, end + 1)
      start = end + 1
    }
  }
}

async function* cut(stream: AsyncIterable<Uint8Array>, afterEvents: number, midLine: boolean): AsyncGenerator<Uint8Array> {
  let left = afterEvents
  for await (const line of linesOf(stream)) {
    if (left === 0) {
      if (midLine) yield line.subarray(0, line.byteLength >> 1)
      return
    }
    left--
    yield line
    if (left === 0 && !midLine) return
  }
}

/** Holds every event for a time, or until so many newer ones have come; order is kept and none is lost. */
async function* lag(
  stream: AsyncIterable<Uint8Array>,
  how: { ms?: number; events?: number },
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = []
  for await (const line of linesOf(stream)) {
    let timer: Timer | undefined
    if (how.ms !== undefined) {
      const { ms } = how
      await new Promise<void>(resolve => (timer = clock.timer(ms, resolve)))
    }
    timer?.cancel()
    held.push(line)
    if (held.length > (how.events ?? 0)) yield held.shift() as Uint8Array
  }
  yield* held
}

/** What no honest server does: shows that a client notices, never part of a conformance run. */
async function* hostile(
  stream: AsyncIterable<Uint8Array>,
  how: 'drop' | 'duplicate' | 'reorder',
  random: Random,
): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array | undefined
  for await (const line of linesOf(stream)) {
    const strikes = random.float() < 0.5
    if (how === 'drop') {
      if (!strikes) yield line
    } else if (how === 'duplicate') {
      yield line
      if (strikes) yield line
    } else if (kept !== undefined) {
      yield line
      yield kept
      kept = undefined
    } else if (strikes) kept = line
    else yield line
  }
  if (kept !== undefined) yield kept
}
