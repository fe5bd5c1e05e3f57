// What a process remembers of its own requests: for as long as ACM may not show what was made, and of each object apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { RequestMemory } from './memory.ts'

test('a request without an answer is known for five minutes from the last try, or until an ARN comes of one [S26]', async () => {
  const clock = new ManualClock()
  const requests = new RequestMemory(clock)
  requests.asked('u1')
  requests.asked('u2')
  assert.deepEqual([requests.isUnanswered('u1'), requests.isUnanswered('u3')], [true, false])
  await clock.advance(200_000)
  requests.asked('u1')
  await clock.advance(99_999)
  assert.deepEqual([requests.isUnanswered('u1'), requests.isUnanswered('u2')], [true, true])
  await clock.advance(1)
  assert.deepEqual([requests.isUnanswered('u1'), requests.isUnanswered('u2')], [true, false])
  requests.made('u1', 'a')
  assert.equal(requests.isUnanswered('u1'), false)
})

test('what was made for an object is known for five minutes, or until it is deleted [S26]', async () => {
  const clock = new ManualClock()
  const requests = new RequestMemory(clock)
  requests.made('u1', 'a')
  await clock.advance(200_000)
  requests.made('u1', 'b')
  requests.made('u2', 'c')
  assert.deepEqual([requests.lately('u1'), requests.lately('u2'), requests.lately('u3')], [['a', 'b'], ['c'], []])
  requests.gone('b')
  assert.deepEqual(requests.lately('u1'), ['a'])
  await clock.advance(99_999)
  assert.deepEqual(requests.lately('u1'), ['a'])
  await clock.advance(1)
  assert.deepEqual(requests.lately('u1'), [])
  requests.made('u1', 'd')
  assert.deepEqual([requests.lately('u1'), requests.lately('u2')], [['d'], ['c']])
})
