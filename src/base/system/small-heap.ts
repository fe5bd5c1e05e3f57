// V8 takes memory where it finds some, and asks the machine and not the container how much there is: 128 MB for what is new, which a
// server's flow of short-lived answers fills in a minute, and four times what is held before it looks through the old. A controller that
// runs for months beside others is better off with less of both. V8 reads these two flags whenever it looks, so they can be set while it
// runs; its own limit for the new (--max-semi-space-size) counts only on the command line.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * The size of V8's room for young objects, both halves together. With half of that, objects that live for a second move to the old ones,
 * which are dearer to collect; with more, nothing is saved.
 */
const newSpaceBytesMax = 16_777_216
/** Garbage in per cent of what was held after the last look, until the next one. */
const garbagePercent = 60

/** From now on, for the whole process. Not for programs that are to be fast at any price. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`)
  let grows = true
  // A flag on the command line, or in NODE_OPTIONS, that allows less is heard by V8 itself.
  const observer = new PerformanceObserver(() => {
    const mayGrow = newSpaceBytes() < newSpaceBytesMax
    if (mayGrow === grows) return
    grows = mayGrow
    // V8 makes the room smaller when there is little to do; this factor lets it grow again.
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`)
  })
  observer.observe({ entryTypes: ['gc'] })
}

/**
 * Gives back to the machine what starting took and nobody holds any more, which V8 by itself keeps for as long as little is asked of it. The
 * whole process stands still for it, a tenth of a second where little is held: for the moment before anybody is served.
 */
export function giveBackMemory(): void {
  // V8 hands its collector to scripts that are made after the flag is set, and to no others.
  setFlagsFromString('--expose-gc')
  const collect: (how: object) => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
