import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMaps, type StoredObject } from '#kube'
import { summarizeAction } from '#runtime'
import { engineWorld } from '../../src/runtime/testing/world.ts'
import { configMapMirror, decide, type Seen } from './mirror.ts'

type ConfigMap = StoredObject & { readonly data?: Record<string, string> }

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

function source(to: string, data: Record<string, string> = { color: 'green' }) {
  const metadata = {
    namespace: 'default',
    name: 'theme',
    labels: { 'mirror.example.com/source': 'true' },
    annotations: { 'mirror.example.com/to': to },
  }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
}

test('a labelled ConfigMap is copied, kept equal, and its copies go with it', async () => {
  await using world = engineWorld({ objects: [namespace('team-a'), namespace('team-b')] })
  const { client } = world
  const read = (where: string): Promise<ConfigMap | undefined> =>
    client.find<ConfigMap>(configMaps, { namespace: where, name: 'theme' })
  const { passes } = world.start({ controllers: [configMapMirror] })
  await world.settle()
  await client.create(configMaps, source('team-a,team-b'))
  await world.settle()
  assert.deepEqual((await read('team-a'))?.data, { color: 'green' })
  assert.deepEqual((await read('team-b'))?.data, { color: 'green' })
  const status = JSON.parse((await read('default'))?.metadata.annotations?.['mirror.example.com/status'] ?? '{}')
  assert.deepEqual(status.conditions[0].reason, 'Copied')
  // Finalizer, two copies, status.
  assert.equal(
    passes.reduce((sum, pass) => sum + pass.writes.length, 0),
    4,
  )

  await client.patch(configMaps, { namespace: 'team-a', name: 'theme' }, 'merge', { data: { color: 'red' } })
  await client.delete(configMaps, { namespace: 'team-b', name: 'theme' })
  await world.settle()
  assert.deepEqual((await read('team-a'))?.data, { color: 'green' })
  assert.deepEqual((await read('team-b'))?.data, { color: 'green' })

  await client.delete(configMaps, { namespace: 'default', name: 'theme' })
  await world.settle()
  assert.deepEqual([await read('default'), await read('team-a'), await read('team-b')], [undefined, undefined, undefined])
})

const stored = (namespace: string, name: string, more: object = {}): StoredObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, uid: `${namespace}-${name}`, resourceVersion: '1', ...more },
})
const labels = { 'mirror.example.com/source': 'true' }
const finalizers = ['mirror.example.com/copies']
const copyInA = stored('a', 'theme', { labels: { 'mirror.example.com/owner-uid': 'home-theme' } })

interface Row {
  readonly why: string
  readonly seen: Seen
  readonly does: readonly string[]
}

const rows: readonly Row[] = [
  { why: 'what is not there needs nothing', seen: { source: undefined, copies: [] }, does: [] },
  { why: 'a ConfigMap without the label is none of our business', seen: { source: stored('home', 'x'), copies: [] }, does: [] },
  {
    why: 'the finalizer comes before the first copy',
    seen: { source: stored('home', 'theme', { labels, annotations: { 'mirror.example.com/to': 'a, b,a,home' } }), copies: [] },
    does: [
      'add finalizer mirror.example.com/copies to configmaps home/theme',
      'apply configmaps a/theme; and at the same time apply configmaps b/theme',
    ],
  },
  {
    why: 'a namespace that is not named any more loses its copy',
    seen: {
      source: stored('home', 'theme', { labels, finalizers, annotations: { 'mirror.example.com/to': 'b' } }),
      copies: [copyInA],
    },
    does: [
      'add finalizer mirror.example.com/copies to configmaps home/theme',
      'delete configmaps a/theme',
      'apply configmaps b/theme',
    ],
  },
  {
    why: 'deletion takes the copies first, and keeps the finalizer',
    seen: { source: stored('home', 'theme', { labels, finalizers, deletionTimestamp: 'now' }), copies: [copyInA] },
    does: ['delete configmaps a/theme'],
  },
  {
    why: 'when they are seen gone, the finalizer goes',
    seen: { source: stored('home', 'theme', { labels, finalizers, deletionTimestamp: 'now' }), copies: [] },
    does: ['remove finalizer mirror.example.com/copies from configmaps home/theme'],
  },
  {
    why: 'losing the label is like deletion',
    seen: { source: stored('home', 'theme', { finalizers }), copies: [copyInA] },
    does: ['delete configmaps a/theme'],
  },
]

for (const { why, seen, does } of rows) {
  test(`decide: ${why}`, () => assert.deepEqual(decide(seen).actions.map(summarizeAction), does))
}
