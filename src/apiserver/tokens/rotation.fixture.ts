// Cases 194 and 195 of the catalogue as stories that any server can be told: what turns keys and issuers differs from one to the other.
import assert from 'node:assert/strict'

export interface Rotating {
  /** A new token of one ServiceAccount. */
  token(): Promise<string>
  /** The status that a request with the token is answered with. */
  statusOf(token: string): Promise<number>
  /** Key ids that the server publishes. */
  keys(): Promise<string[]>
  /** The issuer that the discovery document names. */
  issuer(): Promise<unknown>
  /** A second key is known and does not sign. */
  publish(): Promise<void>
  /** The second key signs. */
  activate(): Promise<void>
  /** The first key is known no more. */
  retire(): Promise<void>
  /** The first of them signs, all are accepted. */
  setIssuers(issuers: readonly string[]): Promise<void>
}

export async function rotateKey(server: Rotating): Promise<void> {
  const before = await server.token()
  const old = claimOf(before, 0, 'kid')
  assert.deepEqual(await server.keys(), [old])
  await server.publish()
  const [first, fresh] = await server.keys()
  assert.equal(first, old, 'published before it signs, after the one that does')
  assert.equal(claimOf(await server.token(), 0, 'kid'), old)
  await server.activate()
  const after = await server.token()
  assert.equal(claimOf(after, 0, 'kid'), fresh)
  assert.notEqual(fresh, old)
  assert.deepEqual([await server.statusOf(before), await server.statusOf(after)], [200, 200])
  await server.retire()
  assert.deepEqual([await server.statusOf(before), await server.statusOf(after)], [401, 200])
  assert.deepEqual(await server.keys(), [fresh])
}

export async function changeIssuer(server: Rotating): Promise<void> {
  const old = (await server.issuer()) as string
  const before = await server.token()
  await server.setIssuers(['https://new.example.com', old])
  const after = await server.token()
  assert.deepEqual([claimOf(before, 1, 'iss'), claimOf(after, 1, 'iss')], [old, 'https://new.example.com'])
  assert.deepEqual([await server.statusOf(before), await server.statusOf(after)], [200, 200])
  assert.equal(await server.issuer(), 'https://new.example.com')
  await server.setIssuers(['https://new.example.com'])
  assert.deepEqual([await server.statusOf(before), await server.statusOf(after)], [401, 200])
}

function claimOf(token: string, part: 0 | 1, name: string): unknown {
  return (JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>)[name]
}
