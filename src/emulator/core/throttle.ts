// Token buckets (§13.1). A call over the limit costs nothing and gets the service's code.
import type { Instant } from '#base'
import { ServiceError } from '../error.ts'
import type { Knobs } from '../knobs.ts'
import type { Call, Service, ThrottleRow } from '../service.ts'

interface Bucket {
  readonly tokens: number
  readonly atMs: Instant
}

/** Buckets that are full again carry no information and are dropped when there are this many. */
const bucketsMax = 10_000

export class CallThrottle {
  readonly #buckets = new Map<string, Bucket>()
  readonly #mode: Knobs['throttling']

  constructor(mode: Knobs['throttling'], from?: CallThrottle) {
    this.#mode = mode
    if (from !== undefined) for (const [key, bucket] of from.#buckets) this.#buckets.set(key, bucket)
  }

  /** Throws the service's throttling error when a bucket that the call draws from is empty. */
  take(service: Service, call: Call): void {
    if (this.#mode === 'off') return
    for (const row of service.throttles ?? []) {
      if (this.#mode === 'published' && row.source !== 'published') continue
      if (applies(row, call.operation)) this.#draw(row, keyOf(service, row, call), call.now)
    }
  }

  #draw(row: ThrottleRow, key: string, now: Instant): void {
    const divisor = this.#mode === 'tight' ? tightDivisor : 1
    const burst = Math.max(1, row.burst / divisor)
    const last = this.#buckets.get(key) ?? { tokens: burst, atMs: now }
    const tokens = Math.min(burst, last.tokens + (Math.max(0, now - last.atMs) / 1_000) * (row.perSecond / divisor))
    // A hair less than one is one: refilling adds up fractions.
    if (tokens < 1 - 1e-9) {
      this.#buckets.set(key, { tokens, atMs: now })
      throw new ServiceError(row.error.code, row.error.status, row.error.message)
    }
    if (this.#buckets.size >= bucketsMax) this.#buckets.clear()
    this.#buckets.set(key, { tokens: tokens - 1, atMs: now })
  }

  /** Tokens left, by bucket, for the control interface. */
  levels(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.#buckets, ([key, { tokens }]) => [key, tokens]))
  }
}

const tightDivisor = 4

function applies(row: ThrottleRow, operation: string): boolean {
  if (row.operations === 'all') return true
  return typeof row.operations === 'function' ? row.operations(operation) : row.operations.includes(operation)
}

function keyOf(service: Service, row: ThrottleRow, call: Call): string {
  const place = row.per === 'account' ? call.account : row.per === 'region' ? `${call.account}/${call.region}` : row.per(call)
  return `${service.name}/${row.name}/${call.partition}/${place}`
}
