// What an error of a call means for the claim: which of the four kinds of trouble it is, and under which reason people read of it.
import { AwsError } from '#aws'
import { CredentialsError, InputError } from '#aws/client'
import { HttpFailure, redactText } from '#base'
import { Trouble, type TroubleKind, unansweredTrouble } from '#runtime'
import type { Kind } from './kinds/deviation.ts'
import { ValueError } from './model/convert.ts'

/** The reasons of our own; those of the engine come beside them. */
export const reasons = {
  InvalidManifest: 'The manifest asks for what AWS refuses, or for what cannot be; the message says what.',
  ResourceExists: 'A resource of that name is there and is not managed by this object.',
  UnexpectedFinalizer:
    'The object came with our finalizer or marks, and nothing that only we write says that the resource is its own.',
  ResourceMoved: 'The account or region that is asked for is not the one in which the resource was made.',
  ReferenceUnresolved: 'A referenced object is missing, not ready, or may not be referred to.',
  SecretUnusable: 'A secret is missing, of another type, lacks the key, or is not among those that may be used.',
  TargetRefused: 'What is to be exported may not be written where it is to go; the message says why.',
  RoleMissing: 'No role is known for the account or team.',
  SelectorAmbiguous: 'Several IAMRoleSelectors apply, or the one that does cannot be followed.',
  MissingPermission: 'AWS refused the call for want of a permission, or the role could not be assumed.',
  QuotaExceeded: 'A quota of the account is full.',
  InUse: 'Something else in AWS stands in the way; the message names it.',
  NotFound: 'A resource that must be there is not.',
  Refused: 'AWS refused the call.',
  NotVisibleYet: 'The resource was made, and AWS does not show it yet.',
  NotUpdatable: 'A field was changed that no API can change.',
  DuplicateOwner: 'Another object manages the same resource.',
  AdoptedResourceNotFound: 'The resource that was adopted, or is to be, is not there.',
  AdoptionFailed: 'The resource that is only read is not there, or not one alone fits what it is looked up by.',
  NotImplemented: 'The API has no operation for what is needed.',
} as const

/** Anything that was thrown while a claim was worked on, as trouble of the claim. Trouble of other origins is left alone. */
export function troubleOf(error: unknown, kind: Kind, dependency: string): unknown {
  const make = (kind: TroubleKind, reason: string, message: string, retryAfterMs?: number): Trouble =>
    new Trouble({ kind, reason, message, dependency, cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
  if (error instanceof AwsError) return awsTrouble(error, kind, make)
  if (error instanceof ValueError || error instanceof InputError) return make('stop', 'InvalidManifest', error.message)
  if (error instanceof CredentialsError) return make('backoff', 'MissingPermission', redactText(error.message))
  return error instanceof HttpFailure ? unansweredTrouble(error, kind.model.service.model.id, dependency) : error
}

type Make = (kind: TroubleKind, reason: string, message: string, retryAfterMs?: number) => Trouble

function awsTrouble(error: AwsError, kind: Kind, make: Make): Trouble {
  const message = redactText(error.summary)
  if (isTerminal(error, kind)) return make('stop', 'InvalidManifest', message)
  switch (error.class) {
    case 'throttling':
      return make('backoff', 'Throttled', `${error.service} asks for patience`, error.retryAfterMs)
    case 'denied':
      return make('backoff', 'MissingPermission', message)
    case 'expired':
    case 'clock-skew':
      return make('backoff', 'Unauthenticated', message)
    case 'quota':
      return make('backoff', 'QuotaExceeded', message)
    case 'conflict':
      return make('backoff', 'InUse', message)
    case 'not-found':
      return make('backoff', 'NotFound', message)
    case 'transient':
      return make('backoff', 'OutcomeUnknown', `${error.service} ${error.operation}: ${error.code}`, error.retryAfterMs)
    default:
      return make('backoff', 'Refused', message)
  }
}

/** Permission is given and taken by other people than the claim's author: never terminal. */
function isTerminal(error: AwsError, { model, deviation }: Kind): boolean {
  if (error.class === 'denied' || error.class === 'throttling') return false
  if (deviation.passes?.(error) === true) return false
  return model.kind.settings.terminalCodes?.includes(error.code) ?? false
}
