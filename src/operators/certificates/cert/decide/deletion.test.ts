// What a deletion takes and leaves, from what was seen alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagKeys } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import { arn, certSeen, issued, recordSeen, request, type SeenOptions, settings, zone } from '../../testing/cert-seen.fixture.ts'
import { isCloudAction } from '../cloud-action.ts'
import type { DeletionSeen, Look } from '../seen.ts'
import { decide, judge, sight } from './decide.ts'
import { makeRoom } from './make-room.ts'

const going = { deletionTimestamp: '2026-06-01T00:00:00Z' }
const owner = { [tagKeys.managedBy]: 'cert-operator', [tagKeys.cluster]: 'here', [tagKeys.uid]: 'uid-1' }
const oldRequest = request(90 * 60_000)
const kept = { state: 'Ready', certReady: true, certificateArn: arn, request: oldRequest } as const

const look = (tags: Readonly<Record<string, string>>): Look => ({ kind: 'present', certificate: issued(), tags })

function callsFor(deletion: DeletionSeen, more: SeenOptions = {}): readonly string[] {
  const seen = certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion, ...more })
  return decide(seen, settings).actions.flatMap(action => (isCloudAction(action) ? [action.operation] : []))
}

test('a certificate goes only if its own tags name this very object [8.6, S2]', () => {
  const of = (tags: Readonly<Record<string, string>>): readonly string[] =>
    callsFor({ certificates: new Map([[arn, look(tags)]]), records: undefined })
  assert.deepEqual(of(owner), ['DeleteCertificate'])
  for (const other of [{ [tagKeys.uid]: 'uid-2' }, { [tagKeys.cluster]: 'there' }, { [tagKeys.managedBy]: 'somebody' }])
    assert.deepEqual(of({ ...owner, ...other }), [])
})

test('a record goes only where nobody else needs it, whatever stands there [8.7, S25]', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } as const
  const of = (reference: 'none' | 'referenced' | 'unknown'): readonly string[] =>
    callsFor({ certificates: new Map(), records: [{ ...recordSeen({ standing }), reference }] })
  assert.deepEqual([of('none'), of('referenced'), of('unknown')], [['ChangeResourceRecordSets'], [], []])
})

for (const [ttl, sent] of [
  [60, 60],
  [undefined, 300],
] as const)
  test(`a record that stands with a TTL of ${ttl ?? 'nothing that was told'} is taken out with ${sent} [8.7]`, () => {
    const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl } as const
    const deletion = { certificates: new Map(), records: [{ ...recordSeen({ standing }), reference: 'none' }] } as const
    const seen = certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion })
    const [call] = decide(seen, settings).actions.filter(isCloudAction)
    const batch = call?.input.ChangeBatch as { readonly Changes: readonly unknown[] } | undefined
    const { name, value } = recordSeen()
    const set = { Name: name, Type: 'CNAME', TTL: sent, ResourceRecords: [{ Value: value }] }
    assert.deepEqual(batch?.Changes, [{ Action: 'DELETE', ResourceRecordSet: set }])
  })

test('a record that may be needed is looked at again before its object goes [8.7]', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } as const
  const deletion = { certificates: new Map(), records: [{ ...recordSeen({ standing }), reference: 'unsettled' }] } as const
  const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion }))
  assert.ok(sighted !== undefined)
  const { actions, isRelease, blocked, next } = judge(sighted, { ...settings })
  assert.deepEqual([actions, isRelease, blocked?.reason], [[], undefined, 'AWSUnavailable'])
  assert.deepEqual(next, { afterMs: 30_000, why: 'an absence is looked at twice' })
})

test('what one list leaves out is looked for in another one, and nothing is said of it until then [8.7, S26]', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['_2.acm-validations.aws.'], ttl: 300 } as const
  const records = [{ ...recordSeen({ standing }), reference: 'unlisted' }] as const
  const leaving = certSeen({
    metadata: going,
    spec: { deleteOnRemoval: true },
    status: kept,
    deletion: { certificates: new Map(), records },
  })
  const { actions, isRelease, blocked, next } = judge(sight(leaving) ?? assert.fail(), settings)
  assert.deepEqual([actions, isRelease, blocked], [[], undefined, undefined])
  assert.deepEqual(next, { afterMs: 5_000, why: 'a list may leave one out, and is read twice' })
  const crowd = { asked: [], leaving: records }
  const {
    actions: taken,
    status,
    next: again,
  } = makeRoom({ ...(sight(certSeen({ status: kept })) ?? assert.fail()), crowd }, settings) ?? assert.fail()
  assert.deepEqual([taken, status, again], [[], {}, next])
})

test('a stranger’s ARN stays named while only records are noted, and is taken out with what is said of it [8.6, S21]', () => {
  const own = arn.replace('current', 'own')
  const asked = [{ name: '_1.api.k8s.example.com', value: '_2.acm-validations.aws.', zone, domains: ['api.k8s.example.com'] }]
  const certificates = new Map<string, Look>([
    [arn, look({ ...owner, [tagKeys.uid]: 'uid-2' })],
    [own, { kind: 'present', certificate: issued({ arn: own }), tags: owner, asked }],
  ])
  const judged = (validationRecords: NonNullable<CertStatus['validationRecords']>) => {
    const status = { ...kept, validationRecords }
    const seen = certSeen({
      metadata: going,
      spec: { deleteOnRemoval: true },
      status,
      deletion: { certificates, records: undefined },
    })
    return judge(sight(seen) ?? assert.fail(), settings)
  }
  const first = judged([])
  assert.deepEqual([first.isAside, Object.keys(first.status)], [true, ['validationRecords']])
  const second = judged(first.status.validationRecords ?? [])
  assert.deepEqual([second.isAside, second.status.certReady, 'certificateArn' in second.status], [undefined, false, true])
})

for (const [what, status, certificates, told] of [
  ['the status names', kept, new Map(), ['CertificateDeleted']],
  ['only AWS named', { state: 'Pending', request: oldRequest }, new Map([[arn, { kind: 'absent' }]]), ['CertificateDeleted']],
  ['nobody knows of', { state: 'Pending', request: oldRequest }, new Map(), []],
] as const)
  test(`the end of a certificate that ${what} is ${told.length > 0 ? 'told' : 'no news'} [8.6]`, () => {
    const deletion = { certificates, records: [] } as DeletionSeen
    const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status, deletion, vainMs: 300_000 }))
    const { isRelease, events } = judge(sighted ?? assert.fail(), settings)
    assert.deepEqual([isRelease, events.map(({ reason }) => reason)], [true, told])
  })

test('what a person lets go is told as let go, and nothing in AWS is called [8.6, #90]', () => {
  const seen = certSeen({
    metadata: going,
    spec: { deleteOnRemoval: true },
    annotations: { 'acm.ops.example.dev/force-orphan': 'true' },
    status: kept,
    deletion: { certificates: new Map([[arn, look(owner)]]), records: undefined },
  })
  const sighted = sight(seen)
  assert.ok(sighted !== undefined)
  const { isRelease, actions, events } = judge(sighted, settings)
  assert.equal(isRelease, true)
  assert.deepEqual(actions.filter(isCloudAction), [])
  assert.deepEqual(
    events.map(({ reason }) => reason),
    ['CertificateOrphaned'],
  )
})

test('what was asked for without a known outcome is looked for until five minutes brought nothing [8.6, S26]', () => {
  const released = (more: SeenOptions): boolean => {
    const deletion = { certificates: new Map(), records: [] }
    const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, deletion, ...more }))
    return sighted !== undefined && judge(sighted, settings).isRelease === true
  }
  const open = { state: 'Pending', request: oldRequest } as const
  assert.deepEqual([released({ status: open, vainMs: 299_000 }), released({ status: open, vainMs: 300_000 })], [false, true])
})

test('what keeps a certificate is told by kind, each once [8.6]', () => {
  const loadBalancer = 'arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/x/1'
  const inUseBy = [
    loadBalancer,
    `${loadBalancer}2`,
    'arn:aws:cloudfront::1:distribution/E',
    'arn:aws:apigateway:eu-west-1:1',
    'some',
  ]
  const used: Look = { kind: 'present', certificate: issued({ inUseBy }), tags: owner }
  const deletion: DeletionSeen = { certificates: new Map([[arn, used]]), records: undefined }
  const sighted = sight(certSeen({ metadata: going, spec: { deleteOnRemoval: true }, status: kept, deletion }))
  const { blocked } = judge(sighted ?? assert.fail(), settings)
  assert.deepEqual(blocked, {
    reason: 'CertificateInUse',
    message: 'certificate is in use by 5 resource(s): apigateway, distribution, loadbalancer, resource',
  })
})
