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

test('of more than 500 lines only the beginning and the end are compared, and what is between them is told as one change', () => {
  const before = Array.from({ length: 501 }, (_, at) => `line ${at}`)
  const after = before.map((line, at) => (at === 100 || at === 400 ? 'changed' : line))
  const [range, ...told] = unifiedDiff(before, after).trimEnd().split('\n')
  assert.equal(range, '@@ -98,307 +98,307 @@')
  assert.deepEqual(
    ['-', '+', ' '].map(mark => told.filter(line => line.startsWith(mark)).length),
    [301, 301, 6],
  )
})

test('of 500 lines all are compared', () => {
  const before = Array.from({ length: 500 }, (_, at) => `line ${at}`)
  const after = before.map((line, at) => (at === 100 || at === 400 ? 'changed' : line))
  assert.match(unifiedDiff(before, after), /^@@ -98,7 \+98,7 @@\n[^@]+@@ -398,7 \+398,7 @@\n/)
})

test('texts of 300,000 lines with nothing in common are told whole', () => {
  const [before, after] = ['a', 'b'].map(line => Array.from({ length: 300_000 }, () => line))
  assert.equal(unifiedDiff(before ?? [], after ?? []).split('\n').length, 600_002)
})
