// The decision groups of one placement, in the order in which a rollout walks them.
import type { GroupKey } from './progress.ts'
import type { MandatoryGroup } from './strategy.ts'

export interface DecisionGroup extends GroupKey {
  /** By name, each once. */
  readonly clusters: readonly string[]
}

/** What one PlacementDecision says. */
export interface ReadDecision {
  readonly groupName: string
  readonly groupIndex: number
  readonly clusters: readonly string[]
}

export type Grouping =
  | { readonly ok: true; readonly groups: readonly DecisionGroup[] }
  | { readonly ok: false; readonly message: string }

/** Decisions of one group are one group. Two names for one index leave open which of them comes first: that is refused. */
export function groupDecisions(decisions: readonly ReadDecision[]): Grouping {
  const byIndex = new Map<number, { readonly name: string; readonly clusters: Set<string> }>()
  for (const { groupName, groupIndex, clusters } of decisions) {
    const held = byIndex.get(groupIndex) ?? { name: groupName, clusters: new Set<string>() }
    if (held.name !== groupName) {
      const names = [held.name, groupName].toSorted().map(name => JSON.stringify(name))
      const message = `decision group ${groupIndex} has two names, ${names.join(' and ')}; one index is one group`
      return { ok: false, message }
    }
    for (const cluster of clusters) held.clusters.add(cluster)
    byIndex.set(groupIndex, held)
  }
  const groups = [...byIndex].map(([index, { name, clusters }]) => ({ name, index, clusters: [...clusters].toSorted() }))
  return { ok: true, groups: groups.toSorted((a, b) => a.index - b.index) }
}

/**
 * What the library finds of the groups: it looks up the indexes 0, 1, … as many as there are, and does not see one outside of that
 * range (§6.5 step 5).
 */
export function withoutGaps(groups: readonly DecisionGroup[]): readonly DecisionGroup[] {
  return groups.filter(({ index }) => index >= 0 && index < groups.length)
}

/** Each cluster once, by name. */
export function clustersOf(groups: readonly DecisionGroup[]): readonly string[] {
  return [...new Set(groups.flatMap(({ clusters }) => clusters))].toSorted()
}

export interface SplitGroups {
  readonly mandatory: readonly DecisionGroup[]
  readonly rest: readonly DecisionGroup[]
}

/** An entry that fits no group is ignored. */
export function splitGroups(groups: readonly DecisionGroup[], entries: readonly MandatoryGroup[]): SplitGroups {
  const isMandatory = ({ name, index }: GroupKey): boolean =>
    entries.some(({ groupName = '', groupIndex = 0 }) => (groupName === '' ? index === groupIndex : name === groupName))
  return { mandatory: groups.filter(isMandatory), rest: groups.filter(group => !isMandatory(group)) }
}
