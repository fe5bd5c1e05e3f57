import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain, ManualClock } from '#base'
import type { ObjectKey } from '#kube'
import { BehindChecks, type BehindOptions, type BehindResult, type Holding } from './behind.ts'
import type { LookupOutcome } from './lookup.ts'
import { alwaysMyTurn, type ReadTurns } from './read-budget.ts'

const key = { namespace: 'ns1', name: 'app' }

interface BehindWorld {
  readonly clock: ManualClock
  readonly checks: BehindChecks
  readonly results: readonly Omit<BehindResult, 'key'>[]
  readonly stop: AbortController
}

/** Running until the test ends. */
function open(t: TestContext, lookUp: () => Promise<LookupOutcome>, more: Partial<BehindOptions> = {}): BehindWorld {
  const clock = new ManualClock()
  const results: Omit<BehindResult, 'key'>[] = []
  const checks = new BehindChecks({
    clock,
    turns: alwaysMyTurn,
    pendingMax: 2,
    known: () => 'nothing',
    watched: () => 'nothing',
    lookUp,
    lookUpAll: () => Promise.reject(new Error('a few are read one by one')),
    accountCount: () => 1_000,
    onResult: ({ pods, found, isWatched }) => void results.push({ pods, found, isWatched }),
    ...more,
  })
  const stop = new AbortController()
  const running = checks.run(stop.signal)
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await running
    assert.equal(clock.pendingCount(), 0, 'a timer outlives the checks')
  })
  return { clock, checks, results, stop }
}

for (const [outcome, found] of [
  ['not_found', 'nothing'],
  ['get_hit', 'nothing'],
  ['hit', 'nothing'],
  ['timeout', 'unknown'],
  ['error', 'unknown'],
] as const)
  test(`a read that ends with ${outcome} and brings no role is told as ${found}`, async t => {
    const { clock, checks, results } = open(t, () => Promise.resolve(outcome))
    assert.equal(checks.add(key), true)
    await clock.advance(20)
    assert.deepEqual(results, [{ pods: 1, found, isWatched: found === 'nothing' }])
  })

for (const holding of ['role', 'promise'] as const)
  for (const [what, watched, isWatched] of [
    ['the read brings', 'nothing', false],
    ['the watch brings while the read is under way', holding, true],
  ] as const)
    test(`a ${holding} that ${what} counts as that, however the read ended`, async t => {
      let [known, seen]: Holding[] = ['nothing', 'nothing']
      const lookUp = (): Promise<LookupOutcome> => {
        ;[known, seen] = [holding, watched]
        return Promise.resolve('timeout')
      }
      const more = { known: () => known ?? 'nothing', watched: () => seen ?? 'nothing' }
      const { clock, checks, results } = open(t, lookUp, more)
      checks.add(key)
      await clock.advance(20)
      assert.deepEqual(results, [{ pods: 1, found: holding, isWatched }])
    })

test('pods that come before the read is sent share it, and one that comes after it is sent does not', async t => {
  const answers: (() => void)[] = []
  const { clock, checks, results } = open(t, () => new Promise(resolve => answers.push(() => resolve('not_found'))))
  checks.add(key)
  await clock.advance(19)
  checks.add(key)
  await clock.advance(1)
  checks.add(key)
  await clock.advance(20)
  assert.equal(answers.length, 2)
  for (const answer of answers) answer()
  await drain()
  assert.deepEqual(
    results.map(({ pods }) => pods),
    [2, 1],
  )
})

test('so many ServiceAccounts wait and no more; for those that wait already there is always room', t => {
  const { checks } = open(t, () => Promise.resolve('not_found'))
  const named = (name: string): ObjectKey => ({ namespace: 'ns1', name })
  assert.deepEqual(
    ['a', 'b', 'c', 'a'].map(name => checks.add(named(name))),
    [true, true, false, true],
  )
})

test('told to stop, what was not read is told as unknown, and nobody else is taken', async t => {
  const { checks, results, stop } = open(t, () => Promise.resolve('not_found'))
  checks.add(key)
  stop.abort(new Error('stopped'))
  await drain()
  assert.deepEqual(results, [{ pods: 1, found: 'unknown', isWatched: false }])
  assert.equal(checks.add(key), false)
})

test('before they run nobody is taken', () => {
  const checks = new BehindChecks({
    clock: new ManualClock(),
    turns: alwaysMyTurn,
    pendingMax: 1,
    known: () => 'nothing',
    watched: () => 'nothing',
    lookUp: () => Promise.resolve('hit'),
    lookUpAll: () => Promise.resolve('hit'),
    accountCount: () => 0,
    onResult: () => {},
  })
  assert.equal(checks.add(key), false)
})

/** Nobody's turn ever comes: only a list can answer. */
const noTurns: ReadTurns = {
  enter: signal => new Promise(resolve => signal.addEventListener('abort', () => resolve(false), { once: true })),
}
const crowd = Array.from({ length: 64 }, (_, index): ObjectKey => ({ namespace: 'ns1', name: `app-${index}` }))

interface Listing {
  readonly lists: (() => void)[]
  readonly more: Partial<BehindOptions>
}

function listing(outcome: LookupOutcome): Listing {
  const lists: (() => void)[] = []
  const lookUpAll = (): Promise<LookupOutcome> => new Promise(resolve => lists.push(() => resolve(outcome)))
  return { lists, more: { turns: noTurns, pendingMax: 1_000, lookUpAll } }
}

const neverRead = (): Promise<LookupOutcome> => Promise.reject(new Error('no ServiceAccount is read by itself'))

for (const [outcome, found] of [
  ['get_hit', 'nothing'],
  ['error', 'unknown'],
  ['timeout', 'unknown'],
] as const)
  test(`pods of a crowd of ServiceAccounts are covered by one list, and one that ends with ${outcome} is told as ${found}`, async t => {
    const { lists, more } = listing(outcome)
    const { clock, checks, results } = open(t, neverRead, more)
    for (const one of [...crowd, ...crowd]) assert.equal(checks.add(one), true)
    await clock.advance(20)
    assert.equal(lists.length, 1)
    assert.equal(results.length, 0)
    lists[0]?.()
    await drain()
    assert.equal(results.length, 64)
    assert.ok(results.every(result => result.pods === 2 && result.found === found))
  })

test('whoever comes after a list was sent is not covered by it, and waits for the next one, a second later', async t => {
  const { lists, more } = listing('get_hit')
  const { clock, checks, results } = open(t, neverRead, more)
  for (const one of crowd) checks.add(one)
  await clock.advance(20)
  for (const one of crowd) checks.add(one)
  lists[0]?.()
  await clock.advance(999)
  assert.deepEqual([lists.length, results.length], [1, 64])
  await clock.advance(1)
  assert.equal(lists.length, 2)
  lists[1]?.()
  await drain()
  assert.equal(results.length, 128)
})

for (const [pendingMax, afterMs] of [
  [128, 250],
  [129, 1_000],
] as const)
  test(`where 64 of ${pendingMax} places are taken the next list comes after ${afterMs} ms`, async t => {
    const { lists, more } = listing('get_hit')
    const { clock, checks } = open(t, neverRead, { ...more, pendingMax })
    for (const one of crowd) checks.add(one)
    await clock.advance(20)
    for (const one of crowd) checks.add(one)
    lists[0]?.()
    await clock.advance(afterMs - 1)
    assert.equal(lists.length, 1)
    await clock.advance(1)
    assert.equal(lists.length, 2)
    lists[1]?.()
  })

test('where each of a crowd stands for sixteen ServiceAccounts a list is no dearer, and is made', async t => {
  const { lists, more } = listing('get_hit')
  const { clock, checks } = open(t, neverRead, { ...more, accountCount: () => 1_024 })
  for (const one of crowd) checks.add(one)
  await clock.advance(20)
  assert.equal(lists.length, 1)
  lists[0]?.()
})

test('one that came a millisecond later is read a millisecond later', async t => {
  const read: string[] = []
  const lookUp = ({ name }: ObjectKey): Promise<LookupOutcome> => (read.push(name), Promise.resolve('not_found'))
  const { clock, checks } = open(t, () => Promise.resolve('not_found'), { lookUp })
  checks.add(key)
  await clock.advance(1)
  checks.add({ namespace: 'ns1', name: 'later' })
  await clock.advance(19)
  assert.deepEqual(read, ['app'])
  await clock.advance(1)
  assert.deepEqual(read, ['app', 'later'])
})

test('nobody is read before its turn has come', async t => {
  let grant = (_granted: boolean): void => undefined
  const turns: ReadTurns = { enter: () => new Promise(resolve => (grant = resolve)) }
  const { clock, checks, results } = open(t, () => Promise.resolve('not_found'), { turns })
  checks.add(key)
  await clock.advance(1_000)
  assert.deepEqual(results, [])
  grant(true)
  await drain()
  assert.equal(results.length, 1)
})

test('checks run until they are told to stop, and until what is read has come', async () => {
  const clock = new ManualClock()
  let answer = (): void => undefined
  const read = new Promise<LookupOutcome>(resolve => (answer = () => resolve('not_found')))
  const checks = new BehindChecks({
    clock,
    turns: alwaysMyTurn,
    pendingMax: 1,
    known: () => 'nothing',
    watched: () => 'nothing',
    lookUp: () => read,
    lookUpAll: () => read,
    accountCount: () => 1_000,
    onResult: () => {},
  })
  const stop = new AbortController()
  let isOver = false
  const running = checks.run(stop.signal).then(() => (isOver = true))
  checks.add(key)
  await clock.advance(20)
  assert.equal(isOver, false)
  stop.abort(new Error('stopped'))
  await drain()
  assert.equal(isOver, false)
  answer()
  await running
})

test('a few, and few among very many, are read one by one', async t => {
  for (const [waiting, accountCount] of [
    [63, 100],
    [64, 1_025],
  ] as const) {
    let reads = 0
    const lookUp = (): Promise<LookupOutcome> => {
      reads++
      return Promise.resolve('not_found')
    }
    const { clock, checks } = open(t, lookUp, { pendingMax: 1_000, accountCount: () => accountCount })
    for (const one of crowd.slice(0, waiting)) checks.add(one)
    await clock.advance(20)
    assert.equal(reads, waiting)
  }
})

test('a role that only the list brings is told as one that the watch has not brought', async t => {
  const { lists, more } = listing('get_hit')
  let known: Holding = 'nothing'
  const { clock, checks, results } = open(t, neverRead, { ...more, known: () => known })
  for (const one of crowd) checks.add(one)
  await clock.advance(20)
  known = 'role'
  lists[0]?.()
  await drain()
  assert.deepEqual(results[0], { pods: 1, found: 'role', isWatched: false })
})

test('told to stop while a list is under way, and while others wait, all are told as unknown', async t => {
  const lookUpAll = (signal: AbortSignal): Promise<LookupOutcome> =>
    new Promise(resolve => signal.addEventListener('abort', () => resolve('timeout'), { once: true }))
  const { clock, checks, results, stop } = open(t, neverRead, { turns: noTurns, pendingMax: 1_000, lookUpAll })
  for (const one of crowd) checks.add(one)
  await clock.advance(20)
  for (const one of crowd) checks.add(one)
  stop.abort(new Error('stopped'))
  await drain()
  assert.equal(results.length, 128)
  assert.ok(results.every(({ found }) => found === 'unknown'))
})
