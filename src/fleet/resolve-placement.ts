// From a Placement and the decisions that carry its name to groups of clusters. Pure. A decision counts when the Placement's controller
// made it: its controller reference names this very Placement by uid, whatever its labels say (X5).
import { given } from '#base'
import { controllerOf, dnsSubdomainErrors } from '#kube'
import { type Placement, type PlacementDecision, placementLabels } from './placement-kinds.ts'
import { type DecisionGroup, groupDecisions, type ReadDecision } from './rollout/groups.ts'

export type PlacementResolution =
  | {
      readonly ok: true
      readonly groups: readonly DecisionGroup[]
      /** As the Placement says it, 0 where it does not. */
      readonly decisionGroupCount: number
      readonly selectedClusterCount: number
      /** Why the decisions are not all that it chooses, as it says itself; in words. */
      readonly unfinished?: string
    }
  | { readonly ok: false; readonly message: string }

/** `decisions`: all of the namespace that have the placement's name in their label. */
export function resolvePlacement(
  name: string,
  placement: Placement | undefined,
  decisions: readonly PlacementDecision[],
): PlacementResolution {
  if (placement === undefined) return { ok: false, message: `Placement ${name} does not exist in this namespace; create it` }
  const read: ReadDecision[] = []
  for (const decision of decisions) {
    if (controllerOf(decision)?.uid !== placement.metadata.uid) continue
    const one = readDecision(decision)
    if (typeof one === 'string') return { ok: false, message: `PlacementDecision ${decision.metadata.name} ${one}` }
    read.push(one)
  }
  const grouping = groupDecisions(read)
  if (!grouping.ok) return { ok: false, message: `Placement ${name}: ${grouping.message}` }
  const { decisionGroups = [], numberOfSelectedClusters = 0 } = placement.status ?? {}
  const unfinished = unfinishedText(name, placement, grouping.groups)
  return {
    ok: true,
    groups: grouping.groups,
    decisionGroupCount: decisionGroups.length,
    selectedClusterCount: numberOfSelectedClusters,
    ...given({ unfinished }),
  }
}

/** Its controller writes decisions and status one after the other, and a Placement that was made anew has chosen nothing yet. */
function unfinishedText(name: string, { status = {} }: Placement, groups: readonly DecisionGroup[]): string | undefined {
  if (Object.keys(status).length === 0) return `Placement ${name} has no status: its controller has not said yet what it chooses`
  const counted = status.numberOfSelectedClusters ?? 0
  const held = new Set(groups.flatMap(({ clusters }) => clusters)).size
  return held < counted ? `Placement ${name} counts ${counted} clusters and its decisions hold ${held}` : undefined
}

/** A text says what is wrong with it. A name that no namespace can have fails it, since no status may repeat such a name. */
function readDecision({ metadata, status }: PlacementDecision): ReadDecision | string {
  const { [placementLabels.groupName]: groupName = '', [placementLabels.groupIndex]: index } = metadata.labels ?? {}
  if (index === undefined) return `has no label ${placementLabels.groupIndex}`
  if (!/^[+-]?\d{1,9}$/.test(index)) return `has the label ${placementLabels.groupIndex}=${index}, which is no number`
  const clusters = (status?.decisions ?? []).flatMap(({ clusterName }) => (clusterName === '' ? [] : [clusterName]))
  const wrong = clusters.find(cluster => dnsSubdomainErrors(cluster).length > 0)
  if (wrong !== undefined) return `chooses ${JSON.stringify(wrong.slice(0, shownMax))}, which cannot be the name of a cluster`
  return { groupName, groupIndex: Number(index), clusters }
}

/** Of a name that may be of any length. */
const shownMax = 63
