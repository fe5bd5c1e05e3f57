// What a pass can see, built up: a test shows only what matters to it.
import type { Cert, CertSpec, CertStatus } from '../api.ts'
import { certKind, finalizer } from '../api.ts'
import type { CloudCertificate } from '../aws/certificate.ts'
import type { CertSeen, RecordSeen } from '../cert/seen.ts'
import { type CertSettings, settingsDefault } from '../cert/settings.ts'
import { wantedOf } from '../names/wanted.ts'

export const zone: { readonly name: string; readonly id: string } = { name: 'k8s.example.com', id: 'Z1' }
export const arn = 'arn:aws:acm:eu-west-1:111122223333:certificate/current'
export const pendingArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/pending'
export const primary = 'api-prod.k8s.example.com'
export const nowMs: number = Date.UTC(2026, 5, 1)
export const hourMs: number = 3_600_000
export const settings: CertSettings = { ...settingsDefault, clusterId: 'here' }

export interface SeenOptions extends Partial<Omit<CertSeen, 'claim' | 'wanted'>> {
  readonly spec?: Partial<CertSpec>
  readonly status?: CertStatus
  readonly annotations?: Readonly<Record<string, string>>
  readonly metadata?: Partial<Cert['metadata']>
  readonly zones?: readonly { readonly name: string; readonly id: string }[]
}

/** As the server would have it after a name and an environment were given. */
export function certSpec(more: Partial<CertSpec> = {}): CertSpec {
  return {
    serviceName: 'api',
    environment: 'prod',
    subjectAlternativeNames: [],
    deleteOnRemoval: false,
    keyAlgorithm: 'RSA_2048',
    transparencyLogging: 'Enabled',
    tags: {},
    dryRun: false,
    ...more,
  }
}

export function certSeen({ spec, status, annotations = {}, metadata = {}, zones = [zone], ...rest }: SeenOptions = {}): CertSeen {
  const claim: Cert = {
    apiVersion: certKind.apiVersion,
    kind: 'Cert',
    metadata: {
      namespace: 'team',
      name: 'api',
      uid: 'uid-1',
      generation: 1,
      resourceVersion: '1',
      creationTimestamp: '2026-05-01T00:00:00Z',
      finalizers: [finalizer],
      annotations,
      ...metadata,
    },
    spec: certSpec(spec),
    ...(status === undefined ? {} : { status: { observedGeneration: 1, ...status } }),
  }
  return {
    claim,
    wanted: wantedOf(claim.spec, { zones }),
    nowMs,
    draw: 0.5,
    privateZones: new Set(),
    rival: undefined,
    current: { kind: 'unasked' },
    pending: { kind: 'unasked' },
    given: { kind: 'unasked' },
    owned: undefined,
    vainMs: 0,
    superseded: new Map(),
    records: [],
    deletion: undefined,
    forbidden: undefined,
    fault: undefined,
    ...rest,
  }
}

export const hash: string = certSeen().wanted?.hash ?? ''

/** The intent for what the default spec asks for, an hour old. */
export function request(
  ageMs: number = 60_000,
  specHash: string = hash,
  revision: number = 1,
): NonNullable<CertStatus['request']> {
  return { requestedAt: `${new Date(nowMs - ageMs).toISOString().slice(0, 19)}Z`, specHash, revision }
}

export function certificate(more: Partial<CloudCertificate> = {}): CloudCertificate {
  return {
    arn,
    domainName: primary,
    names: [primary],
    status: 'PENDING_VALIDATION',
    type: 'AMAZON_ISSUED',
    keyAlgorithm: 'RSA_2048',
    isExportable: false,
    transparencyLogging: 'Enabled',
    inUseBy: [],
    createdMs: nowMs - 60_000,
    validations: [
      {
        domain: primary,
        status: 'PENDING_VALIDATION',
        record: { name: `_1.${primary}`, type: 'CNAME', value: '_2.acm-validations.aws.' },
      },
    ],
    ...more,
  }
}

export function issued(more: Partial<CloudCertificate> = {}): CloudCertificate {
  return certificate({
    status: 'ISSUED',
    issuedMs: nowMs - hourMs,
    notBeforeMs: nowMs - hourMs,
    notAfterMs: nowMs + 198 * 24 * hourMs,
    serial: '0a:01',
    ...more,
  })
}

export function present(found: CloudCertificate): CertSeen['current'] {
  return { kind: 'present', certificate: found }
}

export function recordSeen(more: Partial<RecordSeen> = {}): RecordSeen {
  return {
    name: `_1.${primary}`,
    value: '_2.acm-validations.aws.',
    zone,
    domains: [primary],
    domainStatus: 'PENDING_VALIDATION',
    standing: undefined,
    change: undefined,
    ...more,
  }
}

export const inSyncEntry: NonNullable<CertStatus['validationRecords']>[number] = {
  name: `_1.${primary}`,
  type: 'CNAME',
  value: '_2.acm-validations.aws.',
  zoneId: zone.id,
  domains: [primary],
  phase: 'InSync',
}
