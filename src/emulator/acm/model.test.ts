import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AcmCertificate,
  baseDomain,
  caaAllowsAmazon,
  describedAlgorithm,
  isInUse,
  isPublicDomain,
  isTerminal,
  normalisedNames,
  type Use,
  usersShown,
  validationRecord,
} from './model.ts'

const caa: readonly (readonly [values: readonly string[], plain: boolean, wildcard: boolean])[] = [
  [[], true, true],
  [['0 iodef "mailto:a@example.com"'], true, true],
  [['0 issue "amazon.com"'], true, true],
  [['0 issue "amazontrust.com"'], true, true],
  [['0 issue "awstrust.com"'], true, true],
  [['0 issue "amazonaws.com"'], true, true],
  [['0 ISSUE " amazon.com ; policy=x"'], true, true],
  [['0 issue "other.com"'], false, false],
  [['0 issue ";"'], false, false],
  [['0 issue "other.com"', '0 issue "amazon.com"'], true, true],
  [['0 issue "amazon.com"', '0 issuewild "other.com"'], true, false],
  [['0 issue "other.com"', '0 issuewild "amazon.com"'], false, true],
  [['0 issuewild "other.com"'], true, false],
  [['0 issue "sub.amazon.com"'], false, false],
]
for (const [values, plain, wildcard] of caa) {
  test(`CAA ${values.join(', ') || 'of nothing'}: ${plain} for names, ${wildcard} for wildcards`, () => {
    assert.deepEqual([caaAllowsAmazon(values, false), caaAllowsAmazon(values, true)], [plain, wildcard])
  })
}

test('a public authority issues for names of two labels or more below a public suffix', () => {
  for (const name of ['example.com', '*.example.com', 'a.b.example.com', 'local.example.com'])
    assert.equal(isPublicDomain(name), true, name)
  for (const name of ['com', '*.com', 'localhost', 'a.local', 'a.internal', 'a.example', 'a.test', 'a.corp'])
    assert.equal(isPublicDomain(name), false, name)
})

test('names are in lower case, without a last dot, each once, and the first stays first', () => {
  assert.deepEqual(normalisedNames('B.example.com.', ['a.example.com', 'b.EXAMPLE.com', '*.a.example.com']), [
    'b.example.com',
    'a.example.com',
    '*.a.example.com',
  ])
  assert.deepEqual([baseDomain('*.a.b'), baseDomain('a.b'), baseDomain('a.*.b')], ['a.b', 'a.b', 'a.*.b'])
})

test('an account has one record for a domain and its wildcard, and another account another', () => {
  const record = validationRecord('123456789012', 'example.com')
  assert.match(record.Name, /^_[0-9a-f]{32}\.example\.com\.$/)
  assert.match(record.Value, /^_[0-9a-f]{32}\.[a-p]{10}\.acm-validations\.aws\.$/)
  assert.deepEqual(validationRecord('123456789012', '*.example.com'), record)
  assert.notEqual(validationRecord('210987654321', 'example.com').Name, record.Name)
  assert.notEqual(validationRecord('123456789012', 'a.example.com').Value, record.Value)
})

test('who uses a certificate is shown late on both sides, and holds it from the first moment to the last', () => {
  const uses: readonly Use[] = [
    { consumer: 'a', shownMs: 10 },
    { consumer: 'b', shownMs: 20, forgottenMs: 30 },
  ]
  const shown = (now: number): string => usersShown({ uses } as AcmCertificate, now).join('')
  assert.deepEqual([9, 10, 19, 20, 29, 30].map(shown), ['', 'a', 'a', 'ab', 'ab', 'a'])
  const held = (given: readonly Use[], now: number): boolean => isInUse({ uses: given } as AcmCertificate, now)
  assert.deepEqual(
    [held(uses, 0), held(uses.slice(1), 0), held(uses.slice(1), 29), held(uses.slice(1), 30), held([], 0)],
    [true, true, true, false, false],
  )
})

test('some states are the end, and RSA is described with a hyphen', () => {
  for (const status of ['EXPIRED', 'VALIDATION_TIMED_OUT', 'REVOKED', 'FAILED'] as const)
    assert.equal(isTerminal(status), true, status)
  for (const status of ['PENDING_VALIDATION', 'ISSUED'] as const) assert.equal(isTerminal(status), false, status)
  assert.deepEqual(['RSA_2048', 'EC_prime256v1'].map(describedAlgorithm), ['RSA-2048', 'EC_prime256v1'])
})
