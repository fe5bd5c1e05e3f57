import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestOf, pendingUntil, seenOf, type Timeline, written } from './timeline.ts'

const keepMs = 1_000

test('the control plane sees a write at once, a consumer after its delay', () => {
  const timeline = written<string>(undefined, 'a', { now: 0, keepMs }) as Timeline<string>
  assert.equal(newestOf(timeline), 'a')
  assert.equal(seenOf(timeline, 499, 500), undefined)
  assert.equal(seenOf(timeline, 500, 500), 'a')
  assert.equal(pendingUntil(timeline, 499, 500), 500)
  assert.equal(pendingUntil(timeline, 500, 500), undefined)
})

test('a deletion is seen late too, and is forgotten when nobody can see the object any more', () => {
  let timeline = written<string>(undefined, 'a', { now: 0, keepMs })
  timeline = written(timeline, undefined, { now: 2_000, keepMs })
  assert.equal(newestOf(timeline), undefined)
  assert.equal(seenOf(timeline, 2_100, 500), 'a')
  assert.equal(seenOf(timeline, 2_500, 500), undefined)
  assert.equal(written(timeline, undefined, { now: 9_000, keepMs }), undefined)
})

test('without delays only the newest version is kept', () => {
  let timeline = written<string>(undefined, 'a', { now: 5, keepMs: 0 })
  timeline = written(timeline, 'b', { now: 5, keepMs: 0 })
  assert.deepEqual(timeline, [{ atMs: 5, value: 'b' }])
})

test('versions are kept while the slowest consumer may still see them', () => {
  let timeline = written<string>(undefined, 'a', { now: 0, keepMs })
  timeline = written(timeline, 'b', { now: 500, keepMs })
  timeline = written(timeline, 'c', { now: 1_200, keepMs })
  assert.equal(seenOf(timeline, 1_200, 1_000), 'a')
  assert.equal(seenOf(timeline, 1_500, 1_000), 'b')
  timeline = written(timeline, 'd', { now: 1_600, keepMs })
  assert.deepEqual(
    timeline?.map(version => version.value),
    ['b', 'c', 'd'],
  )
})
