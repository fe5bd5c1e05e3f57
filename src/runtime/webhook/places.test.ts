import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Places } from './places.ts'

const peer = (address: string) => ({ address }) as Parameters<Places['take']>[0]

test('one peer has half of the places at most, and of an odd number the larger half [X6]', () => {
  for (const [max, half] of [
    [4, 2],
    [5, 3],
  ] as const) {
    const places = new Places(max)
    const taken = Array.from({ length: max }, () => places.take(peer('a')))
    assert.deepEqual(
      taken,
      taken.map((_, index) => index < half),
    )
  }
})

test('all together have as many as there are, and requests of this process count for all alone', () => {
  const places = new Places(3)
  assert.deepEqual(
    [peer('a'), peer('b'), undefined, undefined, peer('c')].map(each => places.take(each)),
    [true, true, true, false, false],
  )
  places.leave(undefined)
  assert.deepEqual([places.take(undefined), places.take(undefined)], [true, false])
})

test('a place that is given back is another one’s, also of the same peer', () => {
  const places = new Places(4)
  for (let times = 0; times < 3; times++) {
    assert.deepEqual(
      [1, 2, 3].map(() => places.take(peer('a'))),
      [true, true, false],
    )
    places.leave(peer('a'))
    assert.deepEqual([places.take(peer('a')), places.take(peer('a'))], [true, false])
    places.leave(peer('a'))
    places.leave(peer('a'))
  }
})
