// What is read of ACM and Route 53, answer by answer, and what a missing thing is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, type Values } from '#aws'
import { ManualClock } from '#base'
import { tagKeys } from '../api/labels.ts'
import type { LayeredCall } from './call.ts'
import { CertificateCloud } from './cloud.ts'
import { LimiterBusy } from './limiter.ts'

const { signal } = new AbortController()
const zone = { name: 'example.com', id: 'Z1' }

const refused = (code: string): AwsError => new AwsError({ service: 'X', operation: 'Y', code, message: 'no', httpStatus: 400 })

/** By operation, or by operation and ARN. */
function cloud(answers: Readonly<Record<string, Values | Error>>) {
  const calls: LayeredCall[] = []
  const caller = async (call: LayeredCall): Promise<Values> => {
    calls.push(call)
    const answer = answers[`${call.operation} ${String(call.input['CertificateArn'])}`] ?? answers[call.operation] ?? {}
    if (answer instanceof Error) throw answer
    return answer
  }
  return { reads: new CertificateCloud(caller, new ManualClock()), calls }
}

test('a certificate is read as it is remembered unless a fresh look is asked for, and where it is', async () => {
  const { reads, calls } = cloud({ DescribeCertificate: { Certificate: { CertificateArn: 'a', DomainName: 'X.example.com.' } } })
  assert.equal((await reads.certificate('a', { signal }))?.domainName, 'x.example.com')
  await reads.certificate('a', { signal, isFresh: true, region: 'us-east-1' })
  const plain = { service: 'acm', operation: 'DescribeCertificate', input: { CertificateArn: 'a' } }
  assert.deepEqual(calls, [
    { ...plain, isFresh: false },
    { ...plain, isFresh: true, region: 'us-east-1' },
  ])
})

test('a certificate that is not there is none, and any other refusal is the caller’s', async () => {
  assert.equal(
    await cloud({ DescribeCertificate: refused('ResourceNotFoundException') }).reads.certificate('a', { signal }),
    undefined,
  )
  await assert.rejects(
    cloud({ DescribeCertificate: refused('AccessDeniedException') }).reads.certificate('a', { signal }),
    AwsError,
  )
})

const owner = { clusterId: 'east', namespace: 'default', name: 'api', uid: 'u1' }
const tags = (uid: string): Values => ({
  Tags: [
    { Key: tagKeys.managedBy, Value: 'cert-operator' },
    { Key: tagKeys.cluster, Value: 'east' },
    { Key: tagKeys.uid, Value: uid },
  ],
})
const certificate = (CertificateArn: string, Status: string, CreatedAt?: number): Values => ({
  Certificate: { CertificateArn, DomainName: 'a.example.com', Status, ...(CreatedAt !== undefined && { CreatedAt }) },
})
const summary = (CertificateArn: string, DomainName = 'a.example.com'): Values => ({ CertificateArn, DomainName })

test('certificates of a name with the marks of their owner are found: issued ones first, then the newest', async () => {
  const { reads, calls } = cloud({
    ListCertificates: {
      CertificateSummaryList: [
        ...['undated', 'old', 'new', 'issued', 'strange', 'gone', 'untagged'].map(arn => summary(arn)),
        summary('other', 'b.example.com'),
      ],
    },
    'DescribeCertificate undated': certificate('undated', 'PENDING_VALIDATION'),
    'DescribeCertificate old': certificate('old', 'PENDING_VALIDATION', 10),
    'DescribeCertificate new': certificate('new', 'PENDING_VALIDATION', 20),
    'DescribeCertificate issued': certificate('issued', 'ISSUED', 5),
    'DescribeCertificate strange': certificate('strange', 'ISSUED', 30),
    'DescribeCertificate untagged': certificate('untagged', 'ISSUED', 30),
    'DescribeCertificate gone': refused('ResourceNotFoundException'),
    'ListTagsForCertificate strange': tags('u2'),
    'ListTagsForCertificate untagged': refused('ResourceNotFoundException'),
    ListTagsForCertificate: tags('u1'),
  })
  const found = await reads.owned('a.example.com', owner, signal)
  assert.deepEqual(
    found.map(each => each.certificate.arn),
    ['issued', 'new', 'old', 'undated'],
  )
  const described = calls.filter(({ operation }) => operation === 'DescribeCertificate')
  assert.ok(described.every(({ isFresh }) => isFresh === true))
  assert.ok(!described.some(({ input }) => input['CertificateArn'] === 'other'))
})

test('marks that may not be read are no marks of nobody: the look fails', async () => {
  const { reads } = cloud({
    ListCertificates: { CertificateSummaryList: [summary('a')] },
    DescribeCertificate: certificate('a', 'ISSUED'),
    ListTagsForCertificate: refused('AccessDeniedException'),
  })
  await assert.rejects(reads.owned('a.example.com', owner, signal), AwsError)
})

test('lists of regions are told with their region, and the operator’s own has none', async () => {
  const { reads, calls } = cloud({
    ListCertificates: { CertificateSummaryList: [{ ...summary('a'), HasAdditionalSubjectAlternativeNames: true }, {}] },
  })
  const listed = await reads.listed('who', [undefined, 'us-east-1'], signal)
  assert.deepEqual(
    listed.map(({ arn, domainName, isPartial, region }) => [arn, domainName, isPartial, region]),
    [undefined, 'us-east-1'].flatMap(region => [
      ['a', 'a.example.com', true, region],
      ['', '', false, region],
    ]),
  )
  assert.deepEqual(
    calls.map(({ region }) => region),
    [undefined, 'us-east-1'],
  )
})

test('who is not on turn for a certificate is told when to come back, and without a pace everybody is', () => {
  const asked: LayeredCall[] = []
  const pace = {
    awaitTurn: (call: LayeredCall): void => {
      asked.push(call)
      throw new LimiterBusy(7)
    },
  }
  const paced = new CertificateCloud(async () => ({}), new ManualClock(), pace)
  assert.throws(() => paced.awaitRequest('who'), LimiterBusy)
  assert.deepEqual(asked, [{ service: 'acm', operation: 'RequestCertificate', input: {}, comesBackAs: 'who' }])
  new CertificateCloud(async () => ({}), new ManualClock()).awaitRequest('who')
})

const set = (more: Values = {}): Values => ({
  ResourceRecordSets: [{ Name: '\\052.Example.com.', Type: 'CNAME', TTL: 300, ResourceRecords: [{ Value: 'x.' }], ...more }],
})

for (const [what, answer, expected] of [
  ['the record', set(), { kind: 'present', type: 'CNAME', values: ['x.'], ttl: 300 }],
  [
    'an alias, which has no time',
    set({ TTL: undefined, ResourceRecords: undefined }),
    { kind: 'present', type: 'CNAME', values: [], ttl: undefined },
  ],
  ['the next one', set({ Name: 'b.example.com.' }), { kind: 'absent' }],
  ['nothing', { ResourceRecordSets: [] }, { kind: 'absent' }],
  ['that there is no such zone', refused('NoSuchHostedZone'), { kind: 'zone-gone' }],
] as const)
  test(`where Route 53 gives ${what}, what stands at a name is ${expected.kind}`, async () => {
    const { reads, calls } = cloud({ ListResourceRecordSets: answer as Values | Error })
    assert.deepEqual(await reads.standing(zone, '*.example.com', signal), expected)
    const input = { HostedZoneId: 'Z1', StartRecordName: '*.example.com', MaxItems: 1 }
    assert.deepEqual(calls, [{ service: 'route53', operation: 'ListResourceRecordSets', input, zone }])
  })

for (const [what, answer, expected] of [
  ['that it is everywhere', { ChangeInfo: { Status: 'INSYNC' } }, 'INSYNC'],
  ['that it is on its way', { ChangeInfo: { Status: 'PENDING' } }, 'PENDING'],
  ['nothing', {}, 'PENDING'],
  ['that there is no such change', refused('NoSuchChange'), 'unknown'],
] as const)
  test(`of a change of which Route 53 says ${what} it is known: ${expected}`, async () => {
    const { reads } = cloud({ GetChange: answer as Values | Error })
    assert.equal(await reads.change('C1', zone, signal), expected)
  })

const hosted = (more: Values = {}, servers?: readonly string[]): Values => ({
  HostedZone: { Name: 'Example.com.', ...more },
  ...(servers && { DelegationSet: { NameServers: servers } }),
})

for (const [what, answer, expected] of [
  [
    'a public one',
    hosted({ Config: { PrivateZone: false } }, ['NS-2.x.', 'ns-1.x']),
    { exists: true, name: 'example.com', isPrivate: false, nameServers: ['ns-1.x', 'ns-2.x'] },
  ],
  ['a private one', hosted({ Config: { PrivateZone: true } }), { exists: true, name: 'example.com', isPrivate: true }],
  ['one of which little is said', { HostedZone: {} }, { exists: true, name: '', isPrivate: false }],
  ['one that is gone', refused('NoSuchHostedZone'), { exists: false }],
] as const)
  test(`of a zone, ${what}, its facts are told`, async () => {
    const { reads } = cloud({ GetHostedZone: answer as Values | Error })
    assert.deepEqual(await reads.zone(zone, signal), expected)
  })

test('a refusal that says nothing of what is asked for is the caller’s', async () => {
  const denied = refused('AccessDenied')
  const { reads } = cloud({ ListResourceRecordSets: denied, GetHostedZone: denied, GetChange: denied })
  await assert.rejects(reads.standing(zone, 'a', signal), AwsError)
  await assert.rejects(reads.zone(zone, signal), AwsError)
  await assert.rejects(reads.change('C1', zone, signal), AwsError)
})
