// Buckets as such: make, find, list, remove.
import { createHash } from 'node:crypto'
import { listDelay } from '../delays.ts'
import type { Call, Context } from '../service.ts'
import { bucketArn, bucketOf, onBucket } from './access.ts'
import { isBucketName } from './bucket-name.ts'
import { s3Failure } from './errors.ts'
import { type Bucket, newBucket, type ObjectOwnership, type S3State } from './model.ts'
import { s3Quotas } from './quotas.ts'

type CallS3<I> = Call<S3State, I>

export interface BucketInput {
  readonly Bucket: string
  readonly ExpectedBucketOwner?: string
}

/** Accounts have a canonical user id of 64 hex digits, here derived from the number. */
export function ownerOf(account: string): { readonly ID: string } {
  return { ID: createHash('sha256').update(`canonical-user ${account}`).digest('hex') }
}

export function putBucket(call: Context<S3State>, bucket: Bucket): void {
  const state = call.store.get()
  call.store.set({ ...state, buckets: state.buckets.set(bucket.name, bucket) })
}

interface CreateBucketInput extends BucketInput {
  readonly CreateBucketConfiguration?: { readonly LocationConstraint?: string }
  readonly ObjectOwnership?: ObjectOwnership
  readonly ACL?: string
  readonly ObjectLockEnabledForBucket?: boolean
}

export function createBucket(call: CallS3<CreateBucketInput>): object {
  const { Bucket: name, ACL, ObjectOwnership } = call.input
  if (!isBucketName(name)) throw s3Failure('InvalidBucketName', { fields: { BucketName: name } })
  call.authorise({ action: 's3:CreateBucket', resource: bucketArn({ partition: call.partition, name }) })
  if (call.caller.kind === 'anonymous') throw s3Failure('AccessDenied')
  checkLocation(call.region, call.input.CreateBucketConfiguration?.LocationConstraint)
  const state = call.store.get()
  const existing = state.buckets.get(name)
  if (existing !== undefined) return bucketAgain(call, existing)
  const releasedUntil = state.released.get(name)
  if (releasedUntil !== undefined && releasedUntil > call.now) throw s3Failure('OperationAborted')
  const own = [...state.buckets.values()].filter(bucket => bucket.account === call.account)
  if (own.length >= call.quota(s3Quotas.buckets)) throw s3Failure('TooManyBuckets')
  const ownership = ObjectOwnership ?? 'BucketOwnerEnforced'
  if (ACL !== undefined && ACL !== 'private' && ownership === 'BucketOwnerEnforced') {
    throw s3Failure('InvalidRequest', {
      message: "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    })
  }
  const bucket = newBucket({
    name,
    partition: call.partition,
    account: call.account,
    region: call.region,
    createdMs: call.now,
    ownership,
    acl: ACL ?? 'private',
  })
  const locked = call.input.ObjectLockEnabledForBucket === true
  putBucket(call, {
    ...bucket,
    ...(locked && {
      versioning: 'Enabled',
      settings: { 'object-lock': { ObjectLockEnabled: 'Enabled' } },
    }),
  })
  call.store.set({ ...call.store.get(), released: state.released.delete(name) })
  return { Location: `/${name}` }
}

/** Outside us-east-1 the constraint must repeat the endpoint's region; there it must be left out. */
function checkLocation(region: string, given: string | undefined): void {
  const constraint = given === '' ? undefined : given === 'EU' ? 'eu-west-1' : given
  if (region === 'us-east-1') {
    if (constraint === undefined) return
    const message = 'The specified location-constraint is not valid'
    throw s3Failure('InvalidLocationConstraint', { message, fields: { LocationConstraint: constraint } })
  }
  if (constraint === region) return
  const message = `The ${constraint ?? 'unspecified'} location constraint is incompatible for the region specific endpoint this request was sent to.`
  throw s3Failure('IllegalLocationConstraintException', { message })
}

function bucketAgain(call: CallS3<CreateBucketInput>, existing: Bucket): object {
  const { name } = existing
  if (existing.account !== call.account) throw s3Failure('BucketAlreadyExists', { fields: { BucketName: name } })
  if (existing.region === 'us-east-1' && call.region === 'us-east-1' && call.knobs.ownBucketAgainInUsEast1 === 'ok') {
    return { Location: `/${name}` }
  }
  throw s3Failure('BucketAlreadyOwnedByYou', { fields: { BucketName: name } })
}

export function headBucket(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'ListBucket'))
  call.reply.headers['x-amz-bucket-region'] = bucket.region
  return { BucketRegion: bucket.region, AccessPointAlias: false }
}

export function getBucketLocation(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketLocation'))
  // The one answer of S3 whose root element is its only member.
  const open = '<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
  const element = bucket.region === 'us-east-1' ? `${open}/>` : `${open}>${bucket.region}</LocationConstraint>`
  call.reply.headers['content-type'] = 'application/xml'
  call.reply.body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${element}`)
  return {}
}

export function deleteBucket(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'DeleteBucket'))
  if (bucket.objects.size > 0) throw s3Failure('BucketNotEmpty', { fields: { BucketName: bucket.name } })
  const state = call.store.get()
  const { bucketNameReuseMs } = call.knobs
  call.store.set({
    buckets: state.buckets.delete(bucket.name),
    released: bucketNameReuseMs > 0 ? state.released.set(bucket.name, call.now + bucketNameReuseMs) : state.released,
  })
  return {}
}

interface ListBucketsInput {
  readonly MaxBuckets?: number
  readonly ContinuationToken?: string
  readonly Prefix?: string
  readonly BucketRegion?: string
}

const bucketsPerPageMax = 10_000

export function listBuckets(call: CallS3<ListBucketsInput>): object {
  call.authorise({ action: 's3:ListAllMyBuckets', resource: '*' })
  if (call.caller.kind === 'anonymous') throw s3Failure('AccessDenied')
  const { MaxBuckets, ContinuationToken, Prefix, BucketRegion } = call.input
  const filters = [Prefix, BucketRegion]
  const after = ContinuationToken === undefined ? undefined : call.tokens.open(ContinuationToken, filters)
  if (ContinuationToken !== undefined && after === undefined) {
    throw s3Failure('InvalidArgument', { message: 'The continuation token provided is incorrect' })
  }
  const own = [...call.store.get().buckets.entries(after === undefined ? {} : { after })]
    .map(([, bucket]) => bucket)
    .filter(bucket => bucket.account === call.account && bucket.name.startsWith(Prefix ?? ''))
    .filter(bucket => BucketRegion === undefined || bucket.region === BucketRegion)
    .filter(
      bucket => bucket.region === call.region || bucket.createdMs + call.delay(listDelay, `bucket/${bucket.name}`) <= call.now,
    )
  const limit = MaxBuckets ?? bucketsPerPageMax
  const page = own.slice(0, limit)
  const last = page.at(-1)
  return {
    Owner: ownerOf(call.account),
    Buckets: page.map(bucket => ({ Name: bucket.name, CreationDate: bucket.createdMs, BucketRegion: bucket.region })),
    ...(Prefix !== undefined && { Prefix }),
    ...(own.length > limit && last !== undefined && { ContinuationToken: call.tokens.seal(last.name, filters) }),
  }
}
