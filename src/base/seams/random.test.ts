import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom, uuidFromBytes } from './random.ts'

test('sixteen bytes are a UUID of version 4, whatever they are', () => {
  assert.equal(uuidFromBytes(new Uint8Array(16)), '00000000-0000-4000-8000-000000000000')
  assert.equal(uuidFromBytes(new Uint8Array(20).fill(0xff)), 'ffffffff-ffff-4fff-bfff-ffffffffffff')
  const counted = Uint8Array.from({ length: 16 }, (_, index) => index * 16 + 1)
  assert.equal(uuidFromBytes(counted), '01112131-4151-4171-8191-a1b1c1d1e1f1')
  assert.equal(counted[6], 0x61, 'what was given is left as it is')
})

test('a seed says all that comes, and another one something else', () => {
  const drawn = (seed: number | string): readonly number[] => {
    const random = seededRandom(seed)
    return Array.from({ length: 20 }, () => random.integer(1_000))
  }
  assert.deepEqual(drawn(7), drawn(7))
  assert.notDeepEqual(drawn(7), drawn(8))
  assert.notDeepEqual(drawn('a'), drawn('b'))
})

test('a seed of yesterday says the same today: what a simulation found is found again by its seed', () => {
  const random = seededRandom(1)
  assert.deepEqual(
    Array.from({ length: 6 }, () => random.integer(1_000)),
    [81, 149, 839, 166, 454, 334],
  )
  assert.equal(seededRandom(1).fork('a').integer(1_000), 547)
})

test('numbers are spread evenly, and within their bound', () => {
  const random = seededRandom(1)
  const counts = Array.from({ length: 8 }, () => 0)
  for (let draw = 0; draw < 8_000; draw++) {
    const drawn = random.integer(8)
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  assert.equal(counts.length, 8)
  for (const count of counts) assert.ok(count > 800 && count < 1_200, counts.join())
  for (let draw = 0; draw < 1_000; draw++) {
    const float = random.float()
    assert.ok(float >= 0 && float < 1)
  }
})
