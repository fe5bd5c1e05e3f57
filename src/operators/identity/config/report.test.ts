// What a Config says when something it wanted to do did not work (§13.4).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredCondition } from '#kube'
import { type Action, type Outcome, type OwnAction, type Report, Trouble } from '#runtime'
import type { WorkloadIdentityConfig } from '../api.ts'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { childOf, configOf, pair, planOf, providerArn, seenOf, selfHostedOf } from '../testing/config-seen.fixture.ts'
import type { PublicationSeen } from './issuer-store.ts'
import { type ConfigReportInput, reportConfig } from './report.ts'
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
  const types = (found?.conditions ?? []).map(({ type }) => type)
  assert.deepEqual(types, [...new Set(types)], 'each is said once')
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
  test('of two documents of which one cannot be seen and one not be written the second is told, once [#60, #75]', () => {
    const publication: PublicationSeen = {
      ...differing,
      '.well-known/openid-configuration': { kind: 'failed', message: 'unseen' },
    }
    const { report: found } = report({ selfHosted: selfHostedOf({ bucket, publication }), provider }, onPut)
    assert.equal(found?.conditions.find(({ type }) => type === 'OIDCObjectsPublished')?.message, denied.message)
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
    assert.equal(said.OIDCObjectsPublished, undefined, 'what it rests on did not come about')
  })
  test('an old True of an earlier pass does not survive the error [#83]', () => {
    const conditions = [held('IssuerReady', 'True', 'Ready'), held('Ready', 'True', 'Reconciled')]
    const { said } = report({ config: configOf({ status: { conditions } }) }, on('Bucket', denied))
    assert.equal(said.OIDCObjectsPublished, 'False WaitingForACK', 'what was seen not to be so is said')
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

describe('two paths', () => {
  const apply = (kind: string, cluster?: string): Action<OwnAction> =>
    ({ kind: 'apply', type: { kind }, cluster }) as unknown as Action<OwnAction>
  const put: OwnAction = { kind: 'act:put-issuer-object', summary: 'put it' }
  const failed = (action: Action<OwnAction>, trouble = denied): Outcome => ({ kind: 'failed', action, trouble })
  const done = (action: Action<OwnAction>): Outcome => ({ kind: 'done', action, changed: true })
  const skipped = (action: Action<OwnAction>): Outcome => ({ kind: 'skipped', action })
  const hub = apply('Bucket')
  const remote = apply('Deployment', 'wlc-a')
  const ready = ['OperatorConfigReady', 'ClusterProfileResolved', 'OIDCObjectsPublished', 'IssuerReady', 'WebhookRuntimeReady']
  const plannedConditions = [...ready, 'Ready'].map(type => ({ type, status: 'True', reason: 'Fine', message: '' }) as const)
  const planned = {
    actions: [],
    conditions: plannedConditions,
    status: { issuerHostPath: 'x' },
    next: { kind: 'await-change' },
  } as const

  function reported(outcomes: readonly Outcome[], more: Partial<ConfigReportInput> = {}): ReturnType<typeof reportConfig> {
    return reportConfig({
      plan: planned,
      outcomes,
      failures: 1,
      current: [],
      generation: 1,
      summary: 'Ready',
      seen: seenOf(),
      ...more,
    })
  }
  function said(outcomes: readonly Outcome[], more?: Partial<ConfigReportInput>): Readonly<Record<string, string>> | undefined {
    const found = reported(outcomes, more)
    return found && Object.fromEntries(found.conditions.map(({ type, reason }) => [type, reason]))
  }
  const fine = Object.fromEntries([...ready, 'Ready'].map(type => [type, 'Fine']))
  const { OIDCObjectsPublished: _published, WebhookRuntimeReady: _runtime, ...resting } = fine

  test('a failure of the runtime leaves the words and the status of the issuer as they are [#86]', () => {
    const outcomes = [done(hub), done(apply('Bucket', undefined)), failed(remote)]
    const told = { ...fine, WebhookRuntimeReady: 'WebhookRuntimeApplyFailed', Ready: 'WebhookRuntimeApplyFailed' }
    assert.deepEqual(said(outcomes), told)
    const together = { kind: 'together', branches: [[remote]] } as Action<OwnAction>
    assert.deepEqual(said([failed(together), failed(remote)]), told, 'what holds the failed one is not another failure')
    assert.deepEqual(reported(outcomes)?.status, planned.status)
  })
  test('what a failed runtime was to be is not said while the failure may pass [M6]', () => {
    const failing = { IssuerReady: 'IssuerReconcileFailed', Ready: 'IssuerReconcileFailed' }
    assert.deepEqual(said([failed(hub), failed(remote, conflict)]), { ...resting, ...failing })
  })
  test('what stood of the issuer goes on to count for Ready while its failure may pass [M6]', () => {
    const { IssuerReady: _issuer, ...rest } = resting
    const failing = { WebhookRuntimeReady: 'WebhookRuntimeApplyFailed', Ready: 'WebhookRuntimeApplyFailed' }
    const current = [held('IssuerReady', 'True', 'Ready')]
    assert.deepEqual(said([failed(hub, weather), failed(remote)], { current }), { ...rest, ...failing })
  })
  test('documents that were to be written and were not are not said to be published [S13]', () => {
    const failing = { IssuerReady: 'IssuerReconcileFailed', Ready: 'IssuerReconcileFailed' }
    const told = { ...resting, WebhookRuntimeReady: 'Fine', ...failing }
    const unpublished = { ...told, OIDCObjectsPublished: 'IssuerReconcileFailed' }
    assert.deepEqual(said([failed(hub), skipped(put)]), unpublished)
    assert.deepEqual(said([failed(hub), skipped(put), done(put)]), unpublished)
    assert.deepEqual(said([done(put), failed(hub)]), told)
    assert.deepEqual(said([failed(hub), skipped(hub)]), told)
    const word = { type: 'OIDCObjectsPublished', status: 'False', reason: 'Seen', message: '' } as const
    const conditions = [...plannedConditions.filter(({ type }) => type !== word.type), word]
    const seen = said([failed(hub), skipped(put)], { plan: { ...planned, conditions } })
    assert.deepEqual(seen, { ...told, OIDCObjectsPublished: 'Seen' })
  })
  for (const [what, trouble, failures, isTold] of [
    ['a cache that starts', { kind: 'backoff', reason: 'CacheStarting' }, 9, false],
    ['another replica that leads', { kind: 'backoff', reason: 'NotLeader' }, 9, false],
    ['a dependency that is down', { kind: 'backoff', reason: 'DependencyDown' }, 1, true],
    ['what is waited for', { kind: 'wait', reason: 'Other' }, 1, true],
    ['what only another spec can help', { kind: 'stop', reason: 'Other' }, 1, true],
  ] as const)
    test(`${what} is ${isTold ? 'told at once' : 'no news, however long it lasts'} [M6]`, () => {
      const told = said([failed(hub, new Trouble({ ...trouble, message: 'why' }))], { failures })
      assert.equal(told?.IssuerReady, isTold ? 'IssuerReconcileFailed' : undefined)
    })
  test('a plan that leaves the status is silent, unless something fails [M4]', () => {
    const look = { kind: 'look-again', afterMs: 1, why: 'x' } as const
    const leaving = { ...planned, next: { ...look, leavesStatus: true } } as const
    assert.equal(said([done(hub)], { plan: leaving }), undefined)
    assert.equal(said([failed(hub)], { plan: leaving })?.IssuerReady, 'IssuerReconcileFailed')
    assert.deepEqual(said([done(hub)], { plan: { ...planned, next: look } }), fine)
    assert.deepEqual(said([done(hub)]), fine)
  })
})
