import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, items, member, sizeOf, text, texts } from './cells.ts'

test('a number in a cell is the one that is there, and none where there is none', () => {
  const rows = [3, 0, 12n, '7', '', 'some', undefined, null, true, {}]
  assert.deepEqual(rows.map(count), [3, 0, 12, 7, 0, 0, 0, 0, 1, 0])
})

test('a text in a cell is the one that is there, or what stands for none', () => {
  const rows = ['a', '', 3, 0n, false, null, undefined, {}]
  assert.deepEqual(
    rows.map(value => text(value, '-')),
    ['a', '-', '3', '0', 'false', '-', '-', '-'],
  )
  assert.equal(text(''), '')
})

test('a member is found below the members that lead to it, and nowhere else', () => {
  const value = { a: { b: [{ c: 1 }] } }
  assert.deepEqual(member(value, 'a', 'b'), [{ c: 1 }])
  assert.equal(member(value, 'a', 'b', 'c'), undefined)
  assert.equal(member(value), value)
  assert.equal(member(undefined, 'a'), undefined)
})

test('of a list those are taken that can be shown', () => {
  const list = ['a', { b: 1 }, 2, 'c', null]
  assert.deepEqual(items(list), [{ b: 1 }])
  assert.deepEqual(texts(list), ['a', 'c'])
  assert.deepEqual([items({}), texts('a')], [[], []])
  assert.equal(sizeOf(list), 5)
})
