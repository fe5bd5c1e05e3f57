// Fields of the status, from what ACM says.
import { given } from '#base'
import { findCondition, renderTime } from '#kube'
import { conditionTypes } from '../../api/conditions.ts'
import type { Cert } from '../../api/kinds.ts'
import { tagKeys } from '../../api/labels.ts'
import type { CertRenewalStatus, CertRequest } from '../../api/status.ts'
import type { CloudCertificate } from '../../aws/certificate.ts'
import { sanitise } from '../../sanitise.ts'
import type { Look, Sighted } from '../seen.ts'
import type { StatusChange } from './verdict.ts'

/** Of the current certificate. */
export function certificateFields(certificate: CloudCertificate, isReady: boolean): StatusChange {
  return {
    certificateArn: certificate.arn,
    certReady: isReady,
    expirationDate: time(certificate.notAfterMs),
    notBefore: time(certificate.notBeforeMs),
    issuedAt: time(certificate.issuedMs),
    serial: certificate.serial,
    inUse: certificate.inUseBy.length > 0,
    renewal: renewalFields(certificate),
  }
}

function renewalFields({ renewal, eligibility }: CloudCertificate): CertRenewalStatus | undefined {
  if (renewal === undefined && eligibility === undefined) return undefined
  return {
    ...(renewal === undefined ? {} : { status: renewal.status }),
    ...(renewal?.reason === undefined ? {} : { reason: sanitise(renewal.reason) }),
    ...given({ eligibility }),
    ...(renewal?.updatedMs === undefined ? {} : { updatedAt: renderTime(renewal.updatedMs) }),
  }
}

/** No certificate is current any more. That one was issued once stays known, by `issuedAt`: another one is urgent until it serves. */
export const noCertificate: StatusChange = {
  certificateArn: undefined,
  certReady: false,
  expirationDate: undefined,
  notBefore: undefined,
  serial: undefined,
  inUse: undefined,
  renewal: undefined,
}

/** Whether it was said that all is there that the spec of now asks for. */
export function isToldReady({ metadata, status }: Cert): boolean {
  const isReady = findCondition(status?.conditions, conditionTypes.ready)?.status === 'True'
  return isReady && status?.observedGeneration === metadata.generation
}

/** Current, on its way, and replaced. */
export function listedArns({ status }: Pick<Cert, 'status'>): readonly string[] {
  const { certificateArn, pendingCertificateArn, supersededCertificates = [] } = status ?? {}
  return [certificateArn, pendingCertificateArn, ...supersededCertificates.map(({ arn }) => arn)].filter(arn => arn !== undefined)
}

/** As many as the status takes: the oldest is not listed any more, and is found by its marks when the object goes. */
export const supersededMax = 10

/** The intent of another request: the counter makes it another one to ACM too. */
export function nextRequest(seen: Sighted): CertRequest {
  const { claim, wanted, nowMs } = seen
  const revision = (claim.status?.request?.revision ?? lastRevision(seen)) + 1
  return { requestedAt: renderTime(nowMs), specHash: wanted.hash ?? '', revision }
}

/** By the tags of what was found: where the status names no request, nothing else tells how many there were. */
export function lastRevision({ owned = [] }: Pick<Sighted, 'owned'>): number {
  return Math.max(0, ...owned.map(revisionOf))
}

function revisionOf({ tags }: NonNullable<Sighted['owned']>[number]): number {
  const revision = Number(tags[tagKeys.revision])
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 1
}

/** Where the certificate stands that is on its way: the first one, or one that replaces a good one. */
export interface IncomingCertificate {
  readonly arn: string | undefined
  readonly look: Look
  readonly isReplacement: boolean
}

const unasked: Look = { kind: 'unasked' }

/** While there is a good certificate, only the pending one is on its way. */
export function targetOf({ claim, current, pending }: Sighted): IncomingCertificate {
  const { pendingCertificateArn: arn, certificateArn, certReady } = claim.status ?? {}
  if (arn !== undefined) return { arn, look: pending, isReplacement: true }
  return certReady === true
    ? { arn: undefined, look: unasked, isReplacement: true }
    : { arn: certificateArn, look: current, isReplacement: false }
}

/** Since when the certificate is asked for: by ACM's own word, where it gives one. */
export function ageMs(seen: Pick<Sighted, 'claim' | 'nowMs' | 'aheadMs'>, certificate?: CloudCertificate): number {
  if (certificate?.createdMs !== undefined) return Math.max(0, seen.nowMs - certificate.createdMs)
  const { request } = seen.claim.status ?? {}
  return request === undefined ? 0 : agoMs(seen, request.requestedAt)
}

/** How long ago a time of the status was. One that lies ahead may be any time ago: it counts from when this process saw it first. */
export function agoMs({ nowMs, aheadMs }: Pick<Sighted, 'nowMs' | 'aheadMs'>, time: string): number {
  const ms = nowMs - Date.parse(time)
  return ms >= 0 ? ms : (aheadMs?.get(time) ?? 0)
}

/** The times of a status that ages are counted from. */
export function datedIn({ status }: Pick<Cert, 'status'>): readonly string[] {
  const { request, lastFailure, supersededCertificates = [] } = status ?? {}
  const times = [request?.requestedAt, lastFailure?.time, ...supersededCertificates.map(({ supersededAt }) => supersededAt)]
  return times.filter(time => time !== undefined)
}

function time(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : renderTime(ms)
}

/**
 * An intent is sent with the names that are wanted by then: who changes his mind and comes back to the first wish may have an answer to the
 * second one, which the intent does not tell.
 */
export function isOfOtherNames({ names }: Sighted['wanted'], certificate: CloudCertificate): boolean {
  const asked = new Set(names.map(({ name }) => name))
  return asked.size !== new Set(certificate.names).size || certificate.names.some(name => !asked.has(name))
}
