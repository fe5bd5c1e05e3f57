// The engagement step by step, without a world: what it sees, decides and does for one profile, over clients that the test answers for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, drain, given, HttpFailure, ManualClock, memoryFiles } from '#base'
import { type KubeClient, KubeError } from '#kube/client'
import { type Manager, Trouble } from '#runtime'
import { type ClusterProfile, clusterNameLabel } from './cluster-profile.ts'
import { createEngagement, type EngagementOptions } from './engage.ts'
import { parseProviderFile } from './provider-file.ts'
import { providerFile, token } from './testing/fleet-world.ts'
import { profileOf } from './testing/profiles.ts'

interface Parts {
  readonly age?: number
  readonly uid?: string
  readonly healthy?: boolean
  readonly name?: string
  /** Its address, where the way leads through the provider of the file. */
  readonly server?: string
}

function profile(cluster: string, { age = 0, uid, healthy = true, name = cluster, server }: Parts = {}): ClusterProfile {
  const status = { type: 'ControlPlaneHealthy', status: healthy ? 'True' : 'False', reason: 'Said', message: '' } as const
  const made = profileOf(name, {
    labels: { [clusterNameLabel]: cluster },
    status: {
      conditions: [{ ...status, lastTransitionTime: '2026-01-01T00:00:00Z' }],
      ...given({ accessProviders: server === undefined ? undefined : [{ name: 'ocm', cluster: { server } }] }),
    },
  })
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1) - age * 1_000).toISOString()
  return { ...made, metadata: { ...made.metadata, creationTimestamp, uid: uid ?? made.metadata.uid } }
}

/** A way to a cluster: says which it is, or what the test makes it say. */
class Way {
  asked: { readonly timeoutMs: number }[] = []
  closed = 0
  answer: () => string | Promise<string>
  readonly client: KubeClient

  constructor(answer: () => string | Promise<string>) {
    this.answer = answer
    this.client = {
      get: async (_type: unknown, _key: unknown, options: { timeoutMs: number }) => {
        this.asked.push(options)
        return { metadata: { uid: await this.answer() } }
      },
      close: async () => void this.closed++,
    } as unknown as KubeClient
  }
}

interface Step {
  readonly kind: string
  readonly cluster: string
  readonly summary: string
}

/** Servers that are dialled, each by its address: which cluster answers there, none for nobody, and when it was closed. */
class Servers {
  readonly answers = new Map<string, string | undefined>()
  readonly log: string[] = []
  /** What closing waits for. */
  closing: Promise<void> = Promise.resolve()

  dial({ origin }: { readonly origin: string }) {
    this.log.push(`dial ${origin}`)
    return {
      exchange: async () => {
        const uid = this.answers.get(origin)
        if (uid === undefined) throw new HttpFailure('unreachable', 'nobody listens')
        const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid, resourceVersion: '1' } }
        return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
      },
      close: async () => {
        await this.closing
        this.log.push(`close ${origin}`)
      },
    }
  }
}

function engagementOf(more: Partial<EngagementOptions> = {}, { isAttached = true, servers = new Servers() } = {}) {
  const clock = new ManualClock()
  const lines: string[] = []
  const ways = new Map<string, Way>()
  const log = createLogTo({ clock }, (level, message, { cluster }) => lines.push(`${level} ${message} ${String(cluster)}`))
  const net = { dial: (to: { readonly origin: string }) => servers.dial(to), listen: () => assert.fail('listened') }
  const engagement = createEngagement({
    seams: { clock, log, files: memoryFiles({}), env: {}, net, programs: { run: async () => token('t') } },
    providers: parseProviderFile(providerFile, 'providers.json'),
    clientOf: ({ metadata }) => ways.get(metadata.name)?.client,
    ...more,
  })
  const profiles: ClusterProfile[] = []
  const { reconciler, watches } = engagement.controller
  const world = { list: () => profiles, isSynced: () => true } as never
  const signal = new AbortController().signal
  const decide = async (name: string): Promise<readonly Step[]> => {
    const seen = await reconciler.observe({ namespace: 'inventory', name, uid: '' } as never, world, signal)
    return reconciler.decide(seen, clock.now()).actions as never
  }
  const act = async (step: Step): Promise<boolean> => {
    const done = await reconciler.act?.(step as never, { signal } as never)
    assert.equal(typeof done?.changed, 'boolean')
    return done?.changed === true
  }
  const pass = async (name: string): Promise<readonly string[]> => {
    const told: string[] = []
    for (const step of await decide(name)) told.push(`${step.summary}${(await act(step)) ? '' : ' (nothing changed)'}`)
    return told
  }
  const joined: string[] = []
  const left: string[] = []
  const woken: string[] = []
  const retried: string[] = []
  const back: ((cluster: string) => void)[] = []
  const shares: (() => void)[] = []
  const caches = new Map<string, readonly { synced: boolean; kind: string }[]>()
  const manager = {
    targets: {
      onBack: (call: (cluster: string) => void) => back.push(call),
      join: (cluster: string) => joined.push(cluster),
      leave: (cluster: string) => left.push(cluster),
      caches: (cluster: string) => {
        const found = caches.get(cluster)
        return found && { informers: () => found.map(({ synced, kind }) => ({ cache: { synced }, state: { kind } })) }
      },
    },
    onShareChanged: (call: () => void) => shares.push(call),
    isOurs: (cluster: string) => !cluster.startsWith('other'),
    world,
    controllers: [
      {
        definition: { name: 'another' },
        add: () => assert.fail('another controller'),
        onClusterChanged: (name: string) => woken.push(name),
      },
      {
        definition: { name: 'cluster-engagement' },
        add: ({ name }: { name: string }, why: string) => retried.push(`${name} ${why}`),
        onClusterChanged: () => undefined,
      },
    ],
  } as unknown as Manager
  if (isAttached) engagement.attach(manager)
  const put = (cluster: string, uid = `uid of ${cluster}`, parts: Parts = {}): Way => {
    const way = new Way(() => uid)
    const made = profile(cluster, parts)
    if (parts.server === undefined) ways.set(made.metadata.name, way)
    else servers.answers.set(parts.server, uid === '' ? undefined : uid)
    profiles.splice(0, profiles.length, ...profiles.filter(({ metadata }) => metadata.name !== made.metadata.name), made)
    return way
  }
  const drop = (name: string): void => {
    profiles.splice(0, profiles.length, ...profiles.filter(({ metadata }) => metadata.name !== name))
  }
  const stateOf = (cluster: string) => engagement.engagements.stateOf(cluster)
  const told = { joined, left, woken, retried, lines }
  return {
    clock,
    engagement,
    manager,
    ways,
    profiles,
    watches,
    decide,
    act,
    pass,
    put,
    drop,
    stateOf,
    back,
    shares,
    caches,
    ...told,
  }
}

test('a cluster that answers is engaged, joined, told and logged once, and left alone until half an hour has passed', async () => {
  const { clock, pass, put, stateOf, joined, left, lines, engagement } = engagementOf()
  const way = put('a')
  assert.deepEqual(await pass('a'), ['engage a through in-process'])
  assert.deepEqual(stateOf('a'), { kind: 'engaged', clusterUid: 'uid of a' })
  assert.deepEqual([joined, lines, way.asked[0]?.timeoutMs], [['a'], ['info cluster engaged a'], 20_000])
  assert.deepEqual(engagement.ready.check(), { ok: true, note: 'engaged: a' })
  await clock.advance(1_799_999)
  assert.deepEqual(await pass('a'), [])
  await clock.advance(1)
  assert.deepEqual(await pass('a'), ['engage a through in-process (nothing changed)'])
  assert.deepEqual([joined, left, lines.length, way.asked.length, await pass('a')], [['a'], [], 1, 2, []])
})

test('how long it is waited for an answer may be said, and a pass has five seconds more', async () => {
  const { pass, put, engagement } = engagementOf({ timeoutMs: 700 })
  const way = put('a')
  await pass('a')
  assert.deepEqual([way.asked[0]?.timeoutMs, engagement.controller.deadlineMs], [700, 5_700])
  assert.equal(engagementOf().engagement.controller.deadlineMs, 25_000)
})

test('as many as 128 clusters are tried at once, and each is looked at every half hour', () => {
  const { workers, driftMs } = engagementOf().engagement.controller
  assert.deepEqual([workers, driftMs], [128, 1_800_000])
})

test('a profile concerns all profiles of its name, and no other', () => {
  const { watches, profiles, put } = engagementOf()
  put('a')
  put('a', 'x', { name: 'again' })
  put('b')
  const concerned = watches?.[0]?.toClaims(profile('a'), { list: () => profiles } as never, '')
  assert.deepEqual(concerned, [
    { namespace: 'inventory', name: 'a' },
    { namespace: 'inventory', name: 'again' },
  ])
})

test('a profile that was made anew, or another way, is asked which cluster answers', async () => {
  const { pass, put, joined, left } = engagementOf()
  put('a')
  await pass('a')
  const again = put('a', 'uid of a', { uid: 'made anew' })
  assert.deepEqual(await pass('a'), ['engage a through in-process'])
  assert.deepEqual([again.asked.length, joined, left], [1, ['a', 'a'], ['a']])
})

test('another cluster behind the same way is left and joined anew', async () => {
  const { clock, pass, put, stateOf, joined, left } = engagementOf()
  const way = put('a')
  await pass('a')
  way.answer = () => 'rebuilt'
  await clock.advance(1_800_000)
  assert.deepEqual(await pass('a'), ['engage a through in-process'])
  assert.deepEqual([stateOf('a'), joined, left], [{ kind: 'engaged', clusterUid: 'rebuilt' }, ['a', 'a'], ['a']])
})

test('one that is engaged and does not answer when it is asked again stays engaged: its caches notice first', async () => {
  const { clock, pass, put, stateOf, left, lines } = engagementOf()
  const way = put('a')
  await pass('a')
  way.answer = () => Promise.reject(new KubeError('unreachable', 'no route'))
  await clock.advance(1_800_000)
  assert.deepEqual(await pass('a'), ['engage a through in-process (nothing changed)'])
  assert.deepEqual([stateOf('a').kind, left, lines.length], ['engaged', [], 1])
})

test('one whose new way does not answer is left, and tried again', async () => {
  const { pass, put, stateOf, left, ways } = engagementOf()
  put('a')
  await pass('a')
  put('a').answer = () => Promise.reject(new KubeError('unreachable', 'no route'))
  await assert.rejects(pass('a'), Trouble)
  assert.deepEqual([stateOf('a').kind, left, ways.get('a')?.closed], ['starting', ['a'], 0])
})

test('tries that fail come half a second later, then twice as late each, up to a minute; the first is told, and when patience is over', async () => {
  const { clock, pass, put, stateOf, woken, lines } = engagementOf()
  const way = put('a')
  way.answer = () => Promise.reject(new KubeError('unreachable', 'no route'))
  const tried = async (): Promise<number | undefined> => {
    try {
      await pass('a')
    } catch (error) {
      return error instanceof Trouble ? error.retryAfterMs : undefined
    }
    return undefined
  }
  const waits: unknown[] = []
  for (let tries = 0; tries < 9; tries++) waits.push(await tried())
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  assert.deepEqual([stateOf('a').kind, woken.length, lines], ['starting', 1, ['warn cluster cannot be engaged a']])
  await clock.advance(60_000)
  assert.equal(stateOf('a').kind, 'away')
  await tried()
  assert.equal(lines.length, 1)
  way.answer = () => Promise.reject(new KubeError('throttled', 'later'))
  await tried()
  assert.deepEqual([woken.length, lines.length], [2, 2])
  way.answer = () => 'uid'
  assert.deepEqual(await pass('a'), ['engage a through in-process'])
})

test('a name that no profile has any more is left and forgotten, and told once', async () => {
  const { pass, put, drop, stateOf, left, woken, engagement } = engagementOf()
  put('a')
  await pass('a')
  drop('a')
  const leave = 'leave a: no ClusterProfile leads to cluster a; publish one'
  assert.deepEqual(await pass('a'), [leave])
  assert.deepEqual([left, woken], [['a'], ['a']])
  assert.deepEqual(engagement.ready.check(), { ok: true, note: 'engaged: none' })
  assert.deepEqual(stateOf('a'), { kind: 'away', message: 'no ClusterProfile leads to cluster a; publish one' })
  assert.deepEqual(await pass('a'), [])
})

test('a profile that takes another name concerns the one that it had', async () => {
  const { pass, put, stateOf } = engagementOf()
  put('a')
  await pass('a')
  put('b', 'uid of a', { name: 'a' })
  assert.deepEqual(await pass('a'), ['leave a: no ClusterProfile leads to cluster a; publish one', 'engage b through in-process'])
  assert.deepEqual([stateOf('a').kind, stateOf('b').kind], ['away', 'engaged'])
  assert.deepEqual(await pass('a'), [])
})

test('one that must not be used is away with the reason, told once for each, and known', async () => {
  const { pass, put, drop, stateOf, woken, engagement } = engagementOf()
  put('a', 'uid', { healthy: false })
  put('b')
  await pass('b')
  const said = "ClusterProfile inventory/a does not say ControlPlaneHealthy=True; see the cluster's agent and its manager"
  assert.deepEqual(await pass('a'), [`leave a: ${said}`])
  assert.deepEqual([stateOf('a'), woken], [{ kind: 'away', message: said }, ['a']])
  assert.deepEqual(await pass('a'), [`leave a: ${said} (nothing changed)`])
  assert.deepEqual([woken, engagement.ready.check()], [['a'], { ok: true, note: 'engaged: b; away: a' }])
  drop('a')
  assert.deepEqual(await pass('a'), ['leave a: no ClusterProfile leads to cluster a; publish one'])
  assert.deepEqual(woken, ['a', 'a'])
})

test('until all known names were tried the process is not ready, and says which are left', async () => {
  const { decide, pass, put, engagement } = engagementOf()
  for (const name of ['c', 'b', 'a']) put(name)
  await decide('c')
  await decide('b')
  await pass('a')
  assert.deepEqual(engagement.ready.check(), { ok: false, why: 'being connected: b, c' })
  await pass('b')
  assert.deepEqual(engagement.ready.check(), { ok: false, why: 'being connected: c' })
  await pass('c')
  assert.deepEqual(engagement.ready.check(), { ok: true, note: 'engaged: a, b, c' })
})

test('of two names for one cluster the older profile has it, whichever came first, and the other comes in when it has gone [M12]', async () => {
  const { pass, put, drop, stateOf, left, retried, engagement } = engagementOf()
  put('b', 'one', { age: 1 })
  put('c', 'another')
  await pass('b')
  await pass('c')
  put('a', 'one', { age: 2 })
  assert.deepEqual(await pass('a'), ['engage a through in-process'])
  const message = 'cluster b is the same cluster as a, which came first; let one ClusterProfile lead there'
  assert.deepEqual([stateOf('b'), stateOf('a').kind, left], [{ kind: 'away', message }, 'engaged', ['b']])
  assert.equal(engagement.engagements.sameClusterAs?.('b'), 'a')
  assert.deepEqual(await pass('b'), ['engage b through in-process (nothing changed)'])
  retried.length = 0
  drop('a')
  await pass('a')
  assert.deepEqual(retried, ['b retry'])
  assert.deepEqual(await pass('b'), ['engage b through in-process'])
  assert.equal(stateOf('b').kind, 'engaged')
})

test('of one name only one is engaged at a time: a second waits until the first has ended, and takes no part in its failure', async () => {
  const { decide, act, put, stateOf } = engagementOf()
  const way = put('a')
  let fail: (error: Error) => void = () => undefined
  way.answer = () => new Promise((_resolve, reject) => (fail = reject))
  const [step] = await decide('a')
  assert.ok(step !== undefined)
  const first = act(step)
  await drain()
  const second = act(step)
  await drain()
  assert.equal(way.asked.length, 1)
  way.answer = () => 'uid'
  fail(new KubeError('unreachable', 'no route'))
  await assert.rejects(first, Trouble)
  assert.equal(await second, true)
  assert.deepEqual([way.asked.length, stateOf('a').kind], [2, 'engaged'])
})

test('a third waits for the second as well, though the first has ended before', async () => {
  const { decide, act, put } = engagementOf()
  const way = put('a')
  const ends: (() => void)[] = []
  way.answer = () => new Promise(resolve => ends.push(() => resolve('uid')))
  const [step] = await decide('a')
  assert.ok(step !== undefined)
  const [first, second] = [act(step), act(step)]
  await drain()
  ends[0]?.()
  await first
  await drain()
  const third = act(step)
  await drain()
  assert.equal(way.asked.length, 2)
  ends[1]?.()
  await second
  await drain()
  ends[2]?.()
  await third
  assert.equal(way.asked.length, 3)
})

const server = 'https://a.example:6443'
const elsewhere = 'https://b.example:6443'

test('a connection that was made is closed when its cluster is left', async () => {
  const servers = new Servers()
  const { pass, put, drop, stateOf } = engagementOf({}, { servers })
  put('a', 'uid', { server })
  assert.deepEqual(await pass('a'), ['engage a through ocm'])
  assert.deepEqual([stateOf('a'), servers.log], [{ kind: 'engaged', clusterUid: 'uid' }, [`dial ${server}`]])
  drop('a')
  await pass('a')
  await drain()
  assert.deepEqual(servers.log, [`dial ${server}`, `close ${server}`])
})

test('a connection that leads to another cluster now is the one that is kept', async () => {
  const servers = new Servers()
  const { clock, pass, put, stateOf } = engagementOf({}, { servers })
  put('a', 'uid', { server })
  await pass('a')
  servers.answers.set(server, 'rebuilt')
  await clock.advance(1_800_000)
  await pass('a')
  await drain()
  assert.deepEqual([stateOf('a'), servers.log], [{ kind: 'engaged', clusterUid: 'rebuilt' }, [`dial ${server}`]])
})

test('a connection that was tried is used for the next try, closed before another is made, and with the last profile', async () => {
  const servers = new Servers()
  const { pass, put, drop } = engagementOf({}, { servers })
  put('a', '', { server })
  await assert.rejects(pass('a'), Trouble)
  await assert.rejects(pass('a'), Trouble)
  assert.deepEqual(servers.log, [`dial ${server}`])
  put('a', '', { server: elsewhere })
  await assert.rejects(pass('a'), Trouble)
  const moved = [`dial ${server}`, `close ${server}`, `dial ${elsewhere}`]
  assert.deepEqual(servers.log, moved)
  drop('a')
  await pass('a')
  await drain()
  assert.deepEqual(servers.log, [...moved, `close ${elsewhere}`])
})

test('the end waits until the connections are closed, those that were tried and those that are engaged', async () => {
  const servers = new Servers()
  const { clock, pass, put, engagement } = engagementOf({}, { servers })
  put('a', 'uid', { server })
  put('b', '', { server: elsewhere })
  await pass('a')
  await assert.rejects(pass('b'), Trouble)
  servers.closing = clock.sleep(100)
  let isOver = false
  const ending = engagement.close().then(() => (isOver = true))
  await clock.advance(99)
  assert.equal(isOver, false)
  await clock.advance(1)
  await ending
  assert.deepEqual(servers.log.slice(2).toSorted(), [`close ${server}`, `close ${elsewhere}`])
})

test('without a manager a cluster is engaged all the same', async () => {
  const { pass, put, stateOf, joined } = engagementOf({}, { isAttached: false })
  put('a')
  assert.deepEqual([await pass('a'), stateOf('a').kind, joined], [['engage a through in-process'], 'engaged', []])
})

test('what was handed in is not closed, neither when it is left nor at the end', async () => {
  const { pass, put, drop, engagement } = engagementOf()
  const [a, b] = [put('a'), put('b')]
  await pass('a')
  await pass('b')
  drop('a')
  await pass('a')
  await engagement.close()
  assert.deepEqual([a.closed, b.closed], [0, 0])
})

test('a cluster that is another replica’s is engaged and not joined, and joined when the share changes', async () => {
  const { pass, put, manager, shares, joined, left, stateOf } = engagementOf()
  put('other-a')
  await pass('other-a')
  assert.deepEqual([stateOf('other-a').kind, joined, left], ['engaged', [], ['other-a']])
  Object.assign(manager, { isOurs: () => true })
  for (const call of shares) call()
  assert.deepEqual(joined, ['other-a'])
})

test('whoever waits is woken once the caches of a cluster are whole and follow, and once only [M7]', async () => {
  const { pass, put, back, caches, woken, engagement } = engagementOf()
  put('a')
  engagement.engagements.awaitBack('a')
  await pass('a')
  const come = (): number => {
    for (const call of back) call('a')
    return woken.length
  }
  caches.set('a', [
    { synced: true, kind: 'live' },
    { synced: false, kind: 'live' },
  ])
  assert.equal(come(), 0)
  caches.set('a', [
    { synced: true, kind: 'behind' },
    { synced: true, kind: 'live' },
  ])
  assert.equal(come(), 0)
  caches.set('a', [{ synced: true, kind: 'live' }])
  assert.equal(come(), 1)
  assert.equal(come(), 1)
  engagement.engagements.awaitBack('a')
  assert.equal(come(), 2)
})

test('of claims that say who they are only those are woken that wait, and nobody where none does [M7]', async () => {
  const { pass, put, drop, back, caches, woken, retried, engagement } = engagementOf()
  put('a')
  await pass('a')
  caches.set('a', [{ synced: true, kind: 'live' }])
  const come = (): void => {
    for (const call of back) call('a')
  }
  come()
  assert.deepEqual([woken, retried], [[], []])
  const wait = (controller: string): void =>
    engagement.engagements.awaitBack('a', { controller, key: { namespace: 'inventory', name: 'one' } })
  wait('cluster-engagement')
  wait('one that left')
  come()
  come()
  assert.deepEqual([woken, retried], [[], ['one undefined']])
  // Whoever waits for a cluster that no profile has any more is not remembered.
  wait('cluster-engagement')
  drop('a')
  await pass('a')
  come()
  assert.deepEqual(retried, ['one undefined'])
})

test('a name that nobody has looked at is starting while a profile has it or profiles are not known, and away when none has', () => {
  const { put, stateOf, manager } = engagementOf()
  put('a')
  assert.deepEqual([stateOf('a').kind, stateOf('b').kind], ['starting', 'away'])
  Object.assign(manager, { world: { list: () => [], isSynced: () => false } })
  assert.equal(stateOf('b').kind, 'starting')
})

test('an engagement is attached to one manager', () => {
  const { engagement, manager } = engagementOf()
  assert.throws(() => engagement.attach(manager), /attached twice/)
})
