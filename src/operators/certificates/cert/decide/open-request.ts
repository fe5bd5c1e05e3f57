// What became of a request may not be known: its answer was lost, and ACM shows late what it made. Whoever gives a request up, and whoever
// lets the object go, has to know first that nothing comes of it any more.
import { type CloudCertificate, hashOfCertificate } from '../../aws/certificate.ts'
import type { Look, Sighted } from '../seen.ts'
import { agoMs, listedArns } from './fields.ts'

/** ACM shows within seconds what was asked for; after so long without a sight it was not made. */
export const unseenMs: number = 5 * 60_000

const alive = new Set(['PENDING_VALIDATION', 'ISSUED'])

export function isAlive({ status }: Pick<CloudCertificate, 'status'>): boolean {
  return alive.has(status)
}

/**
 * Found by our own marks, and not known to the status: what a request made whose answer was lost. One for other names was replaced long ago,
 * when there was no room for it in the list.
 */
export function unlistedOf({ claim, owned, wanted }: Pick<Sighted, 'claim' | 'owned' | 'wanted'>): CloudCertificate | undefined {
  const listed = new Set(listedArns(claim))
  const asked = new Set([wanted.hash, claim.status?.request?.specHash])
  const isAsked = (certificate: CloudCertificate): boolean => asked.has(hashOfCertificate(certificate))
  const isIt = (certificate: CloudCertificate): boolean =>
    isAlive(certificate) && !listed.has(certificate.arn) && isAsked(certificate)
  return owned?.find(({ certificate }) => isIt(certificate))?.certificate
}

/** Whether there is an intent whose certificate the status does not name, while another certificate is current. */
export function isReplacementOpen({ claim }: Pick<Sighted, 'claim'>): boolean {
  const { state, request, pendingCertificateArn } = claim.status ?? {}
  return request !== undefined && pendingCertificateArn === undefined && (state === 'Pending' || state === 'Failed')
}

/** ACM gave its ARN, and may show it any moment: it cannot be given up yet. */
export function isOnItsWay(look: Look): boolean {
  return look.kind === 'absent' && look.isSettled !== true
}

export const untilShown = { afterMs: 30_000, why: 'ACM shows late what was asked for' } as const

/** S26: what was asked for minutes ago and is not there may be on its way to be seen. */
export function mayComeToLight(seen: Asked): boolean {
  const askedMs = lastAskedMs(seen)
  return askedMs !== undefined && askedMs < unseenMs
}

type Asked = Pick<Sighted, 'claim' | 'nowMs' | 'aheadMs' | 'vainMs'>

/** How long ago ACM may have been asked last. An intent says only when that began: while it has no outcome it is carried out again and again. */
function lastAskedMs(seen: Asked): number | undefined {
  const { request, state, lastFailure } = seen.claim.status ?? {}
  if (request === undefined) return undefined
  const isOpen = state === 'Pending' || state === 'Created'
  const failedMs = state === 'Failed' && lastFailure !== undefined ? agoMs(seen, lastFailure.time) : Number.POSITIVE_INFINITY
  return Math.min(agoMs(seen, request.requestedAt), isOpen ? seen.vainMs : failedMs)
}
