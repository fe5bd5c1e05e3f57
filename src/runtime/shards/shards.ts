// Several replicas share the work of one operator: the claims' namespaces fall into shards, each shard has a lease, and each replica holds as
// many of them as is its share among those that are alive. Safety is the leases' alone: what a replica believes of the others decides only
// which leases it tries for, and when it lets go. Who is alive is said by a lease of each member's own. Into how many shards the work is divided
// is said by one lease that all who divide it alike hold together: a shard's fence is open only while its lease and that one are both proved.
//
//   joins: it writes its own lease; the others see it, end the work of what is too many, and let go; it takes what is free
//   dies:  its leases run out at about the same time; the others take what it had
//   wakes: the fences of its shards are shut by the clock, and the leases tell it who has them now
//   fails: it renews its own lease and not that of a shard for as long as a lease holds; it stands back, and takes part again later
import { type Clock, invariant, type Log, type Random, type Timer } from '#base'
import { keyOf, leases } from '#kube'
import type { KubeClient } from '#kube/client'
import type { ClaimKey } from '../claim-key.ts'
import { Election, type ElectionOptions, leaseDurationMsDefault } from '../election/election.ts'
import type { Fence } from '../election/fence.ts'
import type { Term, Terms } from '../election/terms.ts'
import { Informer } from '../informer/informer.ts'
import { openScope, Stopped } from '../scope.ts'
import { assignShards } from './assign.ts'
import { bothFences } from './both-fences.ts'
import { HeldShard } from './held-shard.ts'
import { LeaseBoard, type SeenLease } from './lease-board.ts'
import { divisionIdentity, divisionOf, memberLeaseName, shardLeaseName } from './lease-names.ts'
import { shardOf } from './shard-of.ts'

export interface ShardsOptions extends Omit<ElectionOptions, 'watch' | 'isWanted' | 'holding' | 'onChange' | 'onFailed'> {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Into how many parts the work is divided: the same number in all replicas. */
  readonly count: number
  readonly onChange?: (shard: number, held: boolean) => void
}

/** What happens when a shard comes and goes. */
export interface ShardsWork {
  /** Called when the shard is held: its claims are worked on by this replica from now on. */
  onTaken(shard: number): void
  /** They are not any more, and nothing of their work is under way. */
  onGiven(shard: number): void
  /** Runs beside the first shard. */
  beside(term: AbortSignal): Promise<void>
}

/** What a member left behind is swept away after this long. */
const sweepMs = 600_000
/** A replica that stood back again and again takes part again after this long at most. */
const standsBackMsMax = 600_000

export class Shards implements Terms {
  readonly #options: ShardsOptions
  readonly #board: LeaseBoard
  readonly #member: Election
  readonly #division: Election
  readonly #elections: readonly Election[]
  readonly #holdings = new Map<number, HeldShard>()
  #wanted: ReadonlySet<number> = new Set()
  #isListed = false
  #next: Timer | undefined
  #trouble: string | undefined
  /** How often this replica stood back since it last got the lease of a shard, and when it takes part again. */
  #stoodBack = 0
  #return: Timer | undefined

  constructor(options: ShardsOptions) {
    invariant(options.count >= 1, 'there is at least one shard')
    this.#options = options
    const { lease, count, clock, random, identity, onChange } = options
    const leasesOf = { ...lease, count }
    this.#board = new LeaseBoard(clock, lease.name)
    const own = { ...lease, name: memberLeaseName(leasesOf, identity) }
    const { onChange: _, ...common } = options
    this.#member = new Election({
      ...common,
      lease: own,
      holding: 'alone',
      watch: false,
      random: random.fork('member'),
      isWanted: () => this.#return === undefined,
      onChange: () => this.#joined(),
    })
    this.#division = new Election({
      ...common,
      identity: divisionIdentity(count),
      holding: 'together',
      watch: false,
      random: random.fork('division'),
      onChange: () => this.#plan(),
    })
    this.#elections = Array.from({ length: count }, (_each, shard) => {
      const name = shardLeaseName(leasesOf, shard)
      return new Election({
        ...common,
        lease: { ...lease, name },
        random: random.fork(name),
        watch: false,
        isWanted: () => this.#wanted.has(shard),
        onFailed: forMs => this.#onFailed(name, forMs),
        onChange: held => {
          if (held) this.#stoodBack = 0
          onChange?.(shard, held)
          this.#plan()
        },
      })
    })
  }

  /** The fence of this replica, whatever it holds. */
  get process(): Fence {
    return this.#member
  }

  of({ cluster, namespace }: Pick<ClaimKey, 'cluster' | 'namespace'>): Term | undefined {
    return this.#holdings.get(this.shardOf({ cluster, namespace }))
  }

  /** By its namespace in the hub; what is in another cluster goes with that cluster, whose namespace in the hub has its name. */
  shardOf({ cluster, namespace }: Pick<ClaimKey, 'cluster' | 'namespace'>): number {
    return shardOf(cluster === '' ? namespace : cluster, this.#options.count)
  }

  /** The shards that are held, in order. */
  get held(): readonly number[] {
    return [...this.#holdings.keys()].sort((a, b) => a - b)
  }

  /** How many replicas are alive, as far as this one sees. */
  get members(): number {
    return this.#members().length
  }

  /** Why this replica takes nothing, where somebody else works by another division. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Takes part until the signal aborts; then hands over what it has. */
  async run(signal: AbortSignal, work: ShardsWork): Promise<void> {
    const last = openScope({})
    const watching = this.#watch(last.signal)
    const shards = this.#elections.map((election, shard) => election.run(signal, term => this.#hold(shard, election, term, work)))
    const membership = openScope({})
    const belonging = [this.#member, this.#division].map(one => one.run(membership.signal, term => untilAborted(term)))
    try {
      await Promise.all(shards)
    } finally {
      // The others count this one until it has let go of everything.
      membership.end(new Stopped('stop', 'the replica leaves'))
      await Promise.all(belonging)
      this.#return?.cancel()
      last.end(new Stopped('stop', 'the replica leaves'))
      await watching
      this.#next?.cancel()
    }
  }

  async #hold(shard: number, fence: Fence, term: AbortSignal, { onTaken, onGiven, beside }: ShardsWork): Promise<void> {
    const holding = new HeldShard(bothFences(this.#division, fence), term)
    this.#holdings.set(shard, holding)
    onTaken(shard)
    await Promise.all([untilAborted(term), shard === 0 ? beside(term) : undefined])
    this.#holdings.delete(shard)
    await holding.whenQuiet()
    onGiven(shard)
  }

  #joined(): void {
    // Who was cut off itself cannot know that the others were silent.
    this.#board.forgive()
    this.#plan()
  }

  /** Which leases to try for and which to let go of. */
  #plan(): void {
    const before = this.#wanted
    this.#wanted = this.#choose()
    for (const [shard, election] of this.#elections.entries())
      if (before.has(shard) !== this.#wanted.has(shard)) election.reconsider()
    this.#arm()
  }

  #choose(): ReadonlySet<number> {
    const { identity } = this.#options
    this.#tellTrouble(this.#rival())
    if (!this.#isListed || !this.#member.leading || !this.#division.leading) return new Set()
    const holders = this.#elections.map((election, shard) => (election.leading ? identity : this.#otherHolder(shard)))
    const assigned = assignShards({ members: this.#members(), holders })
    return new Set(assigned.flatMap((member, shard) => (member === identity ? [shard] : [])))
  }

  /** Our own lease as the watch last saw it may be one that we have let go of since. */
  #otherHolder(shard: number): string | undefined {
    const holder = this.#board.holderOf(shardLeaseName({ ...this.#options.lease, count: this.#options.count }, shard))
    return holder === this.#options.identity ? undefined : holder
  }

  #members(): readonly string[] {
    const { identity, count } = this.#options
    const others = this.#board
      .living()
      .flatMap(({ is, lease }) => (is.kind === 'member' && is.of === count ? (lease.spec.holderIdentity ?? []) : []))
    return [...new Set([...others, ...(this.#member.leading ? [identity] : [])])].sort()
  }

  /** Who divides the work otherwise, or leads over all of it: two divisions at once would have two replicas at one claim. */
  #rival(): string | undefined {
    const { count, lease } = this.#options
    const holder = this.#board.holderOf(lease.name)
    if (holder === undefined || holder === divisionIdentity(count)) return undefined
    const theirs = divisionOf(holder)
    return theirs === undefined
      ? `${holder} leads by ${lease.name} and shares nothing`
      : `others divide the work into ${theirs} shards, this replica into ${count}`
  }

  /** Whoever cannot have the lease of a shard, and is counted among the living, keeps that shard from everybody. */
  #onFailed(lease: string, forMs: number): void {
    const { clock, log, leaseDurationMs = leaseDurationMsDefault } = this.#options
    if (forMs < leaseDurationMs || !this.#member.leading || this.#return !== undefined) return
    const backMs = Math.min(leaseDurationMs * 2 ** ++this.#stoodBack, standsBackMsMax)
    log.warn('the lease of a shard cannot be renewed: this replica stands back', { lease, forMs: Math.round(backMs) })
    this.#return = clock.timer(backMs, () => {
      this.#return = undefined
      this.#member.reconsider()
    })
    this.#member.reconsider()
  }

  #onLease({ lease, is }: SeenLease, isRemoved: boolean): void {
    const isOfOurs = is.kind === 'shard' && is.of === this.#options.count
    const election = is.kind === 'division' ? this.#division : isOfOurs ? this.#elections[is.shard] : undefined
    election?.notice(isRemoved ? { ...lease, spec: { ...lease.spec, holderIdentity: '' } } : lease)
    this.#plan()
    if (this.#holdings.has(0)) for (const dead of this.#board.deadMembers(sweepMs)) void this.#remove(dead)
  }

  /** A member that is no more; one that was asleep, or takes part again in this moment, has another version. */
  async #remove({ lease }: SeenLease): Promise<void> {
    const { client, log } = this.#options
    const { uid, resourceVersion } = lease.metadata
    try {
      await client.delete(leases, keyOf(lease), { preconditions: { uid, resourceVersion }, timeoutMs: 2_000 })
    } catch (error) {
      log.debug('lease of a member not removed', { lease: lease.metadata.name, why: String(error) })
    }
  }

  #tellTrouble(trouble: string | undefined): void {
    if (trouble !== undefined && trouble !== this.#trouble)
      this.#options.log.warn('no shard is taken until all replicas divide the work alike', { why: trouble })
    this.#trouble = trouble
  }

  /** Looks again when the next of the others' leases runs out. */
  #arm(): void {
    this.#next?.cancel()
    this.#next = undefined
    if (!this.#isListed) return
    const { clock, identity } = this.#options
    const ends = this.#board.living().flatMap(({ lease, endsMs }) => (lease.spec.holderIdentity === identity ? [] : [endsMs]))
    if (ends.length > 0) this.#next = clock.timer(Math.min(...ends) + 1 - clock.monotonicMs(), () => this.#plan())
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, clock, random, log, lease } = this.#options
    const informer = new Informer({
      client,
      clock,
      random: random.fork('leases'),
      log,
      type: leases,
      namespace: lease.namespace,
      listing: 'pages',
      limits: { auditMs: 0 },
    })
    informer.cache.listen(change => {
      const seen = this.#board.see(change)
      if (seen !== undefined) this.#onLease(seen, change.kind === 'removed')
    })
    informer.onState(state => {
      if (state.kind !== 'live' || this.#isListed) return
      this.#isListed = true
      this.#plan()
    })
    await informer.run(signal)
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
