// Acts as a ServiceAccount by tokens that another client asks for: a process whose own account may do nothing but ask for them works with as
// many accounts as it has parts, and what one part may do no other can.
import type { Clock, HttpHeaders } from '#base'
import type { ObjectKey } from '../objects.ts'
import type { KubeClient } from './client.ts'
import type { KubeCredentials } from './credentials.ts'

/** As long as a pod's own. */
const lifeSeconds = 3_600
/** Renewed at this part of its life, as kubelet does: what cannot be renewed then is tried for the rest of it. */
const renewedAt = 0.8
/** Not asked again for each of many calls that are refused, or that fail, at once. */
const againMs = 1_000
const requestMsMax = 10_000

export interface RequestedTokenOptions {
  readonly client: Pick<KubeClient, 'requestToken'>
  readonly account: ObjectKey
  readonly clock: Pick<Clock, 'monotonicMs'>
}

interface Held {
  readonly headers: HttpHeaders
  readonly renewMs: number
  readonly endMs: number
}

export function requestedToken({ client, account, clock }: RequestedTokenOptions): KubeCredentials {
  let held: Held | undefined
  let asking: Promise<Held> | undefined
  let askedMs = Number.NEGATIVE_INFINITY
  const ask = (): Promise<Held> => {
    askedMs = clock.monotonicMs()
    const spec = { audiences: [], expirationSeconds: lifeSeconds }
    asking ??= client
      .requestToken(account, spec, { timeoutMs: requestMsMax })
      .then(({ token }) => {
        const lifeMs = tokenLifeMs(token) ?? lifeSeconds * 1_000
        held = {
          headers: { authorization: `Bearer ${token}` },
          renewMs: askedMs + lifeMs * renewedAt,
          endMs: askedMs + lifeMs,
        }
        return held
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  return {
    headers: async () => {
      const nowMs = clock.monotonicMs()
      if (held !== undefined && (nowMs < held.renewMs || nowMs - askedMs < againMs)) return held.headers
      const old = held
      const { headers } = await ask().catch((error: unknown) => {
        // Good for a while yet.
        if (old !== undefined && clock.monotonicMs() < old.endMs) return old
        throw error
      })
      return headers
    },
    refused: () => {
      if (clock.monotonicMs() - askedMs < againMs) return false
      held = undefined
      return true
    },
  }
}

/** From its own two times, whatever the clocks here and there say; `undefined` of a token that cannot be read. */
export function tokenLifeMs(token: string): number | undefined {
  try {
    const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Readonly<
      Record<string, unknown>
    >
    if (typeof exp === 'number' && typeof iat === 'number' && exp > iat) return (exp - iat) * 1_000
  } catch {
    return undefined
  }
  return undefined
}
