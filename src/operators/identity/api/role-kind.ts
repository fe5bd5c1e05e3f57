// AWSServiceAccountRole: one ServiceAccount of the cluster gets one IAM role (§2.4). Messages and documents call it a Role.
import { defineKind, type Kind, type ObjectOf, type Schema, type StoredCondition, type StoredObject, schema } from '#kube'
import { ageColumn, readyColumns } from './columns.ts'
import type { DeliveryType } from './config-kind.ts'
import { group } from './labels.ts'
import { patterns } from './patterns.ts'
import { type AckResourceEntry, ackResources, conditions, observedGeneration } from './status.ts'

export interface RoleSpec {
  readonly serviceAccount: { readonly namespace: string; readonly name: string }
  readonly policyARNs?: readonly string[]
  readonly policyDocument?: Readonly<Record<string, unknown>>
  /** A name that the binding chooses itself, where the operator config allows it. */
  readonly roleName?: string
}

export interface RoleStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly StoredCondition[]
  readonly deliveryType?: DeliveryType
  readonly resolvedClusterName?: string
  readonly roleARN?: string
  /** Of the role in force, on record before it is made; absent where its name holds the binding's uid. */
  readonly roleName?: string
  /** Of a second role, on record before it is made: the one to come while the binding moves to its name, the former one after that. */
  readonly otherRoleName?: string
  readonly generatedPolicyARN?: string
  readonly ackResources?: readonly AckResourceEntry[]
}

const { list, object, oneOf, openObject, string } = schema

const serviceAccount = object({
  namespace: string({ minLength: 1, maxLength: 63, pattern: patterns.label }).describe('Its namespace in the workload cluster.'),
  name: string({ minLength: 1, maxLength: 253, pattern: patterns.subdomain }).describe('Its name.'),
})
  .rule({ rule: 'self == oldSelf', message: 'spec.serviceAccount is immutable' })
  .describe('The ServiceAccount in the workload cluster that may assume the role.')

/** Also the `spec` of a ReplicaSet's template. */
export const roleSpec: Schema<RoleSpec> = object({
  serviceAccount,
  policyARNs: list(string({ minLength: 1, maxLength: 2048, pattern: patterns.policyArn }), { maxItems: 10, listType: 'set' })
    .describe('Managed policies to attach. Either these or `policyDocument`.')
    .optional(),
  policyDocument: openObject({ minProperties: 1 })
    .describe('A policy of its own, as JSON. Either this or `policyARNs`.')
    .optional(),
  roleName: string({ minLength: 1, maxLength: 64, pattern: patterns.label })
    .rule({
      rule: "!self.startsWith('awi-')",
      message: 'spec.roleName must not begin with awi-, as names that the operator makes do',
    })
    .describe('Name of the IAM role, where `allowedRoleNames` of the AWSWorkloadIdentityOperatorConfig allows it.')
    .optional(),
})
  .rule({
    rule: '!has(oldSelf.roleName) || (has(self.roleName) && self.roleName == oldSelf.roleName)',
    message: 'spec.roleName can be set, and neither changed nor taken away',
  })
  .rule({
    rule: '(has(self.policyARNs) && self.policyARNs.size() > 0) != has(self.policyDocument)',
    message: 'exactly one of spec.policyARNs or spec.policyDocument must be specified',
  })
  .describe('Who gets what.')

const status = object({
  observedGeneration,
  conditions,
  deliveryType: oneOf('SelfHostedIRSA', 'EKSPodIdentity', 'EKSIRSA').describe('How the role is delivered.').optional(),
  resolvedClusterName: string({ maxLength: 507, pattern: patterns.clusterName })
    .describe('The cluster whose ServiceAccount is annotated.')
    .optional(),
  roleARN: string({ maxLength: 2048, pattern: patterns.roleArn }).describe('The IAM role.').optional(),
  roleName: string({ minLength: 1, maxLength: 64, pattern: patterns.roleName })
    .describe('The name of the IAM role, where it is not made of the uid of this object.')
    .optional(),
  otherRoleName: string({ minLength: 1, maxLength: 64, pattern: patterns.roleName })
    .describe(
      'The name of a second IAM role, while this object moves from one name to another: the one to come, or the former one.',
    )
    .optional(),
  generatedPolicyARN: string({ maxLength: 2048, pattern: patterns.policyArn })
    .describe('The IAM policy made of `policyDocument`.')
    .optional(),
  ackResources,
}).describe('What was observed.')

export const roleKind: Kind<RoleSpec, RoleStatus> = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'AWSServiceAccountRole',
  plural: 'awsserviceaccountroles',
  shortNames: ['awsar'],
  namespaced: true,
  description: 'An IAM role for one ServiceAccount of the cluster that this namespace stands for.',
  spec: roleSpec,
  status,
  columns: [
    { name: 'SA-Namespace', type: 'string', jsonPath: '.spec.serviceAccount.namespace' },
    { name: 'ServiceAccount', type: 'string', jsonPath: '.spec.serviceAccount.name' },
    ...readyColumns,
    { name: 'RoleARN', type: 'string', jsonPath: '.status.roleARN' },
    { name: 'Delivery', type: 'string', jsonPath: '.status.deliveryType', priority: 1 },
    ageColumn,
  ],
})

export type ServiceAccountRole = ObjectOf<typeof roleKind> & StoredObject
