// Which keys come on record, and which go off it (S24). Values in, values out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherPair, pair } from '../testing/config-seen.fixture.ts'
import { nextRecord } from './key-proof.ts'
import { signingKeyOf } from './key-ring.ts'

const key = signingKeyOf(pair)
const otherKey = signingKeyOf(otherPair)

const id = key.public.keyId

test('a key that was drawn and arrived is held, and what was drawn before it is off the record [S24]', () => {
  assert.deepEqual(nextRecord({ planned: ['earlier', id] }, { current: key }, undefined), { held: [id], planned: [] })
})

test('a key that left the Secret is off the record, so that nobody brings it back [S24]', () => {
  assert.deepEqual(nextRecord({ planned: [] }, { current: otherKey }, undefined), {
    held: [otherKey.public.keyId],
    planned: [],
  })
})

test('a key that was drawn and has not arrived stays planned and is not held, as it is about to be written [S24]', () => {
  assert.deepEqual(nextRecord({ planned: ['late'] }, { current: key }, 'drawn'), { held: [id], planned: ['late', 'drawn'] })
})
