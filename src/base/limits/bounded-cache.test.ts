import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { BoundedCache } from './bounded-cache.ts'

test('what was not asked for longest makes room for what is new', () => {
  const cache = new BoundedCache<string, number>(10)
  cache.set('a', 1, 4)
  cache.set('b', 2, 4)
  assert.equal(cache.get('a'), 1)
  cache.set('c', 3, 4)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3])
  assert.equal(cache.weight, 8)
})

test('a value may be kept again with another weight', () => {
  const cache = new BoundedCache<string, number>(10)
  cache.set('a', 1, 2)
  cache.set('a', 2, 9)
  assert.deepEqual([cache.get('a'), cache.weight], [2, 9])
})

test('what weighs more than everything may is made and not kept', () => {
  const cache = new BoundedCache<string, number>(10)
  cache.set('a', 1, 5)
  const made = cache.getOrMake(
    'b',
    () => 7,
    () => 11,
  )
  assert.deepEqual([made, cache.get('b'), cache.get('a'), cache.weight], [7, undefined, 1, 5])
})

test('whatever is kept, the weight is that of what is there and never more than the most', () => {
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 12 }))
  fc.assert(
    fc.property(fc.array(step), steps => {
      const cache = new BoundedCache<string, number>(10)
      for (const [key, weight] of steps) cache.set(key, weight, weight)
      const kept = ['a', 'b', 'c', 'd'].map(key => cache.get(key) ?? 0)
      assert.equal(
        cache.weight,
        kept.reduce((sum, weight) => sum + weight, 0),
      )
      assert.ok(cache.weight <= 10)
    }),
  )
})
