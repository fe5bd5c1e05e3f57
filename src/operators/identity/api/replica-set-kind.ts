// AWSServiceAccountRoleReplicaSet: the same role in many clusters, chosen by placements (§2.5).
import { type CelRule, defineKind, type Kind, type ObjectOf, type StoredCondition, type StoredObject, schema } from '#kube'
import { ageColumn, readyColumns } from './columns.ts'
import { annotations, group, reservedLabelKeys } from './labels.ts'
import { patterns } from './patterns.ts'
import { type RoleSpec, roleSpec } from './role-kind.ts'
import { conditions, observedGeneration } from './status.ts'

export interface ReplicaSetSpec {
  readonly placementRefs: readonly PlacementRef[]
  readonly template: ReplicaSetTemplate
}

export interface PlacementRef {
  readonly name: string
  readonly rolloutStrategy?: RolloutStrategy
}

export interface RolloutStrategy {
  readonly type?: 'All' | 'Progressive' | 'ProgressivePerGroup'
  readonly all?: RolloutConfig
  readonly progressive?: RolloutConfig & {
    readonly maxConcurrency?: number | string
    readonly mandatoryDecisionGroups?: readonly DecisionGroup[]
  }
  readonly progressivePerGroup?: RolloutConfig & { readonly mandatoryDecisionGroups?: readonly DecisionGroup[] }
}

export interface RolloutConfig {
  readonly maxFailures?: number | string
  readonly minSuccessTime?: string
  readonly progressDeadline?: string
}

interface DecisionGroup {
  readonly groupName?: string
  readonly groupIndex?: number
}

export type ClusterPhase = 'Pending' | 'Ready' | 'Conflict' | 'Failed' | 'TimedOut'

export interface ReplicaSetStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly StoredCondition[]
  readonly selectedClusterCount?: number
  readonly desiredClusterCount?: number
  readonly appliedClusterCount?: number
  readonly readyClusterCount?: number
  readonly staleClusterCount?: number
  readonly conflictCount?: number
  readonly failureCount?: number
  readonly placements?: readonly PlacementStatus[]
  readonly rollout?: RolloutSummary
  readonly clusters?: readonly ClusterStatus[]
  readonly failedClusters?: readonly FailedCluster[]
  readonly retry?: RolloutRetry
  readonly completedTemplate?: ReplicaSetTemplate
}

/** The request of `annotations.rolloutRetry` that was taken up last. */
export interface RolloutRetry {
  readonly request: string
  readonly since: string
}

export interface ReplicaSetTemplate {
  readonly metadata?: { readonly labels?: Strings; readonly annotations?: Strings }
  readonly spec: RoleSpec
}

export interface PlacementStatus {
  readonly name: string
  readonly selectedClusterCount?: number
  readonly availableDecisionGroups?: string
  readonly rollout?: RolloutSummary
  readonly conditions?: readonly StoredCondition[]
}

export interface RolloutSummary {
  readonly total?: number
  readonly updating?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly timedOut?: number
  readonly conditions?: readonly StoredCondition[]
}

export interface FailedCluster {
  readonly clusterName: string
  readonly phase: ClusterPhase
  readonly reason?: string
  readonly message?: string
  /** When its time was over: by it a successor whose clock is behind knows that it is. */
  readonly timedOutAt?: string
}

export interface ClusterStatus extends FailedCluster {
  readonly namespace?: string
  readonly name?: string
}

type Strings = Readonly<Record<string, string>>

const { dateTime, integer, intOrString, list, map, object, oneOf, openObject, string } = schema

const qualifiedKeys =
  "self.all(k, size(k) <= 317 && k.matches('^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$'))"

const templateLabels = map(string({ maxLength: 63, pattern: patterns.labelValue }), { maxProperties: 64 })
  .rule({ rule: qualifiedKeys, message: 'label keys must be valid Kubernetes qualified names' })
  .rule({
    rule: `self.all(k, !(k in [${reservedLabelKeys.map(key => `'${key}'`).join(', ')}]))`,
    message:
      'label key is reserved by aws-workload-identity-operator; reserved keys: app.kubernetes.io/managed-by, ' +
      'aws.identity.appthrust.io/{binding-uid,config-uid,delivery,inventory-namespace,owner-ref,replicaset-uid,runtime,service-account}',
  })
  .describe('Labels of the generated Roles.')

const templateAnnotations = map(string({ maxLength: 262144 }), { maxProperties: 64 })
  .rule({ rule: qualifiedKeys, message: 'annotation keys must be valid Kubernetes qualified names' })
  .rule({
    rule: `self.all(k, !(k in ['${annotations.replicaSetOwnerRef}']))`,
    message: `annotation key '${annotations.replicaSetOwnerRef}' is reserved by aws-workload-identity-operator`,
  })
  .rule({
    rule: 'self.map(k, size(k) + size(self[k])).sum() <= 261120',
    message:
      'annotations total size (sum of all key and value bytes) must not exceed 261120 bytes; the remaining 1024 bytes of ' +
      "apimachinery's 262144-byte TotalAnnotationSizeLimitB are reserved for operator-stamped annotations",
  })
  .describe('Annotations of the generated Roles.')

const decisionGroups = list(
  object({
    groupName: string().describe('Name of the decision group.').optional(),
    groupIndex: integer({ format: 'int32' }).describe('Index of the decision group.').optional(),
  }),
)
  .describe('Decision groups that come first, one after the other.')
  .optional()

const rolloutConfig = {
  maxFailures: intOrString({ pattern: patterns.intOrPercent })
    .default(0)
    .describe('So many clusters, or so many per cent, may fail before the rollout stops.')
    .optional(),
  minSuccessTime: string().default('0').describe('How long a cluster must be well before the next one starts.').optional(),
  progressDeadline: string({ pattern: patterns.deadline }).default('None').describe('How long a cluster may take.').optional(),
}

const rolloutStrategy = object({
  type: oneOf('All', 'Progressive', 'ProgressivePerGroup').default('All').describe('How clusters follow one another.').optional(),
  all: object(rolloutConfig).describe('All at once.').optional(),
  progressive: object({
    ...rolloutConfig,
    maxConcurrency: intOrString({ pattern: patterns.intOrPercent })
      .describe('So many clusters, or so many per cent, at once.')
      .optional(),
    mandatoryDecisionGroups: decisionGroups,
  })
    .describe('A few at a time.')
    .optional(),
  progressivePerGroup: object({ ...rolloutConfig, mandatoryDecisionGroups: decisionGroups })
    .describe('Decision group by decision group.')
    .optional(),
})

const groupsMax = 32

function groupsRule(strategy: 'progressive' | 'progressivePerGroup'): CelRule {
  const path = `self.rolloutStrategy.${strategy}`
  return {
    rule: `!has(${path}) || !has(${path}.mandatoryDecisionGroups) || size(${path}.mandatoryDecisionGroups) <= ${groupsMax}`,
    message: `rolloutStrategy.${strategy}.mandatoryDecisionGroups must have at most ${groupsMax} entries`,
  }
}

const placementRef = object({
  name: string({ minLength: 1, maxLength: 253, pattern: patterns.subdomain }).describe('A Placement in this namespace.'),
  rolloutStrategy: rolloutStrategy
    .default({ type: 'All' })
    .describe('How the role reaches the clusters of this placement.')
    .optional(),
})
  .rule(groupsRule('progressive'))
  .rule(groupsRule('progressivePerGroup'))

const spec = object({
  placementRefs: list(placementRef, { minItems: 1, maxItems: 16, keys: ['name'] }).describe('Which clusters.'),
  template: object({
    metadata: object({ labels: templateLabels.optional(), annotations: templateAnnotations.optional() })
      .describe('Metadata of the generated Roles.')
      .optional(),
    spec: roleSpec,
  }).describe('The Role to make in each cluster namespace.'),
})
  .rule({
    rule: 'self.template.spec.serviceAccount == oldSelf.template.spec.serviceAccount',
    message: 'spec.template.spec.serviceAccount is immutable',
  })
  .describe('What is wanted, and where.')

const count = integer({ format: 'int32', minimum: 0 })
const clusterName = string({ minLength: 1, maxLength: 253, pattern: patterns.subdomain }).describe('The cluster.')
const phase = oneOf('Pending', 'Ready', 'Conflict', 'Failed', 'TimedOut').describe('How it is.')
const reason = string({ maxLength: 1024 }).describe('Why, in one word.').optional()
const message = string({ maxLength: 32768 }).describe('Why, for people.').optional()
const timedOutAt = dateTime().describe('When its time was over; absent while it has some.').optional()
const subdomain = string({ maxLength: 253, pattern: patterns.subdomain })

const rollout = object({
  total: count.describe('Clusters in all.').optional(),
  updating: count.describe('Clusters being worked on.').optional(),
  succeeded: count.describe('Clusters that are done.').optional(),
  failed: count.describe('Clusters that failed.').optional(),
  timedOut: count.describe('Clusters that took too long.').optional(),
  conditions,
}).describe('How far the rollout is.')

/** What was accepted once; a status is not the place to judge it again. */
const completedTemplate = object({
  metadata: object({ labels: map(string()).optional(), annotations: map(string()).optional() }).optional(),
  spec: object({
    serviceAccount: object({ namespace: string(), name: string() }),
    policyARNs: list(string()).optional(),
    policyDocument: openObject().optional(),
    roleName: string().optional(),
  }),
}).describe('The template that was rolled out last, everywhere but where its strategy lets it fail: what a rollback brings back.')

const status = object({
  observedGeneration,
  conditions,
  selectedClusterCount: count.describe('Clusters that the placements chose.').optional(),
  desiredClusterCount: count.describe('Clusters that are to have the role.').optional(),
  appliedClusterCount: count.describe('Clusters whose Role is written.').optional(),
  readyClusterCount: count.describe('Clusters whose Role is Ready.').optional(),
  staleClusterCount: count.describe('Clusters with a Role that nobody wants any more.').optional(),
  conflictCount: count.describe('Clusters with a Role of this name that is not ours.').optional(),
  failureCount: count.describe('Clusters that failed.').optional(),
  placements: list(
    object({
      name: string({ minLength: 1, maxLength: 253, pattern: patterns.subdomain }).describe('The placement.'),
      selectedClusterCount: count.describe('Clusters that it chose.').optional(),
      availableDecisionGroups: string({ maxLength: 1024 }).describe('Decision groups that are complete.').optional(),
      rollout: rollout.optional(),
      conditions,
    }),
    { maxItems: 16, keys: ['name'] },
  )
    .describe('By placement.')
    .optional(),
  rollout: rollout.optional(),
  clusters: list(
    object({
      clusterName,
      phase,
      namespace: subdomain.describe('Namespace of the Role.').optional(),
      name: subdomain.describe('Name of the Role.').optional(),
      reason,
      message,
      timedOutAt,
    }),
    { maxItems: 100, keys: ['clusterName'] },
  )
    .describe('By cluster; the first hundred.')
    .optional(),
  failedClusters: list(object({ clusterName, phase, reason, message, timedOutAt }), { maxItems: 50, keys: ['clusterName'] })
    .describe('Clusters that failed; the first fifty.')
    .optional(),
  retry: object({
    request: string({ maxLength: 262144 }).describe('Value of the annotation.'),
    since: dateTime().describe('When it was taken up.'),
  })
    .describe('The request for another try that was taken up last.')
    .optional(),
  completedTemplate: completedTemplate.optional(),
}).describe('What was observed.')

export const replicaSetKind: Kind<ReplicaSetSpec, ReplicaSetStatus> = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'AWSServiceAccountRoleReplicaSet',
  plural: 'awsserviceaccountrolereplicasets',
  shortNames: ['awsarrs'],
  namespaced: true,
  description: 'The same role for the same ServiceAccount in every cluster that placements choose.',
  spec,
  status,
  columns: [
    { name: 'SA-Namespace', type: 'string', jsonPath: '.spec.template.spec.serviceAccount.namespace' },
    { name: 'ServiceAccount', type: 'string', jsonPath: '.spec.template.spec.serviceAccount.name' },
    { name: 'Desired', type: 'integer', jsonPath: '.status.desiredClusterCount' },
    { name: 'ReadyClusters', type: 'integer', jsonPath: '.status.readyClusterCount' },
    { name: 'Failed', type: 'integer', jsonPath: '.status.failureCount' },
    { name: 'Conflicts', type: 'integer', jsonPath: '.status.conflictCount', priority: 1 },
    { name: 'Stale', type: 'integer', jsonPath: '.status.staleClusterCount', priority: 1 },
    ...readyColumns,
    ageColumn,
  ],
})

export type ServiceAccountRoleReplicaSet = ObjectOf<typeof replicaSetKind> & StoredObject
