import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelFilterProblem, renderLabelFilter } from './label-filter.ts'
import { isArn, isRoleArn } from './role-arn.ts'

test('an ARN is what the AWS SDK calls one: it begins as one and has at least five colons [#4]', () => {
  const good = ['arn:aws:iam::123456789012:role/foo', 'arn:aws:s3:::bucket/key', 'arn:::::', 'arn:aws:iam::123456789012:role/a:b']
  const bad = [
    'arn:aws:iam:bad123456789012:role/foo',
    '',
    ' arn:aws:iam::123456789012:role/foo',
    'ARN:aws:iam::123456789012:role/foo',
  ]
  assert.deepEqual([...good, ...bad].map(isArn), [...good.map(() => true), ...bad.map(() => false)])
  assert.deepEqual(good.map(isRoleArn), [true, false, false, true])
})

test('the ARN of a role has at most 2,048 characters', () => {
  const start = 'arn:aws:iam::123456789012:role/'
  assert.deepEqual(
    [2_048, 2_049].map(length => isRoleArn(start.padEnd(length, 'x'))),
    [true, false],
  )
})

test('a selector is sorted by key and by value, and an empty one is no flag [#19, #20]', () => {
  const matchExpressions = [
    { key: 'tier', operator: 'In', values: ['web', 'api'] },
    { key: 'gone', operator: 'DoesNotExist' },
    { key: 'app', operator: 'NotIn', values: ['x'] },
    { key: 'zone', operator: 'Exists' },
  ]
  assert.equal(
    renderLabelFilter({ matchLabels: { app: 'dns' }, matchExpressions }),
    'app=dns,app notin (x),!gone,tier in (api,web),zone',
  )
  assert.equal(renderLabelFilter({ matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] }), 'k in (v)')
  for (const empty of [{}, null, undefined, { matchLabels: {} }]) assert.equal(renderLabelFilter(empty), undefined)
})

const expression = (operator: string, values?: readonly string[], key = 'k'): object => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
})

for (const [what, selector, problem] of [
  ['of a label', { matchLabels: { a: 'b' } }, undefined],
  ['of one value', expression('In', ['v']), undefined],
  ['without a value', expression('In', []), /^k: In needs a value$/],
  ['without values', expression('NotIn'), /^k: NotIn needs a value$/],
  ['of presence', expression('Exists'), undefined],
  ['of absence with a value', expression('DoesNotExist', ['v']), /^k: DoesNotExist takes no value$/],
  ['of an odd operator', expression('Like', ['v']), /^"Like" is no operator of label selectors$/],
  ['of an odd key', expression('Exists', [], 'a b'), /^a b: /],
  ['of an odd value', expression('In', ['v', 'a b']), /^k: /],
  ['of a label with an odd value', { matchLabels: { a: 'b c' } }, /^a: /],
] as const)
  test(`a selector ${what} is ${problem === undefined ? 'one' : 'none, and the operand is told a word that it refuses'}`, () => {
    const found = labelFilterProblem(selector as never)
    if (problem === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', problem)
    assert.equal(renderLabelFilter(selector as never) === '<error>', problem !== undefined)
  })
