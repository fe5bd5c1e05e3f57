// What the author of a Config says of the age of its signing key.
import { parseDuration } from '#base'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { annotations } from '../api/labels.ts'
import type { SecretObject } from './key-ring.ts'

/** The age at which a key is rotated by itself; what cannot be read counts as never and is told. */
export function maxAgeOf({ metadata }: WorkloadIdentityConfig): number | 'unreadable' | undefined {
  const text = metadata.annotations?.[annotations.signingKeyMaxAge]
  if (text === undefined || text === '' || text === '0') return undefined
  const ms = parseDuration(text)
  return ms === undefined || ms < maxAgeMsMin ? 'unreadable' : ms
}

/** A rotation takes more than a day; a shorter age would be a rotation without end. */
const maxAgeMsMin = 24 * 3_600_000

/** What decides when a rotation begins. */
export function rotationWish(
  config: WorkloadIdentityConfig,
  secret: SecretObject | undefined,
): { readonly request: string | undefined; readonly ageMsMax: number | undefined; readonly sinceMs: number | undefined } {
  const maxAge = maxAgeOf(config)
  const since = secret?.metadata.annotations?.[annotations.signingKeySince] ?? secret?.metadata.creationTimestamp
  const sinceMs = typeof since === 'string' ? Date.parse(since) : Number.NaN
  return {
    request: config.metadata.annotations?.[annotations.rotateSigningKey],
    ageMsMax: maxAge === 'unreadable' ? undefined : maxAge,
    sinceMs: Number.isNaN(sinceMs) ? undefined : sinceMs,
  }
}
