import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageOf, renderAge } from './age.ts'
import { compileJsonPath } from './json-path.ts'

test('ages shrink to what still matters', () => {
  const seconds = [
    -5, -1, 0, 119, 120, 125, 600, 10_799, 10_800, 28_799, 28_800, 172_799, 172_800, 691_199, 691_200, 63_071_999, 63_072_000,
    252_288_000,
  ]
  const texts = seconds.map(value => renderAge(value))
  assert.deepEqual(texts, [
    '<invalid>',
    '0s',
    '0s',
    '119s',
    '2m',
    '2m5s',
    '10m',
    '179m',
    '3h',
    '7h59m',
    '8h',
    '47h',
    '2d',
    '7d23h',
    '8d',
    '729d',
    '2y',
    '8y',
  ])
  assert.deepEqual([ageOf(undefined, 0), ageOf('soon', 0)], ['<unknown>', '<invalid>'])
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
