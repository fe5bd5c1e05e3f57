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

/** Lines of their own, with others in some places. */
const lines = (count: number, changed: Readonly<Record<number, string>> = {}): string[] =>
  Array.from({ length: count }, (_, at) => changed[at] ?? `line ${at}`)

for (const count of [500, 100_000])
  test(`of ${count} lines all are compared`, () => {
    const told = unifiedDiff(lines(count), lines(count, { 100: 'changed', 400: 'changed' }))
    assert.match(told, /^@@ -98,7 \+98,7 @@\n[^@]+@@ -398,7 \+398,7 @@\n/)
  })

for (const [count, repeats, ...told] of [
  [199, 4, '@@ -1,8 +1,8 @@', '+u', ' a', ' a', ' a', ' a', '-u', ' line 5', ' line 6', ' line 7'],
  [200, 3, '@@ -1,7 +1,7 @@', '+u', ' a', ' a', ' a', '-u', ' line 4', ' line 5', ' line 6'],
  [200, 4, '@@ -1,8 +1,8 @@', '-a', '-a', '-a', '-a', ' u', '+a', '+a', '+a', '+a', ' line 5', ' line 6', ' line 7'],
] as const)
  test(`of ${count} lines the order of one and ${repeats} equal ones is told in ${told.length} lines`, () => {
    const equal = Array.from({ length: repeats }, () => 'a')
    const rest = lines(count).slice(repeats + 1)
    assert.deepEqual(
      unifiedDiff([...equal, 'u', ...rest], ['u', ...equal, ...rest])
        .trimEnd()
        .split('\n'),
      told,
    )
  })

test('texts whose lines would be compared for too long are told as one change between the first and the last line that differ', () => {
  const shuffled = (seed: number): string[] => [
    ...lines(3),
    ...Array.from({ length: 50_000 }, (_, at) => `${(at * seed) % 251}`),
    ...lines(3),
  ]
  const told = unifiedDiff(shuffled(1), shuffled(97)).split('\n')
  assert.equal(told.filter(line => line.startsWith('@@')).length, 1)
})

test('texts of 300,000 lines with nothing in common are told whole', () => {
  const [before, after] = ['a', 'b'].map(line => Array.from({ length: 300_000 }, () => line))
  assert.equal(unifiedDiff(before ?? [], after ?? []).split('\n').length, 600_002)
})
