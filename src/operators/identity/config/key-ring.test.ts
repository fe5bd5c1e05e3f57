// The signing Secret as a value and back: nothing of a rotation is lost on the way, and half a key is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherPair, pair } from '../testing/config-seen.fixture.ts'
import {
  acceptedKeys,
  type KeyRing,
  keyIdsOf,
  newSecret,
  readKeyRing,
  ringOf,
  type SecretObject,
  signingKeyOf,
} from './key-ring.ts'

const next = signingKeyOf(otherPair)
const previous = next.public
const [sinceMs, nextPublishedMs, retiresMs] = [1, 2, 3].map(day => Date.UTC(2026, 0, day)) as [number, number, number]

const secretOf = (ring: KeyRing): SecretObject => newSecret({ namespace: 'a', name: 's' }, ring) as SecretObject

for (const [what, more, names] of [
  ['alone', {}, ['sa.key', 'sa.pub']],
  ['of which it is known when it began', { sinceMs }, ['sa.key', 'sa.pub']],
  ['after a request', { request: 'r' }, ['sa.key', 'sa.pub', 'verify.pub']],
  ['before the next one', { next }, ['next.key', 'next.pub', 'sa.key', 'sa.pub', 'verify.pub']],
  ['before a published one', { next, nextPublishedMs }, ['next.key', 'next.pub', 'sa.key', 'sa.pub', 'verify.pub']],
  ['after another', { previous }, ['previous.pub', 'sa.key', 'sa.pub', 'verify.pub']],
  ['after one that goes', { previous, retiresMs }, ['previous.pub', 'sa.key', 'sa.pub', 'verify.pub']],
] as readonly (readonly [string, Omit<KeyRing, 'current'>, readonly string[]])[])
  test(`a key ${what} is read as it was written`, () => {
    const ring = ringOf(pair, more)
    const secret = secretOf(ring)
    assert.deepEqual(readKeyRing(secret), { kind: 'ring', ring })
    assert.deepEqual(Object.keys(secret.data ?? {}).sort(), names)
    assert.deepEqual(
      keyIdsOf(secret),
      acceptedKeys(ring).map(({ keyId }) => keyId),
    )
  })

test('an API server accepts every key of a rotation, the one that signs first', () => {
  const text = Buffer.from(secretOf(ringOf(pair, { previous })).data?.['verify.pub'] ?? '', 'base64').toString()
  assert.equal(text, `${pair.publicPem}${otherPair.publicPem}`)
})

test('a key that stands there twice is one', () =>
  assert.deepEqual(acceptedKeys(ringOf(otherPair, { next, previous })), [next.public]))

const full = secretOf(ringOf(pair, { next, nextPublishedMs, previous, retiresMs }))
const without = (...names: readonly string[]): SecretObject => ({
  ...full,
  data: Object.fromEntries(Object.entries(full.data ?? {}).filter(([name]) => !names.includes(name))),
})

for (const half of ['next.key', 'next.pub'])
  test(`a next key without its ${half} is none`, () => {
    const seen = readKeyRing(without(half))
    assert.deepEqual(seen, { kind: 'ring', ring: ringOf(pair, { previous, retiresMs }) })
  })

for (const half of ['sa.key', 'sa.pub'])
  test(`a Secret without ${half} has no key`, () => {
    assert.deepEqual([readKeyRing(without(half)), keyIdsOf(without(half))], [{ kind: 'none' }, []])
  })

test('a public key that nobody can read is named, and is nobody’s', () => {
  const secret = { ...full, data: { ...full.data, 'sa.pub': 'eA==' } }
  assert.deepEqual([readKeyRing(secret), keyIdsOf(secret)], [{ kind: 'unreadable', name: 'sa.pub' }, []])
})

test('a time that somebody spoiled is not known', () => {
  const { annotations = {} } = full.metadata
  const spoiled = Object.fromEntries(Object.entries(annotations).map(([name]) => [name, 'long ago']))
  const { 'aws.identity.appthrust.io/rotate-signing-key': request } = spoiled
  const seen = readKeyRing({ ...full, metadata: { ...full.metadata, annotations: spoiled } })
  assert.deepEqual(seen, { kind: 'ring', ring: ringOf(pair, { next, previous, ...(request === undefined ? {} : { request }) }) })
})
