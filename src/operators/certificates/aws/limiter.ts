// Keeps to half of what AWS allows: a bucket for all of ACM, one for each of its slower operations inside of it, one for each hosted zone.
// A busy zone holds nobody else up, unless the bucket of the whole account is switched on.
import type { Clock } from '#base'
import type { CallMetrics } from '../telemetry/call-metrics.ts'
import { accountOf, type LayerCaller, type LayeredCall } from './call.ts'
import { type BucketRate, TokenBucket } from './token-bucket.ts'
import { WaitingLine } from './waiting-line.ts'

export interface LimiterRates {
  readonly acm: BucketRate
  readonly route53Zone: BucketRate
  /** Of the whole account; `undefined` is off. */
  readonly route53Account: BucketRate | undefined
}

export interface LimiterOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly rates: LimiterRates
  readonly metrics?: CallMetrics | undefined
}

/** A pass has a minute: who would wait longer than this comes back later and leaves its worker to others. */
const waitMsMax = 30_000

/** The wait for a token would be too long. An expected wait, no failure. */
export class LimiterBusy extends Error {
  readonly waitMs: number
  constructor(waitMs: number) {
    super('the pace of calls that is kept leaves no room at this moment')
    this.name = 'LimiterBusy'
    this.waitMs = waitMs
  }
}

/** Published as 5 a second each; half of it. */
const slowAcm: BucketRate = { perSecond: 2.5, burst: 3 }
/** Published as one a second; half of it. */
const listAcm: BucketRate = { perSecond: 0.5, burst: 1 }

const acmOperations: Readonly<Record<string, BucketRate>> = {
  RequestCertificate: slowAcm,
  UpdateCertificateOptions: slowAcm,
  AddTagsToCertificate: slowAcm,
  RemoveTagsFromCertificate: slowAcm,
  RenewCertificate: slowAcm,
  ListCertificates: listAcm,
}

export function limiter(next: LayerCaller, pace: CallBuckets): LayerCaller {
  return async (call, callerOptions) => {
    await pace.enter(call, callerOptions.signal)
    return next(call, callerOptions)
  }
}

/** The buckets of all calls, and the lines before the slow ones. */
export class CallBuckets {
  readonly #options: LimiterOptions
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #lines = new Map<string, WaitingLine>()

  constructor(options: LimiterOptions) {
    this.#options = options
    options.metrics?.readTokens(service => this.tokens(service))
  }

  async enter(call: LayeredCall, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.awaitTurn(call)
    const all = this.#bucketsOf(call)
    const waitMs = Math.max(...all.map(bucket => bucket.waitMs()))
    if (waitMs > waitMsMax) throw new LimiterBusy(waitMs)
    for (const bucket of all) bucket.take()
    if (waitMs > 0) {
      try {
        await this.#options.clock.sleep(waitMs, signal)
      } catch (error) {
        for (const bucket of all) bucket.giveBack()
        throw error
      }
    }
    this.#options.metrics?.waited(call.service, waitMs)
  }

  /** @throws LimiterBusy where whoever makes the call is to come back for it. It may also be asked before a pass does anything else. */
  awaitTurn(call: LayeredCall): void {
    const { service, operation, region = '', comesBackAs } = call
    if (comesBackAs === undefined || service !== 'acm') return
    const [shared, own] = this.#bucketsOf(call).map(bucket => bucket.waitMs())
    const key = `${region}/${operation}`
    const line = this.#lines.get(key) ?? new WaitingLine(acmOperations[operation] ?? this.#options.rates.acm)
    this.#lines.set(key, line)
    // What has begun comes first: a new certificate is asked for with what others leave of the bucket that all share.
    const stopMs = operation === 'RequestCertificate' ? (shared ?? 0) : 0
    const bucketMs = Math.max(shared ?? 0, own ?? 0)
    const comeBackMs = line.comeBackMs(comesBackAs, this.#options.clock.monotonicMs(), { bucketMs, stopMs })
    if (comeBackMs > 0) throw new LimiterBusy(comeBackMs)
  }

  /** The fullest says least: what is left where it is least. */
  tokens(service: string): number {
    const left = [...this.#buckets].filter(([key]) => key.startsWith(`${service}/`)).map(([, bucket]) => bucket.tokens)
    return left.length === 0 ? 0 : Math.min(...left)
  }

  #bucketsOf(call: LayeredCall): readonly TokenBucket[] {
    const { rates } = this.#options
    const account = accountOf(call)
    if (call.service === 'route53') {
      const zone = this.#bucket(`route53/${account}/${call.zone?.id ?? ''}`, rates.route53Zone)
      return rates.route53Account === undefined ? [zone] : [zone, this.#bucket(`route53/${account}//`, rates.route53Account)]
    }
    const region = call.region ?? ''
    const own = acmOperations[call.operation]
    const shared = this.#bucket(`acm/${region}`, rates.acm)
    return own === undefined ? [shared] : [shared, this.#bucket(`acm/${region}/${call.operation}`, own)]
  }

  #bucket(key: string, rate: BucketRate): TokenBucket {
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    const made = new TokenBucket(this.#options.clock, rate)
    this.#buckets.set(key, made)
    return made
  }
}
