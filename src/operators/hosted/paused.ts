// The platform pauses a control plane by `pausedUntil`: `true` for good, or a time until which nothing is to be changed.
import { type Instant, memberAt } from '#base'

export type Pause = { readonly kind: 'none' } | { readonly kind: 'paused'; readonly until: Instant | undefined }

export function pauseOf(spec: unknown, now: Instant): Pause {
  const text = memberAt(spec, 'pausedUntil')
  if (text === 'true') return { kind: 'paused', until: undefined }
  const until = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return until > now ? { kind: 'paused', until } : { kind: 'none' }
}
