import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arn, certSeen, issued, nowMs, pendingArn, present, request } from '../../testing/cert-seen.fixture.ts'
import { isAnswered } from './back.ts'
import { sight } from './decide.ts'

const minute = 60_000
const status = { state: 'Pending', certificateArn: arn, certReady: true, request: request(10 * minute) } as const
const made = (ageMs: number) => present(issued({ createdMs: nowMs - ageMs }))

for (const [what, change, current, answered] of [
  ['was made after it', {}, made(9 * minute), true],
  ['was made five minutes before it', {}, made(15 * minute), true],
  ['was made more than five minutes before it', {}, made(15 * minute + 1_000), false],
  ['is not issued', {}, present(issued({ status: 'EXPIRED' })), false],
  ['is not there', {}, { kind: 'absent', isConfirmed: true }, false],
  ['was made after one for another spec', { request: request(10 * minute, 'other') }, made(9 * minute), false],
  ['was made after it, while another one is on its way', { pendingCertificateArn: pendingArn }, made(9 * minute), false],
  ['was made after it, and nothing is asked for', { state: 'Ready' }, made(9 * minute), false],
] as const)
  test(`a request is ${answered ? '' : 'not '}answered by a certificate that ${what} [7.4 #9]`, () => {
    const seen = sight(certSeen({ status: { ...status, ...change }, current: current as never })) ?? assert.fail()
    assert.equal(isAnswered(seen), answered)
  })
