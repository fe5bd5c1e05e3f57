import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { Altered } from './altered.ts'

const object = (more: object, uid = 'u'): StoredObject =>
  ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x', uid, resourceVersion: '1' }, ...more }) as unknown as StoredObject

for (const [what, wanted, before, after, isKnown] of [
  ['the same was made of the same', { spec: { a: 1 } }, { spec: { a: 2 } }, { spec: { a: 2 } }, true],
  ['what nobody wants to say changed', { spec: { a: 1 } }, { spec: { a: 2, b: 1 } }, { spec: { a: 2, b: 2 }, status: 'x' }, true],
  ['another thing was made of it', { spec: { a: 1 } }, { spec: { a: 2 } }, { spec: { a: 3 } }, false],
  ['a field that is wanted went', { spec: { a: 1 } }, { spec: { a: 2 } }, { spec: {} }, false],
  [
    'what is wanted deep within changed',
    { spec: { a: { b: 1 } } },
    { spec: { a: { b: 2, c: 1 } } },
    { spec: { a: { b: 3, c: 1 } } },
    false,
  ],
  [
    'what is beside it deep within changed',
    { spec: { a: { b: 1 } } },
    { spec: { a: { b: 2, c: 1 } } },
    { spec: { a: { b: 2, c: 9 } } },
    true,
  ],
  ['a list has another item', { spec: [1] }, { spec: [1, 2] }, { spec: [1, 3] }, false],
  ['a list stands where fields are wanted, and changed', { spec: { a: 1 } }, { spec: [1] }, { spec: [2] }, false],
  ['nothing stands where fields are wanted', { spec: { a: 1 } }, { spec: null }, { spec: null }, true],
  ['a word stands where fields are wanted, and changed', { spec: { a: 1 } }, { spec: 'x' }, { spec: 'y' }, false],
  ['fields stand where a word is wanted, and changed', { spec: 'x' }, { spec: { a: 1 } }, { spec: { a: 2 } }, false],
  ['fields stand where nothing is wanted, and changed', { spec: null }, { spec: { a: 1 } }, { spec: { a: 2 } }, false],
  ['fields stand where a list is wanted, and changed', { spec: [1] }, { spec: { a: 1 } }, { spec: { a: 2 } }, false],
] as const)
  test(`where ${what}, it is ${isKnown ? 'known what comes of it' : 'worth another try'} [B25]`, () => {
    const altered = new Altered()
    altered.remember('here', wanted, object(before))
    assert.equal(altered.isKnown('here', wanted, object(after)), isKnown)
    assert.equal(altered.isKnown('there', wanted, object(after)), false)
    assert.equal(altered.isKnown('here', { ...wanted, more: 1 }, object(after)), false)
    assert.equal(altered.isKnown('here', wanted, object(after, 'another')), false)
    altered.forget('here')
    assert.deepEqual([altered.isKnown('here', wanted, object(before)), altered.size], [false, 0])
  })

test('of ten thousand objects what came of it is remembered, and with the next the oldest is forgotten [B29]', () => {
  const altered = new Altered()
  const [wanted, actual] = [{ spec: 1 }, object({ spec: 2 })]
  for (let index = 0; index < 10_000; index++) altered.remember(`place ${index}`, wanted, actual)
  altered.remember('place 0', wanted, actual)
  assert.deepEqual([altered.size, altered.isKnown('place 1', wanted, actual)], [10_000, true])
  altered.remember('one more', wanted, actual)
  assert.equal(altered.size, 10_000)
  assert.deepEqual(
    ['place 0', 'place 1', 'place 2', 'one more'].map(place => altered.isKnown(place, wanted, actual)),
    [true, false, true, true],
  )
})
