import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateOf } from './templates.ts'
import { type Validity, validityOf } from './validity.ts'

const now = Date.UTC(2026, 0, 31, 12, 0, 0, 500)
const iso = (instant: number): string => new Date(instant).toISOString()
const until = (Type: Validity['Type'], Value: number): string => {
  try {
    return iso(validityOf({ Validity: { Type, Value } }, now).validUntil)
  } catch (error) {
    return (error as Error).message
  }
}
const noDate = 'The end of the validity is no date.'

for (const [type, value, end] of [
  ['ABSOLUTE', 1_767_225_600, '2026-01-01T00:00:00.000Z'],
  ['DAYS', 1, '2026-02-01T12:00:00.000Z'],
  ['DAYS', 30, '2026-03-02T12:00:00.000Z'],
  ['MONTHS', 2, '2026-03-31T12:00:00.000Z'],
  ['MONTHS', 12, '2027-01-31T12:00:00.000Z'],
  ['YEARS', 2, '2028-01-31T12:00:00.000Z'],
  ['YEARS', 7_973, '9999-01-31T12:00:00.000Z'],
  ['YEARS', 7_974, noDate],
  ['END_DATE', 270203040506, '2027-02-03T04:05:06.000Z'],
  ['END_DATE', 491231235959, '2049-12-31T23:59:59.000Z'],
  ['END_DATE', 500101000000, '1950-01-01T00:00:00.000Z'],
  ['END_DATE', 10203040506, '2001-02-03T04:05:06.000Z'],
  ['END_DATE', 20500203040506, '2050-02-03T04:05:06.000Z'],
  ['END_DATE', 99991231235959, '9999-12-31T23:59:59.000Z'],
  ['END_DATE', 205002030405061, noDate],
  ['END_DATE', 2050020304050, noDate],
] as const) {
  test(`a certificate that is asked for with ${type} ${value} ends ${end}`, () => assert.equal(until(type, value), end))
}

test('a certificate begins an hour ago, or at the second that is said', () => {
  const end: Validity = { Type: 'DAYS', Value: 1 }
  assert.equal(iso(validityOf({ Validity: end }, now).validFrom), '2026-01-31T11:00:00.000Z')
  const start: Validity = { Type: 'ABSOLUTE', Value: 1_767_225_600 }
  assert.equal(iso(validityOf({ Validity: end, ValidityNotBefore: start }, now).validFrom), '2026-01-01T00:00:00.000Z')
  assert.throws(() => validityOf({ Validity: end, ValidityNotBefore: { Type: 'DAYS', Value: 1 } }, now), {
    code: 'InvalidArgsException',
    message: 'ValidityNotBefore is of type ABSOLUTE.',
  })
})

test('a template is known by its ARN, and is that of end entities where none is given', () => {
  const named = (name: string): unknown => templateOf(`arn:aws:acm-pca:::template/${name}/V1`)
  assert.deepEqual(templateOf(undefined), { usage: 'server-and-client', isRoot: false })
  assert.deepEqual(named('EndEntityCertificate'), { usage: 'server-and-client', isRoot: false })
  assert.deepEqual(named('EndEntityServerAuthCertificate'), { usage: 'server', isRoot: false })
  assert.deepEqual(named('EndEntityClientAuthCertificate'), { usage: 'client', isRoot: false })
  assert.deepEqual(named('RootCACertificate'), { usage: 'ca', isRoot: true })
  for (const pathLength of [0, 1, 2, 3])
    assert.deepEqual(named(`SubordinateCACertificate_PathLen${pathLength}`), { usage: 'ca', isRoot: false, pathLength })
  for (const arn of ['', 'RootCACertificate/V1', 'arn:aws:acm-pca:::template/None/V1', 'arn:aws:acm-pca:::template/constructor'])
    assert.equal(templateOf(arn), undefined, arn)
})
