import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { seededRandom } from '#base'
import { OrderedMap } from './ordered-map.ts'

function entriesOf(map: OrderedMap<number>, from = ''): [string, number][] {
  const found: [string, number][] = []
  map.visit(from, (value, key) => found.push([key, value]) > 0)
  return found
}

function assertSame(map: OrderedMap<number>, wanted: ReadonlyMap<string, number>): void {
  const entries = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))
  assert.deepEqual(entriesOf(map), entries)
  assert.equal(map.size, wanted.size)
}

/** Enough keys for three levels, in no order. */
function filled(count: number): { map: OrderedMap<number>; wanted: Map<string, number>; keys: string[] } {
  const random = seededRandom('ordered map')
  const map = new OrderedMap<number>()
  const wanted = new Map<string, number>()
  const keys = Array.from({ length: count }, (_, index) => `k${String(index).padStart(5, '0')}`)
  const left = [...keys]
  while (left.length > 0) {
    const [key = ''] = left.splice(random.integer(left.length), 1)
    map.set(key, wanted.size)
    wanted.set(key, wanted.size)
  }
  return { map, wanted, keys }
}

test('a map of many keys holds what was put in, in order, and gives each', () => {
  const { map, wanted, keys } = filled(6_000)
  assertSame(map, wanted)
  for (const key of keys) assert.equal(map.get(key), wanted.get(key))
  for (const absent of ['', 'k', 'k00000a', 'k05999a', 'z']) assert.equal(map.get(absent), undefined)
})

test('a visit begins at the first key that is not below, and ends when it is told to', () => {
  const { map, keys } = filled(6_000)
  for (const from of ['k00000', 'k00063', 'k00064', 'k03000', 'k05999']) assert.equal(entriesOf(map, from)[0]?.[0], from)
  assert.equal(entriesOf(map, 'k03000a')[0]?.[0], 'k03001')
  assert.deepEqual(entriesOf(map, 'z'), [])
  for (const count of [1, 40, 65, 3_000]) {
    const seen: string[] = []
    map.visit('k00010', (_, key) => seen.push(key) < count)
    assert.deepEqual(seen, keys.slice(10, 10 + count))
  }
})

test('keys that are put again replace, and keys that are deleted are gone, until none is left', () => {
  const { map, wanted, keys } = filled(6_000)
  for (const [index, key] of keys.entries()) {
    if (index % 3 === 0) {
      map.set(key, -1)
      wanted.set(key, -1)
    } else if (index % 3 === 1) {
      map.delete(key)
      wanted.delete(key)
    }
  }
  map.delete('absent')
  assertSame(map, wanted)
  for (const key of keys) map.delete(key)
  assertSame(map, new Map())
  map.set('again', 1)
  assertSame(map, new Map([['again', 1]]))
})

const change = fc.record({
  map: fc.nat(2),
  act: fc.constantFrom('set' as const, 'set' as const, 'delete' as const, 'fork' as const),
  key: fc.nat(400).map(number => `k${String(number).padStart(3, '0')}`),
})

test('whatever is done to a map and its forks, each holds what was done to it', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 100, maxLength: 1_500, size: 'max' }), changes => {
      const maps = [0, 1, 2].map(() => ({ map: new OrderedMap<number>(), wanted: new Map<string, number>() }))
      for (const [index, { map: which, act, key }] of changes.entries()) {
        const at = maps[which]
        assert.ok(at !== undefined)
        if (act === 'set') {
          at.map.set(key, index)
          at.wanted.set(key, index)
        } else if (act === 'delete') {
          at.map.delete(key)
          at.wanted.delete(key)
        } else maps[(which + 1) % 3] = { map: at.map.fork(), wanted: new Map(at.wanted) }
      }
      for (const { map, wanted } of maps) assertSame(map, wanted)
    }),
    { numRuns: 30 },
  )
})
