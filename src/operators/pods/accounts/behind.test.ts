import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain, ManualClock } from '#base'
import type { ObjectKey } from '#kube'
import { BehindChecks, type BehindOptions, type BehindResult, type Holding } from './behind.ts'
import type { LookupOutcome } from './lookup.ts'
import { alwaysMyTurn } from './read-budget.ts'

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
    onResult: () => {},
  })
  assert.equal(checks.add(key), false)
})
