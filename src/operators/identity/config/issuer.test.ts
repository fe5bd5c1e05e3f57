// The issuer of a self-hosted cluster: what is published of which keys, what is told, and when it is looked at again. Values in, plan out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { given } from '#base'
import type { ApplyAction } from '#runtime'
import { bucketKind, providerKind } from '../children/kinds.ts'
import type { ChildState } from '../children/state.ts'
import {
  type ConfigMore,
  childOf,
  configOf,
  current,
  deedsOf,
  now,
  otherPair,
  pair,
  planOf,
  providerArn,
  publication,
  saidBy,
  secretOf,
  selfHostedOf,
  syncedBucket,
} from '../testing/config-seen.fixture.ts'
import type { PublicationSeen } from './issuer-store.ts'
import type { KeyProof } from './key-proof.ts'
import { defined, renderKeyRing, ringOf, type SecretObject, signingKeyOf } from './key-ring.ts'
import type { SelfHostedSeen } from './seen.ts'

describe('keys of which something is not ours [S24]', () => {
  const one = { name: 'sa.pub', keyId: 'one' }
  const ring = { current: signingKeyOf(pair) }
  const gone: PublicationSeen = { '.well-known/openid-configuration': { kind: 'absent' }, 'keys.json': { kind: 'absent' } }
  const held = { type: 'SigningKeysProven', status: 'False', reason: 'X', message: '', lastTransitionTime: '' } as const
  const told = configOf({ status: { conditions: [held] } })
  const which = `sa.pub (key one) of Secret wlc-a/awi-signing-key-default`
  const planFor = (proof: KeyProof | undefined, more: Partial<SelfHostedSeen> = {}, config = configOf()) =>
    planOf({ config, selfHosted: selfHostedOf({ bucket: syncedBucket, publication: gone, ...more, keys: given({ proof }) }) })
  const provenOf = (plan: ReturnType<typeof planOf>): string | undefined =>
    plan.conditions.find(({ type }) => type === 'SigningKeysProven')?.message

  test('a foreign key beside ours is told, and ours are published, and the Secret stays as it is', () => {
    const plan = planFor({ kind: 'foreign-beside', ring, foreign: [one] })
    assert.deepEqual(deedsOf(plan), [
      'add-finalizer AWSWorkloadIdentityConfig',
      'apply Bucket',
      'put .well-known/openid-configuration',
      'put keys.json',
      'apply OpenIDConnectProvider',
    ])
    assert.ok(provenOf(plan)?.startsWith(`${which} is not ours: somebody else wrote it. It is not published`))
  })
  test('a foreign key in the place of ours stops everything of the issuer', () => {
    const plan = planFor({ kind: 'foreign', foreign: [one] })
    assert.deepEqual(deedsOf(plan), ['add-finalizer AWSWorkloadIdentityConfig'])
    assert.ok(provenOf(plan)?.startsWith(`${which} is not ours`))
    assert.deepEqual(
      ['IssuerReady', 'BucketReady'].map(type => saidBy(plan)[type]),
      ['False SigningKeyForeign', 'False SigningKeyForeign'],
    )
  })
  test('a key that nobody knows stops it as well, until it is accepted or deleted', () => {
    const unrecorded = { kind: 'unrecorded', foreign: [one] } as const
    for (const more of [{}, { publication: { ...current, 'keys.json': { kind: 'absent' } } }] as const) {
      const plan = planFor(unrecorded, more)
      assert.deepEqual(deedsOf(plan), ['add-finalizer AWSWorkloadIdentityConfig'])
      const step =
        'annotate the Config aws.identity.appthrust.io/accept-signing-keys=one; otherwise delete the Secret for a new key'
      assert.equal(provenOf(plan), `${which} was not made here and is not published: if the key is yours, ${step}`)
    }
  })
  test('a key that nobody knows and that is public already comes on record, in a bucket of ours', () => {
    const unrecorded = { kind: 'unrecorded', foreign: [one] } as const
    const plan = planFor(unrecorded, { publication: current })
    assert.deepEqual([provenOf(plan), plan.status?.signingKeys], [undefined, { held: [pair.keyId], planned: [] }])
    const foreign = planFor(unrecorded, { publication: current, bucket: childOf(bucketKind, { owner: 'other' }) })
    assert.deepEqual([saidBy(foreign).SigningKeysProven, foreign.status?.signingKeys], ['False SigningKeyForeign', undefined])
  })
  test('that all are ours again is said where it was said that they are not', () => {
    assert.equal(saidBy(planFor({ kind: 'ours' }, {}, told)).SigningKeysProven, 'True SigningKeysProven')
    assert.equal(saidBy(planFor({ kind: 'ours' })).SigningKeysProven, undefined)
    assert.equal(saidBy(planFor({ kind: 'foreign', foreign: [one] }, {}, told)).SigningKeysProven, 'False SigningKeyForeign')
  })
  test('what is to be on record is written into the status, and nothing where nothing is', () => {
    const record = { held: ['one'], planned: [] }
    const plan = planOf({ selfHosted: selfHostedOf({ keys: { record } }) })
    assert.deepEqual([plan.status?.signingKeys, 'signingKeys' in (planOf().status ?? {})], [record, false])
  })
})

describe('the issuer looks again', () => {
  const nextOf = (more: Partial<SelfHostedSeen>, metadata: ConfigMore['metadata'] = {}): unknown => {
    const { next } = planOf({
      config: configOf({ metadata }),
      selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current, ...more }),
    })
    return next.kind === 'look-again' ? next.afterMs : next.kind
  }
  test('at what S3 takes up within seconds within one, and at what fails in half a minute', () => {
    const view = (kind: 'settling' | 'refused' | 'unseen') => ({ publicView: { kind, message: '' } })
    assert.deepEqual(
      (['settling', 'refused', 'unseen'] as const).map(kind => nextOf(view(kind))),
      [1_000, 30_000, 30_000],
    )
    assert.equal(nextOf({ publication: { ...current, 'keys.json': { kind: 'failed', message: '' } } }), 30_000)
  })
  test('never, where all is as it should be', () => {
    assert.equal(nextOf({}), 'await-change')
    assert.equal(nextOf({ publicView: { kind: 'readable' } }), 'await-change')
  })
  test('at a key that ages when it is old, and not while a step is being written', () => {
    const aged = (age: string) => ({ annotations: { 'aws.identity.appthrust.io/signing-key-max-age': age } })
    assert.equal(nextOf({}, aged('24h')), 24 * 3_600_000 - 1_000)
    const keys = { candidate: signingKeyOf(otherPair), object: secretOf(since(now - 48 * 3_600_000)) }
    const selfHosted = selfHostedOf({ bucket: syncedBucket, publication: current, keys })
    assert.equal(planOf({ config: configOf({ metadata: aged('24h') }), selfHosted }).next.kind, 'await-change')
  })
  test('in a second, where the Secret vanished and no key was drawn for a new one', () => {
    const { next, actions } = planOf({ selfHosted: selfHostedOf({ keys: { object: undefined as never } }) })
    assert.deepEqual([next, actions.length], [{ kind: 'look-again', afterMs: 1_000, why: 'a key is drawn' }, 1])
  })
})

function since(ms: number): (secret: SecretObject) => SecretObject {
  const annotation = { 'aws.identity.appthrust.io/signing-key-since': new Date(ms).toISOString() }
  return secret => ({
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, ...annotation } },
  })
}

describe('a key that comes next', () => {
  const object = secretOf(secret => ({
    ...secret,
    data: defined(renderKeyRing(ringOf(pair, { next: signingKeyOf(otherPair) })).data),
  }))
  const rotated = (more: Partial<SelfHostedSeen>): string | undefined =>
    saidBy(planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current, ...more, keys: { object } }) }))
      .SigningKeyRotated
  test('propagates once both documents are there for everybody, and not before [S13]', () => {
    const half: PublicationSeen = { ...current, 'keys.json': { kind: 'differs' } }
    assert.equal(rotated({}), 'False SigningKeyPropagating')
    assert.equal(rotated({ publicView: { kind: 'readable' } }), 'False SigningKeyPropagating')
    assert.equal(rotated({ publication: half }), 'False SigningKeyPublished')
    assert.equal(rotated({ publication: {} }), 'False SigningKeyPublished')
    assert.equal(rotated({ publicView: { kind: 'unseen', message: '' } }), 'False SigningKeyPublished')
  })
  test('is not written before it is on record, and nothing is said of it [P2]', () => {
    const config = configOf({ metadata: { annotations: { 'aws.identity.appthrust.io/rotate-signing-key': 'r1' } } })
    const keys = { candidate: signingKeyOf(otherPair), isCandidateRecorded: false }
    const plan = planOf({ config, selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current, keys }) })
    assert.deepEqual([deedsOf(plan).includes('update Secret'), saidBy(plan).SigningKeyRotated], [false, undefined])
  })
})

test('a document of ours that somebody wrote over is put right, and told; one that is gone or never was ours is only put', () => {
  const config = configOf({
    status: { selfHostedIssuer: { bucketName: publication.bucketName, publication: publication as never } },
  })
  const deeds = (kind: 'differs' | 'absent', of = config): readonly string[] => {
    const seen: PublicationSeen = { ...current, 'keys.json': { kind } }
    return deedsOf(planOf({ config: of, selfHosted: selfHostedOf({ bucket: syncedBucket, publication: seen }) }))
  }
  const [, , ...overwritten] = deeds('differs')
  assert.deepEqual(overwritten, ['put keys.json', 'event IssuerDocumentsOverwritten', 'apply OpenIDConnectProvider'])
  assert.deepEqual(deeds('absent').slice(2), ['put keys.json', 'apply OpenIDConnectProvider'])
  assert.deepEqual(deeds('differs', configOf()).slice(2), ['put keys.json', 'apply OpenIDConnectProvider'])
})

test('two documents are written side by side, and one is written as it is', () => {
  const kindsOf = (seen: PublicationSeen): readonly string[] => {
    const { actions } = planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: seen }) })
    return actions.map(({ kind }) => kind).filter(kind => kind === 'together' || kind.startsWith('act:'))
  }
  const gone = { kind: 'absent' } as const
  assert.deepEqual(kindsOf({ '.well-known/openid-configuration': gone, 'keys.json': gone }), ['together'])
  assert.deepEqual(kindsOf({ ...current, 'keys.json': gone }), ['act:put-issuer-object'])
})

test('a bucket that was not looked into waits, and of children it alone is told [#70]', () => {
  const entry = childOf(providerKind).entry
  const plan = planOf({
    config: configOf({ status: { ackResources: [entry] as never } }),
    selfHosted: selfHostedOf({ bucket: syncedBucket }),
    provider: childOf(providerKind, { arn: providerArn }),
  })
  assert.equal(saidBy(plan).IssuerReady, 'False WaitingForACK')
  assert.deepEqual(plan.status?.ackResources, [syncedBucket.entry])
})

test('a bucket in foreign hands is told with its name and what to do', () => {
  const messageOf = (bucket: ChildState): string | undefined =>
    planOf({ selfHosted: selfHostedOf({ bucket }) }).conditions.find(({ type }) => type === 'BucketReady')?.message
  const { bucketName } = selfHostedOf()
  assert.match(
    messageOf(childOf(bucketKind, { owner: 'other' })) ?? '',
    new RegExp(`; bucket ${bucketName}: somebody else has this name`),
  )
  assert.doesNotMatch(messageOf(syncedBucket) ?? '', /somebody else/)
})

test('the provider of an issuer is named after its namespace', () => {
  const plan = planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current }) })
  const apply = plan.actions.find(
    (action): action is ApplyAction => action.kind === 'apply' && action.type.kind === 'OpenIDConnectProvider',
  )
  assert.equal(apply?.object.metadata.name, 'awi-oidc-wlc-a')
})

test('a bucket in sync is ready without an ARN of its own, and of children what was told first stays first', () => {
  const provider = childOf(providerKind, { arn: providerArn, spec: {} })
  const ackResources = [provider.entry, syncedBucket.entry]
  const plan = planOf({
    config: configOf({ status: { ackResources: ackResources as never } }),
    selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current }),
    provider,
  })
  assert.equal(saidBy(plan).BucketReady, 'True ACKResourceSynced')
  assert.deepEqual(plan.status?.ackResources, ackResources)
})
