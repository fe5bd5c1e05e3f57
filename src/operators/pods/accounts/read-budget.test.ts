// §2.10.1: how many direct reads there may be, who waits for a turn, and who is turned away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock } from '#base'
import { accountBudgets, alwaysMyTurn, ReadBudget, type ReadBudgetOptions, type ReadTurns } from './read-budget.ts'

function budgetOf(options: ReadBudgetOptions) {
  const clock = new ManualClock()
  return { clock, budget: new ReadBudget(clock, options) }
}

/** What each of so many askers was told by now, in their order. */
function askers(budget: ReadTurns, count: number, signal = new AbortController().signal): (boolean | undefined)[] {
  const told: (boolean | undefined)[] = Array.from({ length: count }, () => undefined)
  for (const index of told.keys()) void budget.enter(signal).then(granted => (told[index] = granted))
  return told
}

test('as many as the burst are let in at once, and the others one after the other, in their order [2.10.1]', async () => {
  const { clock, budget } = budgetOf({ perSecond: 10, burst: 2, queuedMax: 10 })
  const told = askers(budget, 4)
  await drain()
  assert.deepEqual([told, budget.queued], [[true, true, undefined, undefined], 2])
  await clock.advance(99)
  assert.deepEqual(told, [true, true, undefined, undefined])
  await clock.advance(1)
  assert.deepEqual(told, [true, true, true, undefined])
  await clock.advance(100)
  assert.deepEqual([told, budget.queued, clock.pendingCount()], [[true, true, true, true], 0, 0])
})

test('turns that nobody takes are kept up to the burst, and a part of one is not lost', async () => {
  const { clock, budget } = budgetOf({ perSecond: 10, burst: 2, queuedMax: 0 })
  const take = async (count: number): Promise<number> => {
    const told = askers(budget, count)
    await drain()
    return told.filter(granted => granted === true).length
  }
  assert.equal(await take(3), 2)
  await clock.advance(50)
  assert.equal(await take(1), 0)
  await clock.advance(50)
  assert.equal(await take(2), 1)
  await clock.advance(60_000)
  assert.equal(await take(5), 2)
})

test('whoever comes when the queue is full is turned away at once, and the queue stays', async () => {
  const { clock, budget } = budgetOf({ perSecond: 10, burst: 1, queuedMax: 2 })
  const told = askers(budget, 4)
  await drain()
  assert.deepEqual([told, budget.queued], [[true, undefined, undefined, false], 2])
  await clock.advance(200)
  assert.deepEqual(told, [true, true, true, false])
})

test('whoever comes later does not overtake those who wait', async () => {
  const { clock, budget } = budgetOf({ perSecond: 10, burst: 1, queuedMax: 10 })
  const told = askers(budget, 3)
  await clock.advance(100)
  const late = askers(budget, 1)
  await clock.advance(99)
  assert.deepEqual([told, late], [[true, true, undefined], [undefined]])
  await clock.advance(101)
  assert.deepEqual([told, late], [[true, true, true], [true]])
})

test('whoever gives up gets no turn, and its place goes to the next', async () => {
  const { clock, budget } = budgetOf({ perSecond: 10, burst: 1, queuedMax: 10 })
  const leaving = new AbortController()
  askers(budget, 1)
  const gone = askers(budget, 1, leaving.signal)
  const next = askers(budget, 1)
  leaving.abort()
  await drain()
  assert.deepEqual([gone, next, budget.queued], [[false], [undefined], 1])
  await clock.advance(100)
  assert.deepEqual([gone, next, clock.pendingCount()], [[false], [true], 0])
})

test('when the last that waits gives up, no timer is left', async () => {
  const { clock, budget } = budgetOf({ perSecond: 10, burst: 1, queuedMax: 10 })
  const leaving = new AbortController()
  askers(budget, 1)
  const gone = askers(budget, 1, leaving.signal)
  assert.equal(clock.pendingCount(), 1)
  leaving.abort()
  await drain()
  assert.deepEqual([gone, budget.queued, clock.pendingCount()], [[false], 0, 0])
})

test('one that has given up before it asked takes no turn', async () => {
  const { budget } = budgetOf({ perSecond: 10, burst: 1, queuedMax: 10 })
  assert.equal(await budget.enter(AbortSignal.abort()), false)
  assert.equal(await budget.enter(new AbortController().signal), true)
})

test('who would wait longer than may be waited is turned away at once', async () => {
  const { clock, budget } = budgetOf({ perSecond: 100, burst: 1, queuedMax: 10, waitMsMax: 20 })
  const told = askers(budget, 4)
  await drain()
  assert.deepEqual(told, [true, undefined, undefined, false])
  await clock.advance(20)
  assert.deepEqual(told, [true, true, true, false])
})

test('what a turn lacks is waited for, and no more', async () => {
  const { clock, budget } = budgetOf({ perSecond: 10, burst: 1, queuedMax: 10 })
  askers(budget, 1)
  await clock.advance(50)
  const told = askers(budget, 1)
  await clock.advance(49)
  assert.deepEqual(told, [undefined])
  await clock.advance(1)
  assert.deepEqual(told, [true])
})

/** Timers fire when the test says, and keep to no time. */
function looseTimers(burst = 1) {
  const timers: { readonly delayMs: number; readonly fire: () => void }[] = []
  const now = { ms: 0 }
  const timer = (delayMs: number, fire: () => void) => (timers.push({ delayMs, fire }), { cancel: () => undefined })
  const clock = Object.assign(new ManualClock(), { monotonicMs: () => now.ms, timer })
  return { timers, now, budget: new ReadBudget(clock, { perSecond: 10, burst, queuedMax: 10 }) }
}

test('a timer that fires too early gives no turn, and another is set for what is lacking', async () => {
  const { timers, now, budget } = looseTimers()
  const told = askers(budget, 2)
  for (const [ms, delayMs] of [
    [90, 100],
    [100, 10],
  ] as const) {
    await drain()
    now.ms = ms
    assert.deepEqual(told, [true, undefined])
    const due = timers.shift()
    assert.equal(due?.delayMs, delayMs)
    due?.fire()
  }
  await drain()
  assert.deepEqual([told, timers], [[true, true], []])
})

test('after a timer that fires late the turns that are there are given a millisecond apart', async () => {
  const { timers, now, budget } = looseTimers(3)
  const told = askers(budget, 6)
  now.ms = 300
  for (let given = 4; given <= 6; given++) {
    const due = timers.shift()
    assert.equal(due?.delayMs, given === 4 ? 100 : 1)
    due?.fire()
    await drain()
    assert.equal(told.filter(Boolean).length, given)
  }
})

test('a turn granted before is one as long as somebody waits for it', async () => {
  assert.equal(await alwaysMyTurn.enter(new AbortController().signal), true)
  assert.equal(await alwaysMyTurn.enter(AbortSignal.abort()), false)
})

for (const [which, burst, queued, everyMs] of [
  ['unknownBudget', 20, 1_000, 100],
  ['confirmBudget', 200, 1, 5],
] as const)
  test(`of the ${which} ${burst} come at once, ${queued} may wait, and one goes every ${everyMs} ms [2.10.1]`, async () => {
    const clock = new ManualClock()
    const budget = accountBudgets(clock, true)[which] as ReadBudget
    const told = askers(budget, burst + queued + 1)
    await drain()
    assert.deepEqual([told.filter(Boolean).length, budget.queued, told.at(-1)], [burst, queued, false])
    await clock.advance(everyMs - 1)
    assert.equal(told.filter(Boolean).length, burst)
    await clock.advance(1)
    assert.equal(told.filter(Boolean).length, burst + 1)
  })

test('of those that are confirmed 200 come in a second, and who would wait longer than 5 ms does not wait', async () => {
  const clock = new ManualClock()
  const { confirmBudget } = accountBudgets(clock, true)
  const ask = async (count: number): Promise<(boolean | undefined)[]> => {
    const told = askers(confirmBudget as ReadTurns, count)
    await drain()
    return told
  }
  await ask(200)
  await clock.advance(999)
  assert.equal((await ask(199)).filter(Boolean).length, 199)
  // Four fifths of a turn are there: the first waits a millisecond, the second would wait six.
  assert.deepEqual(await ask(2), [undefined, false])
})

test('where nothing is confirmed, no budget stands for it', () => {
  assert.equal(accountBudgets(new ManualClock(), false).confirmBudget, undefined)
})
