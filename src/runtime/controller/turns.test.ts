import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { Turns } from './turns.ts'

test('a first change waits for nothing, and those of the pause after it have one turn together', async () => {
  const clock = new ManualClock()
  const turns = new Turns(clock)
  assert.equal(turns.waitMs('set', 100), 0)
  const waits: number[] = []
  for (let change = 0; change < 5; change++) {
    await clock.advance(10)
    waits.push(turns.waitMs('set', 100))
  }
  // All five come to the same moment: the end of the pause.
  assert.deepEqual(waits, [90, 80, 70, 60, 50])
  await clock.advance(200)
  assert.equal(turns.waitMs('set', 100), 0, 'after a time without changes the next one is looked at at once')
})

test('the pauses of several claims follow one another, and each claim has one turn in a round', () => {
  const turns = new Turns(new ManualClock())
  const names = ['a', 'b', 'c', 'b', 'c', 'c']
  assert.deepEqual(
    names.map(name => turns.waitMs(name, 100)),
    [0, 100, 200, 100, 200, 200],
  )
})

test('a claim whose turn has come gets another one behind the others', async () => {
  const clock = new ManualClock()
  const turns = new Turns(clock)
  for (const name of ['a', 'b', 'c']) turns.waitMs(name, 100)
  await clock.advance(100)
  assert.deepEqual([turns.waitMs('b', 100), turns.waitMs('c', 100)], [200, 100])
})

test('turns that are over are forgotten, and no more than a thousand are remembered beside those to come', async () => {
  const clock = new ManualClock()
  const turns = new Turns(clock)
  for (let index = 0; index < 5_000; index++) {
    turns.waitMs(`claim-${index}`, 1)
    await clock.advance(1)
  }
  assert.equal(turns.remembered < 1_001, true, `${turns.remembered} are remembered`)
})

test('no pause is longer than a second, whatever is said of it: others are not kept waiting for it', () => {
  const turns = new Turns(new ManualClock())
  assert.deepEqual(
    ['endless', 'a', 'b'].map(name => turns.waitMs(name, name === 'endless' ? Number.MAX_SAFE_INTEGER : 100)),
    [0, 1_000, 1_100],
  )
})

test('the thousandth claim is remembered beside the others, and with the next those are forgotten whose turn has come', () => {
  const turns = new Turns(new ManualClock())
  for (let index = 0; index < 1_000; index++) turns.waitMs(`claim-${index}`, 0)
  assert.equal(turns.remembered, 1_000)
  turns.waitMs('one more', 50)
  assert.equal(turns.remembered, 1)
  for (let index = 0; index < 999; index++) turns.waitMs(`later-${index}`, 0)
  turns.waitMs('the last', 0)
  assert.equal(turns.remembered, 1_000, 'those whose turn is to come stay')
})
