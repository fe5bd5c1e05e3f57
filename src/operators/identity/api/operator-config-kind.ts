// AWSWorkloadIdentityOperatorConfig: what holds for all clusters (§2.6). It has no status.
import { defineKind, type Kind, type ObjectOf, type StoredObject, schema } from '#kube'
import { ageColumn } from './columns.ts'
import { group, singletonName, webhookNamespaceDefault } from './labels.ts'
import { patterns } from './patterns.ts'

export interface OperatorConfigSpec {
  readonly permissionsBoundaryARN?: string
  /** Filled in by the server. */
  readonly selfHostedIRSA?: { readonly webhookNamespace?: string }
  /** What the names of IAM roles yet to be made rest on; `ObjectUID` when absent. */
  readonly roleNames?: RoleNames
  /** Which names bindings may choose themselves; none when absent. */
  readonly allowedRoleNames?: readonly AllowedRoleNames[]
}

/** Patterns in which `*` stands for any characters. */
interface AllowedRoleNames {
  /** Of namespaces of the hub, which are clusters; all when absent. */
  readonly clusters?: readonly string[]
  readonly names: readonly string[]
}

export type RoleNames = 'ObjectUID' | 'ServiceAccount'

const { list, object, oneOf, string } = schema

const selfHosted = object({
  webhookNamespace: string({ minLength: 1, maxLength: 63, pattern: patterns.label })
    .rule({ rule: 'self == oldSelf', message: 'spec.selfHostedIRSA.webhookNamespace is immutable' })
    .default(webhookNamespaceDefault)
    .optional()
    .describe('Namespace of the pod identity webhook in workload clusters. The operator does not create it.'),
})

const globs = list(string({ minLength: 1, maxLength: 64, pattern: '^[-a-z0-9*]+$' }), { minItems: 1, maxItems: 32 })

const allowed = object({
  clusters: globs.describe('Namespaces of this hub, `*` for any characters; all when absent.').optional(),
  names: globs.describe('Names, `*` for any characters.'),
})

const spec = object({
  permissionsBoundaryARN: string({ minLength: 1, maxLength: 2048, pattern: patterns.policyArn })
    .describe('Permissions boundary of every role that the operator makes.')
    .optional(),
  roleNames: oneOf('ObjectUID', 'ServiceAccount')
    .describe(
      'What the names of IAM roles rest on that are yet to be made. ObjectUID: on the uid of the AWSServiceAccountRole, so one that is made again gets another ARN. ServiceAccount: on cluster, namespace and name of the ServiceAccount, so the ARN stays. A name on record stays whatever is said here.',
    )
    .optional(),
  allowedRoleNames: list(allowed, { maxItems: 64 })
    .describe(
      'Which names an AWSServiceAccountRole may choose by spec.roleName; none when absent. Whoever may choose a name may choose one that a policy elsewhere trusts.',
    )
    .optional(),
  selfHostedIRSA: selfHosted.default({}).describe('For clusters whose issuer the operator hosts.').optional(),
}).describe('What holds for all clusters.')

export const operatorConfigKind: Kind<OperatorConfigSpec, never> = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'AWSWorkloadIdentityOperatorConfig',
  plural: 'awsworkloadidentityoperatorconfigs',
  shortNames: ['awioc'],
  namespaced: false,
  description: 'Settings of the workload identity operator that hold for all clusters.',
  spec,
  rules: [{ rule: `self.metadata.name == '${singletonName}'`, message: `metadata.name must be ${singletonName}` }],
  columns: [
    { name: 'Webhook-Namespace', type: 'string', jsonPath: '.spec.selfHostedIRSA.webhookNamespace' },
    { name: 'Permissions-Boundary', type: 'string', jsonPath: '.spec.permissionsBoundaryARN', priority: 1 },
    ageColumn,
  ],
})

export type OperatorConfig = ObjectOf<typeof operatorConfigKind> & StoredObject
