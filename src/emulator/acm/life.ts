// The life of a certificate (§9.3): validated by DNS, issued after a while, renewed or not, expired. Moved by timers and by
// Route 53, which tells when a change has reached the DNS.
import type { AuthorityView } from '../ports.ts'
import type { Context } from '../service.ts'
import { acmDelays } from './delays.ts'
import { endAt, issue, renewalWindowMs } from './issuing.ts'
import {
  type AcmCertificate,
  type AcmState,
  baseDomain,
  caaAllowsAmazon,
  isInUse,
  isPublicDomain,
  isTerminal,
  validationRecord,
} from './model.ts'

const hourMs = 3_600_000
const validationTimeoutMs = 72 * hourMs

export function putCertificate(context: Context<AcmState>, certificate: AcmCertificate): void {
  const state = context.store.get()
  context.store.set({ ...state, certificates: state.certificates.set(certificate.id, certificate) })
}

/** Takes a certificate away, at once or when it has been shown for a while. */
export function forget(context: Context<AcmState>, certificate: AcmCertificate): void {
  const { certificateGoneMs } = context.knobs
  if (certificateGoneMs > 0) {
    putCertificate(context, { ...certificate, deletedMs: context.now })
    context.schedule({ kind: 'gone', id: certificate.id, atMs: context.now + certificateGoneMs, class: 'progress' })
    return
  }
  takeAway(context, certificate.id)
}

export function takeAway(context: Context<AcmState>, id: string): void {
  const state = context.store.get()
  context.store.set({ ...state, certificates: state.certificates.delete(id) })
}

/** Starts the clockwork of a new request. */
export function begin(context: Context<AcmState>, certificate: AcmCertificate): void {
  putCertificate(context, certificate)
  if (certificate.type === 'PRIVATE') {
    context.schedule({ kind: 'issue', id: certificate.id, atMs: context.now + 1_000, class: 'progress' })
    return
  }
  context.schedule({ kind: 'check', id: certificate.id, atMs: certificate.detailsMs, class: 'progress' })
  context.schedule({ kind: 'timeout', id: certificate.id, atMs: certificate.createdMs + validationTimeoutMs, class: 'limit' })
  if (certificate.detailsMs <= context.now) check(context, certificate.id)
}

/** Looks the wanted records up and draws the consequences. */
export function check(context: Context<AcmState>, id: string): void {
  const certificate = pending(context, id)
  if (certificate === undefined || certificate.issueAtMs !== undefined || certificate.detailsMs > context.now) return
  const reason = failureOf(context, certificate)
  if (reason !== undefined) {
    const validations = certificate.validations.map(validation => ({ ...validation, status: 'FAILED' as const }))
    putCertificate(context, { ...certificate, status: 'FAILED', failureReason: reason, validations })
    return
  }
  if (certificate.method !== 'DNS') return
  const validations = certificate.validations.map(validation =>
    validation.status === 'SUCCESS' || recordStands(context, certificate.account, validation.name)
      ? { ...validation, status: 'SUCCESS' as const }
      : validation,
  )
  validated(context, { ...certificate, validations })
}

/** One that was deleted is described for a while, as it was. */
function pending(context: Context<AcmState>, id: string): AcmCertificate | undefined {
  const certificate = context.store.get().certificates.get(id)
  const isPending = certificate?.status === 'PENDING_VALIDATION' && certificate.deletedMs === undefined
  return isPending ? certificate : undefined
}

/** When every name is validated the certificate is on its way. */
export function validated(context: Context<AcmState>, certificate: AcmCertificate): void {
  if (!certificate.validations.every(validation => validation.status === 'SUCCESS')) {
    putCertificate(context, certificate)
    return
  }
  const issueAtMs = context.now + context.delay(acmDelays.certificateIssue, `certificate/${certificate.id}`)
  putCertificate(context, { ...certificate, issueAtMs })
  if (issueAtMs <= context.now) finish(context, certificate.id)
  else context.schedule({ kind: 'issue', id: certificate.id, atMs: issueAtMs, class: 'progress' })
}

function failureOf(context: Context<AcmState>, certificate: AcmCertificate): string | undefined {
  if (certificate.names.some(name => !isPublicDomain(name))) return 'INVALID_PUBLIC_DOMAIN'
  const forbidden = certificate.names.some(name => !caaAllows(context, name))
  return forbidden ? 'CAA_ERROR' : configuredFailure(context, certificate)
}

/** What AWS decides by lists of its own, such as forbidden domains, and what a private authority refuses. */
function configuredFailure({ knobs }: Context<AcmState>, { names, authorityArn = '' }: AcmCertificate): string | undefined {
  const byAuthority = knobs.certificateFailures[authorityArn]
  if (byAuthority !== undefined) return byAuthority
  const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`)
  return Object.entries(knobs.certificateFailures).find(([domain]) => names.some(name => isWithin(name, domain)))?.[1]
}

/** Why a private authority does not sign, first and when it is renewed. */
export function authorityFailure(context: Context<AcmState>, certificate: AcmCertificate): string | undefined {
  const configured = configuredFailure(context, certificate)
  if (configured !== undefined) return configured
  const authority = context.ports.authorities?.find(certificate.authorityArn ?? '')
  if (authority === undefined) return 'PCA_RESOURCE_NOT_FOUND'
  if (!authority.isActive) return 'PCA_INVALID_STATE'
  const refused = certificate.issued === undefined ? askerFailure(certificate, authority) : serviceFailure(context, authority)
  return refused ?? (endAt(context.now) > authority.endsMs ? 'PCA_INVALID_DURATION' : undefined)
}

/** The first time ACM asks in the name of whoever requested the certificate. */
function askerFailure(certificate: AcmCertificate, { account, grantsAcm }: AuthorityView): string | undefined {
  const isGranted = grantsAcm && account === certificate.account
  return certificate.askerMayIssue === true || isGranted ? undefined : 'PCA_ACCESS_DENIED'
}

/** Later by itself: by the authority's permission, and across accounts by its own role. */
function serviceFailure(context: Context<AcmState>, { account, grantsAcm }: AuthorityView): string | undefined {
  if (account === context.account) return grantsAcm ? undefined : 'PCA_ACCESS_DENIED'
  const role = `arn:${context.partition}:iam::${context.account}:role/aws-service-role/acm.amazonaws.com/AWSServiceRoleForCertificateManager`
  return context.ports.roles.find(role, 'newest') === undefined ? 'SLR_NOT_FOUND' : undefined
}

/** The closest CAA set at the name or above it decides. */
function caaAllows(context: Context<AcmState>, name: string): boolean {
  const labels = baseDomain(name).split('.')
  for (let index = 0; index < labels.length - 1; index++) {
    const { records } = context.ports.dns.resolve(labels.slice(index).join('.'), 'CAA')
    const values = records.filter(record => record.type === 'CAA').map(record => record.value)
    if (values.length > 0) return caaAllowsAmazon(values, name.startsWith('*.'))
  }
  return true
}

function recordStands(context: Context<AcmState>, account: string, name: string): boolean {
  const wanted = validationRecord(account, name)
  const { records } = context.ports.dns.resolve(wanted.Name, 'CNAME')
  return records.some(record => record.type === 'CNAME' && dotted(record.value).toLowerCase() === wanted.Value)
}

function dotted(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}

/** Issues a certificate whose validation is complete. */
export function finish(context: Context<AcmState>, id: string): void {
  const certificate = pending(context, id)
  if (certificate === undefined) return
  const refused = certificate.type === 'PRIVATE' ? authorityFailure(context, certificate) : undefined
  if (refused !== undefined) {
    putCertificate(context, { ...certificate, status: 'FAILED', failureReason: refused })
    return
  }
  const issued = issue(context, certificate, context.now)
  putCertificate(context, { ...certificate, status: 'ISSUED', issued })
  scheduleEnd(context, id, issued.notAfterMs)
}

function scheduleEnd(context: Context<AcmState>, id: string, notAfterMs: number): void {
  context.schedule({ kind: 'renew', id, atMs: notAfterMs - renewalWindowMs, class: 'limit' })
  context.schedule({ kind: 'expire', id, atMs: notAfterMs, class: 'limit' })
}

export function timeOut(context: Context<AcmState>, id: string): void {
  const certificate = pending(context, id)
  if (certificate === undefined || certificate.issueAtMs !== undefined) return
  const validations = certificate.validations.map(validation =>
    validation.status === 'SUCCESS' ? validation : { ...validation, status: 'FAILED' as const },
  )
  putCertificate(context, { ...certificate, status: 'VALIDATION_TIMED_OUT', validations })
}

const renewalRetryMs = 24 * hourMs

/** In the renewal window: begins when somebody uses it. Looked at again every day until the end. */
export function renew(context: Context<AcmState>, id: string): void {
  const certificate = renewable(context, id)
  if (certificate === undefined) return
  context.schedule({ kind: 'renew', id, atMs: context.now + renewalRetryMs, class: 'limit' })
  if (!isInUse(certificate, context.now) && !certificate.exported) return
  putCertificate(context, { ...certificate, renewal: { status: 'PENDING_AUTO_RENEWAL', atMs: context.now, missing: [] } })
  const atMs = context.now + context.delay(acmDelays.certificateIssue, `renewal/${id}/${context.now}`)
  if (atMs <= context.now) tryRenewal(context, id)
  else context.schedule({ kind: 'renewal', id, atMs, class: 'progress' })
}

/** Issues again where nothing forbids it and the records still stand; else says what is missing. */
export function tryRenewal(context: Context<AcmState>, id: string): void {
  const certificate = renewable(context, id)
  if (certificate?.renewal === undefined || certificate.renewal.status === 'SUCCESS') return
  const reason = certificate.type === 'PRIVATE' ? authorityFailure(context, certificate) : failureOf(context, certificate)
  if (reason !== undefined) {
    putCertificate(context, { ...certificate, renewal: { status: 'FAILED', reason, atMs: context.now, missing: [] } })
    return
  }
  const isProven = certificate.type === 'PRIVATE'
  const missing = isProven ? [] : certificate.names.filter(name => !isValidated(context, certificate, name))
  if (missing.length === 0) renewNow(context, certificate)
  else putCertificate(context, { ...certificate, renewal: { status: 'PENDING_VALIDATION', atMs: context.now, missing } })
}

function isValidated(context: Context<AcmState>, { account, method }: AcmCertificate, name: string): boolean {
  return method === 'DNS' && recordStands(context, account, name)
}

/** A certificate within its renewal window that has not been renewed in it. */
function renewable(context: Context<AcmState>, id: string): AcmCertificate | undefined {
  const certificate = context.store.get().certificates.get(id)
  if (certificate?.status !== 'ISSUED' || certificate.type === 'IMPORTED' || certificate.issued === undefined) return undefined
  const { notAfterMs } = certificate.issued
  const isOpen = context.now >= notAfterMs - renewalWindowMs && context.now < notAfterMs
  return isOpen && certificate.deletedMs === undefined ? certificate : undefined
}

/** A renewed certificate keeps its ARN and gets a new serial and new dates. */
export function renewNow(context: Context<AcmState>, certificate: AcmCertificate): void {
  const issued = issue(context, certificate, context.now)
  putCertificate(context, { ...certificate, issued, renewal: { status: 'SUCCESS', atMs: context.now, missing: [] } })
  scheduleEnd(context, certificate.id, issued.notAfterMs)
}

export function expire(context: Context<AcmState>, id: string): void {
  const certificate = context.store.get().certificates.get(id)
  if (certificate === undefined || isTerminal(certificate.status)) return
  const notAfterMs = certificate.issued?.notAfterMs
  if (notAfterMs === undefined || notAfterMs > context.now) return
  const { renewal } = certificate
  const isLost = renewal !== undefined && renewal.status !== 'SUCCESS'
  putCertificate(context, {
    ...certificate,
    status: 'EXPIRED',
    ...(isLost && { renewal: { ...renewal, status: 'FAILED', atMs: context.now } }),
  })
}
