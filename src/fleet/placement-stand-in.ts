// A stand-in for the placement controller of Open Cluster Management, for worlds in which that controller does not run: it writes what its
// documentation says that it writes, PlacementDecisions of at most a hundred clusters, in decision groups, controlled by the Placement.
// Which clusters those are says whoever calls, or `chooseGroups` by labels; scores, limits, taints and sets of clusters it knows nothing of.
import {
  controllerReference,
  isOwnedBy,
  type KubeObject,
  type LabelSelectorObject,
  type ObjectKey,
  type StoredObject,
  selectorFromObject,
} from '#kube'
import type { KubeClient } from '#kube/client'
import { type OcmPlacementSpec, placementDecisionKind, placementKind, placementLabels } from './placement-kinds.ts'

export interface ChosenGroup {
  readonly name?: string
  readonly clusters: readonly string[]
}

export interface LabelledCluster {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** Any predicate lets a cluster in; the first group that fits has it, and what fits no group comes last. */
export function chooseGroups(spec: OcmPlacementSpec, clusters: readonly LabelledCluster[]): readonly ChosenGroup[] {
  const { predicates = [], decisionStrategy } = spec
  const groups = decisionStrategy?.groupStrategy?.decisionGroups ?? []
  const fits = (selector: LabelSelectorObject | undefined, { labels }: LabelledCluster): boolean =>
    selectorFromObject(selector ?? {}).matches(labels)
  const chosen = clusters
    .filter(one => predicates.length === 0 || predicates.some(each => fits(each.requiredClusterSelector?.labelSelector, one)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const groupOf = (one: LabelledCluster): number => groups.findIndex(each => fits(each.groupClusterSelector?.labelSelector, one))
  const namesIn = (index: number): readonly string[] => chosen.filter(one => groupOf(one) === index).map(({ name }) => name)
  const rest = namesIn(-1)
  return [
    ...groups.map(({ groupName: name }, index) => ({ name, clusters: namesIn(index) })),
    ...(rest.length > 0 || groups.length === 0 ? [{ clusters: rest }] : []),
  ]
}

/** OCM's own bound of one decision. */
const clustersPerDecision = 100

export async function writePlacement(client: KubeClient, key: ObjectKey, groups: readonly ChosenGroup[]): Promise<void> {
  const placement =
    (await client.find(placementKind.type, key)) ?? (await client.create(placementKind.type, placementKind.make(key, {})))
  const wanted = decisionsFor(placement, groups)
  for (const { object, status } of wanted) {
    const own = { namespace: key.namespace, name: object.metadata.name ?? '' }
    const held = await client.find(placementDecisionKind.type, own)
    const isCurrent = held !== undefined && isOwnedBy(held, placement)
    // The object is of an earlier Placement of this name, and the garbage collector has not removed it yet.
    if (held !== undefined && !isCurrent) await client.delete(placementDecisionKind.type, own)
    if (!isCurrent) await client.create(placementDecisionKind.type, object)
    else await client.patch(placementDecisionKind.type, own, 'merge', { metadata: { labels: object.metadata.labels } })
    await client.patch(placementDecisionKind.type, own, 'merge', { status }, { subresource: 'status' })
  }
  const names = new Set(wanted.map(({ object }) => object.metadata.name))
  const labelSelector = `${placementLabels.placement}=${key.name}`
  const { items } = await client.list(placementDecisionKind.type, { namespace: key.namespace, labelSelector })
  for (const { metadata } of items) {
    if (!names.has(metadata.name))
      await client.delete(placementDecisionKind.type, { namespace: key.namespace, name: metadata.name })
  }
  const status = {
    numberOfSelectedClusters: new Set(groups.flatMap(({ clusters }) => clusters)).size,
    decisionGroups: groups.map(({ name = '' }, decisionGroupIndex) => ({ decisionGroupIndex, decisionGroupName: name })),
  }
  await client.patch(placementKind.type, key, 'merge', { status }, { subresource: 'status' })
}

interface DecisionObject {
  readonly object: KubeObject
  readonly status: { readonly decisions: readonly { readonly clusterName: string; readonly reason: string }[] }
}

function decisionsFor(placement: StoredObject, groups: readonly ChosenGroup[]): readonly DecisionObject[] {
  const pages = groups.flatMap(({ name = '', clusters }, index) => pagesOf(clusters).map(page => ({ name, index, page })))
  return pages.map(({ name, index, page }, number): DecisionObject => {
    const metadata = {
      namespace: placement.metadata.namespace ?? '',
      name: `${placement.metadata.name}-decision-${number + 1}`,
      labels: {
        [placementLabels.placement]: placement.metadata.name,
        [placementLabels.groupName]: name,
        [placementLabels.groupIndex]: String(index),
      },
      ownerReferences: [controllerReference(placement)],
    }
    return {
      object: placementDecisionKind.make(metadata, {}),
      status: { decisions: page.map(clusterName => ({ clusterName, reason: '' })) },
    }
  })
}

/** An empty group is one empty decision. */
function pagesOf(clusters: readonly string[]): readonly (readonly string[])[] {
  const count = Math.max(1, Math.ceil(clusters.length / clustersPerDecision))
  return Array.from({ length: count }, (_, page) => clusters.slice(page * clustersPerDecision, (page + 1) * clustersPerDecision))
}
