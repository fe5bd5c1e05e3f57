// A certificate as ACM describes it, parsed once.
import type { Tags, Values } from '#aws'
import type { Cert } from '../api/kinds.ts'
import { tagKeys } from '../api/labels.ts'
import { normalName, recordName } from '../names/domain-name.ts'
import { specHash } from '../names/spec-hash.ts'
import { instant, record, records, text, texts } from './values.ts'

export interface CloudCertificate {
  readonly arn: string
  readonly domainName: string
  /** The primary name too. */
  readonly names: readonly string[]
  readonly status: string
  readonly failureReason?: string
  readonly revocationReason?: string
  readonly createdMs?: number
  readonly issuedMs?: number
  readonly notBeforeMs?: number
  readonly notAfterMs?: number
  readonly serial?: string
  readonly type: string
  /** As it is requested: `RSA_2048`. */
  readonly keyAlgorithm: string
  readonly authorityArn?: string
  readonly isExportable: boolean
  readonly transparencyLogging: 'Enabled' | 'Disabled'
  readonly inUseBy: readonly string[]
  readonly renewal?: RenewalSeen
  readonly eligibility?: string
  readonly validations: readonly DomainProof[]
}

export interface RenewalSeen {
  readonly status: string
  readonly reason?: string
  readonly updatedMs?: number
  readonly validations: readonly DomainProof[]
}

export interface DomainProof {
  readonly domain: string
  readonly status?: string
  readonly record?: { readonly name: string; readonly type: string; readonly value: string }
}

export function parseCertificate(detail: Values): CloudCertificate {
  const options = record(detail.Options)
  const renewal = detail.RenewalSummary === undefined ? undefined : record(detail.RenewalSummary)
  return {
    arn: text(detail.CertificateArn) ?? '',
    domainName: normalName(text(detail.DomainName) ?? ''),
    names: [...new Set([text(detail.DomainName) ?? '', ...texts(detail.SubjectAlternativeNames)].map(normalName))],
    status: text(detail.Status) ?? '',
    type: text(detail.Type) ?? '',
    keyAlgorithm: (text(detail.KeyAlgorithm) ?? '').replace(/^RSA-/, 'RSA_'),
    isExportable: options.Export === 'ENABLED',
    transparencyLogging: options.CertificateTransparencyLoggingPreference === 'DISABLED' ? 'Disabled' : 'Enabled',
    inUseBy: texts(detail.InUseBy),
    validations: validationsOf(detail.DomainValidationOptions),
    ...(renewal === undefined ? {} : { renewal: renewalOf(renewal) }),
    ...defined({ failureReason: text(detail.FailureReason) }),
    ...defined({ revocationReason: text(detail.RevocationReason) }),
    ...defined({ createdMs: instant(detail.CreatedAt) }),
    ...defined({ issuedMs: instant(detail.IssuedAt) }),
    ...defined({ notBeforeMs: instant(detail.NotBefore) }),
    ...defined({ notAfterMs: instant(detail.NotAfter) }),
    ...defined({ serial: text(detail.Serial) }),
    ...defined({ authorityArn: text(detail.CertificateAuthorityArn) }),
    ...defined({ eligibility: text(detail.RenewalEligibility) }),
  }
}

function renewalOf(summary: Values): RenewalSeen {
  return {
    status: text(summary.RenewalStatus) ?? '',
    validations: validationsOf(summary.DomainValidationOptions),
    ...defined({ reason: text(summary.RenewalStatusReason) }),
    ...defined({ updatedMs: instant(summary.UpdatedAt) }),
  }
}

function validationsOf(value: unknown): readonly DomainProof[] {
  return records(value).map(option => {
    const held = option.ResourceRecord === undefined ? undefined : record(option.ResourceRecord)
    return {
      domain: normalName(text(option.DomainName) ?? ''),
      ...defined({ status: text(option.ValidationStatus) }),
      ...(held === undefined
        ? {}
        : {
            record: {
              name: recordName(text(held.Name) ?? ''),
              type: text(held.Type) ?? 'CNAME',
              value: text(held.Value) ?? '',
            },
          }),
    }
  })
}

/** By it a certificate is known as the one that a spec asks for. */
export function hashOfCertificate(certificate: CloudCertificate): string {
  const { domainName, names, keyAlgorithm, type, authorityArn = '', isExportable } = certificate
  // Those of private authorities can always be exported, which nobody asked for.
  const isPrivate = type === 'PRIVATE'
  const issuer = isPrivate ? authorityArn : 'public'
  return specHash({ primary: domainName, domains: names, keyAlgorithm, issuer, exportable: !isPrivate && isExportable })
}

export interface CertificateOwner {
  readonly clusterId: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** What the marks of a certificate have to say for it to be this object's. */
export function ownerOf({ metadata }: Pick<Cert, 'metadata'>, clusterId: string): CertificateOwner {
  const { namespace = '', name, uid } = metadata
  return { clusterId, namespace, name, uid }
}

/** Whether the tags say that we made it for this very object. */
export function isOwnedBy(tags: Tags, { clusterId, uid }: CertificateOwner): boolean {
  return tags[tagKeys.managedBy] === 'cert-operator' && tags[tagKeys.cluster] === clusterId && tags[tagKeys.uid] === uid
}

/**
 * Whose certificate the tags say it is, as far as it takes to change something of it that is no loss. A mark may be missing, and the cluster may
 * have another name since: the uid says it, or else the name of an object that it was given to. Without any mark of ours it is nobody's.
 */
export function ownershipOf(tags: Tags, owner: CertificateOwner): 'ours' | 'another' | 'nobody' {
  const uid = tags[tagKeys.uid]
  if (uid !== undefined) return uid === owner.uid ? 'ours' : 'another'
  if (tags[tagKeys.managedBy] === undefined) return 'nobody'
  const { namespace, name } = owner
  return tags[tagKeys.namespace] === namespace && tags[tagKeys.name] === name ? 'ours' : 'another'
}

/** Whether it would be the owner's with one mark more. */
export function isHalfOwned(tags: Tags, owner: CertificateOwner): boolean {
  const uid = tags[tagKeys.uid]
  const isOurs = uid === owner.uid || (uid === undefined && tags[tagKeys.managedBy] === 'cert-operator')
  return isOurs && !isOwnedBy(tags, owner)
}

/** Whether the tags give it to the object of that name: those of ours without a uid, or with its own. */
export function isGivenTo(tags: Tags, { clusterId, namespace, name, uid }: CertificateOwner): boolean {
  const owner = tags[tagKeys.uid]
  return (
    tags[tagKeys.managedBy] === 'cert-operator' &&
    (tags[tagKeys.cluster] ?? '') === clusterId &&
    tags[tagKeys.namespace] === namespace &&
    tags[tagKeys.name] === name &&
    (owner === undefined || owner === uid)
  )
}

export function parseTags(value: unknown): Tags {
  return Object.fromEntries(records(value).map(({ Key, Value }) => [text(Key) ?? '', text(Value) ?? '']))
}

/** Fields that are there. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const key in fields) {
    const value = fields[key]
    if (isDefined(value)) kept[key] = value
  }
  return kept
}

function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined
}
