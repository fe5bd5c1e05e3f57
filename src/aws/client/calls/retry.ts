// When a failed try is followed by another, and after how long. The rules of the SDKs' standard mode: three tries, full jitter, and
// a bucket of tokens that trouble empties, so that a service in trouble is not buried under everybody's second tries.
import { HttpFailure, type Random } from '#base'
import { AwsError } from '../../errors/aws-error.ts'

/** Three, as all SDKs make it: what fails three times in a row is left to the caller's own, slower backoff. */
export const triesMaxDefault = 3

const baseMs = 100
/** Throttled calls start slower: the next token is rarely nearer. */
const throttledBaseMs = 500
const delayMsMax = 20_000

const tokensMax = 500
const tokensPerRetry = 5
const tokensPerTimeout = 10

/** What a failed try means for the next. */
export type RetryKind =
  /** The service did not take the request. */
  | 'throttled'
  /** Nothing is known of the effect: it may have taken hold. */
  | 'ambiguous'
  /** The request did not reach the service, or was refused before any effect; new credentials or another clock may do. */
  | 'unharmed'

/** `undefined` when another try is no use. */
export function retryKindOf(error: unknown): RetryKind | undefined {
  if (error instanceof AwsError) {
    if (error.class === 'throttling') return 'throttled'
    if (error.class === 'transient') return 'ambiguous'
    return undefined
  }
  if (!(error instanceof HttpFailure)) return undefined
  switch (error.code) {
    case 'unreachable':
      return 'unharmed'
    case 'reset':
    case 'timeout':
    case 'malformed':
      return 'ambiguous'
    default:
      return undefined
  }
}

/** The tokens that all calls of a client share. */
export class RetryTokens {
  #tokens = tokensMax

  /** Takes what a retry costs; false when there is not enough left. */
  take(error: unknown): boolean {
    const cost = this.#costOf(error)
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }

  /** A call that succeeded gives back what its last retry cost, or one token. */
  giveBack(lastError: unknown): void {
    this.#tokens = Math.min(tokensMax, this.#tokens + (lastError === undefined ? 1 : this.#costOf(lastError)))
  }

  get left(): number {
    return this.#tokens
  }

  #costOf(error: unknown): number {
    return error instanceof HttpFailure ? tokensPerTimeout : tokensPerRetry
  }
}

/** How long to wait before try number `next` (2 for the first retry). What the service asks for wins, within reason. */
export function retryDelayMs(error: unknown, next: number, random: Random): number {
  const asked = error instanceof AwsError ? error.retryAfterMs : undefined
  const base = error instanceof AwsError && error.throttling ? throttledBaseMs : baseMs
  const ceiling = Math.min(delayMsMax, base * 2 ** (next - 2))
  const drawn = Math.floor(random.float() * ceiling)
  return asked === undefined ? drawn : Math.min(delayMsMax, Math.max(asked, drawn))
}
