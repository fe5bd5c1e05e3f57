import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKey, renderKey } from './objects.ts'

for (const [text, key] of [
  ['name', { namespace: '', name: 'name' }],
  ['space/name', { namespace: 'space', name: 'name' }],
  ['a/b', { namespace: 'a', name: 'b' }],
] as const)
  test(`the key ${text} is read as it was written`, () => {
    assert.deepEqual(parseKey(text), key)
    assert.equal(renderKey(key), text)
  })
