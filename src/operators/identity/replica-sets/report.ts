// What a pass says of a set when some of its clusters refused: all that is known, and of those clusters why. One that fails is told at once,
// since the others went on without it (cases 171-174).
import type { Condition } from '#kube'
import { foldOutcomes, type Outcome, type Report, type ReportInput } from '#runtime'
import { type ReplicaSetStatus, roleKind } from '../api/kinds.ts'
import { readinessOf } from './readiness.ts'
import type { ReplicaSetSeen } from './seen.ts'
import { setCondition } from './set-conditions.ts'
import { brokenCluster, type ClusterTally, countersOf, withBroken } from './tally.ts'

export function reportReplicaSet(input: ReportInput & { readonly seen: ReplicaSetSeen | undefined }): Report | undefined {
  const { seen, plan, outcomes } = input
  const refusals = outcomes.flatMap(refusalOf)
  if (seen === undefined || refusals.length === 0) return foldOutcomes(input)
  if (seen.claim.metadata.deletionTimestamp !== undefined) {
    const message = refusals[0]?.message ?? ''
    return {
      conditions: [
        setCondition('CleanupBlocked', 'True', 'ChildApplyFailed', message),
        setCondition('Ready', 'False', 'ChildApplyFailed', message),
      ],
    }
  }
  return isWholeStatus(plan.status) ? withRefusals(plan.conditions, plan.status, refusals) : foldOutcomes(input)
}

/** As a plan has it that acts on clusters. */
function isWholeStatus(
  status: Readonly<Record<string, unknown>> | undefined,
): status is Readonly<Record<string, unknown>> & ReplicaSetStatus {
  return status !== undefined && 'rollout' in status
}

interface Refusal {
  readonly cluster: string
  readonly message: string
  readonly kind: 'conflict' | 'failed' | 'unpruned'
}

/** Who lost the lease or met a conflict of versions decides again, and nothing is to be told of it. */
const untold: readonly string[] = ['NotLeader', 'Conflict', 'Stale', 'NotFound']

function refusalOf(outcome: Outcome): readonly Refusal[] {
  if (outcome.kind !== 'failed' || untold.includes(outcome.trouble.reason)) return []
  const { action, trouble } = outcome
  if (!('type' in action) || action.type !== roleKind.type) return []
  const cluster = action.kind === 'patch' ? action.key.namespace : (action.object.metadata.namespace ?? '')
  const { reason, message } = trouble
  if (action.kind === 'delete' && action.precondition === 'any-version') return [{ cluster, message, kind: 'unpruned' }]
  return [{ cluster, message, kind: reason === 'OwnedByAnother' ? 'conflict' : 'failed' }]
}

function withRefusals(conditions: readonly Condition[], status: ReplicaSetStatus, refusals: readonly Refusal[]): Report {
  const tally = refusals.reduce((held, refusal) => countRefusal(held, refusal, status), tallyIn(status))
  const broken = refusals.flatMap(({ cluster, message, kind }) =>
    kind === 'unpruned' ? [] : [brokenCluster(cluster, kind, message)],
  )
  const unpruned = refusals.find(({ kind }) => kind === 'unpruned')
  const left = unpruned === undefined ? '' : `; the Role in namespace ${unpruned.cluster} does not go: ${unpruned.message}`
  const readiness = readinessOf(tally, left)
  return {
    conditions: conditions.map(condition => readiness.find(({ type }) => type === condition.type) ?? condition),
    status: { ...status, ...countersOf(tally), ...withBroken(status, broken) },
  }
}

function tallyIn(status: ReplicaSetStatus): ClusterTally {
  return {
    desired: status.desiredClusterCount ?? 0,
    applied: status.appliedClusterCount ?? 0,
    ready: status.readyClusterCount ?? 0,
    stale: status.staleClusterCount ?? 0,
    conflicts: status.conflictCount ?? 0,
    failures: status.failureCount ?? 0,
  }
}

/** The plan counted it as written, and one that was to be replaced as stale too. One that does not go is stale still. */
function countRefusal(tally: ClusterTally, { kind, cluster }: Refusal, { clusters = [] }: ReplicaSetStatus): ClusterTally {
  if (kind === 'unpruned') return tally
  const wasReplaced = clusters.some(one => one.clusterName === cluster && one.reason === 'ImmutableChildDrift')
  return {
    ...tally,
    applied: tally.applied - 1,
    stale: tally.stale - (wasReplaced ? 1 : 0),
    ...(kind === 'conflict' ? { conflicts: tally.conflicts + 1 } : { failures: tally.failures + 1 }),
  }
}
