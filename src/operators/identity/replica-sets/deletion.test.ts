// The end of a set: its Roles first, then what is said of them, then its finalizer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plan } from '#runtime'
import type { ServiceAccountRoleReplicaSet as ReplicaSet, ServiceAccountRole } from '../api/kinds.ts'
import { finalizers } from '../api/labels.ts'
import { decideSetDeletion } from './deletion.ts'
import type { ReplicaSetSeen } from './seen.ts'

interface Given {
  readonly finalizers?: readonly string[]
  readonly blocked?: 'True' | 'False'
  readonly remaining?: readonly ServiceAccountRole[]
}

const role = (namespace: string, metadata: object = {}): ServiceAccountRole =>
  ({ metadata: { namespace, name: 'app', ...metadata } }) as unknown as ServiceAccountRole
const isGoing = { deletionTimestamp: '2026-01-01T00:00:00Z' }

function end({ finalizers: held = ['other', finalizers.replicaSet], blocked, remaining = [] }: Given): Plan {
  const conditions = blocked === undefined ? [] : [{ type: 'CleanupBlocked', status: blocked }]
  const metadata = { namespace: 'platform', name: 'app', uid: 'u', finalizers: held }
  const claim = { apiVersion: 'v', kind: 'Set', metadata, status: { conditions } } as unknown as ReplicaSet
  return decideSetDeletion({ claim, remaining } as unknown as ReplicaSetSeen)
}

/** Writes, conditions and the next look. */
function said({ actions, conditions, next }: Plan): readonly unknown[] {
  const writes = actions.flatMap(action =>
    action.kind === 'together'
      ? action.branches.map(branch =>
          branch.map(one => (one.kind === 'delete' ? `delete ${one.object.metadata.namespace}` : one.kind)).join(),
        )
      : action.kind,
  )
  const told = conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)
  return [writes, told, next.kind === 'look-again' ? next.afterMs : next.kind]
}

const blocks = ['CleanupBlocked True DeletionBlocked', 'Ready False DeletionBlocked']
for (const [what, given, ...wanted] of [
  ['that somebody let go of already', { finalizers: ['other'], remaining: [role('a')] }, [], [], 'done'],
  ['with two Roles', { remaining: [role('a'), role('b')] }, ['delete a', 'delete b'], blocks, 30_000],
  ['with a Role that goes and one that does not', { remaining: [role('a', isGoing), role('b')] }, ['delete b'], blocks, 30_000],
  ['with a Role that goes', { remaining: [role('a', isGoing)] }, [], blocks, 30_000],
  ['whose Roles are gone', { blocked: 'True' }, [], ['CleanupBlocked False DeletionUnblocked'], 'await-change'],
  ['of which that is said', { blocked: 'False' }, ['remove-finalizer', 'record-event'], [], 'await-change'],
  ['without Roles', {}, ['remove-finalizer', 'record-event'], [], 'await-change'],
] as readonly (readonly [string, Given, readonly string[], readonly string[], unknown])[])
  test(`the end of a set ${what} [#181, L4]`, () => {
    const [writes, told, next] = said(end(given))
    assert.deepEqual([writes, told], wanted.slice(0, 2))
    if (wanted[2] !== 'done') assert.equal(next, wanted[2])
  })

test('what blocks a set is told with how many Roles and where one is', () => {
  const [blocked] = end({ remaining: [role('a'), role('b')] }).conditions
  assert.equal(blocked?.message, '2 Roles of this set are there still, one in namespace a')
})
