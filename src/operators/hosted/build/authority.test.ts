// Which Secrets of the platform can sign, and in which words one cannot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryOf } from '#base'
import { authoritySecret, testAuthority } from '../testing/authorities.fixture.ts'
import { authority, drawnKey, now } from '../testing/secrets.fixture.ts'
import { type PlatformSecret, readAuthority } from './authority.ts'
import { issuePair, servingRequest } from './pair.ts'

const root = testAuthority('root-ca', 0)
const whyNot = (pair: typeof root, at = now): unknown => {
  const read = readAuthority(authoritySecret('', 'root-ca', pair) as PlatformSecret, at)
  return typeof read === 'string' ? read : undefined
}

test('an authority signs until its last moment, and not before its first [4.12]', () => {
  const end = expiryOf(root.certificate)
  assert.equal(whyNot(root, end - 1), undefined)
  assert.equal(whyNot(root, end), 'its ca.crt cannot be used: it has run out')
  assert.equal(whyNot(root, Date.UTC(2026, 0, 1) - 86_400_000), 'its ca.crt cannot be used: it is not valid yet')
})

test('what is no pair of an authority says which half is wrong [4.12]', async () => {
  const leaf = issuePair(servingRequest, authority('root-ca', 0), await drawnKey(), now)
  assert.equal(whyNot({ ...root, certificate: 'nonsense' }), 'its ca.crt is no certificate')
  assert.equal(whyNot(leaf), 'its ca.crt is not that of an authority')
  assert.equal(whyNot({ ...root, key: 'nonsense' }), 'its ca.key is no private key')
  assert.equal(whyNot({ ...root, key: '' }), 'its ca.key is no private key')
  assert.equal(whyNot({ ...root, key: testAuthority('root-ca', 1).key }), 'the key is of another certificate than its ca.crt')
})
