import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { type Errors, immutable } from './checks.ts'
import { isReadable, selects } from './selectors.ts'

const labels = { app: 'a', tier: 'x' }
const by = (...matchExpressions: JsonObject[]): JsonObject => ({ matchExpressions })
const [has, hasNot] = [
  { key: 'app', operator: 'Exists' },
  { key: 'other', operator: 'Exists' },
]

const rows: readonly (readonly [selector: JsonObject, areSelected: boolean])[] = [
  [{}, true],
  [{ matchLabels: { app: 'a' } }, true],
  [{ matchLabels: { app: 'a', tier: 'y' } }, false],
  [{ matchLabels: { other: 'a' } }, false],
  [by({ key: 'app', operator: 'In', values: ['b', 'a'] }), true],
  [by({ key: 'app', operator: 'In', values: ['b'] }), false],
  [by({ key: 'other', operator: 'In', values: ['a'] }), false],
  [by({ key: 'app', operator: 'NotIn', values: ['b'] }), true],
  [by({ key: 'app', operator: 'NotIn', values: ['a'] }), false],
  [by({ key: 'other', operator: 'NotIn', values: ['a'] }), true],
  [by(has), true],
  [by(hasNot), false],
  [by({ key: 'app', operator: 'DoesNotExist' }), false],
  [by({ key: 'other', operator: 'DoesNotExist' }), true],
  [by(hasNot, { key: 'app', operator: 'In', values: ['a'] }), false],
  [by(hasNot, { key: 'app', operator: 'NotIn', values: ['b'] }), false],
  [by(hasNot, has), false],
  [by(hasNot, { key: 'other', operator: 'DoesNotExist' }), false],
  [{ matchLabels: { app: 'a' }, ...by(hasNot) }, false],
]

test('labels are selected that fit each part of a selector', () => {
  assert.deepEqual(
    rows.map(([selector]) => [selector, selects(selector, labels)]),
    rows,
  )
  assert.ok(selects({}, undefined) && !selects(by(has), undefined))
})

test('a selector is readable that says what it needs and no more', () => {
  assert.ok(isReadable({}) && isReadable(by(has)))
  assert.ok(!isReadable(by({ key: 'app', operator: 'In' })))
})

test('what is immutable may be written in another order, and not in other words', () => {
  const told = (value: JsonObject, old: JsonObject): Errors => {
    const errors: Errors = []
    immutable(value, old, 'a', errors)
    return errors
  }
  assert.deepEqual(told({ a: [1, { b: 9007199254740993n, c: null }] }, { a: [1, { c: null, b: 9007199254740993n }] }), [])
  assert.equal(told({ a: [1, 2] }, { a: [2, 1] }).length, 1)
  assert.equal(told({ a: 9007199254740993n }, { a: 9007199254740992n }).length, 1)
})
