// Replicas that share the work, each a process, on the real kube-apiserver: one joins, one is killed, one is stopped by the system and goes on.
// What each of them does is seen by a watch of the server: a copy is written once for each time somebody asks.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLog, systemSeams } from '#base'
import { configMaps, customResourceDefinitions, type KubeObject, leases, namespaces, type StoredObject } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import type { Lease } from '#runtime'
import { shardLeaseName } from '../../src/runtime/shards/lease-names.ts'
import { greeting, greetingCrd, greetings } from '../../src/runtime/testing/greeting.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { comesAbout } from './eventually.ts'
import type { ReplicaStart } from './shards/replica.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()
const lease = { namespace: 'default', name: 'sharer' }
const shards = 6
const times = { leaseDurationMs: 8_000, fenceMs: 2_000, renewMs: 600, restMs: 4_000 }
const places = Array.from({ length: 18 }, (_, index) => `place-${index}`)
/** Generous: this machine does other things as well. */
const withinMs = 120_000

describe('replicas that share the work on the real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  const replicas = new Map<string, ChildProcess>()
  /** What the server tells of each copy. */
  const written = new Map<string, number>()
  const watching = new AbortController()
  let watched: Promise<void> = Promise.resolve()
  let plane: ControlPlane
  let client: KubeClient

  before(async () => {
    plane = await startControlPlane({ etcd: (await sharedControlPlane()).etcd })
    client = (await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [plane.kubeconfig], userAgent: 'test' })).client
    for (const name of places) await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await client.create(customResourceDefinitions, greetingCrd)
    await comesAbout(
      () =>
        client.list(greetings).then(
          () => true,
          () => false,
        ),
      () => 'the kind is served',
      withinMs,
    )
    const { metadata } = await client.list(configMaps)
    watched = watch(metadata.resourceVersion ?? '')
  })

  after(async () => {
    for (const replica of replicas.values()) replica.kill('SIGKILL')
    watching.abort(new Error('the test is over'))
    await watched
    await client?.close()
    await plane?.stop()
  })

  test('one that joins gets its share and no more, and each shard is one replica’s', async () => {
    start('a')
    await sharedAs({ a: 6 })
    start('b')
    await sharedAs({ a: 3, b: 3 })
    const before = await holders()
    start('c')
    await sharedAs({ a: 2, b: 2, c: 2 })
    const moved = (await holders()).filter((holder, shard) => holder !== before[shard])
    assert.deepEqual(moved, ['c', 'c'])
    await ask('first')
    await isDoneOnce('first')
  })

  test('what one that is killed had is taken over when its leases have run out, and written once [B14]', async () => {
    await end('c', 'SIGKILL')
    await ask('orphaned')
    await isDoneOnce('orphaned')
    await sharedAs({ a: 3, b: 3 })
  })

  test('one that is stopped by the system writes nothing when it goes on, and gets its share again [B14, F3]', async () => {
    replicas.get('b')?.kill('SIGSTOP')
    await sharedAs({ a: 6 })
    await ask('meanwhile')
    await isDoneOnce('meanwhile')
    replicas.get('b')?.kill('SIGCONT')
    await sharedAs({ a: 3, b: 3 })
    await ask('after')
    await isDoneOnce('after')
    await isDoneOnce('meanwhile')
  })

  test('one that divides the work otherwise waits for the last of the others', async () => {
    start('d', 2)
    await end('a', 'SIGTERM')
    await sharedAs({ b: 6 })
    assert.equal((await holders(2)).filter(holder => holder !== '').length, 0)
    await end('b', 'SIGTERM')
    await comesAbout(
      async () => (await holders(2)).every(holder => holder === 'd'),
      async () => `d holds two shards; they are ${(await holders(2)).join()}`,
      withinMs,
    )
    await ask('last')
    await isDoneOnce('last')
  })

  function start(identity: string, count = shards): void {
    const order: ReplicaStart = { identity, kubeconfig: plane.kubeconfig, lease, shards: count, times }
    const path = join(import.meta.dirname, 'shards', 'replica.ts')
    replicas.set(identity, fork(path, [JSON.stringify(order)], { execArgv: ['--disable-warning=ExperimentalWarning'] }))
  }

  async function end(identity: string, signal: NodeJS.Signals): Promise<void> {
    const replica = replicas.get(identity)
    assert.ok(replica)
    replicas.delete(identity)
    const gone = once(replica, 'exit')
    replica.kill(signal)
    await gone
  }

  /** For each shard, who holds it by its lease. */
  async function holders(count = shards): Promise<readonly string[]> {
    const { items } = await client.list<Lease & StoredObject>(leases, { namespace: lease.namespace })
    return Array.from({ length: count }, (_, shard) => {
      const name = shardLeaseName({ ...lease, count }, shard)
      return items.find(({ metadata }) => metadata.name === name)?.spec.holderIdentity ?? ''
    })
  }

  async function sharedAs(wanted: Readonly<Record<string, number>>): Promise<void> {
    const counted = async (): Promise<string> => {
      const held = await holders()
      return [...new Set(held)]
        .map(name => `${name}: ${held.filter(holder => holder === name).length}`)
        .sort()
        .join()
    }
    const expected = Object.entries(wanted)
      .map(([name, count]) => `${name}: ${count}`)
      .sort()
      .join()
    await comesAbout(
      async () => (await counted()) === expected,
      async () => `${expected}; it is ${await counted()}`,
      withinMs,
    )
  }

  async function ask(name: string): Promise<void> {
    for (const namespace of places) {
      const claim = greeting(name)
      await client.create(greetings, { ...claim, metadata: { ...claim.metadata, namespace } })
    }
  }

  async function isDoneOnce(name: string): Promise<void> {
    const times = (): readonly number[] => places.map(place => written.get(`${place}/${name}`) ?? 0)
    await comesAbout(
      () => Promise.resolve(times().every(count => count > 0)),
      () => `each place has its copy; they were written ${times().join()}`,
      withinMs,
    )
    assert.deepEqual(new Set(times()), new Set([1]))
  }

  async function watch(resourceVersion: string): Promise<void> {
    try {
      for await (const event of client.watch<KubeObject>(configMaps, { resourceVersion, signal: watching.signal })) {
        if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
        const key = `${event.object.metadata.namespace}/${event.object.metadata.name}`
        written.set(key, (written.get(key) ?? 0) + 1)
      }
    } catch (error) {
      if (!watching.signal.aborted) throw error
    }
  }
})
