// A pod that is promised an identity waits until it is there: woken by what the cache hears, and asking the API server in between, because a
// watch may lag by minutes. Pods that wait hold a place at the API server: so many of them and no more.
import type { Clock } from '#base'
import type { ObjectKey } from '#kube'
import { type Gauge, openScope, pause } from '#runtime'
import type { Accounts } from './accounts.ts'
import type { LookupOutcome } from './lookup.ts'

export interface PromiseHoldsOptions {
  readonly clock: Clock
  readonly accounts: Accounts
  /** 0: nobody waits. */
  readonly ms: number
  /** How many wait. */
  readonly waiting: Gauge
  readonly provider: string
}

export interface Hold {
  readonly key: ObjectKey
  readonly lacks: () => boolean
  /** Asks the API server once. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
}

/** Whoever comes when as many wait is not held. */
const waitingMax = 100
const askAgainMs = 500

export class PromiseHolds {
  readonly #options: PromiseHoldsOptions
  #waiting = 0

  constructor(options: PromiseHoldsOptions) {
    this.#options = options
  }

  /** Resolves when nothing is lacking any more, when the time is over, or when the signal aborts. */
  async hold(hold: Hold, signal: AbortSignal): Promise<LookupOutcome> {
    if (this.#waiting >= waitingMax || this.#options.ms === 0) return 'timeout'
    this.#count(1)
    try {
      await this.#wait(hold, signal)
      return hold.lacks() ? 'timeout' : 'hit'
    } finally {
      this.#count(-1)
    }
  }

  #count(change: number): void {
    const { waiting, provider } = this.#options
    this.#waiting += change
    waiting.set(this.#waiting, { provider })
  }

  async #wait({ key, lacks, ask }: Hold, signal: AbortSignal): Promise<void> {
    const { clock, accounts, ms } = this.#options
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
}
