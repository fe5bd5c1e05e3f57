import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countIndexes, firstShared } from './index-ranges.ts'

const completions = 10
const rows: readonly (readonly [string, number | string])[] = [
  ['', 0],
  ['0', 1],
  ['0,2-4,9', 5],
  ['9', 1],
  ['10', 'too large index: "10"'],
  ['3-12', 'too large index: "12"'],
  ['4-4', 'non-increasing order, previous: 4, current: 4'],
  ['1-3,3', 'non-increasing order, previous: 3, current: 3'],
  ['a', 'cannot convert string to integer for index: "a"'],
  ['1,', 'cannot convert string to integer for index: ""'],
  ['1-2-3', 'the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by \'-\''],
]

test('indexes of a job are counted, or refused for the first thing that is wrong with them', () => {
  assert.deepEqual(
    rows.map(([text]) => [text, countIndexes(text, completions)]),
    rows,
  )
})

test('the first index that two texts share is found, and none where there is none', () => {
  assert.equal(firstShared('0-2,5', '3,5-7'), 5)
  assert.equal(firstShared('4-9', '2-6'), 4)
  assert.equal(firstShared('0,2', '1,3'), undefined)
  assert.equal(firstShared('', '0-9'), undefined)
})
