// §2.10.1: what is believed of a ServiceAccount, of whom it is asked, and for how long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, seededRandom, silentLog } from '#base'
import { serviceAccounts } from '#kube'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { Accounts } from './accounts.ts'
import { DirectReads } from './direct-reads.ts'
import { type LookupOptions, type LookupOutcome, lookUp, lookUpAll, type Other } from './lookup.ts'
import { alwaysMyTurn } from './read-budget.ts'

const key = { namespace: 'ns', name: 'a' }
const noTurn = { enter: () => Promise.resolve(false) }

async function lookups(more: Partial<LookupOptions> = {}, { isSynced = true, isKnown = false } = {}) {
  const cluster = fakeCluster()
  cluster.holdLists = !isSynced
  const clock = new ManualClock()
  const { client } = cluster
  const options = { client, clock, random: seededRandom(1), log: silentLog, annotationPrefixes: [], identityAnnotations: [] }
  const accounts = new Accounts(options)
  const reads = new DirectReads(client, serviceAccounts)
  if (isKnown) cluster.put('ServiceAccount', 'ns/a')
  const stop = new AbortController()
  const running = accounts.run(stop.signal)
  await drain()
  const given: LookupOptions = {
    accounts,
    reads,
    clock,
    graceMs: 100,
    unknownBudget: alwaysMyTurn,
    confirmBudget: alwaysMyTurn,
    others: [],
    ...more,
  }
  let isSettled = false
  const told: LookupOutcome[] = []
  const ask = (signal = new AbortController().signal, of = key): LookupOutcome[] => {
    void lookUp(given, of, () => isSettled, signal).then(outcome => told.push(outcome))
    return told
  }
  const end = async (): Promise<void> => {
    stop.abort()
    await running
    await clock.advance(60_000)
  }
  return { cluster, clock, accounts, given, ask, settle: () => (isSettled = true), end }
}

for (const [what, of, known, outcome] of [
  ['the empty name', { namespace: 'ns', name: '' }, false, 'not_found'],
  ['a name in no namespace', { namespace: '', name: 'a' }, false, 'not_found'],
] as const)
  test(`${what} is no ServiceAccount, and nobody is asked [A-10]`, async () => {
    const { cluster, ask, end } = await lookups({}, { isKnown: known })
    const told = ask(undefined, of)
    await drain()
    assert.deepEqual([told, cluster.reads], [[outcome], []])
    await end()
  })

for (const [what, more, world, outcome, reads] of [
  ['a read finds', {}, { isKnown: true }, 'get_hit', 1],
  ['a read denies', {}, {}, 'not_found', 1],
  ['the cache has, with a grace of 0', { graceMs: 0 }, { isKnown: true }, 'hit', 0],
  ['the cache lacks, with a grace of 0', { graceMs: 0 }, {}, 'not_found', 0],
  ['the cache has, where nothing is confirmed', { confirmBudget: undefined }, { isKnown: true }, 'hit', 0],
  ['the cache lacks, where nothing is confirmed', { confirmBudget: undefined }, {}, 'not_found', 1],
  ['there is no turn to read', { unknownBudget: noTurn }, {}, 'timeout', 0],
  ['there is no turn to confirm', { confirmBudget: noTurn }, { isKnown: true }, 'timeout', 0],
  ['is known and needs no turn of the unknown', { unknownBudget: noTurn }, { isKnown: true }, 'get_hit', 1],
] as const)
  test(`what ${what}: ${outcome}, with ${reads} reads [2.10.1]`, async () => {
    const { cluster, clock, ask, end } = await lookups(more, world)
    const timers = clock.pendingCount()
    const told = ask()
    await clock.advance(0)
    assert.deepEqual([told, cluster.reads.length, clock.pendingCount()], [[outcome], reads, timers])
    await end()
  })

for (const [isSynced, graceMs, limitMs] of [
  [true, 100, 100],
  [false, 100, 1_000],
  [false, 0, 1_000],
  [false, 3_000, 3_000],
] as const)
  test(`${isSynced ? 'after' : 'before'} the first list a grace of ${graceMs} ms is ${limitMs} ms [F-03]`, async () => {
    const { cluster, clock, ask, end } = await lookups({ graceMs }, { isSynced })
    cluster.read = 'hang'
    const told = ask()
    await clock.advance(limitMs - 1)
    assert.deepEqual(told, [])
    await clock.advance(1)
    assert.deepEqual(told, ['timeout'])
    await end()
  })

test('a read that the server could not answer is made again 20 ms later, until the time is over [2.10.1]', async () => {
  const { cluster, clock, ask, end } = await lookups()
  cluster.read = 'fail'
  const told = ask()
  await clock.advance(19)
  assert.equal(cluster.reads.length, 1)
  await clock.advance(1)
  assert.equal(cluster.reads.length, 2)
  await clock.advance(79)
  assert.deepEqual([told, cluster.reads.length], [[], 5])
  await clock.advance(1)
  assert.deepEqual(told, ['timeout'])
  await end()
})

test('a read that the server refuses is not made again', async () => {
  const { cluster, clock, ask, end } = await lookups()
  cluster.read = 'refuse'
  const told = ask()
  await clock.advance(100)
  assert.deepEqual([told, cluster.reads.length], [['error'], 1])
  await end()
})

test('what the watch brings settles it at once, while the read hangs [A-06]', async () => {
  const { cluster, ask, settle, end } = await lookups()
  cluster.read = 'hang'
  const told = ask()
  await drain()
  cluster.put('ServiceAccount', 'ns/a')
  await drain()
  assert.deepEqual([told, cluster.readsInFlight], [[], 1])
  settle()
  cluster.put('ServiceAccount', 'ns/a')
  await drain()
  assert.deepEqual([told, cluster.readsInFlight], [['hit'], 0])
  await end()
})

test('where nothing is confirmed, one that turns up is an answer, whatever it says', async () => {
  const { cluster, ask, end } = await lookups({ confirmBudget: undefined })
  cluster.read = 'hang'
  const told = ask()
  await drain()
  cluster.put('ServiceAccount', 'ns/a')
  await drain()
  assert.deepEqual(told, ['hit'])
  await end()
})

for (const [other, outcome] of [
  ['hit', 'not_found'],
  ['error', 'error'],
  ['timeout', 'timeout'],
] as const)
  test(`beside a read that denies, another place with ${other} makes it ${outcome} [S20]`, async () => {
    const { ask, end } = await lookups({ others: [() => Promise.resolve(other)] })
    const told = ask()
    await drain()
    assert.deepEqual(told, [outcome])
    await end()
  })

test('what is settled needs no other place that failed', async () => {
  const { ask, settle, end } = await lookups({ others: [() => Promise.resolve('error')] }, { isKnown: true })
  settle()
  const told = ask()
  await drain()
  assert.deepEqual(told, ['get_hit'])
  await end()
})

test('where nothing is confirmed, no other place is asked', async () => {
  const never: Other = () => Promise.reject(new Error('asked'))
  const { ask, end } = await lookups({ confirmBudget: undefined, others: [never] })
  const told = ask()
  await drain()
  assert.deepEqual(told, ['not_found'])
  await end()
})

for (const [outcome, lists, others] of [
  ['get_hit', false, ['hit', 'not_found']],
  ['error', false, ['hit', 'error']],
  ['timeout', false, ['timeout']],
  ['timeout', true, []],
] as const)
  test(`a list of all ${lists ? 'that does not come' : `beside ${others.join(' and ')}`} is ${outcome}`, async () => {
    const { cluster, clock, given, end } = await lookups()
    cluster.holdLists = lists
    const told: string[] = []
    const isDone: boolean[] = []
    const asked = others.map(
      (other): Other =>
        done => {
          isDone.push(done())
          return Promise.resolve(other)
        },
    )
    void lookUpAll({ ...given, others: asked }, new AbortController().signal).then(said => told.push(said))
    await clock.advance(99)
    assert.deepEqual(told, lists ? [] : [outcome])
    await clock.advance(1)
    assert.deepEqual([told, isDone], [[outcome], others.map(() => false)])
    await end()
  })

test('a list of all that the server refuses is an error', async () => {
  const { accounts, given, end } = await lookups()
  accounts.readAll = () => Promise.reject(new Error('forbidden'))
  assert.equal(await lookUpAll(given, new AbortController().signal), 'error')
  await end()
})
