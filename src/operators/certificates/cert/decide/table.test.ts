// Every row of the transition table: what was seen, and where it leads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  arn,
  certificate,
  certSeen,
  hash,
  hourMs,
  inSyncEntry,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  recordSeen,
  request,
  type SeenOptions,
  settings,
  zone,
} from '../../testing/cert-seen.fixture.ts'
import { isCloudAction } from '../cloud-action.ts'
import { ownerTags } from './calls.ts'
import { looksAtRecords } from './created.ts'
import { decide, judge, sight } from './decide.ts'
import type { Verdict } from './verdict.ts'

interface Row {
  readonly what: string
  readonly row: number
  readonly seen: SeenOptions
  readonly state: string
  /** Of the failure, or of the wait. */
  readonly reason?: string
  readonly calls?: readonly string[]
  /** Milliseconds until the next look; `now` for at once. */
  readonly next: number | 'now' | 'never'
  readonly settings?: Partial<typeof settings>
  readonly code: string
}

const minute = 60_000
const onItsWay = { state: 'Created', certificateArn: arn, certReady: false, request: request() } as const
const good = { state: 'Ready', certificateArn: arn, certReady: true, request: request(), serial: '0a:01' } as const
const asked = { name: `_1.${primary}`, value: '_2.acm-validations.aws.', zone, domains: [primary] }
const further = { name: `_3.b.${zone.name}`, value: '_4.acm-validations.aws.', domains: [`b.${zone.name}`] }
const listed = { ...inSyncEntry, phase: 'Absent' } as const
const ownTags = ownerTags(certSeen().claim ?? assert.fail(), 'here', 1)
const replacing = { ...good, pendingCertificateArn: pendingArn } as const
const failedWith = (reason: string, ageMs = minute, count = 1) => ({
  reason,
  message: 'it was so',
  time: new Date(nowMs - ageMs).toISOString(),
  count,
})

/** Of what the row about two names asks for. */
const twoNames = certSeen({ spec: { subjectAlternativeNames: ['b.k8s.example.com'] } }).wanted?.hash ?? ''

const rows: readonly Row[] = [
  {
    what: 'a paused object waits',
    row: 4,
    seen: { status: onItsWay, annotations: { 'acm.ops.example.dev/paused': 'true' } },
    state: 'Created',
    reason: 'Paused',
    next: 60 * minute,
    code: '7.4 #4',
  },
  {
    what: 'the first sight writes the intent down',
    row: 5,
    seen: { metadata: { finalizers: [] } },
    state: 'Pending',
    reason: 'Requesting',
    calls: [],
    next: 'now',
    code: '7.4 #5',
  },
  {
    what: 'who was seen before and says nothing is looked up before anything is asked for',
    row: 5,
    seen: {},
    state: 'Pending',
    reason: 'Requesting',
    calls: [],
    next: 'now',
    code: '7.4 #5',
  },
  {
    what: 'an unknown state with an ARN is looked up',
    row: 5,
    seen: { status: { ...onItsWay, state: 'Odd' } },
    state: 'Pending',
    next: 'now',
    calls: [],
    code: '7.4 #5',
  },
  {
    what: 'who lost the name asks for nothing',
    row: 6,
    seen: { status: { state: 'Pending' }, rival: { namespace: 'other', name: 'api', isDeleting: false } },
    state: 'Failed',
    reason: 'DuplicateDomain',
    calls: [],
    next: 5 * minute,
    code: '7.4 #6',
  },
  {
    what: 'a name without a zone asks for nothing',
    row: 7,
    seen: { status: { state: 'Pending' }, spec: { domainName: 'a.other.org' } },
    state: 'Failed',
    reason: 'ZoneNotFound',
    calls: [],
    next: 5 * minute,
    code: '7.4 #7',
  },
  {
    what: 'a private zone proves nothing',
    row: 8,
    seen: { status: { state: 'Pending' }, privateZones: new Set(['Z1']) },
    state: 'Failed',
    reason: 'PrivateZone',
    calls: [],
    next: 5 * minute,
    code: '7.4 #8',
  },
  {
    what: 'an ARN of before the crash goes on',
    row: 9,
    seen: { status: { ...onItsWay, state: 'Pending' }, current: present(certificate()) },
    state: 'Created',
    calls: [],
    next: 'now',
    code: '7.4 #9',
  },
  {
    what: 'a lost certificate is adopted',
    row: 10,
    seen: { status: { state: 'Pending', request: request(2 * hourMs) }, owned: [{ certificate: certificate(), tags: {} }] },
    state: 'Created',
    calls: [],
    next: 'now',
    code: '7.4 #10',
  },
  {
    what: 'an intent becomes a request',
    row: 11,
    seen: { status: { state: 'Pending', request: request() } },
    state: 'Created',
    reason: 'Requesting',
    calls: ['RequestCertificate'],
    next: minute,
    code: '7.4 #11',
  },
  {
    what: 'a request that may have been made is searched before it is repeated',
    row: 11,
    seen: { status: { state: 'Pending', request: request(2 * hourMs) }, owned: [] },
    state: 'Pending',
    calls: [],
    next: 'now',
    code: '7.4 #11',
  },
  {
    what: 'an intent for another spec may have been carried out: its own token asks again',
    row: 11,
    seen: { status: { state: 'Pending', request: request(minute, 'other') } },
    state: 'Created',
    calls: ['RequestCertificate'],
    next: minute,
    code: '7.4 #11',
  },
  {
    what: 'what an old intent for another spec made is found by its marks',
    row: 10,
    seen: {
      status: { state: 'Pending', request: request(2 * hourMs, 'other') },
      owned: [{ certificate: certificate(), tags: {} }],
    },
    state: 'Created',
    calls: [],
    next: 'now',
    code: '7.4 #10',
  },
  {
    what: 'the current certificate is not what a replacement made',
    row: 11,
    seen: {
      status: { ...good, state: 'Pending', request: request(2 * hourMs) },
      owned: [{ certificate: issued(), tags: {} }],
    },
    state: 'Pending',
    calls: [],
    next: 'now',
    code: '7.4 #10',
  },
  {
    what: 'an old intent for another spec that made nothing is written anew',
    row: 11,
    seen: { status: { state: 'Pending', request: request(2 * hourMs, 'other') }, owned: [] },
    state: 'Pending',
    calls: [],
    next: 'now',
    code: '7.4 #11',
  },
  {
    what: 'a certificate that an older intent asked for and that is just what is wanted stays',
    row: 31,
    seen: { status: { ...onItsWay, request: request(minute, 'other') }, current: present(certificate()) },
    state: 'Created',
    calls: [],
    next: 'now',
    code: '7.4 #31',
  },
  {
    what: 'a certificate that nobody wants goes, once the records it asked for are on record',
    row: 31,
    seen: {
      status: { ...onItsWay, request: request(minute, 'other') },
      current: { kind: 'present', certificate: certificate({ names: [primary, `x.${primary}`] }), asked: [asked] },
    },
    state: 'Created',
    calls: [],
    next: 'now',
    code: '8.4',
  },
  {
    what: 'ACM may not show it at first',
    row: 14,
    seen: { status: onItsWay, current: { kind: 'absent', isConfirmed: true } },
    state: 'Created',
    reason: 'Requesting',
    next: minute,
    code: '7.4 #14, 8.1, #43',
  },
  {
    what: 'an absence is looked at twice',
    row: 15,
    seen: { status: { ...onItsWay, request: request(10 * minute) }, current: { kind: 'absent', isConfirmed: false } },
    state: 'Created',
    next: 30_000,
    code: '7.4 #15',
  },
  {
    what: 'an absence that was seen twice is one',
    row: 15,
    seen: { status: { ...onItsWay, request: request(10 * minute) }, current: { kind: 'absent', isConfirmed: true } },
    state: 'Pending',
    reason: 'CertificateMissing',
    next: 'now',
    code: '7.4 #15',
  },
  {
    what: 'records that ACM has not told are waited for',
    row: 16,
    seen: { status: onItsWay, current: present(certificate({ validations: [] })) },
    state: 'Created',
    reason: 'WaitingForDNS',
    calls: [],
    next: minute,
    code: '7.4 #16',
  },
  {
    what: 'one name of two without its record: nothing is written in part',
    row: 16,
    seen: {
      spec: { subjectAlternativeNames: ['b.k8s.example.com'] },
      status: { ...onItsWay, request: request(60_000, twoNames) },
      current: present(
        certificate({
          names: [primary, 'b.k8s.example.com'],
          validations: [...certificate().validations, { domain: 'b.k8s.example.com', status: 'PENDING_VALIDATION' }],
        }),
      ),
      records: [recordSeen({ standing: { kind: 'absent' } })],
    },
    state: 'Created',
    reason: 'WaitingForDNS',
    calls: [],
    next: minute,
    code: '7.4 #16, #44',
  },
  {
    what: 'a status of ACM that nobody knows is waited out',
    row: 0,
    seen: { status: onItsWay, current: present(certificate({ status: 'UNDER_REVIEW' })) },
    state: 'Created',
    reason: 'WaitingForIssuance',
    calls: [],
    next: 5 * minute,
    code: '#124',
  },
  {
    what: 'an hour of the clock of AWS is an hour, whatever ours says: no time-out just before three days',
    row: 23,
    seen: {
      status: { ...onItsWay, state: 'Validated', validationRecords: [inSyncEntry], request: request(73 * 60 * minute) },
      current: present(certificate({ createdMs: nowMs - 72 * 60 * minute + 1_000 })),
      records: [recordSeen()],
    },
    state: 'Validated',
    next: 5 * minute,
    code: '7.4 #23, #59',
  },
  {
    what: 'a record is listed in the status before the zone is asked or told anything',
    row: 17,
    seen: { status: onItsWay, current: present(certificate()), records: [recordSeen()] },
    state: 'Created',
    reason: 'WaitingForDNS',
    calls: [],
    next: 'now',
    code: '7.4 #17, P2',
  },
  {
    what: 'a record with another value than the one that is listed is listed first',
    row: 17,
    seen: {
      status: { ...onItsWay, validationRecords: [{ ...listed, value: '_3.acm-validations.aws.' }] },
      current: present(certificate()),
      records: [recordSeen({ standing: { kind: 'absent' } })],
    },
    state: 'Created',
    calls: [],
    next: 'now',
    code: '7.4 #17, P2',
  },
  {
    what: 'a record that is missing is written',
    row: 17,
    seen: {
      status: { ...onItsWay, validationRecords: [listed] },
      current: present(certificate()),
      records: [recordSeen({ standing: { kind: 'absent' } })],
    },
    state: 'Created',
    calls: ['ChangeResourceRecordSets'],
    next: minute,
    code: '7.4 #17',
  },
  {
    what: 'a change on its way is waited for',
    row: 18,
    seen: {
      status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Submitted', changeId: 'C1' }] },
      current: present(certificate()),
      records: [recordSeen({ change: 'PENDING' })],
    },
    state: 'Created',
    calls: [],
    next: minute,
    code: '7.4 #18',
  },
  {
    what: 'records in the DNS leave the rest to ACM',
    row: 19,
    seen: {
      status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Submitted', changeId: 'C1' }] },
      current: present(certificate()),
      records: [recordSeen({ change: 'INSYNC' })],
    },
    state: 'Validated',
    reason: 'WaitingForIssuance',
    next: 5 * minute,
    code: '7.4 #19',
  },
  {
    what: 'a standing record issues at once',
    row: 20,
    seen: { status: onItsWay, current: present(issued()) },
    state: 'Ready',
    next: 60 * minute,
    code: '7.4 #20, #51',
  },
  {
    what: 'a record of another type is left alone',
    row: 21,
    seen: {
      status: onItsWay,
      current: present(certificate()),
      records: [recordSeen({ standing: { kind: 'present', type: 'TXT', values: ['"x"'], ttl: 60 } })],
    },
    state: 'Failed',
    reason: 'RecordConflict',
    calls: [],
    next: 5 * minute,
    code: '7.4 #21',
  },
  {
    what: 'a zone that Route 53 does not know fails',
    row: 22,
    seen: { status: onItsWay, current: present(certificate()), records: [recordSeen({ standing: { kind: 'zone-gone' } })] },
    state: 'Failed',
    reason: 'ZoneNotFound',
    calls: [],
    next: 5 * minute,
    code: '7.4 #22',
  },
  {
    what: 'ACM takes its time',
    row: 23,
    seen: {
      status: { ...onItsWay, state: 'Validated', validationRecords: [inSyncEntry] },
      current: present(certificate()),
      records: [recordSeen()],
    },
    state: 'Validated',
    reason: 'WaitingForIssuance',
    next: 5 * minute,
    code: '7.4 #23',
  },
  {
    what: 'ACM issues',
    row: 24,
    seen: { status: { ...onItsWay, state: 'Validated' }, current: present(issued()) },
    state: 'Ready',
    next: 60 * minute,
    code: '7.4 #24',
  },
  {
    what: 'a record that vanished is written again',
    row: 25,
    seen: {
      status: { ...onItsWay, state: 'Validated', validationRecords: [inSyncEntry] },
      current: present(certificate()),
      records: [recordSeen({ standing: { kind: 'absent' } })],
    },
    state: 'Created',
    calls: ['ChangeResourceRecordSets'],
    next: minute,
    code: '7.4 #25',
  },
  {
    what: 'ACM gave up',
    row: 26,
    seen: { status: onItsWay, current: present(certificate({ status: 'VALIDATION_TIMED_OUT' })) },
    state: 'Failed',
    reason: 'ValidationTimedOut',
    next: 5 * minute,
    code: '7.4 #26',
  },
  {
    what: 'three days are enough',
    row: 26,
    seen: { status: onItsWay, current: present(certificate({ createdMs: nowMs - 72 * hourMs })) },
    state: 'Failed',
    reason: 'ValidationTimedOut',
    next: 5 * minute,
    code: '7.4 #26',
  },
  {
    what: 'ACM failed',
    row: 27,
    seen: { status: onItsWay, current: present(certificate({ status: 'FAILED', failureReason: 'CAA_ERROR' })) },
    state: 'Failed',
    reason: 'CAARestricted',
    next: 5 * minute,
    code: '7.4 #27',
  },
  {
    what: 'a revoked certificate is none',
    row: 28,
    seen: { status: good, current: present(issued({ status: 'REVOKED' })) },
    state: 'Failed',
    reason: 'Revoked',
    next: 5 * minute,
    code: '7.4 #28',
  },
  {
    what: 'an inactive certificate is none',
    row: 29,
    seen: { status: good, current: present(issued({ status: 'INACTIVE' })) },
    state: 'Failed',
    reason: 'IssuanceFailed',
    next: 5 * minute,
    code: '7.4 #29',
  },
  {
    what: 'at rest nothing is done',
    row: 30,
    seen: { status: good, current: present(issued()) },
    state: 'Ready',
    calls: [],
    next: 60 * minute,
    code: '7.4 #30',
  },
  {
    what: 'a certificate of other names than the intent says is not what is wanted, however old the wish',
    row: 31,
    seen: { status: good, current: present(issued({ names: [primary, `x.${primary}`] })) },
    state: 'Pending',
    reason: 'ReplacementInProgress',
    calls: [],
    next: 'now',
    code: '7.4 #31, S27',
  },
  {
    what: 'a certificate on its way with other names than the intent says goes',
    row: 31,
    seen: { status: onItsWay, current: present(certificate({ names: [primary, `x.${primary}`] })) },
    state: 'Pending',
    calls: ['DeleteCertificate'],
    next: 'now',
    code: '7.4 #31, S27',
  },
  {
    what: 'what failed for names that nobody wants any more is given up, whatever the intent says',
    row: 38,
    seen: {
      status: {
        ...onItsWay,
        state: 'Failed',
        lastFailure: { reason: 'IssuanceFailed', message: 'x', time: '2026-01-01T00:00:00Z', count: 1 },
      },
      current: present(certificate({ status: 'FAILED', failureReason: 'DOMAIN_NOT_ALLOWED', names: [primary, `x.${primary}`] })),
    },
    state: 'Pending',
    calls: ['DeleteCertificate'],
    next: 'now',
    code: '7.4 #38',
  },
  {
    what: 'the current certificate is wanted again, and what ACM was asked for a moment ago may yet be shown',
    row: 31,
    seen: { status: { state: 'Pending', certificateArn: arn, certReady: true }, current: present(issued()), isAwaited: true },
    state: 'Pending',
    reason: 'ReplacementInProgress',
    calls: [],
    next: 30_000,
    code: '7.4 #31, S26',
  },
  {
    what: 'a certificate whose key is told in other words is the one that was asked for',
    row: 30,
    seen: { status: good, current: present(issued({ keyAlgorithm: 'RSA' })) },
    state: 'Ready',
    calls: [],
    next: 3_600_000,
    code: '7.4 #30',
  },
  {
    what: 'another spec is another certificate',
    row: 31,
    seen: { status: good, spec: { subjectAlternativeNames: ['b.k8s.example.com'] }, current: present(issued()) },
    state: 'Pending',
    reason: 'ReplacementInProgress',
    calls: [],
    next: 'now',
    code: '7.4 #31',
  },
  {
    what: 'one answer that it is not there changes nothing',
    row: 32,
    seen: { status: good, current: { kind: 'absent', isConfirmed: false } },
    state: 'Ready',
    calls: [],
    next: 30_000,
    code: '7.4 #32',
  },
  {
    what: 'a certificate that was deleted is requested again',
    row: 32,
    seen: { status: good, current: { kind: 'absent', isConfirmed: true } },
    state: 'Pending',
    reason: 'CertificateMissing',
    next: 'now',
    code: '7.4 #32',
  },
  {
    what: 'an expired certificate is none',
    row: 33,
    seen: { status: good, current: present(issued({ notAfterMs: nowMs - 1 })) },
    state: 'Failed',
    reason: 'Expired',
    next: 5 * minute,
    code: '7.4 #33',
  },
  {
    what: 'a record that a good certificate needs and the status does not list is listed first',
    row: 30,
    seen: { status: good, current: present(issued()), records: [recordSeen({ standing: { kind: 'absent' } })] },
    state: 'Ready',
    calls: [],
    next: 'now',
    code: '7.4 #34, P2',
  },
  {
    what: 'a validation record that was taken away is written again',
    row: 34,
    seen: {
      status: { ...good, validationRecords: [inSyncEntry] },
      current: present(issued()),
      records: [recordSeen({ standing: { kind: 'absent' } })],
    },
    state: 'Ready',
    calls: ['ChangeResourceRecordSets'],
    next: 60 * minute,
    code: '7.4 #34',
  },
  {
    what: 'one that serves and does not show is looked at again before long, while another one is on its way',
    row: 19,
    seen: {
      status: { ...replacing, state: 'Created', validationRecords: [inSyncEntry] },
      current: { kind: 'absent', isConfirmed: false },
      pending: present(certificate({ arn: pendingArn })),
      records: [recordSeen({ standing: { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } })],
    },
    state: 'Validated',
    calls: [],
    next: minute / 2,
    code: '7.4 #19, #32',
  },
  {
    what: 'somebody else’s record in the place of ours keeps nothing from serving',
    row: 34,
    seen: {
      status: { ...good, validationRecords: [inSyncEntry] },
      current: present(issued()),
      records: [recordSeen({ standing: { kind: 'present', type: 'TXT', values: [], ttl: 1 } })],
    },
    state: 'Ready',
    calls: [],
    next: 60 * minute,
    code: '7.4 #34',
  },
  {
    what: 'somebody else’s record in the place of ours keeps nothing else of the spec back',
    row: 34,
    seen: {
      spec: { transparencyLogging: 'Disabled' },
      annotations: { 'acm.ops.example.dev/renew': 'now' },
      status: { ...good, validationRecords: [inSyncEntry, { ...inSyncEntry, ...further }] },
      current: { kind: 'present', certificate: issued({ isExportable: true }), tags: ownTags },
      records: [
        recordSeen({ standing: { kind: 'present', type: 'TXT', values: [], ttl: 1 } }),
        recordSeen({ ...further, standing: { kind: 'absent' } }),
      ],
    },
    state: 'Ready',
    calls: ['ChangeResourceRecordSets', 'RenewCertificate', 'UpdateCertificateOptions'],
    next: 60 * minute,
    code: '7.4 #34, S27',
  },
  {
    what: 'what somebody mended is Ready',
    row: 35,
    seen: { status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('IssuanceFailed') }, current: present(issued()) },
    state: 'Ready',
    next: 60 * minute,
    code: '7.4 #35',
  },
  {
    what: 'what is on its way again goes on',
    row: 36,
    seen: {
      status: {
        ...onItsWay,
        state: 'Failed',
        lastFailure: failedWith('RecordConflict'),
        validationRecords: [listed],
      },
      current: present(certificate()),
      records: [recordSeen({ standing: { kind: 'absent' } })],
    },
    state: 'Created',
    calls: ['ChangeResourceRecordSets'],
    next: minute,
    code: '7.4 #36',
  },
  {
    what: 'a conflict that still stands is no news',
    row: 41,
    seen: {
      status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('RecordConflict') },
      current: present(certificate()),
      records: [recordSeen({ standing: { kind: 'present', type: 'TXT', values: [], ttl: 1 } })],
    },
    state: 'Failed',
    reason: 'RecordConflict',
    calls: [],
    next: 5 * minute,
    code: '7.4 #41',
  },
  {
    what: 'a failed certificate that one look does not find stays failed',
    row: 41,
    seen: {
      status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('IssuanceFailed', 2 * hourMs) },
      current: { kind: 'absent', isConfirmed: false },
    },
    state: 'Failed',
    reason: 'IssuanceFailed',
    next: 5 * minute,
    code: '7.4 #37, #41',
  },
  {
    what: 'a failed certificate that is gone is requested again',
    row: 37,
    seen: {
      status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('IssuanceFailed') },
      current: { kind: 'absent', isConfirmed: true },
    },
    state: 'Pending',
    next: 'now',
    code: '7.4 #37',
  },
  {
    what: 'a changed spec starts over',
    row: 38,
    seen: {
      status: { ...onItsWay, state: 'Failed', observedGeneration: 1, lastFailure: failedWith('IssuanceFailed') },
      metadata: { generation: 2 },
      current: present(certificate({ status: 'FAILED' })),
    },
    state: 'Pending',
    calls: ['DeleteCertificate'],
    next: 'now',
    code: '7.4 #38',
  },
  {
    what: 'a person may ask again',
    row: 38,
    seen: {
      status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('IssuanceFailed') },
      annotations: { 'acm.ops.example.dev/retry': '1' },
      current: present(certificate({ status: 'FAILED', failureReason: 'DOMAIN_NOT_ALLOWED' })),
    },
    state: 'Pending',
    calls: ['DeleteCertificate'],
    next: 'now',
    code: '7.4 #38',
  },
  {
    what: 'a zone that is back lets it go on',
    row: 39,
    seen: { status: { state: 'Failed', lastFailure: failedWith('ZoneNotFound') } },
    state: 'Pending',
    calls: [],
    next: 'now',
    code: '7.4 #39',
  },
  {
    what: 'after an hour another one is requested',
    row: 40,
    seen: {
      status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('CAARestricted', hourMs) },
      current: present(certificate({ status: 'FAILED', failureReason: 'CAA_ERROR' })),
    },
    state: 'Pending',
    calls: ['DeleteCertificate'],
    next: 'now',
    code: '7.4 #40',
  },
  {
    what: 'before that nothing is done',
    row: 41,
    seen: {
      status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('CAARestricted', hourMs - 1_000) },
      current: present(certificate({ status: 'FAILED', failureReason: 'CAA_ERROR' })),
    },
    state: 'Failed',
    reason: 'CAARestricted',
    calls: [],
    next: 5 * minute,
    code: '7.4 #41',
  },
  {
    what: 'what time does not mend is left to people',
    row: 41,
    seen: {
      status: { ...onItsWay, state: 'Failed', lastFailure: failedWith('IssuanceFailed', 99 * hourMs) },
      current: present(certificate({ status: 'FAILED', failureReason: 'DOMAIN_NOT_ALLOWED' })),
    },
    state: 'Failed',
    reason: 'IssuanceFailed',
    calls: [],
    next: 5 * minute,
    code: '7.4 #41',
  },
  {
    what: 'while AWS is not called everything stays',
    row: 42,
    seen: { status: good, fault: { class: 'held-back', message: 'acm is not called', retryAfterMs: 20_000 } },
    state: 'Ready',
    calls: [],
    next: 21_000,
    code: '7.4 #42',
  },
  {
    what: 'a denied look takes nothing from a good certificate',
    row: 43,
    seen: { status: good, fault: { class: 'denied', message: 'no' } },
    state: 'Ready',
    calls: [],
    next: 1_000,
    code: '7.4 #43',
  },
  {
    what: 'a denied look fails what is not good',
    row: 43,
    seen: {
      status: { ...onItsWay, lastFailure: failedWith('AccessDenied', minute, 3) },
      fault: { class: 'denied', message: 'no' },
    },
    state: 'Failed',
    reason: 'AccessDenied',
    calls: [],
    next: 5 * minute,
    code: '7.4 #43',
  },
]

for (const { what, row, seen: given, state, reason, calls, next, settings: more, code } of rows)
  test(`${what} [${code}]`, () => {
    const chosen = { ...settings, ...more }
    const seen = certSeen(given)
    const sighted = sight(seen)
    assert.ok(sighted !== undefined)
    const judged = judge(sighted, chosen)
    const plan = decide(seen, chosen)
    assert.deepEqual(
      {
        row: judged.row,
        state: judged.state,
        ...(reason === undefined ? {} : { reason: reasonOf(judged) }),
        ...(calls === undefined
          ? {}
          : { calls: plan.actions.flatMap(action => (isCloudAction(action) ? [action.operation] : [])) }),
        next:
          plan.next.kind === 'await-change'
            ? 'never'
            : plan.next.kind === 'look-again'
              ? plan.next.afterMs === 0
                ? 'now'
                : Math.round(plan.next.afterMs)
              : 0,
      },
      { row, state, ...(reason === undefined ? {} : { reason }), ...(calls === undefined ? {} : { calls }), next },
    )
  })

function reasonOf({ failure, wait }: Verdict): string | undefined {
  return failure?.reason ?? wait?.reason
}

test('records that ACM does not see for an hour are told with the zone and what to compare [7.4 #23]', () => {
  const messageAt = (ageMs: number): string =>
    String(
      decide(
        certSeen({
          status: { ...onItsWay, state: 'Validated', request: request(ageMs), validationRecords: [inSyncEntry] },
          current: present(certificate({ createdMs: nowMs - ageMs })),
          records: [recordSeen()],
        }),
        settings,
      ).status?.message,
    )
  assert.equal(messageAt(59 * minute), 'the records are in place; ACM has not issued the certificate yet')
  assert.equal(
    messageAt(60 * minute),
    `the records stand in the hosted zone ${zone.id}, and ACM does not see them: compare its name servers with those of "dig NS ${zone.name}", which may be delegated elsewhere`,
  )
})

test('an object that is gone has no plan [7.4 #1]', () => {
  assert.deepEqual(decide({ ...certSeen(), claim: undefined }, settings).actions, [])
})

test('a finalizer that is missing is added before anything else [7.4 #3]', () => {
  const [first] = decide(certSeen({ metadata: { finalizers: [] } }), settings).actions
  assert.equal(first?.kind, 'add-finalizer')
})

for (const [when, row, seen] of [
  ['at the first sight', '#5', { metadata: { finalizers: [] } }],
  ['in Pending', '#11', { status: { state: 'Pending' } }],
] as const)
  test(`the intent is written ${when}: what is wanted, since when, its number, and nothing is asked yet [7.4 ${row}, P2]`, () => {
    const plan = decide(certSeen(seen), settings)
    const requestedAt = new Date(nowMs).toISOString().replace('.000Z', 'Z')
    assert.deepEqual(plan.status?.['request'], { requestedAt, specHash: hash, revision: 1 })
    assert.deepEqual(plan.actions.filter(isCloudAction), [])
  })

test('on its way, the records themselves are looked at on every sixth pass [7.4 #23]', () => {
  const passes = Array.from({ length: 18 }, (_, attempt) => attempt)
  assert.deepEqual(passes.filter(looksAtRecords), [5, 11, 17])
})

test('a request is held by our finalizer: it follows a fresh look at the object [7.4 #11, S5]', () => {
  const seen = certSeen({ status: { state: 'Pending', request: request() } })
  const asking = decide(seen, settings).actions.filter(isCloudAction)
  assert.deepEqual(
    asking.map(({ operation, heldBy }) => [operation, heldBy]),
    [['RequestCertificate', 'acm.ops.example.dev/finalizer']],
  )
})

test('the mark on what was given is held by our finalizer: marked for an object that is gone it fits no other one [7.4 #10, S5]', () => {
  const prefix = 'acm.ops.example.dev'
  const tags = {
    [`${prefix}/managed-by`]: 'cert-operator',
    [`${prefix}/cluster`]: 'here',
    [`${prefix}/namespace`]: 'team',
    [`${prefix}/name`]: 'api',
  }
  const seen = certSeen({
    status: { state: 'Pending' },
    annotations: { [`${prefix}/adopt`]: arn },
    given: { kind: 'present', certificate: issued(), tags },
  })
  const marking = decide(seen, settings).actions.filter(isCloudAction)
  assert.deepEqual(
    marking.map(({ operation, heldBy }) => [operation, heldBy]),
    [['AddTagsToCertificate', `${prefix}/finalizer`]],
  )
})

test('a good certificate stays good while its replacement fails [7.4 #27, #70]', () => {
  const seen = certSeen({
    status: { ...replacing, state: 'Created', request: request(minute, hash, 2) },
    pending: present(certificate({ arn: pendingArn, status: 'FAILED', failureReason: 'CAA_ERROR' })),
    current: present(issued()),
  })
  const { status } = decide(seen, settings)
  assert.deepEqual([status?.state, status?.certReady, status?.certificateArn], ['Failed', true, arn])
})

test('a revoked certificate is not good any more [7.4 #28, #67]', () => {
  const { status } = decide(certSeen({ status: good, current: present(issued({ status: 'REVOKED' })) }), settings)
  assert.equal(status?.certReady, false)
})

test('the counter begins at 0 in a state, and grows while the state stays [7.3, #63]', () => {
  const notes = (annotations: Readonly<Record<string, string>>): unknown =>
    decide(
      certSeen({ status: onItsWay, annotations, current: present(certificate({ validations: [] })) }),
      settings,
    ).actions.find(({ kind }) => kind === 'patch')
  const written = (count: string): object => ({
    metadata: {
      annotations: {
        'acm.ops.example.dev/reconcile-attempts-in-state': count,
        'acm.ops.example.dev/last-reconcile-state': 'Created',
      },
    },
  })
  const body = (found: unknown): unknown => (found as { body: unknown }).body
  assert.deepEqual(body(notes({})), written('0'))
  assert.deepEqual(
    body(
      notes({ 'acm.ops.example.dev/last-reconcile-state': 'Created', 'acm.ops.example.dev/reconcile-attempts-in-state': '2' }),
    ),
    written('3'),
  )
})

test('at rest nothing is written: Ready is looked at without a counter', () => {
  const seen = certSeen({
    status: good,
    current: present(issued()),
    annotations: { 'acm.ops.example.dev/last-reconcile-state': 'Ready', 'acm.ops.example.dev/reconcile-attempts-in-state': '0' },
  })
  assert.deepEqual(
    decide(seen, settings).actions.map(({ kind }) => kind),
    ['add-finalizer'],
  )
})
