import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyObject, isList, isObject, type Json, jsonEqual, objectWith, renderJson, setKey } from './json.ts'

test('an object is neither a list nor null', () => {
  const values = [{}, [], null, 'a', 1, undefined]
  assert.deepEqual(values.map(isObject), [true, false, false, false, false, false])
  assert.deepEqual(values.map(isList), [false, true, false, false, false, false])
})

const pairs: readonly (readonly [one: Json | undefined, other: Json | undefined, areEqual: boolean])[] = [
  [1, 1, true],
  [1, 1n, true],
  [1n, 1n, true],
  [1, 2n, false],
  [1, '1', false],
  [0, false, false],
  [0, '', false],
  [1, {}, false],
  [{}, 1, false],
  ['', [], false],
  [null, null, true],
  [null, undefined, false],
  [null, {}, false],
  [undefined, undefined, true],
  ['a', 'a', true],
  ['a', 'b', false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: { b: 1 } }, { a: { b: 1n } }, true],
  [{ toString: 1 }, { a: 1 }, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [[], {}, false],
  [{}, [], false],
  [{ 0: 'a' }, ['a'], false],
  [[], null, false],
]

test('values are equal as the server sees it', () => {
  assert.deepEqual(
    pairs.map(([one, other]) => [one, other, jsonEqual(one, other)]),
    pairs,
  )
})

test('a value is written without spaces, in its own order or in that of the alphabet', () => {
  const value = { b: [1, 9007199254740993n, null], a: { d: 'x"', c: true } }
  assert.equal(renderJson(value), '{"b":[1,9007199254740993,null],"a":{"d":"x\\"","c":true}}')
  assert.equal(renderJson(value, { sorted: true }), '{"a":{"c":true,"d":"x\\""},"b":[1,9007199254740993,null]}')
  assert.equal(renderJson([{ b: 1, a: 2 }], { sorted: true }), '[{"a":2,"b":1}]')
  assert.equal(renderJson({ b: 1, a: 2 }, { sorted: false }), '{"b":1,"a":2}')
  assert.equal(renderJson(undefined), 'null')
})

test('a key that is the name of a prototype is a key', () => {
  const object: Record<string, Json> = {}
  setKey(object, '__proto__', { a: 1 })
  setKey(object, 'b', 2)
  assert.deepEqual(Object.keys(object), ['__proto__', 'b'])
  const copy = copyObject(object)
  assert.deepEqual(Object.keys(copy), ['__proto__', 'b'])
  setKey(object, '__proto__', 1)
  object['__proto__'] = 3
  assert.deepEqual(Object.entries(object), [
    ['__proto__', 3],
    ['b', 2],
  ])
  delete object['__proto__']
  assert.deepEqual(Object.keys(object), ['b'])
  assert.equal(Object.getPrototypeOf(copy), Object.prototype)
})

test('an object is made of the members that have a value', () => {
  assert.deepEqual(objectWith({ a: undefined, b: null, c: 0 }), { b: null, c: 0 })
})
