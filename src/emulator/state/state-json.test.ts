import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SortedMap } from './sorted-map.ts'
import { PlainState, parseState, renderState } from './state-json.ts'

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

test('parts of a state are what a snapshot has of them, and what did not change is the very same value', () => {
  const rows = SortedMap.from<unknown>([
    ['a', { name: 'a', $odd: [1, undefined], gone: undefined, bytes: new Uint8Array([1, 2]) }],
    ['b', { versions: SortedMap.from([['1', { sets: SortedMap.from([['x', 1]]) }]]) }],
    ['c', [SortedMap.from([['deep', true]])]],
    ['d', undefined],
  ])
  const state = { rows, $count: 3, none: null, gone: undefined }
  const plain = new PlainState()
  const before = plain.of(state) as { readonly rows: { readonly $map: readonly (readonly [string, unknown])[] } }
  assert.deepEqual(before, JSON.parse(renderState(state)))
  assert.equal(plain.of(state), before)
  const next = { ...state, rows: rows.set('b', { versions: SortedMap.empty() }) }
  const after = plain.of(next) as typeof before
  assert.deepEqual(after, JSON.parse(renderState(next)))
  assert.deepEqual(
    after.rows.$map.map(([, row], index) => row === before.rows.$map[index]?.[1]),
    [true, false, true, true],
  )
  assert.throws(() => plain.of({ rows: SortedMap.from([['a', { at: new Map() }]]) }), /neither plain/)
})
