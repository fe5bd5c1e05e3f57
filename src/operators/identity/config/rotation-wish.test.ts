import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { annotations } from '../api/labels.ts'
import type { SecretObject } from './key-ring.ts'
import { maxAgeOf, rotationWish } from './rotation-wish.ts'

const day = 24 * 3_600_000
const config = (said: Readonly<Record<string, string>> | undefined): WorkloadIdentityConfig =>
  ({ metadata: { name: 'x', namespace: 'a', ...(said === undefined ? {} : { annotations: said }) } }) as WorkloadIdentityConfig
const aged = (text: string): WorkloadIdentityConfig => config({ [annotations.signingKeyMaxAge]: text })
const secret = (metadata: object): SecretObject => ({ metadata: { name: 'x', ...metadata } }) as SecretObject

for (const [text, age] of [
  ['', undefined],
  ['0', undefined],
  ['24h', day],
  ['2160h', 90 * day],
  ['23h59m59s', 'unreadable'],
  ['90 days', 'unreadable'],
  ['-48h', 'unreadable'],
] as const)
  test(`a key that is to be no older than ${JSON.stringify(text)} is rotated ${age === undefined ? 'on request alone' : `at the age of ${age}`}`, () => {
    assert.equal(maxAgeOf(aged(text)), age)
    assert.equal(rotationWish(aged(text), undefined).ageMsMax, age === 'unreadable' ? undefined : age)
  })

test('a Config that says nothing wishes nothing', () =>
  assert.deepEqual(rotationWish(config(undefined), undefined), { request: undefined, ageMsMax: undefined, sinceMs: undefined }))

test('a request is what its author wrote', () =>
  assert.equal(rotationWish(config({ [annotations.rotateSigningKey]: 'now' }), undefined).request, 'now'))

test('a key is as old as its Secret says, or else as the Secret itself; what is no time is none', () => {
  const [made, since] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z']
  const sinceOf = (metadata: object): number | undefined => rotationWish(config({}), secret(metadata)).sinceMs
  assert.equal(sinceOf({ creationTimestamp: made }), Date.parse(made))
  assert.equal(sinceOf({ creationTimestamp: made, annotations: { [annotations.signingKeySince]: since } }), Date.parse(since))
  assert.equal(sinceOf({ creationTimestamp: made, annotations: { [annotations.signingKeySince]: 'long ago' } }), undefined)
  assert.equal(sinceOf({}), undefined)
})
