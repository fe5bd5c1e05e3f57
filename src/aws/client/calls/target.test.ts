import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetOf } from './try-call.ts'

const rows: readonly (readonly [query: Parameters<typeof targetOf>[0]['query'], target: string])[] = [
  [{}, '/a'],
  [{ b: '2', a: '1' }, '/a?a=1&b=2'],
  [{ a: ['2', '1'] }, '/a?a=2&a=1'],
  [{ uploads: null }, '/a?uploads'],
  // As AWS signs it: these five are escaped, although a URL need not.
  [{ a: "!'()*" }, '/a?a=%21%27%28%29%2A'],
  [{ 'é b': '+/' }, '/a?%C3%A9%20b=%2B%2F'],
]

for (const [query, target] of rows)
  test(`a target has its query in order and escaped as it is signed: ${target}`, () =>
    assert.equal(targetOf({ path: '/a', query } as Parameters<typeof targetOf>[0]), target))
