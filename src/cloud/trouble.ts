// What a failed call of AWS means for the claim that it was made for: which of the four kinds of trouble it is, and under which reason people
// read of it. There is this one table; whoever calls AWS adds the words, and knows which refusals no repetition can change.
import { AwsError } from '#aws'
import { CredentialsError, InputError } from '#aws/client'
import { given, HttpFailure, redactText } from '#base'
import { Trouble, type TroubleKind, unansweredTrouble } from '#runtime'
import { limitOfCall } from './quotas.ts'

/** Reasons beside those of the engine. */
export const cloudReasons = {
  InvalidManifest: 'The manifest asks for what AWS refuses, or for what cannot be; the message says what.',
  MissingPermission: 'AWS refused the call for want of a permission, or the role could not be assumed.',
  QuotaExceeded: 'A quota of the account is full.',
  InUse: 'Something else in AWS stands in the way; the message names it.',
  NotFound: 'A resource that must be there is not.',
  Refused: 'AWS refused the call.',
} as const

export type CloudReason = keyof typeof cloudReasons

export interface TroubleContext {
  /** What the engine holds back when it is in trouble, such as `aws iam in 111122223333/us-east-1`. */
  readonly dependency: string
  /** How the service is called where it gives no answer. */
  readonly service: string
  /** Whether the same request would be refused for ever. A want of permission and of patience never is. */
  isFinal(error: AwsError): boolean
  /** A refusal in words for people; `summary` of the error when absent. */
  wordsFor?(error: AwsError): string
}

/** Anything that was thrown while AWS was called, as trouble. What is none of AWS's is given back as it is. */
export function cloudTrouble(error: unknown, context: TroubleContext): unknown {
  const { dependency, service } = context
  const make: Make = (kind, reason, message, retryAfterMs) =>
    new Trouble({ kind, reason, message, dependency, cause: error, ...given({ retryAfterMs }) })
  if (error instanceof AwsError) return refusal(error, context, make)
  if (error instanceof InputError) return make('stop', 'InvalidManifest', error.message)
  // Our own credentials; a role that we may not assume is refused by STS.
  if (error instanceof CredentialsError) return make('backoff', 'Unauthenticated', redactText(error.message))
  return error instanceof HttpFailure ? unansweredTrouble(error, service, dependency) : error
}

/** Thrown for what would take a late answer for the end: it may be there, and not be visible yet. */
export function notVisibleYet(which: string, dependency: string, retryAfterMs: number): Trouble {
  const message = `the ${which} was asked for a moment ago: it may be there and not be visible yet`
  return new Trouble({ kind: 'backoff', reason: 'OutcomeUnknown', message, dependency, retryAfterMs })
}

type Make = (kind: TroubleKind, reason: string, message: string, retryAfterMs?: number) => Trouble

function refusal(error: AwsError, { isFinal, wordsFor }: TroubleContext, make: Make): Trouble {
  const message = wordsFor === undefined ? redactText(error.summary) : wordsFor(error)
  switch (error.class) {
    case 'throttling':
      return make('backoff', 'Throttled', `${error.service} asks for patience`, error.retryAfterMs)
    // Permission is given and taken by other people than the claim's author, who are told at once and whom nobody tells us of.
    case 'denied':
      return make('backoff', 'MissingPermission', message)
    default:
      return isFinal(error) ? make('stop', 'InvalidManifest', message) : passing(error, message, make)
  }
}

/** What may pass without a change of the manifest. */
function passing(error: AwsError, message: string, make: Make): Trouble {
  switch (error.class) {
    case 'expired':
    case 'clock-skew':
      return make('backoff', 'Unauthenticated', message)
    case 'transient':
      return make('backoff', 'OutcomeUnknown', `${error.service} ${error.operation}: ${error.code}`, error.retryAfterMs)
    case 'quota':
      return make('backoff', 'QuotaExceeded', withLimit(error, message))
    case 'conflict':
      return make('backoff', 'InUse', message)
    case 'not-found':
      return make('backoff', 'NotFound', message)
    default:
      return make('backoff', 'Refused', message)
  }
}

/** The quota by the name under which a person can look it up and raise it. */
function withLimit({ service, operation }: AwsError, message: string): string {
  const limit = limitOfCall(service, operation)
  if (limit === undefined) return message
  const code = limit.quotaCode === undefined ? '' : `, ${limit.quotaCode} in Service Quotas`
  return `${message.replace(/[.\s]+$/, '')}; the quota is "${limit.name}" (${limit.value} ${limit.scope} by default${code})`
}
