// What an informer does about a failed list or watch. It never gives up; the only questions are whether the position is lost,
// what to tell people meanwhile, and how soon to try again.

import { assertNever } from '#base'
import type { Status } from '#kube'
import { KubeError } from '#kube/client'
import { Stopped } from '../scope.ts'
import type { BehindWhy } from './change.ts'

export interface Weather {
  readonly why: BehindWhy
  readonly message: string
  /** The history from our position on is gone: only a fresh list helps. */
  readonly expired: boolean
  /** The server asked for this much patience. */
  readonly retryAfterMs?: number
  /** It does not stream initial events: lists in pages from now on. */
  readonly noWatchList: boolean
}

export function readWeather(error: unknown, streamedList: boolean): Weather {
  if (error instanceof Stopped) return weather('unreachable', error.message)
  if (!(error instanceof KubeError)) return weather('error', error instanceof Error ? error.message : String(error))
  if (isExpired(error.httpStatus, error.reason)) return { ...weather('error', error.message), expired: true }
  const refusedStream = streamedList && error.code === 'refused' && (error.httpStatus === 400 || error.httpStatus === 422)
  return {
    why: whyOf(error),
    message: error.message,
    expired: false,
    noWatchList: refusedStream,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  }
}

/** A watch ended with an ERROR line. */
export function readStatusWeather(status: Status): Weather {
  const error = new KubeError(status.code === 429 ? 'throttled' : 'refused', status.message ?? status.reason ?? 'watch failed', {
    httpStatus: status.code,
    status,
    retryAfterMs: status.details?.retryAfterSeconds === undefined ? undefined : status.details.retryAfterSeconds * 1_000,
  })
  return readWeather(error, false)
}

export function weather(why: BehindWhy, message: string): Weather {
  return { why, message, expired: false, noWatchList: false }
}

function whyOf(error: KubeError): BehindWhy {
  switch (error.code) {
    case 'unreachable':
    case 'untrusted':
    case 'unknown-outcome':
    case 'aborted':
      return 'unreachable'
    case 'throttled':
      return 'throttled'
    case 'unauthenticated':
      return 'unauthenticated'
    case 'refused':
      if (error.httpStatus === 404) return 'kind-missing'
      if (error.httpStatus === 403) return 'forbidden'
      return error.httpStatus === 401 ? 'unauthenticated' : 'error'
    case 'malformed':
      return 'error'
    default:
      return assertNever(error.code)
  }
}

function isExpired(httpStatus: number | undefined, reason: string): boolean {
  return httpStatus === 410 || reason === 'Expired' || reason === 'Gone'
}
