// Which permission a call takes. For nearly all of AWS it has the name of the operation.

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
  HeadObject: 'GetObject',
  ListBuckets: 'ListAllMyBuckets',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  ListObjectVersions: 'ListBucketVersions',
  ListObjectsV2: 'ListBucket',
  DeleteObjects: 'DeleteObject',
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

/** `iam:CreateRole`: by the name under which the service signs, and the operation. */
export function permissionOf(signingName: string, operation: string): string {
  // Of directory buckets, which have permissions of their own.
  if (operation === 'ListDirectoryBuckets') return 's3express:ListAllMyDirectoryBuckets'
  const name = signingName === 's3' && Object.hasOwn(s3Actions, operation) ? s3Actions[operation] : operation
  return `${signingName}:${name}`
}
