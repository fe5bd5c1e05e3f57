// What a process remembers of its own requests: for as long as ACM may not show what was made, and of each object apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { AbsenceMemory, AheadMemory, ArnMemory, LookMemory, RequestMemory } from './memory.ts'

test('a request without an answer is known for five minutes from the last try, or until an ARN comes of one [S26]', async () => {
  const clock = new ManualClock()
  const requests = new RequestMemory(clock)
  requests.asked('u1')
  requests.asked('u2')
  assert.deepEqual([requests.isUnanswered('u1'), requests.isUnanswered('u3')], [true, false])
  await clock.advance(200_000)
  requests.asked('u1')
  await clock.advance(99_999)
  assert.deepEqual([requests.isUnanswered('u1'), requests.isUnanswered('u2')], [true, true])
  await clock.advance(1)
  assert.deepEqual([requests.isUnanswered('u1'), requests.isUnanswered('u2')], [true, false])
  requests.made('u1', 'a', 'token')
  assert.equal(requests.isUnanswered('u1'), false)
})

test('what was deleted is known to be gone for five minutes, whatever a list tells of it [S26]', async () => {
  const clock = new ManualClock()
  const requests = new RequestMemory(clock)
  requests.gone('a')
  assert.deepEqual([requests.isGone('a'), requests.isGone('b')], [true, false])
  await clock.advance(299_999)
  assert.equal(requests.isGone('a'), true)
  await clock.advance(1)
  assert.equal(requests.isGone('a'), false)
})

test('what was made for an object is known for five minutes, or until it is deleted [S26]', async () => {
  const clock = new ManualClock()
  const requests = new RequestMemory(clock)
  requests.made('u1', 'a', 'token')
  await clock.advance(200_000)
  requests.made('u1', 'b', 'token')
  requests.made('u2', 'c', 'token')
  assert.deepEqual([requests.lately('u1'), requests.lately('u2'), requests.lately('u3')], [['a', 'b'], ['c'], []])
  requests.gone('b')
  assert.deepEqual(requests.lately('u1'), ['a'])
  await clock.advance(99_999)
  assert.deepEqual(requests.lately('u1'), ['a'])
  await clock.advance(1)
  assert.deepEqual(requests.lately('u1'), [])
  requests.made('u1', 'd', 'token')
  assert.deepEqual([requests.lately('u1'), requests.lately('u2')], [['d'], ['c']])
})

test('which certificates a token made is known for five minutes, or until they are deleted [S1]', async () => {
  const clock = new ManualClock()
  const requests = new RequestMemory(clock)
  requests.made('u1', 'a', 'one')
  requests.made('u1', 'b', 'two')
  assert.deepEqual([requests.madeBy('one'), requests.madeBy('two'), requests.madeBy('three')], [['a'], ['b'], []])
  requests.gone('a')
  assert.deepEqual([requests.madeBy('one'), requests.madeBy('two')], [[], ['b']])
  await clock.advance(299_999)
  assert.deepEqual(requests.madeBy('two'), ['b'])
  await clock.advance(1)
  assert.deepEqual(requests.madeBy('two'), [])
})

test('an absence is confirmed after half a minute and settled after five, and a presence ends it [8.1]', async () => {
  const clock = new ManualClock()
  await clock.advance(1_000_000)
  const absences = new AbsenceMemory(clock)
  const said = (): readonly boolean[] => Object.values(absences.absent('a'))
  assert.deepEqual(said(), [false, false])
  for (const [restMs, expected] of [
    [29_999, [false, false]],
    [1, [true, false]],
    [269_999, [true, false]],
    [1, [true, true]],
  ] as const) {
    await clock.advance(restMs)
    assert.deepEqual(said(), expected)
  }
  absences.present('a')
  assert.deepEqual(said(), [false, false])
})

test('what is looked for in vain is looked for since its first look, unless there was a break of two minutes [8.1]', async () => {
  const clock = new ManualClock()
  const absences = new AbsenceMemory(clock)
  const found = [absences.vainMs('u')]
  for (const restMs of [120_000, 60_000, 120_001, 1]) {
    await clock.advance(restMs)
    found.push(absences.vainMs('u'))
  }
  assert.deepEqual(found, [0, 120_000, 180_000, 0, 1])
  assert.equal(absences.vainMs('other'), 0)
})

test('the last look at an object is known, and no other one', () => {
  const looks = new LookMemory()
  looks.looked('u', 5)
  looks.looked('u', 7)
  assert.deepEqual([looks.lastMs('u'), looks.lastMs('other')], [7, undefined])
})

test('a time that lies ahead is known since it was first seen, for as long as it lies ahead', async () => {
  const clock = new ManualClock()
  const ahead = new AheadMemory(clock)
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  const [past, soon, odd] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', 'no time']
  const known = (times: readonly string[], atMs = nowMs): unknown => [...ahead.knownMs('u', times, atMs)]
  assert.deepEqual(known([past, soon]), [[soon, 0]])
  await clock.advance(500)
  const both = [
    [soon, 500],
    [odd, 0],
  ]
  assert.deepEqual(known([past, soon, odd]), both)
  assert.deepEqual(known([past]), [])
  await clock.advance(500)
  assert.deepEqual(known([soon]), [[soon, 0]])
  assert.deepEqual(known([soon], nowMs + 1_000), [])
})

test('an ARN that a process did not see at first is by another, up to two dozen of them', () => {
  const arns = new ArnMemory()
  assert.deepEqual([arns.isNew('u'), arns.isByAnother('u', 'a')], [true, false])
  arns.know('u', [])
  assert.deepEqual([arns.isNew('u'), arns.isByAnother('u', 'a')], [false, true])
  arns.know('u', ['a'])
  assert.equal(arns.isByAnother('u', 'a'), false)
  for (let index = 0; index < 23; index++) arns.know('u', [`later-${index}`])
  assert.equal(arns.isByAnother('u', 'a'), false)
  arns.know('u', ['last'])
  assert.deepEqual([arns.isByAnother('u', 'a'), arns.isByAnother('u', 'later-0')], [true, false])
})

test('a certificate that is there and not listed is known to be another one, until it is gone [S1]', () => {
  const arns = new ArnMemory()
  assert.equal(arns.knowsAnother('u', []), false)
  arns.know('u', ['a', 'b'])
  assert.deepEqual(
    [arns.knowsAnother('u', ['a', 'b']), arns.knowsAnother('u', ['a']), arns.knowsAnother('v', [])],
    [false, true, false],
  )
  arns.gone('u', 'b')
  arns.gone('u', 'c')
  arns.gone('v', 'a')
  assert.deepEqual([arns.knowsAnother('u', ['a']), arns.isByAnother('u', 'b'), arns.isByAnother('u', 'c')], [false, false, true])
  assert.equal(arns.isNew('v'), true)
  arns.know('u', ['b'])
  assert.equal(arns.knowsAnother('u', ['a']), true)
})

test('of more than ten thousand objects those are forgotten that were seen longest ago', () => {
  const clock = new ManualClock()
  const [absences, looks, arns, ahead] = [new AbsenceMemory(clock), new LookMemory(), new ArnMemory(), new AheadMemory(clock)]
  const soon = '2026-01-01T00:00:01Z'
  const remember = (name: string): void => {
    absences.absent(name)
    looks.looked(name, 1)
    arns.know(name, [])
    ahead.knownMs(name, [soon], 0)
  }
  for (let index = 0; index < 10_000; index++) remember(`${index}`)
  assert.deepEqual([looks.lastMs('0'), arns.isNew('0')], [1, false])
  remember('one more')
  assert.deepEqual([looks.lastMs('0'), looks.lastMs('1'), arns.isNew('0'), arns.isNew('1')], [undefined, 1, true, false])
})

test('of more than ten thousand absences those are forgotten that were seen longest ago', async () => {
  const clock = new ManualClock()
  const absences = new AbsenceMemory(clock)
  for (let index = 0; index < 10_000; index++) absences.absent(`${index}`)
  await clock.advance(30_000)
  assert.equal(absences.absent('0').isConfirmed, true)
  absences.absent('one more')
  assert.deepEqual([absences.absent('1').isConfirmed, absences.absent('0').isConfirmed], [true, false])
})

test('of more than ten thousand that are looked for in vain those are forgotten that were looked for longest ago', async () => {
  const clock = new ManualClock()
  const absences = new AbsenceMemory(clock)
  for (let index = 0; index < 10_000; index++) absences.vainMs(`${index}`)
  await clock.advance(1_000)
  assert.equal(absences.vainMs('0'), 1_000)
  absences.vainMs('one more')
  assert.deepEqual([absences.vainMs('0'), absences.vainMs('1'), absences.vainMs('3')], [1_000, 0, 1_000])
})

test('of more than ten thousand objects with times that lie ahead those are forgotten that were seen longest ago', async () => {
  const clock = new ManualClock()
  const ahead = new AheadMemory(clock)
  const soon = '2026-01-01T00:00:01Z'
  const known = (name: string): unknown => ahead.knownMs(name, [soon], 0).get(soon)
  for (let index = 0; index < 10_000; index++) known(`${index}`)
  await clock.advance(1_000)
  assert.equal(known('0'), 1_000)
  known('one more')
  assert.deepEqual([known('0'), known('1'), known('3')], [1_000, 0, 1_000])
})

test('of requests that were answered ten thousand are known, the latest', () => {
  const requests = new RequestMemory(new ManualClock())
  for (let index = 0; index < 10_000; index++) requests.made(`${index}`, `arn-${index}`, 'token')
  assert.deepEqual(requests.lately('0'), ['arn-0'])
  requests.made('one more', 'arn', 'token')
  assert.deepEqual([requests.lately('0'), requests.lately('1')], [[], ['arn-1']])
})
