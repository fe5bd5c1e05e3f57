// The kinds of this operator.
import { defineKind, type Kind, type StoredObject } from '#kube'
import { group } from './labels.ts'
import { type CertSpec, certSpec } from './spec.ts'
import { type CertStatus, certStatus } from './status.ts'

export const certKind: Kind<CertSpec, CertStatus> = defineKind({
  group,
  version: 'v1',
  kind: 'Cert',
  plural: 'certs',
  categories: ['all', 'acm'],
  namespaced: true,
  description: 'A certificate of AWS Certificate Manager, validated by DNS.',
  spec: certSpec,
  status: certStatus,
  columns: [
    { name: 'State', type: 'string', jsonPath: '.status.state' },
    { name: 'Domain', type: 'string', jsonPath: '.status.domainName' },
    { name: 'Ready', type: 'boolean', jsonPath: '.status.certReady' },
    // No date: kubectl prints ages, and a time to come has none.
    { name: 'Expires', type: 'string', jsonPath: '.status.expirationDate' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Zone', type: 'string', jsonPath: '.status.resolvedZone.name', priority: 1 },
    { name: 'ARN', type: 'string', jsonPath: '.status.certificateArn', priority: 1 },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
  ],
})

export interface Cert extends StoredObject {
  readonly spec: CertSpec
  readonly status?: CertStatus
}
