import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { type Clock, ManualClock } from '#base'
import { openScope, pause, Stopped } from './scope.ts'

const enough = new Error('enough')
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

test('a scope ends by its owner: with a reason what runs is aborted, without one it is not, and the first reason stays', () => {
  const scope = openScope({})
  scope.end()
  assert.equal(scope.signal.aborted, false)
  scope.end(enough)
  scope.end(new Error('later'))
  assert.equal(scope.signal.reason, enough)
})

for (const [what, given, expected] of [
  ['an error', enough, enough],
  ['a word', 'enough', new Stopped('stop', 'enough')],
] as const)
  test(`a scope ends with any of the signals above it, which gave ${what} as the reason, and listens to none of them any more`, () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const clock = new ManualClock()
    const scope = openScope({ parents: [undefined, one.signal, other.signal], deadline: { clock, ms: 10, what: 'it' } })
    assert.deepEqual([scope.signal.aborted, listeners(one.signal), listeners(other.signal)], [false, 1, 1])
    other.abort(given)
    assert.deepEqual(scope.signal.reason, expected)
    assert.deepEqual([listeners(one.signal), listeners(other.signal), clock.pendingCount()], [0, 0, 0])
  })

test('below a signal that has aborted a scope is over at once, and takes no listener and no timer', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  other.abort(enough)
  const clock = new ManualClock()
  const scope = openScope({ parents: [one.signal, other.signal], deadline: { clock, ms: 10, what: 'it' } })
  assert.equal(scope.signal.reason, enough)
  assert.deepEqual([listeners(one.signal), clock.pendingCount()], [0, 0])
})

test('a scope ends at its deadline, and says what took too long', async () => {
  const clock = new ManualClock()
  const { signal } = openScope({ deadline: { clock, ms: 10, what: 'the reconcile' } })
  await clock.advance(9)
  assert.equal(signal.aborted, false)
  await clock.advance(1)
  assert.deepEqual(signal.reason, new Stopped('deadline', 'the reconcile took longer than 10 ms'))
  assert.deepEqual([(signal.reason as Stopped).why, (signal.reason as Stopped).name], ['deadline', 'Stopped'])
})

test('a scope that ends takes its timer and its listeners away', () => {
  const { signal: above } = new AbortController()
  const clock = new ManualClock()
  const scope = openScope({ parents: [above], deadline: { clock, ms: 10, what: 'it' } })
  scope.end()
  assert.deepEqual([listeners(above), clock.pendingCount()], [0, 0])
})

test('a pause is over when its time is, or when its signal aborts; another trouble is not swallowed', async () => {
  const clock = new ManualClock()
  const stop = new AbortController()
  const whole = pause(clock, 10, stop.signal)
  await clock.advance(10)
  assert.equal(await whole, true)
  const cut = pause(clock, 10, stop.signal)
  const broken: Pick<Clock, 'sleep'> = { sleep: () => Promise.reject(enough) }
  await assert.rejects(pause(broken as Clock, 10, stop.signal), enough)
  stop.abort(enough)
  assert.equal(await cut, false)
})
