import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderLabelFilter } from './label-filter.ts'
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
