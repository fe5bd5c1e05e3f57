import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { ask, nextEvents, openWatch } from './ask.fixture.ts'
import { createApiServer } from './create-api-server.ts'
import { anySchema, definitions, widgetDefinition, widgets, widgetVersion } from './widget.fixture.ts'

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
  assert.equal((await ask(server, 'POST', path, { metadata: { name: 'a' } })).body.reason, 'AlreadyExists')
  const got = await ask(server, 'GET', `${path}/a`)
  assert.deepEqual(got.body, created.body)
  const updated = await ask(server, 'PUT', `${path}/a`, { ...got.body, data: { x: '2' } })
  assert.equal(updated.status, 200)
  const stale = await ask(server, 'PUT', `${path}/a`, { ...got.body, data: { x: '3' } })
  assert.equal(stale.body.reason, 'Conflict')
  const patched = await ask(server, 'PATCH', `${path}/a`, { data: { y: 'z' } }, { type: 'application/merge-patch+json' })
  assert.deepEqual(patched.body.data, { x: '2', y: 'z' })
  const list = await ask(server, 'GET', path)
  assert.equal(list.body.items.length, 1)
  const removed = await ask(server, 'DELETE', `${path}/a`)
  assert.equal(removed.body.details.uid, created.body.metadata.uid)
  assert.equal((await ask(server, 'GET', `${path}/a`)).status, 404)
  await server.close()
})

interface ResourceList {
  readonly resources: readonly { readonly name: string }[]
}

test('discovery names the kinds', async () => {
  const server = createApiServer({ seed: 1 })
  assert.equal((await ask(server, 'GET', '/apis')).body.kind, 'APIGroupList')
  assert.equal(
    (await ask<ResourceList>(server, 'GET', '/apis/apps/v1')).body.resources.some(
      resource => resource.name === 'deployments/scale',
    ),
    true,
  )
  await server.close()
})

test('a definition is established and its objects are watched', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
  const definition = widgetDefinition([widgetVersion(anySchema, { subresources: { status: {} } })])
  assert.equal((await ask(server, 'POST', definitions, definition)).status, 201)
  const created = await ask(server, 'POST', widgets, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { size: 1 },
  })
  assert.equal(created.status, 201)
  assert.equal(created.body.metadata.generation, 1)
  const watch = await openWatch(server, widgets)
  const [first] = await nextEvents(watch)
  assert.equal(first?.type, 'ADDED')
  const next = nextEvents(watch)
  await ask(server, 'PUT', `${widgets}/a/status`, { ...created.body, status: { ok: true } })
  const [event] = await next
  assert.equal(event?.type, 'MODIFIED')
  assert.deepEqual(event.object.status, { ok: true })
  await server.close()
  assert.equal((await watch.next()).done, true)
})
