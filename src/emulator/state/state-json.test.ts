import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SortedMap } from './sorted-map.ts'
import { parseState, renderState } from './state-json.ts'

test('a state of maps, bytes and names that look like our own marks comes back whole', () => {
  const state = {
    map: SortedMap.from<unknown>([
      ['b', { $map: 'not a map', $$: 1 }],
      ['a', SortedMap.from([['x', new Uint8Array([0, 255])]])],
    ]),
    none: null,
    list: [1, 'é\u0000', true],
  }
  const back = parseState(renderState(state)) as typeof state
  assert.deepEqual([...back.map.keys()], ['a', 'b'])
  assert.deepEqual(back.map.get('b'), { $map: 'not a map', $$: 1 })
  assert.deepEqual((back.map.get('a') as SortedMap<Uint8Array>).get('x'), new Uint8Array([0, 255]))
  assert.deepEqual(back.list, state.list)
  assert.equal(renderState(back), renderState(state))
})

test('a date, a function or an infinity in the state is a bug and is named', () => {
  assert.throws(() => renderState({ at: new Map() }), /neither plain/)
  assert.throws(() => renderState({ limit: Number.POSITIVE_INFINITY }), /JSON cannot hold/)
})
