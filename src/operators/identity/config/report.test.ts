// What a Config says when something it wanted to do did not work (§13.4).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredCondition } from '#kube'
import { type Action, type Outcome, type OwnAction, type Report, Trouble } from '#runtime'
import type { WorkloadIdentityConfig } from '../api.ts'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { childOf, configOf, pair, planOf, providerArn, seenOf, selfHostedOf } from '../testing/config-seen.fixture.ts'
import type { PublicationSeen } from './issuer-store.ts'
import { reportConfig } from './report.ts'
import type { ConfigSeen } from './seen.ts'

const current: PublicationSeen = { '.well-known/openid-configuration': { kind: 'current' }, 'keys.json': { kind: 'current' } }
const differing: PublicationSeen = { ...current, 'keys.json': { kind: 'differs' } }
const bucket = childOf(bucketKind, { spec: {} })
const provider = childOf(providerKind, { arn: providerArn, spec: {} })
const older = {
  bucketName: selfHostedOf().bucketName,
  issuerURL: selfHostedOf().issuerUrl,
  signingKeyID: pair.keyId,
  objectSetDigest: `sha256:${'0'.repeat(64)}`,
}

type Fails = (action: Action<OwnAction>) => Trouble | undefined

function leaves(actions: readonly Action<OwnAction>[]): readonly Action<OwnAction>[] {
  return actions.flatMap(action => (action.kind === 'together' ? action.branches.flatMap(leaves) : [action]))
}

function report(
  more: Partial<ConfigSeen>,
  fails: Fails,
  failures = 1,
): { readonly report: Report | undefined; readonly said: Readonly<Record<string, string>> } {
  const seen = seenOf(more)
  const plan = planOf(more)
  const outcomes = leaves(plan.actions).map((action): Outcome => {
    const trouble = fails(action)
    return trouble === undefined ? { kind: 'done', action, changed: false } : { kind: 'failed', action, trouble }
  })
  const conditions = (seen.config as WorkloadIdentityConfig).status?.conditions ?? []
  const found = reportConfig({ plan, outcomes, failures, current: conditions, generation: 1, summary: 'Ready', seen })
  return {
    report: found,
    said: Object.fromEntries((found?.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`])),
  }
}

const denied = new Trouble({ kind: 'backoff', reason: 'MissingPermission', message: 'writing keys.json: AccessDenied' })
const weather = new Trouble({ kind: 'backoff', reason: 'Unreachable', message: 'no answer' })
const conflict = new Trouble({ kind: 'soon', reason: 'Conflict', message: 'changed at the same time' })
const on =
  (kind: string, trouble: Trouble): Fails =>
  action =>
    action.kind === 'apply' && action.type.kind === kind ? trouble : undefined
const onPut: Fails = action => (action.kind === 'act:put-issuer-object' ? denied : undefined)

const held = (type: string, status: 'True' | 'False', reason: string): StoredCondition => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
})

describe('failures [13.4]', () => {
  test('a document that cannot be written is told, and what was recorded of an older one stays [#75]', () => {
    const config = configOf({ status: { selfHostedIssuer: { bucketName: older.bucketName, publication: older } } })
    const { said, report: found } = report(
      { config, selfHosted: selfHostedOf({ bucket, publication: differing }), provider },
      onPut,
    )
    assert.equal(said.OIDCObjectsPublished, 'False OIDCObjectsPublishFailed')
    assert.equal(said.IssuerReady, 'False OIDCObjectsPublishFailed')
    assert.equal(said.Ready, 'False OIDCObjectsPublishFailed')
    assert.equal(said.BucketReady, 'True ACKResourceSynced')
    assert.deepEqual(found?.status?.selfHostedIssuer, { bucketName: older.bucketName, publication: older })
  })
  test('an issuer error takes IssuerReady along, and what was seen keeps its own word [14.1 L3, #84]', () => {
    const { said } = report(
      { selfHosted: selfHostedOf({ bucket, publication: current }), provider },
      on('OpenIDConnectProvider', denied),
    )
    assert.equal(said.IssuerReady, 'False IssuerReconcileFailed')
    assert.equal(said.Ready, 'False IssuerReconcileFailed')
    assert.equal(said.BucketReady, 'True ACKResourceSynced')
    assert.equal(said.IAMProviderReady, 'True ACKResourceSynced')
  })
  test('an old True of an earlier pass does not survive the error [#83]', () => {
    const conditions = [held('IssuerReady', 'True', 'Ready'), held('Ready', 'True', 'Reconciled')]
    const { said } = report({ config: configOf({ status: { conditions } }) }, on('Bucket', denied))
    assert.equal(said.IssuerReady, 'False IssuerReconcileFailed')
    assert.equal(said.Ready, 'False IssuerReconcileFailed')
  })
  test('a failure of the issuer leaves the words of the runtime as they are [#85, #87]', () => {
    const runtime = { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'gone' } as const
    const { said } = report({ runtime }, on('Bucket', denied))
    assert.equal(said.WebhookRuntimeReady, 'False RemoteClusterUnavailable')
    assert.equal(said.IssuerReady, 'False IssuerReconcileFailed')
  })
  test('an EKS provider that cannot be brought about takes the ARN and Ready along [#95]', () => {
    const spec = {
      type: 'EKSIRSA',
      region: 'us-east-1',
      eksIRSA: { issuerURL: 'https://oidc.eks.us-east-1.amazonaws.com/id/X', oidcProvider: { management: 'Managed' } },
    } as const
    const { said, report: found } = report({ config: configOf({ spec }), provider }, on('OpenIDConnectProvider', denied))
    assert.equal(said.IssuerReady, 'False IssuerReconcileFailed')
    assert.equal(said.Ready, 'False IssuerReconcileFailed')
    assert.equal(said.BucketReady, undefined)
    assert.ok(found?.status !== undefined && 'oidcProviderARN' in found.status && found.status.oidcProviderARN === undefined)
  })
  test('a conflict is no news, nor is weather that may pass [M6]', () => {
    const more = { selfHosted: selfHostedOf({ bucket, publication: current }), provider }
    assert.equal(report(more, on('Bucket', conflict)).report, undefined)
    assert.equal(report(more, on('Bucket', weather), 2).report, undefined)
    assert.equal(report(more, on('Bucket', weather), 3).said.IssuerReady, 'False IssuerReconcileFailed')
  })
  test('a deletion that cannot go on says why [#112]', () => {
    const config = configOf({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })
    const fails: Fails = action => (action.kind === 'act:delete-issuer-object' ? denied : undefined)
    const { said } = report({ config, sharesRuntime: { kind: 'shared' }, selfHosted: selfHostedOf({ bucket }) }, fails)
    assert.deepEqual(said, { DeletionBlocked: 'True DeletionBlocked' })
  })
})
