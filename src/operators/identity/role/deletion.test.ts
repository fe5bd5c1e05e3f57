// The end of a binding as values. Numbers are those of the spec's catalogue (13.7).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Plan } from '#runtime'
import type { RoleStatus } from '../api/kinds.ts'
import { childResources } from './child-resources.ts'
import { decideRole } from './decide.ts'
import { roleNamesOf } from './resources.ts'
import {
  absent,
  annotated,
  away,
  child,
  claim,
  config,
  now,
  recorded,
  roleArn,
  roleName,
  seen,
  stored,
  unknown,
} from './role-seen.fixture.ts'
import type { RoleSeen } from './seen.ts'

const deletedAt = '2026-11-21T11:59:00Z'
const deleted = (status?: RoleStatus, metadata: Partial<StoredObject['metadata']> = {}) =>
  claim({}, status, { deletionTimestamp: deletedAt, ...metadata })
const none = { role: absent, policy: absent, association: absent, other: absent }
const decide = (change: Partial<RoleSeen>): Plan =>
  decideRole(seen({ claim: deleted(recorded()), annotation: annotated(undefined), resources: none, ...change }), now, {
    resources: childResources,
  })
const what = (plan: Plan): readonly string[] =>
  plan.actions.map(action =>
    'type' in action && typeof action.type === 'object' ? `${action.kind} ${action.type.kind}` : action.kind,
  )
const said = (plan: Plan): readonly string[] => plan.conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`)
const released = ['remove-finalizer AWSServiceAccountRole', 'record-event']

describe('the order', () => {
  test('the annotation, then association, role, policy; the finalizer when each was seen gone', () => {
    const all = { role: child('role'), policy: child('policy'), association: child('association'), other: absent }
    const plan = decide({ annotation: annotated(roleArn), resources: all })
    assert.deepEqual(what(plan), [
      'patch ServiceAccount',
      'delete PodIdentityAssociation',
      'record-event',
      'delete Role',
      'delete Policy',
    ])
    assert.deepEqual(plan.conditions, [], 'most of it goes in a moment, and is not told')
    assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 2_000, why: 'to tell what does not go' })
    assert.deepEqual(what(decide({})), released)
  })
  test('children that are gone at once: the next pass releases [#143]', () =>
    assert.deepEqual(what(decide({ resources: none })), released))
  test('a child that its controller keeps: not deleted again, told after a moment, the finalizer stays [#144, M14]', () => {
    const role = child('role', { metadata: { deletionTimestamp: deletedAt, finalizers: ['x'] } })
    const plan = decide({ resources: { ...none, role } })
    assert.deepEqual(plan.actions, [])
    assert.deepEqual(said(plan), ['DeletionBlocked=True/ChildrenPending'])
    assert.equal(plan.conditions[0]?.message, `waiting for the end of Role ${roleName}`)
  })
  test('what is about to be told is looked at after a second at the earliest [M4]', () => {
    const nextOf = (wentMs: number): unknown => {
      const deletionTimestamp = new Date(now - wentMs).toISOString()
      const { next, conditions } = decide({ resources: { ...none, role: child('role', { metadata: { deletionTimestamp } }) } })
      return conditions.length > 0 ? 'told' : next.kind === 'look-again' && next.afterMs
    }
    assert.deepEqual([0, 500, 1_999, 2_000].map(nextOf), [2_000, 1_500, 1_000, 'told'])
  })
  test('what calls of our own delete is looked at at once, since nobody tells that it is gone', () => {
    const own = { kind: 'act:aws', summary: 'delete it' } as const
    const resources = { ...childResources, remove: () => [own] } as unknown as typeof childResources
    const { next } = decideRole(seen({ claim: deleted(recorded()), annotation: annotated(undefined), resources: none }), now, {
      resources,
    })
    assert.deepEqual(next, { kind: 'look-again', afterMs: 0, why: 'to see what is gone' })
  })
  test('with the reason that it gives [#144, M11]', () => {
    const role = child('role', {
      synced: false,
      message: 'DeleteConflict: must detach all policies first',
      metadata: { deletionTimestamp: deletedAt },
    })
    const plan = decide({ resources: { ...none, role } })
    assert.equal(
      plan.conditions[0]?.message,
      `waiting for the end of Role ${roleName} (DeleteConflict: must detach all policies first)`,
    )
  })
  test('a child that is only just on its way: nothing is said yet', () => {
    const role = child('role', { metadata: { deletionTimestamp: new Date(now - 1_000).toISOString() } })
    const plan = decide({ resources: { ...none, role } })
    assert.deepEqual([plan.actions, plan.conditions], [[], []])
    assert.equal(plan.next.kind, 'look-again')
  })
  for (const [why, owner] of [
    ['another uid', [{ apiVersion: 'v1', kind: 'AWSServiceAccountRole', name: 'app1', uid: 'other', controller: true }]],
    ['nobody', []],
  ] as const) {
    test(`a child controlled by ${why} is left, and does not block [#145]`, () => {
      const role = child('role', { metadata: { ownerReferences: owner } })
      assert.deepEqual(what(decide({ resources: { ...none, role } })), released)
    })
  }
  test('a block that is over is told first, then the finalizer goes [#156]', () => {
    const blocked = deleted(recorded({ conditions: [stored('DeletionBlocked', 'True', 'ChildrenPending')] }))
    const plan = decide({ claim: blocked })
    assert.deepEqual([plan.actions, said(plan)], [[], ['DeletionBlocked=False/DeletionUnblocked']])
    const told = deleted(recorded({ conditions: [stored('DeletionBlocked', 'False', 'DeletionUnblocked')] }))
    assert.deepEqual(what(decide({ claim: told })), released)
  })
  test('without our finalizer there is nothing of ours to do, and the finalizer is never added', () => {
    assert.deepEqual(
      decide({ claim: deleted(recorded(), { finalizers: ['other'] }), annotation: annotated(roleArn) }).actions,
      [],
    )
  })
})

describe('the annotation', () => {
  const bound = { resources: { ...none, role: child('role') } }
  test('the target cannot be reached: blocked, and the children are not touched [#147]', () => {
    const plan = decide({ ...bound, annotation: away })
    assert.deepEqual(plan.actions, [])
    assert.deepEqual(said(plan), ['DeletionBlocked=True/RemoteClusterUnavailable'])
    assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 60_000, why: 'the target may be back' })
    assert.match(
      plan.conditions[0]?.message ?? '',
      /it is down; make it reachable or give up by the annotation .*force-delete=true/,
    )
  })
  test('a target that is being listed: waited for, and nothing is said', () => {
    const plan = decide({ ...bound, annotation: unknown })
    assert.deepEqual([plan.actions, plan.conditions], [[], []])
    assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 7_000, why: 'the target is being listed' })
  })
  test('EKS delivered: the target is not asked [#148]', () => {
    const status = recorded({ deliveryType: 'EKSPodIdentity' })
    assert.deepEqual(what(decide({ ...bound, claim: deleted(status), annotation: undefined })), ['delete Role'])
  })
  test('what is recorded counts, not what the Config says now [#149]', () => {
    const plan = decide({ config: config('EKSPodIdentity'), annotation: annotated(roleArn) })
    assert.deepEqual(what(plan), ['patch ServiceAccount', 'record-event'])
    const other = decide({
      config: config(),
      claim: deleted(recorded({ deliveryType: 'EKSPodIdentity' })),
      annotation: annotated(roleArn),
    })
    assert.deepEqual(what(other), released)
  })
  for (const name of ['nonsense', 'a/b/c', '/', 'other/other']) {
    test(`a recorded cluster ${name} is none of this namespace: blocked [#150]`, () => {
      const plan = decide({ ...bound, claim: deleted(recorded({ resolvedClusterName: name })) })
      assert.deepEqual([plan.actions, said(plan)], [[], ['DeletionBlocked=True/RemoteClusterUnavailable']])
    })
  }
  test('no ARN anywhere: it was never annotated, so an unreachable target is no obstacle [#151]', () => {
    const { roleARN: _none, ...status } = recorded()
    assert.deepEqual(what(decide({ claim: deleted(status), annotation: away })), released)
  })
  test('the ARN of the role object counts where the status has none', () => {
    const { roleARN: _none, ...status } = recorded()
    const plan = decide({ ...bound, claim: deleted(status), annotation: annotated(roleArn) })
    assert.deepEqual(what(plan), ['patch ServiceAccount', 'record-event', 'delete Role'])
    assert.deepEqual(said(decide({ ...bound, claim: deleted(status), annotation: away })), [
      'DeletionBlocked=True/RemoteClusterUnavailable',
    ])
  })
  test('and where there is neither, the name of the role in it, which is made of our uid', () => {
    assert.deepEqual(what(decide({ claim: deleted(), annotation: annotated(roleArn) })), ['patch ServiceAccount'])
    const moved = `arn:aws:iam::999999999999:role/${roleName}`
    assert.deepEqual(what(decide({ annotation: annotated(moved) })), ['patch ServiceAccount', 'record-event'])
  })
  test('a missing ServiceAccount is clean [#152]', () =>
    assert.deepEqual(what(decide({ annotation: annotated(undefined, false) })), released))
  test('an annotation that names another role stays [#153]', () => {
    assert.deepEqual(what(decide({ annotation: annotated('arn:aws:iam::123456789012:role/other') })), released)
    assert.deepEqual(what(decide({ annotation: annotated(`arn:aws:iam::123456789012:role/x${roleName}`) })), released)
  })
  test('the Config is gone by force, and the record is enough [#154]', () => {
    assert.deepEqual(what(decide({ config: undefined, annotation: annotated(roleArn) })), [
      'patch ServiceAccount',
      'record-event',
    ])
    assert.deepEqual(what(decide({ config: undefined })), released)
  })
  test('neither Config nor record nor role: nothing was ever made, so nothing is in the way [#155]', () => {
    const nobody = { config: undefined, claim: deleted() }
    assert.deepEqual(what(decide({ ...nobody, annotation: away })), released)
    assert.deepEqual(what(decide({ ...nobody, annotation: unknown })), released)
    assert.deepEqual(what(decide(nobody)), released)
    assert.deepEqual(what(decide({ ...nobody, annotation: annotated(roleArn) })), ['patch ServiceAccount'], 'what is seen goes')
  })
  test('no Config and no record, and a role that names its ARN: blocked while the target cannot be looked at [#155, S6]', () => {
    const plan = decide({ ...bound, config: undefined, claim: deleted(), annotation: away })
    assert.deepEqual([plan.actions, said(plan)], [[], ['DeletionBlocked=True/RemoteClusterUnavailable']])
  })
  test('the label of the role is a record as well [#155]', () => {
    const eks = child('role', { metadata: { labels: { 'aws.identity.appthrust.io/delivery': 'EKSPodIdentity' } } })
    assert.deepEqual(what(decide({ config: undefined, claim: deleted(), annotation: away, resources: { ...none, role: eks } })), [
      'delete Role',
    ])
  })
})

describe('force [14.1 L9]', () => {
  const force = { annotations: { 'aws.identity.appthrust.io/force-delete': 'true' } }
  test('goes on without the target', () => {
    const plan = decide({ claim: deleted(recorded(), force), annotation: away, resources: { ...none, role: child('role') } })
    assert.deepEqual(what(plan), ['delete Role'])
  })
  test('does not wait for children that were told to go, and records what was left', () => {
    const role = child('role', { metadata: { deletionTimestamp: deletedAt } })
    const plan = decide({ claim: deleted(recorded(), force), annotation: away, resources: { ...none, role } })
    assert.deepEqual(what(plan), released)
    const [, event] = plan.actions as readonly { readonly message?: string }[]
    assert.match(event?.message ?? '', /leaving Role to its controller/)
  })
  test('only the exact value counts', () => {
    const almost = { annotations: { 'aws.identity.appthrust.io/force-delete': 'True' } }
    assert.deepEqual(decide({ claim: deleted(recorded(), almost), annotation: away }).actions, [])
  })
})

describe('an annotation with a name that rests on the ServiceAccount', () => {
  const { ServiceAccount: stable } = roleNamesOf(claim())
  const annotation = annotated(`arn:aws:iam::123456789012:role/${stable}`)
  // The status lost its ARN, as that of a binding that was restored from a backup.
  const going = deleted(recorded({ roleARN: undefined, roleName: stable } as unknown as RoleStatus))
  test('is taken away by the one binding that can have it', () =>
    assert.deepEqual(what(decide({ claim: going, annotation }))[0], 'patch ServiceAccount'))
  test('stays where another binding has the ServiceAccount: it may be its own [S2]', () =>
    assert.deepEqual(
      what(decide({ claim: going, annotation, siblings: ['wlc-a/other', 'wlc-a/app1'] })).includes('patch ServiceAccount'),
      false,
    ))
})
