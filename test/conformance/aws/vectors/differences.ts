// Where moto and AWS differ, as data: at these paths of a reply the emulator follows AWS, or both are free. Every row has its reason,
// and names the row of the known measurements where there is one (M1 to M24).
import type { VectorService } from './perform.ts'

export interface Difference {
  readonly service: VectorService
  /** Names divided by spaces, or `*`. */
  readonly operation: string
  /** Paths of a reply: `status`, `error`, `message`, `output.Role.Tags`; everything below is included. */
  readonly paths: readonly string[]
  /** Only where the request holds this text. */
  readonly when?: string
  readonly reason: string
}

const refused = ['status', 'error', 'message', 'output']

export const differences: readonly Difference[] = [
  // IAM
  row('iam', '*', ['message'], 'moto words "not found" and "already exists" in its own way; the codes agree, and M7'),
  row('iam', 'CreateRole', ['output.Role.RoleLastUsed'], 'AWS tells of the last use in GetRole only'),
  row('iam', 'ListInstanceProfilesForRole GetInstanceProfile ListInstanceProfiles', instanceProfile('RoleLastUsed'), 'as above'),
  row('iam', 'CreatePolicyVersion', ['output.PolicyVersion.Document'], 'AWS does not repeat the document'),
  row('iam', '*', ['output.IsTruncated'], 'moto leaves it out of some lists; AWS always sends it'),
  row('iam', '*', ['output.Marker'], 'opaque'),
  row('iam', 'ListRoles', ['output.Roles'], 'moto pages in order of creation, AWS by name'),
  row('iam', 'ListPolicyVersions', ['output.Versions'], 'moto lists the oldest first, AWS the newest'),
  row('iam', 'GetPolicy', ['output.Policy.AttachmentCount'], 'moto counts a second attachment of the same policy'),
  row('iam', 'CreatePolicy GetPolicy', ['output.Policy.PermissionsBoundaryUsageCount'], 'moto has no such count'),
  row('iam', 'ListPolicies', ['output.Policies.*.PermissionsBoundaryUsageCount'], 'moto has no such count'),
  row(
    'iam',
    'GetRole',
    ['output.Role.PermissionsBoundary.PermissionsBoundaryType'],
    'AWS documents `Policy`; moto sends the name of the value',
  ),
  row('iam', 'GetGroup', ['output.Users.*.Tags'], 'AWS tells tags in GetUser only'),
  row('iam', 'CreateOpenIDConnectProvider', ['output.Tags'], 'moto leaves the tags out'),
  // STS
  row('sts', 'GetCallerIdentity', ['output.Arn', 'output.UserId'], 'M6: another principal stands behind an unknown key'),
  row('sts', 'GetAccessKeyInfo', refused, 'M6: the emulator knows only keys that it gave out'),
  row('sts', 'AssumeRole', ['output.PackedPolicySize'], 'AWS sends it only with a policy or tags'),
  // S3
  row('s3', '*', ['output.ServerSideEncryption'], 'M13: objects are encrypted by default, and the answer says so'),
  row(
    's3',
    '*',
    ['output.ChecksumType', 'output.Contents.*.ChecksumType', 'output.Contents.*.ChecksumAlgorithm'],
    'moto is older than checksum types',
  ),
  row(
    's3',
    'ListBuckets',
    ['output.Buckets.*.BucketRegion', 'output.Owner'],
    'moto is older; the canonical id is drawn per account',
  ),
  row('s3', 'HeadBucket', ['output.AccessPointAlias'], 'moto leaves it out'),
  row(
    's3',
    'ListObjects',
    ['output.Contents.*.Owner', 'output.Marker', 'output.Prefix'],
    'the canonical id; AWS sends empty elements',
  ),
  row(
    's3',
    'ListMultipartUploads',
    ['output.Uploads.*.Owner', 'output.Uploads.*.Initiator', 'output.Prefix'],
    'the canonical id; AWS sends empty elements',
  ),
  row('s3', 'GetBucketAcl', ['output.Owner', 'output.Grants.*.Grantee'], 'the canonical id is drawn per account'),
  row('s3', 'CompleteMultipartUpload', ['output.Location'], 'moto sends http'),
  row(
    's3',
    'GetBucketLifecycleConfiguration',
    ['output.TransitionDefaultMinimumObjectSize'],
    'a default that AWS has sent since 2024',
  ),
  row(
    's3',
    'GetBucketEncryption',
    ['output.ServerSideEncryptionConfiguration.Rules.*.BucketKeyEnabled'],
    'stored as it was sent',
  ),
  row('s3', 'PutBucketPolicy', ['status'], 'AWS documents 204'),
  row('s3', 'CopyObject', ['output.CopyObjectResult.ChecksumType'], 'moto is older than checksum types'),
  row('s3', 'ListObjectsV2', ['output.ContinuationToken'], 'AWS repeats the token'),
  row('s3', 'CompleteMultipartUpload', ['output.VersionId'], 'moto sends `null` for a bucket without versions'),
  // Route 53
  row('route53', '*', ['output.ChangeInfo.Status'], 'M21: a change is PENDING first'),
  row(
    'route53',
    'CreateHostedZone',
    ['output.DelegationSet.Id', 'output.DelegationSet.CallerReference'],
    'only reusable delegation sets have them',
  ),
  row(
    'route53',
    'GetHostedZone',
    ['output.DelegationSet.Id', 'output.DelegationSet.CallerReference'],
    'only reusable delegation sets have them',
  ),
  row('route53', 'ListResourceRecordSets', ['output.ResourceRecordSets.*.AliasTarget.DNSName'], 'AWS adds the last dot'),
  row('route53', 'DeleteHostedZone', ['message'], 'own text of moto'),
  row(
    'route53',
    'ListHostedZonesByName',
    ['output.HostedZones', 'output.IsTruncated', 'output.MaxItems'],
    'AWS: the name is a start and not a filter',
  ),
  row('route53', 'ChangeResourceRecordSets', refused, 'moto takes one set twice in a batch', 'twice.example.com'),
  row('route53', 'ChangeResourceRecordSets', ['message'], 'AWS puts the messages into brackets and dots after names'),
  row('route53', 'ChangeTagsForResource ListTagsForResource', refused, 'moto draws ids that are too long for its own check'),
  // ACM
  row(
    'acm',
    'DescribeCertificate',
    ['output.Certificate.DomainValidationOptions', 'output.Certificate.SubjectAlternativeNames'],
    'the order and the drawn records differ',
  ),
  row(
    'acm',
    'DescribeCertificate',
    [
      'IssuedAt',
      'Issuer',
      'KeyAlgorithm',
      'NotAfter',
      'NotBefore',
      'Serial',
      'SignatureAlgorithm',
      'KeyUsages',
      'ExtendedKeyUsages',
      'RenewalEligibility',
      'Options',
      'Subject',
      'Status',
    ].map(member => `output.Certificate.${member}`),
    'M16 and M17: moto fills in what comes with issuance, and issues without a record',
  ),
  row('acm', '*', ['message'], 'own text'),
  row('acm', 'ListCertificates', ['output.CertificateSummaryList'], 'M16 and M17'),
  // EKS
  row(
    'eks',
    '*',
    cluster('endpoint', 'certificateAuthority', 'identity', 'clientRequestToken'),
    'drawn; absent before the cluster is ready',
  ),
  row('eks', '*', cluster('status', 'platformVersion', 'version'), 'M22: moto is ready at once and older'),
  row(
    'eks',
    '*',
    cluster('accessConfig', 'deletionProtection', 'health', 'kubernetesNetworkConfig.ipFamily', 'resourcesVpcConfig'),
    'M22: moto is older and leaves defaults out',
  ),
  row('eks', '*', ['message'], 'moto ends without the full stop'),
]

function row(service: VectorService, operation: string, paths: readonly string[], reason: string, when?: string): Difference {
  return { service, operation, paths, reason, ...(when !== undefined && { when }) }
}

function cluster(...members: readonly string[]): readonly string[] {
  return members.map(member => `output.cluster.${member}`)
}

function instanceProfile(member: string): readonly string[] {
  return [`output.InstanceProfile.Roles.*.${member}`, `output.InstanceProfiles.*.Roles.*.${member}`]
}
