// What ACM said of certificates, for a while: minutes where nothing happens, seconds where something is on its way. A decision that
// destroys, replaces or declares failure asks with `isFresh` and goes past it.
import type { Values } from '#aws'
import type { Clock } from '#base'
import type { CallMetrics } from '../telemetry/call-metrics.ts'
import type { LayerCaller, LayerCallOptions, LayeredCall } from './call.ts'
import { instant, record, text } from './values.ts'

export interface CacheOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Of certificates that are issued. 0 switches the cache off. */
  readonly ttlMs: number
  readonly entriesMax: number
  readonly metrics?: CallMetrics | undefined
}

/** A certificate on its way is looked at once a minute, and must not look as it did at the look before. */
const pendingTtlMs = 15_000

interface Entry {
  readonly output: Values
  readonly domain: string
  readonly isIssued: boolean
  readonly createdMs: number
  readonly atMs: number
}

/** After these the answer of before is not true any more. */
const changes = new Set(['DeleteCertificate', 'RenewCertificate', 'UpdateCertificateOptions'])

export class CertificateCache {
  readonly #options: CacheOptions
  /** The one used last stands last. */
  readonly #entries = new Map<string, Entry>()
  readonly #byDomain = new Map<string, Set<string>>()
  readonly #underWay = new Map<string, Promise<Values>>()

  constructor(options: CacheOptions) {
    this.#options = options
    options.metrics?.readCacheEntries(() => this.#entries.size)
  }

  layer(next: LayerCaller): LayerCaller {
    if (this.#options.ttlMs <= 0 || this.#options.entriesMax <= 0) return next
    return (call, options) => {
      if (call.service !== 'acm' || call.region !== undefined) return next(call, options)
      const arn = text(call.input.CertificateArn) ?? ''
      if (call.operation === 'DescribeCertificate') return this.#describe(arn, call, { next, options })
      if (!changes.has(call.operation)) return next(call, options)
      this.drop(arn)
      return next(call, options).finally(() => this.drop(arn))
    }
  }

  /** The ARN that is known for a primary name: the issued one first, then the newest. */
  arnOf(domain: string): string | undefined {
    const known = [...(this.#byDomain.get(domain) ?? [])].flatMap(arn => {
      const entry = this.#fresh(arn)
      return entry === undefined ? [] : [{ arn, entry }]
    })
    known.sort((a, b) => Number(b.entry.isIssued) - Number(a.entry.isIssued) || b.entry.createdMs - a.entry.createdMs)
    this.#options.metrics?.cacheAsked('fqdn', known.length > 0)
    return known[0]?.arn
  }

  drop(arn: string): void {
    const entry = this.#entries.get(arn)
    if (entry === undefined) return
    this.#entries.delete(arn)
    const arns = this.#byDomain.get(entry.domain)
    arns?.delete(arn)
    if (arns?.size === 0) this.#byDomain.delete(entry.domain)
  }

  get size(): number {
    return this.#entries.size
  }

  #describe(
    arn: string,
    call: LayeredCall,
    { next, options }: { next: LayerCaller; options: LayerCallOptions },
  ): Promise<Values> {
    if (call.isFresh === true) return this.#ask(arn, call, { next, options })
    const entry = this.#fresh(arn)
    this.#options.metrics?.cacheAsked('arn', entry !== undefined)
    if (entry !== undefined) {
      this.#entries.delete(arn)
      this.#entries.set(arn, entry)
      return Promise.resolve(entry.output)
    }
    // Several who ask for one share one call.
    const known = this.#underWay.get(arn)
    if (known !== undefined) return known
    const asked = this.#ask(arn, call, { next, options }).finally(() => this.#underWay.delete(arn))
    this.#underWay.set(arn, asked)
    return asked
  }

  async #ask(
    arn: string,
    call: LayeredCall,
    { next, options }: { next: LayerCaller; options: LayerCallOptions },
  ): Promise<Values> {
    try {
      const output = await next(call, options)
      this.#store(arn, frozen(output))
      return output
    } catch (error) {
      this.drop(arn)
      throw error
    }
  }

  #store(arn: string, output: Values): void {
    const certificate = record(output.Certificate)
    this.drop(arn)
    const domain = text(certificate.DomainName) ?? ''
    const atMs = this.#options.clock.monotonicMs()
    const isIssued = certificate.Status === 'ISSUED'
    this.#entries.set(arn, { output, domain, isIssued, createdMs: instant(certificate.CreatedAt) ?? 0, atMs })
    this.#byDomain.set(domain, (this.#byDomain.get(domain) ?? new Set()).add(arn))
    const oldest = this.#entries.keys().next().value
    if (this.#entries.size <= this.#options.entriesMax || oldest === undefined) return
    this.drop(oldest)
    this.#options.metrics?.cacheEvicted()
  }

  #fresh(arn: string): Entry | undefined {
    const entry = this.#entries.get(arn)
    if (entry === undefined) return undefined
    const { ttlMs, clock } = this.#options
    const ageMs = clock.monotonicMs() - entry.atMs
    return ageMs < (entry.isIssued ? ttlMs : Math.min(ttlMs, pendingTtlMs)) ? entry : undefined
  }
}

/** Nobody changes what others will be given. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array) return value
  for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}
