// All informers of one cluster: one per kind and namespace, shared by whoever asks for the kind.
import { Bug, type Clock, invariant, type Log, type Random } from '#base'
import { customResourceDefinitions, type ObjectKey, type ResourceType, resourceNameOf, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { dependencyOf } from '../plan/target.ts'
import { Trouble } from '../plan/trouble.ts'
import { openScope } from '../scope.ts'
import type { Change, InformerState, Listener } from './change.ts'
import { Informer } from './informer.ts'
import type { InformerLimits } from './limits.ts'
import { keepOwnFields } from './projection.ts'
import type { SharingByKind } from './sharing.ts'
import type { Source } from './source.ts'
import { fieldSelectorOf, isSameScope, isSettled, isWhole, type KindView, partId, safeIndexes, sourceId, viewId } from './view.ts'

export interface CachesOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Absent for the hub. */
  readonly cluster?: string
  /** The field managers whose field sets are kept in cached objects. */
  readonly fieldManagers: readonly string[]
  readonly limits?: Partial<InformerLimits>
  readonly listing?: 'stream' | 'pages'
  /** Longest time of a live read. */
  readonly callTimeoutMs?: number
  /** What it shares with the caches of other clusters. */
  readonly sharing?: SharingByKind
  readonly onState?: (type: ResourceType, state: InformerState) => void
  readonly onMove?: (move: CacheMove) => void
}

/** A change as a cache went through it: for tests and the simulator. */
export interface CacheMove {
  /** The member of the fleet, the kind, and the namespace where the cache holds only one. */
  readonly cache: string
  /** Which of its lists the change belongs to; the streams that resume from one list count as one connection. */
  readonly listing: number
  readonly change: Change
}

/** A list of a few objects from a server that answers; longer, and whoever asked says that it is being listed. */
const firstListMs = 2_000

export class Caches {
  readonly #options: CachesOptions
  readonly #views = new Map<string, KindView>()
  #running: { readonly signal: AbortSignal; readonly tasks: Set<Promise<void>> } | undefined

  constructor(options: CachesOptions) {
    this.#options = options
  }

  get client(): KubeClient {
    return this.#options.client
  }

  /** Asks for a kind, before the start. The listener hears every change from the first list on. */
  want(source: Source, listener?: Listener): void {
    const id = sourceId(source)
    let view = this.#views.get(id)
    if (view === undefined) {
      view = {
        source,
        project: source.project,
        indexes: {},
        listeners: [],
        isAsleep: source.whenRead === true,
        informers: new Map(),
      }
      this.#views.set(id, view)
    } else {
      invariant(this.#running === undefined, 'a kind was asked for twice, the second time after the start', id)
      invariant(isSameScope(view.source, source), 'two controllers ask for different parts of one kind; ask for both in both', id)
      if (view.project !== source.project) view.project = undefined
      if (source.whenRead !== true) view.isAsleep = false
    }
    for (const [name, index] of Object.entries(source.indexes ?? {})) {
      invariant(view.indexes[name] === undefined || view.indexes[name] === index, 'two indexes have one name', `${id} ${name}`)
      view.indexes[name] = index
    }
    if (listener !== undefined) view.listeners = [...view.listeners, listener]
  }

  /** Starts all informers; they end with the signal, and `stopped` resolves when they have. */
  start(signal: AbortSignal): void {
    invariant(this.#running === undefined, 'the caches were started twice')
    this.#running = { signal, tasks: new Set() }
    for (const view of this.#views.values()) if (!view.isAsleep) this.#follow(view, signal)
  }

  async stopped(): Promise<void> {
    if (this.#running !== undefined) await Promise.all(this.#running.tasks)
  }

  /** Resolves when the caches (of these kinds) hold whole lists; rejects when the signal aborts first. */
  async whenSynced(signal: AbortSignal, types?: readonly ResourceType[]): Promise<void> {
    const wanted = types === undefined ? undefined : new Set(types.map(viewId))
    for (const [view, informer] of this.#followed()) {
      if (wanted !== undefined && !wanted.has(viewId(informer.type))) continue
      if (isSettled(view, informer)) continue
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          off()
          reject(signal.reason as Error)
        }
        const off = informer.onState(() => {
          if (!isSettled(view, informer)) return
          off()
          signal.removeEventListener('abort', onAbort)
          resolve()
        })
        if (signal.aborted) onAbort()
        else signal.addEventListener('abort', onAbort, { once: true })
      })
    }
  }

  *informers(): IterableIterator<Informer> {
    for (const [, informer] of this.#followed()) yield informer
  }

  /** Informers that have no whole list yet and will have one. A kind that may be missing, and is, keeps nobody waiting. */
  *unsettled(): IterableIterator<Informer> {
    for (const [view, informer] of this.#followed()) if (!isSettled(view, informer)) yield informer
  }

  *#followed(): IterableIterator<readonly [KindView, Informer]> {
    for (const view of this.#views.values()) for (const informer of view.informers.values()) yield [view, informer]
  }

  /** Whether what is cached of the kind is a whole list. */
  isSynced(type: ResourceType): boolean {
    const view = this.#views.get(viewId(type))
    if (view === undefined) return true
    this.#wakeUp(view)
    return isWhole(view)
  }

  /** Wakes kinds that were asleep; where all else is in step, their first lists are a moment away and are waited for. */
  async followAll(types: readonly ResourceType[], signal: AbortSignal): Promise<void> {
    const asleep = types.filter(type => this.#views.get(viewId(type))?.isAsleep === true)
    const isInStep = [...this.informers()].every(({ state }) => state.kind === 'live')
    // Whoever asks wakes them.
    for (const type of asleep) this.isSynced(type)
    if (asleep.length === 0 || !isInStep) return
    const scope = openScope({
      parents: [signal],
      deadline: { clock: this.#options.clock, ms: firstListMs, what: 'the first list' },
    })
    try {
      await this.whenSynced(scope.signal, asleep)
    } catch (error) {
      if (!scope.signal.aborted) throw error
      signal.throwIfAborted()
    } finally {
      scope.end()
    }
  }

  /** For how long the kind was not followed; 0 where nobody wanted it so far. */
  behindMs(type: ResourceType): number {
    const view = this.#views.get(viewId(type))
    if (view !== undefined) this.#wakeUp(view)
    return Math.max(0, ...this.informersOf(type).map(informer => informer.behindMs()))
  }

  /** The caches from which objects of the kind are read. */
  informersOf(type: ResourceType): readonly Informer[] {
    return [...(this.#views.get(viewId(type))?.informers.values() ?? [])]
  }

  has(type: ResourceType): boolean {
    return this.#views.has(viewId(type))
  }

  /** The informer that follows this object. */
  informerOf(type: ResourceType, { namespace, name }: ObjectKey): Informer | undefined {
    const informers = this.#views.get(viewId(type))?.informers
    for (const part of [
      { namespace: '', name: '' },
      { namespace, name: '' },
      { namespace: '', name },
      { namespace, name },
    ]) {
      const informer = informers?.get(partId(part))
      if (informer !== undefined) return informer
    }
    return undefined
  }

  /** Whether the cache keeps less than the whole object, or sees only some of them. */
  isPartial(type: ResourceType): boolean {
    const view = this.#views.get(viewId(type))
    return view !== undefined && (view.project !== undefined || view.source.metadataOnly === true)
  }

  /** Whether an object that is not in the cache may exist all the same. */
  isFiltered(type: ResourceType): boolean {
    const source = this.#views.get(viewId(type))?.source
    return source?.labelSelector !== undefined || source?.fieldSelector !== undefined || source?.names !== undefined
  }

  find(type: ResourceType, key: ObjectKey): StoredObject | undefined {
    this.#view(type)
    return this.informerOf(type, key)?.cache.store.get(key.namespace, key.name)
  }

  list(type: ResourceType, namespace?: string): StoredObject[] {
    const found: StoredObject[] = []
    for (const informer of this.#view(type).informers.values()) found.push(...informer.cache.store.values(namespace))
    return found
  }

  byIndex(type: ResourceType, index: string, value: string): StoredObject[] {
    return [...this.#view(type).informers.values()].flatMap(informer => {
      const found = informer.cache.store.byIndex(index, value)
      if (found === undefined) throw new Bug('there is no such index', `${viewId(type)} ${index}`)
      return found
    })
  }

  /** Throws `Trouble` (wait) until the cache holds a whole list: before, it cannot say what is not there. */
  requireSynced(type: ResourceType): void {
    if (isWhole(this.#view(type))) return
    const message = `what is cached of ${resourceNameOf(type)} is not whole yet`
    throw new Trouble({ kind: 'wait', reason: 'CacheStarting', message, dependency: dependencyOf(this.#options.cluster) })
  }

  #view(type: ResourceType): KindView {
    const view = this.#views.get(viewId(type))
    if (view === undefined) throw new Bug('a kind was read from the cache that nobody watches', viewId(type))
    this.#wakeUp(view)
    return view
  }

  /** Somebody reads what was not followed so far. */
  #wakeUp(view: KindView): void {
    if (!view.isAsleep || this.#running === undefined || this.#running.signal.aborted) return
    view.isAsleep = false
    this.#follow(view, this.#running.signal)
  }

  #follow(view: KindView, signal: AbortSignal): void {
    for (const namespace of view.source.namespaces ?? ['']) {
      for (const name of view.source.names ?? ['']) this.#startInformer(view, { namespace, name }, signal)
    }
  }

  /** A definition came or changed: whoever found its kind missing asks again now, and not when its patience is over (L7). */
  #wakeMissing(definition: string): void {
    for (const informer of this.informers()) {
      const { state } = informer
      const isMissing = state.kind === 'behind' && state.why === 'kind-missing'
      if (isMissing && resourceNameOf(informer.type) === definition) informer.wake()
    }
  }

  #startInformer(view: KindView, part: ObjectKey, signal: AbortSignal): void {
    const { namespace, name } = part
    const { client, clock, random, log, limits, listing, fieldManagers, sharing, onState, onMove } = this.#options
    const { type, labelSelector, metadataOnly } = view.source
    const fieldSelector = fieldSelectorOf(view.source, name)
    const informer = new Informer({
      client,
      clock,
      random: random.fork(`${sourceId(view.source)}/${partId(part)}`),
      log,
      type,
      isToldOfKinds: () => this.informersOf(customResourceDefinitions).some(({ state }) => state.kind === 'live'),
      project: view.project ?? keepOwnFields(fieldManagers),
      indexes: safeIndexes(view.indexes, log),
      ...(sharing === undefined ? {} : { sharing: sharing.of(sourceId(view.source)) }),
      ...(namespace === '' ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(metadataOnly === undefined ? {} : { metadataOnly }),
      ...(limits === undefined ? {} : { limits }),
      ...(listing === undefined ? {} : { listing }),
    })
    view.informers.set(partId(part), informer)
    if (onState !== undefined) informer.onState(state => onState(type, state))
    informer.cache.listen((change: Change) => {
      // The name is made where somebody asks: it would be held for every cache of every cluster.
      onMove?.({
        cache: `${this.#options.cluster ?? ''} ${sourceId(view.source)} ${partId(part)}`,
        listing: informer.counts.lists,
        change,
      })
      if (type.group === 'apiextensions.k8s.io') this.#wakeMissing(change.object.metadata.name)
      for (const listener of view.listeners) listener(change)
    })
    const tasks = this.#running?.tasks
    const task = informer.run(signal).finally(() => tasks?.delete(task))
    tasks?.add(task)
  }
}
