// What the status says by placement, and of the rollout as a whole (§6.5 step 6, 6.7).
import { given, type Instant } from '#base'
import { describeRollout, type FleetPlan, isComplete, type RolloutCounts } from '#fleet'
import { type MergeConditionsOptions, mergeConditions } from '#kube'
import type { PlacementStatus, ServiceAccountRoleReplicaSet as ReplicaSet, RolloutSummary } from '../api/kinds.ts'
import type { PlacementSeen } from './seen.ts'
import { selectedOf } from './selection.ts'
import { setCondition } from './set-conditions.ts'

export function rolloutWords(counts: RolloutCounts): string {
  return describeRollout(counts, 'AWSServiceAccountRole children')
}

/** The condition keeps its time, in the whole and by placement (14.1 L8). */
export function rolloutStatus(
  held: RolloutSummary | undefined,
  counts: RolloutCounts,
  options: MergeConditionsOptions,
): RolloutSummary {
  const message = rolloutWords(counts)
  const progressing = isComplete(counts)
    ? setCondition('Progressing', 'False', 'Complete', message)
    : setCondition('Progressing', 'True', 'Progressing', message)
  return { ...counts, conditions: mergeConditions(held?.conditions ?? [], [progressing], options) }
}

export function placementStatuses(
  claim: ReplicaSet,
  placements: readonly PlacementSeen[],
  { placements: plans }: FleetPlan,
  now: Instant,
): readonly PlacementStatus[] {
  const options = { now, generation: claim.metadata.generation }
  return resolutionStatuses(claim, placements, now).map((status): PlacementStatus => {
    const plan = plans.find(({ name }) => name === status.name)
    if (plan === undefined) return status
    const held = heldStatus(claim, status.name)?.rollout
    const { availableDecisionGroups, counts } = plan
    return { ...status, availableDecisionGroups, rollout: rolloutStatus(held, counts, options) }
  })
}

/** While one of them cannot be resolved nothing is planned, and what was said of the rollouts stays said. */
export function unresolvedStatuses(
  claim: ReplicaSet,
  placements: readonly PlacementSeen[],
  now: Instant,
): readonly PlacementStatus[] {
  return resolutionStatuses(claim, placements, now).map(status => {
    const { availableDecisionGroups, rollout } = heldStatus(claim, status.name) ?? {}
    return {
      ...status,
      ...given({ availableDecisionGroups, rollout }),
    }
  })
}

/** A Placement that is not done is resolved all the same: what it has chosen so far goes on. That nothing is taken away meanwhile is said. */
export function resolvedText(placements: readonly PlacementSeen[], kept: number): string {
  const unfinished = placements.flatMap(({ resolution }) => unfinishedOf(resolution))
  if (unfinished.length === 0) return 'the placements are resolved'
  const stay = kept > 0 ? `; Roles that stay meanwhile although their cluster is not selected: ${kept}` : ''
  return `the placements are resolved; ${unfinished.join('; ')}${stay}`
}

function unfinishedOf(resolution: PlacementSeen['resolution']): readonly string[] {
  return resolution.ok && resolution.unfinished !== undefined ? [resolution.unfinished] : []
}

function resolutionStatuses(claim: ReplicaSet, placements: readonly PlacementSeen[], now: Instant): readonly PlacementStatus[] {
  const options = { now, generation: claim.metadata.generation }
  return placements.map((placement): PlacementStatus => {
    const { ref, resolution } = placement
    const condition = resolution.ok
      ? setCondition(
          'PlacementResolved',
          'True',
          'Resolved',
          ['the placement is resolved', ...unfinishedOf(resolution)].join('; '),
        )
      : setCondition('PlacementResolved', 'False', 'PlacementUnavailable', resolution.message)
    const held = heldStatus(claim, ref.name)
    const selected = resolution.ok ? selectedOf([placement]).size : (held?.selectedClusterCount ?? 0)
    return {
      name: ref.name,
      ...(selected === 0 ? {} : { selectedClusterCount: selected }),
      conditions: mergeConditions(held?.conditions ?? [], [condition], options),
    }
  })
}

function heldStatus({ status }: ReplicaSet, name: string): PlacementStatus | undefined {
  return status?.placements?.find(placement => placement.name === name)
}
