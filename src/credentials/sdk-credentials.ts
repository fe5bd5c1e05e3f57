// A remote identity as the clients of AWS take one: a function that is asked before each call, so it keeps what it has and renews it well
// before its end, once however many ask.
import { grantedLifeMs, renewing } from '#aws/client'
import type { Seams } from '#base'
import type { RemoteProvider } from './remote-provider.ts'

/** What every client of the AWS SDK for JavaScript takes as `credentials`. */
export type SdkCredentials = () => Promise<SdkIdentity>

export interface SdkIdentity {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
  readonly expiration: Date
  readonly accountId?: string
}

/** Asks the provider when it has to: at first, and from two thirds of the life of what it gave on, while that still serves. */
export function cachedCredentials(provider: RemoteProvider, { clock, random }: Pick<Seams, 'clock' | 'random'>): SdkCredentials {
  const { sessionDurationMs } = provider
  const durationSeconds = sessionDurationMs === 0 ? undefined : sessionDurationMs / 1_000
  const kept = renewing(
    async () => {
      const { expiration, ...given } = await provider.retrieve()
      const credentials = { ...given, expiresAtMs: expiration.getTime() }
      return { credentials, lifeMs: grantedLifeMs(expiration, durationSeconds, clock) }
    },
    { clock, random },
  )
  return async () => {
    const { accessKeyId, secretAccessKey, sessionToken = '', expiresAtMs = 0, accountId = '' } = await kept.get()
    const identity = { accessKeyId, secretAccessKey, sessionToken, expiration: new Date(expiresAtMs) }
    return accountId === '' ? identity : { ...identity, accountId }
  }
}
