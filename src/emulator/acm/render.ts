// A certificate as Describe and List show it (§9.2). What comes with issuance is absent before it.
import type { Context } from '../service.ts'
import {
  type AcmCertificate,
  type AcmState,
  type CertificateRenewal,
  type DomainValidation,
  describedAlgorithm,
  isTerminal,
  usersShown,
  validationRecord,
} from './model.ts'

export function renderDetail(certificate: AcmCertificate, context: Context<AcmState>): object {
  const { issued } = certificate
  return {
    CertificateArn: certificate.arn,
    DomainName: certificate.domain,
    SubjectAlternativeNames: certificate.names,
    ...renderValidations(certificate, context),
    ...(issued !== undefined && {
      Serial: issued.serial,
      Issuer: issued.issuer,
      NotBefore: issued.notBeforeMs,
      NotAfter: issued.notAfterMs,
      KeyUsages: [{ Name: 'DIGITAL_SIGNATURE' }, { Name: 'KEY_ENCIPHERMENT' }],
      ExtendedKeyUsages: [
        { Name: 'TLS_WEB_SERVER_AUTHENTICATION', OID: '1.3.6.1.5.5.7.3.1' },
        { Name: 'TLS_WEB_CLIENT_AUTHENTICATION', OID: '1.3.6.1.5.5.7.3.2' },
      ],
    }),
    ...(issued !== undefined && certificate.importedMs === undefined && { IssuedAt: issued.atMs }),
    Subject: issued?.subject ?? `CN=${certificate.domain}`,
    CreatedAt: certificate.createdMs,
    ...(certificate.importedMs !== undefined && { ImportedAt: certificate.importedMs }),
    Status: certificate.status,
    ...(certificate.revoked !== undefined && {
      RevokedAt: certificate.revoked.atMs,
      RevocationReason: certificate.revoked.reason,
    }),
    KeyAlgorithm: describedAlgorithm(certificate.keyAlgorithm),
    SignatureAlgorithm: issued?.signature ?? 'SHA256WITHRSA',
    InUseBy: usersShown(certificate, context.now),
    ...(certificate.failureReason !== undefined && { FailureReason: certificate.failureReason }),
    Type: certificate.type,
    ...renderRenewal(certificate, context),
    ...(certificate.authorityArn !== undefined && { CertificateAuthorityArn: certificate.authorityArn }),
    ...(certificate.managedBy !== undefined && { ManagedBy: certificate.managedBy }),
    RenewalEligibility: eligibility(certificate, context),
    Options: {
      CertificateTransparencyLoggingPreference: certificate.transparencyLogging,
      Export: certificate.exportable ? 'ENABLED' : 'DISABLED',
    },
  }
}

/** Right after the request the records are missing, and of some certificates the whole list is. */
function renderValidations(certificate: AcmCertificate, context: Context<AcmState>): object {
  if (certificate.validations.length === 0) return {}
  const early = certificate.detailsMs > context.now
  if (early && context.random(`early-details/${certificate.id}`).float() < 0.5) return {}
  return { DomainValidationOptions: certificate.validations.map(validation => renderValidation(certificate, validation, early)) }
}

function renderValidation(certificate: AcmCertificate, validation: DomainValidation, early: boolean): object {
  const mail = ['admin', 'administrator', 'hostmaster', 'postmaster', 'webmaster'].map(
    box => `${box}@${validation.validationDomain}`,
  )
  return {
    DomainName: validation.name,
    ValidationDomain: certificate.method === 'EMAIL' ? validation.validationDomain : validation.name,
    ValidationStatus: validation.status,
    ...(certificate.method === 'DNS' && !early && { ResourceRecord: validationRecord(certificate.account, validation.name) }),
    ...(certificate.method !== undefined && { ValidationMethod: certificate.method }),
    ...(certificate.method === 'EMAIL' && !early && { ValidationEmails: mail }),
  }
}

function renderRenewal(certificate: AcmCertificate, context: Context<AcmState>): object {
  const { renewal } = certificate
  if (renewal === undefined) return {}
  const validations = certificate.validations.map(validation =>
    renderValidation(certificate, { ...validation, status: renewedStatus(renewal, validation.name) }, false),
  )
  return {
    RenewalSummary: {
      RenewalStatus: renewal.status,
      DomainValidationOptions: validations,
      UpdatedAt: Math.min(renewal.atMs, context.now),
      ...(renewal.reason !== undefined && { RenewalStatusReason: renewal.reason }),
    },
  }
}

function renewedStatus({ status, missing }: CertificateRenewal, name: string): DomainValidation['status'] {
  if (status === 'FAILED') return 'FAILED'
  return status === 'PENDING_AUTO_RENEWAL' || missing.includes(name) ? 'PENDING_VALIDATION' : 'SUCCESS'
}

function eligibility(certificate: AcmCertificate, { now }: Context<AcmState>): 'ELIGIBLE' | 'INELIGIBLE' {
  if (certificate.type === 'IMPORTED' || certificate.issued === undefined || isTerminal(certificate.status)) return 'INELIGIBLE'
  return usersShown(certificate, now).length > 0 || certificate.exported ? 'ELIGIBLE' : 'INELIGIBLE'
}

export function renderSummary(certificate: AcmCertificate, context: Context<AcmState>): object {
  const { issued } = certificate
  return {
    CertificateArn: certificate.arn,
    DomainName: certificate.domain,
    SubjectAlternativeNameSummaries: certificate.names,
    HasAdditionalSubjectAlternativeNames: false,
    Status: certificate.status,
    Type: certificate.type,
    KeyAlgorithm: describedAlgorithm(certificate.keyAlgorithm),
    KeyUsages: issued === undefined ? [] : ['DIGITAL_SIGNATURE', 'KEY_ENCIPHERMENT'],
    ExtendedKeyUsages: issued === undefined ? [] : ['TLS_WEB_SERVER_AUTHENTICATION', 'TLS_WEB_CLIENT_AUTHENTICATION'],
    InUse: usersShown(certificate, context.now).length > 0,
    Exported: certificate.exported,
    RenewalEligibility: eligibility(certificate, context),
    ...(issued !== undefined && { NotBefore: issued.notBeforeMs, NotAfter: issued.notAfterMs }),
    CreatedAt: certificate.createdMs,
    ...(issued !== undefined && certificate.importedMs === undefined && { IssuedAt: issued.atMs }),
    ...(certificate.importedMs !== undefined && { ImportedAt: certificate.importedMs }),
    ...(certificate.revoked !== undefined && { RevokedAt: certificate.revoked.atMs }),
    ...(certificate.managedBy !== undefined && { ManagedBy: certificate.managedBy }),
  }
}
