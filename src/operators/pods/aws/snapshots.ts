// One review, one snapshot (S19): what was known of the pod's ServiceAccount at the moment of the decision, and how it came to be known.
import type { Clock, Log } from '#base'
import type { ObjectKey, StoredObject } from '#kube'
import { openScope } from '#runtime'
import { annotationsOf } from '../accounts/account.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { BehindChecks, Holding } from '../accounts/behind.ts'
import { type LookupOptions, type LookupOutcome, lookUp } from '../accounts/lookup.ts'
import type { PromiseHolds } from '../accounts/promise-holds.ts'
import type { SteadyAccounts } from '../accounts/steady.ts'
import type { Patience } from '../provider.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import type { RoleEntries } from '../sources/config-map.ts'
import type { CredentialsFileSource } from '../sources/credentials-file.ts'
import type { ConfigMapSource } from '../sources/follow-config-map.ts'
import { readServiceAccount } from './annotations.ts'
import { type AwsWebhookOptions, type IdentitySnapshot, type Oddity, awsProviderName as provider } from './api.ts'
import { roleSourceOf } from './role-source.ts'

export interface SnapshotsOptions {
  readonly accounts: Accounts
  readonly configMap: Pick<ConfigMapSource, 'current' | 'watched'> | undefined
  readonly credentialsFile: Pick<CredentialsFileSource, 'current'> | undefined
  readonly lookup: LookupOptions
  /** Whose lack of a role may be answered at once, and what confirms it behind the answer. Absent: nobody's. */
  readonly behind: { readonly steady: SteadyAccounts; readonly checks: Pick<BehindChecks, 'add'> } | undefined
  readonly flags: AwsWebhookOptions
  readonly clock: Clock
  readonly log: Log
  readonly metrics: WebhookMetrics
  /** Whether somebody has promised a role for this ServiceAccount that does not show yet. */
  readonly isPromised: (key: ObjectKey) => boolean
  readonly holds: PromiseHolds
}

export interface TakenSnapshot {
  readonly snapshot: IdentitySnapshot
  /** A role is required or promised, and there is none: the pod must not be let in without (S20). */
  readonly lacksPromisedRole: boolean
  readonly outcome: LookupOutcome
}

/** Asks that a pod, or all pods of a ServiceAccount, are never let in without a role: the value `true`, on either. */
export const requireRoleAnnotation = 'require-role'

export class Snapshots {
  readonly #options: SnapshotsOptions
  /** What the annotations of one version say, read once: warnings are told once as well. */
  readonly #read = new WeakMap<StoredObject, ReadAccount>()

  constructor(options: SnapshotsOptions) {
    this.#options = options
  }

  /** Resolves at once, as a rule: with a value, not a promise, when the cache can answer. */
  take(key: ObjectKey, podRequiresRole: boolean, patience: Patience): TakenSnapshot | Promise<TakenSnapshot> {
    const snapshot = this.#snapshotOf(key, this.#now(key))
    if (snapshot.usesContainerCredentials || hasRole(snapshot)) {
      this.#options.metrics.lookups.add(hitLabels)
      return { snapshot, lacksPromisedRole: false, outcome: 'hit' }
    }
    if (snapshot.serviceAccount !== undefined && !podRequiresRole && this.#isBelieved(key)) {
      this.#options.metrics.lookups.add(hitLabels)
      return { snapshot, lacksPromisedRole: false, outcome: 'hit' }
    }
    return this.#takeLate(key, podRequiresRole, patience)
  }

  /** That it has no role, by the watch alone. Whoever is promised one waits for whatever can be found out. */
  #isBelieved(key: ObjectKey): boolean {
    const { behind, lookup, metrics } = this.#options
    if (lookup.confirmBudget === undefined) return !this.#isPromised(key)
    const isBelieved = behind?.steady.holds(key) === true && !this.#isPromised(key) && behind.checks.add(key)
    if (isBelieved) metrics.believed.add(providerLabels)
    return isBelieved
  }

  /** What is known by now, whoever brought it. */
  holding(key: ObjectKey): Holding {
    return this.#holdingIn(key, this.#now(key))
  }

  /** What the watches have brought by now. */
  watchedHolding(key: ObjectKey): Holding {
    const { accounts, configMap } = this.#options
    return this.#holdingIn(key, { account: accounts.watched(key), entries: configMap?.watched.entries })
  }

  #holdingIn(key: ObjectKey, sight: Sight): Holding {
    const snapshot = this.#snapshotOf(key, sight)
    if (hasRole(snapshot) || snapshot.usesContainerCredentials) return 'role'
    return this.#isPromisedIn(key, sight) ? 'promise' : 'nothing'
  }

  async #takeLate(key: ObjectKey, podRequiresRole: boolean, patience: Patience): Promise<TakenSnapshot> {
    const { clock } = this.#options
    const ms = Math.max(0, patience.untilMs - clock.monotonicMs())
    const scope = openScope({ parents: [patience.signal], deadline: { clock, ms, what: 'the review' } })
    try {
      return await this.#lookUp(key, podRequiresRole, scope.signal)
    } finally {
      scope.end()
    }
  }

  async #lookUp(key: ObjectKey, podRequiresRole: boolean, signal: AbortSignal): Promise<TakenSnapshot> {
    const { accounts, lookup, metrics } = this.#options
    const wasKnown = accounts.find(key) !== undefined
    if (!wasKnown) metrics.missingAccounts.add()
    const isSettled = (): boolean => this.holding(key) === 'role'
    let outcome = await lookUp(lookup, key, isSettled, signal)
    metrics.lookups.add({ provider, outcome })
    const lacks = (): boolean => !isSettled() && (podRequiresRole || this.#isPromised(key))
    if (lacks()) outcome = await this.#awaitRole(key, lacks, signal)
    return { snapshot: this.#snapshotOf(key, this.#now(key)), lacksPromisedRole: lacks(), outcome }
  }

  /** A role is coming: the pod is held until it is here, as long as there is time. */
  #awaitRole(key: ObjectKey, lacks: () => boolean, signal: AbortSignal): Promise<LookupOutcome> {
    const { holds, lookup } = this.#options
    return holds.hold({ key, lacks, ask: scope => lookUp(lookup, key, () => !lacks(), scope) }, signal)
  }

  #isPromised(key: ObjectKey): boolean {
    return this.#isPromisedIn(key, this.#now(key))
  }

  #isPromisedIn(key: ObjectKey, { account, entries }: Sight): boolean {
    const { flags, isPromised } = this.#options
    if (account !== undefined && annotationsOf(account)[`${flags.annotationPrefix}/${requireRoleAnnotation}`] === 'true')
      return true
    const entry = entries?.get(`${key.namespace}/${key.name}`) ?? entries?.get(`*/${key.name}`)
    return entry?.isPromised === true || isPromised(key)
  }

  #now(key: ObjectKey): Sight {
    const { accounts, configMap } = this.#options
    return { account: accounts.find(key), entries: configMap?.current.entries }
  }

  #snapshotOf(key: ObjectKey, { account, entries }: Sight): IdentitySnapshot {
    const { credentialsFile } = this.#options
    const id = entries === undefined && credentialsFile === undefined ? '' : `${key.namespace}/${key.name}`
    return {
      ...(account === undefined ? unknownAccount : this.#identityOf(account)),
      exactEntry: entries?.get(id),
      wildcardEntry: entries?.get(`*/${key.name}`),
      usesContainerCredentials: credentialsFile?.current.has(id) ?? false,
    }
  }

  #identityOf(account: StoredObject): ReadAccount {
    let read = this.#read.get(account)
    if (read === undefined) {
      const { namespace, name } = account.metadata
      const oddities: Oddity[] = []
      const serviceAccount = readServiceAccount(annotationsOf(account), this.#options.flags, (message, fields) => {
        oddities.push({ message, fields })
        this.#options.log.warn(message, { ...fields, namespace, serviceAccount: name })
      })
      this.#read.set(account, (read = { serviceAccount, oddities }))
    }
    return read
  }
}

type ReadAccount = Required<Pick<IdentitySnapshot, 'serviceAccount' | 'oddities'>>

const unknownAccount: ReadAccount = { serviceAccount: undefined, oddities: [] }

/** One look at what may name a role. */
interface Sight {
  readonly account: StoredObject | undefined
  readonly entries: RoleEntries['entries'] | undefined
}

const providerLabels = Object.freeze({ provider })
const hitLabels = Object.freeze({ provider, outcome: 'hit' })

function hasRole(snapshot: IdentitySnapshot): boolean {
  return roleSourceOf(snapshot) !== undefined
}
