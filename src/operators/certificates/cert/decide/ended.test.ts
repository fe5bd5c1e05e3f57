// What each failure of ACM means: its reason, a hint for people, and whether time may mend it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import { certificate, nowMs } from '../../testing/cert-seen.fixture.ts'
import { endingOf } from './ended.ts'

const failures: readonly (readonly [failure: string | undefined, reason: string, isReissuable: boolean, hint: RegExp])[] = [
  ['CAA_ERROR', 'CAARestricted', true, /allow one of amazon\.com, amazontrust\.com, awstrust\.com, amazonaws\.com/],
  ['NO_AVAILABLE_CONTACTS', 'IssuanceFailed', true, /NO_AVAILABLE_CONTACTS$/],
  ['ADDITIONAL_VERIFICATION_REQUIRED', 'IssuanceFailed', false, /AWS support must be contacted/],
  ['DOMAIN_NOT_ALLOWED', 'IssuanceFailed', false, /blocked by AWS or a safe-browsing list/],
  ['INVALID_PUBLIC_DOMAIN', 'IssuanceFailed', false, /not under a public suffix/],
  ['DOMAIN_VALIDATION_DENIED', 'IssuanceFailed', false, /DOMAIN_VALIDATION_DENIED$/],
  ['PCA_LIMIT_EXCEEDED', 'IssuanceFailed', true, /PCA_LIMIT_EXCEEDED$/],
  ['PCA_REQUEST_FAILED', 'IssuanceFailed', true, /PCA_REQUEST_FAILED$/],
  ...[
    'PCA_INVALID_ARN',
    'PCA_RESOURCE_NOT_FOUND',
    'PCA_INVALID_ARGS',
    'PCA_INVALID_DURATION',
    'PCA_INVALID_STATE',
    'PCA_ACCESS_DENIED',
    'PCA_NAME_CONSTRAINTS_VALIDATION',
    'SLR_NOT_FOUND',
  ].map(
    failure => [failure, 'IssuanceFailed', false, new RegExp(`${failure}; the private certificate authority refuses`)] as const,
  ),
  ['OTHER', 'IssuanceFailed', true, /OTHER$/],
  ['SOMETHING_NEW', 'IssuanceFailed', true, /SOMETHING_NEW$/],
  ['constructor', 'IssuanceFailed', true, /constructor$/],
  [undefined, 'IssuanceFailed', true, /no reason given$/],
]

for (const [failure, reason, isReissuable, hint] of failures)
  test(`the failure ${failure ?? 'without a reason'} is ${reason}, and time ${isReissuable ? 'may' : 'will not'} mend it [7.5]`, () => {
    const failed = certificate({ status: 'FAILED', ...given({ failureReason: failure }) })
    const ending = endingOf(failed, nowMs)
    assert.deepEqual([ending?.row, ending?.reason, ending?.isReissuable], [27, reason, isReissuable])
    assert.match(ending?.message ?? '', hint)
  })

const endings: readonly (readonly [what: string, seen: Parameters<typeof certificate>[0], told: unknown])[] = [
  ['whose validation took too long', { status: 'VALIDATION_TIMED_OUT' }, [26, 'ValidationTimedOut', true]],
  ['that was revoked', { status: 'REVOKED' }, [28, 'Revoked', false]],
  ['that is inactive', { status: 'INACTIVE' }, [29, 'IssuanceFailed', false]],
  ['that ACM calls expired', { status: 'EXPIRED' }, [33, 'Expired', false]],
  ['that ends now', { status: 'ISSUED', notAfterMs: nowMs }, [33, 'Expired', false]],
  ['that ends in a moment', { status: 'ISSUED', notAfterMs: nowMs + 1 }, undefined],
  ['of which nobody says when it ends', { status: 'ISSUED' }, undefined],
  ['on its way', { status: 'PENDING_VALIDATION' }, undefined],
]

for (const [what, seen, told] of endings)
  test(`a certificate ${what} has ${told === undefined ? 'not ended' : 'ended'} [7.4]`, () => {
    const ending = endingOf(certificate(seen), nowMs)
    assert.deepEqual(ending && [ending.row, ending.reason, ending.isReissuable], told)
  })

test('why a certificate was revoked is told where ACM says it [7.4]', () => {
  assert.equal(endingOf(certificate({ status: 'REVOKED' }), nowMs)?.message, 'the certificate was revoked')
  const seen = certificate({ status: 'REVOKED', revocationReason: 'KEY_COMPROMISE' })
  assert.equal(endingOf(seen, nowMs)?.message, 'the certificate was revoked: KEY_COMPROMISE')
})
