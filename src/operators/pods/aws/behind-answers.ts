// What follows behind an answer that was given by the watch alone: the reads that confirm it, and what is told when they do not.
import type { Clock, Log } from '#base'
import type { ObjectKey } from '#kube'
import { BehindChecks, type BehindResult } from '../accounts/behind.ts'
import { type LookupOptions, lookUp, lookUpAll } from '../accounts/lookup.ts'
import { alwaysMyTurn, ReadBudget } from '../accounts/read-budget.ts'
import type { SteadyAccounts } from '../accounts/steady.ts'
import { ToldTogether } from '../accounts/told-together.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import { awsProviderName as provider } from './api.ts'
import type { Snapshots } from './snapshots.ts'

export interface BehindAnswersOptions {
  readonly lookup: LookupOptions
  readonly steady: SteadyAccounts
  readonly clock: Clock
  readonly log: Log
  readonly metrics: WebhookMetrics
  readonly snapshots: () => Pick<Snapshots, 'holding' | 'watchedHolding'>
}

/** A turn comes within four seconds for the last of them, the API server has five to answer: what is told is told within ten. */
const readsBehind = { perSecond: 200, burst: 200, queuedMax: 1_000 }
/** An API server that has not answered by then is told as one that could not be asked. */
const readBehindMs = 5_000

export class BehindAnswers {
  readonly #options: BehindAnswersOptions
  readonly #checks: BehindChecks
  readonly #told: Readonly<Record<keyof typeof messages, ToldTogether>>

  constructor(options: BehindAnswersOptions) {
    const { clock, log, snapshots } = options
    const lookup = { ...options.lookup, graceMs: readBehindMs, unknownBudget: alwaysMyTurn, confirmBudget: alwaysMyTurn }
    const known = (key: ObjectKey): ReturnType<Snapshots['holding']> => snapshots().holding(key)
    const teller = (message: string): ToldTogether => new ToldTogether({ clock, log, message })
    this.#options = options
    this.#told = {
      unknown: teller(messages.unknown),
      read: teller(messages.read),
      watch: teller(messages.watch),
      promise: teller(messages.promise),
    }
    this.#checks = new BehindChecks({
      clock,
      turns: new ReadBudget(clock, readsBehind),
      pendingMax: readsBehind.queuedMax,
      known,
      watched: key => snapshots().watchedHolding(key),
      lookUp: (key, signal) => lookUp(lookup, key, () => known(key) === 'role', signal),
      lookUpAll: signal => lookUpAll(lookup, signal),
      accountCount: () => lookup.accounts.size,
      onResult: result => this.#take(result),
    })
  }

  add(key: ObjectKey): boolean {
    return this.#checks.add(key)
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#checks.run(signal)
    for (const told of Object.values(this.#told)) told.close()
  }

  #take({ key, pods, found, isWatched }: BehindResult): void {
    const { steady, metrics } = this.#options
    if (found === 'nothing') return
    if (found === 'unknown') {
      metrics.unconfirmed.add({ provider }, pods)
      return this.#told.unknown.tell(key, pods)
    }
    // The watch is behind, and nobody knows with what else.
    if (!isWatched) steady.doubt()
    const by = found === 'promise' ? 'promise' : isWatched ? 'watch' : 'read'
    metrics.lateRoles.add({ provider, brought_by: by }, pods)
    this.#told[by].tell(key, pods)
  }
}

const messages = {
  unknown: 'pods were let in without a role, and the API server did not say afterwards whether they should have one',
  read: 'pods were let in without the role that their ServiceAccount has, which the watch had not brought; restart them',
  watch: 'pods were let in without a role, and their ServiceAccount was given one at about that time; restart them',
  promise:
    'pods were let in without a role, and their ServiceAccount requires one that is not there yet; restart them once it is',
} as const
