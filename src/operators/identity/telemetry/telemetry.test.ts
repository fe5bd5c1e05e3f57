import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LogFields, silentLog } from '#base'
import { mutatingWebhookConfigurations, type StoredObject, secrets, serviceAccounts } from '#kube'
import { Metrics, type PassRecord, Trouble } from '#runtime'
import { configKind, roleKind } from '../api/kinds.ts'
import { boundedLabel, reasonLabel } from './labels.ts'
import { createTelemetry } from './telemetry.ts'

function listen() {
  const metrics = new Metrics()
  const lines: string[] = []
  const say = (level: string) => (message: string, fields?: LogFields) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const log = { ...silentLog, debug: say('debug'), info: say('info'), error: say('error') }
  const telemetry = createTelemetry({ metrics, log, deliveryTypeOf: () => 'SelfHostedIRSA' })
  const exposed = () =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line.startsWith('awio_'))
  return { telemetry, exposed, lines }
}

const secret: StoredObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'a', name: 's', uid: 'u', resourceVersion: '1' },
}
const key = { cluster: '', namespace: 'a', name: 'default' }

function pass(outcomes: PassRecord['outcomes'], writes: PassRecord['writes'] = []): PassRecord {
  return {
    controller: configKind.type.kind,
    key,
    plan: undefined,
    outcomes,
    writes,
    trouble: undefined,
    next: undefined,
    tookMs: 1,
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

test('a label with spaces is other, an empty reason is unknown [13.11 #237, #238]', () => {
  assert.equal(boundedLabel('with spaces'), 'other')
  assert.equal(boundedLabel('  '), 'unknown')
  assert.equal(boundedLabel(' ok-1.2_3 '), 'ok-1.2_3')
  assert.equal(boundedLabel('x'.repeat(65)), 'other')
  assert.equal(reasonLabel(''), 'unknown')
  assert.equal(reasonLabel('Ready'), 'Ready')
  assert.equal(reasonLabel('apply_failed'), 'apply_failed')
  assert.equal(reasonLabel('SomethingNew'), 'other')
})

test('children and remote objects are counted by what became of them [10.2]', () => {
  const { telemetry, exposed, lines } = listen()
  const create = { kind: 'create', type: secrets, object: secret } as const
  const write = {
    verb: 'create',
    type: secrets,
    key: { namespace: 'a', name: 's' },
    cluster: undefined,
    subresource: undefined,
    result: 'changed',
  } as const
  telemetry.onPass(pass([{ kind: 'done', action: create, changed: true }], [write]))
  telemetry.onPass(pass([{ kind: 'done', action: create, changed: false }]))
  telemetry.onPass(pass([{ kind: 'done', action: { kind: 'update', type: secrets, object: secret }, changed: true }]))
  const trouble = new Trouble({ kind: 'stop', reason: 'Rejected', message: 'no' })
  telemetry.onPass(
    pass([
      { kind: 'failed', action: create, trouble },
      { kind: 'skipped', action: create },
    ]),
  )
  const remoteAction = { kind: 'create', cluster: 'a', type: mutatingWebhookConfigurations, object: secret } as const
  telemetry.onPass(pass([{ kind: 'done', action: remoteAction, changed: true }]))
  telemetry.onPass(pass([{ kind: 'failed', action: { ...remoteAction, type: serviceAccounts }, trouble }]))
  // Neither what a lost lease cut short, nor deletions, nor other people's passes.
  const cutShort = new Trouble({ kind: 'soon', reason: 'NotLeader', message: 'another replica leads' })
  telemetry.onPass(pass([{ kind: 'failed', action: create, trouble: cutShort }]))
  telemetry.onPass(pass([{ kind: 'done', action: { kind: 'delete', type: secrets, object: secret }, changed: true }]))
  telemetry.onPass({ ...pass([{ kind: 'done', action: create, changed: true }]), controller: 'other' })
  const controller = 'controller="AWSWorkloadIdentityConfig"'
  assert.deepEqual(exposed().toSorted(byText), [
    `awio_child_apply_total{${controller},child_kind="Secret",operation="created",result="success"} 1`,
    `awio_child_apply_total{${controller},child_kind="Secret",operation="unchanged",result="error"} 1`,
    `awio_child_apply_total{${controller},child_kind="Secret",operation="unchanged",result="success"} 1`,
    `awio_child_apply_total{${controller},child_kind="Secret",operation="updated",result="success"} 1`,
    'awio_remote_delivery_total{delivery_type="SelfHostedIRSA",resource="MutatingWebhookConfiguration",result="success",reason="updated"} 1',
    'awio_remote_delivery_total{delivery_type="SelfHostedIRSA",resource="ServiceAccount",result="error",reason="apply_failed"} 1',
  ])
  assert.deepEqual(
    lines.map(line => line.split(' ')[0]),
    ['info', 'debug', 'info', 'error'],
  )
})

const put = { kind: 'update', type: secrets, object: secret } as const
const wrote = { verb: 'create', type: secrets, key: { namespace: 'a', name: 's' }, result: 'changed' } as const
for (const [what, write, operation] of [
  ['that was made in this pass', wrote, 'created'],
  ['beside which another was made', { ...wrote, key: { namespace: 'a', name: 'other' } }, 'updated'],
  ['beside which one of another kind was made', { ...wrote, type: serviceAccounts }, 'updated'],
  ['that was there when it was to be made', { ...wrote, result: 'unchanged' }, 'updated'],
  ['that was written otherwise', { ...wrote, verb: 'update' }, 'updated'],
] as const)
  test(`a child ${what} counts as ${operation}`, () => {
    const { telemetry, exposed } = listen()
    const writes = [{ ...write, cluster: undefined, subresource: undefined }] as unknown as PassRecord['writes']
    telemetry.onPass(pass([{ kind: 'done', action: put, changed: true }], writes))
    assert.match(exposed().join('\n'), new RegExp(`child_kind="Secret",operation="${operation}",result="success"} 1$`))
  })

test('a write to the claim itself is none to a child', () => {
  const { telemetry, exposed, lines } = listen()
  const own = { ...put, type: configKind.type } as const
  telemetry.onPass(pass([{ kind: 'done', action: own, changed: true }]))
  assert.deepEqual([exposed(), lines], [[], []])
})

test('a transition is counted once, and told louder where it sums up [10.2, 10.5]', () => {
  const { telemetry, exposed, lines } = listen()
  const withConditions = (...conditions: readonly (readonly [string, string, string])[]): StoredObject =>
    ({
      apiVersion: roleKind.apiVersion,
      kind: roleKind.type.kind,
      metadata: { namespace: 'a', name: 'r', uid: 'u', resourceVersion: '1' },
      status: {
        conditions: conditions.map(([type, status, reason]) => ({ type, status, reason, message: '%s', lastTransitionTime: '' })),
      },
    }) as unknown as StoredObject
  const before = withConditions(
    ['Ready', 'False', 'WaitingForACK'],
    ['RoleReady', 'True', 'ACKResourceSynced'],
    ['PolicyReady', 'False', 'WaitingForACK'],
    ['DeliveryReady', 'False', 'Ready'],
  )
  const after = withConditions(
    ['PolicyReady', 'False', 'InvalidSpec'],
    ['DeliveryReady', 'True', 'Ready'],
    ['Ready', 'True', 'Ready'],
    ['RoleReady', 'True', 'ACKResourceSynced'],
    ['New', 'True', 'NeverHeardOf'],
  )
  telemetry.onMove({ change: { kind: 'changed', previous: before, object: after } })
  telemetry.onMove({ change: { kind: 'changed', previous: after, object: after } })
  telemetry.onMove({ change: { kind: 'added', object: after, initial: true } })
  assert.deepEqual(exposed().toSorted(byText), [
    'awio_condition_transition_total{kind="AWSServiceAccountRole",condition="DeliveryReady",status="True",reason="Ready"} 1',
    'awio_condition_transition_total{kind="AWSServiceAccountRole",condition="New",status="True",reason="other"} 1',
    'awio_condition_transition_total{kind="AWSServiceAccountRole",condition="PolicyReady",status="False",reason="InvalidSpec"} 1',
    'awio_condition_transition_total{kind="AWSServiceAccountRole",condition="Ready",status="True",reason="Ready"} 1',
  ])
  assert.deepEqual(
    lines.map(line => line.split(' ')[0]),
    ['debug', 'info', 'info', 'debug'],
  )
})

test('each change of a claim is counted as kept or dropped, and each mapping that failed by its name; other controllers are not [10.2]', () => {
  const { telemetry, exposed } = listen()
  telemetry.onJudged({ controller: configKind.type.kind, isKept: true })
  telemetry.onJudged({ controller: configKind.type.kind, isKept: false })
  telemetry.onJudged({ controller: 'Bucket', isKept: true })
  const watch = { type: configKind.type, toClaims: () => [] }
  telemetry.onMappingFailed({ controller: roleKind.type.kind, watch: { ...watch, name: 'rolesForConfig' } })
  telemetry.onMappingFailed({ controller: roleKind.type.kind, watch })
  telemetry.onMappingFailed({ controller: 'Bucket', watch })
  assert.deepEqual(exposed(), [
    'awio_predicate_decision_total{controller="AWSWorkloadIdentityConfig",decision="kept"} 1',
    'awio_predicate_decision_total{controller="AWSWorkloadIdentityConfig",decision="dropped"} 1',
    'awio_watch_map_list_errors_total{controller="AWSServiceAccountRole",map_func="rolesForConfig",kind="AWSWorkloadIdentityConfig"} 1',
    'awio_watch_map_list_errors_total{controller="AWSServiceAccountRole",map_func="unknown",kind="AWSWorkloadIdentityConfig"} 1',
  ])
})

test('a key that is not on record is a gauge of its namespace, until it is gone or its Config is [S24]', () => {
  const { telemetry, exposed } = listen()
  const config = (status?: 'True' | 'False'): StoredObject =>
    ({
      apiVersion: configKind.apiVersion,
      kind: configKind.type.kind,
      metadata: { namespace: 'a', name: 'default', uid: 'u', resourceVersion: '1' },
      ...(status === undefined
        ? {}
        : { status: { conditions: [{ type: 'SigningKeysProven', status, reason: 'x', message: '' }] } }),
    }) as StoredObject
  const gauge = () => exposed().filter(line => line.startsWith('awio_foreign_signing_keys'))
  telemetry.onMove({ change: { kind: 'added', initial: true, object: config() } })
  assert.deepEqual(gauge(), [])
  telemetry.onMove({ change: { kind: 'added', initial: true, object: config('False') } })
  assert.deepEqual(gauge(), ['awio_foreign_signing_keys{namespace="a"} 1'])
  telemetry.onMove({ change: { kind: 'changed', object: config('True'), previous: config('False') } })
  assert.deepEqual(gauge(), ['awio_foreign_signing_keys{namespace="a"} 0'])
  telemetry.onMove({ change: { kind: 'removed', object: config('False') } })
  assert.deepEqual(gauge(), [])
})
