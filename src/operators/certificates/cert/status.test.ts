// What the status says after a pass, by what was decided.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../api/labels.ts'
import { arn, certSeen, nowMs, primary, type SeenOptions, zone } from '../testing/cert-seen.fixture.ts'
import { sight } from './decide/decide.ts'
import { failed, type StatusChange, type Verdict, verdict, waits } from './decide/verdict.ts'
import { nextFailure, statusAfter } from './status.ts'

const after = (options: SeenOptions, judged: Verdict): StatusChange =>
  statusAfter(sight(certSeen(options)) ?? assert.fail(), judged)

const refused = { reason: 'AccessDenied', message: 'refused' } as const
const waiting = { reason: 'WaitingForDNS', message: 'waiting' } as const

for (const [what, judged, message] of [
  ['is issued', verdict(30, 'Ready'), 'the certificate is issued'],
  ['is on its way', verdict(18, 'Created'), ''],
  ['waits', waits(18, 'Created', waiting), 'waiting'],
  ['failed', failed(27, { reason: 'Revoked', message: 'revoked' }), 'revoked'],
  ['failed and waits', failed(27, { reason: 'Revoked', message: 'revoked' }, { wait: waiting }), 'revoked'],
  ['is held up while it serves', verdict(30, 'Ready', { heldUp: refused }), 'refused'],
  [
    'cannot go and is held up',
    verdict(2, 'Ready', { heldUp: refused, blocked: { reason: 'CertificateInUse', message: 'in use' } }),
    'in use',
  ],
] satisfies readonly (readonly [string, Verdict, string])[])
  test(`the message of a Cert that ${what} is: ${message || 'nothing'} [6.2]`, () =>
    assert.equal(after({}, judged).message, message))

test('a message in a status has at most 1024 characters [6.2]', () => {
  const messageOf = (length: number): string =>
    String(after({}, failed(27, { reason: 'Revoked', message: 'x'.repeat(length) })).message)
  assert.deepEqual([messageOf(1_024).length, messageOf(1_025).length], [1_024, 1_024])
  assert.notEqual(messageOf(1_025), messageOf(1_024))
})

for (const [what, status, serves] of [
  ['says that it serves, with an ARN', { certReady: true, certificateArn: arn }, true],
  ['says that it serves, without an ARN', { certReady: true }, false],
  ['has an ARN that does not serve', { certReady: false, certificateArn: arn }, false],
  ['has an ARN alone', { certificateArn: arn }, false],
] as const)
  test(`a status that ${what} says so of a certificate that ${serves ? 'serves' : 'does not serve'} [6.2]`, () =>
    assert.equal(after({ status }, verdict(18, 'Created')).certReady, serves))

test('the zones of all names are told, and that of the first one apart [6.2]', () => {
  const other = { name: 'other.dev', id: 'Z2' }
  const zones = [zone, other]
  const { resolvedZone, resolvedZones, domainName } = after(
    { zones, spec: { subjectAlternativeNames: ['a.other.dev', 'b.nowhere.org'] } },
    verdict(18, 'Created'),
  )
  assert.deepEqual([resolvedZone, domainName], [{ id: zone.id, name: zone.name }, primary])
  assert.deepEqual(resolvedZones, [
    { domain: primary, id: zone.id, name: zone.name },
    { domain: 'a.other.dev', id: 'Z2', name: 'other.dev' },
  ])
  const nowhere = after({ zones: [], spec: { domainName: 'a.nowhere.org' } }, verdict(7, 'Failed'))
  assert.deepEqual([nowhere.resolvedZone, nowhere.resolvedZones], [undefined, undefined])
})

for (const [what, state, answered, expected] of [
  ['that nobody gave', 'Created', { renew: 'x' }, undefined],
  ['of a Cert that has not failed', 'Created', { renew: 'x' }, { renew: 'x', retry: 'again' }],
  ['of a Cert that failed', 'Failed', {}, undefined],
  ['that was answered', 'Created', { retry: 'again' }, undefined],
  ['after one that was answered', 'Created', { retry: 'before' }, { retry: 'again' }],
] as const)
  test(`a word ${what} is ${expected === undefined ? 'not ' : ''}noted as answered [7.4 #38]`, () => {
    const given = what === 'that nobody gave' ? {} : { [annotations.retry]: 'again' }
    const said = after({ annotations: given, status: { state, answered } }, verdict(18, state))
    assert.deepEqual(said.answered, expected)
  })

const last = { reason: 'Revoked', message: 'before', time: '2026-05-01T00:00:00Z', count: 4 }
const now = new Date(nowMs).toISOString().replace('.000Z', 'Z')

for (const [row, expected] of [
  [41, last],
  [4, last],
  [27, { reason: 'Revoked', message: 'again', time: now, count: 5 }],
] as const)
  test(`a failure that is looked at by row ${row} ${expected === last ? 'keeps its time' : 'is another one'} [7.4 #41]`, () => {
    const judged = failed(row, { reason: 'Revoked', message: 'again' })
    assert.deepEqual(after({ status: { state: 'Failed', lastFailure: last } }, judged).lastFailure, expected)
  })

test('a failure that is looked at and was not written down is the first one [7.4 #41]', () => {
  assert.equal(after({ status: { state: 'Failed' } }, failed(41, { reason: 'Revoked', message: 'again' })).lastFailure?.count, 1)
  assert.equal('lastFailure' in after({}, verdict(18, 'Created')), false)
})

test('each failure is counted, and who refused is told where it was not AWS [7.6]', () => {
  const failure = { reason: 'IssuanceFailed', message: 'no', refusedBy: 'CertPolicy' } as const
  const told = nextFailure({ lastFailure: last }, failure, { nowMs, isSame: false })
  assert.deepEqual(told, { reason: 'IssuanceFailed', message: 'no', time: now, count: 5, refusedBy: 'CertPolicy' })
  assert.equal(nextFailure(undefined, failure, { nowMs, isSame: true }).count, 1)
})
