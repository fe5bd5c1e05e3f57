import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { GatheredBytes } from './gathered.ts'

test('what was gathered is what came, however it was cut, and whether fewer or more bytes were expected', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 })
  fc.assert(
    fc.property(pieces, fc.nat(2_000), (all, bytesMax) => {
      const gathered = new GatheredBytes(bytesMax)
      for (const piece of all) gathered.add(piece)
      const wanted = Buffer.concat(all)
      assert.equal(Buffer.compare(gathered.joined(), wanted), 0)
      assert.equal(gathered.length, wanted.length)
    }),
  )
})

test('a piece that was added is not kept, so that single bytes cost what they are', () => {
  const gathered = new GatheredBytes(9)
  const pieces = Array.from({ length: 9 }, (_, index) => Uint8Array.of(index))
  for (const piece of pieces) gathered.add(piece)
  for (const piece of pieces) piece.fill(99)
  assert.deepEqual([...gathered.joined()], [0, 1, 2, 3, 4, 5, 6, 7, 8])
})
