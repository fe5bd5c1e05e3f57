import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, seededRandom, silentLog } from '#base'
import { customResourceDefinitions, type ResourceType, type StoredObject } from '#kube'
import { type KubeClient, KubeError, type ListOptions } from '#kube/client'
import type { CachesOptions } from './caches.ts'
import { Caches } from './caches.ts'
import { ScriptedStream } from './scripted-server.fixture.ts'
import { indexBy } from './source.ts'

const type = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }
const names = (object: StoredObject): StoredObject => object
const others = (object: StoredObject): StoredObject => object

for (const [what, wants, isPartial] of [
  ['nobody', [], false],
  ['one who needs it whole', [{}], false],
  ['one who needs a part', [{ project: names }], true],
  ['two who need the same part', [{ project: names }, { project: names }], true],
  ['two who need different parts', [{ project: names }, { project: others }], false],
  ['one who needs a part and one who needs it whole', [{ project: names }, {}], false],
  ['one who needs its metadata', [{ metadataOnly: true }], true],
] as const)
  test(`of a kind that is asked for by ${what} the cache keeps ${isPartial ? 'less than' : 'not less than'} the whole`, () => {
    const caches = new Caches({
      client: {} as never,
      clock: new ManualClock(),
      random: seededRandom(1),
      log: silentLog,
      fieldManagers: [],
    })
    for (const want of wants) caches.want({ type, ...want })
    assert.equal(caches.isPartial(type), isPartial)
  })

const gears: ResourceType = { group: 'example.com', version: 'v1', kind: 'Gear', plural: 'gears', namespaced: true }

function object(name: string, resourceVersion = '5'): StoredObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'team', name, uid: `uid-${name}`, resourceVersion } }
}

/** A server that has these objects of each kind, and answers lists as the test says. */
function serving(options: Partial<CachesOptions> = {}) {
  const clock = new ManualClock()
  const asked: string[] = []
  const listed: ListOptions[] = []
  const streams = new Map<string, ScriptedStream>()
  /** By plural name: what a list answers, where it is not empty. */
  const answers = new Map<string, Promise<readonly StoredObject[]> | KubeError>()
  const client: Pick<KubeClient, 'address' | 'list' | 'watch'> = {
    address: 'scripted',
    list: async ({ plural }, options) => {
      asked.push(`${plural} ${options?.namespace ?? ''} ${options?.fieldSelector ?? ''}`.trim())
      listed.push(options ?? {})
      const answer = answers.get(plural)
      if (answer instanceof KubeError) throw answer
      const items = (await answer) ?? []
      return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '10' }, items } as never
    },
    watch: ({ plural }, options) => {
      const stream = new ScriptedStream(options ?? {})
      streams.set(plural, stream)
      options?.onOpened?.()
      return stream as never
    },
  }
  const caches = new Caches({
    client: client as KubeClient,
    clock,
    random: seededRandom(1),
    log: silentLog,
    fieldManagers: [],
    listing: 'pages',
    ...options,
  })
  const stop = new AbortController()
  return { caches, clock, asked, listed, streams, answers, stop, start: () => caches.start(stop.signal) }
}

/** Whether a promise is fulfilled, rejected or open by now. */
async function fate(promise: Promise<unknown>): Promise<string> {
  let is = 'open'
  promise.then(
    () => (is = 'done'),
    (error: Error) => (is = error.message),
  )
  await drain()
  return is
}

const missing = new KubeError('refused', 'no such kind', { httpStatus: 404 })

test('kinds are asked for before the start, and started once', async () => {
  const { caches, start } = serving()
  await caches.stopped()
  caches.want({ type })
  start()
  assert.throws(() => caches.want({ type }), /asked for twice/)
  assert.throws(start, /started twice/)
})

test('one name is for one index, and who asks for the same one again gets it', () => {
  const { caches } = serving()
  const byName = indexBy(({ metadata }) => [metadata.name])
  caches.want({ type, indexes: { byName } })
  caches.want({ type, indexes: { byName } })
  assert.throws(() => caches.want({ type, indexes: { byName: indexBy(() => []) } }), /two indexes have one name/)
})

for (const [what, wants, isAsleep] of [
  ['who reads it one day', [{ whenRead: true }], true],
  ['two who read it one day', [{ whenRead: true }, { whenRead: true }], true],
  ['who follows it', [{}], false],
  ['one who reads it one day and one who follows it', [{ whenRead: true }, {}], false],
  ['one who follows it and one who reads it one day', [{}, { whenRead: true }], false],
] as const)
  test(`a kind that is wanted by ${what} is ${isAsleep ? 'followed once it is read, and once' : 'followed from the start'}`, async () => {
    const { caches, asked, start } = serving()
    for (const want of wants) caches.want({ type, ...want })
    start()
    await drain()
    assert.equal(asked.length, isAsleep ? 0 : 1)
    assert.equal(caches.isSynced(type), !isAsleep)
    await drain()
    assert.deepEqual([asked.length, caches.isSynced(type), caches.behindMs(type)], [1, true, 0])
    caches.requireSynced(type)
  })

test('a kind that nobody asked for is whole, followed by nobody and never behind, and cannot be read', () => {
  const { caches } = serving()
  assert.deepEqual(
    [caches.isSynced(type), caches.behindMs(type), caches.informersOf(type), caches.has(type), caches.isFiltered(type)],
    [true, 0, [], false, false],
  )
  assert.throws(() => caches.list(type), /nobody watches/)
})

test('who asks how far a kind is behind has it followed', async () => {
  const { caches, clock, asked, answers, start } = serving()
  answers.set('secrets', missing)
  caches.want({ type, whenRead: true, namespaces: ['a', 'b'] })
  start()
  assert.equal(caches.behindMs(type), 0)
  await clock.advance(700)
  assert.deepEqual([[...new Set(asked)], caches.behindMs(type)], [['secrets a', 'secrets b'], 700])
})

test('what is asleep is not woken once all is stopped', async () => {
  const { caches, asked, start, stop } = serving()
  caches.want({ type, whenRead: true })
  start()
  stop.abort(new Error('over'))
  assert.equal(caches.isSynced(type), false)
  await drain()
  assert.deepEqual(asked, [])
})

test('the caches have stopped when their last informer has', async () => {
  const { caches, answers, start, stop } = serving()
  const late = Promise.withResolvers<readonly StoredObject[]>()
  answers.set('secrets', late.promise)
  caches.want({ type })
  caches.want({ type: gears })
  start()
  await drain()
  stop.abort(new Error('over'))
  const stopped = caches.stopped()
  assert.equal(await fate(stopped), 'open')
  late.resolve([])
  assert.equal(await fate(stopped), 'done')
})

test('who waits for whole lists waits for each of these kinds, and for no other', async () => {
  const { caches, answers, start } = serving()
  const [late, never] = [Promise.withResolvers<readonly StoredObject[]>(), new Promise<never>(() => {})]
  answers.set('secrets', late.promise)
  answers.set('gears', never)
  caches.want({ type: customResourceDefinitions })
  caches.want({ type })
  caches.want({ type: gears })
  start()
  const { signal } = new AbortController()
  assert.equal(await fate(caches.whenSynced(signal, [customResourceDefinitions])), 'done')
  const [some, all] = [caches.whenSynced(signal, [customResourceDefinitions, type]), caches.whenSynced(signal)]
  assert.deepEqual([await fate(some), await fate(all)], ['open', 'open'])
  assert.deepEqual(
    [...caches.unsettled()].map(informer => informer.type.plural),
    ['secrets', 'gears'],
  )
  late.resolve([])
  assert.deepEqual([await fate(some), await fate(all)], ['done', 'open'])
  assert.deepEqual(
    [...caches.unsettled()].map(informer => informer.type.plural),
    ['gears'],
  )
})

test('who stops waiting for whole lists is told why, at once where that was before', async () => {
  const { caches, answers, start } = serving()
  answers.set('secrets', new Promise<never>(() => {}))
  caches.want({ type })
  start()
  const stop = new AbortController()
  const waiting = caches.whenSynced(stop.signal)
  assert.equal(await fate(waiting), 'open')
  stop.abort(new Error('no more'))
  assert.equal(await fate(waiting), 'no more')
  assert.equal(await fate(caches.whenSynced(stop.signal)), 'no more')
})

for (const [what, types, others, isWaitedFor] of [
  ['a kind that was asleep, while all else is in step', [type], [gears], true],
  ['a kind that was asleep, alone', [type], [], true],
  ['a kind that was asleep, while another is being listed', [type], [gears, customResourceDefinitions], false],
  ['a kind that is followed', [gears], [gears], false],
  ['no kind', [], [gears], false],
] as const)
  test(`who asks for ${what} ${isWaitedFor ? 'waits for its first list' : 'does not wait'}`, async () => {
    const { caches, clock, asked, answers, start, stop } = serving()
    const late = Promise.withResolvers<readonly StoredObject[]>()
    answers.set('secrets', late.promise)
    answers.set('customresourcedefinitions', new Promise<never>(() => {}))
    caches.want({ type, whenRead: true })
    for (const other of others) caches.want({ type: other })
    start()
    await drain()
    const before = asked.length
    const following = caches.followAll(types, stop.signal)
    assert.equal(await fate(following), isWaitedFor ? 'open' : 'done')
    assert.equal(asked.length - before, types.some(one => one === type) ? 1 : 0)
    late.resolve([])
    assert.equal(await fate(following), 'done')
    assert.equal(
      clock.pendingCount(),
      1 + others.length - (isWaitedFor || types.some(one => one === type) ? 0 : 1) - (others.length > 1 ? 1 : 0),
      'each stream has a timer',
    )
  })

test('a first list is waited for two seconds, and no longer than whoever asks may wait', async () => {
  const { caches, clock, answers, start } = serving()
  answers.set('secrets', new Promise<never>(() => {}))
  answers.set('gears', new Promise<never>(() => {}))
  caches.want({ type, whenRead: true })
  start()
  const waiting = caches.followAll([type], new AbortController().signal)
  await clock.advance(1_999)
  assert.equal(await fate(waiting), 'open')
  await clock.advance(1)
  assert.equal(await fate(waiting), 'done')

  const other = serving()
  other.answers.set('gears', new Promise<never>(() => {}))
  other.caches.want({ type: gears, whenRead: true })
  other.start()
  const stop = new AbortController()
  const stopped = other.caches.followAll([gears], stop.signal)
  assert.equal(await fate(stopped), 'open')
  stop.abort(new Error('no more'))
  assert.equal(await fate(stopped), 'no more')
  assert.equal(other.clock.pendingCount(), 0)
})

for (const [what, source, isFiltered] of [
  ['all objects', {}, false],
  ['all objects of a namespace', { namespaces: ['a'] }, false],
  ['objects with a label', { labelSelector: 'a=b' }, true],
  ['objects with a field', { fieldSelector: 'type=Opaque' }, true],
  ['objects by name', { names: ['a'] }, true],
] as const)
  test(`what is not in a cache of ${what} ${isFiltered ? 'may exist all the same' : 'does not exist'}`, () => {
    const { caches } = serving()
    caches.want({ type, ...source })
    assert.equal(caches.isFiltered(type), isFiltered)
  })

test('what a source asks for is what the server is asked for, a list for each namespace and name', async () => {
  const { caches, asked, listed, start } = serving({ limits: { pageSize: 7 } })
  caches.want({ type, namespaces: ['a', 'b'], names: ['x'], labelSelector: 'l=1', fieldSelector: 'type=T', metadataOnly: true })
  caches.want({ type: gears })
  start()
  await drain()
  assert.deepEqual(asked, ['secrets a metadata.name=x,type=T', 'secrets b metadata.name=x,type=T', 'gears'])
  const shown = listed.map(({ labelSelector, metadataOnly, limit }) => [labelSelector, metadataOnly, limit])
  assert.deepEqual(shown, [
    ['l=1', true, 7],
    ['l=1', true, 7],
    [undefined, undefined, 7],
  ])
  assert.deepEqual(
    listed.map(options => ['labelSelector' in options, 'fieldSelector' in options, 'namespace' in options]),
    [
      [true, true, true],
      [true, true, true],
      [false, false, false],
    ],
  )
})

test('what a cache goes through is told with its cluster, kind and part, and what state it is in', async () => {
  const moves: string[] = []
  const states: string[] = []
  const { caches, answers, start } = serving({
    cluster: 'west',
    onMove: ({ cache, listing, change }) => moves.push(`${cache} ${listing} ${change.kind}`),
    onState: ({ plural }, { kind }) => states.push(`${plural} ${kind}`),
  })
  answers.set('secrets', Promise.resolve([object('a')]))
  const heard: string[] = []
  caches.want({ type, namespaces: ['team'] }, ({ object }) => heard.push(object.metadata.name))
  start()
  await drain()
  assert.deepEqual([moves, states, heard], [['west secrets/v1 team 1 added'], ['secrets live'], ['a']])
  const hub: string[] = []
  const other = serving({ onMove: ({ cache }) => hub.push(cache) })
  other.answers.set('secrets', Promise.resolve([object('a')]))
  other.caches.want({ type })
  other.start()
  await drain()
  assert.deepEqual(hub, [' secrets/v1 '])
})

const definition = (name: string): StoredObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name, uid: name, resourceVersion: '11' },
})

test('a kind that was missing is asked for again when its definition comes, and no other is [L7]', async () => {
  const { caches, clock, asked, answers, streams, start } = serving()
  const wheels = { ...gears, kind: 'Wheel', plural: 'wheels' }
  for (const { plural } of [gears, wheels]) answers.set(plural, missing)
  caches.want({ type: customResourceDefinitions })
  for (const each of [gears, wheels, type]) caches.want({ type: each })
  start()
  // Long enough for the next try of both to be far away.
  await clock.advance(100_000)
  answers.clear()
  asked.splice(0)
  streams.get('customresourcedefinitions')?.send({ type: 'ADDED', object: definition('gears.example.com') })
  await clock.advance(0)
  assert.deepEqual(asked, ['gears'])
  assert.deepEqual([caches.isSynced(gears), caches.isSynced(wheels)], [true, false])
  asked.splice(0)
  streams.get('secrets')?.send({ type: 'ADDED', object: { ...object('wheels.example.com', '11') } })
  streams.get('customresourcedefinitions')?.send({
    type: 'MODIFIED',
    object: { ...definition('secrets'), metadata: { name: 'secrets', uid: 's', resourceVersion: '12' } },
  })
  await clock.advance(0)
  assert.deepEqual(asked, [])
})
