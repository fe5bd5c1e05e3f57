// Requesting, reading and removing certificates.

import { given } from '#base'
import { listDelay } from '../delays.ts'
import { numberedPage } from '../numbered-page.ts'
import type { Call } from '../service.ts'
import { acmDelays } from './delays.ts'
import { acmFailure } from './errors.ts'
import { begin, forget, putCertificate } from './life.ts'
import { type AcmCertificate, type AcmState, baseDomain, type DomainValidation, isInUse, normalisedNames } from './model.ts'
import { acmQuotas } from './quotas.ts'
import { renderDetail, renderSummary } from './render.ts'
import { type CertificateTag, checkedTags } from './tags.ts'

export type CallAcm<I> = Call<AcmState, I>

export interface ArnInput {
  readonly CertificateArn: string
}

export function arnOf(
  place: { readonly partition: string; readonly region: string; readonly account: string },
  id: string,
): string {
  return `arn:${place.partition}:acm:${place.region}:${place.account}:certificate/${id}`
}

/** The certificate behind the ARN, once the caller may do this to it. */
export function opened(
  call: CallAcm<ArnInput>,
  action: string,
  context: Readonly<Record<string, readonly string[]>> = {},
): AcmCertificate {
  const { CertificateArn } = call.input
  call.authorise({ action: `acm:${action}`, resource: CertificateArn, context })
  return certificateAt(call, CertificateArn)
}

export function certificateAt(call: Call<AcmState>, arn: string): AcmCertificate {
  const parts = /^arn:(aws[a-z-]*):acm:([a-z0-9-]+):(\d{12}):certificate\/(.+)$/.exec(arn)
  if (parts === null) throw acmFailure('InvalidArnException', `Invalid ARN: ${arn}`)
  const [, partition, region, account, id = ''] = parts
  const here = partition === call.partition && region === call.region && account === call.account
  const certificate = here ? call.store.get().certificates.get(id) : undefined
  const isShown = certificate !== undefined && certificate.visibleMs <= call.now
  // What is on its way out is described for a while, and nothing can be done with it any more.
  if (isShown && (certificate.deletedMs === undefined || call.operation === 'DescribeCertificate')) return certificate
  throw acmFailure('ResourceNotFoundException', `Could not find certificate ${arn}.`)
}

interface RequestInput {
  readonly DomainName: string
  readonly ValidationMethod?: 'DNS' | 'EMAIL' | 'HTTP'
  readonly SubjectAlternativeNames?: readonly string[]
  readonly IdempotencyToken?: string
  readonly DomainValidationOptions?: readonly { readonly DomainName: string; readonly ValidationDomain: string }[]
  readonly Options?: { readonly CertificateTransparencyLoggingPreference?: string; readonly Export?: string }
  readonly CertificateAuthorityArn?: string
  readonly Tags?: readonly CertificateTag[]
  readonly KeyAlgorithm?: string
  readonly ManagedBy?: string
}

/** The primary name becomes the common name, which X.509 limits. */
const commonNameMax = 64
const tokenLifeMs = 3_600_000
const yearMs = 365 * 86_400_000

export function requestCertificate(call: CallAcm<RequestInput>): object {
  const { input } = call
  authoriseRequest(call)
  const known = tokenResult(call)
  if (known !== undefined) return { CertificateArn: arnOf(call, known) }
  if (input.DomainName.length > commonNameMax) {
    throw acmFailure(
      'ValidationException',
      `1 validation error detected: Value '${input.DomainName}' at 'domainName' failed to satisfy constraint: Member must have length less than or equal to ${commonNameMax}`,
    )
  }
  checkKeyAlgorithm(call)
  const names = normalisedNames(input.DomainName, input.SubjectAlternativeNames ?? [])
  checkOptions(names, input)
  const namesMax = call.quota(acmQuotas.namesPerCertificate)
  if (names.length > namesMax) {
    throw acmFailure('LimitExceededException', 'Certificate has too many domains.')
  }
  const tags = checkedTags({}, input.Tags ?? [], call.quota(acmQuotas.tags))
  checkQuotas(call)
  const id = call.random(`certificate/${call.serial()}`).uuid()
  const isPrivate = input.CertificateAuthorityArn !== undefined
  const detailsMs = call.now + call.delay(acmDelays.certificateDetails, `certificate/${id}`)
  const certificate: AcmCertificate = {
    id,
    arn: arnOf(call, id),
    account: call.account,
    type: isPrivate ? 'PRIVATE' : 'AMAZON_ISSUED',
    domain: names[0] ?? input.DomainName,
    names,
    method: isPrivate ? undefined : (input.ValidationMethod ?? 'EMAIL'),
    createdMs: call.now,
    visibleMs: call.now + call.delay(acmDelays.certificateVisible, `certificate/${id}`),
    detailsMs,
    status: 'PENDING_VALIDATION',
    validations: isPrivate ? [] : names.map(name => validationOf(name, input)),
    keyAlgorithm: input.KeyAlgorithm ?? 'RSA_2048',
    transparencyLogging: input.Options?.CertificateTransparencyLoggingPreference ?? 'ENABLED',
    exportable: isPrivate || input.Options?.Export === 'ENABLED',
    exported: false,
    ...(input.CertificateAuthorityArn !== undefined && ofAuthority(call, input.CertificateAuthorityArn)),
    ...(input.ManagedBy !== undefined && { managedBy: input.ManagedBy }),
    uses: [],
    tags,
  }
  remember(call, id)
  begin(call, certificate)
  return { CertificateArn: certificate.arn }
}

/** Whether the caller may have the authority sign is asked now, in whose name ACM asks it later. */
function ofAuthority(call: CallAcm<RequestInput>, authorityArn: string): Pick<AcmCertificate, 'authorityArn' | 'askerMayIssue'> {
  const found = call.ports.authorities?.find(authorityArn)
  const template = `arn:${call.partition}:acm-pca:::template/EndEntityCertificate/V1`
  const context = { 'acm-pca:TemplateArn': template }
  return { authorityArn, askerMayIssue: found !== undefined && call.decide({ ...found.issuing, context }).allowed }
}

function authoriseRequest(call: CallAcm<RequestInput>): void {
  const { input } = call
  const resource = arnOf(call, '*')
  const tags = Object.fromEntries((input.Tags ?? []).map(({ Key, Value }) => [`aws:RequestTag/${Key}`, Value ?? '']))
  const context = {
    'acm:DomainNames': normalisedNames(input.DomainName, input.SubjectAlternativeNames ?? []),
    'acm:ValidationMethod': input.ValidationMethod ?? 'EMAIL',
    'acm:KeyAlgorithm': input.KeyAlgorithm ?? 'RSA_2048',
    ...(input.CertificateAuthorityArn !== undefined && { 'acm:CertificateAuthority': input.CertificateAuthorityArn }),
    ...(input.Tags !== undefined && { 'aws:TagKeys': input.Tags.map(tag => tag.Key), ...tags }),
  }
  call.authorise(
    { action: 'acm:RequestCertificate', resource, context },
    ...(input.Tags === undefined ? [] : [{ action: 'acm:AddTagsToCertificate', resource, context }]),
  )
}

function tokenResult(call: CallAcm<RequestInput>): string | undefined {
  const token = call.input.IdempotencyToken
  const known = token === undefined ? undefined : call.store.get().tokens.get(token)
  if (known === undefined || known.atMs + tokenLifeMs <= call.now) return undefined
  const made = call.store.get().certificates.get(known.id)
  return made === undefined || made.deletedMs !== undefined ? undefined : known.id
}

function remember(call: CallAcm<RequestInput>, id: string): void {
  const state = call.store.get()
  const { IdempotencyToken: token } = call.input
  const requests = state.requests.set(`${String(call.now).padStart(16, '0')}/${id}`, call.now)
  call.store.set({
    ...state,
    requests,
    tokens: token === undefined ? state.tokens : state.tokens.set(token, { id, atMs: call.now }),
  })
}

function checkQuotas(call: CallAcm<RequestInput>): void {
  const state = call.store.get()
  const limit = call.quota(acmQuotas.certificates)
  if (state.certificates.size >= limit) {
    throw acmFailure('LimitExceededException', `Error: you have reached your limit of ${limit} certificates.`)
  }
  let { requests } = state
  for (let first = requests.first(); first !== undefined && first[1] + yearMs <= call.now; first = requests.first()) {
    requests = requests.delete(first[0])
  }
  const perYear = call.quota(acmQuotas.certificatesPerYear)
  if (requests.size >= perYear) {
    throw acmFailure('LimitExceededException', `Error: you have reached your limit of ${perYear} certificates in the last year.`)
  }
  call.store.set({ ...state, requests })
}

/** The others are for certificates that are imported. */
const requestedAlgorithms: readonly string[] = ['RSA_2048', 'EC_prime256v1', 'EC_secp384r1']

/** Of one algorithm AWS names the account where it means the region. */
function checkKeyAlgorithm({ input: { KeyAlgorithm = 'RSA_2048' }, account, region }: CallAcm<RequestInput>): void {
  if (requestedAlgorithms.includes(KeyAlgorithm)) return
  const place = KeyAlgorithm === 'RSA_4096' ? account : region
  throw acmFailure('ValidationException', `Encryption Algorithm ${KeyAlgorithm} is not supported in ${place} region`)
}

/** Options say where mail about a name of the certificate goes; about other names none is sent. */
function checkOptions(names: readonly string[], { DomainValidationOptions: options = [] }: RequestInput): void {
  const stranger = options.find(({ DomainName }) => !names.includes(DomainName.toLowerCase()))
  if (stranger === undefined) return
  throw acmFailure(
    'InvalidDomainValidationOptionsException',
    `The domain validation option for ${stranger.DomainName} is for no domain name of the request.`,
  )
}

function validationOf(name: string, input: RequestInput): DomainValidation {
  const option = input.DomainValidationOptions?.find(one => one.DomainName.toLowerCase() === name)
  const validationDomain = option?.ValidationDomain.toLowerCase() ?? baseDomain(name)
  const base = baseDomain(name)
  if (base !== validationDomain && !base.endsWith(`.${validationDomain}`)) {
    throw acmFailure(
      'InvalidDomainValidationOptionsException',
      `Validation domain ${validationDomain} must be the same as or a superdomain of ${name}.`,
    )
  }
  return { name, validationDomain, status: 'PENDING_VALIDATION' }
}

export function describeCertificate(call: CallAcm<ArnInput>): object {
  const certificate = opened(call, 'DescribeCertificate')
  return { Certificate: renderDetail(certificate, call) }
}

export function getCertificate(call: CallAcm<ArnInput>): object {
  const certificate = opened(call, 'GetCertificate')
  if (certificate.issued === undefined) {
    if (certificate.status === 'PENDING_VALIDATION') {
      throw acmFailure('RequestInProgressException', `Certificate ${certificate.arn} is in status PENDING_VALIDATION.`)
    }
    throw acmFailure('ResourceNotFoundException', `Certificate ${certificate.arn} has not been issued.`)
  }
  return { Certificate: certificate.issued.certificate, CertificateChain: certificate.issued.chain }
}

export function deleteCertificate(call: CallAcm<ArnInput>): undefined {
  const certificate = opened(call, 'DeleteCertificate')
  if (isInUse(certificate, call.now)) {
    throw acmFailure('ResourceInUseException', `Certificate ${certificate.arn} in account ${certificate.account} is in use.`)
  }
  forget(call, certificate)
  return undefined
}

interface ListInput {
  readonly CertificateStatuses?: readonly string[]
  readonly Includes?: {
    readonly keyTypes?: readonly string[]
    readonly keyUsage?: readonly string[]
    readonly extendedKeyUsage?: readonly string[]
    readonly exportOption?: string
    readonly managedBy?: string
  }
  readonly NextToken?: string
  readonly MaxItems?: number
  readonly SortBy?: string
  readonly SortOrder?: 'ASCENDING' | 'DESCENDING'
}

const pageSizeDefault = 100

export function listCertificates(call: CallAcm<ListInput>): object {
  call.authorise({ action: 'acm:ListCertificates', resource: '*' })
  const { CertificateStatuses, Includes, NextToken, MaxItems, SortBy, SortOrder } = call.input
  if ((SortBy === undefined) !== (SortOrder === undefined)) {
    throw acmFailure('ValidationException', 'SortBy and SortOrder must be given together.')
  }
  const filters = [CertificateStatuses, Includes, SortBy, SortOrder]
  const listed = [...call.store.get().certificates.values()]
    .filter(certificate => certificate.deletedMs === undefined && certificate.visibleMs <= call.now)
    .filter(certificate => certificate.createdMs + call.delay(listDelay, `certificate/${certificate.id}`) <= call.now)
    .filter(certificate => CertificateStatuses === undefined || CertificateStatuses.includes(certificate.status))
    .filter(certificate => isIncluded(certificate, Includes))
    .sort((a, b) => (SortOrder === 'DESCENDING' ? -1 : 1) * (a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1)))
  const page = numberedPage(call, listed, { token: NextToken, size: MaxItems ?? pageSizeDefault, filters })
  if (page === undefined) throw acmFailure('ValidationException', 'The NextToken is invalid.')
  return {
    CertificateSummaryList: page.items.map(certificate => renderSummary(certificate, call)),
    ...given({ NextToken: page.nextToken }),
  }
}

/** ListCertificates shows only these key types unless the caller names others. */
const keyTypesDefault: readonly string[] = ['RSA_1024', 'RSA_2048']
const keyUsages: readonly string[] = ['DIGITAL_SIGNATURE', 'KEY_ENCIPHERMENT']
const extendedKeyUsages: readonly string[] = ['TLS_WEB_SERVER_AUTHENTICATION', 'TLS_WEB_CLIENT_AUTHENTICATION']

function isIncluded(certificate: AcmCertificate, includes: ListInput['Includes']): boolean {
  const has = (wanted: readonly string[] | undefined, values: readonly string[]): boolean =>
    wanted === undefined || (certificate.issued !== undefined && wanted.some(one => values.includes(one) || one === 'ANY'))
  if (!(includes?.keyTypes ?? keyTypesDefault).includes(certificate.keyAlgorithm)) return false
  if (!has(includes?.keyUsage, keyUsages) || !has(includes?.extendedKeyUsage, extendedKeyUsages)) return false
  if (includes?.managedBy !== undefined && includes.managedBy !== certificate.managedBy) return false
  return includes?.exportOption === undefined || (includes.exportOption === 'ENABLED') === certificate.exportable
}

export function addTagsToCertificate(call: CallAcm<ArnInput & { readonly Tags: readonly CertificateTag[] }>): undefined {
  const certificate = opened(call, 'AddTagsToCertificate', { 'aws:TagKeys': call.input.Tags.map(tag => tag.Key) })
  putCertificate(call, { ...certificate, tags: checkedTags(certificate.tags, call.input.Tags, call.quota(acmQuotas.tags)) })
  return undefined
}

/** A tag given with a value is only removed when it has that value. */
export function removeTagsFromCertificate(call: CallAcm<ArnInput & { readonly Tags: readonly CertificateTag[] }>): undefined {
  const certificate = opened(call, 'RemoveTagsFromCertificate', { 'aws:TagKeys': call.input.Tags.map(tag => tag.Key) })
  const removed = (key: string, value: string): boolean =>
    call.input.Tags.some(tag => tag.Key === key && (tag.Value === undefined || tag.Value === value))
  const tags = Object.fromEntries(Object.entries(certificate.tags).filter(([key, value]) => !removed(key, value)))
  putCertificate(call, { ...certificate, tags })
  return undefined
}

export function listTagsForCertificate(call: CallAcm<ArnInput>): object {
  const certificate = opened(call, 'ListTagsForCertificate')
  return { Tags: Object.entries(certificate.tags).map(([Key, Value]) => ({ Key, Value })) }
}
