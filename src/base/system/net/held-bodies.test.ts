import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Held, HeldBodies, requestBytes } from './held-bodies.ts'

const mebibyte = 1_024 * 1_024

interface Sender extends Held {
  readonly isCut: () => boolean
}

function send(bodies: HeldBodies, peer: string, bytes = 0): Sender {
  let isCut = false
  const held = bodies.open(peer, () => (isCut = true))
  if (bytes > 0) held.add(bytes)
  return { ...held, isCut: () => isCut }
}

test('when all bodies together are too many bytes, the largest of the peer with the most is cut, and nobody else’s', () => {
  const bodies = new HeldBodies(8 * mebibyte)
  const small = send(bodies, 'a', mebibyte)
  const large = send(bodies, 'a', 2 * mebibyte)
  const others = ['b', 'c'].map(peer => send(bodies, peer, 2 * mebibyte))
  const last = send(bodies, 'd', mebibyte)
  assert.deepEqual(
    [small, large, ...others, last].map(({ isCut }) => isCut()),
    [false, true, false, false, false],
  )
})

test('of two peers the one with many small bodies loses one before the one with a single large', () => {
  const bodies = new HeldBodies(8 * mebibyte)
  const crowd = Array.from({ length: 7 }, () => send(bodies, 'a', mebibyte / 2))
  const single = send(bodies, 'b', 2 * mebibyte)
  const last = send(bodies, 'c', 3 * mebibyte)
  assert.equal(crowd.filter(({ isCut }) => isCut()).length, 2)
  assert.deepEqual([single.isCut(), last.isCut()], [false, false])
})

test('one peer holds half at most: the other half is there for others', () => {
  const bodies = new HeldBodies(8 * mebibyte)
  const crowd = Array.from({ length: 20 }, () => send(bodies, 'a', mebibyte))
  assert.equal(crowd.filter(({ isCut }) => !isCut()).length, 3, 'three, and the little that each request costs besides')
  assert.equal(send(bodies, 'b', 3 * mebibyte).isCut(), false)
})

test('requests that send nothing are bounded too', () => {
  const bodies = new HeldBodies(8 * requestBytes)
  const crowd = Array.from({ length: 100 }, () => send(bodies, 'a'))
  assert.equal(crowd.filter(({ isCut }) => !isCut()).length, 4)
  assert.equal(bodies.bytes, 4 * requestBytes)
})

test('a body that is whole is not cut, and whoever would need its room is', () => {
  const bodies = new HeldBodies(4 * mebibyte)
  const whole = [send(bodies, 'a', mebibyte), send(bodies, 'b', mebibyte), send(bodies, 'c', mebibyte)]
  for (const each of whole) each.whole()
  const last = send(bodies, 'd', mebibyte)
  assert.deepEqual(
    [...whole, last].map(({ isCut }) => isCut()),
    [false, false, false, true],
  )
})

test('what was released is free again, once, and what was cut counts no more', () => {
  const bodies = new HeldBodies(2 * mebibyte)
  const first = send(bodies, 'a', 1_000)
  first.release()
  first.release()
  const cut = send(bodies, 'a', 2 * mebibyte)
  assert.equal(cut.isCut(), true)
  cut.add(mebibyte)
  cut.release()
  assert.equal(bodies.bytes, 0)
})
