// Names that objects of the language have by birth, sent where a client chooses the name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { definitions, widgetDefinition, widgets, widgetVersion } from '../widget.fixture.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }

test('a path of a JSON patch reaches nothing outside the patched object', async () => {
  const server = createApiServer({ seed: 1 })
  await ask(server, 'POST', configMaps, configMap)
  const patch = [{ op: 'add', path: '/__proto__/polluted/x', value: 1 }]
  const answer = await ask(server, 'PATCH', `${configMaps}/a`, patch, { type: 'application/json-patch+json' })
  assert.equal(answer.status, 422)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
  await server.close()
})

test('a definition may declare and default properties of any name', async () => {
  const server = createApiServer({ seed: 1 })
  const properties = JSON.parse(
    '{"__proto__":{"type":"string","default":"p"},"constructor":{"type":"string","default":"c"}}',
  ) as object
  const spec = { type: 'object', properties }
  const items = { type: 'object', required: ['constructor'], properties }
  const lists = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['constructor'] }
  const schema = { type: 'object', properties: { spec, lists } }
  assert.equal((await ask(server, 'POST', definitions, widgetDefinition([widgetVersion(schema)]))).status, 201)
  await server.settle()
  const keyed: readonly object[] = [{ constructor: 'a' }, {}]
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: {}, lists: keyed }
  const made = await ask(server, 'POST', widgets, widget)
  assert.equal(made.status, 201, made.body.message)
  assert.equal(JSON.stringify(made.body.spec), '{"__proto__":"p","constructor":"c"}')
  await server.close()
})
