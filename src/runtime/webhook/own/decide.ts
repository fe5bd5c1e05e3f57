// What is to be done about an authority of our own and what it signed: one step at a time, each a single write of the Secret, after which
// a process that starts anew goes on. Reviews never fail in between, because an authority is trusted for a while before it signs, and
// trusted until the last of what it signed has run out: a replica that has not heard of a change serves what is still good.
import {
  type CertificatePair,
  type DrawnKey,
  earlierMax,
  earlierOf,
  expiryOf,
  type Instant,
  issueAuthority,
  issueServing,
  keyTrouble,
  onlyCertificate,
  servingTrouble,
} from '#base'
import type { StoredAuthority } from './stored.ts'
import { authorityLifeMs, type CertificateStyle, ownStyle } from './style.ts'

/** API servers follow their configurations by watches; one that is slow has a minute. */
export const settleMs = 60_000
export interface SeenWebhooks {
  readonly stored: StoredAuthority
  /** What the webhooks trust at present. */
  readonly bundles: readonly string[]
  /** Whom the API server calls. */
  readonly names: readonly string[]
  /** Absent: ours. */
  readonly style?: CertificateStyle
  /** For how long all webhooks have trusted the next authority. */
  readonly nextTrustedMs: number
}

/** What is written next, and why. */
export type Step =
  | { readonly kind: 'keep' }
  | { readonly kind: 'begin'; readonly why: string }
  | { readonly kind: 'prepare'; readonly why: string }
  | { readonly kind: 'promote'; readonly why: string }
  | { readonly kind: 'renew'; readonly why: string }
  | { readonly kind: 'forget'; readonly why: string }

export function decideStep(
  { stored, names, nextTrustedMs, style = ownStyle }: Omit<SeenWebhooks, 'bundles'>,
  now: Instant,
): Step {
  const { authority, serving, next, former, formerUntil } = stored
  const lost = authorityTrouble(authority, now)
  if (authority === undefined || lost !== undefined) return { kind: 'begin', why: lost ?? 'there is no authority yet' }
  if (next !== undefined && authorityTrouble(next, now) !== undefined)
    return { kind: 'prepare', why: 'the next authority cannot be used' }
  if (next !== undefined && nextTrustedMs >= settleMs) return { kind: 'promote', why: 'the next authority is trusted' }
  const needs = { authority: authority.certificate, names, renewMs: style.servingRenewMs }
  const wrong = serving === undefined ? 'there is nothing to serve yet' : servingTrouble(serving, needs, now)
  if (wrong !== undefined) return { kind: 'renew', why: wrong }
  if (former.length > 0 && formerUntil <= now) return { kind: 'forget', why: 'all that a former authority signed has run out' }
  if (next === undefined && expiryOf(authority.certificate) - now < style.authorityRenewMs)
    return { kind: 'prepare', why: 'the authority runs out before long' }
  return { kind: 'keep' }
}

export interface Drawn {
  readonly authority: DrawnKey
  readonly serving: DrawnKey
}

/** What the Secret holds after the step. */
export function carryOut(
  { kind }: Step,
  { stored, bundles, names, style = ownStyle }: SeenWebhooks,
  drawn: Drawn,
  now: Instant,
): StoredAuthority {
  const { servingLifeMs } = style
  const sign = (issuer: CertificatePair): CertificatePair =>
    issueServing(
      { commonName: style.serving, names: { dns: names }, issuer, ...drawn.serving },
      { from: now, until: now + servingLifeMs },
    )
  const made = (): CertificatePair =>
    issueAuthority(style.authority, drawn.authority, { from: now, until: now + authorityLifeMs })
  const { authority, next, former } = stored
  if (kind === 'begin') {
    const fresh = made()
    return { authority: fresh, serving: sign(fresh), next: undefined, ...trustedBefore(bundles, style, now) }
  }
  if (authority === undefined || kind === 'keep') return stored
  if (kind === 'prepare') return { ...stored, next: made() }
  if (kind === 'renew') return { ...stored, serving: sign(authority) }
  if (kind === 'forget' || next === undefined) return { ...stored, former: [], formerUntil: 0 }
  const kept = [authority.certificate, ...former].slice(0, earlierMax)
  return { authority: next, serving: sign(next), next: undefined, former: kept, formerUntil: now + servingLifeMs }
}

/** Whoever the webhooks trust of ours: the Secret has forgotten them, and a replica may still serve what they signed. */
function trustedBefore(
  bundles: readonly string[],
  { authority: { commonName }, servingLifeMs }: CertificateStyle,
  now: Instant,
): Pick<StoredAuthority, 'former' | 'formerUntil'> {
  const former = earlierOf({ bundle: bundles.join('\n'), commonName }, now)
  return { former, formerUntil: former.length === 0 ? 0 : now + servingLifeMs }
}

function authorityTrouble(pair: CertificatePair | undefined, now: Instant): string | undefined {
  if (pair === undefined) return undefined
  const parsed = onlyCertificate(pair.certificate)
  if (parsed === undefined || !parsed.ca) return 'what is kept as the authority is no certificate of one'
  if (Date.parse(parsed.validTo) <= now) return 'the authority has run out'
  return keyTrouble(parsed, pair.key)
}
