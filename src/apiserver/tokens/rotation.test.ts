import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiServer } from '../api-server.ts'
import { answerTo, ask, tokenOf } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const statusOf = async (server: ApiServer, token: string): Promise<number> =>
  (await ask(server, 'GET', '/api', undefined, { token })).status
const keysOf = async (server: ApiServer): Promise<string[]> =>
  (await answerTo<{ keys: { kid: string }[] }>(server, 'GET', '/openid/v1/jwks')).keys.map(key => key.kid)

function claimOf(token: string, part: 0 | 1, name: string): unknown {
  return (JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>)[name]
}

test('194 a new signing key leaves old tokens valid until the old key is dropped', async () => {
  const server = createApiServer({ seed: 1 })
  await server.settle()
  const before = await tokenOf(server)
  const old = claimOf(before, 0, 'kid') as string
  const fresh = await server.tokens.rotate()
  assert.deepEqual(await keysOf(server), [old, fresh], 'published before it signs')
  assert.equal(claimOf(await tokenOf(server), 0, 'kid'), old)
  server.tokens.activate(fresh)
  const after = await tokenOf(server)
  assert.equal(claimOf(after, 0, 'kid'), fresh)
  assert.deepEqual([await statusOf(server, before), await statusOf(server, after)], [200, 200])
  server.tokens.retire(old)
  assert.deepEqual([await statusOf(server, before), await statusOf(server, after)], [401, 200])
  assert.deepEqual(await keysOf(server), [fresh])
  await server.close()
})

test('195 a new issuer signs while tokens of the old one are accepted, and the discovery document names the new', async () => {
  const server = createApiServer({ seed: 1 })
  await server.settle()
  const old = server.tokens.issuer
  const before = await tokenOf(server)
  server.tokens.setIssuers(['https://new.example.com', old])
  const after = await tokenOf(server)
  assert.deepEqual([claimOf(before, 1, 'iss'), claimOf(after, 1, 'iss')], [old, 'https://new.example.com'])
  assert.deepEqual([await statusOf(server, before), await statusOf(server, after)], [200, 200])
  assert.equal((await answerTo(server, 'GET', '/.well-known/openid-configuration')).issuer, 'https://new.example.com')
  server.tokens.setIssuers(['https://new.example.com'])
  assert.deepEqual([await statusOf(server, before), await statusOf(server, after)], [401, 200])
  await server.close()
})
