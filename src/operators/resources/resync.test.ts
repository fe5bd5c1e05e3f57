// How long a resource is left alone between two looks, by whoever has a say in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from './api.ts'
import { restThatStands, resyncMs, spread } from './resync.ts'
import { madeUpKind } from './testing/made-up-kind.ts'
import { type Circumstances, claimOf, situationOf } from './testing/situation.ts'

const shareOf = (ms: number): number => spread(claimOf({}), ms)
/** As if nothing were spread. */
const seconds = (of: Circumstances): number => Math.round((resyncMs(situationOf(of)) / shareOf(1_000_000)) * 1_000)

test('the annotation says it first, then the flags for the kind, the config, the flags for all, and else ten hours [6.4]', () => {
  const asked = (text: string): Circumstances => ({ annotations: { [annotations.resyncSeconds]: text } })
  const model = madeUpKind({ settings: { resyncSeconds: 300 } })
  const ofAll: Circumstances = { model, settings: { resyncSecondsOf: { Thing: 200, Role: 250 }, resyncSeconds: 400 } }
  assert.equal(seconds({ ...ofAll, ...asked('100') }), 100)
  assert.equal(seconds(ofAll), 200)
  assert.equal(seconds({ ...ofAll, settings: { resyncSeconds: 400 } }), 300)
  assert.equal(seconds({ settings: { resyncSeconds: 400 } }), 400)
  assert.equal(seconds({}), 36_000)
  for (const text of ['0', '-5', 'soon', 'Infinity']) assert.equal(seconds({ ...ofAll, ...asked(text) }), 200, text)
  assert.equal(seconds({ ...ofAll, ...asked('0.5') }), 1, 'half a second, rounded here')
})

test('looks are spread by a tenth either way, the same for a claim in every process and version [6.4]', () => {
  const of = (uid: string): number => spread(claimOf({ metadata: { uid } }), 5_000_000)
  assert.deepEqual([of(''), of('a'), of('ab'), of('abc')], [4_500_000, 4_597_000, 4_605_000, 4_854_000])
  const shares = Array.from({ length: 200 }, (_, at) => of(((at * 2_654_435_761) % 2 ** 32).toString(16)))
  assert.ok(shares.every(share => share >= 4_500_000 && share <= 5_500_000))
  assert.ok(Math.min(...shares) < 4_700_000 && Math.max(...shares) > 5_300_000)
  assert.equal(spread(claimOf({ metadata: { uid: 'a' } }), 1), 1, 'whole milliseconds')
})

test('a Secret that was rotated is noticed within five minutes, where nobody tells us [6.4]', () => {
  const model = madeUpKind({ spec: { Password: 'secret' } })
  const unheard = { watchSecrets: false }
  const named = { password: { name: 's', key: 'k' } }
  const ms = (of: Circumstances): number => resyncMs(situationOf({ model, spec: named, settings: unheard, ...of }))
  const hoursMs = shareOf(36_000_000)
  assert.equal(ms({}), 300_000)
  assert.equal(ms({ spec: {} }), hoursMs, 'the manifest names none')
  assert.equal(ms({ settings: {} }), hoursMs, 'we are told')
  assert.equal(ms({ model: madeUpKind({}) }), hoursMs, 'the kind has no place for one')
  assert.equal(ms({ annotations: { [annotations.resyncSeconds]: '60' } }), shareOf(60_000))
})

test('a look stands until it is time for the next, while nothing else changed [6.4]', () => {
  const rest = { basis: 'b', shown: 's', lookedMs: 1_000, idleLooks: 0, disturbances: 0 }
  const situation = situationOf({ settings: { resyncSeconds: 400 } })
  const at = (nowMs: number, more: object = {}): unknown => restThatStands({ rest, ...more }, { ...situation, basis: 'b', nowMs })
  const endMs = 1_000 + shareOf(400_000)
  assert.deepEqual([at(endMs - 1), at(endMs)], [rest, undefined])
  assert.equal(at(1_000, { disturbances: 1 }), undefined)
  assert.equal(at(1_000, { rest: { ...rest, disturbances: 1 }, disturbances: 1 }) === undefined, false)
  assert.equal(restThatStands({ rest }, { ...situation, basis: 'other', nowMs: 1_000 }), undefined)
  assert.equal(restThatStands({}, { ...situation, basis: 'b', nowMs: 1_000 }), undefined)
})
