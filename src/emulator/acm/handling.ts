// What can be done with certificates that are there: import, export, options, renewal, revocation, account settings.
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { colons } from '../certificate-serial.ts'
import { type ArnInput, arnOf, type CallAcm, certificateAt, opened } from './certificates.ts'
import { acmFailure } from './errors.ts'
import { privateKeyOf } from './issuing.ts'
import { authorityFailure, putCertificate, renewNow } from './life.ts'
import { type AcmCertificate, type Issued, isInUse } from './model.ts'
import { acmQuotas } from './quotas.ts'
import { type CertificateTag, checkedTags } from './tags.ts'

interface ImportInput {
  readonly CertificateArn?: string
  readonly Certificate: Uint8Array
  readonly PrivateKey: Uint8Array
  readonly CertificateChain?: Uint8Array
  readonly Tags?: readonly CertificateTag[]
}

export function importCertificate(call: CallAcm<ImportInput>): object {
  const { CertificateArn, Tags } = call.input
  call.authorise({ action: 'acm:ImportCertificate', resource: CertificateArn ?? arnOf(call, '*') })
  const before = CertificateArn === undefined ? undefined : certificateAt(call, CertificateArn)
  if (before !== undefined && before.type !== 'IMPORTED') {
    throw acmFailure('ValidationException', 'Only imported certificates can be reimported.')
  }
  if (before !== undefined && Tags !== undefined) {
    throw acmFailure('InvalidTagException', 'Tags cannot be given when a certificate is reimported.')
  }
  const { parsed, issued } = readImport(call.input, call.now)
  const names = subjectNames(parsed)
  const id = before?.id ?? call.random(`certificate/${call.serial()}`).uuid()
  const certificate: AcmCertificate = {
    id,
    arn: arnOf(call, id),
    account: call.account,
    type: 'IMPORTED',
    domain: names[0] ?? '',
    names,
    method: undefined,
    createdMs: before?.createdMs ?? call.now,
    visibleMs: before?.visibleMs ?? call.now,
    detailsMs: call.now,
    status: issued.notAfterMs <= call.now ? 'EXPIRED' : 'ISSUED',
    validations: [],
    issued,
    importedMs: call.now,
    keyAlgorithm: algorithmOf(parsed),
    transparencyLogging: 'DISABLED',
    exportable: false,
    exported: false,
    uses: before?.uses ?? [],
    tags: before?.tags ?? checkedTags({}, Tags ?? [], call.quota(acmQuotas.tags)),
  }
  putCertificate(call, certificate)
  call.schedule({ kind: 'expire', id, atMs: issued.notAfterMs, class: 'limit' })
  return { CertificateArn: certificate.arn }
}

function readImport(input: ImportInput, now: number): { readonly parsed: X509Certificate; readonly issued: Issued } {
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8')
  let parsed: X509Certificate
  try {
    parsed = new X509Certificate(text(input.Certificate))
  } catch {
    throw acmFailure('ValidationException', 'The certificate field contains more than one certificate or is not PEM-encoded.')
  }
  try {
    const given = createPublicKey(createPrivateKey(text(input.PrivateKey))).export({ type: 'spki', format: 'der' })
    if (!given.equals(parsed.publicKey.export({ type: 'spki', format: 'der' }))) throw new Error('another key')
  } catch {
    throw acmFailure('ValidationException', 'The private key is not supported, or does not match the certificate.')
  }
  const issued: Issued = {
    atMs: now,
    notBeforeMs: Date.parse(parsed.validFrom),
    notAfterMs: Date.parse(parsed.validTo),
    serial: colons(parsed.serialNumber),
    certificate: text(input.Certificate),
    chain: text(input.CertificateChain),
    privateKey: text(input.PrivateKey),
    subject: parsed.subject.split('\n').join(','),
    issuer: /(?:^|\n)O=(.*)/.exec(parsed.issuer)?.[1] ?? /(?:^|\n)CN=(.*)/.exec(parsed.issuer)?.[1] ?? '',
  }
  return { parsed, issued }
}

function subjectNames(parsed: X509Certificate): readonly string[] {
  const common = /(?:^|\n)CN=(.*)/.exec(parsed.subject)?.[1]
  const names = (parsed.subjectAltName ?? '').split(', ').flatMap(name => (name.startsWith('DNS:') ? [name.slice(4)] : []))
  return [...new Set([...(common === undefined ? [] : [common]), ...names])]
}

function algorithmOf(parsed: X509Certificate): string {
  const details = parsed.publicKey.asymmetricKeyDetails
  if (parsed.publicKey.asymmetricKeyType === 'rsa') return `RSA_${details?.modulusLength ?? 2048}`
  return `EC_${details?.namedCurve ?? 'prime256v1'}`
}

const passphraseBytesMin = 4

export function exportCertificate(call: CallAcm<ArnInput & { readonly Passphrase: Uint8Array }>): object {
  const certificate = opened(call, 'ExportCertificate')
  if (!certificate.exportable) {
    throw acmFailure('ValidationException', `Certificate ARN: ${certificate.arn} is not a private or exportable certificate`)
  }
  if (certificate.issued === undefined) {
    throw acmFailure('RequestInProgressException', `Certificate ${certificate.arn} has not been issued.`)
  }
  if (call.input.Passphrase.length < passphraseBytesMin) {
    throw acmFailure('ValidationException', `The passphrase must have at least ${passphraseBytesMin} characters.`)
  }
  const passphrase = Buffer.from(call.input.Passphrase).toString('utf8')
  const key = createPrivateKey(privateKeyOf(call, certificate))
  putCertificate(call, { ...certificate, exported: true })
  return {
    Certificate: certificate.issued.certificate,
    CertificateChain: certificate.issued.chain,
    PrivateKey: key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString(),
  }
}

export function updateCertificateOptions(
  call: CallAcm<
    ArnInput & { readonly Options: { readonly CertificateTransparencyLoggingPreference?: string; readonly Export?: string } }
  >,
): undefined {
  const certificate = opened(call, 'UpdateCertificateOptions')
  if (certificate.status !== 'ISSUED') {
    throw acmFailure('InvalidStateException', `Certificate ${certificate.arn} must be in status ISSUED.`)
  }
  if (certificate.type === 'IMPORTED') {
    throw acmFailure('ValidationException', 'Options of imported certificates cannot be updated.')
  }
  const { CertificateTransparencyLoggingPreference: logging, Export } = call.input.Options
  putCertificate(call, {
    ...certificate,
    transparencyLogging: logging ?? certificate.transparencyLogging,
    exportable: Export === undefined ? certificate.exportable : Export === 'ENABLED',
  })
  return undefined
}

export function renewCertificate(call: CallAcm<ArnInput>): undefined {
  const certificate = opened(call, 'RenewCertificate')
  if (certificate.type !== 'PRIVATE' && !certificate.exported) {
    throw acmFailure('ValidationException', `Certificate ${certificate.arn} is not an exported certificate.`)
  }
  if (certificate.status !== 'ISSUED') throw acmFailure('ValidationException', `Certificate ${certificate.arn} is not issued.`)
  const reason = certificate.type === 'PRIVATE' ? authorityFailure(call, certificate) : undefined
  if (reason === undefined) renewNow(call, certificate)
  else putCertificate(call, { ...certificate, renewal: { status: 'FAILED', reason, atMs: call.now, missing: [] } })
  return undefined
}

export function revokeCertificate(call: CallAcm<ArnInput & { readonly RevocationReason: string }>): object {
  const certificate = opened(call, 'RevokeCertificate')
  if (!certificate.exported) {
    throw acmFailure('ConflictException', `Certificate ${certificate.arn} was never exported and cannot be revoked.`)
  }
  if (isInUse(certificate, call.now)) {
    throw acmFailure('ResourceInUseException', `Certificate ${certificate.arn} in account ${certificate.account} is in use.`)
  }
  const revoked = { atMs: call.now, reason: call.input.RevocationReason }
  putCertificate(call, { ...certificate, status: 'REVOKED', revoked })
  return { CertificateArn: certificate.arn }
}

export function resendValidationEmail(
  call: CallAcm<ArnInput & { readonly Domain: string; readonly ValidationDomain: string }>,
): undefined {
  const certificate = opened(call, 'ResendValidationEmail')
  if (certificate.method !== 'EMAIL' || certificate.status !== 'PENDING_VALIDATION') {
    throw acmFailure('InvalidStateException', `Certificate ${certificate.arn} is not waiting for an approval by mail.`)
  }
  const validation = certificate.validations.find(one => one.name === call.input.Domain.toLowerCase())
  if (validation === undefined || validation.validationDomain !== call.input.ValidationDomain.toLowerCase()) {
    throw acmFailure(
      'InvalidDomainValidationOptionsException',
      `${call.input.Domain} with validation domain ${call.input.ValidationDomain} is not part of the certificate.`,
    )
  }
  return undefined
}

export function getAccountConfiguration(call: CallAcm<object>): object {
  call.authorise({ action: 'acm:GetAccountConfiguration', resource: '*' })
  return { ExpiryEvents: { DaysBeforeExpiry: call.store.get().daysBeforeExpiry } }
}

export function putAccountConfiguration(
  call: CallAcm<{ readonly ExpiryEvents?: { readonly DaysBeforeExpiry?: number } }>,
): undefined {
  call.authorise({ action: 'acm:PutAccountConfiguration', resource: '*' })
  const state = call.store.get()
  call.store.set({ ...state, daysBeforeExpiry: call.input.ExpiryEvents?.DaysBeforeExpiry ?? state.daysBeforeExpiry })
  return undefined
}
