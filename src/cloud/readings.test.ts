import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { Readings } from './readings.ts'

const remembering = (): { clock: ManualClock; readings: Readings<string> } => {
  const clock = new ManualClock()
  return { clock, readings: new Readings({ clock, ageMsMax: 60_000 }) }
}
const nothing = async (): Promise<undefined> => undefined
const something = async (): Promise<string> => 'there'

test('what was seen is believed gone at a second look five seconds later, and not at one', async () => {
  const { clock, readings } = remembering()
  await readings.recall('a', something)
  readings.forget('a')
  await readings.recall('a', nothing)
  assert.equal(readings.unprovenMs('a', false), 5_000)
  await clock.advance(2_000)
  await readings.recall('a', nothing)
  assert.equal(readings.unprovenMs('a', false), 3_000, 'a look in between does not begin anew')
  await clock.advance(3_000)
  assert.equal(readings.unprovenMs('a', false), 0)
})

test('what our records know of is doubted by a process that never saw it, and what nobody knows of is not', async () => {
  const { readings } = remembering()
  await readings.recall('a', nothing)
  assert.deepEqual([readings.unprovenMs('a', true), readings.unprovenMs('a', false)], [5_000, 0])
})

test('an absence of before it was made, and one of long ago, are other absences', async () => {
  const { clock, readings } = remembering()
  await readings.recall('a', nothing)
  await clock.advance(20_000)
  readings.update('a', () => 'made')
  readings.forget('a')
  await readings.recall('a', nothing)
  assert.equal(readings.unprovenMs('a', false), 5_000)
  await clock.advance(300_000)
  await readings.recall('a', nothing)
  assert.equal(readings.unprovenMs('a', false), 5_000)
})

test('two that are looked at together every few minutes are both proven gone, whichever was missed first [L3]', async () => {
  const { clock, readings } = remembering()
  await readings.recall('policy', nothing)
  const proven: boolean[] = []
  for (let look = 0; look < 4; look++) {
    await clock.advance(200_000)
    for (const key of ['role', 'policy']) await readings.recall(key, nothing)
    proven.push(['role', 'policy'].every(key => readings.unprovenMs(key, true) === 0))
  }
  assert.deepEqual(proven, [false, true, true, true])
})

test('what our own call removed is gone at once; "not found" removed nothing, nor did a call on what was not known', async () => {
  const { readings } = remembering()
  await readings.recall('removed', something)
  readings.update('removed', () => undefined)
  await readings.recall('removed', nothing)
  assert.equal(readings.unprovenMs('removed', true), 0)
  await readings.recall('missed', something)
  readings.noteAbsent('missed')
  assert.equal(readings.unprovenMs('missed', false), 5_000)
  readings.update('unknown', () => undefined)
  await readings.recall('unknown', nothing)
  assert.equal(readings.unprovenMs('unknown', true), 5_000)
})

test('what may have been made is looked for longer, until it is seen', async () => {
  const { readings } = remembering()
  readings.mayHaveMade('a')
  await readings.recall('a', nothing)
  assert.equal(readings.unprovenMs('a', false), 30_000)
  await readings.recall('a', something)
  readings.update('a', () => undefined)
  assert.equal(readings.unprovenMs('a', false), 0)
})

test('what is known of 100,000 resources is kept, and of more than twice as many no more', async () => {
  const { readings } = remembering()
  for (let index = 0; index <= 200_000; index++) readings.update(`role-${index}`, () => 'made')
  assert.equal(readings.size, 200_000)
  let reads = 0
  const read = async (): Promise<string> => {
    reads++
    return 'read'
  }
  for (let index = 100_001; index <= 200_000; index += 100) await readings.recall(`role-${index}`, read)
  assert.equal(reads, 0)
  await readings.recall('role-0', read)
  assert.equal(reads, 1, 'the oldest made room')
})

test('a reading is believed until its age, what our own calls made of it makes it no younger, and an absence is read each time', async () => {
  const { clock, readings } = remembering()
  let reads = 0
  const read = async (): Promise<string> => `read ${++reads}`
  assert.equal(readings.ageMs('a'), Number.POSITIVE_INFINITY)
  assert.equal(await readings.recall('a', read), 'read 1')
  await clock.advance(40_000)
  readings.update('a', actual => `${actual} and changed`)
  assert.equal(readings.ageMs('a'), 40_000)
  await clock.advance(19_999)
  assert.equal(await readings.recall('a', read), 'read 1 and changed')
  await clock.advance(1)
  assert.equal(await readings.recall('a', read), 'read 2')
  assert.equal(readings.ageMs('a'), 0)
  let looks = 0
  const look = async (): Promise<undefined> => void looks++
  for (let time = 0; time < 2; time++) assert.equal(await readings.recall('b', look), undefined)
  assert.equal(looks, 2)
})

test('that our own call removed it counts for five minutes, and then only what is on record', async () => {
  const { clock, readings } = remembering()
  await clock.advance(1_000_000)
  await readings.recall('a', something)
  readings.update('a', () => undefined)
  await clock.advance(299_999)
  assert.equal(readings.unprovenMs('a', true), 0)
  await clock.advance(1)
  assert.deepEqual([readings.unprovenMs('a', true), readings.unprovenMs('a', false)], [5_000, 0])
})

test('looks that are less than five minutes apart belong together, and no others', async () => {
  for (const [apartMs, leftMs] of [
    [299_999, 0],
    [300_000, 5_000],
  ] as const) {
    const { clock, readings } = remembering()
    await readings.recall('a', nothing)
    await clock.advance(apartMs)
    await readings.recall('a', nothing)
    assert.equal(readings.unprovenMs('a', true), leftMs, `${apartMs} ms apart`)
  }
})

test('what may have been made a while ago is doubted for the rest of half a minute', async () => {
  const { clock, readings } = remembering()
  readings.mayHaveMade('a')
  await clock.advance(29_999)
  assert.equal(readings.unprovenMs('a', false), 1)
  await clock.advance(1)
  assert.equal(readings.unprovenMs('a', false), 0)
})
