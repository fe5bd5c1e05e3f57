import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { Contests } from './contests.ts'

const windowMs = 600_000

test('what was written three times in ten minutes is held until ten minutes after the first of them [B12]', async () => {
  const clock = new ManualClock()
  const contests = new Contests(clock)
  const first = clock.now()
  const wanted = { secret: 'a' }
  assert.equal(contests.heldUntil('one', wanted), undefined)
  contests.note('one', wanted)
  await clock.advance(1_000)
  contests.note('one', wanted)
  assert.equal(contests.heldUntil('one', wanted), undefined, 'twice is bad luck')
  await clock.advance(1_000)
  contests.note('one', wanted)
  assert.equal(contests.heldUntil('one', { secret: 'a' }), first + windowMs, 'by what it says')
  assert.equal(contests.heldUntil('another', wanted), undefined, 'of another object')
  assert.equal(contests.heldUntil('one', { secret: 'b' }), undefined, 'something else')
  await clock.advance(windowMs - 2_001)
  assert.equal(contests.heldUntil('one', wanted), first + windowMs)
  await clock.advance(1)
  assert.equal(contests.heldUntil('one', wanted), undefined, 'as soon as the time has passed')
  contests.note('one', wanted)
  assert.equal(contests.heldUntil('one', wanted), first + 1_000 + windowMs, 'the two that are left count')
})

test('of 4096 things that were written the one that was longest left alone is forgotten for another', () => {
  const contests = new Contests(new ManualClock())
  for (const uid of ['old', 'lately', 'old', 'lately', 'old', 'lately', 'lately']) contests.note(uid, '')
  for (let other = 0; other < 4_094; other++) contests.note(String(other), '')
  assert.notEqual(contests.heldUntil('old', ''), undefined)
  contests.note('one more', '')
  assert.equal(contests.heldUntil('old', ''), undefined)
  assert.notEqual(contests.heldUntil('lately', ''), undefined)
})
