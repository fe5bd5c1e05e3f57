// A pod that is promised an identity waits until it is there: woken by what the cache hears, and asking the API server in between, because a
// watch may lag by minutes.
import type { Clock } from '#base'
import type { ObjectKey } from '#kube'
import { openScope, pause } from '#runtime'
import type { Accounts } from './accounts.ts'

export interface Hold {
  readonly clock: Clock
  readonly accounts: Accounts
  readonly key: ObjectKey
  readonly lacks: () => boolean
  /** Asks the API server once. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  readonly ms: number
}

const askAgainMs = 500

/** Resolves when nothing is lacking any more, when the time is over, or when the signal aborts. */
export async function holdWhile({ clock, accounts, key, lacks, ask, ms }: Hold, signal: AbortSignal): Promise<void> {
  const scope = openScope({ parents: [signal], deadline: { clock, ms, what: 'waiting for the promised identity' } })
  let wake = new AbortController()
  const forget = accounts.onNews(key, () => wake.abort())
  try {
    while (lacks() && !scope.signal.aborted) {
      const nap = openScope({ parents: [scope.signal, wake.signal] })
      await pause(clock, askAgainMs, nap.signal)
      nap.end()
      if (wake.signal.aborted) wake = new AbortController()
      else if (!scope.signal.aborted) await ask(scope.signal)
    }
  } finally {
    forget()
    scope.end()
  }
}
