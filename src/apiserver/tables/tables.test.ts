import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageOf, renderAge } from './age.ts'
import { compileJsonPath } from './json-path.ts'

test('ages shrink to what still matters', () => {
  const rows: readonly (readonly [number, string])[] = [
    [-5, '<invalid>'],
    [-2, '<invalid>'],
    [-1.9, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [119.9, '119s'],
    [120, '2m'],
    [125, '2m5s'],
    [239.9, '3m59s'],
    [599, '9m59s'],
    [600, '10m'],
    [659, '10m'],
    [10_799, '179m'],
    [10_800, '3h'],
    [10_860, '3h1m'],
    [28_799, '7h59m'],
    [28_800, '8h'],
    [28_860, '8h'],
    [172_799, '47h'],
    [172_800, '2d'],
    [176_400, '2d1h'],
    [691_199, '7d23h'],
    [691_200, '8d'],
    [694_800, '8d'],
    [63_071_999, '729d'],
    [63_072_000, '2y'],
    [63_158_400, '2y1d'],
    [252_287_999, '7y364d'],
    [252_288_000, '8y'],
    [252_374_400, '8y'],
    [283_824_000, '9y'],
  ]
  for (const [seconds, text] of rows) assert.equal(renderAge(seconds), text, String(seconds))
  assert.equal(ageOf('2025-12-31T23:59:00Z', Date.UTC(2026, 0, 1)), '60s')
  assert.deepEqual([ageOf(undefined, 0), ageOf('', 0), ageOf('soon', 0)], ['<unknown>', '<unknown>', '<invalid>'])
})

test('paths select fields, items, slices, filtered items and descendants, and nothing where nothing is', () => {
  const object = {
    a: {
      'b.c': 1,
      list: [
        { type: 'Ready', status: 'True' },
        { type: 'Other', status: 'False' },
      ],
    },
    numbers: [1, 2, 3],
  }
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    ['.a.b\\.c', [1]],
    [".a['b.c']", [1]],
    ['.a.list[?(@.type=="Ready")].status', ['True']],
    ['.a.list[*].type', ['Ready', 'Other']],
    ['.numbers[-1]', [3]],
    ['.numbers[0:2]', [1, 2]],
    ['.numbers[0,2]', [1, 3]],
    ['..type', ['Ready', 'Other']],
    ['{.numbers[0]}', [1]],
    ['.missing.deep', []],
  ]
  for (const [path, wanted] of rows) assert.deepEqual(compileJsonPath(path)?.evaluate(object), wanted, path)
  assert.equal(compileJsonPath('.a['), undefined)
})

const items = [
  { n: 1, s: 'a', b: true },
  { n: 2, s: 'b' },
  { n: 3, s: "it's", b: false },
]

const paths: readonly (readonly [path: string, ...results: readonly unknown[]])[] = [
  ['$.l[1].n', 2],
  ['@.l[1].n', 2],
  ['.l[3].n'],
  ['.l[-4].n'],
  ['.l[-3].n', 1],
  ['.l[1:].n', 2, 3],
  ['.l[:1].n', 1],
  ['.l[-2:].n', 2, 3],
  ['.l[:-1].n', 1, 2],
  ['.l[-9:9].n', 1, 2, 3],
  ['.l[0:3:2].n', 1, 3],
  ['.l[::0].n', 1, 2, 3],
  ['.l.[0].n', 1],
  ['.l[0]["n"]', 1],
  [".l[0]['n','s']", 1, 'a'],
  ['.l[0].*', 1, 'a', true],
  ['.l.n'],
  ['.o[0]'],
  ['.o[0:1]'],
  ['.o.*', 1],
  ['.l[?(@.n>1)].n', 2, 3],
  ['.l[?(@.n>=2)].n', 2, 3],
  ['.l[?(@.n<2)].n', 1],
  ['.l[?(@.n<=2)].n', 1, 2],
  ['.l[?(@.n!=2)].n', 1, 3],
  ['.l[?(@.s>"a")].n', 2, 3],
  ['.l[?(@.s>1)].n'],
  ['.l[?(@.b)].n', 1, 3],
  ['.l[?(@.b==true)].n', 1],
  ['.l[?(@.b==false)].n', 3],
  ['.l[?(@.missing==1)].n'],
  ['.l[?(@.s=="it\\\'s")].n', 3],
  ['.l[?( @.n == 2.0 )].n', 2],
  ['.o[?(@==1)]', 1],
  ['..n', 1, 2, 3],
]

test('a path has the results that it says, in the order in which they stand', () => {
  const found = paths.map(([path]) => [path, ...(compileJsonPath(path)?.evaluate({ l: items, o: { x: 1 } }) ?? ['no path'])])
  assert.deepEqual(found, paths)
  for (const path of ['.l[', '.l[x]', '.l[?(@.n>)]', '.l[?(x)]', 'l', '...', '.l[]'])
    assert.equal(compileJsonPath(path), undefined, path)
})

test('a path looks into ten thousand values and no more', () => {
  const wide = Array.from({ length: 10_001 }, (_, index) => [index])
  // The object, its list, and then each item and what is in it.
  assert.equal(compileJsonPath('..[0]')?.evaluate({ wide }).length, 1 + (10_000 - 2) / 2)
})
