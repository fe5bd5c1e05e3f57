// What a call that failed means for a Cert: one table for reads and writes. The words are those of conditions, and hold nothing that
// changes from try to try.
import { AwsError } from '#aws'
import { CredentialsError, InputError } from '#aws/client'
import { given, HttpFailure } from '#base'
import { Trouble } from '#runtime'
import { sanitise } from '../sanitise.ts'
import { CircuitOpen } from './breaker.ts'
import { LimiterBusy } from './limiter.ts'
import { RetriesExceeded } from './throttle-retry.ts'

export type FaultClass =
  | 'not-found'
  | 'in-use'
  | 'conflict'
  | 'quota'
  | 'invalid'
  | 'record-conflict'
  | 'zone-gone'
  | 'denied'
  | 'throttled'
  | 'transient'
  /** No call was made, and a later one may be: no failure. */
  | 'held-back'

export interface CloudFault {
  readonly class: FaultClass
  readonly message: string
  readonly retryAfterMs?: number
  /** Held back by nothing but our own pace: no trouble that anybody has to read of. */
  readonly isOurPace?: true
}

const byCode: Readonly<Record<string, FaultClass>> = {
  ResourceNotFoundException: 'not-found',
  NoSuchHostedZone: 'zone-gone',
  NoSuchChange: 'not-found',
  ResourceInUseException: 'in-use',
  ConflictException: 'conflict',
  RequestInProgressException: 'conflict',
  LimitExceededException: 'quota',
  InvalidParameterException: 'invalid',
  InvalidDomainValidationOptionsException: 'invalid',
  InvalidArnException: 'invalid',
  InvalidTagException: 'invalid',
  TagPolicyException: 'invalid',
  TooManyTagsException: 'invalid',
  ValidationException: 'invalid',
  InvalidInput: 'invalid',
  InvalidDomainName: 'invalid',
  InvalidChangeBatch: 'record-conflict',
  AccessDenied: 'denied',
  AccessDeniedException: 'denied',
  UnrecognizedClientException: 'denied',
  ExpiredToken: 'denied',
  ExpiredTokenException: 'denied',
  InvalidClientTokenId: 'denied',
  SignatureDoesNotMatch: 'denied',
}

/** `undefined` for what has nothing to do with a cloud: a defect, or an end that we made. */
export function faultOf(error: unknown): CloudFault | undefined {
  if (error instanceof CircuitOpen) return { class: 'held-back', message: error.message, retryAfterMs: error.retryAfterMs }
  if (error instanceof LimiterBusy)
    return { class: 'held-back', message: error.message, retryAfterMs: error.waitMs, isOurPace: true }
  if (error instanceof RetriesExceeded) return { class: 'throttled', message: 'AWS asks for patience: max retries exceeded' }
  if (error instanceof InputError) return { class: 'invalid', message: sanitise(error.message) }
  if (error instanceof CredentialsError) return { class: 'denied', message: 'there are no credentials that AWS accepts' }
  if (error instanceof HttpFailure && error.code !== 'aborted') return { class: 'transient', message: 'AWS cannot be reached' }
  if (!(error instanceof AwsError)) return undefined
  const known = Object.hasOwn(byCode, error.code) ? byCode[error.code] : undefined
  return { class: known ?? classOf(error), message: wordsOf(error) }
}

function classOf(error: AwsError): FaultClass {
  if (error.throttling) return 'throttled'
  switch (error.class) {
    case 'denied':
    case 'expired':
    case 'clock-skew':
      return 'denied'
    case 'invalid':
      return 'invalid'
    case 'quota':
      return 'quota'
    default:
      return 'transient'
  }
}

function wordsOf(error: AwsError): string {
  const said = error.class === 'transient' ? error.code : error.summary
  return sanitise(said)
}

export function isAbsence(error: unknown): boolean {
  return faultOf(error)?.class === 'not-found'
}

/** For the engine, which counts it and waits longer and longer: what a person reads of it is the report's business. */
export function weather(fault: CloudFault, cause?: unknown): Trouble {
  const reason = fault.class === 'throttled' ? 'Throttled' : 'OutcomeUnknown'
  return new Trouble({ kind: 'backoff', reason, message: fault.message, ...given({ cause }) })
}

/** An expected wait. */
export function patience(reason: string, message: string, afterMs: number): Trouble {
  return new Trouble({ kind: 'wait', reason, message, retryAfterMs: afterMs })
}
