// What the identity operator may do in AWS, and no more: the documents of issuers always, the rest only where it makes AWS resources by calls
// of its own. Everything that it makes is called `awi-…`, so nothing of anybody else is within its reach, but for providers, whose name is
// that of their issuer.
import type { CloudPermission } from '#runtime'

export interface IdentityRightsOptions {
  readonly awsWriter: 'children' | 'direct'
}

const buckets = 'arn:aws:s3:::awi-*'

export function cloudRights({ awsWriter }: IdentityRightsOptions): readonly CloudPermission[] {
  const documents: CloudPermission = {
    actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    resources: [`${buckets}/*`],
    why: 'the documents of self-hosted issuers',
  }
  // Without it S3 says "forbidden" of a document that is not there.
  const absent: CloudPermission = { actions: ['s3:ListBucket'], resources: [buckets], why: 'whether a document is there' }
  return awsWriter === 'children' ? [documents, absent] : [documents, absent, ...directRights]
}

const directRights: readonly CloudPermission[] = [
  {
    actions: [
      'iam:GetRole',
      'iam:CreateRole',
      'iam:DeleteRole',
      'iam:UpdateRole',
      'iam:UpdateAssumeRolePolicy',
      'iam:TagRole',
      'iam:ListAttachedRolePolicies',
      'iam:AttachRolePolicy',
      'iam:DetachRolePolicy',
      'iam:ListRolePolicies',
      'iam:DeleteRolePolicy',
      'iam:PutRolePermissionsBoundary',
      'iam:DeleteRolePermissionsBoundary',
    ],
    resources: ['arn:aws:iam::*:role/awi-*'],
    why: 'the roles of bindings',
  },
  {
    actions: [
      'iam:GetPolicy',
      'iam:CreatePolicy',
      'iam:DeletePolicy',
      'iam:TagPolicy',
      'iam:GetPolicyVersion',
      'iam:ListPolicyVersions',
      'iam:CreatePolicyVersion',
      'iam:DeletePolicyVersion',
    ],
    resources: ['arn:aws:iam::*:policy/awi-*'],
    why: 'the policies of bindings that bring a document',
  },
  {
    actions: [
      'iam:GetOpenIDConnectProvider',
      'iam:CreateOpenIDConnectProvider',
      'iam:DeleteOpenIDConnectProvider',
      'iam:AddClientIDToOpenIDConnectProvider',
      'iam:RemoveClientIDFromOpenIDConnectProvider',
      'iam:TagOpenIDConnectProvider',
    ],
    resources: ['arn:aws:iam::*:oidc-provider/*'],
    why: 'the providers of self-hosted issuers; which is ours is said by its tags',
  },
  {
    actions: [
      's3:CreateBucket',
      's3:DeleteBucket',
      's3:GetBucketTagging',
      's3:PutBucketTagging',
      's3:GetBucketPolicy',
      's3:PutBucketPolicy',
      's3:GetBucketPublicAccessBlock',
      's3:PutBucketPublicAccessBlock',
      's3:GetBucketOwnershipControls',
      's3:PutBucketOwnershipControls',
      's3:GetEncryptionConfiguration',
      's3:PutEncryptionConfiguration',
    ],
    resources: [buckets],
    why: 'the buckets of self-hosted issuers',
  },
  {
    actions: [
      'eks:ListPodIdentityAssociations',
      'eks:DescribePodIdentityAssociation',
      'eks:CreatePodIdentityAssociation',
      'eks:UpdatePodIdentityAssociation',
      'eks:DeletePodIdentityAssociation',
      'eks:TagResource',
    ],
    resources: ['arn:aws:eks:*:*:cluster/*', 'arn:aws:eks:*:*:podidentityassociation/*'],
    why: 'the associations of EKS Pod Identity',
  },
  {
    actions: ['iam:PassRole'],
    resources: ['arn:aws:iam::*:role/awi-*'],
    conditions: { StringEquals: { 'iam:PassedToService': 'pods.eks.amazonaws.com' } },
    why: 'to hand a role to the agent of EKS Pod Identity',
  },
]
