import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerReference } from '#kube'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { configOf, otherPair, pair, secretOf } from '../testing/config-seen.fixture.ts'
import { readKeyRing, ringOf, type SecretObject, signingKeyOf } from './key-ring.ts'
import { createSecret, type SecretUpdate, secretTrouble, updateSecret } from './signing-secret.ts'

const config = { metadata: { namespace: 'wlc-a', name: 'default', uid: 'me' } } as WorkloadIdentityConfig
const uidLabel = 'aws.identity.appthrust.io/config-uid'

function secret(more: { readonly owner?: string; readonly label?: string; readonly going?: boolean }): SecretObject {
  const { owner, label, going } = more
  const reference = { apiVersion: 'v1', kind: 'Owner', name: 'o', uid: owner ?? '', controller: true } satisfies OwnerReference
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace: 'wlc-a',
      name: 'awi-signing-key-default',
      uid: 's',
      resourceVersion: '1',
      ...(label === undefined ? {} : { labels: { [uidLabel]: label } }),
      ...(owner === undefined ? {} : { ownerReferences: [reference] }),
      ...(going === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
  }
}

const rows: readonly (readonly [why: string, secret: SecretObject, said: RegExp | undefined])[] = [
  ['one that its user brought is taken over', secret({}), undefined],
  ['our own', secret({ owner: 'me', label: 'me' }), undefined],
  ['our own without its reference', secret({ label: 'me' }), undefined],
  ['our own with a label that somebody changed', secret({ owner: 'me', label: 'other' }), undefined],
  [
    'one that another object controls [#82]',
    secret({ owner: 'other' }),
    /^Secret wlc-a\/awi-signing-key-default belongs to Owner o; delete it or release it/,
  ],
  ['the key of an earlier Config of this name [W5]', secret({ label: 'other' }), /holds the key of an earlier Config/],
  ['one on its way', secret({ owner: 'me', going: true }), /is being deleted; a new key is made when it is gone/],
]

for (const [why, object, said] of rows) {
  test(`signing Secret: ${why}`, () => {
    const found = secretTrouble(object, config)
    if (said === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', said)
  })
}

test('a new signing Secret stands beside its Config, which owns it and whose mark it carries', () => {
  const action = createSecret(configOf(), ringOf(pair))
  assert(action.kind === 'create')
  const { namespace, name, ownerReferences } = action.object.metadata
  assert.deepEqual([namespace, name, ownerReferences?.[0]?.uid], ['wlc-a', 'awi-signing-key-default', 'config-uid'])
  assert.deepEqual(action.mark, { labels: { [uidLabel]: 'config-uid' } })
})

const whole = secretOf()

/** The Secret that is written for what stands in this one; `undefined` where it stays as it is. */
function written(object: SecretObject, update: Partial<SecretUpdate> = {}): SecretObject | undefined {
  const seen = readKeyRing(whole)
  assert(seen.kind === 'ring')
  const [action] = updateSecret({ secret: object, config: configOf(), ring: seen.ring, ...update })
  return action?.kind === 'update' ? (action.object as SecretObject) : undefined
}

const { labels = {}, annotations = {}, ownerReferences = [] } = whole.metadata
const stranger = { apiVersion: 'v1', kind: 'Reader', name: 'r', uid: 'r' } satisfies OwnerReference

for (const [what, metadata, isWritten] of [
  ['as it should be', {}, false],
  ['with a label of its user beside ours', { labels: { ...labels, mine: 'yes' } }, false],
  ['with an annotation of its user beside ours', { annotations: { ...annotations, note: 'n' } }, false],
  ['with an owner that does not control it beside ours', { ownerReferences: [...ownerReferences, stranger] }, false],
  ['with another value of a label of ours', { labels: { ...labels, [uidLabel]: 'other' } }, true],
  ['without one of our annotations', { annotations: {} }, true],
  ['without labels', { labels: undefined }, true],
  ['without annotations', { annotations: undefined }, true],
  ['that nobody owns', { ownerReferences: undefined }, true],
  ['that somebody else owns and nobody controls', { ownerReferences: [stranger] }, true],
] as readonly (readonly [string, Partial<SecretObject['metadata']>, boolean])[])
  test(`a signing Secret ${what} is ${isWritten ? 'written as it should be, and keeps the rest' : 'left alone'}`, () => {
    const object = { ...whole, metadata: { ...whole.metadata, ...metadata } }
    const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid === 'r')
    const repaired = { ...whole, metadata: { ...whole.metadata, ownerReferences: [...others, ...ownerReferences] } }
    assert.deepEqual(written(object), isWritten ? repaired : undefined)
  })

test('what a rotation adds to the data of the signing Secret is written, and what it takes away goes; other data stays', () => {
  const object = { ...whole, data: { ...whole.data, mine: 'eA==' } }
  const next = { next: signingKeyOf(otherPair) }
  const during = written(object, { ring: ringOf(pair, next) })
  assert.deepEqual(Object.keys(during?.data ?? {}).sort(), ['mine', 'next.key', 'next.pub', 'sa.key', 'sa.pub', 'verify.pub'])
  assert(during !== undefined)
  assert.deepEqual(Object.keys(written(during, { ring: ringOf(pair) })?.data ?? {}).sort(), ['mine', 'sa.key', 'sa.pub'])
  assert.deepEqual(Object.keys(written(object, { ring: ringOf(otherPair), isNewKey: true })?.data ?? {}), ['sa.key', 'sa.pub'])
})

test('the public key stays in the text in which its owner brought it, and no longer than it is the key that signs', () => {
  const pem = Buffer.from(whole.data?.['sa.pub'] ?? '', 'base64').toString()
  const text = Buffer.from(`${pem.replaceAll('\n', '\r\n')}\n\n`).toString('base64')
  const brought = { ...whole, data: { ...whole.data, 'sa.pub': text } }
  assert.equal(written(brought), undefined)
  const rotated = written(brought, { ring: ringOf(otherPair) })?.data?.['sa.pub']
  assert.equal(Buffer.from(rotated ?? '', 'base64').toString(), otherPair.publicPem)
})
