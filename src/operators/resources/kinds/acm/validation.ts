// The DNS records by which ACM knows that a domain is ours, as RecordSet objects in the zone that the certificate's annotation names. ACM
// renews a certificate only while its record stands, and all certificates of one domain and account share it: it is left when the object
// goes.
import { createHash } from 'node:crypto'
import type { KubeObject } from '#kube'
import { annotations, type Resource } from '../../api.ts'
import { isRecord, textOf } from '../../model/convert.ts'
import type { Content } from '../../model/request.ts'
import { structuresOf } from '../calls.ts'

export const validateWithZone = 'acm.services.k8s.aws/validate-with-hosted-zone'

/** Low, so that a mended record is soon seen. */
const ttlSeconds = 300

/** `undefined`: the records are asked for, and ACM has not named them all yet. */
export function validationRecords({ metadata }: Resource, { status }: Content): readonly KubeObject[] | undefined {
  const zone = metadata.annotations?.[validateWithZone]
  const validations = structuresOf(status['domainValidations']).filter(each => each['validationMethod'] !== 'EMAIL')
  if (zone === undefined || zone === '') return []
  // A domain and its wildcard have one record between them.
  const records = new Map<string, KubeObject>()
  for (const { resourceRecord } of validations) {
    if (!isRecord(resourceRecord)) return status['status'] === 'PENDING_VALIDATION' ? undefined : []
    const name = textOf(resourceRecord['name'])
    records.set(
      name,
      recordSet(metadata, { zone, name, type: textOf(resourceRecord['type_']), value: textOf(resourceRecord['value']) }),
    )
  }
  return validations.length === 0 && status['status'] === 'PENDING_VALIDATION' ? undefined : [...records.values()]
}

interface Asked {
  readonly zone: string
  readonly name: string
  readonly type: string
  readonly value: string
}

function recordSet({ name: certificate, namespace = '' }: Resource['metadata'], { zone, name, type, value }: Asked): KubeObject {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const isId = /^(?:\/hostedzone\/)?Z[A-Z0-9]+$/.test(zone)
  return {
    apiVersion: 'route53.services.k8s.aws/v1alpha1',
    kind: 'RecordSet',
    metadata: {
      namespace,
      name: `${certificate.slice(0, 240)}-${digest}`,
      annotations: { [annotations.adoptionPolicy]: 'adopt-or-create', [annotations.deletionPolicy]: 'retain' },
    },
    spec: {
      ...(isId ? { hostedZoneID: zone } : { hostedZoneRef: { from: { name: zone } } }),
      // The last dot says that it is the whole name.
      name: name.endsWith('.') ? name : `${name}.`,
      recordType: type,
      ttl: ttlSeconds,
      resourceRecords: [{ value }],
    },
  } as KubeObject
}
