// A controller without a server: which changes become keys, how many workers take them and for how long, and what is told meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type Log, ManualClock, seededRandom, silentLog } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { type ClaimKey, claimKey } from '../claim-key.ts'
import { openFence } from '../election/fence.ts'
import { type Term, type Terms, termsOfAll } from '../election/terms.ts'
import type { Reads } from '../informer/reads.ts'
import { engineMetrics } from '../metrics/engine.ts'
import { Metrics } from '../metrics/registry.ts'
import type { Action, OwnAction, Plan } from '../plan/plan.ts'
import { emptyPlan } from '../plan/plan.ts'
import type { CachedObject, Follower, Target } from '../plan/target.ts'
import { Controller } from './controller.ts'
import type { AnyController, Watch } from './definition.ts'
import type { ControllerOptions, Take } from './options.ts'
import type { PassRecord } from './pass.ts'

const widgets: ResourceType = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true }
const key = (name: string): ClaimKey => claimKey({ namespace: 'team', name })

function widget(name: string, more: Partial<StoredObject['metadata']> = {}): StoredObject {
  const metadata = { namespace: 'team', name, uid: `uid-${name}`, generation: 1, resourceVersion: '1', ...more }
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata }
}

interface World {
  readonly definition?: Partial<AnyController>
  readonly options?: Partial<ControllerOptions>
  readonly client?: Partial<KubeClient>
  readonly cached?: (name: string) => CachedObject
  readonly follow?: () => Follower
}

function controlling({ definition, options, client = {}, cached = () => ({ kind: 'absent' }), follow }: World = {}) {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const takes: Take[] = []
  const passes: PassRecord[] = []
  const errors: string[] = []
  const log: Log = { ...silentLog, error: message => void errors.push(message) }
  const target: Target = {
    client: client as KubeClient,
    unavailable: () => undefined,
    cached: (_type, { name }) => cached(name),
    follow: () => follow?.(),
  }
  const all = {
    name: 'widgets',
    claims: { type: widgets },
    status: { kind: 'none' },
    driftMs: 0,
    ...definition,
    reconciler: { observe: () => undefined, decide: () => emptyPlan, ...definition?.reconciler },
  } as AnyController
  const controller = new Controller({
    definition: all,
    clock,
    random: seededRandom(1),
    log,
    world: {} as Reads,
    mappingWorld: {} as Reads,
    terms: termsOfAll(openFence),
    metrics: engineMetrics(metrics),
    instance: 'test',
    target: cluster => (cluster === undefined ? target : undefined),
    onTake: take => takes.push(take),
    onPass: record => passes.push(record),
    ...options,
  })
  const stop = new AbortController()
  let isOver = false
  const run = (): void => void controller.run(stop.signal).then(() => (isOver = true))
  const valueOf = (metric: string): number | undefined => {
    controller.collect()
    return metrics.snapshot().find(({ name }) => name === metric)?.points[0]?.value
  }
  return { controller, clock, takes, passes, errors, stop, run, valueOf, isOver: () => isOver }
}

/** Work that never ends by itself, and ends with its signal where it `listens`. */
const hanging = (listens = true): AnyController['reconciler'] => ({
  observe: (_key, _world, signal) =>
    new Promise((_resolve, reject) => {
      if (listens) signal.addEventListener('abort', () => reject(signal.reason as Error))
    }),
  decide: () => emptyPlan,
})

for (const [workers, fresh, drift] of [
  [undefined, 10, 9],
  [4, 4, 3],
  [2, 2, 1],
  [1, 1, 1],
] as const)
  test(`with ${workers ?? 'no number of'} workers ${fresh} claims are worked on at once, ${drift} of them for drift [B21, B22]`, async () => {
    for (const [lane, most] of [
      ['fresh', fresh],
      ['drift', drift],
    ] as const) {
      const { controller, run, takes, valueOf, stop, clock } = controlling({
        definition: { reconciler: hanging(), ...(workers && { workers }) },
      })
      for (let index = 0; index < 20; index++) controller.add(key(`w-${index}`), lane)
      run()
      await drain()
      assert.deepEqual([takes.length, valueOf('controller_runtime_active_workers')], [most, most])
      assert.equal(valueOf('controller_runtime_max_concurrent_reconciles'), fresh)
      stop.abort()
      await clock.advance(5_000)
      controller.close()
      assert.equal(clock.pendingCount(), 0)
    }
  })

for (const deadlineMs of [undefined, 7_000])
  test(`a pass whose deadline is ${deadlineMs ?? 'not said'} ends after ${deadlineMs ?? 60_000} ms [P9]`, async () => {
    const { controller, run, passes, clock } = controlling({
      definition: { reconciler: hanging(), ...(deadlineMs && { deadlineMs }) },
    })
    controller.add(key('slow'))
    run()
    await clock.advance((deadlineMs ?? 60_000) - 1)
    assert.equal(passes.length, 0)
    await clock.advance(1)
    assert.deepEqual([passes[0]?.trouble?.reason, passes[0]?.tookMs], ['DeadlineExceeded', deadlineMs ?? 60_000])
  })

test('one that ignores its deadline keeps its key and gives its worker back, and is told of once [B21, S17]', async () => {
  const { controller, run, takes, errors, valueOf, clock } = controlling({
    definition: { workers: 1, deadlineMs: 5_000, reconciler: hanging(false) },
  })
  controller.add(key('stuck'))
  controller.add(key('next'))
  run()
  await clock.advance(5_999)
  assert.deepEqual([takes.map(({ key }) => key.name), errors], [['stuck'], []])
  controller.add(key('stuck'))
  await clock.advance(1)
  assert.deepEqual(
    takes.map(({ key }) => key.name),
    ['stuck', 'next'],
  )
  assert.deepEqual(errors, ['a reconcile ignores its deadline; its claim is stuck'])
  assert.equal(valueOf('controller_runtime_reconcile_timeouts_total'), 1)
})

test('how long work is under way is told in seconds: of all together, and of the one that is longest at it', async () => {
  const { controller, run, valueOf, clock } = controlling({ definition: { reconciler: hanging() } })
  assert.deepEqual([valueOf('workqueue_unfinished_work_seconds'), valueOf('workqueue_longest_running_processor_seconds')], [0, 0])
  run()
  await clock.advance(3_000)
  controller.add(key('first'))
  await clock.advance(4_000)
  controller.add(key('second'))
  await clock.advance(2_000)
  assert.deepEqual([valueOf('workqueue_unfinished_work_seconds'), valueOf('workqueue_longest_running_processor_seconds')], [8, 6])
})

for (const [what, isWorth, isKept] of [
  ['is worth a pass', () => true, true],
  ['is not', () => false, false],
  ['is not judged', undefined, true],
] as const) {
  test(`a change of a claim that ${what} ${isKept ? 'becomes a key' : 'becomes none'}, and that is told`, () => {
    const judged: unknown[] = []
    const { controller } = controlling({
      definition: isWorth === undefined ? {} : { isWorth },
      options: { onJudged: one => judged.push(one) },
    })
    controller.onClaim('', { kind: 'added', object: widget('a'), initial: false })
    assert.deepEqual([controller.queue.depth('fresh'), judged], [isKept ? 1 : 0, [{ controller: 'widgets', isKept }]])
  })

  test(`a change of a watched object that ${what} ${isKept ? 'is followed to its claims' : 'is not followed'}`, () => {
    const watch: Watch = { type: widgets, toClaims: () => [key('a')], ...(isWorth && { isWorth }) }
    const { controller } = controlling()
    controller.onWatched(watch, '', { kind: 'removed', object: widget('part') })
    assert.equal(controller.queue.depth(), isKept ? 1 : 0)
  })
}

test('of a cluster that changed, or is away, those claims are looked at that say so, and none where none does', () => {
  const none = controlling().controller
  none.onClusterChanged('west')
  none.onClusterAway('west')
  assert.equal(none.queue.size, 0)
  const { controller } = controlling({
    definition: {
      toClaimsOfCluster: cluster => [{ namespace: 'team', name: `of-${cluster}` }],
      toClaimsOfAway: cluster => [
        { namespace: 'team', name: `away-${cluster}` },
        { cluster, namespace: 'team', name: 'there' },
      ],
    },
  })
  controller.onClusterChanged('west')
  assert.equal(controller.queue.depth('fresh'), 1)
  controller.onClusterAway('west')
  assert.equal(controller.queue.depth('fresh'), 3)
})

/** Terms for the claims of these names, with the fence open. */
const termsFor = (names: ReadonlySet<string>, term: Partial<Term> = {}): Terms => ({
  of: ({ name }) => (names.has(name) ? { fence: openFence, isTakenOver: false, ...term } : undefined),
  process: openFence,
})

test('a claim of another replica is left alone until it is taken up, and comes back in the lane that it was wanted in', async () => {
  const ours = new Set(['mine'])
  const { controller, run, takes } = controlling({ options: { terms: termsFor(ours) } })
  for (const name of ['mine', 'soon', 'theirs']) controller.add(key(name), name === 'soon' ? 'retry' : 'fresh')
  run()
  await drain()
  assert.deepEqual(
    takes.map(({ key }) => key.name),
    ['mine'],
  )
  controller.takeUp([])
  await drain()
  assert.equal(takes.length, 1, 'neither is ours yet')
  ours.add('soon')
  ours.add('known')
  controller.takeUp([key('known')])
  await drain()
  assert.deepEqual(
    takes.slice(1).map(({ key, lane }) => [key.name, lane]),
    [
      ['soon', 'retry'],
      ['known', 'drift'],
    ],
  )
  ours.add('theirs')
  controller.takeUp([])
  await drain()
  assert.deepEqual(
    takes.slice(3).map(({ key, lane }) => [key.name, lane]),
    [['theirs', 'fresh']],
  )
})

test('what every replica works on is worked on whoever holds the claim, and taken up by nobody', async () => {
  const { controller, run, takes } = controlling({
    definition: { sharing: 'everyone' },
    options: { terms: termsFor(new Set()) },
  })
  controller.add(key('any'))
  run()
  await drain()
  controller.takeUp([key('other')])
  await drain()
  assert.deepEqual(
    takes.map(({ key }) => key.name),
    ['any'],
  )
})

test('how long a claim waited counts from when somebody worked, and from when it was due', async () => {
  const { controller, run, takes, clock } = controlling({ definition: { workers: 1 } })
  controller.add(key('early'))
  await clock.advance(500)
  run()
  await drain()
  controller.queue.add(key('late'), 'retry', 1_000)
  await clock.advance(1_000)
  assert.deepEqual(
    takes.map(({ key, waitedMs }) => [key.name, waitedMs]),
    [
      ['early', 0],
      ['late', 0],
    ],
  )
})

test('a claim that waited for a worker is told with its wait', async () => {
  const ends: (() => void)[] = []
  const { controller, run, takes, clock } = controlling({
    definition: {
      workers: 1,
      reconciler: { observe: () => new Promise<void>(resolve => ends.push(resolve)), decide: () => emptyPlan },
    },
  })
  await clock.advance(100)
  run()
  await clock.advance(1_000)
  for (const name of ['first', 'second']) controller.add(key(name))
  await clock.advance(700)
  ends.shift()?.()
  await drain()
  assert.deepEqual(
    takes.map(({ key, waitedMs }) => [key.name, waitedMs]),
    [
      ['first', 0],
      ['second', 700],
    ],
  )
})

test('a stop ends the pass under way, is over when that is, and the claim is the first thing of the next term', async () => {
  let leave = (): void => {}
  const { controller, run, stop, isOver, passes } = controlling({
    definition: {
      reconciler: { observe: () => new Promise<void>(resolve => (leave = resolve)), decide: () => emptyPlan },
    },
  })
  controller.add(key('a'), 'retry')
  run()
  await drain()
  stop.abort()
  await drain()
  assert.equal(isOver(), false, 'work is under way')
  leave()
  await drain()
  assert.deepEqual([isOver(), passes.length, controller.queue.depth('retry'), controller.queue.size], [true, 1, 1, 1])
})

test('a term that ends stops the pass of its claim, and the worker goes on with others', async () => {
  const end = new AbortController()
  const followed: Promise<void>[] = []
  const ours = new Set(['a'])
  const { controller, run, takes, passes, clock } = controlling({
    definition: { workers: 1, reconciler: hanging() },
    options: { terms: termsFor(ours, { signal: end.signal, follow: work => followed.push(work) }) },
  })
  controller.add(key('a'))
  controller.add(key('b'))
  run()
  await drain()
  assert.deepEqual([followed.length, takes.length], [1, 1])
  end.abort(new Error('the shard is somebody else’s'))
  ours.clear()
  await clock.advance(0)
  await followed[0]
  await drain()
  assert.deepEqual([passes.length, takes.length, controller.queue.size], [1, 1, 0])
})

const own: OwnAction = { kind: 'act:make', summary: 'make' }
const planOf = (...actions: Action<OwnAction>[]): Plan<OwnAction> => ({ ...emptyPlan, actions })

for (const [what, term, sharing, reads] of [
  ['was taken over', { isTakenOver: true }, undefined, [1, 1, 2]],
  ['was taken over for a time', { isTakenOver: true, signal: new AbortController().signal }, undefined, [1, 1, 2]],
  ['nobody else worked on', { isTakenOver: false }, undefined, [0, 0, 0]],
  ['everybody works on', { isTakenOver: true }, 'everyone', [0, 0, 0]],
] as const)
  test(`a claim that ${what} is read before the first thing made for it ${reads[0]} times, and anew once it was gone [S5]`, async () => {
    let found = 0
    const { controller, run, passes } = controlling({
      definition: {
        ...(sharing && { sharing }),
        reconciler: { observe: () => undefined, decide: () => planOf(own), act: async () => ({ changed: true }) },
      },
      options: { terms: termsFor(new Set(['a']), term) },
      cached: name => ({ kind: 'present', object: widget(name), partial: false }),
      client: {
        find: async () => {
          found++
          return widget('a') as never
        },
      },
    })
    run()
    const counts: number[] = []
    for (const change of ['changed', 'changed', 'removed'] as const) {
      if (change === 'removed') controller.onClaim('', { kind: 'removed', object: widget('a') })
      else controller.onClaim('', { kind: 'changed', object: widget('a'), previous: widget('a') })
      await drain()
      counts.push(found)
    }
    assert.deepEqual([counts, passes.map(({ trouble }) => trouble)], [reads, [undefined, undefined, undefined]])
  })

test('a write whose answer was lost is looked up before the claim is decided on again, and what is found has to be seen first [P6]', async () => {
  const asked: string[] = []
  const seen: (() => void)[] = []
  let isDown = false
  const { controller, run, passes, clock } = controlling({
    definition: {
      reconciler: { observe: () => undefined, decide: () => planOf({ kind: 'create', type: widgets, object: widget('part') }) },
    },
    client: {
      create: async () => {
        asked.push('create')
        throw new KubeError('unknown-outcome', 'the answer never came', {})
      },
      find: async (_type, { name }) => {
        asked.push(`find ${name}`)
        if (isDown) throw new KubeError('unreachable', 'nobody answers', {})
        return widget(name) as never
      },
    },
    follow: () => ({
      hasReached: () => false,
      whenReached: (_written, reached) => {
        seen.push(reached)
        return () => {}
      },
      relist: () => {},
    }),
  })
  controller.add(key('a'))
  run()
  await drain()
  assert.deepEqual([asked.splice(0), passes.length], [['create'], 1])
  isDown = true
  await clock.advance(200)
  assert.deepEqual([asked.splice(0), passes.length], [['find part'], 1], 'while nobody answers nothing is decided')
  isDown = false
  await clock.advance(60_000)
  assert.deepEqual([[...new Set(asked.splice(0))], passes.length, controller.holds.size], [['find part'], 1, 1])
  for (const reached of seen.splice(0)) reached()
  await drain()
  assert.deepEqual([asked.splice(0), passes.length], [['create'], 2])
})

test('a defect of the engine is logged, and its key is worked on again when there is a reason', async () => {
  let fails = true
  const { controller, run, errors, takes } = controlling({
    options: {
      onPass: () => {
        if (fails) throw new Error('of whoever listens')
      },
    },
  })
  controller.add(key('a'))
  run()
  await drain()
  assert.deepEqual([errors, controller.queue.size], [['the engine failed'], 0])
  fails = false
  controller.add(key('a'))
  await drain()
  assert.deepEqual([errors.length, takes.length], [1, 2])
})

for (const [eventSource, component] of [
  [undefined, 'widgets'],
  ['the-operator', 'the-operator'],
] as const)
  test(`events of a controller ${eventSource === undefined ? 'are told under its own name' : 'name the source that it says'}, and a stop waits for them`, async () => {
    const told: unknown[] = []
    let answer = (): void => {}
    const regarding = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'team', name: 'a', uid: 'u' }
    const event = { kind: 'record-event', regarding, type: 'Normal', reason: 'Made', message: 'done' } as const
    const { controller, run, stop, isOver, clock } = controlling({
      definition: {
        ...(eventSource && { eventSource }),
        reconciler: { observe: () => undefined, decide: () => planOf(own, event), act: async () => ({ changed: true }) },
      },
      client: {
        find: async () => undefined,
        create: async (_type, object) => {
          told.push((object as unknown as { source: { component: string } }).source.component)
          await new Promise<void>(resolve => (answer = resolve))
          return widget('event') as never
        },
      },
    })
    controller.add(key('a'))
    run()
    await drain()
    assert.deepEqual(told, [component])
    stop.abort()
    await drain()
    assert.equal(isOver(), false)
    answer()
    await drain()
    assert.deepEqual([isOver(), clock.pendingCount()], [true, 0])
  })

test('a pass is traced from its begin to its trouble, with its writes between', async () => {
  const lines: string[] = []
  const { controller, run } = controlling({
    definition: {
      reconciler: { observe: () => undefined, decide: () => planOf({ kind: 'create', type: widgets, object: widget('part') }) },
    },
    client: {
      create: async () => {
        throw new KubeError('refused', 'no', {
          httpStatus: 403,
          status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', code: 403 },
        })
      },
    },
    options: {
      tracer: {
        start: (name, attributes) => {
          lines.push(`${name} ${JSON.stringify(attributes)}`)
          return {
            event: (what, attributes) => lines.push(`${what} ${JSON.stringify(attributes)}`),
            end: error => lines.push(`end ${error}`),
          }
        },
      },
    },
  })
  controller.add(key('a'))
  run()
  await drain()
  assert.deepEqual(lines, [
    'reconcile {"controller":"widgets","claim":"team/a","lane":"fresh"}',
    'write {"verb":"create","kind":"Widget","object":"team/part","result":"refused"}',
    'end Forbidden',
  ])
})

for (const [what, cached, left] of [
  ['is there', { kind: 'present', object: widget('a'), partial: false }, 1],
  ['is gone', { kind: 'absent' }, 0],
] as const)
  test(`a claim that ${what} at the end of its pass is looked at for drift ${left} times`, async () => {
    const { controller, run } = controlling({ definition: { driftMs: 60_000 }, cached: () => cached })
    controller.add(key('a'))
    run()
    await drain()
    assert.deepEqual([controller.queue.depth(), controller.queue.size], [0, left])
  })

for (const [what, definition, options, fieldManager, timeoutMs] of [
  ['without settings', {}, {}, 'widgets', 10_000],
  ['with settings', { fieldManager: 'the-operator' }, { callTimeoutMs: 3_000 }, 'the-operator', 3_000],
] as const)
  test(`a controller ${what} writes as ${fieldManager} and waits ${timeoutMs} ms for an answer [P8]`, async () => {
    const asked: unknown[] = []
    const { controller, run } = controlling({
      definition: {
        ...definition,
        reconciler: { observe: () => undefined, decide: () => planOf({ kind: 'create', type: widgets, object: widget('part') }) },
      },
      options,
      client: {
        create: async (_type, _object, options) => {
          asked.push([options?.fieldManager, options?.timeoutMs])
          return widget('part') as never
        },
      },
    })
    controller.add(key('a'))
    run()
    await drain()
    assert.deepEqual(asked, [[fieldManager, timeoutMs]])
  })
