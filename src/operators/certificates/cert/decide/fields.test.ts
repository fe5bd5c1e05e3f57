import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  arn,
  certificate,
  certSeen,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  request,
} from '../../testing/cert-seen.fixture.ts'
import { isBack } from './back.ts'
import { sight } from './decide.ts'
import { ageMs, agoMs, certificateFields, isOfOtherNames, listedArns, nextRequest, targetOf } from './fields.ts'

const sighted = (options: Parameters<typeof certSeen>[0]) => sight(certSeen(options)) ?? assert.fail()

test('what a certificate says of itself stands in the status', () => {
  const second = { updatedMs: nowMs, validations: [] }
  const fields = (more: Parameters<typeof issued>[0]) => certificateFields(issued(more), true)
  assert.deepEqual(fields({ renewal: { status: 'FAILED', reason: 'CAA_ERROR', ...second }, eligibility: 'ELIGIBLE' }), {
    certificateArn: arn,
    certReady: true,
    expirationDate: '2026-12-16T00:00:00Z',
    notBefore: '2026-05-31T23:00:00Z',
    issuedAt: '2026-05-31T23:00:00Z',
    serial: '0a:01',
    inUse: false,
    renewal: { status: 'FAILED', reason: 'CAA_ERROR', eligibility: 'ELIGIBLE', updatedAt: '2026-06-01T00:00:00Z' },
  })
  assert.equal(fields({ inUseBy: ['arn:lb'] }).inUse, true)
  assert.equal(fields({}).renewal, undefined)
  assert.deepEqual(fields({ eligibility: 'INELIGIBLE' }).renewal, { eligibility: 'INELIGIBLE' })
  assert.deepEqual(fields({ renewal: { status: 'SUCCESS', validations: [] } }).renewal, { status: 'SUCCESS' })
  assert.equal(certificateFields(certificate(), false).expirationDate, undefined)
})

test('each request has a number of its own', () => {
  const numberOf = (status: object): number | undefined => nextRequest(sighted({ status })).revision
  assert.deepEqual([numberOf({}), numberOf({ request: request(0, 'x', 7) })], [1, 8])
})

test('the certificates of a status are the current one, the one on its way and those that were replaced', () => {
  const superseded = [{ arn: 'arn:old', supersededAt: '2026-01-01T00:00:00Z', inUse: false }]
  const status = { certificateArn: arn, pendingCertificateArn: pendingArn, supersededCertificates: superseded }
  assert.deepEqual(listedArns({ status }), [arn, pendingArn, 'arn:old'])
  assert.deepEqual(listedArns({ status: { pendingCertificateArn: pendingArn } }), [pendingArn])
  assert.deepEqual(listedArns({}), [])
})

const [first, second] = [present(certificate()), present(certificate({ arn: pendingArn }))]
const targets = [
  ['nothing', {}, { arn: undefined, look: first, isReplacement: false }],
  ['a first one', { certificateArn: arn }, { arn, look: first, isReplacement: false }],
  ['a good one', { certificateArn: arn, certReady: true }, { arn: undefined, look: { kind: 'unasked' }, isReplacement: true }],
  [
    'a good one and another',
    { certificateArn: arn, certReady: true, pendingCertificateArn: pendingArn },
    { arn: pendingArn, look: second, isReplacement: true },
  ],
  ['another one alone', { pendingCertificateArn: pendingArn }, { arn: pendingArn, look: second, isReplacement: true }],
] as const

for (const [what, status, expected] of targets)
  test(`where the status names ${what}, this one is on its way: ${expected.arn ?? 'none'}`, () =>
    assert.deepEqual(targetOf(sighted({ status, current: first, pending: second })), expected))

test('a certificate is as old as ACM says, else as its request', () => {
  const seen = sighted({ status: { request: request(5_000) } })
  assert.equal(ageMs(seen, certificate({ createdMs: nowMs - 7_000 })), 7_000)
  assert.equal(ageMs(seen, certificate({ createdMs: nowMs + 7_000 })), 0)
  assert.equal(ageMs(seen), 5_000)
  assert.equal(ageMs(sighted({ status: {} })), 0)
})

test('a time that lies ahead is as long ago as this process knows it, and else no time [8.1]', () => {
  const ahead = new Date(nowMs + 60_000).toISOString()
  assert.equal(agoMs({ nowMs }, ahead), 0)
  assert.equal(agoMs({ nowMs, aheadMs: new Map([[ahead, 500]]) }, ahead), 500)
  assert.equal(agoMs({ nowMs, aheadMs: new Map([['other', 500]]) }, ahead), 0)
  assert.equal(agoMs({ nowMs, aheadMs: new Map() }, new Date(nowMs - 1).toISOString()), 1)
})

for (const [what, names, isOther] of [
  ['the same names', [primary, 'b.k8s.example.com'], false],
  ['the same in another order, one twice', ['b.k8s.example.com', primary, primary], false],
  ['one name less', [primary], true],
  ['one name more', [primary, 'b.k8s.example.com', 'c.k8s.example.com'], true],
  ['another name', [primary, 'c.k8s.example.com'], true],
] as const)
  test(`a certificate of ${what} is ${isOther ? 'another one' : 'the one that is wanted'} [8.4]`, () => {
    const { wanted } = sighted({ spec: { subjectAlternativeNames: ['b.k8s.example.com'] } })
    assert.equal(isOfOtherNames(wanted, certificate({ names })), isOther)
  })

const serving = { state: 'Created', certificateArn: arn, certReady: true, request: request(0, 'other') }
for (const [what, options, expected] of [
  ['the spec asks again for what serves', { status: serving, current: present(issued()) }, true],
  ['it is looked at for the first time', { status: { ...serving, state: undefined }, current: present(issued()) }, false],
  ['it is Ready', { status: { ...serving, state: 'Ready' }, current: present(issued()) }, false],
  ['nothing serves', { status: { ...serving, certReady: false }, current: present(issued()) }, false],
  ['what serves was not looked at', { status: serving }, false],
  ['what served was revoked', { status: serving, current: present(issued({ status: 'REVOKED' })) }, false],
  ['what is asked for is what is wanted', { status: { ...serving, request: request() }, current: present(issued()) }, false],
  ['what serves is another one', { status: serving, current: present(issued({ names: [primary, 'x.org'] })) }, false],
] as const)
  test(`where ${what}, a replacement is ${expected ? '' : 'not '}given up [8.4]`, () =>
    assert.equal(isBack(sighted(options as never)), expected))
