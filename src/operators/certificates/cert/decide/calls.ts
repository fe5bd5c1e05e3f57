// The calls of a plan, each complete.
import { batchesOf } from '#base'
import type { Cert } from '../../api/kinds.ts'
import { finalizer, managedBy, tagKeys } from '../../api/labels.ts'
import type { CertRequest } from '../../api/status.ts'
import { ownerOf } from '../../aws/certificate.ts'
import type { Standing } from '../../aws/cloud.ts'
import type { RegisteredZone } from '../../zones/registry.ts'
import type { CloudAction } from '../cloud-action.ts'
import { dayRequestOf } from '../day/day-requests.ts'
import type { Sighted } from '../seen.ts'

const recordTtlSeconds = 300
/** UPSERT counts twice against the thousand elements of a batch. */
const recordsPerBatchMax = 400

export function requestCall(seen: Sighted, request: CertRequest, clusterId: string): CloudAction {
  const { claim, wanted } = seen
  const { spec, metadata } = claim
  const [primary = '', ...others] = wanted.names.map(({ name }) => name)
  const logging = spec.transparencyLogging === 'Disabled' ? 'DISABLED' : 'ENABLED'
  const ofTheDay = dayRequestOf({ ...seen, request })
  return {
    kind: 'act:cloud',
    purpose: 'request',
    summary: `acm RequestCertificate ${primary}${others.length === 0 ? '' : ` and ${others.length} more`}`,
    service: 'acm',
    operation: 'RequestCertificate',
    // Each is one of the year's, and stays in the account when nobody is left who knows of it.
    heldBy: finalizer,
    askedFor: metadata.uid,
    ofTheDay,
    input: {
      DomainName: primary,
      // ACM takes no empty list.
      ...(others.length === 0 ? {} : { SubjectAlternativeNames: others }),
      IdempotencyToken: ofTheDay.token,
      KeyAlgorithm: spec.keyAlgorithm,
      ...(wanted.isPublic
        ? {
            ValidationMethod: 'DNS',
            Options: {
              CertificateTransparencyLoggingPreference: logging,
              ...(spec.export === undefined ? {} : { Export: 'ENABLED' }),
            },
          }
        : { CertificateAuthorityArn: wanted.issuer }),
      Tags: tagList({ ...spec.tags, ...ownerTags(claim, clusterId, request.revision) }),
    },
  }
}

export function ownerTags({ metadata }: Cert, clusterId: string, revision: number): Readonly<Record<string, string>> {
  return {
    [tagKeys.managedBy]: managedBy,
    // AWS takes no empty value in every place; a cluster without a name of its own is `default`.
    [tagKeys.cluster]: clusterId,
    [tagKeys.namespace]: metadata.namespace ?? '',
    [tagKeys.name]: metadata.name,
    [tagKeys.uid]: metadata.uid,
    [tagKeys.revision]: String(revision),
  }
}

export function tagList(tags: Readonly<Record<string, string>>): readonly { readonly Key: string; readonly Value: string }[] {
  return Object.keys(tags)
    .sort()
    .map(Key => ({ Key, Value: tags[Key] ?? '' }))
}

/** Sent only once the certificate's own tags have said that it was made for this very object. */
export function deleteCertificateCall(claim: Cert, clusterId: string, arn: string): CloudAction {
  return {
    kind: 'act:cloud',
    purpose: 'delete-certificate',
    summary: `acm DeleteCertificate …/${arn.slice(arn.lastIndexOf('/') + 1)}`,
    destructive: true,
    service: 'acm',
    operation: 'DeleteCertificate',
    input: { CertificateArn: arn },
    owner: ownerOf(claim, clusterId),
  }
}

/** A change that is no loss, and that a certificate of somebody else is spared: its tags are asked before it. */
export function ownCertificateCall(claim: Cert, clusterId: string, ...call: Parameters<typeof certificateCall>): CloudAction {
  return { ...certificateCall(...call), madeFor: ownerOf(claim, clusterId) }
}

export function certificateCall(
  purpose: 'tag' | 'untag' | 'options' | 'renew',
  arn: string,
  more: Readonly<Record<string, unknown>> = {},
): CloudAction {
  const operation = {
    tag: 'AddTagsToCertificate',
    untag: 'RemoveTagsFromCertificate',
    options: 'UpdateCertificateOptions',
    renew: 'RenewCertificate',
  }[purpose]
  return {
    kind: 'act:cloud',
    purpose,
    summary: `acm ${operation} …/${arn.slice(arn.lastIndexOf('/') + 1)}`,
    service: 'acm',
    operation,
    input: { CertificateArn: arn, ...more },
  }
}

export interface RecordWrite {
  readonly zone: RegisteredZone
  readonly name: string
  readonly value: string
}

/** One batch for each zone; more where one would be too large. Each record once: Route 53 refuses a batch that has one twice. */
export function upsertCalls(records: readonly RecordWrite[]): readonly CloudAction[] {
  const byZone = new Map<string, RecordWrite[]>()
  for (const record of records) byZone.set(record.zone.id, [...(byZone.get(record.zone.id) ?? []), record])
  return [...byZone.values()].flatMap(inZone => batches(inZone).map(upsertCall))
}

function batches(records: readonly RecordWrite[]): readonly (readonly RecordWrite[])[] {
  const unique = [...new Map(records.map(record => [record.name, record])).values()]
  return batchesOf(unique, recordsPerBatchMax)
}

function upsertCall(records: readonly RecordWrite[]): CloudAction {
  const [first] = records
  const Changes = records.map(({ name, value }) => ({
    Action: 'UPSERT',
    ResourceRecordSet: { Name: name, Type: 'CNAME', TTL: recordTtlSeconds, ResourceRecords: [{ Value: value }] },
  }))
  return {
    kind: 'act:cloud',
    purpose: 'write-records',
    summary: `route53 ChangeResourceRecordSets UPSERT ${records.length} in ${first?.zone.name ?? ''}`,
    service: 'route53',
    operation: 'ChangeResourceRecordSets',
    input: { HostedZoneId: first?.zone.id, ChangeBatch: { Changes } },
    ...(first === undefined ? {} : { zone: first.zone }),
  }
}

/** Repeats the record exactly as it is listed: Route 53 deletes no other. */
export function deleteRecordCall(
  zone: RegisteredZone,
  name: string,
  standing: Standing & { readonly kind: 'present' },
): CloudAction {
  const set = {
    Name: name,
    Type: standing.type,
    TTL: standing.ttl ?? recordTtlSeconds,
    ResourceRecords: standing.values.map(Value => ({ Value })),
  }
  return {
    kind: 'act:cloud',
    purpose: 'delete-record',
    summary: `route53 ChangeResourceRecordSets DELETE ${name}`,
    destructive: true,
    service: 'route53',
    operation: 'ChangeResourceRecordSets',
    input: { HostedZoneId: zone.id, ChangeBatch: { Changes: [{ Action: 'DELETE', ResourceRecordSet: set }] } },
    zone,
  }
}
