// What a process says of its clusters, by what their servers answer: whether the hub is known, whether a member can be written to, and what is
// cached of an object.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, seededRandom, silentLog } from '#base'
import { configMaps, type KubeObject, secrets } from '#kube'
import { KubeError } from '#kube/client'
import { ScriptedCluster } from '../testing/scripted-cluster.ts'
import { Clusters } from './clusters.ts'
import type { ManagerOptions } from './options.ts'

const unreachable = new KubeError('unreachable', 'nobody answers', {})
const missing = new KubeError('refused', 'no such kind', { httpStatus: 404 })
const forbidden = new KubeError('unauthenticated', 'who are you', { httpStatus: 401 })
const key = { namespace: 'a', name: 'one' }

function object(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a', name } }
}

/** Has one ConfigMap, in version 11. */
function cluster(): ScriptedCluster {
  const made = new ScriptedCluster()
  made.put('configmaps', object('one'))
  return made
}

function world(controllers: ManagerOptions['controllers'] = []) {
  const clock = new ManualClock()
  const hub = cluster()
  const seams = { clock, random: seededRandom(1), log: silentLog }
  let back = 0
  const options = { client: hub.client, seams, controllers, identity: 'us', listing: 'pages' } as const
  const clusters = new Clusters(options, () => back++)
  const stop = new AbortController()
  const settle = async (ms = 0): Promise<void> => {
    await clock.advance(ms)
    await drain()
  }
  return {
    clusters,
    hub,
    stop,
    settle,
    back: () => back,
    start: async () => {
      clusters.start(stop.signal)
      await settle()
    },
    /** A member of which ConfigMaps are followed. */
    join: (name: string) => {
      const member = cluster()
      clusters.targets.join(name, member.client)
      return member
    },
    followed: () => clusters.targets.want({ source: { type: configMaps }, listener: () => {} }),
  }
}

test('the hub is written to without a name, a member by its own, and one that is not there not at all', () => {
  const { clusters, hub, join } = world()
  const { client } = join('east')
  assert.deepEqual([clusters.target(undefined)?.cluster, clusters.target(undefined)?.client], [undefined, hub.client])
  assert.deepEqual([clusters.target('east')?.cluster, clusters.target('east')?.client], ['east', client])
  assert.equal(clusters.target('west'), undefined)
})

test('a process is ready when each kind of the hub was listed once, and says which was not and why', async () => {
  const { clusters, hub, start, settle, back } = world()
  clusters.hub.want({ type: configMaps })
  clusters.hub.want({ type: secrets })
  hub.answers.set('secrets', 'silence')
  assert.deepEqual(clusters.readiness(), { ok: true }, 'nothing is followed yet')
  await start()
  assert.deepEqual(clusters.readiness(), { ok: false, why: 'secrets has not been listed yet (starting: not started)' })
  assert.equal(back(), 1, 'the other one is there')
  const second = world()
  second.clusters.hub.want({ type: configMaps })
  second.hub.answers.set('configmaps', unreachable)
  await second.start()
  assert.deepEqual(second.clusters.readiness(), {
    ok: false,
    why: 'configmaps has not been listed yet (unreachable: nobody answers)',
  })
  second.hub.answers.clear()
  await second.settle(1_000)
  assert.deepEqual([second.clusters.readiness(), second.back()], [{ ok: true }, 1])
  await settle()
})

const down = (why: string) => ({ reason: 'DependencyDown', message: `cluster east does not answer as it should (${why})` })

for (const [what, answer, unavailable] of [
  ['is followed', undefined, undefined],
  ['is being listed', 'silence', { reason: 'CacheStarting', message: 'cluster east is being listed' }],
  ['cannot be reached', unreachable, down('unreachable')],
  ['does not know us', forbidden, down('unauthenticated')],
  ['fails', new Error('a fault'), down('error')],
  ['does not have the kind', missing, undefined],
] as const)
  test(`a member that ${what} from the start is ${unavailable === undefined ? 'written to' : 'not written to, and it is said why'}`, async () => {
    const { clusters, start, join, followed } = world()
    followed()
    const east = join('east')
    if (answer !== undefined) east.answers.set('configmaps', answer)
    await start()
    assert.deepEqual(clusters.target('east')?.unavailable(), unavailable)
  })

test('a member whose stream broke is written to for five seconds more, since as a rule it stands again by then', async () => {
  const { clusters, start, settle, join, followed } = world()
  followed()
  const east = join('east')
  await start()
  east.answers.set('configmaps', unreachable)
  east.cut('configmaps', unreachable)
  await settle()
  const unavailable = () => clusters.target('east')?.unavailable()
  assert.equal(unavailable(), undefined)
  await settle(5_000)
  assert.equal(unavailable(), undefined)
  await settle(1)
  assert.deepEqual(unavailable(), down('unreachable'))
  east.answers.clear()
  await settle(60_000)
  assert.equal(unavailable(), undefined)
})

test('the hub is always tried: without it nothing could be said of anything', async () => {
  const { clusters, hub, start } = world()
  clusters.hub.want({ type: configMaps })
  hub.answers.set('configmaps', unreachable)
  await start()
  assert.equal(clusters.target(undefined)?.unavailable(), undefined)
})

for (const [what, source, found, absent] of [
  ['is cached whole', { type: configMaps }, 'present', 'absent'],
  ['is cached in part', { type: configMaps, metadataOnly: true }, 'present in part', 'absent'],
  ['is cached of some', { type: configMaps, labelSelector: 'a=b' }, 'present', 'unwatched'],
  ['is cached by names', { type: configMaps, names: ['one'] }, 'present', 'unwatched'],
  ['is not cached', { type: secrets }, 'unwatched', 'unwatched'],
] as const)
  test(`of a kind that ${what} an object is ${found} or ${absent}`, async () => {
    const { clusters, start } = world()
    clusters.hub.want(source)
    const target = clusters.target(undefined)
    assert.deepEqual(target?.cached(configMaps, key), { kind: 'unwatched' }, 'before the first list nobody knows')
    await start()
    const said = (name: string): string | undefined => {
      const cached = target?.cached(configMaps, { ...key, name })
      if (cached?.kind !== 'present') return cached?.kind
      assert.equal(cached.object.metadata.name, name)
      return cached.partial ? 'present in part' : 'present'
    }
    assert.deepEqual([said('one'), said('other')], [found, absent])
  })

test('a write is followed by the cache of its kind until it comes, and by nobody where that has ended or never was', async () => {
  const { clusters, hub, start, settle, stop } = world()
  clusters.hub.want({ type: configMaps })
  await start()
  const target = clusters.target(undefined)
  assert.equal(target?.follow(secrets, key), undefined)
  const follower = target?.follow(configMaps, key)
  const written = { kind: 'there', ...key, version: '12' } as const
  const reached: string[] = []
  follower?.whenReached(written, () => reached.push('reached'))
  assert.deepEqual([follower?.hasReached({ ...written, version: '11' }), follower?.hasReached(written)], [true, false])
  hub.put('configmaps', object('one'))
  await settle()
  assert.deepEqual([reached, follower?.hasReached(written), follower?.isOver?.()], [['reached'], true, false])
  follower?.relist('in doubt')
  await settle()
  assert.deepEqual(hub.listed, ['configmaps', 'configmaps'])
  hub.cut('configmaps', unreachable)
  hub.answers.set('configmaps', unreachable)
  await settle()
  assert.notEqual(target?.follow(configMaps, key), undefined, 'one that is behind comes back')
  assert.equal(follower?.isOver?.(), false)
  stop.abort(new Error('enough'))
  await clusters.stopped()
  assert.deepEqual([follower?.isOver?.(), target?.follow(configMaps, key)], [true, undefined])
})

test('decisions are refused what is not whole, mappings are not, and a cluster without a name is the hub', async () => {
  const { clusters, hub, start } = world()
  clusters.hub.want({ type: configMaps })
  hub.answers.set('configmaps', 'silence')
  clusters.targets.want({ source: { type: configMaps }, listener: () => {} })
  const east = cluster()
  clusters.targets.join('east', east.client)
  await start()
  assert.throws(() => clusters.world.list(configMaps), /not whole yet/)
  assert.deepEqual(clusters.mappingWorld.list(configMaps), [])
  assert.equal(clusters.world.cluster(''), clusters.world)
  assert.equal(clusters.world.cluster('west'), undefined)
  assert.deepEqual(
    clusters.world
      .cluster('east')
      ?.list(configMaps)
      .map(({ metadata }) => metadata.name),
    ['one'],
  )
})

test('of the fields that others set nothing is kept, and of each controller what it sets under its own name', async () => {
  const named = [{ name: 'plain' }, { name: 'other', fieldManager: 'its-own' }]
  const { clusters, hub, start } = world(named as unknown as ManagerOptions['controllers'])
  clusters.hub.want({ type: configMaps })
  const managedFields = ['plain', 'other', 'its-own', 'kubectl'].map(manager => ({ manager, fieldsV1: { 'f:data': {} } }))
  hub.put('configmaps', { ...object('one'), metadata: { ...object('one').metadata, managedFields } } as KubeObject)
  await start()
  const cached = clusters.target(undefined)?.cached(configMaps, key)
  assert.ok(cached?.kind === 'present')
  assert.deepEqual(
    cached.object.metadata.managedFields?.map(({ manager }) => manager),
    ['plain', 'its-own'],
  )
})
