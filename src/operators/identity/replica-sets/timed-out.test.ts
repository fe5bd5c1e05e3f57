// What ran out of time stays so for a successor whose clock is two hours behind, until something gives the cluster its time again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '#base'
import { renderTime, type StoredObject } from '#kube'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind, type ServiceAccountRole } from '../api/kinds.ts'
import { setNamespace, templateOf } from '../testing/set-world.ts'
import { buildChild, wantedChild } from './child.ts'
import { decideReplicaSet } from './decide.ts'
import type { ReplicaSetSeen } from './seen.ts'

const start = Date.parse('2026-01-01T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const behind = start - 2 * hour

interface Given {
  readonly status?: ReplicaSet['status']
  readonly deadline?: string
  readonly retry?: string
  readonly begunAt?: number
  readonly isReady?: boolean
}

function setWith({ status, deadline = '1m', retry }: Given): ReplicaSet {
  const strategy = {
    type: 'Progressive' as const,
    progressive: { maxConcurrency: 1, maxFailures: 5, progressDeadline: deadline },
  }
  const annotations = retry === undefined ? {} : { 'aws.identity.appthrust.io/rollout-retry': retry }
  const set = replicaSetKind.make(
    { namespace: setNamespace, name: 'app', uid: 'u', resourceVersion: '1', generation: 1, annotations },
    { placementRefs: [{ name: 'p', rolloutStrategy: strategy }], template: templateOf('app') },
  )
  return { ...set, ...(status === undefined ? {} : { status }) } as ReplicaSet
}

/** The Role of cluster a says since `begunAt` whether it is Ready. */
function roleIn(set: ReplicaSet, cluster: string, { begunAt = start, isReady = false }: Given): ServiceAccountRole {
  const child = buildChild(set, cluster, wantedChild(set, set.spec.template)) as StoredObject & Pick<ServiceAccountRole, 'spec'>
  const ready = { type: 'Ready', status: isReady ? 'True' : 'False', reason: 'x', message: '', observedGeneration: 1 }
  return {
    ...child,
    metadata: { ...child.metadata, uid: cluster, generation: 1, creationTimestamp: renderTime(begunAt) },
    status: { conditions: [{ ...ready, lastTransitionTime: renderTime(begunAt) }] },
  } as ServiceAccountRole
}

function seenWith(given: Given): ReplicaSetSeen {
  const claim = setWith(given)
  const groups = [{ name: '', index: 0, clusters: ['a', 'b', 'c'] }]
  const resolution = { ok: true as const, groups, decisionGroupCount: 1, selectedClusterCount: 3 }
  return {
    claim,
    placements: claim.spec.placementRefs.map(ref => ({ ref, resolution })),
    children: new Map([['a', roleIn(claim, 'a', given)]]),
    foreign: new Set(),
    namespaces: new Map(['a', 'b', 'c'].map(name => [name, 'there' as const])),
    strays: [],
    kept: 0,
    remaining: [],
  }
}

function statusAt(now: Instant, given: Given): NonNullable<ReplicaSet['status']> {
  const status = decideReplicaSet(seenWith(given), now, { rules: 'safe' }).status
  return status as NonNullable<ReplicaSet['status']>
}

function phaseOfA(status: ReplicaSet['status']): string | undefined {
  return status?.clusters?.find(({ clusterName }) => clusterName === 'a')?.phase
}

const told = statusAt(start + 3 * hour, {})

test('by a clock that is two hours behind what was told to be out of time is so still, and nothing is written', () => {
  assert.equal(phaseOfA(told), 'TimedOut')
  assert.equal(told.clusters?.[0]?.timedOutAt, renderTime(start + minute), 'the end of its time, and not when somebody looked')
  assert.deepEqual(statusAt(behind, { status: told }).clusters, told.clusters)
  assert.deepEqual(statusAt(behind, { status: told }).failedClusters, told.failedClusters)
  assert.equal(statusAt(behind, { status: told }).rollout?.timedOut, 1)
})

test('beyond the hundred that are listed the list of those that failed remembers', () => {
  const { clusters: _listed, ...rest } = told
  assert.equal(phaseOfA(statusAt(behind, { status: rest })), 'TimedOut')
})

test('a cluster that is well is told so, and its memory goes', () => {
  const well = statusAt(behind, { status: told, isReady: true })
  assert.equal(phaseOfA(well), 'Ready')
  assert.equal(JSON.stringify(well).includes('timedOutAt'), false)
})

test('a longer deadline, a change after it and a retry give a cluster its time again', () => {
  assert.equal(phaseOfA(statusAt(behind, { status: told, deadline: '1h' })), 'Pending')
  assert.equal(phaseOfA(statusAt(behind, { status: told, deadline: 'None' })), 'Pending')
  assert.equal(phaseOfA(statusAt(behind, { status: told, begunAt: start + 2 * minute })), 'Pending')
  const retried = statusAt(behind, { status: told, retry: 'monday' })
  assert.equal(phaseOfA(retried), 'Pending')
  assert.equal(JSON.stringify(retried).includes('timedOutAt'), false)
})

test('a time that nobody can read, one that lies years ahead, and one for a cluster that is well change nothing', () => {
  const forge = (timedOutAt: string): ReplicaSet['status'] => ({
    clusters: [{ clusterName: 'a', phase: 'TimedOut', timedOutAt }],
  })
  assert.equal(phaseOfA(statusAt(start, { status: forge('soon') })), 'Pending')
  const ahead = statusAt(start, { status: forge('2999-01-01T00:00:00Z') })
  assert.equal(phaseOfA(ahead), 'Pending', 'no clock is behind by years')
  const forged = statusAt(start, { status: forge('2999-01-01T00:00:00Z'), isReady: true })
  assert.equal(phaseOfA(forged), 'Ready')
})

test('a deadline of nothing is told the same at each look', () => {
  const none = statusAt(start, { deadline: '0s' })
  assert.deepEqual(statusAt(start + hour, { status: none, deadline: '0s' }).clusters, none.clusters)
})
