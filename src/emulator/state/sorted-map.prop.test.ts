import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { SortedMap } from './sorted-map.ts'

const key = fc.oneof(fc.constantFrom('a', 'b', 'aa', 'z', ''), fc.string({ maxLength: 3 }))
const step = fc.record({ key, value: fc.nat(), remove: fc.boolean() })

test('a sorted map answers like a map that is sorted for each question, and older versions never change', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), key, (steps, start) => {
      let map = SortedMap.empty<number>()
      const model = new Map<string, number>()
      const kept: { readonly map: SortedMap<number>; readonly entries: readonly (readonly [string, number])[] }[] = []
      for (const { key: name, value, remove } of steps) {
        map = remove ? map.delete(name) : map.set(name, value)
        if (remove) model.delete(name)
        else model.set(name, value)
        kept.push({ map, entries: sorted(model) })
      }
      for (const version of kept) assert.deepEqual([...version.map], version.entries)
      const all = sorted(model)
      assert.equal(map.size, all.length)
      assert.deepEqual(
        [...map.entries({ from: start })],
        all.filter(([name]) => name >= start),
      )
      assert.deepEqual(
        [...map.entries({ after: start })],
        all.filter(([name]) => name > start),
      )
      assert.deepEqual(map.first(), all[0])
      assert.deepEqual(map.last(), all.at(-1))
      assert.deepEqual(
        map.floor(start),
        all.findLast(([name]) => name <= start),
      )
      for (const [name, value] of all) assert.equal(map.get(name), value)
    }),
  )
})

test('depth stays logarithmic when keys come in order', () => {
  let map = SortedMap.empty<number>()
  for (let index = 0; index < 4096; index++) map = map.set(String(index).padStart(5, '0'), index)
  for (let index = 0; index < 4000; index++) map = map.delete(String(index).padStart(5, '0'))
  assert.deepEqual(
    [...map.values()],
    Array.from({ length: 96 }, (_, index) => 4000 + index),
  )
})

function sorted(model: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...model].sort(([a], [b]) => (a < b ? -1 : 1))
}
