// The status that a pass leaves, if all of it succeeds.
import { given } from '#base'
import { boundText, renderTime } from '#kube'
import { annotations } from '../api/labels.ts'
import type { CertStatus, LastFailure } from '../api/status.ts'
import { sanitise } from '../sanitise.ts'
import type { CertFailure, StatusChange, Verdict } from './decide/verdict.ts'
import type { Sighted } from './seen.ts'

const messageMax = 1_024

/** Every field but conditions and `observedGeneration`, which the engine writes. */
export function statusAfter(seen: Sighted, judged: Verdict): StatusChange {
  const { claim, wanted } = seen
  const { state } = judged
  return {
    ...zonesOf(seen),
    ...given({ domainName: wanted.primary }),
    certReady: isServing(claim),
    ...answeredRetry(seen, state),
    ...judged.status,
    state,
    message: boundText(sanitise(messageOf(judged)), messageMax),
    ...failureOf(seen, judged),
  }
}

/** A hand may take the ARN away: without one nothing serves. */
function isServing({ status }: Sighted['claim']): boolean {
  return status?.certReady === true && status.certificateArn !== undefined
}

function messageOf({ failure, wait, state, blocked, heldUp }: Verdict): string {
  if (blocked !== undefined) return blocked.message
  if (heldUp !== undefined) return heldUp.message
  return failure?.message ?? wait?.message ?? (state === 'Ready' ? 'the certificate is issued' : '')
}

function zonesOf({ wanted }: Sighted): StatusChange {
  const resolvedZones = wanted.names.flatMap(({ name, zone }) =>
    zone === undefined ? [] : [{ domain: name, id: zone.id, name: zone.name }],
  )
  const [first] = wanted.names
  const resolvedZone = first?.zone === undefined ? undefined : { id: first.zone.id, name: first.zone.name }
  return { resolvedZone, resolvedZones: resolvedZones.length === 0 ? undefined : resolvedZones }
}

/** A word that was given while nothing had failed is answered: it is not waited for. */
function answeredRetry({ claim }: Sighted, state: string): StatusChange {
  const retry = claim.metadata.annotations?.[annotations.retry]
  const { answered } = claim.status ?? {}
  return retry === undefined || state === 'Failed' || answered?.retry === retry ? {} : { answered: { ...answered, retry } }
}

/** The time of the failure moves with the failure, not with the looks at it. */
function failureOf(
  { claim, nowMs }: Sighted,
  { failure, row }: Verdict,
): Pick<CertStatus, 'lastFailure'> | Record<string, never> {
  if (failure === undefined) return {}
  return { lastFailure: nextFailure(claim.status, failure, { nowMs, isSame: row === 41 || row === 4 }) }
}

export function nextFailure(
  status: CertStatus | undefined,
  { reason, message, refusedBy }: CertFailure,
  { nowMs, isSame }: { readonly nowMs: number; readonly isSame: boolean },
): LastFailure {
  const last = status?.lastFailure
  if (isSame && last !== undefined) return last
  // A day that is used up says nothing of the certificate: the next try is not put off for it.
  const count = (last?.count ?? 0) + (refusedBy === 'DailyBudget' ? 0 : 1)
  return { reason, message: sanitise(message), time: renderTime(nowMs), count, ...given({ refusedBy }) }
}
