// Leader election on a Lease, with a fence. Two times, one with room for the other, so that no clock needs to be right (W8):
//
//   fence, a quarter of the lease  <  lease, counted by others from when they *saw* the renewal, which is after we sent it
//
// The fence closes a quarter of the lease after the last renewal was *sent*. A clock that runs four times as fast elsewhere still finds
// us silent when it takes over, and a request sent in the last instant has three quarters of a lease to arrive or be lost. A closed
// fence is no lost leadership: writes wait, the next renewal opens it again. Leadership ends when another holder is seen, or a whole
// lease has passed without a renewal.
//
// While somebody is behind the fence (`enter`), the lease is renewed every `renewMs`, and the fence stays open. At rest it is renewed every
// `restMs` only, which may be longer than the fence: it closes, and whoever comes to write has the lease renewed first. So a short lease,
// and with it a short wait after a crash, does not make the lease the busiest object of a quiet cluster.
import type { Clock, Log, Random, Timer } from '#base'
import type { ObjectKey, StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { compareVersions } from '../informer/version.ts'
import { jittered } from '../queue/backoff.ts'
import { openScope, pause, type Scope, Stopped } from '../scope.ts'
import { type Fence, fenced, type Passage } from './fence.ts'
import { type Lease, takeLease } from './lease.ts'
import { handOverLease, readLease, removeLease, watchLease, writeLease } from './lease-calls.ts'

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
  /** How often at rest, when nobody is behind the fence; as often as at work when absent. */
  readonly restMs?: number
  /** Whether to watch the lease, to notice within milliseconds that it is free; otherwise by `notice`, or within `renewMs`. */
  readonly watch?: boolean
  /** Whether the lease is wanted at this moment; always when absent. Whoever does not want it any more ends his work and lets go. */
  readonly isWanted?: () => boolean
  /** Who may hold the lease beside this process, which says what becomes of it at the end; `in-turn` when absent. */
  readonly holding?: LeaseHolding
  readonly onChange?: (leading: boolean) => void
  /** A try failed, and nothing but failures for so long: the lease could neither be had nor be seen with somebody else. */
  readonly onFailed?: (forMs: number) => void
}

/**
 * `in-turn`: another one after this, to whom it is handed over at the end. `alone`: nobody else ever, so that it is removed at the end.
 * `together`: several processes under one identity, each renewing it for itself, so that none of them hands it over for all.
 */
export type LeaseHolding = 'in-turn' | 'alone' | 'together'

export const leaseDurationMsDefault = 20_000
const renewMsDefault = 1_500

export class Election implements Fence {
  readonly #options: ElectionOptions
  readonly #leaseMs: number
  readonly #fenceMs: number
  readonly #renewMs: number
  readonly #restMs: number | undefined
  /** The lease as we last wrote it: its version is the precondition of the next renewal. */
  #own: (Lease & StoredObject) | undefined
  /** Somebody else's lease, and when we first saw it like that. */
  #seen: { readonly version: string; readonly atMs: number; readonly durationMs: number } | undefined
  /** When the last renewal that succeeded was sent. */
  #provedMs: number | undefined
  #open: Scope | undefined
  #closing: Timer | undefined
  /** How many are inside the fence at this moment, and who waits to enter it. */
  #inside = 0
  readonly #waiting = new Set<Waiting>()
  #nap: Scope | undefined
  /** Somebody entered while we napped: the lease is due sooner than at rest. */
  #hurries = false
  /** When the first of the tries was sent that failed one after the other. */
  #failingMs: number | undefined
  /** Something changed since the last try began: the next one is now. */
  #isTold = false
  #term: { readonly scope: Scope; readonly task: Promise<void> } | undefined

  constructor(options: ElectionOptions) {
    this.#options = options
    this.#leaseMs = options.leaseDurationMs ?? leaseDurationMsDefault
    this.#fenceMs = options.fenceMs ?? this.#leaseMs / 4
    this.#renewMs = options.renewMs ?? Math.min(renewMsDefault, this.#fenceMs / 3)
    this.#restMs = options.restMs
  }

  get leading(): boolean {
    return this.#term !== undefined
  }

  /** How often the lease changed hands, as far as we know: the number of the term. */
  get term(): number | undefined {
    return this.#own?.spec.leaseTransitions
  }

  check(): void {
    if (!this.#isProved) {
      this.#close(ranOut)
      throw fenced('leadership is not proved at this moment')
    }
  }

  async enter(signal: AbortSignal): Promise<Passage> {
    this.#inside++
    try {
      await this.#untilProved(signal)
    } catch (error) {
      this.#inside--
      throw error
    }
    let isInside = true
    const leave = (): void => {
      if (isInside) this.#inside--
      isInside = false
    }
    return { signal: this.#open?.signal ?? closedSignal, leave }
  }

  /** Takes part until the signal aborts; calls `lead` for each term, whose signal aborts when leadership is lost. */
  async run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const watching = openScope({ parents: [signal] })
    const notice = (held: Lease & StoredObject): void => this.notice(held)
    const watcher = (this.#options.watch ?? true) ? watchLease(this.#options, notice, watching.signal) : Promise.resolve()
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

  /** Whether the lease is wanted may have changed. */
  reconsider(): void {
    this.#tell('wanted or not')
  }

  /** The lease as somebody saw it. A change that is not our own renewal is worth a look at once. */
  notice(held: Lease & StoredObject): void {
    const holder = held.spec.holderIdentity ?? ''
    if (holder === this.#options.identity) return this.#join(held)
    // When it was renewed, as exactly as we can know: the sooner we saw it, the sooner it has run out.
    if (holder !== '' && this.#term === undefined) return this.#see(held)
    this.#own = undefined
    this.#tell('the lease changed')
  }

  /** Somebody who holds it with us renewed it: ours is the next version, or it can be had at once. */
  #join(held: Lease & StoredObject): void {
    if (this.#options.holding !== 'together') return
    if (this.#term === undefined) return this.#tell('it is held by those who hold it together')
    const order = compareVersions(held.metadata.resourceVersion, this.#own?.metadata.resourceVersion ?? '')
    if (this.#own !== undefined && (order ?? 0) > 0) this.#own = held
  }

  get #isWanted(): boolean {
    return this.#options.isWanted?.() !== false
  }

  #tell(why: string): void {
    this.#isTold = true
    this.#nap?.end(new Stopped('replaced', why))
  }

  get #isProved(): boolean {
    return this.#provedMs !== undefined && this.#options.clock.monotonicMs() - this.#provedMs < this.#fenceMs
  }

  async #untilProved(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.#hurry()
    if (this.#isProved) return
    if (this.#term === undefined) throw fenced('this process does not lead')
    this.#close(ranOut)
    const waiting = Promise.withResolvers<void>()
    const onAbort = (): void => waiting.reject(signal.reason as Error)
    this.#waiting.add(waiting)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await waiting.promise
    } finally {
      this.#waiting.delete(waiting)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** The nap of a lease at rest is too long for somebody who is behind the fence. */
  #hurry(): void {
    if (this.#restMs === undefined) return
    // The first who finds the proof run out has it renewed at once; whoever comes after him waits with him.
    const isFirst = !this.#isProved && this.#waiting.size === 0
    if (this.#hurries && !isFirst) return
    this.#hurries = true
    this.#nap?.end(new Stopped('replaced', thereIsWork))
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    this.#isTold = false
    if (!this.#isWanted) return this.#letGo()
    const sentMs = clock.monotonicMs()
    // Several tries fit between a renewal and the closing of the fence.
    const limits = { signal, timeoutMs: this.#fenceMs / 2 }
    try {
      const held = this.#own ?? (await readLease(this.#options, limits))
      if (!this.#isFree(held)) {
        this.#failingMs = undefined
        await this.#lose('another replica holds the lease')
        return
      }
      const wish = takeLease(held, this.#options.lease, {
        identity: this.#options.identity,
        leaseDurationMs: this.#leaseMs,
        now: clock.now(),
      })
      this.#own = await writeLease(this.#options, { held, wish }, limits)
      this.#failingMs = undefined
      this.#prove(sentMs)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof KubeError)) throw error
      // Whatever we believed of the lease is in doubt: read it before the next try.
      this.#own = undefined
      log.debug('lease not renewed', { lease: this.#options.lease.name, why: error.message })
      this.#failingMs ??= sentMs
      await this.#loseIfOver()
      this.#options.onFailed?.(clock.monotonicMs() - this.#failingMs)
    }
  }

  /** Free are a lease that is not there, ours, let go, or not renewed for its whole duration, by our own clock. */
  #isFree(held: (Lease & StoredObject) | undefined): boolean {
    const holder = held?.spec.holderIdentity ?? ''
    if (held === undefined || holder === '' || holder === this.#options.identity) return true
    this.#see(held)
    return this.#seen !== undefined && this.#options.clock.monotonicMs() - this.#seen.atMs > this.#seen.durationMs
  }

  #see({ metadata: { resourceVersion: version }, spec }: Lease & StoredObject): void {
    if (this.#seen?.version === version) return
    const durationMs = (spec.leaseDurationSeconds ?? this.#leaseMs / 1_000) * 1_000
    this.#seen = { version, atMs: this.#options.clock.monotonicMs(), durationMs }
  }

  #prove(sentMs: number): void {
    const { clock } = this.#options
    this.#provedMs = sentMs
    this.#open ??= openScope({})
    this.#closing?.cancel()
    const leftMs = sentMs + this.#fenceMs - clock.monotonicMs()
    this.#closing = clock.timer(leftMs, () => this.#close(ranOut))
    if (leftMs > 0) for (const { resolve } of this.#waiting) resolve()
  }

  #close(why: string): void {
    this.#closing?.cancel()
    this.#closing = undefined
    this.#open?.end(fenced(why))
    this.#open = undefined
  }

  #begin(lead: (signal: AbortSignal) => Promise<void>): void {
    this.#options.log.info('leading', { lease: this.#options.lease.name, term: this.term })
    const scope = openScope({})
    this.#term = { scope, task: lead(scope.signal) }
    this.#options.onChange?.(true)
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
    for (const { reject } of this.#waiting) reject(fenced(why))
    if (term === undefined) return
    term.scope.end(new Stopped('stop', why))
    await term.task
    this.#term = undefined
    this.#options.log.info('not leading any more', { lease: this.#options.lease.name, why })
    this.#options.onChange?.(false)
  }

  async #letGo(): Promise<void> {
    this.#failingMs = undefined
    await this.#endTerm('it is not wanted any more')
    await this.#release()
  }

  /** Hands the lease over instead of letting the others wait for it to run out. Only after all work has ended. */
  async #release(): Promise<void> {
    const own = this.#own
    this.#provedMs = undefined
    this.#close('released')
    this.#own = undefined
    if (own === undefined || this.#options.holding === 'together') return
    try {
      await (this.#options.holding === 'alone' ? removeLease(this.#options, own) : handOverLease(this.#options, own))
    } catch (error) {
      this.#options.log.debug('lease not released', { why: String(error) })
    }
  }

  async #rest(signal: AbortSignal): Promise<void> {
    // The answer came when its own proof was over, as it does after a pause of the process: whoever waits would wait for a whole renewal.
    if (this.#waiting.size > 0 && this.#own !== undefined && !this.#isProved) return
    const { clock, random } = this.#options
    const sinceMs = clock.monotonicMs()
    const atWorkMs = jittered(this.#renewMs, random)
    for (;;) {
      this.#hurries &&= this.#inside > 0
      const leftMs = sinceMs + this.#restsMs(atWorkMs) - clock.monotonicMs()
      if (leftMs <= 0 || signal.aborted || this.#isTold) return
      const nap = openScope({ parents: [signal] })
      this.#nap = nap
      const slept = await pause(clock, leftMs, nap.signal)
      nap.end()
      this.#nap = undefined
      // Work that begins makes the nap shorter, and ends it where it cannot go on without a proof; so does any other reason.
      if (slept || (nap.signal.reason as Stopped).message !== thereIsWork || !this.#isProved) return
    }
  }

  #restsMs(atWorkMs: number): number {
    if (this.#restMs === undefined || this.#inside > 0 || this.#isInDoubt) return atWorkMs
    if (this.#term !== undefined || this.#seen === undefined) return this.#restMs
    // Whoever waits for a lease to run out looks again in that instant, and then often.
    const leftMs = this.#seen.atMs + this.#seen.durationMs + 1 - this.#options.clock.monotonicMs()
    return leftMs > 0 ? Math.min(this.#restMs, leftMs) : atWorkMs
  }

  /** A renewal failed: what was believed of the lease was thrown away, and the next try is soon. */
  get #isInDoubt(): boolean {
    return this.#term !== undefined && this.#own === undefined
  }
}

type Waiting = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>

const ranOut = 'the time for which leadership was proved is over'
const thereIsWork = 'there is work'
const closedSignal: AbortSignal = AbortSignal.abort(fenced('not leading'))
