// Random sequences of calls that the emulator and moto both know, over few names, so that calls meet what earlier ones left: the common
// part of the two (§17). The same seed gives the same sequence.
import type { Random } from '#base'
import type { Step, VectorService } from '../vectors/perform.ts'

const account = 'arn:aws:iam::123456789012'
const policyOf = (Action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] })
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

interface Draw {
  of<T>(...values: readonly T[]): T
  /** Members that are there half of the time. */
  some(fields: object): object
  readonly number: (below: number) => number
}

type Make = (draw: Draw, serial: number) => { readonly input: object; readonly save?: string }

const role = (draw: Draw): string => draw.of('r1', 'r2', 'r3')
const user = (draw: Draw): string => draw.of('u1', 'u2')
const group = (draw: Draw): string => draw.of('g1', 'g2')
const profile = (draw: Draw): string => draw.of('i1', 'i2')
const inline = (draw: Draw): string => draw.of('in1', 'in2')
const policyArn = (draw: Draw): string => `${account}:policy/${draw.of('p1', 'p2')}`
const document = (draw: Draw): string => policyOf(draw.of('s3:GetObject', 's3:PutObject', 'ec2:*'))
const tags = (draw: Draw): object => ({ Tags: [{ Key: draw.of('a', 'b'), Value: draw.of('1', '2') }] })
const bucket = (draw: Draw): string => draw.of('fuzz-one', 'fuzz-two')
const key = (draw: Draw): string => draw.of('a', 'dir/b', 'dir/c', 'dir/sub/d')
const zone = (draw: Draw): object => ({ $ref: `zone${draw.of(1, 2)}.HostedZone.Id` })
const providerArn = (draw: Draw): string => `${account}:oidc-provider/${draw.of('one.example.com', 'two.example.com')}`

const iam: Readonly<Record<string, Make>> = {
  CreateRole: draw => ({
    input: {
      RoleName: role(draw),
      AssumeRolePolicyDocument: trust,
      ...draw.some({ Description: 'd' }),
      ...draw.some({ Path: '/p/' }),
      ...draw.some(tags(draw)),
      ...draw.some({ MaxSessionDuration: 7200 }),
    },
  }),
  GetRole: draw => ({ input: { RoleName: role(draw) } }),
  DeleteRole: draw => ({ input: { RoleName: role(draw) } }),
  UpdateRole: draw => ({
    input: { RoleName: role(draw), Description: draw.of('x', 'y'), ...draw.some({ MaxSessionDuration: 4000 }) },
  }),
  TagRole: draw => ({ input: { RoleName: role(draw), ...tags(draw) } }),
  UntagRole: draw => ({ input: { RoleName: role(draw), TagKeys: [draw.of('a', 'b', 'c')] } }),
  ListRoleTags: draw => ({ input: { RoleName: role(draw) } }),
  PutRolePolicy: draw => ({ input: { RoleName: role(draw), PolicyName: inline(draw), PolicyDocument: document(draw) } }),
  GetRolePolicy: draw => ({ input: { RoleName: role(draw), PolicyName: inline(draw) } }),
  DeleteRolePolicy: draw => ({ input: { RoleName: role(draw), PolicyName: inline(draw) } }),
  ListRolePolicies: draw => ({ input: { RoleName: role(draw) } }),
  AttachRolePolicy: draw => ({ input: { RoleName: role(draw), PolicyArn: policyArn(draw) } }),
  DetachRolePolicy: draw => ({ input: { RoleName: role(draw), PolicyArn: policyArn(draw) } }),
  ListAttachedRolePolicies: draw => ({ input: { RoleName: role(draw) } }),
  CreatePolicy: draw => ({
    input: { PolicyName: draw.of('p1', 'p2'), PolicyDocument: document(draw), ...draw.some(tags(draw)) },
  }),
  GetPolicy: draw => ({ input: { PolicyArn: policyArn(draw) } }),
  DeletePolicy: draw => ({ input: { PolicyArn: policyArn(draw) } }),
  CreatePolicyVersion: draw => ({
    input: { PolicyArn: policyArn(draw), PolicyDocument: document(draw), ...draw.some({ SetAsDefault: true }) },
  }),
  GetPolicyVersion: draw => ({ input: { PolicyArn: policyArn(draw), VersionId: draw.of('v1', 'v2', 'v3') } }),
  DeletePolicyVersion: draw => ({ input: { PolicyArn: policyArn(draw), VersionId: draw.of('v1', 'v2', 'v3') } }),
  SetDefaultPolicyVersion: draw => ({ input: { PolicyArn: policyArn(draw), VersionId: draw.of('v1', 'v2', 'v3') } }),
  ListPolicyVersions: draw => ({ input: { PolicyArn: policyArn(draw) } }),
  ListEntitiesForPolicy: draw => ({ input: { PolicyArn: policyArn(draw) } }),
  CreateUser: draw => ({ input: { UserName: user(draw), ...draw.some(tags(draw)) } }),
  GetUser: draw => ({ input: { UserName: user(draw) } }),
  DeleteUser: draw => ({ input: { UserName: user(draw) } }),
  PutUserPolicy: draw => ({ input: { UserName: user(draw), PolicyName: inline(draw), PolicyDocument: document(draw) } }),
  GetUserPolicy: draw => ({ input: { UserName: user(draw), PolicyName: inline(draw) } }),
  DeleteUserPolicy: draw => ({ input: { UserName: user(draw), PolicyName: inline(draw) } }),
  ListUserPolicies: draw => ({ input: { UserName: user(draw) } }),
  AttachUserPolicy: draw => ({ input: { UserName: user(draw), PolicyArn: policyArn(draw) } }),
  DetachUserPolicy: draw => ({ input: { UserName: user(draw), PolicyArn: policyArn(draw) } }),
  CreateGroup: draw => ({ input: { GroupName: group(draw) } }),
  GetGroup: draw => ({ input: { GroupName: group(draw) } }),
  DeleteGroup: draw => ({ input: { GroupName: group(draw) } }),
  AddUserToGroup: draw => ({ input: { GroupName: group(draw), UserName: user(draw) } }),
  RemoveUserFromGroup: draw => ({ input: { GroupName: group(draw), UserName: user(draw) } }),
  ListGroupsForUser: draw => ({ input: { UserName: user(draw) } }),
  CreateInstanceProfile: draw => ({ input: { InstanceProfileName: profile(draw) } }),
  GetInstanceProfile: draw => ({ input: { InstanceProfileName: profile(draw) } }),
  DeleteInstanceProfile: draw => ({ input: { InstanceProfileName: profile(draw) } }),
  AddRoleToInstanceProfile: draw => ({ input: { InstanceProfileName: profile(draw), RoleName: role(draw) } }),
  RemoveRoleFromInstanceProfile: draw => ({ input: { InstanceProfileName: profile(draw), RoleName: role(draw) } }),
  CreateOpenIDConnectProvider: draw => ({
    input: {
      Url: `https://${draw.of('one.example.com', 'two.example.com')}`,
      ClientIDList: [draw.of('sts.amazonaws.com', 'other')],
      ThumbprintList: ['a'.repeat(40)],
    },
  }),
  GetOpenIDConnectProvider: draw => ({ input: { OpenIDConnectProviderArn: providerArn(draw) } }),
  DeleteOpenIDConnectProvider: draw => ({ input: { OpenIDConnectProviderArn: providerArn(draw) } }),
}

const s3: Readonly<Record<string, Make>> = {
  CreateBucket: draw => ({ input: { Bucket: bucket(draw) } }),
  DeleteBucket: draw => ({ input: { Bucket: bucket(draw) } }),
  HeadBucket: draw => ({ input: { Bucket: bucket(draw) } }),
  GetBucketLocation: draw => ({ input: { Bucket: bucket(draw) } }),
  PutObject: draw => ({
    input: {
      Bucket: bucket(draw),
      Key: key(draw),
      Body: { $bytes: draw.of('one', 'two', '') },
      ...draw.some({ Metadata: { mine: draw.of('1', '2') } }),
      ...draw.some({ ContentType: 'text/plain' }),
      ...(draw.number(5) === 0 && { IfNoneMatch: '*' }),
    },
  }),
  GetObject: draw => ({ input: { Bucket: bucket(draw), Key: key(draw), ...(draw.number(4) === 0 && { Range: 'bytes=1-' }) } }),
  HeadObject: draw => ({ input: { Bucket: bucket(draw), Key: key(draw) } }),
  DeleteObject: draw => ({ input: { Bucket: bucket(draw), Key: key(draw) } }),
  DeleteObjects: draw => ({ input: { Bucket: bucket(draw), Delete: { Objects: [{ Key: key(draw) }] } } }),
  CopyObject: draw => ({ input: { Bucket: bucket(draw), Key: key(draw), CopySource: `${bucket(draw)}/${key(draw)}` } }),
  ListObjectsV2: draw => ({
    input: {
      Bucket: bucket(draw),
      ...draw.some({ Prefix: draw.of('dir/', 'a', 'dir/sub') }),
      ...draw.some({ Delimiter: '/' }),
      ...(draw.number(3) === 0 && { MaxKeys: draw.of(1, 2) }),
    },
  }),
  PutObjectTagging: draw => ({
    input: { Bucket: bucket(draw), Key: key(draw), Tagging: { TagSet: [{ Key: 'a', Value: draw.of('1', '2') }] } },
  }),
  GetObjectTagging: draw => ({ input: { Bucket: bucket(draw), Key: key(draw) } }),
  PutBucketTagging: draw => ({ input: { Bucket: bucket(draw), Tagging: { TagSet: [{ Key: 'a', Value: draw.of('1', '2') }] } } }),
  GetBucketTagging: draw => ({ input: { Bucket: bucket(draw) } }),
  DeleteBucketTagging: draw => ({ input: { Bucket: bucket(draw) } }),
}

const upload = (draw: Draw): object => {
  const name = draw.of('upload1', 'upload2')
  const of = (member: string): object => ({ $ref: `${name}.${member}` })
  return { Bucket: of('Bucket'), Key: of('Key'), UploadId: of('UploadId') }
}
const config = (draw: Draw, name: string, value: object): { readonly input: object } => ({
  input: { Bucket: bucket(draw), [name]: value },
})

const uploads: Readonly<Record<string, Make>> = {
  CreateBucket: draw => ({ input: { Bucket: bucket(draw) } }),
  DeleteBucket: draw => ({ input: { Bucket: bucket(draw) } }),
  CreateMultipartUpload: draw => ({
    input: { Bucket: bucket(draw), Key: key(draw), ...draw.some({ ContentType: 'text/plain' }) },
    save: draw.of('upload1', 'upload2'),
  }),
  UploadPart: draw => ({ input: { ...upload(draw), PartNumber: draw.of(1, 2), Body: { $bytes: draw.of('one', 'two') } } }),
  ListParts: draw => ({ input: upload(draw) }),
  AbortMultipartUpload: draw => ({ input: upload(draw) }),
  ListMultipartUploads: draw => ({ input: { Bucket: bucket(draw) } }),
  GetObject: draw => ({ input: { Bucket: bucket(draw), Key: key(draw) } }),
  PutBucketCors: draw =>
    config(draw, 'CORSConfiguration', { CORSRules: [{ AllowedMethods: [draw.of('GET', 'PUT')], AllowedOrigins: ['*'] }] }),
  GetBucketCors: draw => ({ input: { Bucket: bucket(draw) } }),
  DeleteBucketCors: draw => ({ input: { Bucket: bucket(draw) } }),
  PutBucketVersioning: draw => config(draw, 'VersioningConfiguration', { Status: draw.of('Enabled', 'Suspended') }),
  GetBucketVersioning: draw => ({ input: { Bucket: bucket(draw) } }),
  PutBucketWebsite: draw => config(draw, 'WebsiteConfiguration', { IndexDocument: { Suffix: 'index.html' } }),
  GetBucketWebsite: draw => ({ input: { Bucket: bucket(draw) } }),
  DeleteBucketWebsite: draw => ({ input: { Bucket: bucket(draw) } }),
  GetBucketPolicy: draw => ({ input: { Bucket: bucket(draw) } }),
  DeleteBucketPolicy: draw => ({ input: { Bucket: bucket(draw) } }),
  GetBucketLifecycleConfiguration: draw => ({ input: { Bucket: bucket(draw) } }),
  GetBucketReplication: draw => ({ input: { Bucket: bucket(draw) } }),
  GetObjectLockConfiguration: draw => ({ input: { Bucket: bucket(draw) } }),
}

const recordSet = (draw: Draw): object => {
  const Type = draw.of('A', 'TXT', 'AAAA')
  const values: Readonly<Record<string, readonly string[]>> = {
    A: ['10.0.0.1', '10.0.0.2'],
    TXT: ['"x"', '"y" "z"'],
    AAAA: ['2001:db8::1', '2001:db8::2'],
  }
  const [Value] = [draw.of(...(values[Type] ?? []))]
  return { Name: `${draw.of('a', 'b', 'c.d')}.example.com`, Type, TTL: 60, ResourceRecords: [{ Value }] }
}

const route53: Readonly<Record<string, Make>> = {
  CreateHostedZone: (draw, serial) => ({
    input: { Name: 'example.com', CallerReference: `reference-${serial}` },
    save: `zone${draw.of(1, 2)}`,
  }),
  GetHostedZone: draw => ({ input: { Id: zone(draw) } }),
  DeleteHostedZone: draw => ({ input: { Id: zone(draw) } }),
  ListResourceRecordSets: draw => ({ input: { HostedZoneId: zone(draw), ...draw.some({ MaxItems: 3 }) } }),
  ChangeResourceRecordSets: draw => ({
    input: {
      HostedZoneId: zone(draw),
      ChangeBatch: { Changes: [{ Action: draw.of('CREATE', 'UPSERT', 'UPSERT', 'DELETE'), ResourceRecordSet: recordSet(draw) }] },
    },
  }),
}

/** EKS takes a role that is there and trusts it. */
const clusterRole: Step = {
  service: 'iam',
  operation: 'CreateRole',
  input: { RoleName: 'r1', AssumeRolePolicyDocument: trust.replace('ec2.', 'eks.') },
}
const clusterArn = (draw: Draw): string => `arn:aws:eks:us-east-1:123456789012:cluster/${draw.of('k1', 'k2')}`

const eks: Readonly<Record<string, Make>> = {
  CreateCluster: draw => ({
    input: {
      name: draw.of('k1', 'k2'),
      roleArn: `${account}:role/r1`,
      resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
      ...draw.some({ tags: { a: '1' } }),
    },
  }),
  DescribeCluster: draw => ({ input: { name: draw.of('k1', 'k2') } }),
  ListClusters: () => ({ input: {} }),
  DeleteCluster: draw => ({ input: { name: draw.of('k1', 'k2') } }),
  TagResource: draw => ({ input: { resourceArn: clusterArn(draw), tags: { [draw.of('a', 'b')]: draw.of('1', '2') } } }),
  UntagResource: draw => ({ input: { resourceArn: clusterArn(draw), tagKeys: [draw.of('a', 'b')] } }),
  ListTagsForResource: draw => ({ input: { resourceArn: clusterArn(draw) } }),
}

const certificate = (draw: Draw): object => ({ $ref: `certificate${draw.of(1, 2)}.CertificateArn` })

const acm: Readonly<Record<string, Make>> = {
  RequestCertificate: draw => ({
    input: { DomainName: draw.of('a.example.com', 'b.example.com'), ValidationMethod: 'DNS', ...draw.some(tags(draw)) },
    save: `certificate${draw.of(1, 2)}`,
  }),
  DescribeCertificate: draw => ({ input: { CertificateArn: certificate(draw) } }),
  DeleteCertificate: draw => ({ input: { CertificateArn: certificate(draw) } }),
  AddTagsToCertificate: draw => ({ input: { CertificateArn: certificate(draw), ...tags(draw) } }),
  RemoveTagsFromCertificate: draw => ({ input: { CertificateArn: certificate(draw), ...tags(draw) } }),
  ListTagsForCertificate: draw => ({ input: { CertificateArn: certificate(draw) } }),
}

const services: readonly (readonly [VectorService, Readonly<Record<string, Make>>])[] = [
  ['iam', iam],
  ['iam', iam],
  ['s3', s3],
  ['s3', uploads],
  ['route53', route53],
  ['eks', eks],
  ['acm', acm],
]

/** A sequence stays with one service: what the services know of each other is for scenarios. */
export function fuzzSequence(random: Random, length: number): readonly Step[] {
  const draw: Draw = {
    of: (...values) => values[random.integer(values.length)] as (typeof values)[number],
    some: fields => (random.integer(2) === 0 ? fields : {}),
    number: below => random.integer(below),
  }
  const [service, operations] = draw.of(...services)
  const names = Object.keys(operations)
  const chosen = narrowed(names, draw)
  const steps = Array.from({ length }, (_, serial) => {
    const operation = draw.of(...chosen)
    return { service, operation, ...(operations[operation] as Make)(draw, serial) }
  })
  return service === 'eks' ? [clusterRole, ...steps] : steps
}

/** Half of the sequences keep to a few operations, beside the creating ones, and so come deeper. */
function narrowed(names: readonly string[], draw: Draw): readonly string[] {
  if (names.length < 20 || draw.number(2) === 0) return names
  const creating = names.filter(name => /^(Create|Put)/.test(name))
  return [...creating, ...creating, ...Array.from({ length: 8 }, () => draw.of(...names))]
}

/** Where AWS documents what we answer and moto does something else: the sequence ends there and nothing is reported. */
export const knownPartings: readonly {
  /** Names divided by spaces. */
  readonly operation: string
  readonly moto: string | undefined
  readonly ours: string | undefined
  readonly reason: string
}[] = [
  {
    operation: 'ListEntitiesForPolicy',
    moto: undefined,
    ours: 'NoSuchEntityException',
    reason: 'moto lists nobody for a policy that is not there; the API reference names NoSuchEntity',
  },
  {
    operation: 'DeletePolicy',
    moto: undefined,
    ours: 'DeleteConflictException',
    reason: 'M4: moto deletes a policy that is attached or has several versions',
  },
  {
    operation: 'TagResource UntagResource ListTagsForResource',
    moto: 'ResourceNotFoundException',
    ours: 'NotFoundException',
    reason: 'the tag operations of EKS have exceptions of their own in its model',
  },
  {
    operation: 'RemoveUserFromGroup',
    moto: 'NoSuchEntityException',
    ours: undefined,
    reason: 'AWS was seen to answer without an error for a user who is not in the group (cloud-custodian#4730)',
  },
  {
    operation: 'RemoveRoleFromInstanceProfile',
    moto: 'Error',
    ours: 'NoSuchEntityException',
    reason: 'moto breaks (500) on a role that is not in the profile',
  },
  {
    operation: 'ChangeResourceRecordSets',
    moto: undefined,
    ours: 'InvalidChangeBatch',
    reason: 'moto takes the CREATE of a set that an UPSERT made; the API reference refuses what exists already',
  },
  {
    operation: 'ChangeResourceRecordSets',
    moto: 'InvalidInput',
    ours: 'InvalidChangeBatch',
    reason: 'M20: a DELETE of what is not there, or with other values',
  },
]

/** The same for parts of a reply: the sequence goes on. The table of the recorded vectors has those that they meet. */
export const knownDifferences: readonly {
  readonly operation: string
  readonly paths: readonly string[]
  readonly reason: string
}[] = [
  { operation: 'ListParts', paths: ['output.Owner', 'output.Initiator'], reason: 'the canonical id is drawn per account' },
  { operation: 'ListParts', paths: ['output.NextPartNumberMarker'], reason: 'AWS documents it for lists that are cut' },
  { operation: 'ListMultipartUploads', paths: ['output.Uploads'], reason: 'AWS lists by key, moto by age' },
]
