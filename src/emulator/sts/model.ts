// STS's state of one partition: sessions by access key, and the issuers' keys as they were last fetched.
import type { Instant, Jwk } from '#base'
import type { StoredPrincipal } from '../ports.ts'
import { SortedMap } from '../state/sorted-map.ts'

export interface StoredSession {
  readonly secretAccessKey: string
  readonly sessionToken: string
  readonly principal: StoredPrincipal
}

export interface CachedKeys {
  readonly fetchedAtMs: Instant
  /** When an unknown `kid` last made us fetch before the time was up. */
  readonly forcedAtMs: Instant | undefined
  readonly keys: readonly Jwk[]
}

export interface StsState {
  readonly sessions: SortedMap<StoredSession>
  readonly issuers: SortedMap<CachedKeys>
}

export const emptyState: StsState = { sessions: SortedMap.empty(), issuers: SortedMap.empty() }

export function withSession(state: StsState, session: StoredSession): StsState {
  return { ...state, sessions: state.sessions.set(session.principal.accessKeyId, session) }
}

/** Sessions stay a while after they expire, so that their late users are told so. */
export const forgetAfterMs = 3_600_000

export function withoutExpired(state: StsState, now: Instant): StsState {
  let { sessions } = state
  for (const [key, session] of sessions) if (session.principal.expiresAtMs + forgetAfterMs <= now) sessions = sessions.delete(key)
  return { ...state, sessions }
}

export function withKeys(state: StsState, issuer: string, cached: CachedKeys): StsState {
  return { ...state, issuers: state.issuers.set(issuer, cached) }
}
