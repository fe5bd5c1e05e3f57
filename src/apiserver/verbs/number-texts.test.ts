// Numbers that are told by their text: `80.0` and `8e1` are no whole numbers to a built-in kind, wherever they come from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { type Answer, ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const labels = { app: 'web' }
const jsonPatch = { type: 'application/json-patch+json' }

async function world(): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  await ask(server, 'POST', deployments, {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  })
  return server
}

for (const [patch, outcome] of [
  ['[{"op":"test","path":"/spec/replicas","value":2.0}]', 422],
  ['[{"op":"add","path":"/spec/replicas","value":2.0},{"op":"test","path":"/spec/replicas","value":2.0}]', 422],
  ['[{"op":"add","path":"/spec/replicas","value":2.0},{"op":"replace","path":"/spec/replicas","value":3}]', 200],
  ['[{"op":"add","path":"/spec/odd","value":2.0},{"op":"copy","from":"/spec/odd","path":"/spec/replicas"}]', 422],
  ['[{"op":"test","path":"/spec/replicas","value":2}]', 200],
] as const)
  test(`the JSON patch ${patch} of two replicas is answered with ${outcome}`, async () => {
    const server = await world()
    assert.equal((await ask(server, 'PATCH', `${deployments}/web?dryRun=All`, patch, jsonPatch)).status, outcome)
  })

test('where any number will do, its value is kept, also within what a kind leaves open', async () => {
  const server = await world()
  const property =
    '{"type":"number","multipleOf":5e-1,"maximum":2.50,"default":1.50,"enum":[1.50,2.0],"x-kubernetes-validations":[]}'
  const body = `{"metadata":{"name":"odds.example.com"},"spec":{"group":"example.com","scope":"Cluster","names":{"plural":"odds","kind":"Odd"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":${property}}}}}]}}`
  const { status, body: made } = await ask<Answer<{ versions: readonly { schema: unknown }[] }>>(
    server,
    'POST',
    definitions,
    body,
  )
  assert.equal(status, 201)
  assert.deepEqual(made.spec.versions[0]?.schema, {
    openAPIV3Schema: {
      type: 'object',
      properties: { a: { type: 'number', multipleOf: 0.5, maximum: 2.5, default: 1.5, enum: [1.5, 2] } },
    },
  })
})
