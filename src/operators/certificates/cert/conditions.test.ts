// Each condition by what was seen and decided: pure, without a world.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import {
  arn,
  certificate,
  certSeen,
  inSyncEntry,
  issued,
  pendingArn,
  present,
  request,
  type SeenOptions,
} from '../testing/cert-seen.fixture.ts'
import { conditionsOf } from './conditions.ts'
import { sight } from './decide/decide.ts'
import { failed, type StatusChange, type Verdict, verdict, waits } from './decide/verdict.ts'
import type { Look } from './seen.ts'

interface Row {
  readonly what: string
  readonly seen?: SeenOptions
  readonly judged: Verdict
  readonly after?: StatusChange
  readonly type: string
  /** Status and reason. */
  readonly told: string
}

const good = { state: 'Ready', certificateArn: arn, certReady: true, request: request() } as const
const ready = verdict(30, 'Ready')
const created = verdict(18, 'Created')
const paused = waits(4, 'Ready', { reason: 'Paused', message: 'it is paused' })
const refused = { reason: 'AccessDenied', message: 'no' } as const
const proof = (status: string) => ({ domain: 'a', status })
const said = (reason: string, status = 'False'): object => ({
  conditions: [{ type: 'Ready', status, reason, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
})
const entry = (phase: string) => ({ ...inSyncEntry, phase }) as typeof inSyncEntry
const toPrivate = { spec: { issuer: { type: 'PrivateCA', certificateAuthorityArn: 'arn:ca' } } } as SeenOptions
const changed = { ...good, request: request(0, 'other') }

const goingAs = (look: Look): SeenOptions => ({
  status: { state: 'Ready', certificateArn: arn, certReady: true },
  metadata: { deletionTimestamp: '2026-06-01T00:00:00Z' },
  deletion: { certificates: new Map([[arn, look]]), records: undefined },
})

const rows: readonly Row[] = [
  { what: 'it is issued', seen: { status: good }, judged: ready, type: 'Ready', told: 'True Issued' },
  {
    what: 'another one is on its way',
    seen: { status: { ...good, pendingCertificateArn: pendingArn } },
    judged: ready,
    type: 'Ready',
    told: 'False ReplacementInProgress',
  },
  {
    what: 'it serves in another state',
    seen: { status: good },
    judged: created,
    type: 'Ready',
    told: 'False ReplacementInProgress',
  },
  {
    what: 'it serves no more',
    seen: { status: good },
    judged: ready,
    after: { certReady: false },
    type: 'Ready',
    told: 'False Requesting',
  },
  {
    what: 'it waits',
    judged: waits(17, 'Created', { reason: 'WaitingForDNS', message: 'x' }),
    type: 'Ready',
    told: 'False WaitingForDNS',
  },
  { what: 'nothing is said of a wait', judged: created, type: 'Ready', told: 'False Requesting' },
  {
    what: 'it failed while it serves',
    seen: { status: good },
    judged: failed(27, { reason: 'Revoked', message: 'x' }),
    type: 'Ready',
    told: 'False Revoked',
  },
  {
    what: 'something is refused while it is good',
    seen: { status: good },
    judged: verdict(30, 'Ready', { heldUp: refused }),
    type: 'Ready',
    told: 'False AccessDenied',
  },
  {
    what: 'it goes without its intent, and is what the spec asks for',
    seen: goingAs(present(issued())),
    judged: ready,
    type: 'Ready',
    told: 'True Issued',
  },
  {
    what: 'it goes without its intent, and is for other names',
    seen: goingAs(present(issued({ names: ['b.example.com'] }))),
    judged: ready,
    type: 'Ready',
    told: 'False ReplacementInProgress',
  },
  {
    what: 'it goes without its intent, and does not show',
    seen: goingAs({ kind: 'absent', isConfirmed: false }),
    judged: ready,
    type: 'Ready',
    told: 'False ReplacementInProgress',
  },
  {
    what: 'it goes, and was changed before',
    seen: { status: changed, metadata: { deletionTimestamp: '2026-06-01T00:00:00Z' } },
    judged: ready,
    type: 'Ready',
    told: 'False ReplacementInProgress',
  },
  { what: 'it was changed and stays', seen: { status: changed }, judged: ready, type: 'Ready', told: 'True Issued' },
  {
    what: 'it is paused',
    seen: { status: { ...good, ...said('Issued', 'True') } },
    judged: paused,
    type: 'Ready',
    told: 'True Issued',
  },
  {
    what: 'it is paused and changed',
    seen: { status: { ...changed, ...said('Issued', 'True') } },
    judged: paused,
    type: 'Ready',
    told: 'False Paused',
  },
  {
    what: 'it is paused while AWS refuses its tags',
    seen: { status: { ...good, ...said('AccessDenied') } },
    judged: paused,
    type: 'Ready',
    told: 'False Paused',
  },
  {
    what: 'it is paused and edited',
    seen: { status: { ...good, ...said('Issued', 'True'), observedGeneration: 0 } },
    judged: paused,
    type: 'Ready',
    told: 'False Paused',
  },
  {
    what: 'it is paused and said so before',
    seen: { status: { ...good, ...said('Paused') } },
    judged: paused,
    type: 'Ready',
    told: 'False Paused',
  },
  {
    what: 'it is paused while it is replaced',
    seen: { status: { ...good, pendingCertificateArn: pendingArn } },
    judged: paused,
    type: 'Ready',
    told: 'False ReplacementInProgress',
  },
  {
    what: 'it is paused right after another one was decided on',
    seen: { status: { ...good, state: 'Pending', ...said('Issued', 'True') } },
    judged: waits(4, 'Pending', { reason: 'Paused', message: 'x' }),
    type: 'Ready',
    told: 'False Paused',
  },
  {
    what: 'it is paused before there is one',
    judged: waits(4, 'Created', { reason: 'Paused', message: 'x' }),
    type: 'Ready',
    told: 'False Paused',
  },

  { what: 'it is Ready', judged: ready, type: 'Reconciling', told: 'False Idle' },
  { what: 'it failed', judged: failed(27, { reason: 'Revoked', message: 'x' }), type: 'Reconciling', told: 'False Idle' },
  { what: 'it is on its way', judged: created, type: 'Reconciling', told: 'True Progressing' },
  { what: 'it failed', judged: failed(27, { reason: 'Revoked', message: 'x' }), type: 'Stalled', told: 'True Revoked' },
  { what: 'it is on its way', judged: created, type: 'Stalled', told: 'False NotStalled' },

  { what: 'all names have zones', judged: created, type: 'ZoneResolved', told: 'True Resolved' },
  {
    what: 'a name has none',
    seen: { spec: { domainName: 'a.other.org' } },
    judged: created,
    type: 'ZoneResolved',
    told: 'False ZoneNotFound',
  },
  {
    what: 'id and name are two zones',
    seen: {
      spec: { dnsZone: { id: 'Z1', name: 'other.org' } },
      zones: [
        { name: 'k8s.example.com', id: 'Z1' },
        { name: 'other.org', id: 'Z2' },
      ],
    },
    judged: created,
    type: 'ZoneResolved',
    told: 'False ZoneAmbiguous',
  },
  {
    what: 'one of id and name is not configured',
    seen: { spec: { dnsZone: { id: 'Z9', name: 'k8s.example.com' } } },
    judged: created,
    type: 'ZoneResolved',
    told: 'False ZoneNotFound',
  },
  {
    what: 'one of two zones is private',
    seen: {
      spec: { subjectAlternativeNames: ['a.other.org'] },
      zones: [
        { name: 'k8s.example.com', id: 'Z1' },
        { name: 'other.org', id: 'Z2' },
      ],
      privateZones: new Set(['Z2']),
    },
    judged: created,
    type: 'ZoneResolved',
    told: 'False PrivateZone',
  },
  {
    what: 'the zone is private',
    seen: { privateZones: new Set(['Z1']) },
    judged: created,
    type: 'ZoneResolved',
    told: 'False PrivateZone',
  },
  {
    what: 'another zone is private',
    seen: { privateZones: new Set(['Z2']) },
    judged: created,
    type: 'ZoneResolved',
    told: 'True Resolved',
  },
  {
    what: 'the zone is private and so is the authority',
    seen: { ...toPrivate, privateZones: new Set(['Z1']) },
    judged: created,
    type: 'ZoneResolved',
    told: 'True Resolved',
  },
  {
    what: 'the zone may not be looked at',
    seen: { deniedZones: new Set(['Z1']) },
    judged: created,
    type: 'ZoneResolved',
    told: 'True NotLookedAt',
  },
  {
    what: 'another zone may not be looked at',
    seen: { deniedZones: new Set(['Z2']) },
    judged: created,
    type: 'ZoneResolved',
    told: 'True Resolved',
  },

  { what: 'no record is asked for', judged: created, type: 'DNSRecordsReady', told: 'Unknown NotRequested' },
  {
    what: 'all records stand',
    seen: { status: { validationRecords: [entry('InSync'), entry('InSync')] } },
    judged: created,
    type: 'DNSRecordsReady',
    told: 'True InSync',
  },
  {
    what: 'one is on its way',
    seen: { status: { validationRecords: [entry('InSync'), entry('Submitting')] } },
    judged: created,
    type: 'DNSRecordsReady',
    told: 'False Submitting',
  },
  {
    what: 'records of before stand, and none are needed',
    seen: { ...toPrivate, status: { validationRecords: [entry('InSync')] } },
    judged: created,
    type: 'DNSRecordsReady',
    told: 'Unknown NotRequested',
  },
  {
    what: 'they may not be written',
    judged: verdict(34, 'Ready', { recordsTrouble: { reason: 'AccessDenied', message: 'x' } }),
    type: 'DNSRecordsReady',
    told: 'False AccessDenied',
  },
  {
    what: 'one stands in the way',
    judged: failed(21, { reason: 'RecordConflict', message: 'x' }),
    type: 'DNSRecordsReady',
    told: 'False RecordConflict',
  },
  {
    what: 'something else stands in the way',
    judged: failed(21, { reason: 'Revoked', message: 'x' }),
    type: 'DNSRecordsReady',
    told: 'Unknown NotRequested',
  },

  { what: 'a private authority issues it', seen: toPrivate, judged: created, type: 'DomainsValidated', told: 'True NotRequired' },
  { what: 'nothing was looked at', judged: created, type: 'DomainsValidated', told: 'False Pending' },
  {
    what: 'it serves and was not looked at',
    seen: { status: good },
    judged: ready,
    type: 'DomainsValidated',
    told: 'True AllValidated',
  },
  {
    what: 'all names are proven',
    seen: {
      status: { certificateArn: arn },
      current: present(certificate({ validations: [proof('SUCCESS'), proof('SUCCESS')] })),
    },
    judged: created,
    type: 'DomainsValidated',
    told: 'True AllValidated',
  },
  {
    what: 'the only name is proven',
    seen: { status: { certificateArn: arn }, current: present(certificate({ validations: [proof('SUCCESS')] })) },
    judged: created,
    type: 'DomainsValidated',
    told: 'True AllValidated',
  },
  {
    what: 'a name of what serves is to be proven again',
    seen: { status: good, current: present(issued({ validations: [proof('PENDING_VALIDATION')] })) },
    judged: ready,
    type: 'DomainsValidated',
    told: 'False Pending',
  },
  {
    what: 'a name of the other one is not proven',
    seen: {
      status: { ...good, pendingCertificateArn: pendingArn },
      current: present(issued({ validations: [proof('SUCCESS')] })),
      pending: present(certificate({ arn: pendingArn, validations: [proof('PENDING_VALIDATION')] })),
    },
    judged: created,
    type: 'DomainsValidated',
    told: 'False Pending',
  },
  {
    what: 'one name is not proven',
    seen: {
      status: { certificateArn: arn },
      current: present(certificate({ validations: [proof('SUCCESS'), proof('PENDING_VALIDATION')] })),
    },
    judged: created,
    type: 'DomainsValidated',
    told: 'False Pending',
  },
  {
    what: 'one name failed',
    seen: {
      status: { certificateArn: arn },
      current: present(certificate({ validations: [proof('SUCCESS'), proof('FAILED')] })),
    },
    judged: created,
    type: 'DomainsValidated',
    told: 'False Failed',
  },
  {
    what: 'ACM tells no names yet',
    seen: { status: { certificateArn: arn }, current: present(certificate({ validations: [] })) },
    judged: created,
    type: 'DomainsValidated',
    told: 'False Pending',
  },
  {
    what: 'ACM tells no names of what serves',
    seen: { status: good, current: present(issued({ validations: [] })) },
    judged: ready,
    type: 'DomainsValidated',
    told: 'True AllValidated',
  },

  { what: 'there is none', judged: created, type: 'RenewalHealthy', told: 'Unknown NotIssued' },
  {
    what: 'it was looked at',
    seen: { status: good, current: present(issued()) },
    judged: ready,
    type: 'RenewalHealthy',
    told: 'True NotDue',
  },
  { what: 'it was not looked at', seen: { status: good }, judged: ready, type: 'RenewalHealthy', told: 'nothing' },
  {
    what: 'another one was looked at',
    seen: { status: good, current: present(issued({ arn: pendingArn })) },
    judged: ready,
    type: 'RenewalHealthy',
    told: 'nothing',
  },
  {
    what: 'the other one becomes current',
    seen: { status: good, pending: present(issued({ arn: pendingArn })) },
    judged: ready,
    after: { certificateArn: pendingArn },
    type: 'RenewalHealthy',
    told: 'True NotDue',
  },
  {
    what: 'it serves no more',
    seen: { status: good, current: present(issued()) },
    judged: ready,
    after: { certReady: false },
    type: 'RenewalHealthy',
    told: 'Unknown NotIssued',
  },

  { what: 'nothing keeps a deletion', judged: created, type: 'DeletionBlocked', told: 'False NotBlocked' },
  {
    what: 'something keeps it',
    judged: verdict(2, 'Ready', { blocked: { reason: 'CertificateInUse', message: 'x' } }),
    type: 'DeletionBlocked',
    told: 'True CertificateInUse',
  },
  { what: 'nothing is planned', judged: created, type: 'DryRun', told: 'nothing' },
  { what: 'something is planned', judged: verdict(11, 'Pending', { planned: ['a', 'b'] }), type: 'DryRun', told: 'True Planned' },
]

for (const { what, seen, judged, after = {}, type, told } of rows)
  test(`where ${what}, ${type} is ${told} [7.4]`, () => {
    const sighted = sight(certSeen(seen)) ?? assert.fail()
    const found = findCondition(conditionsOf(sighted, judged, after) as never, type)
    assert.equal(found === undefined ? 'nothing' : `${found.status} ${found.reason}`, told)
  })
