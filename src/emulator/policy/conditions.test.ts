import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionHolds, describeCondition, isKnownOperator, lookupIn } from './conditions.ts'
import { readPolicy } from './document.ts'

/** Whether a condition of one operator on the key `k` holds; `undefined` for a request without the key. */
function holds(
  operator: string,
  wanted: unknown,
  given: string | readonly string[] | undefined,
  more: readonly [string, string][] = [],
): boolean {
  const statement = { Effect: 'Allow', Action: '*', Resource: '*', Condition: { [operator]: { K: wanted } } }
  const [condition] = readPolicy(JSON.stringify({ Version: '2012-10-17', Statement: statement }))?.statements[0]?.conditions ?? []
  assert.ok(condition)
  const keys = new Map<string, readonly string[]>(more.map(([key, value]) => [key, [value]]))
  if (given !== undefined) keys.set('k', [given].flat())
  return conditionHolds(condition, keys)
}

type Row = readonly [operator: string, wanted: unknown, yes: readonly string[], no: readonly string[]]
const rows: readonly Row[] = [
  ['StringEquals', 'a*', ['a*'], ['A*', 'ab', '']],
  ['StringNotEquals', 'a', ['A', 'b'], ['a']],
  ['StringEqualsIgnoreCase', 'aB', ['Ab', 'aB'], ['a']],
  ['StringNotEqualsIgnoreCase', 'aB', ['a'], ['Ab']],
  ['StringLike', 'a*?', ['ab', 'abc'], ['a', 'ba', 'Ab']],
  ['StringNotLike', 'a*', ['b'], ['a', 'ab']],
  ['ArnEquals', 'arn:aws:s3:::b/*', ['arn:aws:s3:::b/x'], ['arn:aws:s3:::c/x', 'b/x']],
  ['ArnLike', 'arn:*:s3:::b?', ['arn:aws:s3:::bb'], ['arn:aws:s3:::b']],
  ['ArnNotEquals', 'arn:aws:s3:::b', ['arn:aws:s3:::c'], ['arn:aws:s3:::b']],
  ['ArnNotLike', 'arn:aws:s3:::b*', ['arn:aws:s3:::c'], ['arn:aws:s3:::bb']],
  ['Bool', 'true', ['true', 'TRUE'], ['false']],
  ['BinaryEquals', 'QQ==', ['QQ=='], ['qq==']],
  ['NumericEquals', '10', ['10', '10.0', '1e1', '+10'], ['11', 'x', '']],
  ['NumericNotEquals', '10', ['11'], ['10.0']],
  ['NumericLessThan', '10', ['9.9', '-1'], ['10', '11', 'x']],
  ['NumericLessThanEquals', '10', ['10', '9'], ['10.1']],
  ['NumericGreaterThan', '10', ['10.1'], ['10', '9']],
  ['NumericGreaterThanEquals', '10', ['10', '11'], ['9.9']],
  ['NumericEquals', 'x', [], ['x', '1']],
  ['DateEquals', '2026-01-01T00:00:00Z', ['1767225600', '2026-01-01', '2026-01-01T01:00:00+01:00'], ['1767225601', 'x']],
  ['DateNotEquals', '2026-01-01', ['1767225601'], ['1767225600']],
  ['DateLessThan', '2026-01-01', ['1767225599'], ['1767225600']],
  ['DateLessThanEquals', '2026-01-01', ['1767225600'], ['1767225601']],
  ['DateGreaterThan', '2026-01-01', ['1767225601'], ['1767225600']],
  ['DateGreaterThanEquals', '2026-01-01', ['1767225600'], ['1767225599']],
  ['DateEquals', 'x', [], ['x', '1767225600']],
  ['IpAddress', '10.0.0.0/8', ['10.1.2.3'], ['11.0.0.1', 'x']],
  ['NotIpAddress', '10.0.0.0/8', ['11.0.0.1'], ['10.1.2.3']],
  ['StringEquals', ['a', 'b'], ['a', 'b'], ['c']],
  ['StringNotEquals', ['a', 'b'], ['c'], ['a', 'b']],
  ['StringIs', 'a', [], ['a', 'b']],
  ['NumericEquals', 10, ['10'], ['11']],
  ['Bool', true, ['true'], ['false']],
]
for (const [operator, wanted, yes, no] of rows) {
  test(`${operator} ${JSON.stringify(wanted)}: not ${no.join(' ') || 'for nothing'}`, () => {
    for (const given of yes) assert.equal(holds(operator, wanted, given), true, given)
    for (const given of no) assert.equal(holds(operator, wanted, given), false, given)
  })
}

const several: readonly (readonly [operator: string, wanted: unknown, given: readonly string[], expected: boolean])[] = [
  ['StringEquals', 'a', ['a', 'b'], true],
  ['StringEquals', 'a', ['b', 'c'], false],
  ['StringNotEquals', 'a', ['a', 'b'], false],
  ['StringNotEquals', 'a', ['b', 'c'], true],
  ['ForAllValues:StringEquals', ['a', 'b'], ['a', 'b'], true],
  ['ForAllValues:StringEquals', ['a', 'b'], ['a', 'c'], false],
  ['ForAllValues:StringNotEquals', 'a', ['b', 'c'], true],
  ['ForAllValues:StringNotEquals', 'a', ['a', 'c'], false],
  ['ForAnyValue:StringEquals', ['a', 'b'], ['c', 'b'], true],
  ['ForAnyValue:StringEquals', ['a', 'b'], ['c', 'd'], false],
  ['ForAnyValue:StringNotEquals', 'a', ['a', 'b'], true],
  ['ForAnyValue:StringNotEquals', 'a', ['a'], false],
  ['foranyvalue:stringequals', 'a', ['a'], true],
  ['forallvalues:stringequals', 'a', ['a', 'b'], false],
]
for (const [operator, wanted, given, expected] of several) {
  test(`${operator} ${JSON.stringify(wanted)} of ${given.join(' and ')}: ${expected}`, () => {
    assert.equal(holds(operator, wanted, given), expected)
  })
}

test('without its key a condition holds when it is negated, of all values, or said to be optional', () => {
  for (const [operator, expected] of [
    ['StringEquals', false],
    ['StringNotEquals', true],
    ['StringEqualsIfExists', true],
    ['StringNotEqualsIfExists', true],
    ['ForAllValues:StringEquals', true],
    ['ForAnyValue:StringEquals', false],
    ['ForAnyValue:StringNotEquals', false],
    ['ForAnyValue:StringEqualsIfExists', true],
    ['StringIs', false],
    ['StringIsIfExists', false],
  ] as const)
    assert.equal(holds(operator, 'a', undefined), expected, operator)
  assert.equal(holds('StringEqualsIfExists', 'a', 'b'), false)
})

test('Null asks whether the key is there', () => {
  for (const [wanted, given, expected] of [
    ['true', undefined, true],
    ['true', 'a', false],
    ['false', 'a', true],
    ['FALSE', 'a', true],
    ['false', undefined, false],
    [['true', 'false'], 'a', true],
  ] as const)
    assert.equal(holds('Null', wanted, given), expected, JSON.stringify([wanted, given]))
})

test('a variable is the one value of its key, and a condition with a variable of no value does not hold', () => {
  assert.equal(holds('StringEquals', '${aws:x}', 'a', [['aws:x', 'a']]), true)
  assert.equal(holds('StringEquals', '${aws:x}', 'a'), false)
  assert.equal(holds('StringEquals', "${aws:x, 'a'}", 'a'), true)
  assert.equal(holds('NumericEquals', '${aws:x}', '1', [['aws:x', '1.0']]), true)
  const lookup = lookupIn(
    new Map([
      ['one', ['1']],
      ['two', ['1', '2']],
    ]),
  )
  assert.deepEqual([lookup('ONE'), lookup('two'), lookup('none')], ['1', undefined, undefined])
})

test('an operator is known in whatever case', () => {
  for (const name of ['StringEquals', 'stringequals', 'Null', 'NULL']) assert.equal(isKnownOperator(name), true, name)
  for (const name of ['StringIs', '', 'constructor']) assert.equal(isKnownOperator(name), false, name)
})

test('a condition that failed is told with what was wanted and what was there', () => {
  const statement = { Effect: 'Allow', Action: '*', Resource: '*', Condition: { StringEquals: { 'aws:x': ['a', 'b'] } } }
  const [condition] = readPolicy(JSON.stringify({ Statement: statement }))?.statements[0]?.conditions ?? []
  assert.ok(condition)
  assert.equal(
    describeCondition(condition, new Map([['aws:x', ['c', 'd']]])),
    'StringEquals on aws:x wants [a, b], the request has [c, d]',
  )
  assert.equal(describeCondition(condition, new Map()), 'StringEquals on aws:x wants [a, b], the request has no such key')
})
