// What a manager starts, tells its controllers, counts and ends, on clusters in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, seededRandom, silentLog } from '#base'
import { configMaps, type KubeObject, leases, secrets } from '#kube'
import { renderClaimKey } from '../claim-key.ts'
import { type AnyController, type ControllerDefinition, defineController } from '../controller/definition.ts'
import { shardOf } from '../shards/shard-of.ts'
import { ScriptedCluster } from '../testing/scripted-cluster.ts'
import { settling } from '../testing/settling.ts'
import { createManager } from './manager.ts'
import type { ManagerOptions } from './options.ts'

const object = (name: string, namespace = 'a'): KubeObject => ({ apiVersion: 'v1', kind: 'X', metadata: { namespace, name } })

/** Claims are ConfigMaps; each look is noted, and nothing is decided. */
function controller(looks: string[], more: Partial<ControllerDefinition<undefined>> = {}): AnyController {
  return defineController<undefined>({
    name: 'things',
    claims: { type: configMaps },
    driftMs: 0,
    status: { kind: 'none' },
    reconciler: {
      observe: key => {
        looks.push(renderClaimKey(key))
        return undefined
      },
      decide: () => ({ actions: [], conditions: [], next: { kind: 'await-change' } }),
    },
    ...more,
  })
}

function managed(define: (looks: string[]) => readonly AnyController[], more: Partial<ManagerOptions> = {}) {
  const clock = new ManualClock()
  const hub = new ScriptedCluster()
  const looks: string[] = []
  const seams = { clock, random: seededRandom(1), log: silentLog }
  const manager = createManager({
    client: hub.client,
    seams,
    controllers: define(looks),
    identity: 'us',
    listing: 'pages',
    ...more,
  })
  const stop = new AbortController()
  let isOver = false
  const settle = settling(clock)
  return {
    clock,
    hub,
    looks,
    manager,
    settle,
    isOver: () => isOver,
    start: async () => {
      void manager.run(stop.signal).then(() => (isOver = true))
      await settle()
    },
    stop: async () => {
      stop.abort(new Error('enough'))
      await settle()
    },
    lines: (name: string) =>
      manager.metrics
        .expose()
        .split('\n')
        .filter(line => line.startsWith(`${name}{`)),
  }
}

test('a manager that runs alone works on each claim, is ready when all is listed, and ends with nothing left', async () => {
  const { hub, looks, manager, clock, settle, start, stop, isOver } = managed(looked => [controller(looked)])
  hub.put('configmaps', object('one'))
  await start()
  assert.deepEqual(looks, ['a/one'])
  assert.deepEqual(
    [...manager.live, ...manager.ready].map(({ name, check }) => [name, check()]),
    [
      ['ping', { ok: true }],
      ['caches', { ok: true }],
    ],
  )
  hub.put('configmaps', object('two'))
  await settle()
  assert.deepEqual(looks, ['a/one', 'a/two'])
  assert.deepEqual([manager.isOurs('any'), isOver()], [true, false])
  await manager.whenSynced(new AbortController().signal)
  await stop()
  assert.deepEqual([isOver(), clock.pendingCount()], [true, 0])
})

test('a controller waits for what it reads in the hub, and neither for what another one reads nor for what is in members', async () => {
  const other: ControllerDefinition<undefined>['watches'] = [{ type: secrets, toClaims: () => [] }]
  const looksOfOther: string[] = []
  const { hub, looks, manager, start, settle } = managed(looked => [
    controller(looked),
    controller(looksOfOther, { name: 'others', watches: other }),
    controller(looked, { name: 'away', claims: { type: secrets, on: 'targets' }, watches: [{ ...other[0]!, on: 'targets' }] }),
  ])
  hub.put('configmaps', object('one'))
  hub.answers.set('secrets', 'silence')
  const east = new ScriptedCluster()
  east.put('secrets', object('far'))
  manager.targets.join('east', east.client)
  await start()
  await settle()
  assert.deepEqual([looks.toSorted(), looksOfOther], [['a/one', 'east//a/far'], []])
  assert.equal(manager.ready[0]?.check().ok, false)
})

test('a change of what is watched is a reason to look at its claims, in the hub and in members', async () => {
  const told: string[] = []
  const watch = (on: 'hub' | 'targets') => ({
    type: secrets,
    on,
    toClaims: ({ metadata }: { metadata: { name: string } }, _world: unknown, cluster: string) => {
      told.push(`${cluster}/${metadata.name}`)
      return [{ namespace: 'a', name: `of-${metadata.name}` }]
    },
  })
  const { hub, looks, manager, start, settle } = managed(looked => [
    controller(looked, { watches: [watch('hub'), watch('targets')] }),
  ])
  const east = new ScriptedCluster()
  manager.targets.join('east', east.client)
  await start()
  hub.put('secrets', object('near'))
  east.put('secrets', object('far'))
  await settle()
  assert.deepEqual(told.toSorted(), ['/near', 'east/far'])
  assert.deepEqual(looks.toSorted(), ['a/of-far', 'a/of-near'])
})

test('a member that joins, falls silent for a minute or leaves is a reason to look at the claims that say so', async () => {
  const concerns = (what: string) => (cluster: string) => [{ namespace: what, name: cluster }]
  const { looks, manager, start, settle } = managed(looked => [
    controller(looked, {
      watches: [{ type: secrets, on: 'targets', toClaims: () => [] }],
      toClaimsOfCluster: concerns('changed'),
      toClaimsOfAway: concerns('away'),
    }),
  ])
  await start()
  const east = new ScriptedCluster()
  manager.targets.join('east', east.client)
  await settle()
  assert.deepEqual(looks.splice(0), ['changed/east'])
  const error = new Error('a fault')
  east.answers.set('secrets', error)
  east.cut('secrets', error)
  for (let second = 0; second < 59; second++) await settle(1_000)
  assert.deepEqual(looks, [])
  for (let second = 0; second < 5; second++) await settle(1_000)
  assert.deepEqual(looks.splice(0), ['away/east'])
  manager.targets.leave('east')
  await settle()
  assert.deepEqual(looks, ['changed/east'])
})

test('whoever met a member that was being listed looks again when it is, and when it left instead', async () => {
  for (const what of ['is listed', 'leaves'] as const) {
    const found: string[] = []
    const { hub, manager, start, settle } = managed(() => [
      controller([], {
        watches: [{ type: secrets, on: 'targets', toClaims: () => [] }],
        reconciler: {
          observe: (_key, world) => {
            const east = world.cluster('east')
            found.push(east === undefined ? 'gone' : 'there')
            east?.list(secrets)
            return undefined
          },
          decide: () => ({ actions: [], conditions: [], next: { kind: 'await-change' } }),
        },
      }),
    ])
    hub.put('configmaps', object('one'))
    const east = new ScriptedCluster()
    const error = new Error('a fault')
    east.answers.set('secrets', error)
    manager.targets.join('east', east.client)
    await start()
    assert.deepEqual(found, ['there'], what)
    if (what === 'leaves') manager.targets.leave('east')
    east.answers.clear()
    await settle(what === 'leaves' ? 0 : 1_000)
    assert.deepEqual(found, ['there', what === 'leaves' ? 'gone' : 'there'], what)
  }
})

test('companions work while the manager does, and hear of each pass before whoever started it', async () => {
  const told: string[] = []
  const companion = {
    name: 'hints',
    run: (_context: unknown, signal: AbortSignal) =>
      new Promise<void>(resolve => {
        told.push('begins')
        signal.addEventListener('abort', () => {
          told.push('ends')
          resolve()
        })
      }),
    onPass: () => void told.push('companion'),
  }
  const { hub, start, stop } = managed(looked => [controller(looked)], {
    companions: [companion],
    onPass: () => void told.push('starter'),
  })
  hub.put('configmaps', object('one'))
  await start()
  await stop()
  assert.deepEqual(told, ['begins', 'companion', 'starter', 'ends'])
})

test('what the caches hold is told by cluster and kind, and by operator where there are several', async () => {
  for (const name of [undefined, 'roles']) {
    const { hub, manager, lines, start, settle } = managed(
      looked => [controller(looked, { watches: [{ type: secrets, on: 'targets', toClaims: () => [] }] })],
      name === undefined ? {} : { name },
    )
    for (const each of ['one', 'two', 'three']) hub.put('configmaps', object(each))
    const east = new ScriptedCluster()
    manager.targets.join('east', east.client)
    await start()
    const error = new Error('a fault')
    east.answers.set('secrets', error)
    east.cut('secrets', error)
    await settle()
    await settle(2_500)
    hub.put('configmaps', object('three'))
    await settle()
    const own = name === undefined ? '' : `operator="${name}",`
    const near = `{${own}cluster="hub",resource="configmaps"}`
    const far = `{${own}cluster="east",resource="secrets"}`
    assert.deepEqual(lines('vouch_informer_objects'), [`vouch_informer_objects${near} 3`, `vouch_informer_objects${far} 0`])
    assert.deepEqual(lines('vouch_informer_lists_total'), [
      `vouch_informer_lists_total${near} 1`,
      `vouch_informer_lists_total${far} 1`,
    ])
    assert.deepEqual(lines('vouch_informer_events_total'), [
      `vouch_informer_events_total${near} 1`,
      `vouch_informer_events_total${far} 0`,
    ])
    assert.deepEqual(lines('vouch_informer_behind_seconds'), [
      `vouch_informer_behind_seconds${near} 0`,
      `vouch_informer_behind_seconds${far} 2.5`,
    ])
    assert.deepEqual(lines('controller_runtime_max_concurrent_reconciles'), [
      'controller_runtime_max_concurrent_reconciles{controller="things"} 10',
    ])
  }
})

const lease = { namespace: 'default', name: 'vouch' }
const times = { leaseDurationMs: 14_000, fenceMs: 3_500, renewMs: 1_000 }

test('with an election nothing is worked on before this process leads, and that it leads is told', async () => {
  const { hub, looks, lines, manager, start, settle, stop, isOver } = managed(looked => [controller(looked)], {
    election: { lease, ...times },
  })
  const status = 'leader_election_master_status'
  hub.put('configmaps', object('one'))
  const spec = { holderIdentity: 'them', leaseDurationSeconds: 5 }
  hub.put('leases', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: lease, spec } as KubeObject)
  await start()
  assert.deepEqual([looks, lines(status)], [[], [`${status}{name="vouch"} 0`]])
  assert.equal(manager.isOurs('any'), true)
  for (let second = 0; second < 7; second++) await settle(1_000)
  assert.deepEqual([looks, lines(status)], [['a/one'], [`${status}{name="vouch"} 1`]])
  await stop()
  assert.deepEqual([isOver(), lines(status)], [true, [`${status}{name="vouch"} 0`]])
})

test('with shards claims are worked on whose shard is held, and what this process shares is told', async () => {
  const { hub, looks, lines, manager, start, settle, stop, isOver, clock } = managed(looked => [controller(looked)], {
    election: { lease, ...times, shards: 4 },
  })
  const changes: boolean[] = []
  manager.onShareChanged(() => changes.push(manager.isOurs('a')))
  for (const namespace of ['a', 'b', 'c', 'd', 'e']) hub.put('configmaps', object(`in-${namespace}`, namespace))
  assert.equal(manager.isOurs('a'), false)
  await start()
  for (let second = 0; second < 3; second++) await settle(1_000)
  assert.deepEqual(looks.toSorted(), ['a/in-a', 'b/in-b', 'c/in-c', 'd/in-d', 'e/in-e'], 'each once')
  assert.deepEqual([manager.isOurs('a'), changes.length, changes.at(-1)], [true, 4, true])
  assert.deepEqual(lines('vouch_shards_held'), ['vouch_shards_held{name="vouch"} 4'])
  assert.deepEqual(lines('vouch_shard_members'), ['vouch_shard_members{name="vouch"} 1'])
  const status = 'leader_election_master_status'
  const of = (shard: number, held: number): string => `${status}{name="vouch-shard-${shard}-of-4"} ${held}`
  assert.deepEqual(
    lines(status).toSorted(),
    [0, 1, 2, 3].map(shard => of(shard, 1)),
  )
  await stop()
  for (let turn = 0; turn < 5; turn++) await settle()
  assert.deepEqual([isOver(), clock.pendingCount(), changes.at(-1)], [true, 0, false])
  assert.deepEqual(
    lines(status).toSorted(),
    [0, 1, 2, 3].map(shard => of(shard, 0)),
  )
  assert.deepEqual(hub.names(leases.plural), ['vouch', ...[0, 1, 2, 3].map(shard => `vouch-shard-${shard}-of-4`)])
})

test('before all is listed shards are taken after ten seconds only: what is missing may be so for good', async () => {
  const { hub, settle, start, manager } = managed(looked => [controller(looked)], { election: { lease, ...times, shards: 2 } })
  hub.answers.set('configmaps', new Error('a fault'))
  await start()
  await settle(9_999)
  assert.deepEqual(hub.names('leases'), [])
  await settle(1)
  await settle()
  assert.equal(manager.isOurs('a'), true)
})

test('whoever gets a shard back looks at the claims that it knows of it, of the hub and of members, and at no others', async () => {
  const inShard = (shard: number, prefix: string): string => {
    const names = Array.from({ length: 20 }, (_, index) => `${prefix}-${index}`)
    return names.find(name => shardOf(name, 2) === shard) ?? ''
  }
  const [here, there, east] = [inShard(0, 'team'), inShard(1, 'team'), inShard(0, 'cluster')]
  const { hub, looks, manager, settle, start } = managed(
    looked => [controller(looked), controller(looked, { name: 'far', claims: { type: secrets, on: 'targets' } })],
    { election: { lease, ...times, shards: 2 } },
  )
  for (const namespace of [here, there]) hub.put('configmaps', object(`in-${namespace}`, namespace))
  const member = new ScriptedCluster()
  member.put('secrets', object('far'))
  manager.targets.join(east, member.client)
  await start()
  for (let second = 0; second < 3; second++) await settle(1_000)
  assert.deepEqual(new Set(looks), new Set([`${here}/in-${here}`, `${there}/in-${there}`, `${east}//a/far`]))
  const held = hub.find('leases', 'vouch-shard-0-of-2') as unknown as KubeObject
  hub.put('leases', { ...held, spec: { holderIdentity: 'them', leaseDurationSeconds: 600 } } as KubeObject)
  await settle(1_000)
  assert.deepEqual([manager.isOurs(here), manager.isOurs(there)], [false, true])
  looks.length = 0
  hub.remove('leases', 'vouch-shard-0-of-2')
  for (let second = 0; second < 3; second++) await settle(1_000)
  assert.deepEqual(looks.toSorted(), [`${east}//a/far`, `${here}/in-${here}`].toSorted())
})

test('a stop before all is listed is no defect, and one of a companion is', async () => {
  const waiting = managed(looked => [controller(looked)])
  waiting.hub.answers.set('configmaps', new Error('a fault'))
  await waiting.start()
  await waiting.stop()
  assert.deepEqual([waiting.isOver(), waiting.clock.pendingCount()], [true, 0])
  const companion = { name: 'broken', run: () => Promise.reject(new Error('a defect')) }
  const { manager, clock } = managed(() => [], { companions: [companion] })
  await assert.rejects(manager.run(new AbortController().signal), /a defect/)
  assert.equal(clock.pendingCount(), 0)
})

test('a manager is not over before its caches are', async () => {
  const { hub, start, stop, isOver } = managed(looked => [controller(looked)])
  hub.answers.set('configmaps', 'silence')
  await start()
  await stop()
  assert.equal(isOver(), false)
})
