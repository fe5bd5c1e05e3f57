// Which clusters a ReplicaSet means.
import type { PlacementSeen } from './seen.ts'

/** The clusters that its placements select, as far as these could be resolved. */
export function selectedOf(placements: readonly PlacementSeen[]): ReadonlySet<string> {
  const groups = placements.flatMap(({ resolution }) => (resolution.ok ? resolution.groups : []))
  return new Set(groups.flatMap(({ clusters }) => clusters))
}
