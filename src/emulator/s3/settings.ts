// The settings of a bucket that are stored and returned (§8.5). Most are rows of one table: what GET says when nothing was ever
// set, and which member of PUT's input GET's output repeats. Those that have an effect elsewhere have functions of their own.
import type { Call, Handler } from '../service.ts'
import { newestOf, written } from '../state/timeline.ts'
import { blockOf, bucketOf, onBucket } from './access.ts'
import { type BucketInput, ownerOf, putBucket } from './buckets.ts'
import { type BucketTag, checkedTags, renderTags } from './content.ts'
import { s3Delays } from './delays.ts'
import { type S3ErrorCode, s3Failure } from './errors.ts'
import type { Bucket, ObjectOwnership, PublicAccessBlock, S3State } from './model.ts'

type CallS3<I> = Call<S3State, I>
type Fields = Readonly<Record<string, unknown>>

interface Setting {
  /** Key in `Bucket.settings`. */
  readonly name: string
  /** Operation names; the IAM actions follow from them unless stated. */
  readonly get: string
  readonly put?: string
  readonly delete?: string
  readonly getAction: string
  readonly putAction: string
  /** Member of PUT's input that holds the setting. */
  readonly member: string
  /** Whether GET answers the member itself, or what is inside it. */
  readonly answers: 'member' | 'content'
  readonly absent: S3ErrorCode | Fields
}

const aes256 = {
  ServerSideEncryptionConfiguration: {
    Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: false }],
  },
}

const settings: readonly Setting[] = [
  row('accelerate', 'BucketAccelerateConfiguration', 'AccelerateConfiguration', {}, { action: 'AccelerateConfiguration' }),
  row('logging', 'BucketLogging', 'BucketLoggingStatus', {}),
  row('notification', 'BucketNotificationConfiguration', 'NotificationConfiguration', {}, { action: 'BucketNotification' }),
  row('requestPayment', 'BucketRequestPayment', 'RequestPaymentConfiguration', { Payer: 'BucketOwner' }),
  row('cors', 'BucketCors', 'CORSConfiguration', 'NoSuchCORSConfiguration', { action: 'BucketCORS', delete: 'DeleteBucketCors' }),
  row('website', 'BucketWebsite', 'WebsiteConfiguration', 'NoSuchWebsiteConfiguration', { delete: 'DeleteBucketWebsite' }),
  row('lifecycle', 'BucketLifecycleConfiguration', 'LifecycleConfiguration', 'NoSuchLifecycleConfiguration', {
    action: 'LifecycleConfiguration',
    delete: 'DeleteBucketLifecycle',
  }),
  row('encryption', 'BucketEncryption', 'ServerSideEncryptionConfiguration', aes256, {
    action: 'EncryptionConfiguration',
    delete: 'DeleteBucketEncryption',
    answers: 'member',
  }),
  row('replication', 'BucketReplication', 'ReplicationConfiguration', 'ReplicationConfigurationNotFoundError', {
    action: 'ReplicationConfiguration',
    delete: 'DeleteBucketReplication',
    answers: 'member',
  }),
  row('object-lock', 'ObjectLockConfiguration', 'ObjectLockConfiguration', 'ObjectLockConfigurationNotFoundError', {
    action: 'BucketObjectLockConfiguration',
    answers: 'member',
  }),
  row('abac', 'BucketAbac', 'AbacStatus', { AbacStatus: { Status: 'Disabled' } }, { answers: 'member' }),
]

function row(
  name: string,
  noun: string,
  member: string,
  absent: S3ErrorCode | Fields,
  more: { readonly action?: string; readonly delete?: string; readonly answers?: 'member' } = {},
): Setting {
  const { action = noun, delete: remove, answers = 'content' } = more
  return {
    name,
    get: `Get${noun}`,
    put: `Put${noun}`,
    ...(remove !== undefined && { delete: remove }),
    getAction: `Get${action}`,
    putAction: `Put${action}`,
    member,
    answers,
    absent,
  }
}

/** Settings of which a bucket has many, by id. */
const lists: readonly { readonly name: string; readonly noun: string; readonly plural: string; readonly action: string }[] = [
  { name: 'analytics', noun: 'Analytics', plural: 'AnalyticsConfigurationList', action: 'AnalyticsConfiguration' },
  { name: 'inventory', noun: 'Inventory', plural: 'InventoryConfigurationList', action: 'InventoryConfiguration' },
  { name: 'metrics', noun: 'Metrics', plural: 'MetricsConfigurationList', action: 'MetricsConfiguration' },
  {
    name: 'intelligent-tiering',
    noun: 'IntelligentTiering',
    plural: 'IntelligentTieringConfigurationList',
    action: 'IntelligentTieringConfiguration',
  },
]

type Handlers = Record<string, Handler<S3State>>

export function settingOperations(): Handlers {
  const handlers: Handlers = {}
  for (const setting of settings) Object.assign(handlers, handlersOf(setting))
  for (const list of lists) Object.assign(handlers, listHandlers(list))
  return handlers
}

function handlersOf(setting: Setting): Handlers {
  const handlers: Handlers = {}
  handlers[setting.get] = (call: CallS3<BucketInput>): Fields => {
    const bucket = bucketOf(call)
    call.authorise(onBucket(call, bucket, setting.getAction))
    const value = bucket.settings[setting.name] as Fields | undefined
    if (value !== undefined) return setting.answers === 'member' ? { [setting.member]: value } : value
    if (typeof setting.absent === 'string') throw s3Failure(setting.absent, { fields: { BucketName: bucket.name } })
    return setting.absent
  }
  if (setting.put !== undefined) {
    handlers[setting.put] = (call: CallS3<BucketInput & Fields>): Fields => {
      const bucket = bucketOf(call)
      call.authorise(onBucket(call, bucket, setting.putAction))
      const value = call.input[setting.member]
      if (value === undefined) throw s3Failure('MalformedXML')
      putBucket(call, { ...bucket, settings: { ...bucket.settings, [setting.name]: value } })
      return {}
    }
  }
  if (setting.delete !== undefined) {
    handlers[setting.delete] = (call: CallS3<BucketInput>): Fields => {
      const bucket = bucketOf(call)
      call.authorise(onBucket(call, bucket, setting.putAction))
      putBucket(call, { ...bucket, settings: without(bucket.settings, setting.name) })
      return {}
    }
  }
  return handlers
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
}

function listHandlers(list: (typeof lists)[number]): Handlers {
  const member = `${list.noun}Configuration`
  const key = (id: string): string => `${list.name}/${id}`
  const opened = (call: CallS3<BucketInput>, verb: 'Get' | 'Put'): Bucket => {
    const bucket = bucketOf(call)
    call.authorise(onBucket(call, bucket, `${verb}${list.action}`))
    return bucket
  }
  return {
    [`PutBucket${member}`]: (call: CallS3<BucketInput & Fields & { readonly Id: string }>): Fields => {
      const bucket = opened(call, 'Put')
      const value = call.input[member] as Fields | undefined
      if (value === undefined || value['Id'] !== call.input.Id) throw s3Failure('MalformedXML')
      putBucket(call, { ...bucket, settings: { ...bucket.settings, [key(call.input.Id)]: value } })
      return {}
    },
    [`GetBucket${member}`]: (call: CallS3<BucketInput & { readonly Id: string }>): Fields => {
      const value = opened(call, 'Get').settings[key(call.input.Id)]
      if (value === undefined) throw s3Failure('NoSuchConfiguration')
      return { [member]: value }
    },
    [`DeleteBucket${member}`]: (call: CallS3<BucketInput & { readonly Id: string }>): Fields => {
      const bucket = opened(call, 'Put')
      if (!(key(call.input.Id) in bucket.settings)) throw s3Failure('NoSuchConfiguration')
      putBucket(call, { ...bucket, settings: without(bucket.settings, key(call.input.Id)) })
      call.reply.status = 204
      return {}
    },
    [`ListBucket${member}s`]: (call: CallS3<BucketInput>): Fields => {
      const entries = Object.entries(opened(call, 'Get').settings).filter(([name]) => name.startsWith(`${list.name}/`))
      return { IsTruncated: false, [list.plural]: entries.map(([, value]) => value) }
    },
  }
}

export function getBucketVersioning(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketVersioning'))
  return bucket.versioning === undefined ? {} : { Status: bucket.versioning }
}

export function putBucketVersioning(
  call: CallS3<BucketInput & { readonly VersioningConfiguration: { readonly Status?: 'Enabled' | 'Suspended' } }>,
): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketVersioning'))
  const { Status } = call.input.VersioningConfiguration
  if (Status === undefined) throw s3Failure('MalformedXML')
  if (Status === 'Suspended' && 'object-lock' in bucket.settings) {
    throw s3Failure('InvalidBucketState', {
      message: 'An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.',
    })
  }
  putBucket(call, { ...bucket, versioning: Status })
  return {}
}

export function getPublicAccessBlock(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketPublicAccessBlock'))
  const block = newestOf(bucket.publicAccessBlock)
  if (block === undefined) throw s3Failure('NoSuchPublicAccessBlockConfiguration', { fields: { BucketName: bucket.name } })
  return { PublicAccessBlockConfiguration: block }
}

export function putPublicAccessBlock(
  call: CallS3<BucketInput & { readonly PublicAccessBlockConfiguration: Partial<PublicAccessBlock> }>,
): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketPublicAccessBlock'))
  const given = call.input.PublicAccessBlockConfiguration
  const block: PublicAccessBlock = {
    BlockPublicAcls: given.BlockPublicAcls === true,
    IgnorePublicAcls: given.IgnorePublicAcls === true,
    BlockPublicPolicy: given.BlockPublicPolicy === true,
    RestrictPublicBuckets: given.RestrictPublicBuckets === true,
  }
  writeBlock(call, bucket, block)
  return {}
}

export function deletePublicAccessBlock(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketPublicAccessBlock'))
  writeBlock(call, bucket, undefined)
  return {}
}

function writeBlock(call: Call<S3State>, bucket: Bucket, block: PublicAccessBlock | undefined): void {
  const when = { now: call.now, keepMs: call.keepMs(s3Delays.bucketAccess) }
  putBucket(call, { ...bucket, publicAccessBlock: written(bucket.publicAccessBlock, block, when) })
}

export function getBucketOwnershipControls(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketOwnershipControls'))
  if (bucket.ownership === undefined) throw s3Failure('OwnershipControlsNotFoundError', { fields: { BucketName: bucket.name } })
  return { OwnershipControls: { Rules: [{ ObjectOwnership: bucket.ownership }] } }
}

export function putBucketOwnershipControls(
  call: CallS3<
    BucketInput & { readonly OwnershipControls: { readonly Rules: readonly { readonly ObjectOwnership: ObjectOwnership }[] } }
  >,
): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketOwnershipControls'))
  const [rule, more] = call.input.OwnershipControls.Rules
  if (rule === undefined || more !== undefined) throw s3Failure('MalformedXML')
  putBucket(call, { ...bucket, ownership: rule.ObjectOwnership })
  return {}
}

export function deleteBucketOwnershipControls(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketOwnershipControls'))
  putBucket(call, { ...bucket, ownership: undefined })
  return {}
}

const everybody = 'http://acs.amazonaws.com/groups/global/AllUsers'

function grantsOf(account: string, acl: string): object {
  const owner = { Grantee: { Type: 'CanonicalUser', ...ownerOf(account) }, Permission: 'FULL_CONTROL' }
  const group = (Permission: string): object => ({ Grantee: { Type: 'Group', URI: everybody }, Permission })
  const more = acl === 'public-read' ? [group('READ')] : acl === 'public-read-write' ? [group('READ'), group('WRITE')] : []
  return { Owner: ownerOf(account), Grants: [owner, ...more] }
}

export function getBucketAcl(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketAcl'))
  return grantsOf(bucket.account, bucket.acl)
}

/** Canned ACLs only; lists of grants are refused where they would grant something to others. */
export function putBucketAcl(
  call: CallS3<BucketInput & { readonly ACL?: string; readonly AccessControlPolicy?: { readonly Grants?: readonly Fields[] } }>,
): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketAcl'))
  const { ACL = 'private', AccessControlPolicy } = call.input
  const foreign = (AccessControlPolicy?.Grants ?? []).some(grant => {
    const grantee = grant['Grantee'] as Fields | undefined
    return grantee?.['ID'] !== ownerOf(bucket.account).ID
  })
  if (bucket.ownership === 'BucketOwnerEnforced' && (ACL !== 'private' || foreign))
    throw s3Failure('AccessControlListNotSupported')
  if (foreign)
    throw s3Failure('NotImplemented', { message: 'Grants to others than the owner are not emulated; use a canned ACL' })
  if (ACL.startsWith('public-') && blockOf(call, bucket, 'newest').BlockPublicAcls) throw s3Failure('AccessDenied')
  putBucket(call, { ...bucket, acl: ACL })
  return {}
}

export function objectGrants(account: string, acl: string): object {
  return grantsOf(account, acl)
}

const bucketTagsMax = 50

export function getBucketTagging(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketTagging'))
  if (bucket.tags === undefined) throw s3Failure('NoSuchTagSet', { fields: { BucketName: bucket.name } })
  return { TagSet: renderTags(bucket.tags) }
}

export function putBucketTagging(
  call: CallS3<BucketInput & { readonly Tagging: { readonly TagSet: readonly BucketTag[] } }>,
): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketTagging'))
  putBucket(call, { ...bucket, tags: checkedTags(call.input.Tagging.TagSet, bucketTagsMax) })
  call.reply.status = 204
  return {}
}

export function deleteBucketTagging(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketTagging'))
  putBucket(call, { ...bucket, tags: undefined })
  return {}
}
