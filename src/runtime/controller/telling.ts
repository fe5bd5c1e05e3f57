// The time in which a controller tells events: it outlives a stop for a moment, as writes do, but not the leadership.
import type { Clock, Timer } from '#base'
import type { Fence } from '../election/fence.ts'
import type { Telling } from '../plan/recorder.ts'
import { openScope, Stopped } from '../scope.ts'
import { gateFor, graceMs } from './round.ts'
import type { Writers } from './writers.ts'

export interface TellingOptions {
  readonly clock: Clock
  readonly fence: Fence
  readonly writers: Writers
  readonly stop: AbortSignal
}

export function openTelling({ clock, fence, writers, stop }: TellingOptions): Telling {
  const scope = openScope({})
  const gate = gateFor(fence, scope.signal, [scope])
  let grace: Timer | undefined
  const onStop = (): void => {
    grace = clock.timer(graceMs, () => scope.end(new Stopped('stop', 'the controller stops')))
  }
  if (stop.aborted) onStop()
  else stop.addEventListener('abort', onStop, { once: true })
  const close = (): void => {
    stop.removeEventListener('abort', onStop)
    grace?.cancel()
    gate.leave()
    scope.end()
  }
  return { writer: writers.ofEvents(scope.signal, gate), close }
}
