// What is known of a pod's ServiceAccount when the pod asks, and how it came to be known. A client id that is known is believed at once. That
// there is none, or no such ServiceAccount, is believed only when the API server has said so after the pod asked (S20): a pod that is let in
// without its client id keeps running without it.
import type { Clock } from '#base'
import { type ObjectKey, type StoredObject, serviceAccounts } from '#kube'
import type { KubeClient } from '#kube/client'
import { openScope } from '#runtime'
import { annotationsOf } from '../accounts/account.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { DirectReads } from '../accounts/direct-reads.ts'
import { type LookupOptions, type LookupOutcome, lookUp } from '../accounts/lookup.ts'
import { PromiseHolds } from '../accounts/promise-holds.ts'
import { accountBudgets } from '../accounts/read-budget.ts'
import type { Patience } from '../provider.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import { type Annotations, clientIdOf } from './annotations.ts'
import { azureProviderName as provider, requireClientIdAnnotation } from './api.ts'

export interface AccountReadsOptions {
  readonly client: KubeClient
  readonly accounts: Accounts
  readonly clock: Clock
  readonly metrics: WebhookMetrics
  readonly isPromised: (key: ObjectKey) => boolean
  readonly lookup: AzureLookupSettings
}

export interface AzureLookupSettings {
  /** For a ServiceAccount that the cache does not know (§3.12). */
  readonly timeoutMs: number
  /** Believe that there is no client id only when the API server has just said so. */
  readonly confirmMissingClientId: boolean
  /** How long the pod of a promised client id waits for it. */
  readonly requiredClientIdWaitMs: number
}

export interface AccountRead {
  /** Absent: no such ServiceAccount is known. */
  readonly account: Annotations | undefined
  readonly outcome: LookupOutcome
  /** A client id is required or promised, and there is none. */
  readonly lacksPromised: boolean
}

/** A known ServiceAccount is asked about again for this long at most: most pods that lack a client id want none. */
const confirmMs = 100

export class AccountReads {
  readonly #options: AccountReadsOptions
  readonly #lookup: Omit<LookupOptions, 'graceMs'>
  readonly #holds: PromiseHolds

  constructor(options: AccountReadsOptions) {
    const { client, accounts, clock, lookup, metrics } = options
    const ms = lookup.requiredClientIdWaitMs
    this.#options = options
    this.#lookup = {
      accounts,
      reads: new DirectReads(client, serviceAccounts),
      clock,
      ...accountBudgets(clock, lookup.confirmMissingClientId),
      others: [],
    }
    this.#holds = new PromiseHolds({ clock, accounts, ms, waiting: metrics.waiting, provider })
  }

  /** A value, not a promise, when the cache can answer, which is nearly always. */
  take(key: ObjectKey, podRequires: boolean, patience: Patience): AccountRead | Promise<AccountRead> {
    const held = this.#options.accounts.find(key)
    if (held === undefined || clientIdOf(annotationsOf(held)) === '') return this.#takeLate(key, podRequires, patience)
    this.#options.metrics.lookups.add(hitLabels)
    return { account: annotationsOf(held), outcome: 'hit', lacksPromised: false }
  }

  async #takeLate(key: ObjectKey, podRequires: boolean, patience: Patience): Promise<AccountRead> {
    const { clock, metrics } = this.#options
    const ms = Math.max(0, patience.untilMs - clock.monotonicMs())
    const scope = openScope({ parents: [patience.signal], deadline: { clock, ms, what: 'the review' } })
    try {
      let outcome = await this.#ask(key, scope.signal)
      metrics.lookups.add({ provider, outcome })
      const lacks = (): boolean => this.#lacks(key, podRequires)
      if (lacks()) outcome = await this.#holds.hold({ key, lacks, ask: until => this.#ask(key, until) }, scope.signal)
      return { account: this.#now(key), outcome, lacksPromised: lacks() }
    } finally {
      scope.end()
    }
  }

  #ask(key: ObjectKey, signal: AbortSignal): Promise<LookupOutcome> {
    const { lookup } = this.#options
    const graceMs = this.#now(key) === undefined ? lookup.timeoutMs : confirmMs
    const isSettled = (): boolean => clientIdOf(this.#now(key) ?? {}) !== ''
    return lookUp({ ...this.#lookup, graceMs }, key, isSettled, signal)
  }

  /** Of a ServiceAccount that is there; one that is not is told as that. */
  #lacks(key: ObjectKey, podRequires: boolean): boolean {
    const account = this.#now(key)
    if (account === undefined || clientIdOf(account) !== '') return false
    return podRequires || account[requireClientIdAnnotation] === 'true' || this.#options.isPromised(key)
  }

  #now(key: ObjectKey): Annotations | undefined {
    const held: StoredObject | undefined = this.#options.accounts.find(key)
    return held === undefined ? undefined : annotationsOf(held)
  }
}

const hitLabels = Object.freeze({ provider, outcome: 'hit' })
