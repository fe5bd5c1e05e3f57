// Why something did not work, and what that means for the next step (P10). Four kinds, each with a reason from a closed list: no other
// text reaches a condition's reason, and no message holds what changes from try to try.
import { assertNever, type HttpFailure, redactText } from '#base'
import { KubeError } from '#kube/client'
import { Stopped } from '../scope.ts'

export type TroubleKind =
  /** A conflict, our own cache behind: look again at once. */
  | 'soon'
  /** Weather: again later and later. */
  | 'backoff'
  /** Something that is not there yet: its arrival will wake us; the time is only a fallback. */
  | 'wait'
  /** Until the spec changes. */
  | 'stop'

/** Every reason that the engine itself can give. Operators add their own. */
export const troubleReasons = {
  Conflict: 'Somebody changed the object at the same time; the decision is taken again.',
  Stale: 'The decision rested on an older state than the server has; it is taken again.',
  Throttled: 'The server or a quota asked for patience.',
  Unreachable: 'The cluster or service cannot be reached.',
  Untrusted: 'The certificate of the cluster or service is not trusted.',
  Unauthenticated: 'The credentials are missing or no longer accepted.',
  OutcomeUnknown: 'The answer was lost; whether the call took hold is looked up before it is repeated.',
  Forbidden: 'A permission is missing.',
  KindMissing: 'The kind is not installed in the cluster.',
  NamespaceMissing: 'The namespace does not exist.',
  NamespaceTerminating: 'The namespace is being deleted.',
  Rejected: 'The server refused the object as invalid.',
  OwnedByAnother: 'An object of this name exists and is not ours.',
  NotFound: 'An object that is needed does not exist.',
  CacheStarting: 'What is cached of the cluster is not whole yet.',
  DependencyDown: 'Held back, because the dependency failed for others just now.',
  DeadlineExceeded: 'The reconcile took longer than it may.',
  NotLeader: 'Another replica leads.',
  Malformed: 'The answer makes no sense.',
  InternalError: 'A defect of the controller.',
} as const

export type TroubleReason = keyof typeof troubleReasons

export interface TroubleOptions {
  readonly kind: TroubleKind
  /** CamelCase, from `troubleReasons` or from the operator's own closed list. */
  readonly reason: string
  /** Stable between tries: no ids, times or addresses. */
  readonly message: string
  readonly dependency?: string
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** Thrown by `observe` and by own actions to say which of the four kinds it is; everything else is classified by `asTrouble`. */
export class Trouble extends Error {
  readonly kind: TroubleKind
  readonly reason: string
  readonly dependency: string | undefined
  readonly retryAfterMs: number | undefined
  constructor(options: TroubleOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Trouble'
    this.kind = options.kind
    this.reason = options.reason
    this.dependency = options.dependency
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Any error as trouble. What nobody foresaw is a defect: it backs off, is counted, and delays no other key (B21). */
export function asTrouble(error: unknown, dependency?: string): Trouble {
  if (error instanceof Trouble) return error
  const more = { cause: error, ...(dependency === undefined ? {} : { dependency }) }
  if (error instanceof Stopped) {
    return error.why === 'fence'
      ? new Trouble({ kind: 'soon', reason: 'NotLeader', message: 'leadership is not proved at this moment', ...more })
      : new Trouble({ kind: 'backoff', reason: 'DeadlineExceeded', message: error.message, ...more })
  }
  if (error instanceof KubeError) return kubeTrouble(error, more)
  return new Trouble({ kind: 'backoff', reason: 'InternalError', message: 'the controller failed; its log says where', ...more })
}

/** The same under a signal: calls that were under way when we were stopped fail in many words, which all mean that we were stopped. */
export function asTroubleUnder(signal: AbortSignal, error: unknown, dependency?: string): Trouble {
  const trouble = asTrouble(error, dependency)
  const why: unknown = signal.aborted ? signal.reason : undefined
  const isMistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return trouble.reason === 'InternalError' && why instanceof Stopped && !isMistake ? asTrouble(why, dependency) : trouble
}

/** A service that gave no answer, as trouble, under the name `called`. That we ourselves ended the call is no trouble of it. */
export function unansweredTrouble(failure: HttpFailure, called: string, dependency: string): Trouble | HttpFailure {
  const make = (reason: TroubleReason, message: string): Trouble =>
    new Trouble({ kind: 'backoff', reason, message, dependency, cause: failure })
  switch (failure.code) {
    case 'unreachable':
      return make('Unreachable', `${called} cannot be reached`)
    case 'untrusted':
      return make('Untrusted', `the certificate of ${called} is not trusted`)
    case 'aborted':
      return failure
    default:
      return make('OutcomeUnknown', `${called} did not answer as it should`)
  }
}

/** Transient trouble of a dependency, which its breaker counts. A refusal proves that the dependency works. */
export function isDependencyTrouble(trouble: Trouble): boolean {
  return ['Throttled', 'Unreachable', 'Untrusted', 'Unauthenticated', 'OutcomeUnknown', 'Malformed'].includes(trouble.reason)
}

type More = { readonly cause: unknown; readonly dependency?: string }

function kubeTrouble(error: KubeError, more: More): Trouble {
  const make = (kind: TroubleKind, reason: TroubleReason, message: string): Trouble =>
    new Trouble({
      kind,
      reason,
      message,
      ...more,
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    })
  switch (error.code) {
    case 'throttled':
      return make('backoff', 'Throttled', 'the API server asked for patience')
    case 'unreachable':
      return make('backoff', 'Unreachable', 'the API server cannot be reached')
    case 'untrusted':
      return make('backoff', 'Untrusted', "the API server's certificate is not trusted")
    case 'unauthenticated':
      return make('backoff', 'Unauthenticated', 'the API server does not accept our credentials')
    case 'unknown-outcome':
    case 'aborted':
      return make('backoff', 'OutcomeUnknown', 'the API server did not answer in time')
    case 'malformed':
      return make('backoff', 'Malformed', 'what answered is no API server')
    case 'refused':
      return refusal(error, make)
    default:
      return assertNever(error.code)
  }
}

function refusal(error: KubeError, make: (kind: TroubleKind, reason: TroubleReason, message: string) => Trouble): Trouble {
  const { status } = error
  const isNamespace = status?.details?.kind === 'namespaces'
  switch (error.reason) {
    case 'Conflict':
      return make('soon', 'Conflict', 'the object was changed at the same time')
    case 'AlreadyExists':
      return make('soon', 'Conflict', 'an object of this name has just been made')
    case 'NotFound':
      if (isNamespace) return make('wait', 'NamespaceMissing', `the namespace ${status?.details?.name ?? ''} does not exist`)
      if (status?.details?.name === undefined || status.details.name === '')
        return make('wait', 'KindMissing', 'the server does not know the kind')
      return make('soon', 'NotFound', `${status.details.kind ?? 'object'} ${status.details.name} does not exist`)
    case 'Forbidden':
      if (status?.details?.causes?.some(cause => cause.reason === 'NamespaceTerminating') === true)
        return make('wait', 'NamespaceTerminating', 'the namespace is being deleted')
      return make('backoff', 'Forbidden', said(error))
    case 'Invalid':
    case 'BadRequest':
    case 'RequestEntityTooLarge':
      return make('stop', 'Rejected', said(error))
    default:
      // Any other 4xx is about the request, and the next one would be the same.
      if ((error.httpStatus ?? 500) < 500) return make('stop', 'Rejected', said(error))
      return make('backoff', 'OutcomeUnknown', `the API server answered ${error.httpStatus ?? 'an error'}`)
  }
}

/** The server's own sentence, which is the same at every try, without our address in it and without what looks like a secret. */
function said(error: KubeError): string {
  return redactText(error.status?.message ?? `the API server answered ${error.httpStatus ?? 'an error'}`)
}
