import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldSet, leafSet, sortedElements } from './field-set.ts'

const sorted = (...elements: readonly string[]): readonly string[] =>
  sortedElements(new Map<string, FieldSet>(elements.map(element => [element, leafSet])))

test('elements are in the order in which a server writes managedFields: fields, keys, values, positions', () => {
  assert.deepEqual(sorted('i:0', 'v:1', 'k:{"name":"a"}', 'f:a'), ['f:a', 'k:{"name":"a"}', 'v:1', 'i:0'])
})

test('numbers are ordered by size and not by their digits, and stand before text', () => {
  assert.deepEqual(sorted('v:10', 'v:9', 'v:"9"', 'v:-1'), ['v:-1', 'v:9', 'v:10', 'v:"9"'])
  assert.deepEqual(sorted('i:10', 'i:9', 'f:x'), ['f:x', 'i:9', 'i:10'])
  assert.deepEqual(sorted('k:{"port":8080}', 'k:{"port":443}'), ['k:{"port":443}', 'k:{"port":8080}'])
})
