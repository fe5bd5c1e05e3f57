import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from './candidates.ts'

const made = (source: string): readonly string[] =>
  changesOf('x.ts', source).map(({ start, end, becomes }) => source.slice(0, start) + becomes + source.slice(end))

for (const [source, ...changed] of [
  ['a === b', 'a !== b'],
  ['(a) < b', '(a) <= b'],
  ['a && b || c', 'a || b || c', 'a && b && c'],
  ['a ?? b', 'a && b'],
  ['x += 2', 'x -= 2', 'x += 3'],
  ['x ??= y', 'x = y'],
  ['async () => await f()', 'async () => f()'],
  ['if (!a) b()', 'if (a) b()'],
  ['i++', 'i--'],
  ['f(true, 0, 1)', 'f(false, 0, 1)', 'f(true, 1, 1)', 'f(true, 0, 0)'],
  ['list.some(f)', 'list.every(f)'],
] as const)
  test(`${source} can be broken as ${changed.join(' and as ')}`, () => assert.deepEqual(made(source), changed))

test('an operator that may leave out its right side is met where its left side runs', () => {
  const source = 'const a = b.c ?? d'
  assert.deepEqual(
    changesOf('x.ts', source).map(({ start, ranAt }) => [source.slice(start, start + 2), source.slice(ranAt, ranAt + 1)]),
    [['??', 'b']],
  )
})

test('texts that are joined, types and names are left alone', () => {
  assert.deepEqual(made("'a' + b"), [])
  assert.deepEqual(made('`a` + b'), [])
  assert.deepEqual(made('a.toString()'), [])
  assert.deepEqual(made('type A = 0 | true\nconst a: 1 = b as 1\ninterface B { readonly c: false }\nf<true>(x)'), [])
  assert.deepEqual(made('const a = (b as 1) + c'), ['const a = (b as 1) - c'])
})
