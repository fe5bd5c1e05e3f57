import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { tokenOf } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string

test('a key from elsewhere signs when it is active, is published once, and the one before it still verifies', async () => {
  const server = createApiServer({ seed: 1 })
  await server.settle()
  const before = await tokenOf(server)
  const id = server.tokens.adopt(pem)
  assert.notEqual(JSON.parse(Buffer.from(before.split('.')[0] ?? '', 'base64url').toString()).kid, id)
  assert.equal(server.tokens.adopt(pem, { activate: true }), id, 'a known key stays')
  const after = await tokenOf(server)
  const [header = '', claims = '', signature = ''] = after.split('.')
  assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).kid, id)
  assert.ok(
    verify('sha256', Buffer.from(`${header}.${claims}`), createPublicKey(privateKey), Buffer.from(signature, 'base64url')),
  )
  const keys = (JSON.parse(server.tokens.jwks()) as { keys: { kid: string }[] }).keys.map(key => key.kid)
  assert.equal(keys.filter(kid => kid === id).length, 1)
  assert.equal(keys.length, 2)
  const review = (token: string) =>
    server.handle({ method: 'GET', target: '/api', headers: { authorization: `Bearer ${token}` }, body: null })
  assert.deepEqual([(await review(before)).status, (await review(after)).status], [200, 200])
  await server.close()
})
