import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecord, memberAt, readJson } from './untyped.ts'

test('an object has members; a list, a text and null have none', () => {
  assert.deepEqual(
    [{}, { a: 1 }, [], [1], null, 'a', 1, undefined].map(value => isRecord(value)),
    [true, true, false, false, false, false, false, false],
  )
})

test('a member is found at the end of its path, and nothing where the path ends early', () => {
  const value = { a: { b: [1], c: null }, d: '' }
  assert.deepEqual(memberAt(value), value)
  assert.deepEqual(memberAt(value, 'a', 'b'), [1])
  assert.equal(memberAt(value, 'a', 'c'), null)
  assert.equal(memberAt(value, 'd'), '')
  for (const path of [['b'], ['a', 'd'], ['a', 'c', 'e'], ['a', 'b', '0'], ['d', 'length']])
    assert.equal(memberAt(value, ...path), undefined, path.join('.'))
})

test('what every object inherits is no member', () => {
  for (const name of ['constructor', 'toString', '__proto__']) assert.equal(memberAt({}, name), undefined)
  assert.equal(memberAt(JSON.parse('{"__proto__": 1}'), '__proto__'), 1)
})

test('a text that is no JSON is nothing', () => {
  assert.deepEqual(readJson('{"a":[1]}'), { a: [1] })
  assert.equal(readJson('null'), null)
  assert.equal(readJson('{'), undefined)
  assert.equal(readJson(''), undefined)
})
