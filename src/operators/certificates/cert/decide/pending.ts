// Pending: nothing is in ACM for what is wanted. The intent is written down, and then the certificate is asked for.
import { renderTime } from '#kube'
import type { CertRequest } from '../../api/status.ts'
import { isCloudAction } from '../cloud-action.ts'
import { type DayRequest, dayRequestOf } from '../day/day-requests.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { adoptedArn, judgeAdoption } from './adopt.ts'
import { zoneHiddenIn } from './astray.ts'
import { deleteCertificateCall, requestCall } from './calls.ts'
import { nextRequest, noCertificate, supersededMax, targetOf } from './fields.ts'
import { isLost, isOverwritten, listUnlisted, takeUpAgain, takeUpWanted } from './lost-status.ts'
import { isOnItsWay, mayComeToLight, unlistedOf, unseenMs, untilShown } from './open-request.ts'
import { failed, type Verdict, verdict, waits } from './verdict.ts'

/** ACM remembers a token for an hour: for so long a repeated request is the same one, and nothing has to be looked for. */
export const tokenTrustedMs: number = 50 * 60_000

/** Whether something that was asked for may be in ACM unknown to us, and too old for its token to find it. */
export function needsSearch(seen: Pick<Sighted, 'claim' | 'nowMs'>): boolean {
  const { request, certificateArn, pendingCertificateArn, certReady } = seen.claim.status ?? {}
  if (request === undefined) return false
  const hasOne = pendingCertificateArn !== undefined || (certificateArn !== undefined && certReady !== true)
  const ageMs = seen.nowMs - Date.parse(request.requestedAt)
  // By a clock that went back it may be as old as can be: nothing says that its token is still known.
  return !hasOne && (ageMs > tokenTrustedMs || ageMs < -aheadMsMax)
}

/** Clocks of replicas differ. A token that is older by so much is known to ACM all the same. */
const aheadMsMax = 5 * 60_000

/** The request that this look leads to, or that the day refused before. */
export function requesterOf(seen: Sighted, settings: CertSettings): DayRequest | undefined {
  const { state, lastFailure, request } = seen.claim.status ?? {}
  if (state === 'Failed' && request !== undefined && lastFailure?.refusedBy === 'DailyBudget')
    return dayRequestOf({ ...seen, request })
  if (state !== 'Pending') return undefined
  const [asks] = judgePending(seen, settings).actions.filter(isCloudAction)
  return asks?.ofTheDay
}

export function judgePending(seen: Sighted, settings: CertSettings): Verdict {
  return blockerOf(seen) ?? judgeRequest(seen, settings)
}

/** What stands in the way before AWS is asked for anything. */
export function blockerOf(seen: Sighted): Verdict | undefined {
  const { wanted, rival, forbidden } = seen
  if (rival !== undefined) {
    const which = `${rival.namespace}/${rival.name}${rival.isDeleting ? ' (being deleted)' : ''}`
    return failed(6, { reason: 'DuplicateDomain', message: `certificate for ${wanted.primary ?? ''} already exists: ${which}` })
  }
  if (wanted.zoneTrouble !== undefined) {
    const { zoneTrouble: message } = wanted
    return failed(7, { reason: 'ZoneNotFound', message }, { events: [{ type: 'Warning', reason: 'ZoneNotFound', message }] })
  }
  if (wanted.nameTrouble !== undefined) return failed(13, { reason: 'IssuanceFailed', message: wanted.nameTrouble })
  const message = zoneHiddenIn(seen)
  if (message !== undefined) return failed(8, { reason: 'PrivateZone', message })
  return forbidden === undefined
    ? undefined
    : failed(13, { reason: 'IssuanceFailed', message: forbidden, refusedBy: 'CertPolicy' })
}

function judgeRequest(seen: Sighted, settings: CertSettings): Verdict {
  const { claim, wanted } = seen
  const { request } = claim.status ?? {}
  const isIntended = request !== undefined && request.specHash === wanted.hash
  if (targetOf(seen).arn !== undefined)
    return isIntended ? waits(9, 'Created', wantsIt, { next: 'at-once' }) : dropTarget(seen, { row: 31, settings })
  const adopted = adoptedArn(seen)
  if (adopted !== undefined) return isDry(seen, settings) ? planned(seen) : judgeAdoption(seen, adopted, settings)
  if (request === undefined) return (isLost(seen, settings) ? takeUpAgain(seen) : undefined) ?? intend(seen, settings)
  if (!isIntended && isDry(seen, settings)) return planned(seen)
  if (!isOverwritten(seen)) return judgeIntent(seen, request, settings)
  const taken = takeUpWanted(seen)
  if (taken !== undefined) return taken
  const judged = judgeIntent(seen, request, settings)
  return { ...judged, status: { ...listUnlisted(seen), ...judged.status } }
}

function judgeIntent(seen: Sighted, request: CertRequest, settings: CertSettings): Verdict {
  const isIntended = request.specHash === seen.wanted.hash
  if (needsSearch(seen)) {
    const found = unlistedOf(seen)
    if (found !== undefined) return adopt(seen, found.arn)
    // By a clock that was an hour ahead, and that the first answer of AWS set right, it was asked for just now, and is not listed yet.
    const isAhead = Date.parse(request.requestedAt) > seen.nowMs
    if (!isIntended && isAhead && mayComeToLight(seen)) return waits(11, 'Pending', wantsIt, { next: untilShown })
    if (!isIntended) return intend(seen, settings)
    // What was asked for within the hour its token finds; what is older would have been found. The hour begins again.
    const { nowMs } = seen
    return waits(11, 'Pending', wantsIt, { status: { request: { ...request, requestedAt: renderTime(nowMs) } }, next: 'at-once' })
  }
  // What is asked for now could not be seen yet by the search that follows.
  const untilSearchMs = tokenTrustedMs - (seen.nowMs - Date.parse(request.requestedAt))
  if (untilSearchMs < unseenMs)
    return waits(11, 'Pending', wantsIt, { next: { afterMs: untilSearchMs + 1_000, why: 'its token is too old to ask with' } })
  // What was asked for before may have been made, and its answer lost: the same token finds it, whatever is wanted by now.
  if (seen.dayRefusal !== undefined) return refusedToday(seen.dayRefusal)
  const call = requestCall(seen, request, settings.clusterId)
  return waits(11, 'Created', wantsIt, {
    actions: [call],
    events: [
      { type: 'Normal', reason: 'CertificateRequested', message: `asked for a certificate for ${seen.wanted.primary ?? ''}` },
    ],
  })
}

export function refusedToday(message: string): Verdict {
  const reason = 'QuotaExceeded'
  return failed(12, { reason, message, refusedBy: 'DailyBudget' }, { events: [{ type: 'Warning', reason, message }] })
}

const wantsIt = { reason: 'Requesting', message: 'the certificate is being requested' } as const

function isDry({ claim }: Sighted, settings: CertSettings): boolean {
  return settings.dryRun || claim.spec.dryRun
}

/** P2: what is about to be made is on record first. */
function intend(seen: Sighted, settings: CertSettings): Verdict {
  if (isDry(seen, settings)) return planned(seen)
  return waits(11, 'Pending', wantsIt, { status: { request: nextRequest(seen) }, next: 'at-once' })
}

function planned({ claim, wanted }: Sighted): Verdict {
  const names = wanted.names.map(({ name }) => name)
  const zones = new Map(wanted.names.flatMap(({ zone }) => (zone === undefined ? [] : [[zone.id, zone.name]])))
  const calls = [
    `acm RequestCertificate ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''} (${claim.spec.keyAlgorithm})`,
    ...(wanted.isPublic
      ? [...zones.values()].map(zone => `route53 ChangeResourceRecordSets UPSERT validation records in ${zone}`)
      : []),
  ].slice(0, 10)
  return waits(11, 'Pending', { reason: 'Requesting', message: 'a dry run: nothing is requested' }, { planned: calls })
}

export function adopt({ claim }: Sighted, arn: string): Verdict {
  const isReplacement = claim.status?.certReady === true
  const status = isReplacement ? { pendingCertificateArn: arn } : { certificateArn: arn, certReady: false }
  return verdict(10, 'Created', { status, next: 'at-once', wait: wantsIt })
}

/** A certificate on its way that nobody wants any more: it goes, and another request begins. It may be kept by whoever uses it. */
export function dropTarget(seen: Sighted, { row, settings }: { readonly row: number; readonly settings: CertSettings }): Verdict {
  const { arn, look, isReplacement } = targetOf(seen)
  const { claim } = seen
  if (arn !== undefined && isOnItsWay(look)) return waits(row, 'Pending', wantsIt, { next: untilShown })
  const certificate = look.kind === 'present' ? look.certificate : undefined
  const cleared = isReplacement ? { pendingCertificateArn: undefined } : noCertificate
  const request = nextRequest(seen)
  const common = { next: 'at-once', wait: wantsIt } as const
  if (arn === undefined || certificate === undefined || certificate.inUseBy.length > 0) {
    const kept = arn !== undefined && certificate !== undefined ? supersededWith(seen, { arn, inUse: true }) : {}
    return verdict(row, 'Pending', { ...common, status: { ...cleared, ...kept, request } })
  }
  return verdict(row, 'Pending', {
    ...common,
    actions: [deleteCertificateCall(claim, settings.clusterId, arn)],
    status: { ...cleared, request },
  })
}

export interface Replaced {
  readonly arn: string
  readonly inUse: boolean
  /** Current from now on, and so not replaced any more, whatever it was before. */
  readonly by?: string
}

export function supersededWith(
  { claim, nowMs }: Sighted,
  { arn, inUse, by }: Replaced,
): Pick<Verdict['status'], 'supersededCertificates'> {
  const entry = { arn, supersededAt: renderTime(nowMs), inUse }
  const before = (claim.status?.supersededCertificates ?? []).filter(other => other.arn !== arn && other.arn !== by)
  return { supersededCertificates: [...before, entry].slice(-supersededMax) }
}
