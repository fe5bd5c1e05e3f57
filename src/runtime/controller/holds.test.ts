import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { Follower } from '../plan/target.ts'
import { Holds } from './holds.ts'

/** A cache that sees a write when it is told to, or when it lists afresh. */
function follower(): Follower & { see(): void; readonly relists: number } {
  const waiting: (() => void)[] = []
  let relists = 0
  const see = (): void => {
    for (const reached of waiting.splice(0)) reached()
  }
  return {
    get relists() {
      return relists
    },
    see,
    hasReached: () => false,
    whenReached: (_written, reached) => {
      waiting.push(reached)
      return () => void waiting.splice(waiting.indexOf(reached), 1)
    },
    relist: () => {
      relists++
      see()
    },
  }
}

const written = { namespace: 'a', name: 'b', resourceVersion: '7', uid: 'u', deleted: false } as never

test('whichever of several caches lost a write of the key lists afresh, and only those that have not seen theirs [P6, L7]', async () => {
  const clock = new ManualClock()
  const released: string[] = []
  const holds = new Holds({ clock, onReleased: id => released.push(id) })
  const [deaf, prompt] = [follower(), follower()]
  holds.expect('key', deaf, written)
  // The last that was written to is not the one whose stream stands still.
  holds.expect('key', prompt, written)
  prompt.see()
  holds.park('key', 'fresh')
  await clock.advance(14_999)
  assert.deepEqual([deaf.relists, released], [0, []])
  await clock.advance(1)
  assert.deepEqual([deaf.relists, prompt.relists, released], [1, 0, ['key']])
  assert.deepEqual([holds.size, clock.pendingCount()], [0, 0], 'nothing is left to be woken for')
})
