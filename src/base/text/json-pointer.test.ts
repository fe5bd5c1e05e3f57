import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareText } from './compare-text.ts'
import { escapePointer, renderPointer } from './json-pointer.ts'

test('the characters of a pointer that mean something are written otherwise, the tilde first [RFC 6901]', () => {
  assert.equal(escapePointer('a/b~c'), 'a~1b~0c')
  assert.equal(escapePointer('~1'), '~01')
  assert.equal(renderPointer(['metadata', 'annotations', 'example.com/role', 0]), '/metadata/annotations/example.com~1role/0')
  assert.equal(renderPointer([]), '')
  assert.equal(renderPointer(['']), '/')
})

test('texts are in the order of their code units, capitals before small letters and no text before any', () => {
  assert.deepEqual(['b', 'a', 'Z', 'é', '', 'aa'].toSorted(compareText), ['', 'Z', 'a', 'aa', 'b', 'é'])
  assert.deepEqual([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')], [-1, 1, 0])
})
