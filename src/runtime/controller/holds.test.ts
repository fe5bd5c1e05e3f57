import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { Follower } from '../plan/target.ts'
import { Holds } from './holds.ts'

interface Options {
  /** Its lists show nothing new either. */
  readonly isBlind?: boolean
  readonly isOver?: () => boolean
}

/** A cache that sees a write when it is told to, or when it lists afresh. */
function follower({ isBlind = false, ...more }: Options = {}): Follower & {
  see(): void
  readonly relists: number
  readonly awaited: number
} {
  const waiting: (() => void)[] = []
  let relists = 0
  const see = (): void => {
    for (const reached of waiting.splice(0)) reached()
  }
  return {
    ...more,
    get relists() {
      return relists
    },
    get awaited() {
      return waiting.length
    },
    see,
    hasReached: () => false,
    whenReached: (_written, reached) => {
      waiting.push(reached)
      return () => void waiting.splice(waiting.indexOf(reached), 1)
    },
    relist: () => {
      relists++
      if (!isBlind) see()
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

function holding(options: { readonly patienceMs?: number } = {}) {
  const clock = new ManualClock()
  const released: string[] = []
  const holds = new Holds({ clock, ...options, onReleased: (id, lane) => released.push(`${id} ${lane}`) })
  return { clock, released, holds }
}

test('a key that somebody wanted meanwhile is released into the most urgent lane that was asked for, any other into none', () => {
  const { holds, released, clock } = holding()
  const cache = follower()
  for (const id of ['asked', 'quiet']) holds.expect(id, cache, written)
  for (const lane of ['retry', 'fresh', 'drift'] as const) holds.park('asked', lane)
  holds.park('free', 'fresh')
  assert.deepEqual([holds.isHeld('asked'), holds.isHeld('quiet'), holds.isHeld('free'), holds.size], [true, true, false, 2])
  cache.see()
  assert.deepEqual(released, ['asked fresh'])
  assert.deepEqual([holds.isHeld('asked'), holds.size, clock.pendingCount()], [false, 0, 0])
})

test('a key waits for each of its writes, and what it was wanted for is kept until the last one is seen [P6]', () => {
  const { holds, released } = holding()
  const [first, second] = [follower(), follower()]
  holds.expect('key', first, written)
  holds.park('key', 'retry')
  holds.expect('key', second, written)
  first.see()
  assert.deepEqual([holds.isHeld('key'), released], [true, []])
  second.see()
  assert.deepEqual([holds.isHeld('key'), released], [false, ['key retry']])
})

test('a cache whose lists do not show a write either is asked again and again, each time after the same patience', async () => {
  const { holds, released, clock } = holding({ patienceMs: 3_000 })
  const cache = follower({ isBlind: true })
  holds.expect('key', cache, written)
  holds.park('key', 'fresh')
  const asked: number[] = []
  for (let half = 0; half < 6; half++) {
    await clock.advance(1_500)
    asked.push(cache.relists)
  }
  assert.deepEqual(asked, [0, 1, 1, 2, 2, 3])
  assert.deepEqual([holds.isHeld('key'), released], [true, []])
})

test('the patience counts from the last write of the key', async () => {
  const { holds, clock } = holding()
  const cache = follower({ isBlind: true })
  holds.expect('key', cache, written)
  await clock.advance(10_000)
  holds.expect('key', cache, written)
  await clock.advance(14_999)
  assert.equal(cache.relists, 0)
  await clock.advance(1)
  assert.equal(cache.relists, 2, 'once for each write that has not been seen')
})

test('a cache that has ended is waited for no longer than its patience, and is not asked for a list [L7]', async () => {
  const { holds, released, clock } = holding()
  let isOver = false
  const [ended, alive] = [follower({ isOver: () => isOver }), follower({ isBlind: true, isOver: () => false })]
  holds.expect('both', ended, written)
  holds.expect('both', alive, written)
  holds.expect('one', ended, written)
  for (const id of ['both', 'one']) holds.park(id, 'fresh')
  isOver = true
  await clock.advance(15_000)
  assert.deepEqual(released, ['one fresh'])
  assert.deepEqual([ended.relists, ended.awaited, alive.relists, alive.awaited], [0, 0, 1, 1])
  alive.see()
  assert.deepEqual([released, holds.size, clock.pendingCount()], [['one fresh', 'both fresh'], 0, 0])
})

test('who lets go of all keys waits for no cache any more and tells nobody', async () => {
  const { holds, released, clock } = holding()
  const cache = follower()
  holds.expect('key', cache, written)
  holds.park('key', 'fresh')
  holds.clear()
  assert.deepEqual([holds.size, cache.awaited, clock.pendingCount()], [0, 0, 0])
  cache.see()
  await clock.advance(60_000)
  assert.deepEqual([released, cache.relists], [[], 0])
})
