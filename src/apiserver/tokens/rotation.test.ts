import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiServer } from '../api-server.ts'
import { createApiServer } from '../create-api-server.ts'

interface Answer {
  readonly status: number
  readonly body: {
    readonly status?: { readonly token: string }
    readonly issuer?: string
    readonly keys?: { readonly kid: string }[]
  }
}

async function ask(server: ApiServer, method: string, target: string, token?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const body =
    method === 'POST'
      ? Buffer.from(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }))
      : null
  const exchange = token === undefined ? server.as() : server.handle
  const response = await exchange({ method, target, headers, body })
  return { status: response.status, body: JSON.parse(Buffer.from(response.body as Uint8Array).toString()) as Answer['body'] }
}

async function tokenOf(server: ApiServer): Promise<string> {
  const { body } = await ask(server, 'POST', '/api/v1/namespaces/default/serviceaccounts/default/token')
  return body.status?.token ?? ''
}

const statusOf = async (server: ApiServer, token: string): Promise<number> => (await ask(server, 'GET', '/api', token)).status
const keysOf = async (server: ApiServer): Promise<string[]> =>
  ((await ask(server, 'GET', '/openid/v1/jwks')).body.keys ?? []).map(key => key.kid)

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
  assert.equal((await ask(server, 'GET', '/.well-known/openid-configuration')).body.issuer, 'https://new.example.com')
  server.tokens.setIssuers(['https://new.example.com'])
  assert.deepEqual([await statusOf(server, before), await statusOf(server, after)], [401, 200])
  await server.close()
})
