// How S3 asks for permission: bucket policy, public access block and ACLs of the bucket go into the question (§8.3).
import type { AccessQuestion, ContextKeys } from '../policy/access.ts'
import type { Call, Context } from '../service.ts'
import { newestOf, seenOf } from '../state/timeline.ts'
import { s3Delays } from './delays.ts'
import { s3Failure } from './errors.ts'
import { type Bucket, latestContent, type ObjectContent, type PublicAccessBlock, type S3State } from './model.ts'
import { isPublicPolicy } from './public-policy.ts'

export function bucketArn(bucket: Pick<Bucket, 'partition' | 'name'>): string {
  return `arn:${bucket.partition}:s3:::${bucket.name}`
}

/** The bucket, or the refusal that everybody gets for a name that is not taken, lies elsewhere, or is not whose it should be. */
export function bucketOf(call: Call<S3State, { readonly Bucket: string; readonly ExpectedBucketOwner?: string }>): Bucket {
  const { Bucket: name, ExpectedBucketOwner } = call.input
  const bucket = call.store.get().buckets.get(name)
  if (bucket === undefined) throw s3Failure('NoSuchBucket', { fields: { BucketName: name } })
  redirectToRegion(call, bucket)
  if (ExpectedBucketOwner !== undefined && ExpectedBucketOwner !== bucket.account) throw s3Failure('AccessDenied')
  return bucket
}

function redirectToRegion(call: Call<S3State>, bucket: Bucket): void {
  const { wrongRegionRedirect } = call.knobs
  if (bucket.region === call.region || wrongRegionRedirect === 'never') return
  if (wrongRegionRedirect === 'host' && !call.request.hostNamed && !call.request.proven) return
  if (call.operation === 'GetBucketLocation') return
  call.reply.headers['x-amz-bucket-region'] = bucket.region
  if (!call.request.hostNamed && call.request.proven) throw signedElsewhere(call, bucket)
  throw s3Failure('PermanentRedirect', {
    fields: { Bucket: bucket.name, Endpoint: `${bucket.name}.s3.${bucket.region}.amazonaws.com`, Region: bucket.region },
  })
}

/** An address of this machine names no region, and so the signature alone says for which one the request was meant. */
function signedElsewhere({ region }: Call<S3State>, bucket: Bucket): Error {
  const message = `The authorization header is malformed; the region '${region}' is wrong; expecting '${bucket.region}'`
  return s3Failure('AuthorizationHeaderMalformed', { message, fields: { Region: bucket.region } })
}

/** A right on the bucket itself. */
export function onBucket(call: Call<S3State>, bucket: Bucket, action: string, context: ContextKeys = {}): AccessQuestion {
  return question(call, bucket, { action: `s3:${action}`, resource: bucketArn(bucket), context })
}

/** A right on one key, whether or not there is an object. */
export function onKey(
  call: Call<S3State>,
  bucket: Bucket,
  at: { readonly action: string; readonly key: string; readonly context?: ContextKeys },
): AccessQuestion {
  const content = latestContent(bucket, at.key)?.content
  const tags = Object.entries(content?.tags ?? {}).map(([name, value]) => [`s3:ExistingObjectTag/${name}`, value])
  return question(call, bucket, {
    action: `s3:${at.action}`,
    resource: `${bucketArn(bucket)}/${at.key}`,
    context: { ...Object.fromEntries(tags), ...at.context },
    ...(content !== undefined && { content }),
  })
}

interface Asked {
  readonly action: string
  readonly resource: string
  readonly context: ContextKeys
  readonly content?: ObjectContent
}

function question(call: Call<S3State>, bucket: Bucket, asked: Asked): AccessQuestion {
  const own = isOfAccount(call, bucket)
  const view = own ? 'newest' : 'late'
  const policy = policyOf(call, bucket, view)
  const text = withAclGrants(policy, bucket, asked, blockOf(call, bucket, view))
  const veto = own ? undefined : vetoOf(call, bucket, policy)
  return {
    action: asked.action,
    resource: asked.resource,
    context: { 's3:ResourceAccount': bucket.account, ...asked.context },
    resourceAccount: bucket.account,
    ...(text !== undefined && { resourcePolicy: { kind: 'resource-based', name: `bucket policy of ${bucket.name}`, text } }),
    ...(veto !== undefined && { veto }),
  }
}

function isOfAccount(call: Call<S3State>, bucket: Bucket): boolean {
  const { caller } = call
  return caller.kind === 'service' || (caller.kind !== 'anonymous' && caller.account === bucket.account)
}

/** `newest` is what the API shows and same-account principals get; `late` is what everybody else sees. */
export function policyOf(call: Context<S3State>, bucket: Bucket, view: 'newest' | 'late'): string | undefined {
  return view === 'newest' ? newestOf(bucket.policy) : seenOf(bucket.policy, call.now, accessDelay(call, bucket))
}

function accessDelay(call: Context<S3State>, bucket: Bucket): number {
  return call.delay(s3Delays.bucketAccess, `bucket/${bucket.name}`)
}

const nothingBlocked: PublicAccessBlock = {
  BlockPublicAcls: false,
  IgnorePublicAcls: false,
  BlockPublicPolicy: false,
  RestrictPublicBuckets: false,
}

/** The stricter of the bucket's and the account's settings. */
export function blockOf(call: Context<S3State>, bucket: Bucket, view: 'newest' | 'late'): PublicAccessBlock {
  const block =
    (view === 'newest'
      ? newestOf(bucket.publicAccessBlock)
      : seenOf(bucket.publicAccessBlock, call.now, accessDelay(call, bucket))) ?? nothingBlocked
  const account = call.knobs.accountPublicAccessBlock
  const either = (name: keyof PublicAccessBlock): boolean => block[name] || account[name] === true
  return {
    BlockPublicAcls: either('BlockPublicAcls'),
    IgnorePublicAcls: either('IgnorePublicAcls'),
    BlockPublicPolicy: either('BlockPublicPolicy'),
    RestrictPublicBuckets: either('RestrictPublicBuckets'),
  }
}

/** With RestrictPublicBuckets a public policy opens the bucket to nobody outside its account. */
function vetoOf(call: Call<S3State>, bucket: Bucket, policy: string | undefined): string | undefined {
  if (policy === undefined || !blockOf(call, bucket, 'late').RestrictPublicBuckets || !isPublicPolicy(policy)) return undefined
  return `the bucket policy of ${bucket.name} is public and RestrictPublicBuckets is on`
}

/** Public ACLs become Allow statements beside the policy's, so that one evaluation decides. */
function withAclGrants(policy: string | undefined, bucket: Bucket, asked: Asked, block: PublicAccessBlock): string | undefined {
  if (block.IgnorePublicAcls || bucket.ownership === 'BucketOwnerEnforced') return policy
  const statements: object[] = []
  const grant = (Action: string | string[], Resource: string): number =>
    statements.push({ Sid: 'AccessControlList', Effect: 'Allow', Principal: '*', Action, Resource })
  if (isPublicRead(asked.content?.acl)) grant('s3:GetObject', asked.resource)
  if (isPublicRead(bucket.acl)) grant(['s3:ListBucket', 's3:ListBucketVersions'], bucketArn(bucket))
  if (bucket.acl === 'public-read-write') grant(['s3:PutObject', 's3:DeleteObject'], `${bucketArn(bucket)}/*`)
  if (statements.length === 0) return policy
  const document =
    policy === undefined ? { Version: '2012-10-17', Statement: [] } : (JSON.parse(policy) as { Statement: unknown })
  return JSON.stringify({ ...document, Statement: [document.Statement, statements].flat() })
}

function isPublicRead(acl: string | undefined): boolean {
  return acl === 'public-read' || acl === 'public-read-write'
}

/** An absent key is 404 only for those who may list; for others it looks like any other refusal (§4.4). */
export function absentKey(call: Call<S3State>, bucket: Bucket, key: string): never {
  if (call.decide(onBucket(call, bucket, 'ListBucket', { 's3:prefix': key })).allowed) {
    throw s3Failure('NoSuchKey', { fields: { Key: key } })
  }
  throw s3Failure('AccessDenied')
}
