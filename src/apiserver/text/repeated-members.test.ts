import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMerging } from './repeated-members.ts'

for (const [why, text, value] of [
  ['maps go into each other', '{"a":{"x":1},"b":0,"a":{"y":2}}', { a: { x: 1, y: 2 }, b: 0 }],
  ['at any depth', '[{"a":{"b":{"x":1,"x":2}},"a":{"b":{"y":3}}}]', [{ a: { b: { x: 2, y: 3 } } }]],
  ['of three the last counts', '{"a":1,"a":2,"a":3}', { a: 3 }],
  ['lists are replaced', '{"a":[1,2],"a":[3]}', { a: [3] }],
  ['null takes away what was there', '{"a":{"x":1},"a":null}', { a: null }],
  ['null changes nothing in what every object has', '{"metadata":{"x":1},"metadata":null}', { metadata: { x: 1 } }],
  ['a map after null begins anew', '{"a":{"x":1},"a":null,"a":{"y":2}}', { a: { y: 2 } }],
  ['keys with escapes are the same key', String.raw`{"\u0061\"":{"x":1},"a\"":{"y":2}}`, { 'a"': { x: 1, y: 2 } }],
  ['a key like the mark is none', '{"a again 1":1,"a":{"x":1},"a":{"y":2}}', { 'a again 1': 1, a: { x: 1, y: 2 } }],
] as const)
  test(`members of one name: ${why}`, () => {
    assert.deepEqual(parseMerging('values', text).value, value)
  })

test('members of one name: the name of the prototype is one like any other', () => {
  const { value } = parseMerging('values', '{"__proto__":{"x":1},"__proto__":{"y":2}}')
  assert.deepEqual(Object.entries(value as object), [['__proto__', { x: 1, y: 2 }]])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})
