// The ConfigMap as it is followed: what counts of the watch and of direct reads, what is told, and what is left as it was.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLogTo, drain, ManualClock, seededRandom } from '#base'
import type { StoredObject } from '#kube'
import { fakeCluster } from '../testing/fake-cluster.ts'
import type { RoleEntries } from './config-map.ts'
import { ConfigMapSource } from './follow-config-map.ts'

const key = 'eks/pod-identity-webhook'
const where = { namespace: 'eks', configMap: 'pod-identity-webhook' }
const saying = (roles: Readonly<Record<string, string>>) => ({
  data: { config: JSON.stringify(Object.fromEntries(Object.entries(roles).map(([name, RoleARN]) => [name, { RoleARN }]))) },
})

function stored(resourceVersion: string, roles: Readonly<Record<string, string>>, uid = 'u'): StoredObject {
  const metadata = { namespace: 'eks', name: 'pod-identity-webhook', uid, resourceVersion }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...saying(roles) } as unknown as StoredObject
}

function rolesOf({ entries }: RoleEntries): Readonly<Record<string, string>> {
  return Object.fromEntries([...entries].map(([name, { roleArn }]) => [name, roleArn]))
}

function sourceOf() {
  const cluster = fakeCluster()
  const clock = new ManualClock()
  const lines: [string, string, unknown][] = []
  const changes: (readonly string[])[] = []
  const source = new ConfigMapSource({
    client: cluster.client,
    clock,
    random: seededRandom(1),
    log: createLogTo({ clock }, (level, message, fields) => void lines.push([level, message, fields])),
    namespace: 'eks',
    onChange: keys => changes.push(keys),
  })
  return {
    cluster,
    clock,
    source,
    lines,
    changes,
    current: () => rolesOf(source.current),
    watched: () => rolesOf(source.watched),
  }
}

/** Running until the test ends. */
async function following(t: TestContext, roles?: Readonly<Record<string, string>>) {
  const world = sourceOf()
  const { cluster, clock, source } = world
  if (roles !== undefined) cluster.put('ConfigMap', key, saying(roles))
  assert.equal(source.synced, false)
  const stop = new AbortController()
  const running = source.run(stop.signal)
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await running
    assert.equal(clock.pendingCount(), 0, 'a timer outlives the watch')
  })
  await drain()
  assert.equal(source.synced, true)
  world.lines.splice(0)
  return world
}

test('what it says is followed, and each change is told with the keys that it is of', async t => {
  const { cluster, lines, changes, current, watched } = await following(t, { 'n/a': 'r', 'n/b': 'r' })
  assert.deepEqual([current(), watched(), changes.splice(0)], [{ 'n/a': 'r', 'n/b': 'r' }, current(), [['n/a', 'n/b']]])
  cluster.put('ConfigMap', key, saying({ 'n/a': 'r', 'n/b': 's' }))
  await drain()
  assert.deepEqual([current(), watched(), changes], [{ 'n/a': 'r', 'n/b': 's' }, current(), [['n/b']]])
  assert.deepEqual(lines, [])
})

test('another ConfigMap of the namespace says nothing', async t => {
  const { cluster, lines, changes, current } = await following(t)
  cluster.put('ConfigMap', 'eks/other', saying({ 'n/a': 'r' }))
  cluster.remove('ConfigMap', 'eks/other')
  await drain()
  assert.deepEqual([current(), changes, lines], [{}, [], []])
})

test('that it is deleted is told, and changes nothing; made anew it counts [A-75]', async t => {
  const { cluster, lines, changes, current, watched } = await following(t, { 'n/a': 'r' })
  changes.splice(0)
  cluster.remove('ConfigMap', key)
  await drain()
  assert.deepEqual([current(), watched(), changes], [{ 'n/a': 'r' }, { 'n/a': 'r' }, []])
  assert.deepEqual(lines.splice(0), [['warn', 'the ConfigMap was deleted; what it said goes on counting', where]])
  cluster.put('ConfigMap', key, saying({ 'n/b': 'r' }))
  await drain()
  assert.deepEqual([current(), watched(), lines], [{ 'n/b': 'r' }, { 'n/b': 'r' }, []])
})

for (const [what, data, error] of [
  ['no data', {}, /^it is no JSON: /],
  ['no text under its key', { data: { other: '{}' } }, /^it is no JSON: /],
  ['a number for a text', { data: { config: 7 } }, /^it is no JSON: /],
  ['a list', { data: { config: '[]' } }, /^it is no JSON object$/],
] as const)
  test(`one with ${what} is told, and what it said before counts [A-75]`, async t => {
    const { cluster, lines, changes, current, watched } = await following(t, { 'n/a': 'r' })
    changes.splice(0)
    cluster.put('ConfigMap', key, data)
    await drain()
    assert.deepEqual([current(), watched(), changes], [{ 'n/a': 'r' }, { 'n/a': 'r' }, [[]]])
    const [[level, message, fields] = assert.fail(), ...others] = lines
    assert.deepEqual(
      [level, message, others],
      ['error', 'the ConfigMap cannot be read; what it said before goes on counting', []],
    )
    const { error: said, ...rest } = fields as { readonly error: string }
    assert.deepEqual(rest, where)
    assert.match(said, error)
  })

for (const [count, told] of [
  [1, 1],
  [11, 10],
] as const)
  test(`of ${count} keys that name no ServiceAccount ${told} are told, each with 256 letters [F-09]`, async t => {
    const { cluster, lines, current } = await following(t)
    const names = Array.from({ length: count }, (_, index) => `${index}${'x'.repeat(300)}`)
    cluster.put('ConfigMap', key, saying({ ...Object.fromEntries(names.map(name => [name, 'r'])), 'n/a': 'r' }))
    await drain()
    assert.deepEqual(current(), { 'n/a': 'r' })
    const keys = names.slice(0, told).map(name => name.slice(0, 256))
    const message = 'keys that name no ServiceAccount are ignored; a key is namespace/name or */name'
    assert.deepEqual(lines, [['warn', message, { ...where, keys }]])
  })

for (const [version, uid, taken] of [
  ['99', 'u', false],
  ['100', 'u', false],
  ['101', 'u', true],
  ['not-a-number', 'u', true],
  ['99', 'made-anew', true],
] as const)
  test(`version ${version} of ${uid} after version 100 of u ${taken ? 'counts' : 'is left, and nobody is told'} [2.10.2]`, () => {
    const { source, changes, current } = sourceOf()
    source.learn(stored('100', { 'n/a': 'r' }))
    changes.splice(0)
    source.learn(stored(version, { 'n/a': 's' }, uid))
    assert.deepEqual([current(), changes], taken ? [{ 'n/a': 's' }, [['n/a']]] : [{ 'n/a': 'r' }, []])
  })

test('what a direct read brought is known, and is what the watch says only once the watch has brought it [S20]', async t => {
  const { cluster, source, changes, current, watched } = await following(t, { 'n/a': 'r' })
  cluster.hold()
  cluster.put('ConfigMap', key, saying({ 'n/a': 's' }))
  const newest = cluster.put('ConfigMap', key, saying({ 'n/a': 't' }))
  changes.splice(0)
  source.learn(newest)
  assert.deepEqual([current(), watched(), changes], [{ 'n/a': 't' }, { 'n/a': 'r' }, [['n/a']]])
  cluster.release()
  await drain()
  assert.deepEqual([current(), watched(), changes.length], [{ 'n/a': 't' }, { 'n/a': 't' }, 1])
})
