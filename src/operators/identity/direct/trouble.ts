// A refusal by AWS as trouble of the binding, in the words that a child object would have for it (M11).
import { AwsError } from '#aws'
import { CredentialsError, InputError } from '#aws/client'
import { HttpFailure, redactText } from '#base'
import { Trouble, type TroubleKind, unansweredTrouble } from '#runtime'
import { explain } from '../children/trouble.ts'

/** The fallback for what only a person can change, and of which no event tells. */
const personMs = 60_000

export function awsTrouble(error: unknown, dependency: string): unknown {
  const make = (kind: TroubleKind, reason: string, message: string, retryAfterMs?: number): Trouble =>
    new Trouble({ kind, reason, message, dependency, cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
  if (error instanceof AwsError) return refusal(error, make)
  if (error instanceof InputError) return make('stop', 'Rejected', error.message)
  if (error instanceof CredentialsError) return make('wait', 'Unauthenticated', redactText(error.message), personMs)
  return error instanceof HttpFailure ? unansweredTrouble(error, dependency, dependency) : error
}

/** Thrown for a deletion that would take a late answer for the end (P5). */
export function notVisibleYet(which: string, dependency: string, retryAfterMs: number): Trouble {
  const message = `the ${which} was asked for a moment ago: it may be there and not be visible yet`
  return new Trouble({ kind: 'backoff', reason: 'OutcomeUnknown', message, dependency, retryAfterMs })
}

type Make = (kind: TroubleKind, reason: string, message: string, retryAfterMs?: number) => Trouble

function refusal(error: AwsError, make: Make): Trouble {
  const { message } = explain(error.code, redactText(`${error.code}: ${error.message}`))
  switch (error.class) {
    case 'throttling':
      return make('backoff', 'Throttled', `${error.service} asks for patience`, error.retryAfterMs)
    case 'transient':
      return make('backoff', 'OutcomeUnknown', `${error.service} ${error.operation}: ${error.code}`, error.retryAfterMs)
    // Made by an earlier try of ours, or by another at this moment: the next look tells.
    case 'conflict':
      return make('backoff', 'Conflict', message)
    case 'not-found':
      return make('backoff', 'NotFound', message)
    case 'expired':
    case 'clock-skew':
      return make('backoff', 'Unauthenticated', message)
    case 'denied':
      return make('wait', 'Forbidden', message, personMs)
    case 'quota':
      return make('wait', 'Rejected', message, personMs)
    case 'invalid':
      return make('stop', 'Rejected', message)
    default:
      return make('backoff', 'Rejected', message)
  }
}
