// All certificates of a region, as far as ListCertificates tells of them. It is the slowest call of all, and a large account has several
// pages. So nobody waits for it with a worker in hand: whoever needs the list reads the next page if there is room for a call, and comes back
// otherwise. One list answers all who asked before its first page was sent, so that a hundred objects that go together need a few lists.
import { type Clock, given } from '#base'
import type { LayerCaller } from './call.ts'
import { LimiterBusy } from './limiter.ts'
import { type ListedCertificate, parseListed } from './listed.ts'
import { records } from './values.ts'

export interface ListAsk {
  /** Who comes back for the answer, told apart from others. */
  readonly who: string
  /** The operator's own where it is `undefined`. */
  readonly region: string | undefined
  readonly signal: AbortSignal
}

/** The default hides all but two of them. */
const keyTypes = ['RSA_1024', 'RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'EC_secp521r1'] as const
/** As many as ACM gives at once. */
const pageSize = 1_000
/** Fifty thousand certificates: twenty times as many as an account has without asking for more. */
const pagesMax = 50
/** A list is as good as one of the pass itself for so long, and an unfinished one is carried on for so long. */
const goodMs = 60_000
/** The soonest that it is worth to come back while somebody else reads a page. */
const readingMs = 1_000
/** How long a list takes where none was read yet: two or three pages. */
const guessMs = 5_000

interface Gathering {
  /** Who goes on with it. Everybody else comes back when all of it should be there. */
  leader: string
  readonly listed: ListedCertificate[]
  pages: number
  token: unknown
  isReading: boolean
  /** When its first page was sent, among all that was asked. */
  moment: number
  beganMs: number
  readMs: number
}

export class CertificateList {
  readonly #caller: LayerCaller
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #regions = new Map<string | undefined, RegionList>()

  constructor(caller: LayerCaller, clock: Pick<Clock, 'monotonicMs'>) {
    this.#caller = caller
    this.#clock = clock
  }

  /** @throws LimiterBusy while it is not complete: `who` is to come back. */
  all({ who, region, signal }: ListAsk): Promise<readonly ListedCertificate[]> {
    let list = this.#regions.get(region)
    if (list === undefined) this.#regions.set(region, (list = new RegionList(this.#caller, this.#clock, region)))
    return list.all(who, signal)
  }

  /** `who` has what it asked for: its next question wants a list of its own time. */
  answered(who: string): void {
    for (const list of this.#regions.values()) list.answered(who)
  }
}

class RegionList {
  readonly #caller: LayerCaller
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #region: string | undefined
  /** Since which moment each waits. */
  readonly #asked = new Map<string, { readonly moment: number; readonly ms: number }>()
  #moment = 0
  #gathering: Gathering | undefined
  #whole: Gathering | undefined

  constructor(caller: LayerCaller, clock: Pick<Clock, 'monotonicMs'>, region: string | undefined) {
    this.#caller = caller
    this.#clock = clock
    this.#region = region
  }

  async all(who: string, signal: AbortSignal): Promise<readonly ListedCertificate[]> {
    const { moment } = this.#asked.get(who) ?? this.#ask(who)
    for (;;) {
      const whole = this.#whole
      if (whole !== undefined && whole.moment > moment && this.#isRecent(whole)) return whole.listed
      await this.#readOn(who, signal)
    }
  }

  answered(who: string): void {
    this.#asked.delete(who)
  }

  #ask(who: string): { readonly moment: number; readonly ms: number } {
    const ms = this.#clock.monotonicMs()
    // Who does not come back any more is forgotten.
    for (const [other, asked] of this.#asked) {
      if (ms - asked.ms < 10 * goodMs) break
      this.#asked.delete(other)
    }
    const asked = { moment: ++this.#moment, ms }
    this.#asked.set(who, asked)
    return asked
  }

  async #readOn(who: string, signal: AbortSignal): Promise<void> {
    const gathering = this.#gatheringFor(who)
    if (gathering.isReading) throw new LimiterBusy(this.#restMs(gathering, readingMs))
    gathering.isReading = true
    try {
      await this.#readPage(gathering, signal)
      gathering.leader = who
    } catch (error) {
      if (!(error instanceof LimiterBusy)) this.#gathering = undefined
      else if (gathering.leader !== who) throw new LimiterBusy(this.#restMs(gathering, error.waitMs))
      throw error
    } finally {
      gathering.isReading = false
    }
  }

  #gatheringFor(who: string): Gathering {
    const going = this.#gathering
    if (going !== undefined && (going.pages === 0 || this.#isRecent(going))) return going
    const begun = { leader: who, listed: [], pages: 0, token: undefined, isReading: false, moment: 0, beganMs: 0, readMs: 0 }
    this.#gathering = begun
    return begun
  }

  async #readPage(gathering: Gathering, signal: AbortSignal): Promise<void> {
    if (gathering.pages === pagesMax) throw new Error('ListCertificates does not come to an end')
    if (gathering.pages === 0) gathering.moment = ++this.#moment
    const { token } = gathering
    const input = { Includes: { keyTypes }, MaxItems: pageSize, ...given({ NextToken: token }) }
    const place = this.#region === undefined ? {} : { region: this.#region }
    // All pages of all lists of the region are one place in the line: there is one who reads at a time.
    const call = { service: 'acm', operation: 'ListCertificates', input, comesBackAs: 'the list', ...place } as const
    const output = await this.#caller(call, { signal })
    const nowMs = this.#clock.monotonicMs()
    if (gathering.pages === 0) gathering.beganMs = nowMs
    gathering.readMs = nowMs
    gathering.pages += 1
    gathering.token = output.NextToken === '' ? undefined : output.NextToken
    for (const summary of records(output.CertificateSummaryList)) gathering.listed.push(parseListed(summary))
    if (gathering.token !== undefined) return
    this.#whole = gathering
    this.#gathering = undefined
  }

  #isRecent({ readMs }: Gathering): boolean {
    return this.#clock.monotonicMs() - readMs <= goodMs
  }

  /** Until it is complete, if it takes as long as the one before. `nextMs`: until its next page. */
  #restMs({ pages, beganMs }: Gathering, nextMs: number): number {
    const wholeMs = this.#whole === undefined ? guessMs : this.#whole.readMs - this.#whole.beganMs
    return pages === 0 ? nextMs + wholeMs : Math.max(nextMs, beganMs + wholeMs - this.#clock.monotonicMs())
  }
}
