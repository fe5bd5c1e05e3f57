// The platform pauses a control plane by `pausedUntil`: `true` for good, or a time until which nothing is to be changed.
import type { Instant } from '#base'

export type Pause = { readonly kind: 'none' } | { readonly kind: 'paused'; readonly until: Instant | undefined }

export function pauseOf(text: string | undefined, now: Instant): Pause {
  if (text === 'true') return { kind: 'paused', until: undefined }
  const until = text === undefined ? Number.NaN : Date.parse(text)
  return until > now ? { kind: 'paused', until } : { kind: 'none' }
}
