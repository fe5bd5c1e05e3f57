// A pod is let in without an identity though nobody could say that it has none: the log hears of it, one line a second at most. When the API
// server is away, all pods are such pods.
import type { Clock, Log } from '#base'

export type UnconfirmedTeller = (who: { readonly namespace: string; readonly serviceAccount: string }) => void

const everyMs = 1_000

/** `what` the pod may have needed: a role, a client id. */
export function unconfirmedTeller(clock: Clock, log: Log, what: string): UnconfirmedTeller {
  let toldMs = Number.NEGATIVE_INFINITY
  let untold = 0
  return who => {
    if (clock.monotonicMs() - toldMs < everyMs) {
      untold++
      return
    }
    toldMs = clock.monotonicMs()
    log.warn(`a pod was let in without a ${what}, and the API server did not say in time whether it should have one`, {
      ...who,
      ...(untold === 0 ? {} : { othersSince: untold }),
    })
    untold = 0
  }
}
