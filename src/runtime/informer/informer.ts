// An informer keeps a cache in step with one kind of a cluster: list once, then follow the watch, for ever. Whatever happens to
// the connection, the server or the kind itself, it says that it is behind and tries again; it never dies, never shows half a
// list, and never lets an object go back to an older state (S18, B8, B26).
//
//   listing --list--> live --end, error, silence--> (pause) --> live again from the same position
//      ^                 \--expired, gap, audit--> listing
//
// Hazards it is built around: a stream that is silent is not a stream that is quiet, so silence has a deadline; a list may come
// from a server that is behind the one we saw, so versions are compared; a bookmark may run ahead of lines that never come, so
// a slow audit lists again.
import type { Clock, Log, Random } from '#base'
import { type ResourceType, resourceNameOf, type StoredObject } from '#kube'
import type { KubeClient, ListOptions, WatchEvent, WatchOptions } from '#kube/client'
import { Backoff } from '../queue/backoff.ts'
import { openScope, pause, type Scope, Stopped } from '../scope.ts'
import { Cache } from './cache.ts'
import type { InformerState } from './change.ts'
import { type InformerLimits, informerLimitsDefault } from './limits.ts'
import { Age, fetchPages, type ListedStore, takeInitial } from './listing.ts'
import { type Projection, projector } from './projection.ts'
import type { Sharing } from './sharing.ts'
import { Silence } from './silence.ts'
import { type Indexes, ObjectStore } from './store.ts'
import { readStatusWeather, readWeather, type Weather, weather } from './weather.ts'

export interface InformerOptions<T extends StoredObject> {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly type: ResourceType
  /** All namespaces when absent. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly metadataOnly?: boolean
  readonly project?: Projection<T>
  /** Of others that say the same of their objects. */
  readonly sharing?: Sharing
  readonly indexes?: Indexes<T>
  /** `stream` asks the server for the list as a stream of events (WatchList) and falls back to pages where it does not know how. */
  readonly listing?: 'stream' | 'pages'
  readonly limits?: Partial<InformerLimits>
  /** Whether somebody follows the definitions of kinds and calls `wake` when one comes: then a missing kind is seldom asked for. */
  readonly isToldOfKinds?: () => boolean
}

/** A stream that lived this long worked: its end is no failure. */
const healthyStreamMs = 1_000

export class Informer<T extends StoredObject = StoredObject> {
  readonly cache: Cache<T>
  readonly #options: InformerOptions<T>
  readonly #limits: InformerLimits
  readonly #backoff: Backoff
  readonly #backoffOfMissing: Backoff
  readonly #project: (object: StoredObject) => T
  readonly #age = new Age()
  #stateListeners: readonly ((state: InformerState) => void)[] = []
  #state: InformerState
  #unreadableAt: string | undefined
  #streamedList: boolean
  #auditDueMs = Number.POSITIVE_INFINITY
  #heardMs: number
  #stream: Scope | undefined
  #nap: Scope | undefined
  #lists = 0
  #watches = 0

  constructor(options: InformerOptions<T>) {
    this.#options = options
    this.#limits = options.limits === undefined ? informerLimitsDefault : { ...informerLimitsDefault, ...options.limits }
    this.#backoff = new Backoff(options.random, options.limits?.backoffMsMin === undefined ? backoffDefaults : this.#limits)
    this.#backoffOfMissing = new Backoff(options.random, { ...this.#limits, backoffMsMax: this.#limits.missingMsMax })
    this.#streamedList = (options.listing ?? 'stream') === 'stream'
    this.cache = new Cache(options.indexes)
    this.#project = projector(options)
    this.#heardMs = options.clock.monotonicMs()
    this.#state = { kind: 'behind', why: 'starting', message: 'not started', sinceMs: this.#heardMs }
  }

  get type(): ResourceType {
    return this.#options.type
  }

  get state(): InformerState {
    return this.#state
  }

  /** Milliseconds since the cache was last known to be in step with the server; 0 while a stream is live. */
  behindMs(): number {
    return this.#state.kind === 'live' ? 0 : this.#options.clock.monotonicMs() - this.#state.sinceMs
  }

  /** Milliseconds since the server last said anything on the stream, were it only a bookmark, or since the stream was opened. */
  silentMs(): number {
    return this.#options.clock.monotonicMs() - this.#heardMs
  }

  /** How often it listed and watched: a healthy informer's lists do not grow. */
  get counts(): { readonly lists: number; readonly watches: number; readonly events: number; readonly repeated: number } {
    return { lists: this.#lists, watches: this.#watches, ...this.cache.counts }
  }

  onState(listener: (state: InformerState) => void): () => void {
    this.#stateListeners = this.#stateListeners.concat(listener)
    return () => {
      this.#stateListeners = this.#stateListeners.filter(one => one !== listener)
    }
  }

  /**
   * Stops waiting and tries now, or when the server's Retry-After is over: something says that what was missing may be there. It may need
   * a moment more, or a request that was sent before may still be answered by a no: from now on tries are close together again.
   */
  wake(): void {
    this.#resetBackoff()
    this.#nap?.end(new Stopped('replaced', 'woken'))
  }

  /** Lists afresh: what the stream brought is in doubt. */
  relist(why: string): void {
    this.#lose()
    this.#stream?.end(new Stopped('replaced', why))
    this.wake()
  }

  /** Runs until the signal aborts. Never rejects for anything that the world does. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const streamedList = this.cache.position === undefined && this.#streamedList
      let outcome: Weather | undefined
      try {
        outcome = await this.#once(signal, streamedList)
      } catch (error) {
        outcome = this.#trouble(error, streamedList)
      }
      if (signal.aborted) break
      if (outcome !== undefined) await this.#wait(outcome, signal)
    }
    this.#setState({ kind: 'behind', why: 'stopped', message: 'stopped', sinceMs: this.#options.clock.monotonicMs() })
    this.cache.release()
  }

  /** One list, one watch, or both in one stream. `undefined` means: go on at once. */
  #once(signal: AbortSignal, streamedList: boolean): Promise<Weather | undefined> {
    return this.cache.position === undefined && !streamedList ? this.#listPages(signal) : this.#watch(signal, streamedList)
  }

  #trouble(error: unknown, streamedList: boolean): Weather | undefined {
    const found = readWeather(error, streamedList)
    if (found.noWatchList) {
      this.#streamedList = false
      return undefined
    }
    if (found.expired) this.#lose()
    return found
  }

  async #listPages(signal: AbortSignal): Promise<Weather | undefined> {
    this.#beginListing()
    const { client, indexes, type } = this.#options
    const list = { ...this.#scope(), signal, limit: this.#limits.pageSize }
    return this.#take(await fetchPages(client, type, { list, indexes, project: this.#project }))
  }

  /** Follows a stream until it ends. Its first part is the list itself when `streamedList` is set. */
  async #watch(signal: AbortSignal, streamedList: boolean): Promise<Weather | undefined> {
    const scope = openScope({ parents: [signal] })
    this.#stream = scope
    const isListing = (): boolean => streamedList && this.cache.position === undefined
    this.#heardMs = this.#options.clock.monotonicMs()
    const silence = new Silence({
      clock: this.#options.clock,
      healthyMs: healthyStreamMs,
      allowedMs: () => (isListing() ? this.#limits.listSilenceMs : this.#limits.silenceMs),
      silentMs: () => this.silentMs(),
      onHealthy: () => {
        if (!isListing()) this.#becomeLive()
      },
      onSilent: allowedMs => {
        // Perhaps it does not know how to stream a list, and will not say so.
        if (isListing()) this.#streamedList = false
        scope.end(new Stopped('stall', `the watch was silent for ${allowedMs} ms`))
      },
    })
    this.#watches++
    try {
      if (streamedList) this.#beginListing()
      const onOpened = (): void => {
        this.#heardMs = this.#options.clock.monotonicMs()
        silence.opened()
      }
      const ended = await this.#follow({ ...this.#watchOptions(scope.signal, streamedList), onOpened }, streamedList)
      if (ended !== undefined) return ended
      return silence.isHealthy ? undefined : weather('error', 'the watch ended as soon as it began')
    } catch (error) {
      if (isReplaced(scope.signal)) return undefined
      throw error
    } finally {
      silence.stop()
      scope.end()
      this.#stream = undefined
    }
  }

  async #follow(options: WatchOptions & { readonly signal: AbortSignal }, streamedList: boolean): Promise<Weather | undefined> {
    const { signal } = options
    let incoming = streamedList ? new ObjectStore<T>(this.#options.indexes) : undefined
    const stream = this.#options.client.watch(this.#options.type, options)
    for await (const event of stream) {
      if (signal.aborted) throw signal.reason
      this.#heardMs = this.#options.clock.monotonicMs()
      if (incoming === undefined) {
        const ended = this.#takeLive(event)
        if (ended !== undefined) return ended
        if (this.#heardMs >= this.#auditDueMs) return this.#lose()
      } else if (event.type === 'BOOKMARK' && event.initialEventsEnd) {
        const older = this.#take({ incoming, position: event.resourceVersion })
        if (older !== undefined) return older
        incoming = undefined
      } else {
        const ended = takeInitial(incoming, event, this.#project)
        if (ended !== undefined) return ended
      }
    }
    if (signal.aborted) throw signal.reason
    // A server that does not know the option sends the objects and never says that they were all: pages, from now on.
    if (incoming !== undefined) this.#streamedList = false
    return undefined
  }

  #takeLive(event: WatchEvent): Weather | undefined {
    switch (event.type) {
      case 'BOOKMARK':
        this.cache.advance(event.resourceVersion)
        break
      case 'ERROR': {
        const found = readStatusWeather(event.status)
        if (found.expired) this.#lose()
        return found
      }
      case 'UNREADABLE':
        // What it said is unknown, so nothing after it may be trusted: again from the position before it, and when it cannot be
        // read the second time either, past it by a list.
        if (this.#unreadableAt === this.cache.position) this.#lose()
        else this.#unreadableAt = this.cache.position
        return weather('error', `a line of the watch cannot be read: ${event.reason}`)
      default:
        if (this.cache.apply(event.type, this.#project(event.object as StoredObject)) === 'gap') {
          this.#lose()
          return weather('error', 'a line of the watch came out of order')
        }
    }
    this.#becomeLive()
    return undefined
  }

  /** Takes a list in, unless it is older than what we have seen. */
  #take({ incoming, position }: ListedStore<T>): Weather | undefined {
    const verdict = this.#age.judge(position)
    if (verdict.kind === 'older') {
      const message = `the server answered with version ${position}, older than ${verdict.than} seen before`
      return weather('older', message)
    }
    this.cache.replace(incoming, position, verdict.rewind)
    this.#setState({ kind: 'live' })
    const auditMs = this.#limits.auditMs
    this.#auditDueMs =
      auditMs === 0 ? Number.POSITIVE_INFINITY : this.#options.clock.monotonicMs() + auditMs * (1 + this.#options.random.float())
    return undefined
  }

  /** Gives the position up, so that a list comes next, but remembers how new it was. */
  #lose(): undefined {
    this.#age.saw(this.cache.position)
    this.cache.losePosition()
  }

  #beginListing(): void {
    this.#lists++
    if (this.cache.position === undefined && this.#state.kind === 'live') {
      this.#setState({ kind: 'listing', sinceMs: this.#options.clock.monotonicMs() })
    }
  }

  /** A line came, or the stream stood for a while: whatever was wrong before is over. */
  #becomeLive(): void {
    this.#resetBackoff()
    if (this.#state.kind !== 'live') this.#setState({ kind: 'live' })
  }

  #resetBackoff(): void {
    this.#backoff.reset('')
    this.#backoffOfMissing.reset('')
  }

  async #wait(found: Weather, signal: AbortSignal): Promise<void> {
    const sinceMs = this.#state.kind === 'live' ? this.#options.clock.monotonicMs() : this.#state.sinceMs
    this.#setState({ kind: 'behind', why: found.why, message: found.message, sinceMs })
    const askedMs = found.retryAfterMs ?? 0
    const willBeWoken = found.why === 'kind-missing' && this.#options.isToldOfKinds?.() === true
    const backoff = willBeWoken ? this.#backoffOfMissing : this.#backoff
    const delayMs = Math.max(backoff.next(''), askedMs)
    this.#options.log.debug('informer waits', {
      kind: resourceNameOf(this.type),
      why: found.why,
      message: found.message,
      delayMs,
    })
    const nap = openScope({ parents: [signal] })
    this.#nap = nap
    // Who wakes us knows better than our own back-off, but not better than a server that asks for patience, within reason.
    const owedMs = Math.min(askedMs, this.#limits.backoffMsMax)
    await pause(this.#options.clock, owedMs, signal)
    await pause(this.#options.clock, delayMs - owedMs, nap.signal)
    nap.end()
    this.#nap = undefined
  }

  #setState(state: InformerState): void {
    this.#state = state
    for (const listener of this.#stateListeners) listener(state)
  }

  #scope(): Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector' | 'metadataOnly' | 'fieldManagers'> {
    const { namespace, labelSelector, fieldSelector, metadataOnly, project } = this.#options
    return {
      ...(project?.fieldManagers === undefined ? {} : { fieldManagers: project.fieldManagers }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(metadataOnly === undefined ? {} : { metadataOnly }),
    }
  }

  #watchOptions(signal: AbortSignal, streamedList: boolean): WatchOptions & { readonly signal: AbortSignal } {
    const position = this.cache.position
    const seconds = Math.round((this.#limits.watchMs / 1_000) * (1 + this.#options.random.float()))
    return {
      ...this.#scope(),
      signal,
      allowBookmarks: true,
      timeoutSeconds: seconds,
      ...(streamedList ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } : {}),
      ...(position === undefined ? {} : { resourceVersion: position }),
    }
  }
}

const backoffDefaults = { backoffMsMin: informerLimitsDefault.backoffMsMin, backoffMsMax: informerLimitsDefault.backoffMsMax }

function isReplaced(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Stopped && signal.reason.why === 'replaced'
}
