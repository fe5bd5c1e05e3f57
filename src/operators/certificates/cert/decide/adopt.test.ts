// What is said of a certificate that is to be adopted and cannot be what the Cert asks for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  arn,
  certSeen,
  hash,
  issued,
  nowMs,
  pendingArn,
  primary,
  request,
  type SeenOptions,
  settings,
} from '../../testing/cert-seen.fixture.ts'
import { adoptedArn, isCertificateArn, judgeAdoption } from './adopt.ts'
import { sight } from './decide.ts'

const owner = {
  'acm.ops.example.dev/managed-by': 'cert-operator',
  'acm.ops.example.dev/cluster': 'here',
  'acm.ops.example.dev/namespace': 'team',
  'acm.ops.example.dev/name': 'api',
}
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}.example.com`)

for (const [what, more, said] of [
  ['one other name', { names: many(1) }, `is for n0.example.com, the Cert asks for ${primary}`],
  [
    'three other names',
    { names: many(3) },
    `is for n0.example.com, n1.example.com, n2.example.com, the Cert asks for ${primary}`,
  ],
  [
    'four other names',
    { names: many(4) },
    `is for n0.example.com, n1.example.com, n2.example.com and 1 more, the Cert asks for ${primary}`,
  ],
  [
    'five other names',
    { names: many(5) },
    `is for n0.example.com, n1.example.com, n2.example.com and 2 more, the Cert asks for ${primary}`,
  ],
  ['another key', { keyAlgorithm: 'EC_prime256v1' }, 'has another primary name, key algorithm or issuer than the Cert asks for'],
  ['an end', { status: 'EXPIRED' }, 'is EXPIRED'],
  ['nothing but its validation left', { status: 'PENDING_VALIDATION' }, 'the certificate is being adopted'],
  ['an origin elsewhere', { type: 'IMPORTED' }, 'was imported: ACM does not renew it, and requests none like it'],
  ['all that is asked for', {}, 'the certificate is being adopted'],
] as const)
  test(`a certificate with ${what} is told so when it is to be adopted`, () => {
    const seen = sight(certSeen({ given: { kind: 'present', certificate: issued(more as never), tags: owner } })) ?? assert.fail()
    const { message } = judgeAdoption(seen, arn, settings).wait ?? assert.fail()
    assert.equal(message, said.startsWith('the ') ? said : `the certificate that is to be adopted ${said}`)
  })

const judged = (given: SeenOptions['given'] & object, { of = arn, clusterId = 'here' } = {}) =>
  judgeAdoption(sight(certSeen({ given })) ?? assert.fail(), of, { ...settings, clusterId })
const held = (tags: Readonly<Record<string, string>> | undefined, more = {}) =>
  ({ kind: 'present', certificate: issued(more), ...(tags && { tags }) }) as const

test('what is to be adopted and cannot be is waited for, with what a person has to do [7.4 #10, S6]', () => {
  const asksFor =
    'to be adopted the certificate needs the tags acm.ops.example.dev/managed-by=cert-operator, acm.ops.example.dev/cluster=here, acm.ops.example.dev/namespace=team, acm.ops.example.dev/name=api, and no tag acm.ops.example.dev/uid of another object'
  for (const [given, of, reason, message, next] of [
    [{ kind: 'unasked' }, 'arn:x', 'Requesting', 'what is to be adopted is no ARN of a certificate', 'interval'],
    [{ kind: 'unasked' }, arn, 'Requesting', 'the certificate is being looked up', 'at-once'],
    [
      { kind: 'absent', isConfirmed: true },
      arn,
      'CertificateMissing',
      'ACM has no certificate of the ARN that is to be adopted',
      'interval',
    ],
    [held({}), arn, 'Requesting', asksFor, 'interval'],
    [held(undefined), arn, 'Requesting', asksFor, 'interval'],
    [held(owner, { type: 'IMPORTED' }), arn, 'Requesting', /was imported/, 'interval'],
  ] as const) {
    const { row, state, wait, actions, next: then } = judged(given, { of })
    assert.deepEqual([row, state, wait?.reason, actions, then], [10, 'Pending', reason, [], next])
    assert.match(wait?.message ?? '', typeof message === 'string' ? new RegExp(`^${message}$`) : message)
  }
  const { message = '' } = judged(held({}), { clusterId: '' }).wait ?? {}
  assert.equal(message, asksFor.replace('acm.ops.example.dev/cluster=here, ', ''))
})

test('what is adopted is marked as ours, and is on its way until it is seen to be issued [7.4 #10]', () => {
  const { row, state, status, actions, next } = judged(held(owner))
  const requestedAt = new Date(nowMs).toISOString().replace('.000Z', 'Z')
  assert.deepEqual([row, state, actions.map(({ kind }) => kind), next], [10, 'Created', ['act:cloud'], 'at-once'])
  assert.deepEqual(status, {
    certificateArn: arn,
    certReady: false,
    request: { requestedAt, specHash: hash, revision: 1 },
    appliedTags: undefined,
  })
})

test('only for what nothing was ever requested for, one is adopted [7.4 #10]', () => {
  const annotations = { 'acm.ops.example.dev/adopt': arn }
  const of = (status: SeenOptions['status'] & object) => adoptedArn(sight(certSeen({ annotations, status })) ?? assert.fail())
  assert.equal(of({}), arn)
  assert.deepEqual([{ request: request() }, { certificateArn: arn }, { pendingCertificateArn: pendingArn }].map(of), [
    undefined,
    undefined,
    undefined,
  ])
  assert.equal(adoptedArn(sight(certSeen({})) ?? assert.fail()), undefined)
})

test('the ARN of a certificate is known by its form', () => {
  const china = 'arn:aws-cn:acm:cn-north-1:111122223333:certificate/a-b_c'
  const others = [arn.replace('acm', 'iam'), arn.replace('111122223333', '1111'), `${arn}/x`, ` ${arn}`, '']
  assert.deepEqual([arn, china, ...others].map(isCertificateArn), [true, true, false, false, false, false, false])
})
