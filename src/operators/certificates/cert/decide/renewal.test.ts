import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudCertificate } from '../../aws/certificate.ts'
import { certificate, certSpec, nowMs } from '../../testing/cert-seen.fixture.ts'
import { isRenewalPending, renewalHealth } from './renewal.ts'

const dayMs = 86_400_000
const isLeft = (days: number): number => nowMs + days * dayMs
const unused = { notBeforeMs: nowMs - 170 * dayMs, inUseBy: [] } as const

const renewal = (status: string, days?: number): NonNullable<CloudCertificate['renewal']> => ({
  status,
  validations: [],
  ...(days === undefined ? {} : { updatedMs: nowMs - days * dayMs }),
})

const rows: readonly (readonly [what: string, seen: Partial<CloudCertificate>, told: string])[] = [
  [
    'nobody uses it, and ACM says that it will not renew it',
    { notAfterMs: isLeft(28), eligibility: 'INELIGIBLE' },
    'False NotInUse',
  ],
  ['nobody uses it, and ACM would renew it: it was exported', { notAfterMs: isLeft(28), eligibility: 'ELIGIBLE' }, 'True NotDue'],
  ['nobody uses it, and ACM does not say whether it would renew it', { notAfterMs: isLeft(28) }, 'True NotDue'],
  ['the same, at its end', { notAfterMs: isLeft(14) }, 'False Overdue'],
  ['there is a day more than the alert asks for', { notAfterMs: isLeft(31), eligibility: 'INELIGIBLE' }, 'True NotDue'],
  ['just as many days as the alert asks for', { notAfterMs: isLeft(30), eligibility: 'INELIGIBLE' }, 'False NotInUse'],
  ['it is used', { notAfterMs: isLeft(28), eligibility: 'INELIGIBLE', inUseBy: ['arn:lb'] }, 'True NotDue'],
  ['a minute more than fourteen days', { notAfterMs: isLeft(14) + 60_000 }, 'True NotDue'],
  ['a short life, a tenth of it left', { notBeforeMs: isLeft(-9), notAfterMs: isLeft(1) }, 'False Overdue'],
  ['a short life, more than a tenth of it left', { notBeforeMs: isLeft(-9), notAfterMs: isLeft(1.2) }, 'True NotDue'],
  ['nobody says since when it is good', { notAfterMs: isLeft(13), notBeforeMs: undefined as never }, 'False Overdue'],
  ['nobody says when it ends', {}, 'True NotDue'],
  ['near its end, just renewed', { notAfterMs: isLeft(3), renewal: renewal('SUCCESS') }, 'True Renewed'],
  ['near its end, being renewed', { notAfterMs: isLeft(3), renewal: renewal('PENDING_AUTO_RENEWAL') }, 'False Overdue'],
  [
    'far from its end, being renewed',
    { notAfterMs: isLeft(40), renewal: renewal('PENDING_AUTO_RENEWAL') },
    'True PendingAutoRenewal',
  ],
  ['the renewal failed', { notAfterMs: isLeft(40), renewal: renewal('FAILED') }, 'False RenewalFailed'],
  ['records are missing for a day', { renewal: renewal('PENDING_VALIDATION', 1) }, 'True PendingAutoRenewal'],
  [
    'records are missing for a moment longer',
    { renewal: renewal('PENDING_VALIDATION', 1 + 1 / dayMs) },
    'False PendingValidation',
  ],
  ['records are missing for longer', { renewal: renewal('PENDING_VALIDATION', 1.01) }, 'False PendingValidation'],
  ['records are missing since nobody knows when', { renewal: renewal('PENDING_VALIDATION') }, 'True PendingAutoRenewal'],
]

for (const [what, seen, told] of rows)
  test(`renewal: ${what}, is ${told} [8.5]`, () => {
    const { status, reason } = renewalHealth(certificate({ ...unused, ...seen, status: 'ISSUED' }), nowMs, certSpec())
    assert.equal(`${status} ${reason}`, told)
  })

test('renewal: the alert begins as early as the spec asks for [8.5]', () => {
  const seen = certificate({ ...unused, notAfterMs: isLeft(50), eligibility: 'INELIGIBLE' })
  const reasonWith = (alertBeforeDays: number): string =>
    renewalHealth(seen, nowMs, certSpec({ renewal: { alertBeforeDays } })).reason
  assert.deepEqual([49, 50].map(reasonWith), ['NotDue', 'NotInUse'])
})

test('renewal: why it failed is told where ACM says it [8.5]', () => {
  const told = (reason?: string): string =>
    renewalHealth(certificate({ renewal: { status: 'FAILED', validations: [], ...(reason && { reason }) } }), nowMs, certSpec())
      .message
  assert.equal(told(), 'ACM could not renew the certificate')
  assert.equal(told('CAA_ERROR'), 'ACM could not renew the certificate: CAA_ERROR')
})

test('renewal: it is on its way while ACM validates or renews [8.5]', () => {
  const isPending = (status?: string): boolean =>
    isRenewalPending(certificate(status === undefined ? {} : { renewal: renewal(status) }))
  assert.deepEqual(['PENDING_VALIDATION', 'PENDING_AUTO_RENEWAL', 'SUCCESS', 'FAILED', undefined].map(isPending), [
    true,
    true,
    false,
    false,
    false,
  ])
})
