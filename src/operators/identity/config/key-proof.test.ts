// Which keys come on record, which go off it, and which are ours (S24). Values in, values out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { renderDocumentSet } from '../documents/publication.ts'
import { type ConfigMore, configOf, otherPair, pair } from '../testing/config-seen.fixture.ts'
import { accountsFor, type KeyProof, nextRecord, proveKeys, renderForeign } from './key-proof.ts'
import { type KeyRing, type SigningKey, signingKeyOf } from './key-ring.ts'

const key = signingKeyOf(pair)
const otherKey = signingKeyOf(otherPair)

const id = key.public.keyId

test('a key that was drawn and arrived is held, and what was drawn before it is off the record [S24]', () => {
  assert.deepEqual(nextRecord({ planned: ['earlier', id] }, { current: key }, undefined), { held: [id], planned: [] })
})

test('a key that left the Secret is off the record, so that nobody brings it back [S24]', () => {
  assert.deepEqual(nextRecord({ planned: [] }, { current: otherKey }, undefined), {
    held: [otherKey.public.keyId],
    planned: [],
  })
})

test('a key that was drawn and has not arrived stays planned and is not held, as it is about to be written [S24]', () => {
  assert.deepEqual(nextRecord({ planned: ['late'] }, { current: key }, 'drawn'), { held: [id], planned: ['late', 'drawn'] })
})

test('of keys that were drawn and never arrived the eight youngest are remembered [S24]', () => {
  const nine = Array.from({ length: 9 }, (_, turn) => `drawn${turn}`)
  assert.deepEqual(nextRecord({ planned: nine.slice(0, 8) }, undefined, nine[8]), { held: [], planned: nine.slice(1) })
  assert.deepEqual(nextRecord({ planned: nine }, undefined, undefined).planned, nine.slice(1))
})

test('a draw that is on record is planned once [S24]', () => {
  assert.deepEqual(nextRecord({ planned: ['one', 'two'] }, undefined, 'one').planned, ['two', 'one'])
})

const named = (keyId: string): SigningKey => ({
  public: { keyId, pem: keyId, modulus: keyId, exponent: 'AQAB' },
  privatePem: `private ${keyId}`,
})
const [one, two, three] = [named('one'), named('two'), named('three')]
const issuer = 'https://issuer.example'
const whole: KeyRing = { current: one, next: two, nextPublishedMs: 5, previous: three.public, retiresMs: 7, request: 'r' }
const published = (signingKeyID: string, keys: readonly SigningKey[]): WorkloadIdentityConfig['status'] => {
  const documents = renderDocumentSet(
    issuer,
    keys.map(each => each.public),
  )
  const publication = { bucketName: 'b', issuerURL: issuer, signingKeyID, objectSetDigest: documents?.digest ?? '' }
  return { selfHostedIssuer: { bucketName: 'b', publication } }
}
const record = (...held: readonly string[]): WorkloadIdentityConfig['status'] => ({ signingKeys: { held, planned: [] } })
const accepted = (ids: string) => ({ metadata: { annotations: { 'aws.identity.appthrust.io/accept-signing-keys': ids } } })
const foreignOf = (...names: readonly string[]) =>
  [
    { name: 'sa.pub', keyId: 'one' },
    { name: 'next.pub', keyId: 'two' },
    { name: 'previous.pub', keyId: 'three' },
  ].filter(({ keyId }) => names.includes(keyId))

const rows: readonly (readonly [what: string, ring: KeyRing, config: ConfigMore, proof: KeyProof])[] = [
  ['all on record are ours', whole, { status: record('one', 'two', 'three') }, { kind: 'ours' }],
  [
    'that were drawn here are ours as well',
    { current: one },
    { status: { signingKeys: { held: [], planned: ['one'] } } },
    { kind: 'ours' },
  ],
  ['that the Config names are ours, however they are set apart', whole, accepted(' one,two\n three '), { kind: 'ours' }],
  ['of the documents that were published are ours', whole, { status: published('one', [one, two, three]) }, { kind: 'ours' }],
  [
    'of other documents than were published are not ours, but for the one that signed them',
    whole,
    { status: published('one', [one]) },
    { kind: 'foreign-beside', ring: { current: one, request: 'r' }, foreign: foreignOf('two', 'three') },
  ],
  ['of which nothing is on record are nobody’s', whole, {}, { kind: 'unrecorded', foreign: foreignOf('one', 'two', 'three') }],
  [
    'with a foreign one that comes next keep the one that goes, and its time',
    whole,
    { status: record('one', 'three') },
    {
      kind: 'foreign-beside',
      ring: { current: one, previous: three.public, retiresMs: 7, request: 'r' },
      foreign: foreignOf('two'),
    },
  ],
  [
    'with a foreign one that goes keep the one that comes next, and its time',
    whole,
    { status: record('one', 'two') },
    { kind: 'foreign-beside', ring: { current: one, next: two, nextPublishedMs: 5, request: 'r' }, foreign: foreignOf('three') },
  ],
  [
    'without a time get none',
    { current: one, next: two, previous: three.public },
    accepted('one,two'),
    { kind: 'foreign-beside', ring: { current: one, next: two }, foreign: foreignOf('three') },
  ],
  [
    'of which one on record made room for another are foreign',
    whole,
    { status: record('one', 'gone') },
    { kind: 'foreign', foreign: foreignOf('two', 'three') },
  ],
  [
    'of which the one that signs is not on record are foreign',
    whole,
    { status: record('two', 'three') },
    { kind: 'foreign', foreign: foreignOf('one') },
  ],
]

for (const [what, ring, config, proof] of rows)
  test(`keys ${what} [S24]`, () => assert.deepEqual(proveKeys(ring, configOf(config), issuer), proof))

test('a Config accounts for the keys that it holds and for the one that signed what it published, and for no other [X3]', () => {
  const accounts = (status: WorkloadIdentityConfig['status']): readonly boolean[] =>
    ['one', 'two'].map(keyId => accountsFor(configOf(given({ status })), keyId))
  assert.deepEqual(accounts(record('one')), [true, false])
  assert.deepEqual(accounts(published('two', [one])), [false, true])
  assert.deepEqual(accounts({ signingKeys: { held: [], planned: ['one'] } }), [false, false])
  assert.deepEqual(accounts(undefined), [false, false])
})

test('foreign keys are named by their entries and ids', () =>
  assert.equal(renderForeign(foreignOf('one', 'two')), 'sa.pub (key one), next.pub (key two)'))
