import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unifiedDiff } from './unified-diff.ts'

const rows: readonly (readonly [what: string, before: string, after: string, ...told: string[]])[] = [
  ['nothing', 'abc', 'abc'],
  ['nothing in no lines', '', ''],
  ['a line between others', 'abcdefghi', 'abcdXfghi', '@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+X', ' f', ' g', ' h'],
  ['the only line', 'a', 'b', '@@ -1 +1 @@', '-a', '+b'],
  ['all lines for none', 'ab', '', '@@ -1,2 +0,0 @@', '-a', '-b'],
  ['a line that comes at the end', 'ab', 'abc', '@@ -1,2 +1,3 @@', ' a', ' b', '+c'],
  [
    'two lines with six between them',
    'abcdefgh',
    'XbcdefgY',
    '@@ -1,8 +1,8 @@',
    '-a',
    '+X',
    ' b',
    ' c',
    ' d',
    ' e',
    ' f',
    ' g',
    '-h',
    '+Y',
  ],
  [
    'two lines with seven between them',
    'abcdefghi',
    'XbcdefghY',
    '@@ -1,4 +1,4 @@',
    '-a',
    '+X',
    ' b',
    ' c',
    ' d',
    '@@ -6,4 +6,4 @@',
    ' f',
    ' g',
    ' h',
    '-i',
    '+Y',
  ],
  [
    'the order of two runs, of which the longer stays',
    'abxyz',
    'xyzab',
    '@@ -1,5 +1,5 @@',
    '-a',
    '-b',
    ' x',
    ' y',
    ' z',
    '+a',
    '+b',
  ],
  ['the order of two runs as long as each other', 'abxy', 'xyab', '@@ -1,4 +1,4 @@', '+x', '+y', ' a', ' b', '-x', '-y'],
]

for (const [what, before, after, ...told] of rows)
  test(`a text that changes ${what} is told in ${told.length} lines`, () => {
    assert.equal(unifiedDiff(Array.from(before), Array.from(after)), told.map(line => `${line}\n`).join(''))
  })
