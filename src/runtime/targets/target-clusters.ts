// Clusters other than the hub, which come and go. Each member has caches and a life of its own; nothing that concerns all
// ever waits for one of them, so that a dead member delays nobody (B28).
import type { Clock, Log, Random } from '#base'
import { invariant } from '#base'
import type { KubeClient } from '#kube/client'
import { type CacheMove, Caches } from '../informer/caches.ts'
import type { Change } from '../informer/change.ts'
import type { InformerLimits } from '../informer/limits.ts'
import type { Reads } from '../informer/reads.ts'
import { readsOver } from '../informer/reads-over.ts'
import { SharingByKind } from '../informer/sharing.ts'
import type { Source } from '../informer/source.ts'
import { openScope, type Scope, Stopped } from '../scope.ts'
import { TargetPatience } from './target-patience.ts'

export interface TargetClustersOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly fieldManagers: readonly string[]
  readonly limits?: Partial<InformerLimits>
  readonly listing?: 'stream' | 'pages'
  readonly callTimeoutMs?: number
  readonly onMove?: (move: CacheMove) => void
}

/** What is watched in every member. */
export interface ClusterSource {
  readonly source: Source
  readonly listener: (cluster: string, change: Change) => void
}

interface Member {
  readonly client: KubeClient
  readonly caches: Caches
  readonly strict: Reads
  readonly lenient: Reads
  readonly scope: Scope
  readonly patience: TargetPatience
}

/** Names become part of keys, labels and file-free places only, but keep them as plain as Kubernetes' own. */
const namePattern = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/

export class TargetClusters {
  readonly #options: TargetClustersOptions
  readonly #members = new Map<string, Member>()
  readonly #sources: ClusterSource[] = []
  readonly #sharing = new SharingByKind()
  readonly #listeners: ((cluster: string, event: 'joined' | 'left') => void)[] = []
  readonly #backListeners: ((cluster: string) => void)[] = []
  readonly #awayListeners: ((cluster: string) => void)[] = []
  readonly #leaving = new Set<Promise<void>>()
  #running: AbortSignal | undefined
  #joined = 0

  constructor(options: TargetClustersOptions) {
    this.#options = options
  }

  /** Before the start. */
  want(source: ClusterSource): void {
    invariant(this.#running === undefined, 'the caches of the targets were started already')
    this.#sources.push(source)
  }

  onChange(listener: (cluster: string, event: 'joined' | 'left') => void): void {
    this.#listeners.push(listener)
  }

  /** A member's caches are in step, for the first time or again. */
  onBack(listener: (cluster: string) => void): void {
    this.#backListeners.push(listener)
  }

  /** A member has not been followed for longer than our patience; once, until it is back. */
  onAway(listener: (cluster: string) => void): void {
    this.#awayListeners.push(listener)
  }

  start(signal: AbortSignal): void {
    this.#running = signal
    for (const member of this.#members.values()) member.caches.start(member.scope.signal)
  }

  /** Adds a member, or gives it another client: its credentials changed, or the cluster behind the name did. */
  join(name: string, client: KubeClient): void {
    invariant(namePattern.test(name), 'this is no name for a cluster', name)
    if (this.#members.get(name)?.client === client) return
    this.leave(name)
    const scope = openScope({ parents: [this.#running] })
    const { onMove } = this.#options
    const joined = ++this.#joined
    const caches = new Caches({
      ...this.#options,
      // A member that joins again begins anew: its caches are no later state of those that it had before.
      ...(onMove === undefined ? {} : { onMove: move => onMove({ ...move, cache: `${move.cache} of join ${joined}` }) }),
      client,
      cluster: name,
      sharing: this.#sharing,
      random: this.#options.random.fork(name),
      log: this.#options.log.with({ cluster: name }),
      onState: (_type, state) => {
        patience.look()
        if (state.kind !== 'live') return
        for (const listener of this.#backListeners) listener(name)
      },
    })
    const patience = new TargetPatience({
      clock: this.#options.clock,
      behindMs: () => behindMsOf(caches),
      onAway: () => {
        for (const listener of this.#awayListeners) listener(name)
      },
    })
    for (const { source, listener } of this.#sources) caches.want(source, change => listener(name, change))
    const reads = (strict: boolean): Reads => {
      const { callTimeoutMs } = this.#options
      return readsOver(caches, { cluster: other => this.reads(other, strict), names: () => this.names(), strict, callTimeoutMs })
    }
    this.#members.set(name, { client, caches, scope, patience, strict: reads(true), lenient: reads(false) })
    if (this.#running !== undefined) caches.start(scope.signal)
    for (const listener of this.#listeners) listener(name, 'joined')
  }

  /** Forgets a member; its caches stop, and what was cached is not taken as deleted. The client is its owner's to close. */
  leave(name: string): void {
    const member = this.#members.get(name)
    if (member === undefined) return
    this.#members.delete(name)
    member.patience.end()
    member.scope.end(new Stopped('stop', `cluster ${name} left the fleet`))
    const stopping = member.caches.stopped().finally(() => this.#leaving.delete(stopping))
    this.#leaving.add(stopping)
    for (const listener of this.#listeners) listener(name, 'left')
  }

  names(): readonly string[] {
    return [...this.#members.keys()].sort()
  }

  /** `strict` ones refuse to say that something is absent while they cannot know. */
  reads(name: string, strict = true): Reads | undefined {
    const member = this.#members.get(name)
    return strict ? member?.strict : member?.lenient
  }

  caches(name: string): Caches | undefined {
    return this.#members.get(name)?.caches
  }

  *members(): IterableIterator<readonly [string, Caches]> {
    for (const [name, member] of this.#members) yield [name, member.caches]
  }

  /** Resolves when all informers have ended, after the start's signal aborted. */
  async stopped(): Promise<void> {
    for (const { patience, scope } of this.#members.values()) {
      patience.end()
      scope.end(new Stopped('stop', 'the manager stops'))
    }
    await Promise.all([...this.#members.values()].map(member => member.caches.stopped()))
    await Promise.all(this.#leaving)
  }
}

/** Of the kind that is behind most. A kind that the cluster does not know says nothing of the cluster. */
function behindMsOf(caches: Caches): number {
  let longest = 0
  for (const informer of caches.informers()) {
    const { state } = informer
    if (state.kind === 'behind' && state.why === 'kind-missing') continue
    longest = Math.max(longest, informer.behindMs())
  }
  return longest
}
