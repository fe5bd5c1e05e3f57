import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectBody } from '#base'
import { createApiServer } from '../create-api-server.ts'

const rows: readonly (readonly [apiVersion: string, isTaken: boolean])[] = [
  ['v1', true],
  ['apps/v1', true],
  ['/v1', true],
  ['', false],
  ['apps/', false],
  ['a/b/c', false],
]

test('an owner says of which version it is', async () => {
  const server = createApiServer()
  const exchange = server.as()
  for (const [apiVersion, isTaken] of rows) {
    const owner = { apiVersion, kind: 'ConfigMap', name: 'x', uid: 'u' }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a', ownerReferences: [owner] } }
    const { body } = await exchange({
      method: 'POST',
      target: '/api/v1/namespaces/default/configmaps?dryRun=All',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(object)),
    })
    const { kind, message } = JSON.parse(Buffer.from(await collectBody(body, 10_000)).toString())
    const why = `metadata.ownerReferences.apiVersion: Invalid value: ${JSON.stringify(apiVersion)}: version must not be empty`
    if (isTaken) assert.equal(kind, 'ConfigMap', apiVersion)
    else assert.ok(message.endsWith(`is invalid: ${why}`), message)
  }
  await server.close()
})
