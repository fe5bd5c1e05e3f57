// Keys that were drawn and are not in a Secret yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Keys } from '#base'
import { otherPair, pair } from '../testing/config-seen.fixture.ts'
import { KeyDrafts } from './key-drafts.ts'

function counted(): { readonly drafts: KeyDrafts; readonly drawn: number[] } {
  const drawn: number[] = []
  const keys: Pick<Keys, 'generateRsa'> = {
    generateRsa: async bits => {
      drawn.push(bits)
      return (drawn.length % 2 === 1 ? pair : otherPair).privatePem
    },
  }
  return { drafts: new KeyDrafts(keys as Keys), drawn }
}

test('a Config has the same key until it is dropped, and no other Config has it', async () => {
  const { drafts, drawn } = counted()
  const first = await drafts.draw('a')
  assert.equal(first.public.keyId, pair.keyId)
  assert.equal(await drafts.draw('a'), first)
  assert.equal((await drafts.draw('b')).public.keyId, otherPair.keyId)
  drafts.drop('a')
  assert.notEqual(await drafts.draw('a'), first)
  assert.deepEqual(drawn, [2048, 2048, 2048])
})

test('drafts of 256 Configs are held, and the oldest is drawn again after one more', async () => {
  const { drafts, drawn } = counted()
  for (let config = 0; config < 256; config++) await drafts.draw(`${config}`)
  await drafts.draw('0')
  assert.equal(drawn.length, 256)
  await drafts.draw('256')
  await drafts.draw('1')
  assert.equal(drawn.length, 257)
  await drafts.draw('0')
  assert.equal(drawn.length, 258)
})
