// What authorities sign, their own certificates among it.
import type { X509Certificate } from 'node:crypto'
import { certificatesIn, DerError, type ReadSigningRequest, readSigningRequest } from '#base'
import { tokenLifeMs } from './authorities.ts'
import { type AuthorityInput, type CallPca, opened, putAuthority, storeOf, wrongState } from './call.ts'
import { pcaDelays } from './delays.ts'
import { pcaFailure } from './errors.ts'
import { type PrivateAuthority, type SignedCertificate, statusAt } from './model.ts'
import { canSign, digestOf, selfSigned, serialOf, signedBy } from './signing.ts'
import { type Template, templateOf } from './templates.ts'
import { type Validity, validityOf } from './validity.ts'

interface IssueInput extends AuthorityInput {
  readonly Csr: Uint8Array
  readonly SigningAlgorithm: string
  readonly TemplateArn?: string
  readonly Validity: Validity
  readonly ValidityNotBefore?: Validity
  readonly IdempotencyToken?: string
  readonly ApiPassthrough?: object
}

export function issueCertificate(call: CallPca<IssueInput>): object {
  const { input } = call
  const template = templateOf(input.TemplateArn)
  const authority = opened(call, {
    'acm-pca:TemplateArn': input.TemplateArn ?? `arn:${call.partition}:acm-pca:::template/EndEntityCertificate/V1`,
  })
  const store = storeOf(call, authority)
  const token = input.IdempotencyToken === undefined ? undefined : `issue/${authority.id}/${input.IdempotencyToken}`
  const known = token === undefined ? undefined : store.get().tokens.get(token)
  if (known !== undefined && known.atMs + tokenLifeMs > call.now) return { CertificateArn: known.arn }
  checkIssuance(call, authority, template)
  const signed = newlySigned(call, authority, template)
  const state = store.get()
  store.set({
    ...state,
    certificates: state.certificates.set(keyOfCertificate(signed.arn), signed),
    tokens: token === undefined ? state.tokens : state.tokens.set(token, { arn: signed.arn, atMs: call.now }),
  })
  return { CertificateArn: signed.arn }
}

/** The end of its ARN, from the authority on. */
function keyOfCertificate(arn: string): string {
  return arn.slice(arn.indexOf('/') + 1)
}

function checkIssuance(call: CallPca<IssueInput>, authority: PrivateAuthority, template: Template | undefined): void {
  const { SigningAlgorithm, TemplateArn, ApiPassthrough } = call.input
  if (template === undefined)
    throw pcaFailure('InvalidArgsException', `The template ${TemplateArn ?? ''} is not one that is served here.`)
  if (ApiPassthrough !== undefined) throw pcaFailure('InvalidArgsException', 'The template does not take ApiPassthrough.')
  if (!canSign(authority.configuration.KeyAlgorithm, SigningAlgorithm))
    throw pcaFailure('InvalidArgsException', `The key of the authority cannot sign with ${SigningAlgorithm}.`)
  const status = statusAt(authority, call.now)
  const isOwn = template.isRoot && authority.type === 'ROOT' && (status === 'PENDING_CERTIFICATE' || status === 'EXPIRED')
  if (status !== 'ACTIVE' && !isOwn) throw wrongState(authority, status)
  if (template.isRoot && authority.type !== 'ROOT')
    throw pcaFailure('InvalidArgsException', 'Only a root signs by this template.')
}

function newlySigned(call: CallPca<IssueInput>, authority: PrivateAuthority, template: Template | undefined): SignedCertificate {
  const asked = readRequest(call.input.Csr)
  const times = validityOf(call.input, call.now)
  const isRoot = template?.isRoot === true
  if (!isRoot) checkValidity(authority, times)
  const serial = call.random(`signed/${authority.id}/${call.serial()}`).bytes(16)
  const { names } = asked
  const request = {
    subject: asked.subject,
    usage: template?.usage ?? 'server-and-client',
    digest: digestOf(call.input.SigningAlgorithm),
    serial,
    ...times,
    ...(names !== undefined && template?.usage !== 'ca' && { names }),
    ...(template?.pathLength !== undefined && { pathLength: template.pathLength }),
  }
  if (isRoot) requireOwn(authority, asked)
  const certificate = isRoot ? selfSigned(authority, request) : signedBy(authority, { ...request, key: asked.key })
  const number = serialOf(certificate)
  return {
    arn: `${authority.arn}/certificate/${number.replaceAll(':', '')}`,
    certificate,
    chain: isRoot ? '' : chainOf(authority),
    serial: number,
    readyMs: call.now + call.delay(pcaDelays.authorityIssue, `signed/${number}`),
  }
}

/** The authority's certificate and all above it. */
export function chainOf({ installed }: PrivateAuthority): string {
  return `${installed?.certificate ?? ''}${installed?.chain ?? ''}`
}

function readRequest(csr: Uint8Array): ReadSigningRequest {
  try {
    return readSigningRequest(Buffer.from(csr).toString('utf8'))
  } catch (error) {
    if (error instanceof DerError)
      throw pcaFailure('MalformedCSRException', `The certificate signing request is invalid: ${error.message}.`)
    throw error
  }
}

const shortLifeMs = 7 * 86_400_000

function checkValidity(
  { installed, usageMode }: PrivateAuthority,
  { validFrom, validUntil }: ReturnType<typeof validityOf>,
): void {
  if (validUntil <= validFrom) throw pcaFailure('InvalidArgsException', 'The certificate would end before it begins.')
  if (validUntil > (installed?.notAfterMs ?? 0))
    throw pcaFailure('ValidationException', 'The certificate validity specified exceeds the certificate authority validity.')
  if (usageMode === 'SHORT_LIVED_CERTIFICATE' && validUntil - validFrom > shortLifeMs + hourMs)
    throw pcaFailure('ValidationException', 'A certificate authority for short-lived certificates issues for seven days at most.')
}

const hourMs = 3_600_000

/** A root signs itself by the template of roots, and nobody else. */
function requireOwn(authority: PrivateAuthority, asked: ReadSigningRequest): void {
  const own = readSigningRequest(authority.request)
  if (own.key !== asked.key)
    throw pcaFailure('InvalidArgsException', 'A root certificate is signed for the key of the authority only.')
}

export function getCertificate(call: CallPca<AuthorityInput & { readonly CertificateArn: string }>): object {
  const authority = opened(call)
  const { CertificateArn } = call.input
  const isOfAuthority = CertificateArn.startsWith(`${authority.arn}/certificate/`)
  const signed = isOfAuthority ? storeOf(call, authority).get().certificates.get(keyOfCertificate(CertificateArn)) : undefined
  if (signed === undefined) throw pcaFailure('ResourceNotFoundException', `Could not find certificate ${CertificateArn}.`)
  if (signed.readyMs > call.now)
    throw pcaFailure('RequestInProgressException', `The request for certificate ${CertificateArn} is in progress.`)
  return { Certificate: signed.certificate, ...(signed.chain !== '' && { CertificateChain: signed.chain }) }
}

export function getCertificateAuthorityCertificate(call: CallPca<AuthorityInput>): object {
  const authority = opened(call)
  const { installed } = authority
  if (installed === undefined || authority.status === 'DELETED') throw wrongState(authority, authority.status)
  return { Certificate: installed.certificate, ...(installed.chain !== '' && { CertificateChain: installed.chain }) }
}

interface ImportInput extends AuthorityInput {
  readonly Certificate: Uint8Array
  readonly CertificateChain?: Uint8Array
}

/** The authority gets its certificate, and works from here on. */
export function importCertificateAuthorityCertificate(call: CallPca<ImportInput>): undefined {
  const authority = opened(call)
  const status = statusAt(authority, call.now)
  if (status === 'CREATING')
    throw pcaFailure('RequestInProgressException', `The certificate authority ${authority.arn} is being created.`)
  if (status === 'DELETED') throw wrongState(authority, status)
  const own = parsed(call.input.Certificate)[0]
  if (own === undefined) throw malformed('One certificate is expected.')
  const above = parsed(call.input.CertificateChain ?? new Uint8Array())
  checkImport(authority, own, above)
  putAuthority(call, {
    ...authority,
    status: 'ACTIVE',
    changedMs: call.now,
    installed: {
      certificate: own.toString(),
      chain: above.map(String).join(''),
      serial: serialOf(own.toString()),
      notBeforeMs: Date.parse(own.validFrom),
      notAfterMs: Date.parse(own.validTo),
    },
  })
  return undefined
}

function parsed(bytes: Uint8Array): readonly X509Certificate[] {
  const text = Buffer.from(bytes).toString('utf8')
  const certificates = certificatesIn(text)
  const begun = text.split('-----BEGIN CERTIFICATE-----').length - 1
  if (certificates.length < begun) throw malformed('The certificate cannot be read.')
  return certificates
}

function malformed(message: string): Error {
  return pcaFailure('MalformedCertificateException', message)
}

function checkImport(authority: PrivateAuthority, own: X509Certificate, above: readonly X509Certificate[]): void {
  const key = readSigningRequest(authority.request).key
  const given = own.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  if (key.trim() !== given.trim())
    throw pcaFailure('CertificateMismatchException', 'The certificate is not for the key of the authority.')
  if (!own.ca) throw malformed('The certificate is none of a certificate authority.')
  if (authority.type === 'ROOT' && above.length > 0)
    throw pcaFailure('InvalidArgsException', 'A root has no chain above its certificate.')
  const issuers = authority.type === 'ROOT' ? [own] : above
  if (issuers.length === 0)
    throw pcaFailure('InvalidArgsException', 'A subordinate authority needs the chain above its certificate.')
  const links = [own, ...issuers]
  const isChain = links
    .slice(1)
    .every((issuer, index) => links[index]?.checkIssued(issuer) === true && links[index].verify(issuer.publicKey))
  if (!isChain) throw pcaFailure('CertificateMismatchException', 'The certificate does not follow from the chain.')
}

export function revokeCertificate(call: CallPca<AuthorityInput & { readonly CertificateSerial: string }>): undefined {
  const authority = opened(call)
  const status = statusAt(authority, call.now)
  if (status !== 'ACTIVE' && status !== 'DISABLED') throw wrongState(authority, status)
  const serial = call.input.CertificateSerial.replaceAll(':', '').toLowerCase()
  const store = storeOf(call, authority)
  const state = store.get()
  const id = `${authority.id}/certificate/${serial}`
  const signed = state.certificates.get(id)
  if (signed === undefined)
    throw pcaFailure('ResourceNotFoundException', `${authority.arn} has signed nothing with serial ${serial}.`)
  if (signed.revokedMs !== undefined)
    throw pcaFailure('RequestAlreadyProcessedException', `The certificate ${serial} is revoked already.`)
  store.set({ ...state, certificates: state.certificates.set(id, { ...signed, revokedMs: call.now }) })
  return undefined
}
