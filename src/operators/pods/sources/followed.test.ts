import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain } from '#base'
import { followedSource } from './followed.ts'

function followed() {
  const ends: (() => void)[] = []
  const signals: AbortSignal[] = []
  const run = (signal: AbortSignal): Promise<void> => {
    signals.push(signal)
    return new Promise(resolve => ends.push(resolve))
  }
  const listeners: (() => void)[] = []
  const state = { synced: false, watches: 0 }
  const follower = {
    get synced() {
      return state.synced
    },
    informer: {
      get counts() {
        return { watches: state.watches }
      },
      onState: (changed: () => void) => (listeners.push(changed), () => undefined),
    },
    run,
  } as unknown as Parameters<typeof followedSource>[2]
  return { follower, state, run, ends, signals, listeners }
}

test('a source that is followed says whether it was read once, and how many watches were begun', () => {
  const { follower, state, listeners } = followed()
  const source = followedSource('name', 'things', follower)
  assert.deepEqual([source.name, source.synced, source.watched], ['name', false, { resource: 'things', watches: 0 }])
  Object.assign(state, { synced: true, watches: 2 })
  assert.deepEqual([source.synced, source.watched], [true, { resource: 'things', watches: 2 }])
  const changed = (): void => undefined
  source.onState?.(changed)
  assert.deepEqual(listeners, [changed])
})

test('it runs until what runs beside it has ended as well', async () => {
  const { follower, run, ends, signals } = followed()
  const { signal } = new AbortController()
  let isOver = false
  const running = followedSource('name', 'things', follower, { run })
    .run(signal)
    .then(() => (isOver = true))
  for (const end of ends) {
    await drain()
    assert.equal(isOver, false)
    end()
  }
  await running
  assert.deepEqual(signals, [signal, signal])
})
