import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRing, SigningKey } from './key-ring.ts'
import {
  decideRotation,
  graceMsDefault,
  isRotationDue,
  isSignerOfInterest,
  propagationMsDefault,
  type RotationInput,
  type RotationStep,
} from './rotation.ts'

const minute = 60_000
const hour = 60 * minute
const times = { propagationMs: 15 * minute, graceMs: 25 * hour }

test('a key is public a quarter of an hour before it signs, and an hour longer than the longest token after it did', () =>
  assert.deepEqual({ propagationMs: propagationMsDefault, graceMs: graceMsDefault }, times))

function key(keyId: string): SigningKey {
  return { public: { keyId, pem: keyId, modulus: keyId, exponent: 'AQAB' }, privatePem: `private ${keyId}` }
}

function step(more: Partial<RotationInput>): RotationStep {
  return decideRotation({
    ring: { current: key('one') },
    sinceMs: 0,
    now: 0,
    request: undefined,
    ageMsMax: undefined,
    times,
    isPublished: true,
    signer: 'one',
    candidate: key('two'),
    ...more,
  })
}

const propagating: KeyRing = { current: key('one'), next: key('two'), request: 'r1' }
const handover: KeyRing = { current: key('two'), sinceMs: 0, previous: key('one').public, request: 'r1' }

const rows: readonly (readonly [why: string, input: Partial<RotationInput>, expected: RotationStep])[] = [
  ['nobody asks: nothing happens, and nothing waits', {}, { phase: 'steady' }],
  [
    'a request begins it: the new key is written down, and signs nothing',
    { request: 'r1' },
    { phase: 'publishing', ring: { current: key('one'), next: key('two'), request: 'r1' } },
  ],
  [
    'a request that was answered is not answered again',
    { ring: { current: key('one'), request: 'r1' }, request: 'r1' },
    { phase: 'steady' },
  ],
  [
    'another value is another request',
    { ring: { current: key('one'), request: 'r1' }, request: 'r2' },
    { phase: 'publishing', ring: { current: key('one'), next: key('two'), request: 'r2' } },
  ],
  [
    'a request without a drawn key waits for one',
    { request: 'r1', candidate: undefined },
    { phase: 'steady', lookAgainMs: 1_000 },
  ],
  [
    'a key that is young enough is looked at when it is old',
    { ageMsMax: 10 * hour, now: 4 * hour },
    { phase: 'steady', lookAgainMs: 6 * hour },
  ],
  [
    'a key that is too old is replaced by itself',
    { ageMsMax: 10 * hour, now: 10 * hour },
    { phase: 'publishing', ring: { current: key('one'), next: key('two') } },
  ],
  ['the age of a key that nobody knows is no age', { ageMsMax: hour, sinceMs: undefined, now: 10 * hour }, { phase: 'steady' }],
  [
    'what is not seen published does not even begin to propagate [S13]',
    { ring: propagating, isPublished: false },
    { phase: 'publishing' },
  ],
  [
    'the time of the first sight is kept',
    { ring: propagating, now: 5 },
    { phase: 'propagating', ring: { ...propagating, nextPublishedMs: 5 } },
  ],
  [
    'until the propagation time is over the new key does not sign [S13]',
    { ring: { ...propagating, nextPublishedMs: 0 }, now: 15 * minute },
    { phase: 'propagating', lookAgainMs: minute },
  ],
  [
    'nor does it one millisecond before',
    { ring: { ...propagating, nextPublishedMs: 0 }, now: 16 * minute - 1 },
    { phase: 'propagating', lookAgainMs: 1 },
  ],
  [
    'then it signs, and the old one stays published',
    { ring: { ...propagating, nextPublishedMs: 0 }, now: 16 * minute },
    { phase: 'handover', ring: { current: key('two'), sinceMs: 16 * minute, previous: key('one').public, request: 'r1' } },
  ],
  [
    'published once is not published now: a key set that somebody undid holds the new key back [S13]',
    { ring: { ...propagating, nextPublishedMs: 0 }, now: 16 * minute, isPublished: false },
    { phase: 'propagating' },
  ],
  [
    'while the cluster signs with the old key nothing is withdrawn, however long it takes [S12]',
    { ring: handover, now: 1_000 * hour, signer: 'one' },
    { phase: 'handover', lookAgainMs: minute },
  ],
  [
    'nor while nobody knows which key it signs with [S12]',
    { ring: handover, now: 1_000 * hour, signer: undefined },
    { phase: 'handover', lookAgainMs: minute },
  ],
  [
    'the grace begins when the cluster is seen to sign with the new key',
    { ring: handover, now: hour, signer: 'two' },
    { phase: 'retiring', ring: { ...handover, retiresMs: hour + 25 * hour + minute } },
  ],
  [
    'during the grace the old key stays [S12]',
    { ring: { ...handover, retiresMs: 10 * hour }, now: 10 * hour - minute, signer: 'two' },
    { phase: 'retiring', lookAgainMs: minute },
  ],
  [
    'during the grace the cluster is asked every ten minutes [S12]',
    { ring: { ...handover, retiresMs: 10 * hour }, now: 0, signer: 'two' },
    { phase: 'retiring', lookAgainMs: 10 * minute },
  ],
  [
    'one millisecond before its end the old key stays as well [S12]',
    { ring: { ...handover, retiresMs: 10 * hour }, now: 10 * hour - 1, signer: 'two' },
    { phase: 'retiring', lookAgainMs: 1 },
  ],
  [
    'a token by the old key, from an API server that was forgotten, begins the grace anew [S12]',
    { ring: { ...handover, retiresMs: 10 * hour }, now: 9 * hour, signer: 'one' },
    { phase: 'handover', ring: handover },
  ],
  [
    'at the very end the cluster has to be seen once more [S12]',
    { ring: { ...handover, retiresMs: 10 * hour }, now: 10 * hour, signer: undefined },
    { phase: 'retiring', lookAgainMs: minute },
  ],
  [
    'the grace begins and ends by the clock of the cluster, by which its tokens expire, and not by ours [W8, S12]',
    { ring: handover, now: 7 * hour, signer: 'two', signedAtMs: hour },
    { phase: 'retiring', ring: { ...handover, retiresMs: hour + 25 * hour + minute } },
  ],
  [
    'a clock of ours that ran fast withdraws nothing [W8, S12]',
    { ring: { ...handover, retiresMs: 10 * hour }, now: 20 * hour, signer: 'two', signedAtMs: 10 * hour - minute },
    { phase: 'retiring', lookAgainMs: minute },
  ],
  [
    'then the old key is withdrawn',
    { ring: { ...handover, retiresMs: 10 * hour }, now: 10 * hour, signer: 'two' },
    { phase: 'steady', ring: { current: key('two'), sinceMs: 0, request: 'r1' } },
  ],
  [
    'a second request waits until the first rotation is over',
    { ring: propagating, request: 'r2', isPublished: false },
    { phase: 'publishing' },
  ],
]

for (const [why, input, expected] of rows) test(`rotation: ${why}`, () => assert.deepEqual(step(input), expected))

test('a rotation is due only in between rotations', () => {
  const wish = { sinceMs: 0, now: 0, request: 'r9', ageMsMax: undefined }
  assert.equal(isRotationDue({ ring: { current: key('one') }, ...wish }), true)
  assert.equal(isRotationDue({ ring: propagating, ...wish }), false)
  assert.equal(isRotationDue({ ring: handover, ...wish }), false)
})

test('which key a cluster signs with matters once a key is on its way out, and not before', () =>
  assert.deepEqual([{ current: key('one') }, propagating, handover].map(isSignerOfInterest), [false, false, true]))
