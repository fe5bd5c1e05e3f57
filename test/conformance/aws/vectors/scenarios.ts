// What is asked of both endpoints. A scenario starts from nothing and its steps build on each other; together they walk through the
// operations that moto has (spec §17), the good ways and the refusals.
import type { Step, VectorService } from './perform.ts'

export interface Scenario {
  readonly name: string
  readonly steps: readonly Step[]
}

const ref = (path: string): { readonly $ref: string } => ({ $ref: path })

function on(service: VectorService): (operation: string, input?: object, save?: string) => Step {
  return (operation, input = {}, save) => ({ service, operation, input, ...(save !== undefined && { save }) })
}
const iam = on('iam')
const sts = on('sts')
const s3 = on('s3')
const eks = on('eks')
const acm = on('acm')
const r53 = on('route53')

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
const document = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
})
const account = 'arn:aws:iam::123456789012'
const role = (RoleName: string, more: object = {}): Step =>
  iam('CreateRole', { RoleName, AssumeRolePolicyDocument: trust, ...more })

const roles: readonly Scenario[] = [
  {
    name: 'iam: a role from birth to death',
    steps: [
      role('app', { Description: 'an app', MaxSessionDuration: 7200, Tags: [{ Key: 'team', Value: 'a' }] }),
      role('app'),
      iam('GetRole', { RoleName: 'app' }),
      iam('GetRole', { RoleName: 'nobody' }),
      iam('UpdateRole', { RoleName: 'app', Description: 'changed' }),
      iam('GetRole', { RoleName: 'app' }),
      iam('UpdateRole', { RoleName: 'nobody', Description: 'x' }),
      iam('UpdateAssumeRolePolicy', { RoleName: 'app', PolicyDocument: trust }),
      iam('UpdateAssumeRolePolicy', { RoleName: 'nobody', PolicyDocument: trust }),
      iam('TagRole', {
        RoleName: 'app',
        Tags: [
          { Key: 'tier', Value: '1' },
          { Key: 'team', Value: 'b' },
        ],
      }),
      iam('ListRoleTags', { RoleName: 'app' }),
      iam('UntagRole', { RoleName: 'app', TagKeys: ['tier'] }),
      iam('ListRoleTags', { RoleName: 'app' }),
      iam('ListRoleTags', { RoleName: 'nobody' }),
      iam('TagRole', { RoleName: 'nobody', Tags: [{ Key: 'a', Value: 'b' }] }),
      iam('TagRole', {
        RoleName: 'app',
        Tags: [
          { Key: 'A', Value: '1' },
          { Key: 'a', Value: '2' },
        ],
      }),
      iam('PutRolePolicy', { RoleName: 'app', PolicyName: 'inline', PolicyDocument: document }),
      iam('GetRolePolicy', { RoleName: 'app', PolicyName: 'inline' }),
      iam('GetRolePolicy', { RoleName: 'app', PolicyName: 'absent' }),
      iam('GetRolePolicy', { RoleName: 'nobody', PolicyName: 'inline' }),
      iam('ListRolePolicies', { RoleName: 'app' }),
      iam('ListRolePolicies', { RoleName: 'nobody' }),
      iam('PutRolePolicy', { RoleName: 'nobody', PolicyName: 'inline', PolicyDocument: document }),
      iam('PutRolePolicy', { RoleName: 'app', PolicyName: 'broken', PolicyDocument: 'not json' }),
      iam('DeleteRole', { RoleName: 'app' }),
      iam('DeleteRolePolicy', { RoleName: 'app', PolicyName: 'inline' }),
      iam('DeleteRolePolicy', { RoleName: 'app', PolicyName: 'inline' }),
      iam('DeleteRole', { RoleName: 'app' }),
      iam('DeleteRole', { RoleName: 'app' }),
      iam('ListRoles', {}),
    ],
  },
  {
    name: 'iam: pages of roles',
    steps: [
      ...Array.from({ length: 5 }, (_, index) => role(`r${index}`)),
      iam('ListRoles', { MaxItems: 2 }, 'one'),
      iam('ListRoles', { MaxItems: 2, Marker: ref('one.Marker') }, 'two'),
      iam('ListRoles', { MaxItems: 2, Marker: ref('two.Marker') }),
      role('pathed', { Path: '/teams/a/' }),
      iam('ListRoles', { PathPrefix: '/teams/' }),
      iam('GetRole', { RoleName: 'pathed' }),
      ...Array.from({ length: 5 }, (_, index) => iam('DeleteRole', { RoleName: `r${index}` })),
    ],
  },
  {
    name: 'iam: attached policies and the boundary',
    steps: [
      role('app'),
      iam('CreatePolicy', { PolicyName: 'read', PolicyDocument: document, Description: 'reads' }, 'policy'),
      iam('CreatePolicy', { PolicyName: 'read', PolicyDocument: document }),
      iam('AttachRolePolicy', { RoleName: 'app', PolicyArn: ref('policy.Policy.Arn') }),
      iam('AttachRolePolicy', { RoleName: 'app', PolicyArn: ref('policy.Policy.Arn') }),
      iam('ListAttachedRolePolicies', { RoleName: 'app' }),
      iam('ListAttachedRolePolicies', { RoleName: 'nobody' }),
      iam('AttachRolePolicy', { RoleName: 'app', PolicyArn: `${account}:policy/absent` }),
      iam('AttachRolePolicy', { RoleName: 'nobody', PolicyArn: ref('policy.Policy.Arn') }),
      iam('ListEntitiesForPolicy', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('GetPolicy', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('DeleteRole', { RoleName: 'app' }),
      iam('DetachRolePolicy', { RoleName: 'app', PolicyArn: ref('policy.Policy.Arn') }),
      iam('DetachRolePolicy', { RoleName: 'app', PolicyArn: ref('policy.Policy.Arn') }),
      iam('ListAttachedRolePolicies', { RoleName: 'app' }),
      iam('PutRolePermissionsBoundary', { RoleName: 'app', PermissionsBoundary: ref('policy.Policy.Arn') }),
      iam('GetRole', { RoleName: 'app' }),
      iam('DeleteRolePermissionsBoundary', { RoleName: 'app' }),
      iam('GetRole', { RoleName: 'app' }),
      iam('DeleteRole', { RoleName: 'app' }),
      iam('DeletePolicy', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('DeletePolicy', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('GetPolicy', { PolicyArn: ref('policy.Policy.Arn') }),
    ],
  },
  {
    name: 'iam: versions of a policy',
    steps: [
      iam('CreatePolicy', { PolicyName: 'v', PolicyDocument: document, Tags: [{ Key: 'a', Value: '1' }] }, 'policy'),
      ...Array.from({ length: 5 }, () =>
        iam('CreatePolicyVersion', { PolicyArn: ref('policy.Policy.Arn'), PolicyDocument: document }),
      ),
      iam('ListPolicyVersions', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('GetPolicyVersion', { PolicyArn: ref('policy.Policy.Arn'), VersionId: 'v3' }),
      iam('GetPolicyVersion', { PolicyArn: ref('policy.Policy.Arn'), VersionId: 'v9' }),
      iam('SetDefaultPolicyVersion', { PolicyArn: ref('policy.Policy.Arn'), VersionId: 'v2' }),
      iam('DeletePolicyVersion', { PolicyArn: ref('policy.Policy.Arn'), VersionId: 'v2' }),
      iam('DeletePolicyVersion', { PolicyArn: ref('policy.Policy.Arn'), VersionId: 'v3' }),
      iam('CreatePolicyVersion', { PolicyArn: ref('policy.Policy.Arn'), PolicyDocument: document, SetAsDefault: true }),
      iam('GetPolicy', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('TagPolicy', { PolicyArn: ref('policy.Policy.Arn'), Tags: [{ Key: 'b', Value: '2' }] }),
      iam('ListPolicyTags', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('UntagPolicy', { PolicyArn: ref('policy.Policy.Arn'), TagKeys: ['a'] }),
      iam('ListPolicyTags', { PolicyArn: ref('policy.Policy.Arn') }),
      iam('ListPolicyVersions', { PolicyArn: `${account}:policy/absent` }),
      iam('CreatePolicyVersion', { PolicyArn: `${account}:policy/absent`, PolicyDocument: document }),
      iam('CreatePolicy', { PolicyName: 'broken', PolicyDocument: '{"Statement": []' }),
      iam('ListPolicies', { Scope: 'Local' }),
    ],
  },
  {
    name: 'iam: OpenID Connect providers',
    steps: [
      iam(
        'CreateOpenIDConnectProvider',
        {
          Url: 'https://issuer.example.com/path',
          ClientIDList: ['sts.amazonaws.com'],
          ThumbprintList: ['a'.repeat(40)],
          Tags: [{ Key: 'a', Value: '1' }],
        },
        'provider',
      ),
      iam('CreateOpenIDConnectProvider', { Url: 'https://issuer.example.com/path', ThumbprintList: ['a'.repeat(40)] }),
      iam('GetOpenIDConnectProvider', { OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn') }),
      iam('ListOpenIDConnectProviders'),
      iam('ListOpenIDConnectProviderTags', { OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn') }),
      iam('TagOpenIDConnectProvider', {
        OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn'),
        Tags: [{ Key: 'b', Value: '2' }],
      }),
      iam('UntagOpenIDConnectProvider', { OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn'), TagKeys: ['a'] }),
      iam('ListOpenIDConnectProviderTags', { OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn') }),
      iam('UpdateOpenIDConnectProviderThumbprint', {
        OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn'),
        ThumbprintList: ['b'.repeat(40)],
      }),
      iam('GetOpenIDConnectProvider', { OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn') }),
      iam('CreateOpenIDConnectProvider', {
        Url: 'https://six.example.com',
        ThumbprintList: Array.from({ length: 6 }, (_, index) => String(index).repeat(40)),
      }),
      iam('GetOpenIDConnectProvider', { OpenIDConnectProviderArn: `${account}:oidc-provider/absent.example.com` }),
      iam('DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn') }),
      iam('DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn: ref('provider.OpenIDConnectProviderArn') }),
      iam('ListOpenIDConnectProviders'),
    ],
  },
  {
    name: 'iam: users, groups and keys',
    steps: [
      iam('CreateUser', { UserName: 'ann', Tags: [{ Key: 'a', Value: '1' }] }),
      iam('CreateUser', { UserName: 'ann' }),
      iam('GetUser', { UserName: 'ann' }),
      iam('GetUser', { UserName: 'nobody' }),
      iam('CreateGroup', { GroupName: 'devs' }),
      iam('CreateGroup', { GroupName: 'devs' }),
      iam('AddUserToGroup', { UserName: 'ann', GroupName: 'devs' }),
      iam('ListGroupsForUser', { UserName: 'ann' }),
      iam('GetGroup', { GroupName: 'devs' }),
      iam('PutUserPolicy', { UserName: 'ann', PolicyName: 'p', PolicyDocument: document }),
      iam('GetUserPolicy', { UserName: 'ann', PolicyName: 'p' }),
      iam('ListUserPolicies', { UserName: 'ann' }),
      iam('CreateAccessKey', { UserName: 'ann' }, 'key'),
      iam('ListAccessKeys', { UserName: 'ann' }),
      iam('UpdateAccessKey', { UserName: 'ann', AccessKeyId: ref('key.AccessKey.AccessKeyId'), Status: 'Inactive' }),
      iam('ListAccessKeys', { UserName: 'ann' }),
      iam('DeleteAccessKey', { UserName: 'ann', AccessKeyId: ref('key.AccessKey.AccessKeyId') }),
      iam('ListAccessKeys', { UserName: 'ann' }),
      iam('RemoveUserFromGroup', { UserName: 'ann', GroupName: 'devs' }),
      iam('ListGroupsForUser', { UserName: 'ann' }),
      iam('DeleteUserPolicy', { UserName: 'ann', PolicyName: 'p' }),
      iam('DeleteUser', { UserName: 'ann' }),
      iam('DeleteUser', { UserName: 'ann' }),
      iam('DeleteGroup', { GroupName: 'devs' }),
      iam('DeleteGroup', { GroupName: 'devs' }),
      iam('ListUsers'),
      iam('ListGroups'),
    ],
  },
  {
    name: 'iam: instance profiles',
    steps: [
      role('node'),
      iam('CreateInstanceProfile', { InstanceProfileName: 'node' }),
      iam('CreateInstanceProfile', { InstanceProfileName: 'node' }),
      iam('AddRoleToInstanceProfile', { InstanceProfileName: 'node', RoleName: 'node' }),
      iam('GetInstanceProfile', { InstanceProfileName: 'node' }),
      iam('GetInstanceProfile', { InstanceProfileName: 'absent' }),
      iam('ListInstanceProfilesForRole', { RoleName: 'node' }),
      iam('DeleteRole', { RoleName: 'node' }),
      iam('RemoveRoleFromInstanceProfile', { InstanceProfileName: 'node', RoleName: 'node' }),
      iam('DeleteInstanceProfile', { InstanceProfileName: 'node' }),
      iam('DeleteRole', { RoleName: 'node' }),
      iam('ListInstanceProfiles'),
      sts('GetAccessKeyInfo', { AccessKeyId: 'AKIAIOSFODNN7EXAMPLE' }),
    ],
  },
]

const put = (Key: string, Body = 'hello', more: object = {}): Step => s3('PutObject', { Bucket: 'data', Key, Body, ...more })
const tag = (...pairs: readonly (readonly [string, string])[]): readonly object[] => pairs.map(([Key, Value]) => ({ Key, Value }))

const buckets: readonly Scenario[] = [
  {
    name: 's3: a bucket from birth to death',
    steps: [
      s3('HeadBucket', { Bucket: 'data' }),
      s3('CreateBucket', { Bucket: 'data' }),
      s3('CreateBucket', { Bucket: 'data' }),
      s3('HeadBucket', { Bucket: 'data' }),
      s3('GetBucketLocation', { Bucket: 'data' }),
      s3('ListBuckets'),
      s3('CreateBucket', { Bucket: 'bad', CreateBucketConfiguration: { LocationConstraint: 'us-east-1' } }),
      s3('ListObjectsV2', { Bucket: 'data' }),
      s3('ListObjectsV2', { Bucket: 'absent' }),
      put('a'),
      s3('DeleteBucket', { Bucket: 'data' }),
      s3('DeleteObject', { Bucket: 'data', Key: 'a' }),
      s3('DeleteObject', { Bucket: 'data', Key: 'a' }),
      s3('DeleteBucket', { Bucket: 'data' }),
      s3('DeleteBucket', { Bucket: 'data' }),
      s3('GetBucketLocation', { Bucket: 'data' }),
      s3('PutObject', { Bucket: 'data', Key: 'a', Body: 'x' }),
    ],
  },
  {
    name: 's3: objects',
    steps: [
      s3('CreateBucket', { Bucket: 'data' }),
      put('a', 'hello', { ContentType: 'application/json', Metadata: { digest: 'x' }, CacheControl: 'max-age=60' }),
      s3('HeadObject', { Bucket: 'data', Key: 'a' }),
      s3('GetObject', { Bucket: 'data', Key: 'a' }),
      s3('GetObject', { Bucket: 'data', Key: 'a', Range: 'bytes=1-3' }),
      s3('GetObject', { Bucket: 'data', Key: 'a', Range: 'bytes=-2' }),
      s3('GetObject', { Bucket: 'data', Key: 'a', Range: 'bytes=99-' }),
      s3('GetObject', { Bucket: 'data', Key: 'absent' }),
      s3('HeadObject', { Bucket: 'data', Key: 'absent' }),
      put('a', 'again', { IfNoneMatch: '*' }),
      put('b', 'first', { IfNoneMatch: '*' }),
      s3('GetObject', { Bucket: 'data', Key: 'a', IfMatch: '"other"' }),
      s3('CopyObject', { Bucket: 'data', Key: 'c', CopySource: 'data/a' }),
      s3('GetObject', { Bucket: 'data', Key: 'c' }),
      s3('CopyObject', { Bucket: 'data', Key: 'd', CopySource: 'data/absent' }),
      put('t', 'tagged', { Tagging: 'team=a' }),
      s3('GetObjectTagging', { Bucket: 'data', Key: 't' }),
      s3('PutObjectTagging', { Bucket: 'data', Key: 't', Tagging: { TagSet: tag(['tier', '1']) } }),
      s3('GetObjectTagging', { Bucket: 'data', Key: 't' }),
      s3('DeleteObjectTagging', { Bucket: 'data', Key: 't' }),
      s3('GetObjectTagging', { Bucket: 'data', Key: 't' }),
      s3('DeleteObjects', { Bucket: 'data', Delete: { Objects: [{ Key: 'a' }, { Key: 'b' }, { Key: 'never' }] } }),
      s3('ListObjectsV2', { Bucket: 'data' }),
      put('empty', ''),
      s3('GetObject', { Bucket: 'data', Key: 'empty' }),
      put('ü/ж +%.json', 'unicode'),
      s3('GetObject', { Bucket: 'data', Key: 'ü/ж +%.json' }),
    ],
  },
  {
    name: 's3: lists',
    steps: [
      s3('CreateBucket', { Bucket: 'data' }),
      ...['a/1', 'a/2', 'b/1', 'c', 'd'].map(key => put(key)),
      s3('ListObjectsV2', { Bucket: 'data' }),
      s3('ListObjectsV2', { Bucket: 'data', Delimiter: '/' }),
      s3('ListObjectsV2', { Bucket: 'data', Prefix: 'a/' }),
      s3('ListObjectsV2', { Bucket: 'data', Prefix: 'a/', Delimiter: '/' }),
      s3('ListObjectsV2', { Bucket: 'data', StartAfter: 'b/1' }),
      s3('ListObjectsV2', { Bucket: 'data', MaxKeys: 2 }, 'page'),
      s3('ListObjectsV2', { Bucket: 'data', MaxKeys: 2, ContinuationToken: ref('page.NextContinuationToken') }),
      s3('ListObjectsV2', { Bucket: 'data', Delimiter: '/', MaxKeys: 1 }),
      s3('ListObjects', { Bucket: 'data' }),
      s3('ListObjects', { Bucket: 'data', Marker: 'b/1' }),
      s3('ListObjects', { Bucket: 'data', Delimiter: '/' }),
    ],
  },
  {
    name: 's3: settings',
    steps: [
      s3('CreateBucket', { Bucket: 'data' }),
      s3('GetBucketVersioning', { Bucket: 'data' }),
      s3('PutBucketVersioning', { Bucket: 'data', VersioningConfiguration: { Status: 'Enabled' } }),
      s3('GetBucketVersioning', { Bucket: 'data' }),
      s3('GetBucketTagging', { Bucket: 'data' }),
      s3('PutBucketTagging', { Bucket: 'data', Tagging: { TagSet: tag(['a', '1'], ['b', '2']) } }),
      s3('GetBucketTagging', { Bucket: 'data' }),
      s3('PutBucketTagging', { Bucket: 'data', Tagging: { TagSet: tag(['aws:x', '1']) } }),
      s3('DeleteBucketTagging', { Bucket: 'data' }),
      s3('GetBucketTagging', { Bucket: 'data' }),
      s3('GetBucketPolicy', { Bucket: 'data' }),
      s3('DeleteBucketPolicy', { Bucket: 'data' }),
      s3('GetBucketCors', { Bucket: 'data' }),
      s3('PutBucketCors', {
        Bucket: 'data',
        CORSConfiguration: { CORSRules: [{ AllowedMethods: ['GET'], AllowedOrigins: ['*'] }] },
      }),
      s3('GetBucketCors', { Bucket: 'data' }),
      s3('DeleteBucketCors', { Bucket: 'data' }),
      s3('GetBucketLifecycleConfiguration', { Bucket: 'data' }),
      s3('PutBucketLifecycleConfiguration', {
        Bucket: 'data',
        LifecycleConfiguration: { Rules: [{ ID: 'r', Status: 'Enabled', Filter: { Prefix: 'tmp/' }, Expiration: { Days: 1 } }] },
      }),
      s3('GetBucketLifecycleConfiguration', { Bucket: 'data' }),
      s3('DeleteBucketLifecycle', { Bucket: 'data' }),
      s3('GetBucketWebsite', { Bucket: 'data' }),
      s3('GetBucketLogging', { Bucket: 'data' }),
      s3('GetBucketAcl', { Bucket: 'data' }),
      s3('GetBucketReplication', { Bucket: 'data' }),
      s3('PutBucketEncryption', {
        Bucket: 'data',
        ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] },
      }),
      s3('GetBucketEncryption', { Bucket: 'data' }),
      s3('PutPublicAccessBlock', { Bucket: 'data', PublicAccessBlockConfiguration: { BlockPublicPolicy: true } }),
      s3('GetPublicAccessBlock', { Bucket: 'data' }),
      s3('DeletePublicAccessBlock', { Bucket: 'data' }),
      s3('GetPublicAccessBlock', { Bucket: 'data' }),
      s3('PutBucketOwnershipControls', { Bucket: 'data', OwnershipControls: { Rules: [{ ObjectOwnership: 'ObjectWriter' }] } }),
      s3('GetBucketOwnershipControls', { Bucket: 'data' }),
      s3('DeleteBucketOwnershipControls', { Bucket: 'data' }),
      s3('GetBucketOwnershipControls', { Bucket: 'data' }),
      s3('PutBucketPolicy', {
        Bucket: 'data',
        Policy: JSON.stringify({
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::data/keys.json' }],
        }),
      }),
      s3('GetBucketPolicy', { Bucket: 'data' }),
      s3('DeleteBucketPolicy', { Bucket: 'data' }),
      s3('GetBucketPolicy', { Bucket: 'data' }),
    ],
  },
  {
    name: 's3: multipart',
    steps: [
      s3('CreateBucket', { Bucket: 'data' }),
      s3('CreateMultipartUpload', { Bucket: 'data', Key: 'big' }, 'upload'),
      s3('UploadPart', { Bucket: 'data', Key: 'big', UploadId: ref('upload.UploadId'), PartNumber: 1, Body: 'only' }, 'part'),
      s3('ListMultipartUploads', { Bucket: 'data' }),
      s3('CompleteMultipartUpload', {
        Bucket: 'data',
        Key: 'big',
        UploadId: ref('upload.UploadId'),
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag: ref('part.ETag') }] },
      }),
      s3('GetObject', { Bucket: 'data', Key: 'big' }),
      s3('CreateMultipartUpload', { Bucket: 'data', Key: 'big' }, 'other'),
      s3('AbortMultipartUpload', { Bucket: 'data', Key: 'big', UploadId: ref('other.UploadId') }),
    ],
  },
]

const change = (Action: string, Name: string, Type: string, ...values: readonly string[]): object => ({
  Action,
  ResourceRecordSet: { Name, Type, TTL: 300, ResourceRecords: values.map(Value => ({ Value })) },
})
const batch = (...Changes: readonly object[]): Step =>
  r53('ChangeResourceRecordSets', { HostedZoneId: ref('zone.HostedZone.Id'), ChangeBatch: { Changes } })
const records = (more: object = {}): Step => r53('ListResourceRecordSets', { HostedZoneId: ref('zone.HostedZone.Id'), ...more })

const zones: readonly Scenario[] = [
  {
    name: 'route53: a zone and its records',
    steps: [
      r53('CreateHostedZone', { Name: 'example.com', CallerReference: 'one', HostedZoneConfig: { Comment: 'first' } }, 'zone'),
      r53('GetHostedZone', { Id: ref('zone.HostedZone.Id') }),
      r53('GetHostedZone', { Id: 'Z00000000000000000000' }),
      r53('ListHostedZones'),
      r53('GetHostedZoneCount'),
      records(),
      batch(change('CREATE', 'a.example.com', 'A', '1.2.3.4', '1.2.3.5')),
      batch(change('UPSERT', 'a.example.com', 'A', '5.6.7.8')),
      batch(change('CREATE', 'b.example.com', 'CNAME', 'a.example.com')),
      batch(change('CREATE', 't.example.com', 'TXT', '"hello world"')),
      batch(change('CREATE', 'm.example.com', 'MX', '10 mail.example.com')),
      batch(change('CREATE', 'x.other.com', 'A', '1.2.3.4')),
      records(),
      records({ StartRecordName: 'b.example.com' }),
      records({ MaxItems: 2 }),
      r53('DeleteHostedZone', { Id: ref('zone.HostedZone.Id') }),
      batch(change('DELETE', 'a.example.com', 'A', '5.6.7.8')),
      batch(change('DELETE', 'b.example.com', 'CNAME', 'a.example.com')),
      batch(change('DELETE', 't.example.com', 'TXT', '"hello world"')),
      batch(change('DELETE', 'm.example.com', 'MX', '10 mail.example.com')),
      records(),
      r53('DeleteHostedZone', { Id: ref('zone.HostedZone.Id') }),
      r53('DeleteHostedZone', { Id: ref('zone.HostedZone.Id') }),
      r53('ListHostedZones'),
    ],
  },
  {
    name: 'route53: refused batches',
    steps: [
      r53('CreateHostedZone', { Name: 'example.com', CallerReference: 'refused' }, 'zone'),
      batch(change('CREATE', 'a.example.com', 'A', '1.2.3.4')),
      batch(change('CREATE', 'twice.example.com', 'A', '1.1.1.1'), change('CREATE', 'twice.example.com', 'A', '2.2.2.2')),
      batch(change('CREATE', 'example.com.other.net', 'A', '1.2.3.4')),
    ],
  },
  {
    name: 'route53: weighted sets, aliases and tags',
    steps: [
      r53('CreateHostedZone', { Name: 'example.com.', CallerReference: 'two' }, 'zone'),
      batch(
        ...['a', 'b'].map(id => ({
          Action: 'CREATE',
          ResourceRecordSet: {
            Name: 'w.example.com',
            Type: 'A',
            SetIdentifier: id,
            Weight: 10,
            TTL: 60,
            ResourceRecords: [{ Value: '1.2.3.4' }],
          },
        })),
      ),
      batch(change('CREATE', 'target.example.com', 'A', '1.2.3.4')),
      batch({
        Action: 'CREATE',
        ResourceRecordSet: {
          Name: 'alias.example.com',
          Type: 'A',
          AliasTarget: { HostedZoneId: 'Z2FDTNDATAQYW2', DNSName: 'd1.cloudfront.net', EvaluateTargetHealth: false },
        },
      }),
      records(),
      r53('ChangeTagsForResource', {
        ResourceType: 'hostedzone',
        ResourceId: ref('zone.HostedZone.Id'),
        AddTags: tag(['a', '1'], ['b', '2']),
      }),
      r53('ListTagsForResource', { ResourceType: 'hostedzone', ResourceId: ref('zone.HostedZone.Id') }),
      r53('ChangeTagsForResource', { ResourceType: 'hostedzone', ResourceId: ref('zone.HostedZone.Id'), RemoveTagKeys: ['a'] }),
      r53('ListTagsForResource', { ResourceType: 'hostedzone', ResourceId: ref('zone.HostedZone.Id') }),
      r53('UpdateHostedZoneComment', { Id: ref('zone.HostedZone.Id'), Comment: 'new' }),
      r53('GetHostedZone', { Id: ref('zone.HostedZone.Id') }),
    ],
  },
  {
    name: 'route53: many zones and record types',
    steps: [
      ...['b.com', 'a.org', 'x.b.com', 'a.com'].map(Name => r53('CreateHostedZone', { Name, CallerReference: Name })),
      r53('ListHostedZonesByName'),
      r53('ListHostedZonesByName', { DNSName: 'b.com' }),
      r53('CreateHostedZone', { Name: 'types.com', CallerReference: 'types' }, 'zone'),
      ...(
        [
          ['AAAA', '2001:db8::1'],
          ['CAA', '0 issue "amazon.com"'],
          ['SRV', '1 10 5269 xmpp.types.com'],
          ['NS', 'ns1.elsewhere.net'],
          ['PTR', 'host.types.com'],
          ['TXT', '"one" "two"'],
          ['SPF', '"v=spf1 -all"'],
        ] as const
      ).map(([type, value]) => batch(change('CREATE', `${type.toLowerCase()}.types.com`, type, value))),
      records(),
      r53(
        'CreateHostedZone',
        {
          Name: 'inside.com',
          CallerReference: 'inside',
          VPC: { VPCId: 'vpc-1', VPCRegion: 'us-east-1' },
          HostedZoneConfig: { PrivateZone: true },
        },
        'inside',
      ),
      r53('GetHostedZone', { Id: ref('inside.HostedZone.Id') }),
    ],
  },
]

const certificates: readonly Scenario[] = [
  {
    name: 'acm: requests and tags',
    steps: [
      acm(
        'RequestCertificate',
        {
          DomainName: 'example.com',
          ValidationMethod: 'DNS',
          IdempotencyToken: 'a',
          SubjectAlternativeNames: ['www.example.com'],
        },
        'one',
      ),
      acm('RequestCertificate', {
        DomainName: 'example.com',
        ValidationMethod: 'DNS',
        IdempotencyToken: 'a',
        SubjectAlternativeNames: ['www.example.com'],
      }),
      acm('DescribeCertificate', { CertificateArn: ref('one.CertificateArn') }),
      acm('AddTagsToCertificate', { CertificateArn: ref('one.CertificateArn'), Tags: tag(['a', '1'], ['b', '2']) }),
      acm('ListTagsForCertificate', { CertificateArn: ref('one.CertificateArn') }),
      acm('RemoveTagsFromCertificate', { CertificateArn: ref('one.CertificateArn'), Tags: tag(['a', '1']) }),
      acm('ListTagsForCertificate', { CertificateArn: ref('one.CertificateArn') }),
      acm('ListCertificates'),
      acm('DeleteCertificate', { CertificateArn: ref('one.CertificateArn') }),
      acm('DescribeCertificate', { CertificateArn: ref('one.CertificateArn') }),
      acm('DeleteCertificate', { CertificateArn: ref('one.CertificateArn') }),
      acm('ListCertificates'),
    ],
  },
]

const clusters: readonly Scenario[] = [
  {
    name: 'eks: clusters and tags',
    steps: [
      role('eks'),
      eks(
        'CreateCluster',
        {
          name: 'c1',
          roleArn: `${account}:role/eks`,
          resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
          version: '1.34',
          tags: { a: '1' },
        },
        'made',
      ),
      eks('CreateCluster', { name: 'c1', roleArn: `${account}:role/eks`, resourcesVpcConfig: { subnetIds: ['subnet-1'] } }),
      eks('DescribeCluster', { name: 'c1' }),
      eks('DescribeCluster', { name: 'absent' }),
      eks('ListClusters'),
      eks('TagResource', { resourceArn: ref('made.cluster.arn'), tags: { b: '2' } }),
      eks('ListTagsForResource', { resourceArn: ref('made.cluster.arn') }),
      eks('UntagResource', { resourceArn: ref('made.cluster.arn'), tagKeys: ['a'] }),
      eks('ListTagsForResource', { resourceArn: ref('made.cluster.arn') }),
      eks('ListNodegroups', { clusterName: 'c1' }),
      eks('DeleteCluster', { name: 'absent' }),
      eks('DeleteCluster', { name: 'c1' }),
      eks('ListClusters'),
    ],
  },
]

const tokens: readonly Scenario[] = [
  {
    name: 'sts: identity and sessions',
    steps: [
      sts('GetCallerIdentity'),
      iam('CreateRole', {
        RoleName: 'app',
        AssumeRolePolicyDocument: JSON.stringify({
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: { AWS: `${account}:root` }, Action: 'sts:AssumeRole' }],
        }),
      }),
      sts('AssumeRole', { RoleArn: `${account}:role/app`, RoleSessionName: 'work' }),
      sts('AssumeRole', { RoleArn: `${account}:role/app`, RoleSessionName: 'work', DurationSeconds: 900 }),
      sts('GetSessionToken'),
    ],
  },
]

export const scenarios: readonly Scenario[] = [...roles, ...buckets, ...zones, ...certificates, ...clusters, ...tokens]
