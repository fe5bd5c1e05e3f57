// What is sent to AWS, whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertSpec } from '../../api.ts'
import { arn, certSeen, primary, recordSeen, request, zone } from '../../testing/cert-seen.fixture.ts'
import {
  certificateCall,
  deleteCertificateCall,
  deleteRecordCall,
  ownerTags,
  requestCall,
  tagList,
  upsertCalls,
} from './calls.ts'
import { sight } from './decide.ts'

function asked(spec: Partial<CertSpec>) {
  const seen = sight(certSeen({ spec, status: { state: 'Pending', request: request() } })) ?? assert.fail()
  const { summary, input } = requestCall(seen, request(), 'here')
  const { IdempotencyToken, Tags, ...rest } = input
  const marks = ownerTags(seen.claim, 'here', 1)
  assert.deepEqual(Tags, tagList({ ...seen.claim.spec.tags, ...marks }))
  assert.match(String(IdempotencyToken), /^\w{32}$/)
  return { summary, input: rest }
}

const ofOne = { DomainName: primary, KeyAlgorithm: 'RSA_2048' }
const logged = { CertificateTransparencyLoggingPreference: 'ENABLED' }
const [b, c] = ['b.k8s.example.com', 'c.k8s.example.com']

for (const [what, spec, input, more] of [
  ['one name', {}, { ...ofOne, ValidationMethod: 'DNS', Options: logged }, ''],
  [
    'three names',
    { subjectAlternativeNames: [b, c] },
    { ...ofOne, SubjectAlternativeNames: [b, c], ValidationMethod: 'DNS', Options: logged },
    ' and 2 more',
  ],
  [
    'two names',
    { subjectAlternativeNames: [b], tags: { a: '1' } },
    { ...ofOne, SubjectAlternativeNames: [b], ValidationMethod: 'DNS', Options: logged },
    ' and 1 more',
  ],
  [
    'one name that is not to be logged, whose key is to be exported',
    { transparencyLogging: 'Disabled', export: { secretName: 'tls' } },
    {
      ...ofOne,
      ValidationMethod: 'DNS',
      Options: { CertificateTransparencyLoggingPreference: 'DISABLED', Export: 'ENABLED' },
    },
    '',
  ],
  [
    'one name of a private authority',
    { issuer: { type: 'PrivateCA', certificateAuthorityArn: 'arn:ca' } },
    { ...ofOne, CertificateAuthorityArn: 'arn:ca' },
    '',
  ],
] satisfies readonly (readonly [string, Partial<CertSpec>, object, string])[])
  test(`a certificate for ${what} is asked for so [8.1]`, () => {
    assert.deepEqual(asked(spec), { summary: `acm RequestCertificate ${primary}${more}`, input })
  })

test('records are written in batches that Route 53 takes, of each zone apart and each once [8.1]', () => {
  const other = { name: 'other.dev', id: 'Z2' }
  const many = Array.from({ length: 401 }, (_, index) => recordSeen({ name: `_${index}` }))
  const calls = upsertCalls([...many, recordSeen({ name: '_0' }), recordSeen({ name: '_0', zone: other })])
  const sizes = calls.map(({ input, summary, zone: of }) => {
    const { Changes } = input.ChangeBatch as { readonly Changes: readonly unknown[] }
    return [input.HostedZoneId, of?.id, Changes.length, summary.replace(/^.*UPSERT /, '')]
  })
  assert.deepEqual(sizes, [
    ['Z1', 'Z1', 400, `400 in ${zone.name}`],
    ['Z1', 'Z1', 1, `1 in ${zone.name}`],
    ['Z2', 'Z2', 1, '1 in other.dev'],
  ])
})

test('a record is written as ACM wants it, for five minutes [8.1]', () => {
  const [call] = upsertCalls([recordSeen()])
  const { name, value } = recordSeen()
  assert.deepEqual(call?.input.ChangeBatch, {
    Changes: [
      { Action: 'UPSERT', ResourceRecordSet: { Name: name, Type: 'CNAME', TTL: 300, ResourceRecords: [{ Value: value }] } },
    ],
  })
})

const claim = certSeen().claim ?? assert.fail()

test('the marks of a certificate say whose it is, and by which request [8.1]', () => {
  const prefix = 'acm.ops.example.dev'
  assert.deepEqual(ownerTags(claim, 'here', 7), {
    [`${prefix}/managed-by`]: 'cert-operator',
    [`${prefix}/cluster`]: 'here',
    [`${prefix}/namespace`]: 'team',
    [`${prefix}/name`]: 'api',
    [`${prefix}/uid`]: 'uid-1',
    [`${prefix}/revision`]: '7',
  })
})

test('what cannot be taken back is marked as such, and a call is told by the last part of the ARN [8.6, 8.7]', () => {
  const standing = { kind: 'present', type: 'CNAME', values: ['v'], ttl: 60 } as const
  const calls = [deleteCertificateCall(claim, 'here', arn), deleteRecordCall(zone, '_1', standing), certificateCall('renew', arn)]
  assert.deepEqual(
    calls.map(({ summary, destructive }) => [summary, destructive]),
    [
      ['acm DeleteCertificate …/current', true],
      ['route53 ChangeResourceRecordSets DELETE _1', true],
      ['acm RenewCertificate …/current', undefined],
    ],
  )
})
