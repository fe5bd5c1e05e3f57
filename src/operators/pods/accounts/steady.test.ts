import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { InformerState } from '#runtime'
import { SteadyAccounts } from './steady.ts'

const key = { namespace: 'ns1', name: 'app' }
const live: InformerState = { kind: 'live' }

/** A watch that is open and was heard of `silentMs` ago. */
const watch = (silentMs = 0, state: InformerState = live) => ({ state, silentMs: () => silentMs })

interface SteadyWorld {
  readonly clock: ManualClock
  readonly steady: SteadyAccounts
}

/** Started so long ago that nothing from before the start counts as recent. */
async function open(afterMs = 1_000, informers = [watch()]): Promise<SteadyWorld> {
  const clock = new ManualClock()
  const steady = new SteadyAccounts({ clock, afterMs, informers })
  await clock.advance(afterMs)
  return { clock, steady }
}

test('after a start none is steady until the time has passed: what changed before it nobody knows', async () => {
  const clock = new ManualClock()
  const steady = new SteadyAccounts({ clock, afterMs: 1_000, informers: [watch()] })
  await clock.advance(999)
  assert.equal(steady.holds(key), false)
  await clock.advance(1)
  assert.equal(steady.holds(key), true)
})

for (const [what, informers, holds] of [
  ['open watches', [watch(), watch(89_999)], true],
  ['one that is silent for 90 seconds', [watch(), watch(90_000)], false],
  ['one that lists', [watch(), watch(0, { kind: 'listing', sinceMs: 0 })], false],
  ['one that is behind', [watch(0, { kind: 'behind', why: 'unreachable', message: '', sinceMs: 0 }), watch()], false],
] as const)
  test(`by ${what} the lack of a role is ${holds ? 'believed' : 'not believed'}`, async () => {
    assert.equal((await open(1_000, [...informers])).steady.holds(key), holds)
  })

for (const [changed, holds] of [
  ['ns1/app', false],
  ['*/app', false],
  ['ns2/app', true],
  ['ns1/apps', true],
  ['*/apps', true],
] as const)
  test(`a change of ${changed} ${holds ? 'leaves ns1/app steady' : 'unsettles ns1/app for the time, to the millisecond'}`, async () => {
    const { clock, steady } = await open()
    steady.changed(changed)
    assert.equal(steady.holds(key), holds)
    await clock.advance(999)
    assert.equal(steady.holds(key), holds)
    await clock.advance(1)
    assert.equal(steady.holds(key), true)
  })

test('a second change begins the time anew', async () => {
  const { clock, steady } = await open()
  steady.changed('ns1/app')
  await clock.advance(999)
  steady.changed('ns1/app')
  await clock.advance(999)
  assert.equal(steady.holds(key), false)
  await clock.advance(1)
  assert.equal(steady.holds(key), true)
})

test('a read that found a watch behind ends the belief in all for a minute', async () => {
  const { clock, steady } = await open(1)
  steady.doubt()
  assert.equal(steady.holds(key), false)
  await clock.advance(59_999)
  assert.equal(steady.holds(key), false)
  await clock.advance(1)
  assert.equal(steady.holds(key), true)
})

test('with a time of 0 none is steady, and nothing is remembered', async () => {
  const { steady } = await open(0)
  assert.equal(steady.holds(key), false)
})

test('more changes than are remembered unsettle everybody until the forgotten ones would be steady', async () => {
  const { clock, steady } = await open()
  for (let index = 0; index < 10_000; index++) steady.changed(`ns2/a${index}`)
  assert.equal(steady.holds(key), true)
  await clock.advance(500)
  steady.changed('ns2/one-more')
  assert.equal(steady.holds(key), false)
  await clock.advance(499)
  assert.equal(steady.holds(key), false)
  await clock.advance(1)
  assert.equal(steady.holds(key), true)
  assert.equal(steady.holds({ namespace: 'ns2', name: 'one-more' }), false)
})

test('with a time of a millisecond a change counts for that long', async () => {
  const { clock, steady } = await open(1)
  steady.changed('ns1/app')
  assert.equal(steady.holds(key), false)
  await clock.advance(1)
  assert.equal(steady.holds(key), true)
})

test('of more changes than are remembered the oldest alone is forgotten', async () => {
  const { clock, steady } = await open()
  steady.changed('ns2/oldest')
  await clock.advance(1)
  for (let index = 1; index < 10_000; index++) steady.changed(`ns2/a${index}`)
  await clock.advance(499)
  steady.changed('ns2/one-more')
  await clock.advance(499)
  assert.equal(steady.holds(key), false)
  await clock.advance(1)
  assert.equal(steady.holds(key), true)
})

test('what is forgotten after its time unsettles nobody', async () => {
  const { clock, steady } = await open()
  for (let index = 0; index < 10_000; index++) steady.changed(`ns2/a${index}`)
  await clock.advance(1_000)
  steady.changed('ns2/one-more')
  assert.equal(steady.holds(key), true)
})
