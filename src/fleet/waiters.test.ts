// Who is woken when a cluster is back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engagements, Waiter } from './engagement.ts'
import { engagementsFor, Waiters } from './waiters.ts'

const waiter = (name: string, controller = 'roles'): Waiter => ({ controller, key: { namespace: 'a', name } })

test('those who wait for a cluster are woken once each, and wait no longer', () => {
  const waiters = new Waiters()
  assert.equal(waiters.has('a'), false)
  assert.deepEqual(waiters.take('a'), [])
  for (const each of [waiter('one'), waiter('two'), waiter('one'), waiter('one', 'configs')]) waiters.add('a', each)
  waiters.add('b', waiter('three'))
  assert.equal(waiters.has('a'), true)
  assert.deepEqual(waiters.take('a'), [waiter('one'), waiter('two'), waiter('one', 'configs')])
  assert.equal(waiters.has('a'), false)
  assert.deepEqual(waiters.take('a'), [])
  assert.deepEqual(waiters.take('b'), [waiter('three')])
})

test('one that does not say who it is has everyone woken, whoever waits besides', () => {
  const waiters = new Waiters()
  waiters.add('a', waiter('one'))
  waiters.add('a')
  waiters.add('a', waiter('two'))
  assert.equal(waiters.has('a'), true)
  assert.equal(waiters.take('a'), 'everyone')
  assert.deepEqual(waiters.take('a'), [])
})

test('a pass asks what all ask, and waits under its own name', () => {
  const asked: unknown[] = []
  const all: Engagements = {
    stateOf: cluster => ({ kind: 'away', message: `of ${cluster}` }),
    sameClusterAs: cluster => `the same as ${cluster}`,
    awaitBack: (...call) => void asked.push(call),
  }
  const own = engagementsFor(waiter('one'), all)
  assert.deepEqual(own?.stateOf('a'), { kind: 'away', message: 'of a' })
  assert.equal(own?.sameClusterAs?.('a'), 'the same as a')
  own?.awaitBack('a')
  assert.deepEqual(asked, [['a', waiter('one')]])
  assert.equal(engagementsFor(waiter('one'), { stateOf: all.stateOf, awaitBack: all.awaitBack })?.sameClusterAs?.('a'), undefined)
  assert.equal(engagementsFor(waiter('one'), undefined), undefined)
})
