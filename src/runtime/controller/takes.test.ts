// What is told of each claim that is taken up: for whom, from which lane, and how long it waited while somebody worked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greeting, greetingController, greetingCrd, greetings } from '../testing/greeting.ts'
import { engineWorld } from '../testing/world.ts'
import type { Take } from './options.ts'

test('a claim that is new is taken from the fresh lane at once, however long its controller had nothing to do', async () => {
  await using world = engineWorld({ objects: [greetingCrd] })
  const takes: Take[] = []
  world.start({ controllers: [greetingController()], onTake: take => takes.push(take) })
  await world.settle()
  await world.advance(60_000)
  assert.deepEqual(takes, [])
  await world.client.create(greetings, greeting('a'))
  await world.settle()
  const [first] = takes
  assert.deepEqual(first, {
    controller: 'greeter',
    key: { cluster: '', namespace: 'default', name: 'a' },
    lane: 'fresh',
    waitedMs: 0,
  })
})
