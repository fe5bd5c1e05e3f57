import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudCertificate } from '../../aws/certificate.ts'
import { certificate, certSpec, nowMs } from '../../testing/cert-seen.fixture.ts'
import { renewalHealth } from './renewal.ts'

const dayMs = 86_400_000
const isLeft = (days: number): number => nowMs + days * dayMs
const unused = { notBeforeMs: nowMs - 170 * dayMs, inUseBy: [] } as const

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
]

for (const [what, seen, told] of rows)
  test(`renewal: ${what}, is ${told} [8.5]`, () => {
    const { status, reason } = renewalHealth(certificate({ ...unused, ...seen, status: 'ISSUED' }), nowMs, certSpec())
    assert.equal(`${status} ${reason}`, told)
  })
