import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect } from '../effects.ts'
import { Chronicle } from './chronicle.ts'

function by(process: string, epoch = 1): Effect {
  const about = { server: 'hub', method: 'PUT', target: '/lease', key: '/lease', subresource: undefined, body: undefined }
  return { step: 1, by: process, epoch, sentAtMs: 0, before: undefined, after: undefined, ...about }
}

test('the first violation is the one that counts', () => {
  const chronicle = new Chronicle()
  chronicle.fail('S2', 'first')
  chronicle.fail('S1', 'second')
  assert.equal(chronicle.violation?.message, 'S2: first')
})

test('a later leader has not acted, and a renewal by the same holder is no later term', () => {
  const chronicle = new Chronicle()
  chronicle.lead('a', by('p0'))
  chronicle.leaderActed()
  chronicle.lead('a', by('p0'))
  chronicle.lead('', by('p0'))
  assert.deepEqual(chronicle.leader(), { holder: 'a', process: 'p0', epoch: 1, hasActed: true })
  chronicle.lead('b', by('p1', 3))
  assert.deepEqual(chronicle.leader(), { holder: 'b', process: 'p1', epoch: 3, hasActed: false })
})

test("what a user released is its claim's again once a process took it back", () => {
  const chronicle = new Chronicle()
  chronicle.release('u1')
  chronicle.release('u2')
  chronicle.takeBack('u1')
  assert.deepEqual([...chronicle.released], ['u2'])
})

test('a look counts for what the same pass sends after it, until the server says otherwise', () => {
  const chronicle = new Chronicle()
  const look = { uid: 'u1', claim: 'a/x', step: 12 }
  chronicle.passBegan('p0', 'certs', 'a/x', 10)
  chronicle.looked('p0', '/x', look)
  chronicle.passBegan('p0', 'certs', 'a/x', 20)
  assert.equal(chronicle.sawHeld('p0', 'u1', 15), true)
  assert.equal(chronicle.sawHeld('p0', 'u1', 11), false, 'sent before the look')
  assert.equal(chronicle.sawHeld('p0', 'u1', 25), false, 'of a later pass')
  assert.equal(chronicle.sawHeld('p1', 'u1', 15), false, 'of another process')
  assert.equal(chronicle.sawHeld('p0', 'u2', 15), false, 'for another claim')
  const left = chronicle.leave('u1')
  assert.equal(chronicle.sawHeld('p0', left, 15), true, 'of what the claim keeps when it goes')
  assert.equal(chronicle.sawHeld('p0', left, 25), false, 'of a later pass')
  assert.deepEqual([...chronicle.released], [left])
  chronicle.looked('p0', '/x', undefined)
  assert.equal(chronicle.sawHeld('p0', 'u1', 15), false, 'the server said that it is gone')
})
