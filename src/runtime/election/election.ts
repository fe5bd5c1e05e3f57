// Leader election on a Lease, with a fence. Three times, each with room for the next, so that no clock needs to be right (W8):
//
//   fence (5 s)  <  lease (20 s), counted by others from when they *saw* the renewal, which is after we sent it
//
// The fence closes a quarter of the lease after the last renewal was *sent*. A clock that runs four times as fast elsewhere still finds
// us silent when it takes over, and a request sent in the last instant has three quarters of a lease to arrive or be lost. A closed
// fence is no lost leadership: writes wait, the next renewal opens it again. Leadership ends when another holder is seen, or a whole
// lease has passed without a renewal.
import type { Clock, Log, Random, Timer } from '#base'
import { leases, type ObjectKey, type StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { Informer } from '../informer/informer.ts'
import { jittered } from '../queue/backoff.ts'
import { openScope, pause, type Scope, Stopped } from '../scope.ts'
import { type Fence, fenced } from './fence.ts'
import { type Lease, releaseLease, takeLease } from './lease.ts'

export interface ElectionOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** The lease. Several elections with a lease each are shards. */
  readonly lease: ObjectKey
  /** Unique per process: two processes with one identity would both lead. */
  readonly identity: string
  readonly leaseDurationMs?: number
  readonly fenceMs?: number
  readonly renewMs?: number
  /** Whether to watch the lease, to notice within milliseconds that it is free; otherwise within `renewMs`. */
  readonly watch?: boolean
  readonly onChange?: (leading: boolean) => void
}

const leaseDurationMsDefault = 20_000
const renewMsDefault = 1_500

export class Election implements Fence {
  readonly #options: ElectionOptions
  readonly #leaseMs: number
  readonly #fenceMs: number
  readonly #renewMs: number
  /** The lease as we last wrote it: its version is the precondition of the next renewal. */
  #own: (Lease & StoredObject) | undefined
  /** Somebody else's lease, and when we first saw it like that. */
  #seen: { readonly version: string; readonly atMs: number; readonly durationMs: number } | undefined
  /** When the last renewal that succeeded was sent. */
  #provedMs: number | undefined
  #open: Scope | undefined
  #closing: Timer | undefined
  #nap: Scope | undefined
  #term: { readonly scope: Scope; readonly task: Promise<void> } | undefined

  constructor(options: ElectionOptions) {
    this.#options = options
    this.#leaseMs = options.leaseDurationMs ?? leaseDurationMsDefault
    this.#fenceMs = options.fenceMs ?? this.#leaseMs / 4
    this.#renewMs = options.renewMs ?? Math.min(renewMsDefault, this.#fenceMs / 3)
  }

  get leading(): boolean {
    return this.#term !== undefined
  }

  /** How often the lease changed hands, as far as we know: the number of the term. */
  get term(): number | undefined {
    return this.#own?.spec.leaseTransitions
  }

  check(): void {
    if (this.#provedMs === undefined || this.#options.clock.monotonicMs() - this.#provedMs >= this.#fenceMs) {
      this.#close('the time for which leadership was proved is over')
      throw fenced('leadership is not proved at this moment')
    }
  }

  get signal(): AbortSignal {
    return this.#open?.signal ?? closedSignal
  }

  /** Takes part until the signal aborts; calls `lead` for each term, whose signal aborts when leadership is lost. */
  async run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const watching = openScope({ parents: [signal] })
    const watcher = (this.#options.watch ?? true) ? this.#watch(watching.signal) : Promise.resolve()
    try {
      while (!signal.aborted) {
        await this.#attempt(signal)
        if (signal.aborted) break
        if (this.#provedMs !== undefined && this.#term === undefined) this.#begin(lead)
        await this.#rest(signal)
      }
    } finally {
      watching.end(new Stopped('stop', 'the election ends'))
      await watcher
      await this.#endTerm('stopped')
      await this.#release()
    }
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    const sentMs = clock.monotonicMs()
    // Several tries fit between a renewal and the closing of the fence.
    const timeoutMs = this.#fenceMs / 2
    try {
      const held = this.#own ?? (await this.#read(signal, timeoutMs))
      if (!this.#isFree(held)) {
        await this.#lose('another replica holds the lease')
        return
      }
      const wish = takeLease(held, this.#options.lease, {
        identity: this.#options.identity,
        leaseDurationMs: this.#leaseMs,
        now: clock.now(),
      })
      this.#own = await this.#write(held, wish, signal, timeoutMs)
      this.#prove(sentMs)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof KubeError)) throw error
      // Whatever we believed of the lease is in doubt: read it before the next try.
      this.#own = undefined
      log.debug('lease not renewed', { lease: this.#options.lease.name, why: error.message })
      await this.#loseIfOver()
    }
  }

  #read(signal: AbortSignal, timeoutMs: number): Promise<(Lease & StoredObject) | undefined> {
    return this.#options.client.find<Lease & StoredObject>(leases, this.#options.lease, { signal, timeoutMs })
  }

  #write(held: Lease | undefined, wish: Lease, signal: AbortSignal, timeoutMs: number): Promise<Lease & StoredObject> {
    const { client } = this.#options
    const options = { signal, timeoutMs }
    return held === undefined ? client.create(leases, wish, options) : client.update(leases, wish, options)
  }

  /** Free are a lease that is not there, ours, let go, or not renewed for its whole duration, by our own clock. */
  #isFree(held: (Lease & StoredObject) | undefined): boolean {
    const holder = held?.spec.holderIdentity ?? ''
    if (held === undefined || holder === '' || holder === this.#options.identity) return true
    const nowMs = this.#options.clock.monotonicMs()
    const version = held.metadata.resourceVersion
    if (this.#seen?.version !== version) {
      this.#seen = { version, atMs: nowMs, durationMs: (held.spec.leaseDurationSeconds ?? this.#leaseMs / 1_000) * 1_000 }
    }
    return nowMs - this.#seen.atMs > this.#seen.durationMs
  }

  #prove(sentMs: number): void {
    const { clock } = this.#options
    this.#provedMs = sentMs
    this.#open ??= openScope({})
    this.#closing?.cancel()
    const leftMs = sentMs + this.#fenceMs - clock.monotonicMs()
    this.#closing = clock.timer(leftMs, () => this.#close('the time for which leadership was proved is over'))
  }

  #close(why: string): void {
    this.#closing?.cancel()
    this.#closing = undefined
    this.#open?.end(fenced(why))
    this.#open = undefined
  }

  #begin(lead: (signal: AbortSignal) => Promise<void>): void {
    this.#options.log.info('leading', { lease: this.#options.lease.name, term: this.term })
    this.#options.onChange?.(true)
    const scope = openScope({})
    this.#term = { scope, task: lead(scope.signal) }
  }

  /** Without a renewal for a whole lease, somebody else may lead: we do not. */
  async #loseIfOver(): Promise<void> {
    if (this.#provedMs === undefined) return
    if (this.#options.clock.monotonicMs() - this.#provedMs > this.#leaseMs) await this.#lose('the lease ran out')
  }

  async #lose(why: string): Promise<void> {
    this.#own = undefined
    this.#provedMs = undefined
    this.#close(why)
    await this.#endTerm(why)
  }

  async #endTerm(why: string): Promise<void> {
    const term = this.#term
    if (term === undefined) return
    term.scope.end(new Stopped('stop', why))
    await term.task
    this.#term = undefined
    this.#options.log.info('not leading any more', { lease: this.#options.lease.name, why })
    this.#options.onChange?.(false)
  }

  /** Hands the lease over instead of letting the others wait for it to run out. Only after all work has ended. */
  async #release(): Promise<void> {
    const own = this.#own
    this.#provedMs = undefined
    this.#close('released')
    this.#own = undefined
    if (own === undefined) return
    try {
      await this.#options.client.update(leases, releaseLease(own, this.#options.clock.now()), { timeoutMs: 2_000 })
    } catch (error) {
      this.#options.log.debug('lease not released', { why: String(error) })
    }
  }

  async #rest(signal: AbortSignal): Promise<void> {
    const nap = openScope({ parents: [signal] })
    this.#nap = nap
    await pause(this.#options.clock, jittered(this.#renewMs, this.#options.random), nap.signal)
    nap.end()
    this.#nap = undefined
  }

  /** A change of the lease that is not our own renewal is worth a look at once. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { client, clock, random, log, lease } = this.#options
    const informer = new Informer({
      client,
      clock,
      random: random.fork('lease-watch'),
      log,
      type: leases,
      namespace: lease.namespace,
      fieldSelector: `metadata.name=${lease.name}`,
      listing: 'pages',
      limits: { auditMs: 0 },
    })
    informer.cache.listen(change => {
      const holder = (change.object as unknown as Lease).spec.holderIdentity ?? ''
      if (holder === this.#options.identity || (holder !== '' && this.#term === undefined)) return
      this.#own = undefined
      this.#nap?.end(new Stopped('replaced', 'the lease changed'))
    })
    await informer.run(signal)
  }
}

const closedSignal: AbortSignal = AbortSignal.abort(fenced('not leading'))
