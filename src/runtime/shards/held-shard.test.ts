// What a shard is while it is held: two proofs in one, and the work that has to end before somebody else may begin.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain } from '#base'
import { type Fence, fenced } from '../election/fence.ts'
import { bothFences } from './both-fences.ts'
import { HeldShard } from './held-shard.ts'

/** A fence that says what became of it. */
function fence(name: string, told: string[], opens: Promise<void> = Promise.resolve()) {
  const proof = new AbortController()
  const made: Fence = {
    check: () => void told.push(`${name} checked`),
    enter: async () => {
      await opens
      told.push(`${name} entered`)
      return { signal: proof.signal, leave: () => void told.push(`${name} left`) }
    },
  }
  return { fence: made, proof }
}

const { signal } = new AbortController()

test('whoever is behind both fences has passed one after the other, and leaves both', async () => {
  const told: string[] = []
  const opens = Promise.withResolvers<void>()
  const both = bothFences(fence('one', told, opens.promise).fence, fence('other', told).fence)
  const entering = both.enter(signal)
  await drain()
  assert.deepEqual(told, [])
  opens.resolve()
  const { leave } = await entering
  both.check()
  leave()
  assert.deepEqual(told, ['one entered', 'other entered', 'one checked', 'other checked', 'one left', 'other left'])
})

test('whoever is not let through the second leaves the first', async () => {
  const told: string[] = []
  const shut = fence('other', told, Promise.reject(fenced('not leading')))
  await assert.rejects(bothFences(fence('one', told).fence, shut.fence).enter(signal), /not leading/)
  assert.deepEqual(told, ['one entered', 'one left'])
})

for (const which of [0, 1])
  test(`the proof of both ends with that of the ${which === 0 ? 'first' : 'second'}`, async () => {
    const fences = ['one', 'other'].map(name => fence(name, []))
    const passage = await bothFences(fences[0]!.fence, fences[1]!.fence).enter(signal)
    assert.equal(passage.signal?.aborted, false)
    fences[which]?.proof.abort(fenced('over'))
    assert.deepEqual(passage.signal?.reason, fenced('over'))
  })

test('a shard is quiet once all of its work has ended, and others may have worked on it before', async () => {
  const held = new HeldShard(fence('one', []).fence, signal)
  assert.deepEqual([held.isTakenOver, held.signal], [true, signal])
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  held.follow(one.promise)
  held.follow(other.promise)
  let isQuiet = false
  void held.whenQuiet().then(() => (isQuiet = true))
  one.resolve()
  await drain()
  assert.equal(isQuiet, false)
  other.resolve()
  await drain()
  assert.equal(isQuiet, true)
  await held.whenQuiet()
})
