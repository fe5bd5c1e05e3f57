// The ACK kinds of which we make objects (§5.7). Their schemas are ACK's own; here stands only where they are served, and which
// fields their controller fills in by itself, so that nobody takes them out again (M1).
import type { ResourceType } from '#kube'

/** An ACK kind as we use it. */
export interface ChildKind {
  readonly type: ResourceType
  /** What people call the AWS thing, in conditions. */
  readonly noun: string
  /** Fields of `spec` that the controller writes back after creation. They are nobody's drift. */
  readonly lateInitialized: readonly string[]
  /** Whether its ARN ends in its name. */
  readonly isNamedInArn: boolean
}

export const roleKind: ChildKind = child('iam', 'Role', 'roles', 'IAM role', ['description'])
export const policyKind: ChildKind = child('iam', 'Policy', 'policies', 'IAM policy', [])
export const providerKind: ChildKind = child(
  'iam',
  'OpenIDConnectProvider',
  'openidconnectproviders',
  'IAM OIDC provider',
  // AWS computes it from the issuer's certificate chain; what ACK read is kept.
  ['thumbprints'],
)
export const bucketKind: ChildKind = child('s3', 'Bucket', 'buckets', 'S3 bucket', ['abac', 'createBucketConfiguration'])
export const associationKind: ChildKind = child(
  'eks',
  'PodIdentityAssociation',
  'podidentityassociations',
  'EKS pod identity association',
  ['disableSessionTags'],
)

function child(service: string, kind: string, plural: string, noun: string, lateInitialized: readonly string[]): ChildKind {
  const type = { group: `${service}.services.k8s.aws`, version: 'v1alpha1', kind, plural, namespaced: true }
  return { type, noun, lateInitialized, isNamedInArn: kind === 'Role' || kind === 'Policy' }
}
