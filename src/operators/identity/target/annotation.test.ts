import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asRoleArn } from '#aws'
import { given } from '#base'
import { type StoredCondition, type StoredObject, serviceAccounts } from '#kube'
import type { Change, Reads } from '#runtime'
import {
  type AnnotationSeen,
  annotationsFor,
  decideAnnotation,
  decideAnnotationRemoval,
  observeAnnotation,
  serviceAccountSource,
  serviceAccountWatch,
} from './annotation.ts'

const arn = asRoleArn('arn:aws:iam::123456789012:role/awi-wlc-a-app')
const key = { namespace: 'apps', name: 'app' }
const all = annotationsFor(arn)

function account(annotations?: Readonly<Record<string, string>>, more: Readonly<Record<string, unknown>> = {}): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { ...key, uid: 'u', resourceVersion: '7', ...given({ annotations }), ...more },
  }
}

const reachable = (found: StoredObject | undefined): AnnotationSeen => ({
  kind: 'reachable',
  cluster: 'wlc-a',
  key,
  account: found,
})

function said(status: 'True' | 'False', reason = 'Ready'): StoredCondition {
  return {
    type: 'ServiceAccountAnnotationReady',
    status,
    reason,
    message: 'as it was',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
}

const summary = (decision: ReturnType<typeof decideAnnotation>): string =>
  `${decision.condition.status}/${decision.condition.reason} ${decision.actions.map(({ kind }) => kind).join(' ')}`.trim()

test('a ServiceAccount gets four annotations [8.1]', () => {
  assert.deepEqual(all, {
    'eks.amazonaws.com/role-arn': arn,
    'eks.amazonaws.com/audience': 'sts.amazonaws.com',
    'eks.amazonaws.com/sts-regional-endpoints': 'true',
    'eks.amazonaws.com/token-expiration': '86400',
  })
})

test('all four equal: no patch, no event [13.10 #210]', () => {
  const decision = decideAnnotation(reachable(account({ ...all, mine: 'too' })), { roleArn: arn, current: said('True') })
  assert.equal(summary(decision), 'True/Ready')
})

test('the first delivery patches what differs and no more, bound to what was seen [8.2, 13.6 #136, 13.10 #211]', () => {
  const decision = decideAnnotation(reachable(account({ mine: 'too', 'eks.amazonaws.com/audience': 'sts.amazonaws.com' })), {
    roleArn: arn,
    current: said('False', 'RemoteDeliveryPending'),
  })
  assert.equal(summary(decision), 'True/Ready patch')
  const { 'eks.amazonaws.com/audience': _same, ...missing } = all
  assert.deepEqual(decision.actions, [
    {
      kind: 'patch',
      cluster: 'wlc-a',
      type: serviceAccounts,
      key,
      patch: 'merge',
      body: { metadata: { annotations: missing } },
      uid: 'u',
      resourceVersion: '7',
    },
  ])
})

test('what was in order and drifted is repaired, told once by reason and event, and then Ready again [13.6 #135, 13.10 #212]', () => {
  const regarding = { apiVersion: 'aws.identity.appthrust.io/v1alpha1', kind: 'AWSServiceAccountRole', name: 'app' }
  const { 'eks.amazonaws.com/role-arn': _gone, ...rest } = all
  const decision = decideAnnotation(reachable(account(rest)), { roleArn: arn, current: said('True'), regarding })
  assert.equal(summary(decision), 'True/AnnotationRepaired patch record-event')
  const next = decideAnnotation(reachable(account(all)), { roleArn: arn, current: said('True', 'AnnotationRepaired'), regarding })
  assert.equal(summary(next), 'True/Ready')
})

test('a missing or terminating ServiceAccount is awaited, without an error and without a timer [13.6 #134, M8]', () => {
  for (const found of [undefined, account(all, { deletionTimestamp: '2026-01-01T00:00:00Z' })]) {
    const decision = decideAnnotation(reachable(found), { roleArn: arn, current: said('True') })
    assert.equal(summary(decision), 'False/RemoteDeliveryPending')
    assert.match(decision.condition.message, /create it, and it is annotated the moment it appears$/)
    assert.equal(decision.lookAgainMs, undefined)
  }
})

test('a target of which nothing is known yet leaves what is True; what is not says why [M6]', () => {
  const unknown = { kind: 'unknown', message: 'cluster wlc-a is being listed', lookAgainMs: 61_000 } as const
  const kept = decideAnnotation(unknown, { roleArn: arn, current: said('True') })
  assert.deepEqual(kept, {
    actions: [],
    condition: { type: 'ServiceAccountAnnotationReady', status: 'True', reason: 'Ready', message: 'as it was' },
    lookAgainMs: 61_000,
  })
  assert.equal(summary(decideAnnotation(unknown, { roleArn: arn })), 'False/RemoteDeliveryPending')
  const away = { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'gone' } as const
  const told = decideAnnotation(away, { roleArn: arn, current: said('True') })
  assert.equal(summary(told), 'False/RemoteDeliveryPending')
  assert.deepEqual([told.condition.message, told.lookAgainMs], ['gone', 30_000])
})

test('a ServiceAccount is looked for where its cluster is connected, and nothing is known of it elsewhere', () => {
  const member = { behindMs: () => 0, isSynced: () => true, find: () => account(all) }
  const hub = { cluster: (name: string) => (name === 'wlc-a' ? member : undefined) } as unknown as Reads
  assert.deepEqual(observeAnnotation(hub, 'wlc-a', key), reachable(account(all)))
  assert.deepEqual(observeAnnotation(hub, 'wlc-b', key), {
    kind: 'away',
    reason: 'RemoteClusterUnavailable',
    message: 'cluster wlc-b is not connected',
  })
})

test('removal takes all four, leaves a ServiceAccount that has another role, and is done when there is none [8.4, 13.7 #152, #153]', () => {
  const full = decideAnnotationRemoval(reachable(account({ ...all, mine: 'too' })), { roleArn: arn })
  assert.equal(full.gone, false)
  assert.deepEqual(
    full.actions.map(action => (action.kind === 'patch' ? action.body : undefined)),
    [{ metadata: { annotations: Object.fromEntries(Object.keys(all).map(name => [name, null])) } }],
  )
  const other = account({ ...all, 'eks.amazonaws.com/role-arn': 'arn:aws:iam::123456789012:role/other' })
  assert.deepEqual(decideAnnotationRemoval(reachable(other), { roleArn: arn }), { actions: [], gone: true })
  assert.deepEqual(decideAnnotationRemoval(reachable(account()), { roleArn: arn }), { actions: [], gone: true })
  assert.deepEqual(decideAnnotationRemoval(reachable(undefined), { roleArn: arn }), { actions: [], gone: true })
})

test('removal on a target that cannot be seen is blocked, never assumed [13.7 #147, P5]', () => {
  for (const seen of [
    { kind: 'unknown', message: 'm', lookAgainMs: 1 },
    { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'm' },
  ] as const) {
    assert.deepEqual(decideAnnotationRemoval(seen, { roleArn: arn }), {
      actions: [],
      gone: false,
      blocked: { reason: 'RemoteClusterUnavailable', message: 'm' },
    })
  }
})

test('of a ServiceAccount only what is decided on is kept [4.8]', () => {
  const whole = {
    ...account(
      { ...all, note: 'long', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      { managedFields: [{ manager: 'x' }] },
    ),
    secrets: [{ name: 's' }],
    imagePullSecrets: [{ name: 'p' }],
  }
  assert.deepEqual(serviceAccountSource.project?.(whole), account(all))
  const one = { 'eks.amazonaws.com/role-arn': arn }
  assert.deepEqual(serviceAccountSource.project?.(account({ ...one, note: 'long' })), account(one))
  assert.deepEqual(serviceAccountSource.project?.(account({ note: 'long' })), account(), 'without one of ours it has none')
})

test('any change of a ServiceAccount concerns the bindings that name it, and nobody else [13.10 #213, #216]', () => {
  const asked: unknown[] = []
  const watch = serviceAccountWatch((_world, namespace, named) => {
    asked.push([namespace, named])
    return named.name === 'app' ? [{ namespace, name: 'binding' }] : []
  })
  assert.equal(watch.on, 'targets')
  assert.deepEqual(watch.toClaims(account(), {} as Reads, 'wlc-a'), [{ namespace: 'wlc-a', name: 'binding' }])
  assert.deepEqual(watch.toClaims({ ...account(), metadata: { ...account().metadata, name: 'other' } }, {} as Reads, 'wlc-a'), [])
  assert.deepEqual(asked[0], ['wlc-a', key])
})

test('a binding looks later at annotations that it would have written itself, and at all others at once', () => {
  const own = (_world: Reads, _binding: unknown, roleName: string): boolean => arn.endsWith(`/${roleName}`)
  const { canWait } = serviceAccountWatch(() => [], own)
  const waits = (kind: Change['kind'], annotations: Record<string, string>): boolean | undefined => {
    const object = account(annotations)
    const change: Change = kind === 'changed' ? { kind, previous: account(), object } : { kind, object, initial: false }
    return canWait?.(change, { namespace: 'wlc-a', name: 'binding' }, {} as Reads)
  }
  const whole = annotationsFor(arn)
  assert.equal(waits('changed', whole), true)
  assert.equal(waits('changed', annotationsFor('arn:aws:iam::123456789012:role/by-hand')), false)
  assert.equal(waits('changed', { ...whole, 'eks.amazonaws.com/audience': 'other' }), false)
  assert.equal(waits('changed', {}), false)
  assert.equal(waits('added', whole), false)
  assert.equal(waits('removed', whole), false)
  const change: Change = { kind: 'changed', previous: account(), object: account(whole) }
  const unnamed = serviceAccountWatch(() => [])
  assert.equal(
    unnamed.canWait?.(change, { namespace: 'wlc-a', name: 'binding' }, {} as Reads),
    false,
    'whose role it is, nobody says',
  )
})

test('a ServiceAccount with the role of somebody else is taken over, or left and told where that is chosen [8.2, 14.1 L11]', () => {
  const foreign = 'arn:aws:iam::123456789012:role/by-hand'
  const seen = reachable(account({ 'eks.amazonaws.com/role-arn': foreign }))
  assert.equal(summary(decideAnnotation(seen, { roleArn: arn })), 'True/Ready patch')
  for (const current of [undefined, said('True')]) {
    const refused = decideAnnotation(seen, { roleArn: arn, current, foreign: 'refuse' })
    assert.equal(summary(refused), 'False/RemoteDeliveryPending')
    assert.match(
      refused.condition.message,
      /apps\/app in cluster wlc-a has the role arn:aws:iam::123456789012:role\/by-hand .*remove its annotation/,
    )
  }
  // Ours by its name, which is made of the binding's uid; and one without a role has none of somebody else.
  for (const held of [arn.replace('123456789012', '999999999999'), '']) {
    const ours = reachable(account({ 'eks.amazonaws.com/role-arn': held }))
    assert.equal(summary(decideAnnotation(ours, { roleArn: arn, foreign: 'refuse' })), 'True/Ready patch', held)
  }
})
