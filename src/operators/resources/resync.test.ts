// When a resource is looked at again, where nothing happens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNamedObjects } from '#kube'
import { annotations, type Resource } from './api.ts'
import type { Settings } from './options.ts'
import { restThatStands, resyncMs, spread } from './resync.ts'
import { madeUpKind } from './testing/made-up-kind.ts'

const plain = madeUpKind({})
const hourly = madeUpKind({ settings: { resyncSeconds: 3_600 } })
const secretive = madeUpKind({ spec: { Password: { type: { kind: 'secret' } } } })
const noted = (seconds: string): object => ({ annotations: { [annotations.resyncSeconds]: seconds } })
const claimOf = (metadata: object = {}, spec: object = {}): Resource =>
  ({ metadata: { namespace: 'team', name: 'one', uid: 'x', ...metadata }, spec }) as unknown as Resource
const settingsOf = (more: object = {}): Settings =>
  ({ resyncSecondsOf: {}, resyncSeconds: undefined, watchSecrets: true, secrets: parseNamedObjects(['*']), ...more }) as Settings

/** The share of the uid `x` is 0.924. */
const share = 0.924

for (const [what, model, metadata, settings, seconds] of [
  ['nothing is said', plain, {}, {}, 36_000],
  ['the settings say it', plain, {}, { resyncSeconds: 100 }, 100],
  ['the kind says it', hourly, {}, { resyncSeconds: 100 }, 3_600],
  ['the settings say it of the kind', hourly, {}, { resyncSecondsOf: { Thing: 200 } }, 200],
  ['the object says it', hourly, noted('300'), { resyncSecondsOf: { Thing: 200 } }, 300],
  ['the object says half a second', plain, noted('0.5'), {}, 0.5],
  ['the object says none', plain, noted('0'), {}, 36_000],
  ['the object says less than none', plain, noted('-1'), {}, 36_000],
  ['the object says no number', plain, noted('often'), {}, 36_000],
  ['the object says no end', plain, noted('Infinity'), {}, 36_000],
] as const)
  test(`where ${what}, a resource is looked at after ${seconds} seconds, more or less`, () => {
    const claim = claimOf(metadata)
    assert.equal(resyncMs({ claim, model, settings: settingsOf(settings) }), Math.round(seconds * 1_000 * share))
  })

test('objects are spread by a tenth either way, each always the same', () => {
  const shares = ['', 'x', 'ab', 'u1', '6b1f'].map(uid => spread(claimOf({ uid }), 1_000_000))
  assert.deepEqual(shares, [900_000, 924_000, 921_000, 1_035_200, 1_002_600])
})

const password = { password: { name: 's', key: 'k' } }
for (const [what, model, spec, settings, isSoon] of [
  ['that is watched', secretive, password, {}, false],
  ['that nobody watches', secretive, password, { watchSecrets: false }, true],
  ['that it does not name', secretive, {}, { watchSecrets: false }, false],
  ['that its kind cannot name', plain, password, { watchSecrets: false }, false],
] as const)
  test(`an object with a Secret ${what} is looked at ${isSoon ? 'within five minutes' : 'as others are'}`, () => {
    const ms = resyncMs({ claim: claimOf({}, spec), model, settings: settingsOf(settings) })
    assert.equal(ms, isSoon ? 300_000 : Math.round(36_000_000 * share))
  })

test('a Secret that nobody watches makes no look rarer', () => {
  const claim = claimOf(noted('10'), password)
  assert.equal(resyncMs({ claim, model: secretive, settings: settingsOf({ watchSecrets: false }) }), 9_240)
})

const rest = { basis: 'b', shown: 's', lookedMs: 1_000, idleLooks: 0, disturbances: 0 }
const due = { basis: 'b', settings: settingsOf(), model: plain, claim: claimOf(noted('10')), nowMs: 1_000 + 9_239 }
for (const [what, notes, more, stands] of [
  ['that is not due again', { rest }, {}, true],
  ['that is due', { rest }, { nowMs: 1_000 + 9_240 }, false],
  ['that was never made', {}, {}, false],
  ['that rested on something else', { rest }, { basis: 'c' }, false],
  ['before somebody said that it changed', { rest, disturbances: 1 }, {}, false],
  ['after somebody said that it changed', { rest: { ...rest, disturbances: 1 }, disturbances: 1 }, {}, true],
] as const)
  test(`a look ${what} ${stands ? 'stands' : 'does not stand'}`, () =>
    assert.equal(restThatStands(notes, { ...due, ...more }), stands && 'rest' in notes ? notes.rest : undefined))
