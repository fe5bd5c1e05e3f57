// Who joins and leaves, who hears of it, and which silence counts, with members in memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, seededRandom, silentLog } from '#base'
import { configMaps, type KubeObject, secrets } from '#kube'
import { KubeError } from '#kube/client'
import { ScriptedCluster } from '../testing/scripted-cluster.ts'
import { settling } from '../testing/settling.ts'
import { TargetClusters } from './target-clusters.ts'

const missing = new KubeError('refused', 'no such kind', { httpStatus: 404 })
const fault = new Error('a fault')

function world() {
  const clock = new ManualClock()
  const told: string[] = []
  const moves: string[] = []
  const targets = new TargetClusters({
    clock,
    random: seededRandom(1),
    log: silentLog,
    fieldManagers: [],
    listing: 'pages',
    onMove: ({ cache, change }) => void moves.push(`${cache}: ${change.object.metadata.name}`),
  })
  targets.onChange((cluster, event) => void told.push(`${cluster} ${event}`))
  targets.onBack(cluster => void told.push(`${cluster} is back`))
  targets.onAway(cluster => void told.push(`${cluster} is away`))
  const stop = new AbortController()
  const settle = settling(clock)
  const member = (): ScriptedCluster => {
    const made = new ScriptedCluster()
    made.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a', name: 'one' } } as KubeObject)
    return made
  }
  return { clock, targets, told, moves, stop, settle, member, start: () => targets.start(stop.signal) }
}

test('a member may join before the start and after it, and is told once however often it joins with the same client', async () => {
  const { targets, told, moves, settle, member, start } = world()
  targets.want({
    source: { type: configMaps },
    listener: (cluster, { object }) => void told.push(`${cluster} has ${object.metadata.name}`),
  })
  const [west, east] = [member(), member()]
  targets.join('west', west.client)
  await settle()
  assert.deepEqual(told.splice(0), ['west joined'])
  start()
  await settle()
  assert.deepEqual(told.splice(0), ['west has one', 'west is back'])
  for (let time = 0; time < 2; time++) targets.join('east', east.client)
  await settle()
  assert.deepEqual(told.splice(0), ['east joined', 'east has one', 'east is back'])
  assert.deepEqual(
    [targets.names(), [...targets.members()].map(([name]) => name)],
    [
      ['east', 'west'],
      ['west', 'east'],
    ],
  )
  targets.join('west', member().client)
  await settle()
  assert.deepEqual(told.splice(0), ['west left', 'west joined', 'west has one', 'west is back'])
  assert.deepEqual(
    moves.map(move => move.replace(/^(\S+) .* (of join \d+: \S+)$/, '$1 $2')),
    ['west of join 1: one', 'east of join 2: one', 'west of join 3: one'],
  )
})

test('what is to be followed is said before the start, and a member has a name like those of Kubernetes', () => {
  const { targets, member, start } = world()
  start()
  assert.throws(() => targets.want({ source: { type: configMaps }, listener: () => {} }), /were started already/)
  for (const name of ['', 'East', '-east', 'east-', 'a/b', 'x'.repeat(254)])
    assert.throws(() => targets.join(name, member().client), /no name for a cluster/, name)
  for (const name of ['e', 'east.example', 'x'.repeat(253)]) targets.join(name, member().client)
  assert.equal(targets.names().length, 3)
})

test('whoever reads of a member is refused what is not whole, unless a guess will do, and knows the others by their names', async () => {
  const { targets, settle, member, start } = world()
  targets.want({ source: { type: configMaps }, listener: () => {} })
  const [east, west] = [member(), member()]
  east.answers.set('configmaps', 'silence')
  targets.join('east', east.client)
  targets.join('west', west.client)
  start()
  await settle()
  for (const reads of [targets.reads('east'), targets.reads('east', true), targets.reads('west')?.cluster('east')])
    assert.throws(() => reads?.list(configMaps), /not whole yet/)
  for (const reads of [targets.reads('east', false), targets.reads('west', false)?.cluster('east')])
    assert.deepEqual(reads?.list(configMaps), [])
  assert.deepEqual([targets.reads('north'), targets.caches('north')], [undefined, undefined])
  assert.equal(targets.reads('west')?.list(configMaps).length, 1)
})

for (const [what, ofConfigMaps, ofSecrets, isAway] of [
  ['both kinds are followed', undefined, undefined, false],
  ['one of two kinds cannot be followed', fault, undefined, true],
  ['the other one cannot be followed', undefined, fault, true],
  ['a kind is not there', missing, undefined, false],
  ['one is not there and the other cannot be followed', missing, fault, true],
] as const)
  test(`a member is ${isAway ? 'away after a minute' : 'not away'} where ${what}`, async () => {
    const { targets, told, settle, member, start } = world()
    for (const type of [configMaps, secrets]) targets.want({ source: { type }, listener: () => {} })
    const east = member()
    for (const [plural, answer] of [
      ['configmaps', ofConfigMaps],
      ['secrets', ofSecrets],
    ] as const)
      if (answer !== undefined) east.answers.set(plural, answer)
    targets.join('east', east.client)
    start()
    await settle()
    told.length = 0
    for (let second = 0; second < 62; second++) await settle(1_000)
    assert.deepEqual(told, isAway ? ['east is away'] : [])
    east.answers.clear()
    for (let second = 0; second < 60; second++) await settle(1_000)
    assert.deepEqual([...new Set(told.slice(isAway ? 1 : 0))], (ofConfigMaps ?? ofSecrets) ? ['east is back'] : [])
  })

test('a member that was away and came back is told when it is away again', async () => {
  const { targets, told, settle, member, start } = world()
  targets.want({ source: { type: configMaps }, listener: () => {} })
  const east = member()
  targets.join('east', east.client)
  start()
  await settle()
  for (const times of [1, 2]) {
    east.answers.set('configmaps', fault)
    east.cut('configmaps', fault)
    for (let second = 0; second < 65; second++) await settle(1_000)
    assert.equal(told.filter(each => each === 'east is away').length, times)
    east.answers.clear()
    for (let second = 0; second < 60; second++) await settle(1_000)
  }
})

test('an end waits for the caches of members, and of those that left', async () => {
  for (const leaves of [false, true]) {
    const { targets, settle, member, start, stop, clock } = world()
    targets.want({ source: { type: configMaps }, listener: () => {} })
    const east = member()
    east.answers.set('configmaps', 'silence')
    targets.join('east', east.client)
    targets.join('west', member().client)
    start()
    await settle()
    if (leaves) targets.leave('east')
    let isOver = false
    stop.abort(new Error('enough'))
    void targets.stopped().then(() => (isOver = true))
    await settle()
    assert.deepEqual([isOver, clock.pendingCount()], [false, 0], leaves ? 'one that left' : 'one that is there')
  }
  const { targets, settle, member, start, stop } = world()
  targets.want({ source: { type: configMaps }, listener: () => {} })
  targets.join('west', member().client)
  start()
  await settle()
  stop.abort(new Error('enough'))
  await targets.stopped()
  await settle()
})
