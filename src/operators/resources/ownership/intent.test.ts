import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, type Resource } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import type { Notes } from '../seen/notes.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { now, situationOf } from '../testing/situation.ts'
import { isMaybeHidden, isMaybeOurs, isNamed, isOwnToken, isRepeatable, nextLookMs, printOf, tokenOf } from './intent.ts'
import { parseIntent, renderIntent } from './intent-text.ts'

function claim(uid: string, generation: number | undefined, intent?: string, status?: object): Resource {
  const notes = intent === undefined ? {} : { [annotations.createIntent]: intent }
  const metadata = { namespace: 'apps', name: 'one', uid, resourceVersion: '1', generation, annotations: notes }
  return { apiVersion: 'acm.services.k8s.aws/v1alpha1', kind: 'Certificate', metadata, status } as unknown as Resource
}

const note = (token: string): string => `${token} 2026-01-01T00:00:00Z`

test('the token of one creation stays the same while its manifest changes', () => {
  const token = tokenOf({ claim: claim('a', 1) })
  assert.equal(tokenOf({ claim: claim('a', 7, note(token)) }), token)
})

test('the token of another object, in an annotation that anybody can write, is not used', () => {
  const stolen = tokenOf({ claim: claim('victim', 1) })
  const thief = claim('thief', 1, note(stolen))
  assert.equal(isOwnToken(thief, stolen), false)
  assert.equal(tokenOf({ claim: thief }), tokenOf({ claim: claim('thief', 1) }))
})

test('a token is one of this object if it was made at one of its last hundred generations', () => {
  const at = (generation: number): string => tokenOf({ claim: claim('a', generation) })
  const of = (generation: number | undefined, token: string): boolean => isOwnToken(claim('a', generation), token)
  assert.deepEqual([of(150, at(50)), of(150, at(49))], [true, false])
  assert.deepEqual([of(7, at(0)), of(7, at(8)), of(undefined, at(0)), of(undefined, at(1))], [true, false, true, false])
  assert.equal(tokenOf({ claim: claim('a', undefined) }), at(0))
  assert.match(at(1), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a resource that was seen and is gone was another creation: its token is not used again', () => {
  const arn = 'arn:aws:acm:eu-west-1:111122223333:certificate/1'
  const synced = (lastTransitionTime: string): object => ({
    ackResourceMetadata: { arn },
    conditions: [{ type: 'ACK.ResourceSynced', status: 'True', lastTransitionTime }],
  })
  const first = tokenOf({ claim: claim('a', 1) })
  const tokens = [
    first,
    tokenOf({ claim: claim('a', 1, note(first), { ackResourceMetadata: { arn } }) }),
    tokenOf({ claim: claim('a', 1, undefined, synced('2026-01-01T00:00:00Z')) }),
    tokenOf({ claim: claim('a', 1, undefined, synced('2026-01-02T00:00:00Z')) }),
  ]
  assert.equal(new Set(tokens).size, 4)
  assert.equal(tokenOf({ claim: claim('a', 2, undefined, synced('2026-01-01T00:00:00Z')) }), tokens[2])
})

test('an intent is read as it was written, and half of one as far as it goes', () => {
  const intent = { token: 't', atMs: Date.parse('2026-01-01T00:00:00Z'), prints: ['p', 'q'] }
  assert.equal(renderIntent(intent), 't 2026-01-01T00:00:00Z p,q')
  assert.deepEqual(parseIntent(renderIntent(intent)), intent)
  assert.equal(renderIntent({ ...intent, prints: [] }), 't 2026-01-01T00:00:00Z')
  assert.deepEqual(parseIntent('t'), { token: 't', atMs: 0, prints: [] })
  assert.deepEqual([parseIntent(''), parseIntent(undefined)], [undefined, undefined])
})

const ownToken = tokenOf({ claim: claim('u1', 1) })

function looked(token: string | undefined, notes: Notes, status?: object) {
  return situationOf({
    annotations: token === undefined ? {} : { [annotations.createIntent]: note(token) },
    seen: { notes },
    status,
  })
}

test('what was called for a minute ago may be hidden still; what was seen, refused or deleted is not', () => {
  const isHidden = (notes: Notes, token: string | undefined = ownToken, status?: object): boolean =>
    isMaybeHidden(looked(token, notes, status))
  const synced = (status: string): object => ({ conditions: [{ type: 'ACK.ResourceSynced', status }] })
  assert.deepEqual(
    [isHidden({}), isHidden({ calledMs: now - 59_999 }), isHidden({ calledMs: now - 60_000 })],
    [true, true, false],
  )
  assert.deepEqual([isHidden({ calledMs: now + 59_999 }), isHidden({ calledMs: now + 60_000 })], [true, false])
  assert.equal(isMaybeHidden(looked(undefined, {})), false)
  assert.deepEqual([isHidden({ refusedIntent: ownToken }), isHidden({ refusedIntent: 'other' })], [false, true])
  assert.equal(isHidden({ deletedMs: now - 1 }), false)
  assert.deepEqual([isHidden({}, ownToken, synced('True')), isHidden({}, ownToken, synced('False'))], [false, true])
})

test('what this object called for within ten minutes may be its own, when the token is', () => {
  const isOurs = (notes: Notes, token: string | undefined = ownToken): boolean => isMaybeOurs(looked(token, notes))
  assert.deepEqual([isOurs({ calledMs: now - 599_999 }), isOurs({ calledMs: now - 600_000 })], [true, false])
  assert.equal(isOurs({}), true)
  assert.equal(isOurs({}, 'a-token-of-another'), false)
  assert.equal(isMaybeOurs(looked(undefined, {})), false)
})

test('a hidden resource is looked for rarer and rarer, and once more when a minute is over', () => {
  const inMs = (waitedMs?: number): number =>
    nextLookMs(looked(ownToken, waitedMs === undefined ? {} : { calledMs: now - waitedMs }))
  assert.deepEqual(
    [undefined, 0, 500, 1_001, 20_000, 30_000, 40_000, 59_500, 70_000, -5_000].map(inMs),
    [1_000, 1_000, 1_000, 1_001, 20_000, 30_000, 20_000, 1_000, 1_000, 1_000],
  )
})

test('a print is short, the same for the same text, and there only where a kind has one', () => {
  const print = (deviation: Deviation, spec: object): string | undefined =>
    printOf({ deviation }, { spec: { ...spec }, status: {} })
  const deviation: Deviation = { print: ({ spec }) => JSON.stringify(spec) }
  assert.match(print(deviation, { a: 1 }) ?? '', /^[0-9a-f]{12}$/)
  assert.notEqual(print(deviation, { a: 1 }), print(deviation, { a: 2 }))
  assert.equal(print({}, { a: 1 }), undefined)
})

test('a creation can be repeated where it carries a token, or a name that is taken then', () => {
  const read = { create: 'CreateThing', readOne: 'DescribeThing' }
  const wish = (parts: Parameters<typeof madeUpKind>[0], deviation: Deviation = {}, arn?: string) => ({
    model: madeUpKind({ spec: { Name: 'string' }, ...parts }),
    deviation,
    seen: { wanted: { spec: { name: 'one' }, status: {}, arn } },
  })
  const readByName = { operations: read, required: { DescribeThing: ['Name'] } }
  const readById = {
    operations: read,
    inputs: { CreateThing: { Name: 'String' } },
    required: { DescribeThing: ['ThingId'] },
    status: { ThingId: 'string' },
  } as const
  const token = {
    type: 'structure',
    required: [],
    members: { Token: { target: 'String', idempotencyToken: true }, Name: { target: 'String' } },
  } as const
  const withToken = { ...readById, shapes: { CreateThingRequest: token } }
  const attributes = { operations: { create: 'CreateThing', getAttributes: 'GetThing' }, required: { GetThing: ['Name'] } }
  assert.deepEqual(
    [readByName, readById, attributes, {}, withToken].map(parts => isNamed(wish(parts))),
    [true, false, true, false, false],
  )
  assert.deepEqual(
    [readByName, readById, withToken].map(parts => isRepeatable(wish(parts))),
    [true, false, true],
  )
  assert.deepEqual(
    [isNamed(wish(readById, { repeatable: true })), isNamed(wish(readByName, { repeatable: false }))],
    [true, false],
  )
  assert.equal(isNamed(wish({}, { read: async () => undefined })), true)
  const byArn = { operations: read, required: { DescribeThing: ['ThingArn'] } }
  assert.equal(isNamed(wish(byArn, {}, 'arn:x')), false)
  assert.equal(isNamed(wish(byArn, { arnOf: () => 'arn:x' }, 'arn:x')), true)
})
