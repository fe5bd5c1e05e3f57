// Whose a Secret of a sidecar is, when it is good, and what it is made of.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerReference, StoredObject } from '#kube'
import { caHashAnnotation } from '../api/kinds.ts'
import { drawnKey, now, owner, plansOf, stored } from '../testing/secrets.fixture.ts'
import { type PlatformSecret, textIn } from './authority.ts'
import { upstreamChoices } from './choices.ts'
import { desiredStateAnnotation, desiredStateHash } from './desired-state.ts'
import { inPlaceOf, issueSecret, judgeSecret, renderSecret, type SecretPlan } from './secrets.ts'

const drawn = await drawnKey()
const [serving, kubeconfig] = plansOf('Azure')
const issued = (plan: SecretPlan): PlatformSecret & StoredObject => stored(issueSecret(plan, undefined, owner, { drawn, now }))
const good = issued(serving)

const { apiVersion } = owner
const reference = (more: Partial<OwnerReference>): OwnerReference => ({
  apiVersion,
  kind: 'HostedControlPlane',
  name: 'hcp',
  uid: 'u-1',
  controller: true,
  ...more,
})
const ownedBy = (...ownerReferences: readonly OwnerReference[]): PlatformSecret & StoredObject => ({
  ...good,
  metadata: { ...good.metadata, ownerReferences },
})

const controllers: readonly (readonly [what: string, references: readonly OwnerReference[], kind: string])[] = [
  ['the control plane itself', [reference({})], 'good'],
  ['nobody', [], 'rewrite'],
  ['nobody, though others own it', [reference({ kind: 'ConfigMap', uid: 'c', controller: false })], 'rewrite'],
  ['an earlier control plane of the same name', [reference({ uid: 'u-0' })], 'rewrite'],
  ['another control plane', [reference({ name: 'other', uid: 'u-2' })], 'foreign'],
  ['something else of the same name', [reference({ kind: 'ConfigMap', uid: 'c' })], 'foreign'],
  ['something else of another name', [reference({ kind: 'ConfigMap', name: 'other', uid: 'c' })], 'foreign'],
  ['what has the uid of the control plane, whatever it is called', [reference({ kind: 'Plane', name: 'other' })], 'good'],
]

for (const [what, references, kind] of controllers)
  test(`a Secret whose controller is ${what} is ${kind} [H-06, 4.12]`, () => {
    const standing = judgeSecret(serving, ownedBy(...references), owner, now)
    assert.equal(standing.kind, kind)
    if (standing.kind === 'rewrite') assert.equal(standing.why, 'it has no owner')
  })

test('what is written has the control plane as its one controller, and keeps the other owners [4.12]', () => {
  const other = reference({ kind: 'ConfigMap', name: 'other', uid: 'c', controller: false })
  const pair = { certificate: textIn(good, 'tls.crt'), key: textIn(good, 'tls.key') }
  const ownersOf = (...references: readonly OwnerReference[]): readonly (readonly [string, boolean | undefined])[] =>
    (renderSecret(serving, ownedBy(...references), owner, pair).metadata.ownerReferences ?? []).map(one => [
      one.uid,
      one.controller,
    ])
  const want = [
    ['c', false],
    ['u-1', true],
  ]
  assert.deepEqual(ownersOf(other), want)
  assert.deepEqual(ownersOf(reference({ uid: 'u-0' }), other), want)
  assert.deepEqual(ownersOf(reference({}), other), want)
  assert.deepEqual(ownersOf(), [['u-1', true]])
})

const withData = (key: string, text: string) => (held: PlatformSecret & StoredObject) => ({
  ...held,
  data: { ...held.data, [key]: Buffer.from(text).toString('base64') },
})
const withMetadata = (metadata: object) => (held: PlatformSecret & StoredObject) => ({
  ...held,
  metadata: { ...held.metadata, ...metadata },
})
type Edit = (held: PlatformSecret & StoredObject) => PlatformSecret & StoredObject

const edits: readonly (readonly [what: string, plan: SecretPlan, edit: Edit, kind: string, why: string])[] = [
  ['its authority', serving, withData('ca.crt', 'another'), 'rewrite', 'its ca.crt is another'],
  ['its kubeconfig', kubeconfig, withData('kubeconfig', 'another'), 'rewrite', 'its kubeconfig is another'],
  ['its certificate', serving, withData('tls.crt', ''), 'issue', 'tls.crt is not exactly one certificate'],
  ['its key', serving, withData('tls.key', 'another'), 'issue', 'the key cannot be read'],
  ['its annotation', serving, withMetadata({ annotations: {} }), 'rewrite', 'it names another authority'],
  ['its label', kubeconfig, withMetadata({ labels: {} }), 'rewrite', 'its label is missing'],
]

for (const [what, plan, edit, kind, why] of edits)
  test(`a Secret that lost ${what} is put right, and why is told (${kind}) [4.4, 4.5, 4.12]`, () => {
    const standing = judgeSecret(plan, edit(issued(plan)), owner, now)
    assert.deepEqual('why' in standing ? [standing.kind, standing.why] : [standing.kind], [kind, why])
  })

test('a Secret that is not there is issued, and what others wrote into one stays [4.12]', () => {
  assert.deepEqual(judgeSecret(serving, undefined, owner, now), { kind: 'issue', why: 'it is not there' })
  const held = withData('mine', 'text')(withMetadata({ labels: { mine: 'yes' }, annotations: { mine: 'yes' } })(good))
  const { metadata, data } = issueSecret(serving, held, owner, { drawn, now })
  assert.equal(textIn({ ...held, ...(data === undefined ? {} : { data }) }, 'mine'), 'text')
  assert.deepEqual(metadata.labels, { mine: 'yes' })
  assert.deepEqual(metadata.annotations, { mine: 'yes', [caHashAnnotation]: serving.issuer.hash })
  assert.equal('labels' in issueSecret(serving, undefined, owner, { drawn, now }).metadata, false)
})

test('in either form a client certificate of another signer is signed anew [4.13 #2]', () => {
  for (const choices of [undefined, upstreamChoices]) {
    const given = choices === undefined ? {} : { choices }
    const [, before] = plansOf('Azure', given)
    const [, after] = plansOf('Azure', { ...given, signer: 2 })
    assert.deepEqual(judgeSecret(after, issued(before), owner, now), { kind: 'issue', why: 'tls.crt is from another authority' })
  }
})

test('the hash of upstream’s form is over the Secret as it is wanted, in its namespace [4.13 #2]', () => {
  const [, plan] = plansOf('Azure', { choices: upstreamChoices })
  const secret = issueSecret(plan, undefined, owner, { drawn, now })
  const { [desiredStateAnnotation]: hash, ...annotations } = secret.metadata.annotations ?? {}
  assert.equal(secret.metadata.namespace, 'hcp-namespace')
  assert.equal(hash, desiredStateHash({ ...secret, metadata: { ...secret.metadata, annotations } }))
})

test('what is written over a Secret is of the version that was read', () => {
  const { metadata } = inPlaceOf(good, issueSecret(serving, undefined, owner, { drawn, now }))
  assert.deepEqual([metadata.uid, metadata.resourceVersion], [good.metadata.uid, '1'])
})
