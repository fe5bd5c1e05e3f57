// One process of a simulated world, and the seams that it is given.
import { type Clock, HttpFailure, type Keys, type Random, type Seams, silentLog, sleepWith } from '#base'
import type { CacheWatch } from './cache-watch.ts'
import type { SimClock } from './sim-clock.ts'

export interface SimProcess {
  readonly name: string
  epoch: number
  readonly version: number
  alive: boolean
  paused: boolean
  startedAtStep: number
  clock: SimClock
  abort: AbortController
  /** Resolves when a graceful stop is complete. */
  done: Promise<void>
  readonly reconciling: Set<string>
  readonly caches: CacheWatch
  holdsBack: () => string | undefined
  /** World time at which the last renewal that succeeded was sent, by the lease's name where there are several. */
  readonly provedMs: Map<string, number>
}

/** The whole world of a simulated process: a clock, chance, and its servers by the wire. */
export function seamsOf(process: SimProcess, random: Random, keys?: Keys): Seams {
  const refuse = (): never => {
    throw new HttpFailure('unreachable', 'a simulated process reaches its servers and nothing else')
  }
  return {
    clock: livingClock(process),
    random: random.fork(`${process.name}/${process.epoch}`),
    keys: keys ?? { generateRsa: refuse, generateEc: refuse },
    net: { dial: refuse, listen: refuse },
    files: {
      read: refuse,
      write: refuse,
      openAppend: refuse,
      info: refuse,
      list: refuse,
      makeFolder: refuse,
      rename: refuse,
      remove: refuse,
    },
    programs: { run: refuse },
    env: {},
    log: silentLog,
  }
}

/** A dead process starts no more timers, whatever of it still runs to its next await. */
function livingClock(process: SimProcess): Clock {
  const { clock } = process
  const living: Clock = {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    timer: (delayMs, fire) => (process.alive ? clock.timer(delayMs, fire) : { cancel: () => {} }),
    sleep: (delayMs, signal) => sleepWith(living, delayMs, signal),
  }
  return living
}
