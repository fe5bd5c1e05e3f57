// Decisions of the Config controller, row by row (§13.4). Values in, plan out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { given } from '#base'
import type { ApplyAction, CreateAction, Next, UpdateAction } from '#runtime'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { absentChild, type ChildState } from '../children/state.ts'
import type { ChildWriter } from '../children/writer.ts'
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
  seenOf,
  selfHostedOf,
  settings,
  syncedBucket,
} from '../testing/config-seen.fixture.ts'
import { decideConfig } from './decide.ts'
import type { PublicationSeen } from './issuer-store.ts'
import { readKeyRing, type SecretObject, signingKeyOf } from './key-ring.ts'

describe('first steps [13.4]', () => {
  test('the finalizer is the first action, before anything else is made [#65]', () => {
    const plan = planOf({ selfHosted: selfHostedOf({ keys: { object: undefined as never, candidate: signingKeyOf(pair) } }) })
    assert.deepEqual(deedsOf(plan), ['add-finalizer AWSWorkloadIdentityConfig', 'create Secret', 'apply Bucket'])
  })
  test('without an operator config two conditions say so, and all else stays as it is [#67]', () => {
    const plan = planOf({ operatorConfig: undefined as never })
    assert.deepEqual(saidBy(plan), {
      OperatorConfigReady: 'False OperatorConfigUnavailable',
      Ready: 'False OperatorConfigUnavailable',
    })
    assert.equal(plan.status, undefined)
    assert.deepEqual(deedsOf(plan), ['add-finalizer AWSWorkloadIdentityConfig'])
    assert.deepEqual(plan.next, { kind: 'await-change' })
  })
  test('without a ClusterProfile the issuer is made all the same, and Ready carries the reason [#68, #90]', () => {
    const plan = planOf({ resolution: { kind: 'unresolved', reason: 'ClusterProfileNotFound', message: 'none' } })
    assert.ok(deedsOf(plan).includes('apply Bucket'))
    const said = saidBy(plan)
    assert.equal(said.ClusterProfileResolved, 'False ClusterProfileNotFound')
    assert.equal(said.WebhookRuntimeReady, 'False ClusterProfileNotFound')
    assert.equal(said.Ready, 'False ClusterProfileNotFound')
    assert.equal(plan.status?.resolvedClusterName, undefined)
  })
  test('Pod Identity needs neither issuer nor runtime [#69]', () => {
    const plan = planOf({ config: configOf({ spec: { type: 'EKSPodIdentity', region: 'us-east-1' } }) })
    assert.deepEqual(saidBy(plan), {
      OperatorConfigReady: 'True Ready',
      ClusterProfileResolved: 'True Resolved',
      IssuerReady: 'True NotRequired',
      WebhookRuntimeReady: 'True NotRequired',
      Ready: 'True Reconciled',
    })
    assert.deepEqual(deedsOf(plan), ['add-finalizer AWSWorkloadIdentityConfig'])
    assert.deepEqual(
      Object.entries(plan.status ?? {}).filter(([, value]) => value !== undefined),
      [],
    )
    assert.ok('ackResources' in (plan.status ?? {}))
  })
  test('the cluster is recorded for a resolved annotation-based Config, and for no other [#99]', () => {
    assert.equal(planOf().status?.resolvedClusterName, 'wlc-a/wlc-a')
    const podIdentity = planOf({ config: configOf({ spec: { type: 'EKSPodIdentity', region: 'us-east-1' } }) })
    assert.equal(podIdentity.status?.resolvedClusterName, undefined)
  })
})

describe('the issuer [13.4]', () => {
  test('until the bucket is in sync there is no document and no provider [#70]', () => {
    const bucket = childOf(bucketKind, { synced: false, trouble: 'AccessDenied: no', spec: {} })
    const plan = planOf({
      selfHosted: selfHostedOf({ bucket, publication: current }),
      config: configOf({ status: { selfHostedIssuer: { bucketName: 'b', publication: publication as never } } }),
    })
    const said = saidBy(plan)
    assert.equal(said.BucketReady, 'False ACKResourceNotSynced')
    for (const type of ['OIDCObjectsPublished', 'IAMProviderReady', 'IssuerReady'])
      assert.equal(said[type], 'False WaitingForACK')
    assert.equal(
      deedsOf(plan).some(deed => deed.includes('put') || deed.includes('Provider')),
      false,
    )
    assert.deepEqual(plan.status?.selfHostedIssuer, { bucketName: selfHostedOf().bucketName })
    // M11: the child's own words.
    assert.match(plan.conditions.find(({ type }) => type === 'IssuerReady')?.message ?? '', /AccessDenied: no/)
  })
  test('a bucket in sync brings the documents, and then the provider [#71]', () => {
    const gone: PublicationSeen = { '.well-known/openid-configuration': { kind: 'absent' }, 'keys.json': { kind: 'differs' } }
    const plan = planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: gone }) })
    const deeds = deedsOf(plan)
    assert.deepEqual(deeds.slice(-3), ['put .well-known/openid-configuration', 'put keys.json', 'apply OpenIDConnectProvider'])
    assert.deepEqual(plan.status?.selfHostedIssuer, { bucketName: publication.bucketName, publication })
  })
  test('what was published before stays trusted while it cannot be found out, and not when it is refused', () => {
    const before = configOf({
      status: { conditions: [{ type: 'IssuerReady', status: 'True', reason: 'Ready', message: '' } as never] },
    })
    const provider = childOf(providerKind, { arn: providerArn, spec: {} })
    const saidWhen = (kind: 'refused' | 'settling' | 'unseen', config = configOf()): string | undefined => {
      const selfHosted = selfHostedOf({ bucket: syncedBucket, publication: current, publicView: { kind, message: 'why' } })
      return saidBy(planOf({ selfHosted, config, provider })).IssuerReady
    }
    assert.deepEqual(
      (['refused', 'settling', 'unseen'] as const).map(kind => saidWhen(kind)),
      ['False OIDCObjectsPublishFailed', 'False WaitingForACK', 'False OIDCObjectsPublishFailed'],
    )
    assert.deepEqual(
      (['refused', 'settling', 'unseen'] as const).map(kind => saidWhen(kind, before)),
      ['False OIDCObjectsPublishFailed', 'True Ready', 'True Ready'],
    )
  })
  test('only what differs is written; what may not be looked at is tried [#58, L2]', () => {
    const one: PublicationSeen = { ...current, 'keys.json': { kind: 'hidden' } }
    const plan = planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: one }) })
    assert.deepEqual(
      deedsOf(plan).filter(deed => deed.startsWith('put')),
      ['put keys.json'],
    )
  })
  test('documents that are there already are recorded, and not written [#73]', () => {
    const plan = planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current }) })
    assert.deepEqual(
      deedsOf(plan).filter(deed => deed.startsWith('put')),
      [],
    )
    assert.deepEqual(plan.status?.selfHostedIssuer, { bucketName: publication.bucketName, publication })
  })
  test('a bucket that loses its sync takes the publication along, and neither its name nor the ARN [#74]', () => {
    const bucket = childOf(bucketKind, { synced: false, spec: {} })
    const status = { selfHostedIssuer: { bucketName: 'b', publication: publication as never }, oidcProviderARN: providerArn }
    const plan = planOf({ selfHosted: selfHostedOf({ bucket }), config: configOf({ status }) })
    assert.equal('oidcProviderARN' in (plan.status ?? {}), false)
    assert.deepEqual(plan.status?.selfHostedIssuer, { bucketName: publication.bucketName })
  })
  test('a document that cannot be looked at is told, not written, and the old publication stays [#60, #75]', () => {
    const failed: PublicationSeen = {
      ...current,
      'keys.json': { kind: 'failed', message: 'looking at keys.json: InternalError: x' },
    }
    const status = { selfHostedIssuer: { bucketName: publication.bucketName, publication: publication as never } }
    const plan = planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: failed }), config: configOf({ status }) })
    const said = saidBy(plan)
    assert.equal(said.OIDCObjectsPublished, 'False OIDCObjectsPublishFailed')
    assert.equal(said.IssuerReady, 'False OIDCObjectsPublishFailed')
    assert.equal(said.Ready, 'False OIDCObjectsPublishFailed')
    assert.deepEqual(plan.status?.selfHostedIssuer, { bucketName: publication.bucketName, publication })
    assert.equal(
      deedsOf(plan).some(deed => deed.includes('put') || deed.includes('Provider')),
      false,
    )
    assert.equal(plan.next.kind, 'look-again')
  })
  test('a provider without an ARN is awaited [#76]', () => {
    const provider = childOf(providerKind, { spec: {} })
    const said = saidBy(planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current }), provider }))
    assert.equal(said.IAMProviderReady, 'False ACKResourceIdentifierPending')
    assert.equal(said.IssuerReady, 'False WaitingForACK')
  })
  test('thumbprints that ACK added are no difference [#77]', () => {
    const provider = childOf(providerKind, { arn: providerArn, spec: { thumbprints: ['x'] } })
    const plan = planOf({ selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current }), provider })
    const apply = plan.actions.find(
      (action): action is ApplyAction => action.kind === 'apply' && action.type.kind === 'OpenIDConnectProvider',
    )
    assert.equal('thumbprints' in (apply as unknown as { object: { spec: object } }).object.spec, false)
    assert.equal(deedsOf(plan).includes('patch OpenIDConnectProvider'), false)
    assert.equal(saidBy(plan).IssuerReady, 'True Ready')
    assert.equal(plan.status?.oidcProviderARN, providerArn)
    assert.deepEqual(
      ((plan.status?.ackResources ?? []) as readonly { kind: string }[]).map(({ kind }) => kind),
      ['Bucket', 'OpenIDConnectProvider'],
    )
  })
  test('a bucket yet to be made states its region; one that is there without it stays as it is [14.1 L4]', () => {
    const region = (bucket: ChildState): unknown => {
      const plan = planOf({ selfHosted: selfHostedOf({ bucket, publication: current }) })
      const apply = plan.actions.find((action): action is ApplyAction => action.kind === 'apply' && action.type.kind === 'Bucket')
      return apply?.object.metadata.annotations?.['services.k8s.aws/region']
    }
    assert.equal(region(absentChild), 'us-east-1')
    assert.equal(region(syncedBucket), undefined)
  })
})

describe('the signing Secret [13.4]', () => {
  const written = (keys: Parameters<typeof selfHostedOf>[0]): SecretObject | undefined => {
    const plan = planOf({ selfHosted: selfHostedOf(keys) })
    const action = plan.actions.find(
      (one): one is UpdateAction | CreateAction => (one.kind === 'update' || one.kind === 'create') && one.type.kind === 'Secret',
    )
    return action?.object as SecretObject | undefined
  }
  test('a Secret that is as it should be is not written', () => assert.equal(written({}), undefined))
  test('a Secret that its user brought is taken over, its key as it is [#78]', () => {
    const object = secretOf(({ metadata, ...secret }) => ({
      ...secret,
      metadata: { name: metadata.name, uid: 'x', resourceVersion: '9', labels: { mine: 'yes' }, annotations: { note: 'n' } },
    }))
    const result = written({ keys: { object } })
    assert.deepEqual(result?.data, object.data)
    assert.equal(result?.metadata.resourceVersion, '9')
    assert.equal(result?.metadata.labels?.mine, 'yes')
    assert.equal(result?.metadata.labels?.['aws.identity.appthrust.io/config-uid'], 'config-uid')
    assert.equal(result?.metadata.annotations?.note, 'n')
    assert.equal(result?.metadata.annotations?.['aws.identity.appthrust.io/signing-key-id'], pair.keyId)
    assert.equal(result?.metadata.ownerReferences?.[0]?.uid, 'config-uid')
    assert.equal(result?.metadata.annotations?.['aws.identity.appthrust.io/signing-key-since'], undefined)
  })
  test('the annotation says which key it is, whatever somebody wrote [#79]', () => {
    const object = secretOf(secret => ({
      ...secret,
      metadata: {
        ...secret.metadata,
        annotations: { ...secret.metadata.annotations, 'aws.identity.appthrust.io/signing-key-id': 'wrong' },
      },
    }))
    assert.equal(written({ keys: { object } })?.metadata.annotations?.['aws.identity.appthrust.io/signing-key-id'], pair.keyId)
  })
  test('half a key is no key: a new pair takes its place, and what else was there goes [#80]', () => {
    const object = secretOf(secret => ({ ...secret, data: { 'sa.pub': secret.data?.['sa.pub'] ?? '', junk: 'eA==' } }))
    const result = written({ keys: { object, candidate: signingKeyOf(otherPair) } })
    assert.deepEqual(Object.keys(result?.data ?? {}).sort(), ['sa.key', 'sa.pub'])
    assert.equal(result?.metadata.annotations?.['aws.identity.appthrust.io/signing-key-id'], otherPair.keyId)
  })
  test('a public key that nobody can read is an error, and is not replaced [#81]', () => {
    const object = secretOf(secret => ({ ...secret, data: { ...secret.data, 'sa.pub': 'eA==' } }))
    const plan = planOf({ selfHosted: selfHostedOf({ keys: { object } }) })
    assert.equal(saidBy(plan).IssuerReady, 'False IssuerReconcileFailed')
    assert.equal(deedsOf(plan).includes('update Secret'), false)
  })
  test('a Secret in foreign hands and a key that another cluster has are refused [#82, X3]', () => {
    const trouble = planOf({ selfHosted: selfHostedOf({ keys: { trouble: 'belongs to X' } }) })
    assert.equal(saidBy(trouble).IssuerReady, 'False IssuerReconcileFailed')
    assert.deepEqual(deedsOf(trouble), ['add-finalizer AWSWorkloadIdentityConfig'])
    const shared = planOf({
      selfHosted: selfHostedOf({ keys: { sharedWith: 'wlc-b/default' }, bucket: syncedBucket, publication: current }),
    })
    assert.equal(saidBy(shared).IssuerReady, 'False SigningKeyShared')
    assert.deepEqual(deedsOf(shared), ['add-finalizer AWSWorkloadIdentityConfig'])
  })
  test('a request for a rotation writes the next key down and publishes nothing yet', () => {
    const config = configOf({ metadata: { annotations: { 'aws.identity.appthrust.io/rotate-signing-key': 'r1' } } })
    const selfHosted = selfHostedOf({ bucket: syncedBucket, publication: current, keys: { candidate: signingKeyOf(otherPair) } })
    const plan = planOf({ config, selfHosted })
    const update = plan.actions.find((one): one is UpdateAction => one.kind === 'update')
    const seen = readKeyRing(update?.object as SecretObject)
    assert.ok(seen.kind === 'ring')
    assert.equal(seen.ring.current.public.keyId, pair.keyId)
    assert.equal(seen.ring.next?.public.keyId, otherPair.keyId)
    assert.equal(seen.ring.request, 'r1')
    assert.deepEqual(
      deedsOf(plan).filter(deed => deed.startsWith('put')),
      [],
    )
    assert.equal(saidBy(plan).SigningKeyRotated, 'False SigningKeyPublished')
    assert.equal(saidBy(plan).Ready?.startsWith('False SigningKey'), false)
  })
  test('a Config that never asked for a rotation says nothing of it', () => {
    assert.equal(saidBy(planOf()).SigningKeyRotated, undefined)
  })
})

describe('bookkeeping [M4]', () => {
  const age = (ms: number): string => new Date(now - ms).toISOString()
  /** A bucket and a Secret so old, seen by a Config of which all is said but what its bucket tells of itself. */
  function booked(bucketAt: string | undefined, secretAt?: string | null, shouldWait = true) {
    const bucket = {
      ...syncedBucket,
      ...given({ madeAt: bucketAt === undefined ? undefined : Date.parse(bucketAt) }),
    } as ChildState
    const object = secretOf(secret => ({
      ...secret,
      metadata: { ...secret.metadata, ...(secretAt === undefined ? {} : { creationTimestamp: secretAt as string }) },
    }))
    const selfHosted = selfHostedOf({ bucket, publication: current, keys: { object } })
    const first = planOf({ selfHosted })
    const conditions = first.conditions.map(each => ({ ...each, lastTransitionTime: age(60_000), observedGeneration: 1 }))
    const { ackResources: _books, ...status } = first.status ?? {}
    const held = shouldWait ? conditions : conditions.map(each => ({ ...each, message: 'other' }))
    const { next } = planOf({ selfHosted, config: configOf({ status: { ...status, conditions: held } as never }) })
    return next.kind === 'look-again' ? [next.afterMs, next.leavesStatus ?? false] : next.kind
  }
  test('what a new bucket tells of itself is left for a moment, counted from the youngest child', () => {
    assert.deepEqual(booked(age(500)), [1_500, true])
    assert.deepEqual(booked(age(60_000), age(500)), [1_500, true])
    assert.deepEqual(booked(age(500), age(60_000)), [1_500, true])
    assert.deepEqual(booked(age(500), null), [1_500, true])
  })
  test('what is told besides is told at once', () => assert.deepEqual(booked(age(500), undefined, false), 'await-change'))
  test('what old children tell is written down at once', () => assert.deepEqual(booked(age(60_000), age(60_000)), 'await-change'))
})

test('what calls of our own made or deleted is looked at at once, since nobody tells of it', () => {
  const own = { kind: 'act:aws', summary: 'make it' } as const
  const calls = [own, { ...own, kind: 'act:other' }]
  const children = { apply: () => calls, remove: () => calls } as unknown as ChildWriter
  const nextOf = (metadata: ConfigMore['metadata'] = {}): Next => {
    const eksIRSA = {
      issuerURL: 'https://oidc.eks.us-east-1.amazonaws.com/id/X',
      oidcProvider: { management: 'Managed' },
    } as const
    const config = configOf({ metadata, spec: { type: 'EKSIRSA', region: 'us-east-1', eksIRSA } })
    return decideConfig(seenOf({ config, provider: childOf(providerKind) }), now, { ...settings, children }).next
  }
  assert.deepEqual(nextOf(), { kind: 'look-again', afterMs: 0, why: 'to see what was made' })
  const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  assert.deepEqual(nextOf(going), { kind: 'look-again', afterMs: 0, why: 'to see what is gone' })
})

test('where the runtime goes is recorded once its cluster is reached, and not before [P2]', () => {
  const place = { cluster: 'wlc-a', namespace: 'aws-pod-identity-webhook' }
  const reachable = { kind: 'reachable', ...place, namespaceObject: undefined, objects: {} as never } as const
  assert.equal(planOf({ runtime: reachable }).status?.webhookRuntimeNamespace, 'aws-pod-identity-webhook')
  const away = { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'gone' } as const
  assert.equal('webhookRuntimeNamespace' in (planOf({ runtime: away }).status ?? {}), false)
})

describe('EKS [13.4]', () => {
  const eks = (oidcProvider: { management: 'Managed' | 'External'; arn?: string }, status = {}) =>
    configOf({
      spec: {
        type: 'EKSIRSA',
        region: 'us-east-1',
        eksIRSA: { issuerURL: 'https://oidc.eks.us-east-1.amazonaws.com/id/X', oidcProvider },
      },
      status,
    })
  const arn = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-east-1.amazonaws.com/id/X'

  test('Managed makes a provider and nothing else [#94]', () => {
    const plan = planOf({ config: eks({ management: 'Managed' }) })
    assert.deepEqual(deedsOf(plan), ['add-finalizer AWSWorkloadIdentityConfig', 'apply OpenIDConnectProvider'])
    const apply = plan.actions[1] as ApplyAction
    assert.equal((apply.object as unknown as { spec: { url: string } }).spec.url, 'https://oidc.eks.us-east-1.amazonaws.com/id/X')
    assert.equal(saidBy(plan).IssuerReady, 'False WaitingForACK')
    assert.equal(saidBy(plan).WebhookRuntimeReady, 'True NotRequired')
  })
  test('and is Ready when the provider is [#94]', () => {
    const plan = planOf({ config: eks({ management: 'Managed' }), provider: childOf(providerKind, { arn, spec: {} }) })
    assert.equal(saidBy(plan).Ready, 'True Reconciled')
    assert.equal(plan.status?.oidcProviderARN, arn)
    assert.equal(plan.status?.issuerHostPath, 'oidc.eks.us-east-1.amazonaws.com/id/X')
  })
  test('its provider is named after the namespace, and of children only that one is told of [#94]', () => {
    const provider = childOf(providerKind, { arn, spec: {} })
    const bucket = childOf(bucketKind).entry
    const named = (seen: ChildState, held: readonly unknown[]): unknown =>
      planOf({ config: eks({ management: 'Managed' }, { ackResources: held }), provider: seen }).status?.ackResources
    assert.deepEqual(named(provider, [bucket]), [provider.entry])
    assert.deepEqual(named(absentChild, [bucket, provider.entry]), [provider.entry], 'what was told of it stays')
    assert.equal(named(absentChild, [bucket]), undefined)
    const [, apply] = planOf({ config: eks({ management: 'Managed' }) }).actions as readonly ApplyAction[]
    assert.equal(apply?.object.metadata.name, 'awi-oidc-wlc-a')
  })
  test('External needs no object [#96]', () => {
    const plan = planOf({ config: eks({ management: 'External', arn }) })
    assert.equal(saidBy(plan).Ready, 'True Reconciled')
    assert.deepEqual(deedsOf(plan), ['add-finalizer AWSWorkloadIdentityConfig'])
    assert.equal(plan.status?.oidcProviderARN, arn)
    assert.equal(plan.status?.ackResources, undefined)
  })
  test('an ARN of another issuer, and no eksIRSA at all, are invalid and clear what was there [#97, #98]', () => {
    const other = planOf({ config: eks({ management: 'External', arn: `${arn}Y` }, { oidcProviderARN: arn }) })
    assert.equal(saidBy(other).IAMProviderReady, 'False InvalidSpec')
    assert.equal(saidBy(other).Ready, 'False InvalidSpec')
    assert.ok('oidcProviderARN' in (other.status ?? {}) && other.status?.oidcProviderARN === undefined)
    const none = planOf({ config: configOf({ spec: { type: 'EKSIRSA', region: 'us-east-1' }, status: { issuerHostPath: 'x' } }) })
    assert.equal(saidBy(none).IssuerReady, 'False InvalidSpec')
    assert.equal(none.status?.issuerHostPath, undefined)
  })
})

test('Ready follows the runtime once the issuer is Ready [#93]', () => {
  const provider = childOf(providerKind, { arn: providerArn, spec: {} })
  const plan = planOf({
    selfHosted: selfHostedOf({ bucket: syncedBucket, publication: current }),
    provider,
    runtime: { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'gone' },
  })
  assert.equal(saidBy(plan).IssuerReady, 'True Ready')
  assert.equal(saidBy(plan).Ready, 'False RemoteClusterUnavailable')
})

test('a cluster that is not engaged is told, and the issuer goes on [#88]', () => {
  const plan = planOf({ runtime: { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'gone' } })
  assert.equal(saidBy(plan).WebhookRuntimeReady, 'False RemoteClusterUnavailable')
  assert.ok(deedsOf(plan).includes('apply Bucket'))
})
