// The ServiceAccounts as the webhook knows them: a cache that follows the API server, and beside it what direct reads brought before the
// watch did. Whoever waits for one is told when something new is known of it.
import { type Clock, given, type Log, type Random } from '#base'
import { type ObjectKey, renderKey, type StoredObject, serviceAccounts } from '#kube'
import type { KubeClient } from '#kube/client'
import { type Change, compareVersions, Informer, type InformerLimits } from '#runtime'
import { annotationsOf, keepAnnotations } from './account.ts'

export interface AccountsOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Whose annotations are kept. */
  readonly annotationPrefixes: readonly string[]
  /** What says that a ServiceAccount has an identity: its events are told. */
  readonly identityAnnotations: readonly string[]
  /** 5: also what the first list brought. */
  readonly verbosity?: number
  readonly limits?: Partial<InformerLimits>
  /** Called with the id of each that is made, changed or removed after the first list. */
  readonly onChange?: (id: string) => void
}

interface Learned {
  readonly account: StoredObject
  readonly untilMs: number
}

/** What a direct read brought is believed this long without the watch: one that lags longer is answered by another read. */
const learnedMs = 60_000
const learnedMax = 1_000
/** Small enough that no review waits noticeably while a page is parsed. */
const pageSize = 250

export class Accounts {
  readonly informer: Informer
  readonly #client: KubeClient
  readonly #clock: Clock
  readonly #project: (object: StoredObject) => StoredObject
  readonly #learned = new Map<string, Learned>()
  readonly #waiters = new Map<string, Set<() => void>>()
  #running: Promise<void> | undefined

  constructor(options: AccountsOptions) {
    this.#client = options.client
    this.#clock = options.clock
    const { onChange } = options
    const project = keepAnnotations(options.annotationPrefixes)
    this.#project = project
    this.informer = new Informer({
      client: options.client,
      clock: options.clock,
      random: options.random.fork('serviceaccounts'),
      log: options.log,
      type: serviceAccounts,
      metadataOnly: true,
      project,
      // Pages: a page's JSON is bounded, and every server knows them.
      listing: 'pages',
      ...given({ limits: options.limits }),
    })
    const tell = eventTeller(options)
    this.informer.cache.listen(change => {
      tell(change)
      const { kind, object } = change
      const isNews = change.kind !== 'added' || !change.initial
      const isAwaited = this.#learned.size > 0 || this.#waiters.size > 0
      if (!isNews && !isAwaited) return
      const id = renderKey(object.metadata as ObjectKey)
      if (isNews) onChange?.(id)
      const learned = this.#learned.get(id)
      if (learned !== undefined && (kind === 'removed' || !isNewer(learned.account, object))) this.#learned.delete(id)
      this.#tell(id)
    })
  }

  /** The whole list was taken in once. */
  get synced(): boolean {
    return this.informer.cache.synced
  }

  get size(): number {
    return this.informer.cache.store.size
  }

  /** How many are waited for. */
  get awaited(): number {
    return this.#waiters.size
  }

  /** The newest that is known. */
  find(key: ObjectKey): StoredObject | undefined {
    const held = this.watched(key)
    if (this.#learned.size === 0) return held
    const id = renderKey(key)
    const learned = this.#learned.get(id)
    if (learned === undefined) return held
    if (learned.untilMs <= this.#clock.monotonicMs()) {
      this.#learned.delete(id)
      return held
    }
    return held === undefined || isNewer(learned.account, held) ? learned.account : held
  }

  /** What the watch has brought, whatever was read beside it. */
  watched(key: ObjectKey): StoredObject | undefined {
    return this.informer.cache.store.get(key.namespace, key.name)
  }

  /** Takes in what a direct read brought, unless the watch has been faster (2.10.2). */
  learn(read: StoredObject): void {
    const account = this.#project(read)
    const key = { namespace: account.metadata.namespace ?? '', name: account.metadata.name }
    const held = this.watched(key)
    if (held !== undefined && !isNewer(account, held)) return
    const id = renderKey(key)
    this.#learned.delete(id)
    if (this.#learned.size >= learnedMax) for (const oldest of this.#learned.keys()) if (this.#learned.delete(oldest)) break
    this.#learned.set(id, { account, untilMs: this.#clock.monotonicMs() + learnedMs })
    this.#tell(id)
  }

  /** Reads them all past the cache, as they are at this moment or later, and takes in what the watch has not brought. */
  async readAll(signal: AbortSignal): Promise<void> {
    let next: string | undefined
    do {
      const from = next === undefined ? {} : { continue: next }
      const page = await this.#client.list(serviceAccounts, { metadataOnly: true, limit: pageSize, signal, ...from })
      for (const account of page.items) {
        const held = this.watched({ namespace: account.metadata.namespace ?? '', name: account.metadata.name })
        if (held?.metadata.resourceVersion !== account.metadata.resourceVersion) this.learn(account)
      }
      next = page.metadata.continue
    } while (next !== undefined && next !== '')
  }

  /** Calls `news` whenever something changed about this ServiceAccount, until the function it gives is called. */
  onNews(key: ObjectKey, news: () => void): () => void {
    const id = renderKey(key)
    let waiters = this.#waiters.get(id)
    if (waiters === undefined) this.#waiters.set(id, (waiters = new Set()))
    waiters.add(news)
    return () => {
      waiters.delete(news)
      if (waiters.size === 0 && this.#waiters.get(id) === waiters) this.#waiters.delete(id)
    }
  }

  /** Forgets what direct reads brought and lists afresh; what the cache holds stays until the list is there. */
  refresh(): void {
    this.#learned.clear()
    this.informer.relist('asked for')
  }

  *all(): IterableIterator<StoredObject> {
    yield* this.informer.cache.store.values()
  }

  /** Something else than a ServiceAccount changed that may answer those who wait. */
  tellAll(): void {
    for (const id of this.#waiters.keys()) this.#tell(id)
  }

  /** Once, however many providers read them. */
  run(signal: AbortSignal): Promise<void> {
    this.#running ??= this.informer.run(signal)
    return this.#running
  }

  #tell(id: string): void {
    for (const news of this.#waiters.get(id) ?? []) news()
  }
}

/** Lines about ServiceAccounts that name an identity (§2.18), and none about those that changed in nothing that is read here. */
function eventTeller({ log, identityAnnotations, verbosity = 0 }: AccountsOptions): (change: Change) => void {
  const roleOf = (account: StoredObject): string | undefined =>
    identityAnnotations.map(name => annotationsOf(account)[name]).find(value => value !== undefined)
  return change => {
    const { kind, object } = change
    if (change.kind === 'added' && change.initial && verbosity < 5) return
    const [now, before] = [roleOf(object), change.kind === 'changed' ? roleOf(change.previous) : undefined]
    if (now === undefined && before === undefined) return
    if (change.kind === 'changed' && isSameAnnotations(annotationsOf(object), annotationsOf(change.previous))) return
    const { namespace, name } = object.metadata
    log.info(`ServiceAccount ${kind}`, { namespace, serviceAccount: name, role: (now ?? '').slice(0, 256) })
  }
}

function isSameAnnotations(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => a[key] === b[key])
}

/** Versions that cannot be compared: what was read directly is believed. */
function isNewer(a: StoredObject, b: StoredObject): boolean {
  return (compareVersions(a.metadata.resourceVersion, b.metadata.resourceVersion) ?? 1) > 0
}
