// Placement and PlacementDecision of Open Cluster Management: which clusters somebody means, and which of them were chosen, in groups.
// OCM's own controller writes the decisions; here they are only read. As with ClusterProfile, the schemas are for worlds without OCM
// (`npm start`, tests): they hold the fields that are read and let everything else be.
import { defineKind, type Kind, type LabelSelectorObject, type StoredCondition, type StoredObject, schema } from '#kube'

export interface OcmPlacementStatus {
  readonly conditions?: readonly StoredCondition[]
  readonly numberOfSelectedClusters?: number
  readonly decisionGroups?: readonly { readonly decisionGroupIndex: number; readonly decisionGroupName?: string }[]
}

export interface OcmDecisionStatus {
  readonly decisions?: readonly { readonly clusterName: string; readonly reason: string }[]
}

/** As much of it as a stand-in for the placement controller follows. */
export interface OcmPlacementSpec {
  readonly predicates?: readonly {
    readonly requiredClusterSelector?: { readonly labelSelector?: LabelSelectorObject }
  }[]
  readonly decisionStrategy?: {
    readonly groupStrategy?: {
      readonly decisionGroups?: readonly {
        readonly groupName: string
        readonly groupClusterSelector?: { readonly labelSelector?: LabelSelectorObject }
      }[]
    }
  }
}

export interface Placement extends StoredObject {
  readonly spec?: OcmPlacementSpec
  readonly status?: OcmPlacementStatus
}

export interface PlacementDecision extends StoredObject {
  readonly status?: OcmDecisionStatus
}

const ocm = { group: 'cluster.open-cluster-management.io', version: 'v1beta1', namespaced: true } as const

export const placementKind: Kind<Readonly<Record<string, unknown>>, OcmPlacementStatus> = defineKind({
  ...ocm,
  kind: 'Placement',
  plural: 'placements',
  description: 'Clusters that are meant.',
  spec: schema.openObject(),
  status: schema.object({
    conditions: schema.conditions().optional(),
    numberOfSelectedClusters: schema.integer({ format: 'int32' }).optional().describe('Clusters that were chosen.'),
    decisionGroups: schema
      .list(
        schema.object({
          decisionGroupIndex: schema.integer({ format: 'int32' }).describe('Which group.'),
          decisionGroupName: schema.string().optional().describe('Its name.'),
        }),
      )
      .optional()
      .describe('The groups of the decision.'),
  }),
})

export const placementDecisionKind: Kind<Readonly<Record<string, unknown>>, OcmDecisionStatus> = defineKind({
  ...ocm,
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  description: 'Clusters that were chosen for a placement, or a part of them.',
  spec: schema.openObject(),
  status: schema.object({
    decisions: schema
      .list(
        schema.object({
          clusterName: schema.string().describe('The cluster.'),
          reason: schema.string().describe('Why it was chosen.'),
        }),
      )
      .optional()
      .describe('At most a hundred clusters; a placement with more has several decisions.'),
  }),
})

/** On a PlacementDecision. */
export const placementLabels = {
  /** Name of the Placement. */
  placement: 'cluster.open-cluster-management.io/placement',
  groupName: 'cluster.open-cluster-management.io/decision-group-name',
  groupIndex: 'cluster.open-cluster-management.io/decision-group-index',
} as const
