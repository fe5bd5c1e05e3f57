import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { createApiServer } from './create-api-server.ts'

interface Answer {
  readonly status: number
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely
  readonly json: any
}

async function ask(
  server: ReturnType<typeof createApiServer>,
  method: string,
  target: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await server.as()({
    method,
    target,
    headers,
    body: body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })
  const text = response.body instanceof Uint8Array ? Buffer.from(response.body).toString() : ''
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : {} }
}

test('a config map is created, read, updated, patched, listed and deleted', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  const path = '/api/v1/namespaces/default/configmaps'
  const created = await ask(server, 'POST', path, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { x: '1' },
  })
  assert.equal(created.status, 201)
  assert.equal((await ask(server, 'POST', path, { metadata: { name: 'a' } })).json.reason, 'AlreadyExists')
  const got = await ask(server, 'GET', `${path}/a`)
  assert.deepEqual(got.json, created.json)
  const updated = await ask(server, 'PUT', `${path}/a`, { ...got.json, data: { x: '2' } })
  assert.equal(updated.status, 200)
  const stale = await ask(server, 'PUT', `${path}/a`, { ...got.json, data: { x: '3' } })
  assert.equal(stale.json.reason, 'Conflict')
  const patched = await ask(
    server,
    'PATCH',
    `${path}/a`,
    { data: { y: 'z' } },
    { 'content-type': 'application/merge-patch+json' },
  )
  assert.deepEqual(patched.json.data, { x: '2', y: 'z' })
  const list = await ask(server, 'GET', path)
  assert.equal(list.json.items.length, 1)
  const removed = await ask(server, 'DELETE', `${path}/a`)
  assert.equal(removed.json.details.uid, created.json.metadata.uid)
  assert.equal((await ask(server, 'GET', `${path}/a`)).status, 404)
  await server.close()
})

test('discovery names the kinds', async () => {
  const server = createApiServer({ seed: 1 })
  assert.equal((await ask(server, 'GET', '/apis')).json.kind, 'APIGroupList')
  assert.equal(
    (await ask(server, 'GET', '/apis/apps/v1')).json.resources.some(
      (resource: { name: string }) => resource.name === 'deployments/scale',
    ),
    true,
  )
  await server.close()
})

test('a definition is established and its objects are watched', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          subresources: { status: {} },
        },
      ],
    },
  }
  assert.equal((await ask(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status, 201)
  const path = '/apis/example.com/v1/namespaces/default/widgets'
  const created = await ask(server, 'POST', path, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { size: 1 },
  })
  assert.equal(created.status, 201)
  assert.equal(created.json.metadata.generation, 1)
  const watch = await server.as()({ method: 'GET', target: `${path}?watch=1`, headers: {}, body: null })
  const lines = (watch.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const first = Buffer.from((await lines.next()).value as Uint8Array).toString()
  assert.equal(JSON.parse(first).type, 'ADDED')
  const next = lines.next()
  await ask(server, 'PUT', `${path}/a/status`, { ...created.json, status: { ok: true } })
  const event = JSON.parse(Buffer.from((await next).value as Uint8Array).toString())
  assert.equal(event.type, 'MODIFIED')
  assert.deepEqual(event.object.status, { ok: true })
  await server.close()
  assert.equal((await lines.next()).done, true)
})
