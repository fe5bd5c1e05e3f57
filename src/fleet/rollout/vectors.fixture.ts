// The recorded answers of the reference programs as the planner takes and gives them. Data to compare with, not part of the repository.
import { readFileSync } from 'node:fs'
import type { FleetInput, PlacementView } from './fleet-plan.ts'
import { groupDecisions, type ReadDecision } from './groups.ts'
import type { ClusterProgress, ProgressState } from './progress.ts'
import type { StrategySpec } from './strategy.ts'

const place: URL = new URL('../../../../shared/vectors/ocm-rollouts.json', import.meta.url)

interface RawEntry {
  readonly cluster: string
  readonly status: ProgressState
  readonly time?: string
  readonly recheckTime?: string
}

interface RawCounts {
  readonly total: number
  readonly updating: number
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
}

interface RawSummary extends RawCounts {
  readonly message: string
}

export interface RawRefAnswer {
  readonly name: string
  readonly error?: string
  readonly rollout: readonly RawEntry[]
  readonly timedOut: readonly RawEntry[]
  readonly removed?: readonly RawEntry[]
  readonly maxFailureBreach: boolean
  readonly recheckAfterSeconds: number | null
  readonly summary?: RawSummary
  readonly availableDecisionGroups?: string
}

export interface Vector {
  readonly id: string
  readonly mode: 'operator' | 'library'
  readonly tags: readonly string[]
  readonly now: string
  readonly statuses: readonly (RawEntry & { readonly situation?: string })[]
  readonly refs: readonly {
    readonly name: string
    readonly rolloutStrategy?: StrategySpec
    readonly decisions: readonly ReadDecision[]
    readonly placementStatus?: { readonly decisionGroups?: number; readonly numberOfSelectedClusters?: number }
  }[]
  readonly expect: {
    readonly refs: readonly RawRefAnswer[]
    readonly plan?: {
      readonly error?: string
      readonly rolloutClusters: readonly string[]
      readonly clusters: Readonly<Record<string, readonly [string, string]>>
      readonly summary: RawSummary
      readonly desiredClusterCount: number
      readonly requeueAfterSeconds: number | null
    }
  }
}

/** `undefined` where the data is not beside the checkout. */
export function readVectors(): readonly Vector[] | undefined {
  try {
    return (JSON.parse(readFileSync(place, 'utf8')) as { readonly vectors: readonly Vector[] }).vectors
  } catch {
    return undefined
  }
}

export function progressOfRaw({ cluster, status, time }: RawEntry): ClusterProgress {
  return { cluster, state: status, ...(time === undefined ? {} : { since: Date.parse(time) }) }
}

/** Decisions that the recorded programs take: a group index without a name is an empty name there. */
export function groupsOf(decisions: readonly Partial<ReadDecision>[]): PlacementView['groups'] {
  const grouping = groupDecisions(
    decisions.map(({ groupName = '', groupIndex = 0, clusters = [] }) => ({ groupName, groupIndex, clusters })),
  )
  if (!grouping.ok) throw new Error(grouping.message)
  return grouping.groups
}

export function fleetInputOf({ now, statuses, refs }: Vector): FleetInput {
  const byCluster = new Map(statuses.map(status => [status.cluster, progressOfRaw(status)]))
  return {
    now: Date.parse(now),
    progressOf: cluster => byCluster.get(cluster) ?? { cluster, state: 'ToApply' },
    placements: refs.map(({ name, rolloutStrategy, decisions, placementStatus }) => ({
      name,
      strategy: rolloutStrategy,
      groups: groupsOf(decisions),
      decisionGroupCount: placementStatus?.decisionGroups ?? 0,
      selectedClusterCount: placementStatus?.numberOfSelectedClusters ?? 0,
    })),
  }
}
