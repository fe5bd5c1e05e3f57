// Bodies that are dear to parse, to patch and to compile.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { ApiServer } from '../api-server.ts'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { definitions, widgetDefinition, widgets, widgetVersion } from '../widget.fixture.ts'
import { answersInTime, type CostlyRow, filled, times } from './costly.fixture.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'

const yaml = 'application/yaml'
const jsonPatch = 'application/json-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const applyPatch = 'application/apply-patch+yaml'

const configMap = (rest: string): string => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"${rest}}`
const widget = (rest: string): string => `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"b"},${rest}}`
const yamlWidget = (rest: string): string => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: c}\nspec:\n${rest}\n`
const aliases = (depth: number): string =>
  Array.from({ length: depth }, (_, i) => `  a${i + 1}: &a${i + 1} [${times(9, () => `*a${i}`)}]`).join('\n')
const ruled = (rule: string): string => {
  const schema = { type: 'object', 'x-kubernetes-validations': [{ rule }] }
  return JSON.stringify(widgetDefinition([widgetVersion(schema)]))
}

const rows: Readonly<Record<string, CostlyRow>> = {
  'JSON with a key on each of 125,000 lines, all the same': { body: configMap(`},"data":{${filled('"a":"1",\n')}"b":"1"}`) },
  'JSON of nothing but brackets': { body: filled('[') },
  'JSON of numbers that a double cannot hold': { target: widgets, body: widget(`"spec":[${filled('12345678901234567890,')}1]`) },
  'YAML aliases of aliases': { target: widgets, type: yaml, body: yamlWidget(`  a0: &a0 [x]\n${aliases(30)}`) },
  'YAML with one key on every line': { type: yaml, body: `kind: ConfigMap\napiVersion: v1\ndata:\n${filled('  a: b\n')}` },
  'YAML of nothing but brackets': { type: yaml, body: filled('[') },
  '14,000 owners': {
    body: configMap(`,"ownerReferences":[${times(14_000, i => `{"apiVersion":"v1","kind":"X","name":"a${i}","uid":"${i}"}`)}]}`),
  },
  '60,000 finalizers': { body: configMap(`,"finalizers":[${times(60_000, i => `"a.b/${i}"`)}]}`) },
  'a JSON patch whose result is quoted, with a value that nests deeply': {
    method: 'PATCH',
    target: `${widgets}/w`,
    type: jsonPatch,
    body: `[{"op":"add","path":"/kind","value":5},{"op":"add","path":"/spec","value":${'{"a":['.repeat(1_000)}${']}'.repeat(1_000)}},${times(150, () => '{"op":"copy","from":"/spec/a","path":"/spec/b"}')}]`,
  },
  'a JSON patch whose result is quoted, of a million characters with escapes and with a test': {
    method: 'PATCH',
    target: `${widgets}/w`,
    type: jsonPatch,
    body: `[{"op":"add","path":"/kind","value":5},{"op":"test","path":"/spec/none","value":null},{"op":"add","path":"/spec","value":{"a":"${filled('\\n')}"}}]`,
  },
  'a JSON patch that copies copies': {
    method: 'PATCH',
    target: `${widgets}/w`,
    type: jsonPatch,
    body: `[{"op":"add","path":"/spec","value":{"a":["x"]}},${times(60, () => '{"op":"copy","from":"/spec/a","path":"/spec/a/-"}')}]`,
  },
  'a strategic patch of 25,000 items': {
    method: 'PATCH',
    target: `${pods}/p`,
    type: strategic,
    body: `{"spec":{"containers":[{"name":"a","env":[${times(25_000, i => `{"name":"k${i}","value":"x"}`)}]}]}}`,
  },
  'a strategic patch that takes 60,000 plain values away': {
    method: 'PATCH',
    target: `${configMaps}/f`,
    type: strategic,
    body: `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${times(60_000, i => `"a.b/${i}"`)}]}}`,
  },
  'an apply of 30,000 keyed items': {
    method: 'PATCH',
    target: `${widgets}/b?fieldManager=a`,
    type: applyPatch,
    body: widget(`"map":[${times(30_000, i => `{"name":"k${i}"}`)}]`),
  },
  'a label selector of 250,000 requirements': {
    method: 'GET',
    target: `${configMaps}?labelSelector=${filled('a%3Db,')}a`,
    body: '',
  },
  'a CEL rule of half a million brackets': {
    target: definitions,
    body: ruled(`${'('.repeat(500_000)}true${')'.repeat(500_000)}`),
  },
  'a CEL rule of half a million negations': { target: definitions, body: ruled(`${filled('!')}true`) },
  'a pattern of few characters and a million instructions': {
    target: definitions,
    body: JSON.stringify(widgetDefinition([widgetVersion({ type: 'string', pattern: 'x{1000}'.repeat(1_000) })])),
  },
}

const server = world()
after(async () => (await server).close())

answersInTime(server, rows, configMaps)

async function world(): Promise<ApiServer> {
  const items = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  const map = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }
  const schema = { type: 'object', properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true }, map } }
  const made = createApiServer({ seed: 1, controllers: 'none', objects: [widgetDefinition([widgetVersion(schema)])] })
  const objects: Readonly<Record<string, object>> = {
    [widgets]: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } },
    '/api/v1/namespaces/default/serviceaccounts': { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
    [pods]: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    [configMaps]: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'f', finalizers: Array.from({ length: 60_000 }, (_, i) => `a.b/${i}`) },
    },
  }
  for (const [target, object] of Object.entries(objects)) assert.equal((await ask(made, 'POST', target, object)).status, 201)
  return made
}
