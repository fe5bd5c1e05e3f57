// What a Cert says in conditions: one for each question that people and programs ask.
import type { Condition, ConditionStatus } from '#kube'
import { conditionTypes as types } from '../api/conditions.ts'
import type { Cert } from '../api/kinds.ts'
import { hashOfCertificate } from '../aws/certificate.ts'
import { sanitise } from '../sanitise.ts'
import { astrayIn, zoneGoneIn } from './decide/astray.ts'
import { isToldReady, targetOf } from './decide/fields.ts'
import { renewalHealth } from './decide/renewal.ts'
import type { StatusChange, Verdict } from './decide/verdict.ts'
import type { Sighted } from './seen.ts'

export function conditionsOf(seen: Sighted, judged: Verdict, after: StatusChange): readonly Condition[] {
  const status = { ...seen.claim.status, ...after }
  return [
    ready(seen, judged, status),
    reconciling(judged),
    stalled(judged),
    zoneResolved(seen),
    recordsReady(seen, judged, status),
    domainsValidated(seen, status),
    ...renewalHealthy(seen, status),
    blocked(judged),
    ...dryRun(judged),
  ].map(each => ({ ...each, message: sanitise(each.message) }))
}

function ready(seen: Sighted, { failure, wait, state, heldUp }: Verdict, status: StatusChange): Condition {
  const { claim, wanted } = seen
  const isReady = status.certReady === true
  const asked = claim.status?.request?.specHash ?? wanted.hash
  const isOther = wanted.hash !== undefined && asked !== wanted.hash
  // Changed and then deleted: its certificate serves until it goes, and is not what this generation asks for (S27).
  if (isReady && isOtherAtTheEnd(seen))
    return condition(
      types.ready,
      'False',
      'ReplacementInProgress',
      'the object goes: what its spec asks for by now is not requested',
    )
  if (wait?.reason === 'Paused' && isReady && status.pendingCertificateArn === undefined)
    return readyWhilePaused(claim, isOther || state !== 'Ready')
  if (heldUp !== undefined) return condition(types.ready, 'False', heldUp.reason, heldUp.message)
  if (failure !== undefined) return condition(types.ready, 'False', failure.reason, failure.message)
  if (state === 'Ready' && isReady && status.pendingCertificateArn === undefined)
    return condition(types.ready, 'True', 'Issued', 'the certificate is issued')
  if (isReady) {
    const message = 'another certificate is being requested; the current one stays until then'
    return condition(types.ready, 'False', 'ReplacementInProgress', message)
  }
  return condition(types.ready, 'False', wait?.reason ?? 'Requesting', wait?.message ?? 'the certificate is being requested')
}

/** Where a hand took away what was asked for, the certificate itself says what it is; one that does not show says nothing. */
function isOtherAtTheEnd({ claim: { metadata, status }, wanted, deletion }: Sighted): boolean {
  if (metadata.deletionTimestamp === undefined || wanted.hash === undefined) return false
  const look = deletion?.certificates.get(status?.certificateArn ?? '')
  const hash = look?.kind === 'present' ? hashOfCertificate(look.certificate) : undefined
  return (status?.request?.specHash ?? hash) !== wanted.hash
}

/**
 * A pause takes nothing away from a certificate that is good; what is left to do for the spec, a change of it or what AWS refused before,
 * is not carried out (S27).
 */
function readyWhilePaused(claim: Cert, isOther: boolean): Condition {
  return !isOther && isToldReady(claim)
    ? condition(types.ready, 'True', 'Issued', 'the certificate is issued; changes are paused')
    : condition(types.ready, 'False', 'Paused', pausedMessage)
}

const pausedMessage = 'the certificate is issued; what is left to do for its spec is paused by annotation'

function reconciling({ state }: Verdict): Condition {
  return state === 'Ready' || state === 'Failed'
    ? condition(types.reconciling, 'False', 'Idle', 'nothing is under way')
    : condition(types.reconciling, 'True', 'Progressing', 'the certificate is on its way')
}

function stalled({ failure }: Verdict): Condition {
  return failure === undefined
    ? condition(types.stalled, 'False', 'NotStalled', 'nothing stands in the way')
    : condition(types.stalled, 'True', failure.reason, failure.message)
}

function zoneResolved(seen: Sighted): Condition {
  const { wanted, privateZones, deniedZones, claim } = seen
  if (wanted.zoneTrouble !== undefined) {
    const { id, name } = claim.spec.dnsZone ?? {}
    const isAmbiguous = id !== undefined && name !== undefined && wanted.zoneTrouble.endsWith('are different zones')
    return condition(types.zoneResolved, 'False', isAmbiguous ? 'ZoneAmbiguous' : 'ZoneNotFound', wanted.zoneTrouble)
  }
  const hidden = wanted.isPublic && wanted.names.some(({ zone }) => zone !== undefined && privateZones.has(zone.id))
  if (hidden)
    return condition(types.zoneResolved, 'False', 'PrivateZone', 'a zone is private: nobody outside sees what stands in it')
  const lost = zoneGoneIn(seen)
  if (lost !== undefined) return condition(types.zoneResolved, 'False', 'ZoneNotFound', lost)
  const astray = astrayIn(seen)
  if (astray !== undefined) return condition(types.zoneResolved, 'False', 'NotDelegated', astray)
  const denied = wanted.names.find(({ zone }) => zone !== undefined && deniedZones?.has(zone.id) === true)?.zone
  if (denied === undefined) return condition(types.zoneResolved, 'True', 'Resolved', 'every name has a zone')
  const message = `every name has a zone; AWS denies the look that tells whether "${denied.name}" is private: allow route53:GetHostedZone`
  return condition(types.zoneResolved, 'True', 'NotLookedAt', message)
}

function recordsReady(seen: Sighted, { recordsTrouble, failure }: Verdict, status: StatusChange): Condition {
  const type = types.recordsReady
  if (recordsTrouble !== undefined) return condition(type, 'False', recordsTrouble.reason, recordsTrouble.message)
  if (failure?.reason === 'RecordConflict') return condition(type, 'False', 'RecordConflict', failure.message)
  const records = status.validationRecords ?? []
  if (records.length === 0 || !seen.wanted.isPublic)
    return condition(type, 'Unknown', 'NotRequested', 'no validation record is asked for')
  return records.every(({ phase }) => phase === 'InSync')
    ? condition(type, 'True', 'InSync', 'every validation record stands in its hosted zone')
    : condition(type, 'False', 'Submitting', zoneGoneIn(seen) ?? 'validation records are on their way to the DNS')
}

function domainsValidated(seen: Sighted, status: StatusChange): Condition {
  const type = types.domainsValidated
  if (!seen.wanted.isPublic) return condition(type, 'True', 'NotRequired', 'a private authority asks for no proof')
  const { look } = targetOf(seen)
  const shown = look.kind === 'present' ? look : seen.current
  const validations = shown.kind === 'present' ? shown.certificate.validations : undefined
  if (validations?.some(each => each.status === 'FAILED') === true)
    return condition(type, 'False', 'Failed', 'ACM could not validate every name')
  const isDone = validations === undefined ? status.certReady === true : validations.every(each => each.status === 'SUCCESS')
  const isSome = (validations?.length ?? 0) > 0 || status.certReady === true
  return isDone && isSome
    ? condition(type, 'True', 'AllValidated', 'ACM validated every name')
    : condition(type, 'False', 'Pending', 'ACM has not validated every name yet')
}

/** What was not looked at in this pass stays as it was said. In the pass of a replacement it is the other one that becomes current. */
function renewalHealthy({ claim, current, pending, nowMs }: Sighted, status: StatusChange): readonly Condition[] {
  for (const look of [current, pending])
    if (look.kind === 'present' && look.certificate.arn === status.certificateArn && status.certReady === true)
      return [renewalHealth(look.certificate, nowMs, claim.spec)]
  if (status.certReady === true) return []
  return [condition(types.renewalHealthy, 'Unknown', 'NotIssued', 'there is no issued certificate')]
}

function blocked({ blocked: why }: Verdict): Condition {
  return why === undefined
    ? condition(types.deletionBlocked, 'False', 'NotBlocked', 'nothing keeps a deletion')
    : condition(types.deletionBlocked, 'True', why.reason, why.message)
}

function dryRun({ planned }: Verdict): readonly Condition[] {
  return planned === undefined ? [] : [condition(types.dryRun, 'True', 'Planned', planned.join('\n'))]
}

function condition(type: string, status: ConditionStatus, reason: string, message: string): Condition {
  return { type, status, reason, message }
}
