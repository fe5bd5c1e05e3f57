// fleet: which clusters there are besides the hub, how one gets in, and which are meant. Clusters are published as ClusterProfiles; a
// provider file says which program gives the credentials for which of them; an engagement connects to each that is healthy, makes sure
// which cluster answers there, and keeps the manager's target clusters in step. Whoever works on clusters asks for the one that a namespace stands
// for (`resolveCluster`), and whether it can be looked at now (`seeTarget`).
//
// Which clusters somebody means is said by placements (`resolvePlacement`); in which order something new reaches them is a plan, made anew
// from what is there each time (`planFleet` in rollout/).
//
// Not here: what is done on a cluster, and what a cloud has to do with it. The engine's part, following objects of many clusters at once,
// is `Manager.targets` of #runtime.
//
// Start with cluster-profile.ts, then resolve.ts and engage.ts.
export { type Access, accessOf } from './access.ts'
export {
  type AccessProvider,
  type ClusterProfile,
  clusterManagerLabel,
  clusterNameLabel,
  clusterNameOf,
  clusterProfileKind,
  managedClusterLabels,
} from './cluster-profile.ts'
export { clusterProfileSource, createEngagement, type Engagement, type EngagementOptions } from './engage.ts'
export type { EngagementState, Engagements } from './engagement.ts'
export { type NameRule, namePattern, parseNameRule } from './name-rule.ts'
export {
  type Placement,
  type PlacementDecision,
  placementDecisionKind,
  placementKind,
  placementLabels,
} from './placement-kinds.ts'
export { type ChosenGroup, chooseGroups, type LabelledCluster, writePlacement } from './placement-stand-in.ts'
export { readProfileNamespaces } from './profile-namespaces.ts'
export { type ClusterProvider, ProviderFileError, parseProviderFile } from './provider-file.ts'
export { type ClusterResolution, namespaceOfLogicalName, resolveCluster } from './resolve.ts'
export { type PlacementResolution, resolvePlacement } from './resolve-placement.ts'
export {
  describeRollout,
  type FleetPlan,
  type FleetPlanning,
  isComplete,
  isRolledOut,
  type PlacementPlan,
  planFleet,
  type RolloutCounts,
} from './rollout/fleet-plan.ts'
export type { RolloutRules } from './rollout/plan.ts'
export type { ClusterProgress } from './rollout/progress.ts'
export { asAway, away, seeTarget, type TargetAway, type TargetSeen } from './see-target.ts'
export { engagementsFor } from './waiters.ts'
