// One taking of a key by a worker: what ends it, and how long the worker waits for its end.
import type { Clock } from '#base'
import type { ClaimKey } from '../claim-key.ts'
import type { Fence } from '../election/fence.ts'
import { Gate } from '../election/gate.ts'
import type { SeenClaims } from '../plan/taken-claims.ts'
import type { Taken } from '../queue/work-queue.ts'
import type { Scope } from '../scope.ts'

/** What a reconcile that ignores its signal is given before the worker turns to other claims. */
export const graceMs = 1_000

/** One taking of a key. */
export interface Round {
  readonly taken: Taken<ClaimKey>
  /** Ends with the reconcile's deadline. */
  readonly signal: AbortSignal
  /** Outlives that deadline, to be able to tell of it. */
  readonly telling: AbortSignal
  /** The same for what only we know: outlives a stop as well, as long as calls under way are waited for. */
  readonly lastTelling: AbortSignal
  /** Cut off what is under way. A stop gives writes a moment to end, so that what happened is known. */
  readonly cutOff: AbortSignal
  readonly cutOffTelling: AbortSignal
  /** The controller stops, or its term of leadership is over. */
  readonly stop: AbortSignal
  readonly gate: Gate
  readonly comebacks: ReadonlySet<string>
  /** Where others may have worked on the claim before. */
  readonly seen?: SeenClaims
}

/** The fence for one piece of work, whose scopes end when leadership is no longer proved. */
export function gateFor(fence: Fence, signal: AbortSignal, scopes: readonly Scope[]): Gate {
  const onCutOff = (why: Error): void => {
    for (const scope of scopes) scope.end(why)
  }
  return new Gate({ fence, signal, onCutOff })
}

export interface RoundLimits {
  readonly clock: Clock
  /** The deadline of the work itself. */
  readonly deadlineMs: number
  readonly stop: AbortSignal
  /** The work ignores its deadline. */
  onStuck(): void
  /** Cuts off what is still under way when a stop has waited long enough. */
  leave(): void
}

/** Waits for the work, a moment beyond its deadline at most, and a moment after a stop at most: what hangs is left behind. */
export function awaitRound(work: Promise<void>, { clock, deadlineMs, stop, onStuck, leave }: RoundLimits): Promise<void> {
  return new Promise(resolve => {
    const giveUp = clock.timer(deadlineMs + graceMs, () => {
      onStuck()
      resolve()
    })
    const done = (): void => {
      giveUp.cancel()
      stop.removeEventListener('abort', onStop)
      resolve()
    }
    const onStop = (): void => {
      giveUp.cancel()
      const last = clock.timer(graceMs, () => {
        leave()
        done()
      })
      void work.finally(() => last.cancel())
    }
    if (stop.aborted) onStop()
    else stop.addEventListener('abort', onStop, { once: true })
    void work.finally(done)
  })
}
