// The bucket of a self-hosted issuer. Its name is all the world's (B23): it is ours when our account has it and its tags say so, or when
// it has no tags yet and the Config recorded that it was about to be made.
import { AwsError, samePolicyText } from '#aws'
import type { AwsClient } from '#aws/client'
import type { ChildSpec } from '../children/child.ts'
import { type AwsAction, awsCall, type CallPlace, type Values } from './action.ts'
import { iamTags, missingTags, record, type Tags, tagMap, text } from './answer.ts'

export interface BucketActual {
  /** Another account's, as S3 tells it. */
  readonly isForeign: boolean
  readonly tags: Tags
  readonly policy: string
  readonly publicAccess: Values
  readonly ownership: string
  readonly encryption: string
}

export async function readBucket(client: AwsClient, name: string, signal: AbortSignal): Promise<BucketActual | undefined> {
  const get = (operation: string): Promise<Values | undefined> => unlessUnset(client, operation, name, signal)
  try {
    const tagging = await get('GetBucketTagging')
    const [policy, access, ownership, encryption] = await Promise.all(
      ['GetBucketPolicy', 'GetPublicAccessBlock', 'GetBucketOwnershipControls', 'GetBucketEncryption'].map(get),
    )
    const rule = (value: unknown): Values => record(Array.isArray(value) ? value[0] : undefined)
    return {
      isForeign: false,
      tags: tagMap(tagging?.TagSet),
      policy: text(policy?.Policy) ?? '',
      publicAccess: record(access?.PublicAccessBlockConfiguration),
      ownership: text(rule(record(ownership?.OwnershipControls).Rules).ObjectOwnership) ?? '',
      encryption:
        text(
          record(rule(record(encryption?.ServerSideEncryptionConfiguration).Rules).ApplyServerSideEncryptionByDefault)
            .SSEAlgorithm,
        ) ?? '',
    }
  } catch (error) {
    if (!(error instanceof AwsError)) throw error
    if (error.code === 'NoSuchBucket') return undefined
    // Whose bucket it is, S3 does not tell to strangers.
    if (error.code === 'AccessDenied' && error.operation === 'GetBucketTagging') return foreign
    throw error
  }
}

const foreign: BucketActual = { isForeign: true, tags: {}, policy: '', publicAccess: {}, ownership: '', encryption: '' }

export function bucketCalls(
  place: CallPlace,
  spec: ChildSpec,
  tags: Tags,
  actual: BucketActual | undefined,
): readonly AwsAction[] {
  const Bucket = String(spec.name)
  const call = (operation: string, input: Values): AwsAction => awsCall(place, operation, { Bucket, ...input }, Bucket)
  const calls: AwsAction[] = []
  if (actual === undefined) {
    const location = place.region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: place.region } }
    calls.push(call('CreateBucket', { ObjectOwnership: spec.objectOwnership, ...location }))
  }
  const is: BucketActual = actual ?? foreign
  if (Object.keys(missingTags(tags, is.tags)).length > 0) {
    // The set is written as a whole: what others added stays (B30).
    const all = { ...is.tags, ...tags }
    calls.push(
      call('PutBucketTagging', {
        Tagging: {
          TagSet: iamTags(all),
        },
      }),
    )
  }
  const access = publicAccess(spec)
  if (Object.entries(access).some(([name, value]) => is.publicAccess[name] !== value)) {
    calls.push(call('PutPublicAccessBlock', { PublicAccessBlockConfiguration: access }))
  }
  if (is.policy === '' || !samePolicyText(String(spec.policy), is.policy, 'resource')) {
    calls.push(call('PutBucketPolicy', { Policy: spec.policy }))
  }
  if (actual !== undefined && is.ownership !== spec.objectOwnership) {
    calls.push(call('PutBucketOwnershipControls', { OwnershipControls: { Rules: [{ ObjectOwnership: spec.objectOwnership }] } }))
  }
  if (actual !== undefined && is.encryption !== 'AES256') {
    const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }]
    calls.push(call('PutBucketEncryption', { ServerSideEncryptionConfiguration: { Rules } }))
  }
  return calls
}

export function bucketRemoval(place: CallPlace, name: string): readonly AwsAction[] {
  return [awsCall(place, 'DeleteBucket', { Bucket: name }, name)]
}

function publicAccess(spec: ChildSpec): Readonly<Record<string, boolean>> {
  const { blockPublicACLs, ignorePublicACLs, blockPublicPolicy, restrictPublicBuckets } = record(spec.publicAccessBlock)
  return {
    BlockPublicAcls: blockPublicACLs === true,
    IgnorePublicAcls: ignorePublicACLs === true,
    BlockPublicPolicy: blockPublicPolicy === true,
    RestrictPublicBuckets: restrictPublicBuckets === true,
  }
}

/** What a bucket was never given, S3 calls an error of its own. */
async function unlessUnset(
  client: AwsClient,
  operation: string,
  Bucket: string,
  signal: AbortSignal,
): Promise<Values | undefined> {
  try {
    return await client.call(operation, { Bucket }, { signal })
  } catch (error) {
    if (error instanceof AwsError && error.class === 'not-found' && error.code !== 'NoSuchBucket') return undefined
    throw error
  }
}
