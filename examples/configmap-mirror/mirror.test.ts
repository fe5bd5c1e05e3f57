import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from 'vouch/apiserver'
import { kinds, type StoredObject, testWorld } from 'vouch/runtime'
import { configMapMirror } from './mirror.ts'

const { configMaps } = kinds
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
  const objects = [namespace('team-a'), namespace('team-b')]
  await using world = testWorld(clock => createApiServer({ clock, objects }))
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
