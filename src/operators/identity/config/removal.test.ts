// How a Config goes, decision by decision (§13.5). Values in, plan out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OwnerReference, StoredCondition } from '#kube'
import type { OwnAction, Plan } from '#runtime'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { absentChild } from '../children/state.ts'
import type { ChildWriter } from '../children/writer.ts'
import { childOf, configOf, deedsOf, planOf, saidBy, secretOf, seenOf, selfHostedOf } from '../testing/config-seen.fixture.ts'
import type { SecretObject } from './key-ring.ts'
import { decideRemoval } from './removal.ts'
import type { ConfigSeen } from './seen.ts'

const force = 'aws.identity.appthrust.io/force-delete'
const deletionTimestamp = '2026-01-01T00:00:00Z'
const recorded = { webhookRuntimeNamespace: 'aws-pod-identity-webhook', resolvedClusterName: 'wlc-a/wlc-a' }
const away = { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'cluster wlc-a does not answer' } as const
const unresolved = { kind: 'unresolved', reason: 'ClusterProfileNotFound', message: 'no ClusterProfile' } as const

function goingOf(
  annotations: Readonly<Record<string, string>> = {},
  conditions: readonly StoredCondition[] = [],
): ConfigSeen['config'] {
  return configOf({ metadata: { deletionTimestamp, annotations }, status: { ...recorded, conditions } })
}

/** Past the cluster: its runtime is another Config's business. */
function hub(more: Partial<ConfigSeen> = {}): Partial<ConfigSeen> {
  return { config: goingOf(), sharesRuntime: { kind: 'shared' }, ...more } as Partial<ConfigSeen>
}

const released = ['remove-finalizer AWSWorkloadIdentityConfig', 'event FinalizerRemoved']
const nothingLeft = selfHostedOf({ keys: { object: undefined as never } })

test('Roles that remain block, with their number and names; their end is an event [#101]', () => {
  const plan = planOf(hub({ roles: ['app'] }))
  assert.deepEqual(saidBy(plan), { DeletionBlocked: 'True RolesRemain' })
  assert.deepEqual(plan.actions, [])
  const wayOut = 'delete them first, or annotate the Config with aws.identity.appthrust.io/force-delete=true'
  assert.equal(plan.conditions[0]?.message, `1 AWSServiceAccountRole remains in wlc-a: app; ${wayOut}`)
  assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 300_000, why: 'what belongs to the Config is being deleted' })
  const many = Array.from({ length: 12 }, (_, place) => `app${place}`)
  const names = many.slice(0, 10).join(', ')
  for (const [roles, more] of [
    [many, ' and 2 more'],
    [many.slice(0, 10), ''],
  ] as const) {
    const [condition] = planOf(hub({ roles })).conditions
    assert.equal(condition?.message, `${roles.length} AWSServiceAccountRoles remain in wlc-a: ${names}${more}; ${wayOut}`)
  }
})

test('forced, it goes on in spite of Roles [#102]', () => {
  const plan = planOf(hub({ roles: ['app'], config: goingOf({ [force]: 'true' }) as never, selfHosted: nothingLeft }))
  assert.deepEqual(deedsOf(plan), released)
})

for (const value of ['True', '1', ' true', '']) {
  test(`${JSON.stringify(value)} forces nothing [#103]`, () => {
    assert.deepEqual(saidBy(planOf(hub({ roles: ['app'], config: goingOf({ [force]: value }) as never }))), {
      DeletionBlocked: 'True RolesRemain',
    })
  })
}

test('a cluster that cannot be reached blocks; forced, its objects stay and the hub is cleaned [#104]', () => {
  const provider = childOf(providerKind)
  const blocked = planOf({ config: goingOf() as never, runtime: away, provider })
  assert.deepEqual(saidBy(blocked), { DeletionBlocked: 'True RemoteClusterUnavailable' })
  assert.deepEqual(blocked.actions, [])
  const forced = planOf({ config: goingOf({ [force]: 'true' }) as never, runtime: away, provider })
  assert.deepEqual(deedsOf(forced), ['delete OpenIDConnectProvider'])
})

test('so does an inventory that does not know the cluster any more, when something was made there [#104]', () => {
  assert.deepEqual(saidBy(planOf({ config: goingOf() as never, resolution: unresolved })), {
    DeletionBlocked: 'True RemoteClusterUnavailable',
  })
})

test('where nothing was ever made on a cluster, its absence blocks nothing [#104]', () => {
  const plan = planOf({ config: configOf({ metadata: { deletionTimestamp } }), resolution: unresolved, selfHosted: nothingLeft })
  assert.deepEqual(deedsOf(plan), released)
})

test('a runtime that a living sibling uses stays [#106, #108, #109]', () => {
  assert.deepEqual(deedsOf(planOf(hub({ selfHosted: nothingLeft }))), released)
})

test('not to know whether a sibling uses it blocks [#107]', () => {
  const plan = planOf({ config: goingOf() as never, sharesRuntime: { kind: 'unknown', message: 'who knows' } })
  assert.deepEqual(saidBy(plan), { DeletionBlocked: 'True RemoteClusterUnavailable' })
})

test('blocked when nobody says where the runtime is; forced, it goes on [#118]', () => {
  const going = (annotations = {}) => configOf({ metadata: { deletionTimestamp, annotations }, status: {} })
  const rest = { operatorConfig: undefined as never, runtime: undefined as never, selfHosted: nothingLeft }
  assert.deepEqual(saidBy(planOf({ config: going(), ...rest })), { DeletionBlocked: 'True RemoteClusterUnavailable' })
  assert.deepEqual(deedsOf(planOf({ config: going({ [force]: 'true' }), ...rest })), released)
})

test('first the provider, and while it is there neither key nor bucket is touched [P16, M10]', () => {
  const bucket = childOf(bucketKind)
  const there = planOf(hub({ provider: childOf(providerKind), selfHosted: selfHostedOf({ bucket }) }))
  assert.deepEqual(deedsOf(there), ['delete OpenIDConnectProvider'])
  const going = planOf(
    hub({
      provider: childOf(providerKind, { terminating: true, trouble: 'AccessDenied: no' }),
      selfHosted: selfHostedOf({ bucket }),
    }),
  )
  assert.deepEqual(going.actions, [])
  assert.deepEqual(saidBy(going), { DeletionBlocked: 'True ChildrenPending' })
  assert.match(going.conditions[0]?.message ?? '', /OpenIDConnectProvider wlc-a\/.*cannot be deleted: AccessDenied: no/)
})

test('a provider of somebody else that trusts the issuer keeps its bucket, also when forced [P16]', () => {
  const selfHosted = selfHostedOf({ bucket: childOf(bucketKind), trustedBy: ['other/their-provider'] })
  for (const annotations of [{}, { [force]: 'true' }]) {
    const plan = planOf(hub({ config: goingOf(annotations) as never, selfHosted }))
    assert.deepEqual(plan.actions, [])
    assert.match(plan.conditions[0]?.message ?? '', /other\/their-provider trusts the issuer/)
  }
})

test('without a provider the documents go, then the bucket; the key beside them', () => {
  const plan = planOf(hub({ selfHosted: selfHostedOf({ bucket: childOf(bucketKind) }) }))
  assert.deepEqual(deedsOf(plan), [
    'delete Secret',
    'delete .well-known/openid-configuration',
    'delete keys.json',
    'delete Bucket',
  ])
  assert.deepEqual(
    plan.actions.map(({ kind }) => kind),
    ['together'],
  )
  // One of them alone is nothing to be done beside another.
  const [alone] = planOf(hub({ selfHosted: selfHostedOf() })).actions
  assert.equal(alone?.kind, 'delete')
})

for (const [what, status, bucket, isEmptied] of [
  ['that is in sync', {}, {}, true],
  ['that was ready once', { conditions: [ready('True')] }, { synced: false }, true],
  ['that was published in once', { selfHostedIssuer: { bucketName: 'b', publication: {} } }, { synced: false }, true],
  ['that is told to be full', {}, { synced: false, trouble: 'BucketNotEmpty: x' }, true],
  ['that was never ready', { conditions: [ready('False')] }, { synced: false }, false],
  ['of which nothing was ever said', {}, { synced: false }, false],
  ['of a name that somebody else has', {}, { synced: false, trouble: 'BucketAlreadyExists: x' }, false],
] as const)
  test(`of a bucket ${what} ${isEmptied ? 'the documents go first' : 'no document is deleted: it may be somebody else’s'} [S2]`, () => {
    const config = configOf({ metadata: { deletionTimestamp }, status: { ...recorded, ...status } as never })
    const selfHosted = { ...nothingLeft, bucket: childOf(bucketKind, bucket) }
    const documents = ['delete .well-known/openid-configuration', 'delete keys.json']
    assert.deepEqual(deedsOf(planOf(hub({ config, selfHosted }))), [...(isEmptied ? documents : []), 'delete Bucket'])
  })

function ready(status: 'True' | 'False'): StoredCondition {
  return { type: 'BucketReady', status, reason: 'X', message: '', lastTransitionTime: deletionTimestamp }
}

test('a provider in trouble that nobody deletes yet is deleted, and its trouble is told when it stays [M14]', () => {
  const trouble = 'AccessDenied: no'
  assert.deepEqual(deedsOf(planOf(hub({ provider: childOf(providerKind, { synced: false, trouble }) }))), [
    'delete OpenIDConnectProvider',
  ])
  const going = planOf(hub({ provider: childOf(providerKind, { terminating: true }) }))
  assert.match(going.conditions[0]?.message ?? '', /^OpenIDConnectProvider wlc-a\/awi-oidc-wlc-a is being deleted$/)
})

describe('a child that our own calls delete', () => {
  const provider = childOf(providerKind)
  const through = (actions: readonly OwnAction[], more: Partial<ConfigSeen> = {}): Plan<OwnAction> => {
    const seen = seenOf(hub({ provider, ...more }))
    return decideRemoval(seen, seen.config ?? assert.fail(), { remove: () => actions } as unknown as ChildWriter)
  }
  const own: OwnAction = { kind: 'act:aws', summary: 'delete it' }
  test('is looked at at once, since nobody tells that it is gone', () => {
    for (const actions of [[own], [own, { ...own, kind: 'act:other' } as const]])
      assert.deepEqual(through(actions).next, { kind: 'look-again', afterMs: 0, why: 'to see what is gone' })
  })
  test('is waited for where there is nothing to call, and is not done', () => {
    const plan = through([])
    assert.deepEqual([plan.actions, plan.conditions, plan.next.kind], [[], [], 'look-again'])
    assert.equal(plan.next.kind === 'look-again' && plan.next.afterMs, 300_000)
  })
  test('is told where it has to be gone by another hand first', () => {
    const plan = through([], { provider: childOf(providerKind, { synced: false, trouble: 'LeftOver: the object stands' }) })
    assert.equal(saidBy(plan).DeletionBlocked, 'True ChildrenPending')
    assert.match(plan.conditions[0]?.message ?? '', /cannot be deleted: LeftOver: the object stands$/)
  })
})

test('a bucket on its way is not deleted again, and what holds it is named [M14]', () => {
  const bucket = childOf(bucketKind, { terminating: true, trouble: 'BucketNotEmpty: not empty' })
  const plan = planOf(hub({ selfHosted: selfHostedOf({ bucket, keys: { object: undefined as never } }) }))
  // Its documents may be what holds it; the deletion itself is not repeated.
  assert.deepEqual(deedsOf(plan), ['delete .well-known/openid-configuration', 'delete keys.json'])
  assert.match(plan.conditions[0]?.message ?? '', /Bucket wlc-a\/.*BucketNotEmpty/)
})

test('the finalizer stays while the Secret, the bucket or the provider is to be seen [M10, P5]', () => {
  const rests: readonly Partial<ConfigSeen>[] = [
    hub({ selfHosted: selfHostedOf() }),
    hub({
      selfHosted: selfHostedOf({ bucket: childOf(bucketKind, { terminating: true }), keys: { object: undefined as never } }),
    }),
    hub({ provider: childOf(providerKind, { terminating: true }), selfHosted: nothingLeft }),
  ]
  for (const rest of rests) assert.equal(deedsOf(planOf(rest)).includes('remove-finalizer AWSWorkloadIdentityConfig'), false)
})

test('a bucket in foreign hands keeps its documents and itself, and an event says so [#110]', () => {
  const selfHosted = { ...nothingLeft, bucket: childOf(bucketKind, { owner: 'somebody' }) }
  assert.deepEqual(deedsOf(planOf(hub({ selfHosted }))), [...released, 'event ChildOwnershipMismatch'])
})

test('a bucket that somebody else took over keeps its documents, although ours were published in it once [S2, #110]', () => {
  const publication = { bucketName: 'b', issuerURL: 'https://b', signingKeyID: 'k', objectSetDigest: 'sha256:0' }
  const status = { ...recorded, selfHostedIssuer: { bucketName: 'b', publication } }
  const config = configOf({ metadata: { deletionTimestamp }, status })
  const bucket = childOf(bucketKind, { owner: 'somebody' })
  // As long as the key is there, the issuer is not done, and what it does is done.
  assert.deepEqual(deedsOf(planOf(hub({ config, selfHosted: selfHostedOf({ bucket }) }))), ['delete Secret'])
  const left = planOf(hub({ config, selfHosted: { ...nothingLeft, bucket } }))
  assert.deepEqual(deedsOf(left), [...released, 'event ChildOwnershipMismatch'])
})

test('without a bucket there is no call to S3 [#111]', () => {
  assert.deepEqual(deedsOf(planOf(hub({ selfHosted: selfHostedOf() }))), ['delete Secret'])
})

test('a Secret in foreign hands stays, and an event says so [#113]', () => {
  const object = secretOf(secret => ({
    ...secret,
    metadata: {
      ...secret.metadata,
      labels: {},
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'other', controller: true }],
    },
  }))
  const selfHosted = selfHostedOf({ keys: { object, trouble: 'belongs to X' } })
  assert.deepEqual(deedsOf(planOf(hub({ selfHosted }))), [...released, 'event ChildOwnershipMismatch'])
})

test('a Secret that only carries the label of this Config is deleted [#114]', () => {
  const object = secretOf(({ metadata, ...secret }) => ({ ...secret, metadata: { ...metadata, ownerReferences: [] } }))
  assert.deepEqual(deedsOf(planOf(hub({ selfHosted: selfHostedOf({ keys: { object } }) }))), ['delete Secret'])
})

const mark = 'aws.identity.appthrust.io/config-uid'
const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'other' }
const ours = secretOf().metadata.ownerReferences ?? []

for (const [what, metadata, deeds] of [
  ['that a Config of this very uid owns is deleted', { labels: {} }, ['delete Secret']],
  ['that others own besides is deleted', { labels: {}, ownerReferences: [owner, ...ours] }, ['delete Secret']],
  ['that is on its way is waited for', { deletionTimestamp }, []],
  [
    'that is on its way and was never taken over is not waited for',
    { deletionTimestamp, labels: {}, ownerReferences: [] },
    released,
  ],
  ['that was never taken over stays', { labels: {}, ownerReferences: [] }, released],
  [
    'of which a Config is an owner that controls nothing stays',
    { labels: {}, ownerReferences: ours.map(uncontrolled) },
    released,
  ],
  ['of an earlier Config stays', { labels: { [mark]: 'earlier' }, ownerReferences: [] }, released],
  ['with our label that somebody else controls stays', { ownerReferences: [{ ...owner, controller: true }] }, released],
] as readonly (readonly [string, Partial<SecretObject['metadata']>, readonly string[]])[])
  test(`a Secret ${what} [#113, #114, S2]`, () => {
    const object = secretOf(secret => ({ ...secret, metadata: { ...secret.metadata, ...metadata } }))
    const told = deedsOf(planOf(hub({ selfHosted: selfHostedOf({ keys: { object } }) })))
    assert.deepEqual(
      told.filter(deed => deed !== 'event ChildOwnershipMismatch'),
      deeds,
    )
  })

function uncontrolled(reference: OwnerReference): OwnerReference {
  return { ...reference, controller: false }
}

test('EKSIRSA deletes a provider that it manages, and leaves an existing one alone [#115]', () => {
  const eks = (management: 'Managed' | 'External') =>
    configOf({
      metadata: { deletionTimestamp },
      spec: {
        type: 'EKSIRSA',
        region: 'us-east-1',
        eksIRSA: { issuerURL: 'https://oidc.eks.us-east-1.amazonaws.com/id/X', oidcProvider: { management } },
      },
    })
  const provider = childOf(providerKind)
  assert.deepEqual(deedsOf(planOf({ config: eks('Managed'), provider })), ['delete OpenIDConnectProvider'])
  assert.deepEqual(deedsOf(planOf({ config: eks('External'), provider })), released)
  assert.deepEqual(deedsOf(planOf({ config: eks('Managed'), provider: absentChild })), released)
})

test('what was said to be blocked is said to be unblocked before the finalizer goes, and only then [#117]', () => {
  const blocked: StoredCondition = {
    type: 'DeletionBlocked',
    status: 'True',
    reason: 'RolesRemain',
    message: 'm',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const first = planOf(hub({ config: goingOf({}, [blocked]) as never, selfHosted: nothingLeft }))
  assert.deepEqual([saidBy(first), first.actions], [{ DeletionBlocked: 'False DeletionUnblocked' }, []])
  assert.deepEqual(first.next, { kind: 'look-again', afterMs: 1_000, why: 'the finalizer goes next' })
  const second = planOf(
    hub({
      config: goingOf({}, [{ ...blocked, status: 'False', reason: 'DeletionUnblocked' }]) as never,
      selfHosted: nothingLeft,
    }),
  )
  assert.deepEqual(deedsOf(second), released)
})

test('a Config whose finalizer is gone is left alone', () => {
  const plan = planOf({
    config: configOf({ metadata: { deletionTimestamp, finalizers: ['other'] } }),
    provider: childOf(providerKind),
  })
  assert.deepEqual([plan.actions, plan.conditions], [[], []])
})
