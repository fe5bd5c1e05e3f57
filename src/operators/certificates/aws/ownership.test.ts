// Whose a certificate is, by its tags.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tags } from '#aws'
import { tagKeys } from '../api/labels.ts'
import { hashOfCertificate, isGivenTo, isHalfOwned, isOwnedBy, ownershipOf, parseCertificate } from './certificate.ts'

const owner = { clusterId: 'here', namespace: 'team', name: 'api', uid: 'u1' }
const ours = {
  [tagKeys.managedBy]: 'cert-operator',
  [tagKeys.cluster]: 'here',
  [tagKeys.namespace]: 'team',
  [tagKeys.name]: 'api',
  [tagKeys.uid]: 'u1',
}
/** As ours, with one tag otherwise; `undefined` for without it. */
const but = (key: keyof typeof tagKeys, value?: string): Tags => {
  const { [tagKeys[key]]: _, ...rest } = ours as Tags
  return value === undefined ? rest : { ...rest, [tagKeys[key]]: value }
}

type Answers = readonly [isOwned: boolean, isHalf: boolean, ownership: string, isGiven: boolean]
const rows: readonly (readonly [what: string, tags: Tags, ...answers: Answers])[] = [
  ['with all marks', ours, true, false, 'ours', true],
  ['without any tag', {}, false, false, 'nobody', false],
  ['without the mark of the operator', but('managedBy'), false, true, 'ours', false],
  ['of another program', but('managedBy', 'other'), false, true, 'ours', false],
  ['of another cluster', but('cluster', 'there'), false, true, 'ours', false],
  ['without a cluster', but('cluster'), false, true, 'ours', false],
  ['of another object', but('uid', 'u2'), false, false, 'another', false],
  ['without a uid', but('uid'), false, true, 'ours', true],
  ['without a uid, of another name', { ...but('uid'), [tagKeys.name]: 'web' }, false, true, 'another', false],
  ['without a uid, of another namespace', { ...but('uid'), [tagKeys.namespace]: 'x' }, false, true, 'another', false],
  ['of another name, with the uid', but('name', 'web'), true, false, 'ours', false],
  ['of another namespace, with the uid', but('namespace', 'x'), true, false, 'ours', false],
  ['without a uid, of another program', { [tagKeys.managedBy]: 'other' }, false, false, 'another', false],
]

for (const [what, tags, ...answers] of rows)
  test(`a certificate ${what} is ${answers[2] === 'nobody' ? "nobody's" : answers[2]} [S6]`, () =>
    assert.deepEqual(
      [isOwnedBy(tags, owner), isHalfOwned(tags, owner), ownershipOf(tags, owner), isGivenTo(tags, owner)],
      answers,
    ))

test('a cluster without a name is told by the absence of its mark', () => {
  assert.equal(isGivenTo(but('cluster'), { ...owner, clusterId: '' }), true)
  assert.equal(isGivenTo(ours, { ...owner, clusterId: '' }), false)
})

test('what ACM leaves out is empty, off or absent', () => {
  assert.deepEqual(parseCertificate({}), {
    arn: '',
    domainName: '',
    names: [''],
    status: '',
    type: '',
    keyAlgorithm: '',
    isExportable: false,
    transparencyLogging: 'Enabled',
    inUseBy: [],
    validations: [],
  })
  const { renewal, validations } = parseCertificate({
    RenewalSummary: {},
    DomainValidationOptions: [{}, { ResourceRecord: {} }],
  })
  assert.deepEqual(renewal, { status: '', validations: [] })
  assert.deepEqual(validations, [{ domain: '' }, { domain: '', record: { name: '', type: 'CNAME', value: '' } }])
})

test('what ACM says is read as it says it', () => {
  const at = new Date('2026-01-02T03:04:05Z')
  const parsed = parseCertificate({
    CertificateArn: 'arn:x',
    DomainName: 'A.example.com',
    SubjectAlternativeNames: ['a.example.com', 'b.example.com'],
    KeyAlgorithm: 'RSA-2048',
    Options: { Export: 'ENABLED', CertificateTransparencyLoggingPreference: 'DISABLED' },
    InUseBy: ['arn:lb'],
    RenewalSummary: { RenewalStatus: 'FAILED', RenewalStatusReason: 'CAA_ERROR', UpdatedAt: at },
    NotAfter: at,
    RenewalEligibility: 'INELIGIBLE',
    DomainValidationOptions: [
      {
        DomainName: 'a.example.com',
        ValidationStatus: 'SUCCESS',
        ResourceRecord: { Name: '_1.a.example.com.', Type: 'CNAME', Value: '_2.acm-validations.aws.' },
      },
    ],
  })
  assert.deepEqual(
    { ...parsed, status: 'left out', type: 'left out' },
    {
      arn: 'arn:x',
      domainName: 'a.example.com',
      names: ['a.example.com', 'b.example.com'],
      status: 'left out',
      type: 'left out',
      keyAlgorithm: 'RSA_2048',
      isExportable: true,
      transparencyLogging: 'Disabled',
      inUseBy: ['arn:lb'],
      renewal: { status: 'FAILED', reason: 'CAA_ERROR', updatedMs: at.getTime(), validations: [] },
      notAfterMs: at.getTime(),
      eligibility: 'INELIGIBLE',
      validations: [
        {
          domain: 'a.example.com',
          status: 'SUCCESS',
          record: { name: '_1.a.example.com', type: 'CNAME', value: '_2.acm-validations.aws.' },
        },
      ],
    },
  )
})

test('a private certificate is known by its authority, and that it can be exported makes it no other one', () => {
  const base = parseCertificate({ DomainName: 'a.example.com', KeyAlgorithm: 'RSA_2048' })
  const hashes = (more: object): string => hashOfCertificate({ ...base, ...more })
  const inPrivate = { type: 'PRIVATE', authorityArn: 'arn:ca' }
  assert.equal(hashes({ ...inPrivate, isExportable: true }), hashes(inPrivate))
  assert.notEqual(hashes({ ...inPrivate, authorityArn: 'arn:other' }), hashes(inPrivate))
  assert.notEqual(hashes(inPrivate), hashes({}))
  assert.notEqual(hashes({ isExportable: true }), hashes({}))
  assert.equal(hashes({ authorityArn: 'arn:ca' }), hashes({}))
})
