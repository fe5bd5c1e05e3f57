// The closed lists of condition types and reasons (§4.1). Dashboards, alerts and other controllers match on them.

export const conditionTypes = {
  operatorConfigReady: 'OperatorConfigReady',
  clusterProfileResolved: 'ClusterProfileResolved',
  inventoryResolved: 'InventoryResolved',
  bucketReady: 'BucketReady',
  oidcObjectsPublished: 'OIDCObjectsPublished',
  iamProviderReady: 'IAMProviderReady',
  issuerReady: 'IssuerReady',
  configResolved: 'ConfigResolved',
  policyReady: 'PolicyReady',
  roleReady: 'RoleReady',
  trustPolicyReady: 'TrustPolicyReady',
  serviceAccountAnnotationReady: 'ServiceAccountAnnotationReady',
  webhookRuntimeReady: 'WebhookRuntimeReady',
  podIdentityAssociationReady: 'PodIdentityAssociationReady',
  podIdentityAgentReady: 'PodIdentityAgentReady',
  deliveryReady: 'DeliveryReady',
  ready: 'Ready',
  deletionBlocked: 'DeletionBlocked',
  placementResolved: 'PlacementResolved',
  placementRolledOut: 'PlacementRolledOut',
  progressing: 'Progressing',
  rolesApplied: 'AWSServiceAccountRolesApplied',
  rolesReady: 'AWSServiceAccountRolesReady',
  cleanupBlocked: 'CleanupBlocked',
  /** Ours: only there once a rotation was asked for. */
  signingKeyRotated: 'SigningKeyRotated',
  /** Ours: only there once a key was found that is not on record. */
  signingKeysProven: 'SigningKeysProven',
  /** Ours: only there once a binding was to move to another name of its role. */
  roleMigrated: 'RoleMigrated',
  /** Ours, all four: only there once a rollout was paused, stopped by its failures, retried, or taken back. */
  rolloutPaused: 'RolloutPaused',
  rolloutStopped: 'RolloutStopped',
  rolloutRetried: 'RolloutRetried',
  rolloutRolledBack: 'RolloutRolledBack',
} as const

export type ConditionType = (typeof conditionTypes)[keyof typeof conditionTypes]

const positive = [
  'Ready',
  'AnnotationRepaired',
  'Reconciled',
  'Resolved',
  'Rendered',
  'NotRequired',
  'HubResourcesReady',
  'EKSAutoMode',
  'ManagedPoliciesOnly',
  'ACKResourceSynced',
  'OIDCObjectsPublished',
  'WebhookRuntimeSynced',
  'ChildrenApplied',
  'ChildrenReady',
  'DeletionUnblocked',
  'Complete',
] as const

const inputProblems = [
  'InvalidSpec',
  'OperatorConfigUnavailable',
  'ConfigNotReady',
  'ConfigUnavailable',
  'ResolverError',
  'ClusterProfileNotFound',
  'InventoryUnavailable',
  'InventoryAmbiguous',
  'TrustPolicyInputMissing',
  'PlacementUnavailable',
  'ClusterNamespaceMissing',
] as const

const waiting = [
  'WaitingForACK',
  'ACKResourceNotSynced',
  'ACKResourceIdentifierPending',
  'ACKResourceWaiting',
  'RemoteCheckPending',
  'RemoteDeliveryPending',
  'RemoteNamespaceBootstrapPending',
  'WaitingForWebhookDeployment',
  'WebhookDeploymentObservedGenerationLag',
  'WebhookDeploymentRolloutInProgress',
  'WebhookDeploymentReplicasUnavailable',
  'WebhookRuntimeUnavailable',
  'ChildrenPending',
  'Progressing',
  'RolloutPending',
] as const

const failures = [
  'IssuerReconcileFailed',
  'OIDCObjectsPublishFailed',
  'RemoteClusterUnavailable',
  'RemoteRuntimeUnmanaged',
  'WebhookRuntimeApplyFailed',
  'ChildApplyFailed',
  'ChildConflict',
  'ChildOwnershipMismatch',
  'ImmutableChildDrift',
  'RolloutTimedOut',
] as const

const deletion = ['RolesRemain', 'DeletionBlocked'] as const

/** Ours, on top of the reference's list: rotation, a key set that two clusters share (X3), and rollouts that somebody steers. */
const ours = [
  'SigningKeyPublished',
  'SigningKeyPropagating',
  'SigningKeyHandover',
  'SigningKeyRetiring',
  'SigningKeyCurrent',
  'SigningKeyShared',
  'SigningKeyForeign',
  'SigningKeysProven',
  'IssuerDocumentsOverwritten',
  'RoleARNEnds',
  'RoleMigrating',
  'RoleMigrated',
  'FormerRoleKept',
  'RolloutPaused',
  'RolloutResumed',
  'TooManyFailures',
  'WithinLimits',
  'RetryRequested',
  'RetryEnded',
  'RolledBack',
  'RollbackEnded',
  'RollbackUnavailable',
] as const

/** Every reason that a condition or an event of this operator can carry. */
export const reasons: readonly Reason[] = [...positive, ...inputProblems, ...waiting, ...failures, ...deletion, ...ours]

export type Reason =
  | (typeof positive)[number]
  | (typeof inputProblems)[number]
  | (typeof waiting)[number]
  | (typeof failures)[number]
  | (typeof deletion)[number]
  | (typeof ours)[number]
