import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Waiting } from './waiting.ts'

const claim = (
  name: string,
): { readonly controller: string; readonly key: { readonly namespace: string; readonly name: string } } => ({
  controller: 'roles',
  key: { namespace: 'apps', name },
})

function waiting(): { readonly waiting: Waiting; readonly done: string[]; pass(name: string, beganMs: number): void } {
  const done: string[] = []
  const one = new Waiting({ onDone: receipt => done.push(receipt), forgetAfterMs: 1_000 })
  return { waiting: one, done, pass: (name, beganMs) => one.onPass('roles', claim(name).key, beganMs) }
}

test('a message is done with when all of its objects have been looked at, and not before', () => {
  const one = waiting()
  one.waiting.add('both', [claim('a'), claim('b')], 100)
  one.pass('a', 110)
  assert.deepEqual(one.done, [])
  one.pass('b', 120)
  assert.deepEqual(one.done, ['both'])
  assert.equal(one.waiting.size, 0)
})

test('a pass that began before a message came may have read the world before it, and does nothing for it', () => {
  const one = waiting()
  one.waiting.add('early', [claim('a')], 100)
  one.waiting.add('late', [claim('a')], 200)
  one.pass('a', 150)
  assert.deepEqual(one.done, ['early'])
  one.pass('a', 200)
  assert.deepEqual([one.done, one.waiting.size], [['early', 'late'], 0])
})

test('what the queue hands out again is forgotten', () => {
  const one = waiting()
  one.waiting.add('lost', [claim('a')], 100)
  one.waiting.forgetOld(1_099)
  assert.equal(one.waiting.size, 1)
  one.waiting.forgetOld(1_100)
  one.pass('a', 1_200)
  assert.deepEqual([one.waiting.size, one.done], [0, []])
})

test('an object that waits for a message still is not forgotten with an older one', () => {
  const one = waiting()
  one.waiting.add('old', [claim('a')], 100)
  one.waiting.add('new', [claim('a')], 600)
  one.waiting.forgetOld(1_200)
  assert.equal(one.waiting.size, 1)
  one.waiting.add('newest', [claim('a')], 1_100)
  one.pass('a', 1_100)
  // The first was handed out again by then, under another receipt.
  assert.deepEqual(one.done, ['new', 'newest'])
})

test('a pass of what nobody waits for does nothing', () => {
  const one = waiting()
  one.pass('a', 100)
  one.waiting.onPass('users', claim('a').key, 100)
  assert.deepEqual([one.waiting.size, one.done], [0, []])
})
