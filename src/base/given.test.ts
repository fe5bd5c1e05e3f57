import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from './given.ts'

test('what is undefined is no member, and everything else is what it was, null and empty values too', () => {
  const found = given({ name: 'a', workers: undefined, text: '', count: 0, nothing: null, list: [] })
  assert.deepEqual(Object.entries(found), [
    ['name', 'a'],
    ['text', ''],
    ['count', 0],
    ['nothing', null],
    ['list', []],
  ])
})

test('spread into an object it leaves what stands there before it alone', () => {
  const workers: number | undefined = undefined
  assert.deepEqual({ workers: 3, ...given({ workers }) }, { workers: 3 })
})
