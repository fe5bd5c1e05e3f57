// AWSWorkloadIdentityConfig: how ServiceAccounts of one cluster get their identity (§2.3).
import { defineKind, type Kind, type ObjectOf, type StoredCondition, type StoredObject, schema } from '#kube'
import { ageColumn, readyColumns } from './columns.ts'
import { group, singletonName } from './labels.ts'
import { patterns } from './patterns.ts'
import { type AckResourceEntry, ackResources, conditions, observedGeneration } from './status.ts'

export type DeliveryType = 'SelfHostedIRSA' | 'EKSPodIdentity' | 'EKSIRSA'

export interface ConfigSpec {
  readonly type: DeliveryType
  readonly region: string
  readonly eksIRSA?: EksIrsaSpec
}

export interface EksIrsaSpec {
  readonly issuerURL: string
  readonly oidcProvider: { readonly management: 'Managed' | 'External'; readonly arn?: string }
}

export interface ConfigStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly StoredCondition[]
  readonly ackResources?: readonly AckResourceEntry[]
  readonly resolvedClusterName?: string
  readonly issuerHostPath?: string
  readonly oidcProviderARN?: string
  readonly selfHostedIssuer?: { readonly bucketName: string; readonly publication?: Publication }
  readonly signingKeys?: SigningKeys
  readonly webhookRuntimeNamespace?: string
  readonly webhookRuntimeCertNotAfter?: string
}

/** Which keys of the signing Secret are ours. */
export interface SigningKeys {
  readonly held: readonly string[]
  readonly planned: readonly string[]
}

/** What was last seen published. */
export interface Publication {
  readonly bucketName: string
  readonly issuerURL: string
  readonly signingKeyID: string
  readonly objectSetDigest: string
}

const { dateTime, list, object, oneOf, string } = schema

const oidcProvider = object({
  management: oneOf('Managed', 'External').describe(
    'Managed: the operator makes the IAM OIDC provider. External: it exists already and `arn` names it.',
  ),
  arn: string({ minLength: 1, maxLength: 2048, pattern: patterns.oidcProviderArn })
    .describe('ARN of the existing IAM OIDC provider; External only.')
    .optional(),
})
  .rule({
    rule: "self.management == 'Managed' ? !has(self.arn) : has(self.arn)",
    message: 'spec.eksIRSA.oidcProvider.arn must be omitted for Managed and required for External',
  })
  .describe('The IAM OIDC provider that trusts the issuer of the cluster.')

const eksIrsa = object({
  issuerURL: string({ minLength: 1, maxLength: 256, pattern: patterns.eksIssuer }).describe(
    'OIDC issuer URL of the EKS cluster, as `aws eks describe-cluster` gives it.',
  ),
  oidcProvider,
})
  .rule({ rule: 'self == oldSelf', message: 'spec.eksIRSA is immutable' })
  .describe('Where tokens of the EKS cluster come from; EKSIRSA only.')

const spec = object({
  type: oneOf('SelfHostedIRSA', 'EKSPodIdentity', 'EKSIRSA')
    .rule({ rule: 'self == oldSelf', message: 'spec.type is immutable' })
    .describe('How identity is delivered to this cluster.'),
  region: string({ minLength: 1, maxLength: 32, pattern: patterns.region })
    .rule({ rule: 'self == oldSelf', message: 'spec.region is immutable' })
    .describe('AWS region of the issuer bucket or of the EKS cluster.'),
  eksIRSA: eksIrsa.optional(),
})
  .rule({
    rule: "has(self.eksIRSA) == (self.type == 'EKSIRSA')",
    message: 'spec.eksIRSA must be present exactly when spec.type is EKSIRSA',
  })
  .describe('What is wanted for this cluster.')

const publication = object({
  bucketName: string({ minLength: 1, maxLength: 63, pattern: patterns.label }).describe('Bucket that holds the documents.'),
  issuerURL: string({ minLength: 1, maxLength: 2048, pattern: '^https://.+$' }).describe('Issuer named in the documents.'),
  signingKeyID: string({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' }).describe('Id of the key in use.'),
  objectSetDigest: string({ pattern: '^sha256:[0-9a-f]{64}$' }).describe('Digest over both documents.'),
}).describe('What was last seen published.')

const keyIds = list(string({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' }), { maxItems: 8 })

const signingKeys = object({
  held: keyIds.describe('Ids of the keys in the signing Secret that this operator accounts for; no other key is published.'),
  planned: keyIds.describe('Ids of keys that were drawn and may be on their way into the signing Secret.'),
}).describe('Which keys are ours; SelfHostedIRSA only.')

const selfHostedIssuer = object({
  bucketName: string({ minLength: 1, maxLength: 63, pattern: patterns.label }).describe('Name of the issuer bucket.'),
  publication: publication.optional(),
}).describe('The self-hosted issuer; SelfHostedIRSA only.')

const status = object({
  observedGeneration,
  conditions,
  ackResources,
  resolvedClusterName: string({ maxLength: 507, pattern: patterns.clusterName })
    .describe('The cluster that this namespace stands for.')
    .optional(),
  issuerHostPath: string({ maxLength: 2048, pattern: patterns.hostPath })
    .describe('The issuer without its scheme, as trust policies name it.')
    .optional(),
  oidcProviderARN: string({ maxLength: 2048, pattern: patterns.oidcProviderArn })
    .describe('The IAM OIDC provider that trusts the issuer.')
    .optional(),
  selfHostedIssuer: selfHostedIssuer.optional(),
  signingKeys: signingKeys.optional(),
  webhookRuntimeNamespace: string({ maxLength: 63, pattern: patterns.label })
    .describe('Namespace of the webhook in the workload cluster.')
    .optional(),
  webhookRuntimeCertNotAfter: dateTime().describe('When the certificate of that webhook ends.').optional(),
}).describe('What was observed.')

export const configKind: Kind<ConfigSpec, ConfigStatus> = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'AWSWorkloadIdentityConfig',
  plural: 'awsworkloadidentityconfigs',
  shortNames: ['awic'],
  namespaced: true,
  description: 'How ServiceAccounts of the cluster that this namespace stands for get AWS identities.',
  spec,
  status,
  rules: [{ rule: `self.metadata.name == '${singletonName}'`, message: `metadata.name must be ${singletonName}` }],
  columns: [
    { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    { name: 'Region', type: 'string', jsonPath: '.spec.region' },
    ...readyColumns,
    { name: 'Issuer', type: 'string', jsonPath: '.status.issuerHostPath', priority: 1 },
    ageColumn,
  ],
})

export type WorkloadIdentityConfig = ObjectOf<typeof configKind> & StoredObject
