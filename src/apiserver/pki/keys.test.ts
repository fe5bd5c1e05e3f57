import assert from 'node:assert/strict'
import { createPublicKey, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { seededRandom } from '#base'
import { makeEcKey, makeRsaKey } from './keys.ts'

for (const [name, make] of [
  ['RSA', makeRsaKey],
  ['EC', makeEcKey],
] as const) {
  test(`a seed gives the same ${name} key every time, and the key signs`, () => {
    const key = make(seededRandom('a'))
    const pem = key.export({ type: 'pkcs8', format: 'pem' })
    assert.equal(make(seededRandom('a')).export({ type: 'pkcs8', format: 'pem' }), pem)
    assert.notEqual(make(seededRandom('b')).export({ type: 'pkcs8', format: 'pem' }), pem)
    const data = Buffer.from('data')
    assert.equal(verify('sha256', data, createPublicKey(key), sign('sha256', data, key)), true)
  })
}
