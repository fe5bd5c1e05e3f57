// The permissions that a kind's controller needs, and no more: the operations of its verbs and those around its resource.
import type { Field } from '../infer/field-type.ts'
import { leafOf } from '../infer/field-type.ts'
import type { InferredKind, InferredService } from '../infer/infer-service.ts'
import { wireOperations } from './ir.ts'

export interface KindPolicy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly {
    readonly Sid: string
    readonly Effect: 'Allow'
    readonly Action: readonly string[]
    readonly Resource: '*'
  }[]
}

/** A policy document. Resources stay open: their names are the users' to choose. */
export function policyOf(service: InferredService, kind: InferredKind): KindPolicy {
  const prefix = service.model.signingName
  const actions = new Set(wireOperations(service, kind).map(operation => actionOf(prefix, operation)))
  const statements = [{ Sid: kind.kind, Effect: 'Allow', Action: [...actions].sort(), Resource: '*' } as const]
  if (!passesRole(service, kind)) return { Version: '2012-10-17', Statement: statements }
  return {
    Version: '2012-10-17',
    Statement: [...statements, { Sid: `${kind.kind}PassRole`, Effect: 'Allow', Action: ['iam:PassRole'], Resource: '*' }],
  }
}

/** S3 alone calls some permissions otherwise than its operations. */
const s3Actions: Readonly<Record<string, string>> = {
  GetBucketAccelerateConfiguration: 'GetAccelerateConfiguration',
  GetBucketAnalyticsConfiguration: 'GetAnalyticsConfiguration',
  GetBucketCors: 'GetBucketCORS',
  GetBucketEncryption: 'GetEncryptionConfiguration',
  GetBucketIntelligentTieringConfiguration: 'GetIntelligentTieringConfiguration',
  GetBucketInventoryConfiguration: 'GetInventoryConfiguration',
  GetBucketLifecycle: 'GetLifecycleConfiguration',
  GetBucketLifecycleConfiguration: 'GetLifecycleConfiguration',
  GetBucketMetricsConfiguration: 'GetMetricsConfiguration',
  GetBucketNotificationConfiguration: 'GetBucketNotification',
  GetBucketReplication: 'GetReplicationConfiguration',
  GetObjectLockConfiguration: 'GetBucketObjectLockConfiguration',
  GetPublicAccessBlock: 'GetBucketPublicAccessBlock',
  DeleteBucketAnalyticsConfiguration: 'PutAnalyticsConfiguration',
  DeleteBucketCors: 'PutBucketCORS',
  DeleteBucketEncryption: 'PutEncryptionConfiguration',
  DeleteBucketIntelligentTieringConfiguration: 'PutIntelligentTieringConfiguration',
  DeleteBucketInventoryConfiguration: 'PutInventoryConfiguration',
  DeleteBucketLifecycle: 'PutLifecycleConfiguration',
  DeleteBucketMetricsConfiguration: 'PutMetricsConfiguration',
  DeleteBucketOwnershipControls: 'PutBucketOwnershipControls',
  DeleteBucketReplication: 'PutReplicationConfiguration',
  DeleteBucketTagging: 'PutBucketTagging',
  DeletePublicAccessBlock: 'PutBucketPublicAccessBlock',
  HeadBucket: 'ListBucket',
  ListBucketAnalyticsConfigurations: 'GetAnalyticsConfiguration',
  ListBucketIntelligentTieringConfigurations: 'GetIntelligentTieringConfiguration',
  ListBucketInventoryConfigurations: 'GetInventoryConfiguration',
  ListBucketMetricsConfigurations: 'GetMetricsConfiguration',
  ListBuckets: 'ListAllMyBuckets',
  PutBucketAccelerateConfiguration: 'PutAccelerateConfiguration',
  PutBucketAnalyticsConfiguration: 'PutAnalyticsConfiguration',
  PutBucketCors: 'PutBucketCORS',
  PutBucketEncryption: 'PutEncryptionConfiguration',
  PutBucketIntelligentTieringConfiguration: 'PutIntelligentTieringConfiguration',
  PutBucketInventoryConfiguration: 'PutInventoryConfiguration',
  PutBucketLifecycle: 'PutLifecycleConfiguration',
  PutBucketLifecycleConfiguration: 'PutLifecycleConfiguration',
  PutBucketMetricsConfiguration: 'PutMetricsConfiguration',
  PutBucketNotificationConfiguration: 'PutBucketNotification',
  PutBucketReplication: 'PutReplicationConfiguration',
  PutObjectLockConfiguration: 'PutBucketObjectLockConfiguration',
  PutPublicAccessBlock: 'PutBucketPublicAccessBlock',
}

function actionOf(prefix: string, operation: string): string {
  const name = prefix === 's3' && Object.hasOwn(s3Actions, operation) ? s3Actions[operation] : operation
  return `${prefix}:${name}`
}

/** True when users hand a role over to the service with this kind. */
function passesRole({ alias, types }: InferredService, kind: InferredKind): boolean {
  const seen = new Set<string>()
  const isRole = (field: Field): boolean => {
    const reference = field.config?.references
    if (reference?.resource === 'Role' && (reference.service_name ?? alias) === 'iam') return true
    const leaf = leafOf(field.type)
    if (leaf.kind !== 'structure' || seen.has(leaf.shape)) return false
    seen.add(leaf.shape)
    return [...types.fieldsOf(leaf.shape).values()].some(isRole)
  }
  return [...kind.spec.values()].some(isRole)
}
