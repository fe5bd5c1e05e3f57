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
