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
  assert.deepEqual(sorted('k:{"port":10000}', 'k:{"port":8080}'), ['k:{"port":8080}', 'k:{"port":10000}'])
})

test('fields stand in the order of the alphabet, also before other elements', () => {
  assert.deepEqual(sorted('f:b', 'i:0', 'f:a'), ['f:a', 'f:b', 'i:0'])
  assert.deepEqual(sorted('f:b', 'f:a'), ['f:a', 'f:b'])
})

test('text stands before truth, and truth before nothing', () => {
  assert.deepEqual(sorted('v:null', 'v:true', 'v:false', 'v:"b"', 'v:"a"', 'v:1'), [
    'v:1',
    'v:"a"',
    'v:"b"',
    'v:false',
    'v:true',
    'v:null',
  ])
})

test('keys are compared field by field, and fewer fields stand first', () => {
  const one = 'k:{"a":1}'
  const two = ['k:{"a":1,"b":1}', 'k:{"a":1,"b":2}', 'k:{"a":1,"c":0}', 'k:{"a":2}', 'k:{"b":0}']
  assert.deepEqual(sorted(...two.toReversed(), one), [one, ...two])
  assert.deepEqual(sorted(one, ...two), [one, ...two])
})
