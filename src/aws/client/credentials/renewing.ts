// Credentials that end: kept, renewed before they end, asked for once however many calls wait. Ages are measured with the monotonic
// clock from the moment of the answer, because AWS's wall clock and ours may differ by hours (reliability P15).
import { type Clock, invariant, type Random } from '#base'
import { type Credentials, CredentialsError, type CredentialsProvider } from './credentials.ts'

/** Credentials and for how long they were granted; without a length they do not end. */
export interface Grant {
  readonly credentials: Credentials
  readonly lifeMs?: number | undefined
}

export interface RenewingOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly random: Random
}

/** Renewal begins somewhere in this part of a life: early enough for several tries, spread so that replicas do not come together. */
const renewFrom = 0.65
const renewTo = 0.8
/** No call is signed with less than this left: it must arrive in time too. */
const leftMsMin = 30_000
/** After a failed renewal, while the old ones are still good. */
const retryAfterMs = 10_000

interface Held extends Grant {
  readonly sinceMs: number
  readonly renewAtMs: number
  readonly endsAtMs: number
}

/** Credentials of a principal, never the anonymous ones. */
export interface RenewedCredentials extends CredentialsProvider {
  get(signal?: AbortSignal): Promise<Credentials>
}

/** A provider over a source that asks somebody else. */
export function renewing(fetch: (signal?: AbortSignal) => Promise<Grant>, options: RenewingOptions): RenewedCredentials {
  return new Renewing(fetch, options)
}

class Renewing implements RenewedCredentials {
  readonly #fetch: (signal?: AbortSignal) => Promise<Grant>
  readonly #options: RenewingOptions
  #held: Held | undefined
  #underWay: Promise<Held> | undefined
  #notBeforeMs = Number.NEGATIVE_INFINITY

  constructor(fetch: (signal?: AbortSignal) => Promise<Grant>, options: RenewingOptions) {
    this.#fetch = fetch
    this.#options = options
  }

  async get(signal?: AbortSignal): Promise<Credentials> {
    signal?.throwIfAborted()
    const nowMs = this.#options.clock.monotonicMs()
    const held = this.#held
    if (held === undefined || nowMs >= held.endsAtMs) return (await unlessAborted(this.#renew(), signal)).credentials
    if (nowMs >= held.renewAtMs && nowMs >= this.#notBeforeMs) {
      // The old ones are still good: nobody waits, and a failure is only a reason to try again later.
      this.#renew().catch(() => {
        this.#notBeforeMs = this.#options.clock.monotonicMs() + retryAfterMs
      })
    }
    return held.credentials
  }

  forget(credentials: Credentials): void {
    if (this.#held?.credentials.accessKeyId === credentials.accessKeyId) this.#held = undefined
  }

  /** Renews by one request, which all who wait share. It belongs to none of them, so that no caller's signal ends it. */
  #renew(): Promise<Held> {
    this.#underWay ??= this.#fetch()
      .then(grant => this.#hold(grant))
      .finally(() => {
        this.#underWay = undefined
      })
    return this.#underWay
  }

  #hold({ credentials, lifeMs }: Grant): Held {
    const sinceMs = this.#options.clock.monotonicMs()
    const life = lifeMs ?? Number.POSITIVE_INFINITY
    if (life <= 0) throw new CredentialsError('the credentials that were given have expired already', { retryable: true })
    const share = renewFrom + this.#options.random.float() * (renewTo - renewFrom)
    const held = {
      credentials,
      lifeMs,
      sinceMs,
      renewAtMs: sinceMs + life * share,
      // Very short lives (tests, impatient brokers) are used for most of their length all the same.
      endsAtMs: sinceMs + Math.max(life - leftMsMin, life * 0.9),
    }
    invariant(held.renewAtMs <= held.endsAtMs, 'credentials are renewed before they end', { life, share })
    this.#held = held
    return held
  }
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** How long credentials last that say when they end. `serverNowMs` is the giver's clock where its answer told it. */
export function lifeFrom(expiresAtMs: number | undefined, serverNowMs: number): number | undefined {
  return expiresAtMs === undefined ? undefined : expiresAtMs - serverNowMs
}
