// Bucket policies: what S3 accepts, in its own words, and the four operations on them (§8.3). The evaluator elsewhere decides
// what a stored policy grants; this file shares nothing with it.
import { limits } from '#aws'
import type { Call } from '../service.ts'
import { newestOf, written } from '../state/timeline.ts'
import { blockOf, bucketArn, bucketOf, onBucket, policyOf } from './access.ts'
import { type BucketInput, putBucket } from './buckets.ts'
import { s3Delays } from './delays.ts'
import { s3Failure } from './errors.ts'
import type { Bucket, S3State } from './model.ts'
import { isPublicPolicy } from './public-policy.ts'

type CallS3<I> = Call<S3State, I>

const policyBytesMax = limits['s3/bucket-policy-bytes'].value

export function putBucketPolicy(call: CallS3<BucketInput & { readonly Policy: string }>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'PutBucketPolicy'))
  const text = call.input.Policy
  if (Buffer.byteLength(text) > policyBytesMax) throw s3Failure('PolicyTooLarge')
  const principals = checkedPrincipals(text, bucket)
  for (const principal of principals) {
    if (call.ports.roles.principalExists(principal, 'late')) continue
    throw s3Failure('MalformedPolicy', { message: 'Invalid principal in policy', fields: { Detail: `"AWS" : "${principal}"` } })
  }
  if (blockOf(call, bucket, 'newest').BlockPublicPolicy && isPublicPolicy(text)) throw publicPolicyRefused(call, bucket)
  const when = { now: call.now, keepMs: call.keepMs(s3Delays.bucketAccess) }
  putBucket(call, { ...bucket, policy: written(bucket.policy, call.ports.roles.bound(text), when) })
  call.reply.status = 204
  return {}
}

function publicPolicyRefused(call: CallS3<BucketInput>, bucket: Bucket): Error {
  if (!call.knobs.longS3Messages || !('arn' in call.caller)) return s3Failure('AccessDenied')
  const who = `User: ${call.caller.arn} is not authorized to perform: s3:PutBucketPolicy on resource: "${bucketArn(bucket)}"`
  const why = 'because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access'
  return s3Failure('AccessDenied', { message: `${who} ${why}.` })
}

export function getBucketPolicy(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketPolicy'))
  const policy = newestOf(bucket.policy)
  if (policy === undefined) throw s3Failure('NoSuchBucketPolicy', { fields: { BucketName: bucket.name } })
  call.reply.headers['content-type'] = 'application/json'
  return { Policy: call.ports.roles.shown(policy) }
}

export function deleteBucketPolicy(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'DeleteBucketPolicy'))
  const when = { now: call.now, keepMs: call.keepMs(s3Delays.bucketAccess) }
  putBucket(call, { ...bucket, policy: written(bucket.policy, undefined, when) })
  return {}
}

export function getBucketPolicyStatus(call: CallS3<BucketInput>): object {
  const bucket = bucketOf(call)
  call.authorise(onBucket(call, bucket, 'GetBucketPolicyStatus'))
  const policy = policyOf(call, bucket, 'newest')
  if (policy === undefined) throw s3Failure('NoSuchBucketPolicy', { fields: { BucketName: bucket.name } })
  return { PolicyStatus: { IsPublic: isPublicPolicy(policy) } }
}

type Fields = Readonly<Record<string, unknown>>

const topFields = new Set(['Version', 'Id', 'Statement'])
const statementFields = new Set([
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
])

/** Refuses what is no bucket policy for this bucket; answers the AWS principals that it names, which must exist. */
export function checkedPrincipals(text: string, bucket: Pick<Bucket, 'name' | 'partition'>): readonly string[] {
  const document = parsed(text)
  for (const field of Object.keys(document)) if (!topFields.has(field)) throw malformed(`Unknown field ${field}`)
  const version = document['Version']
  if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17')
    throw malformed('The policy must contain a valid version string')
  const given = document['Statement']
  if (given === undefined) throw malformed('Missing required field Statement')
  const statements = [given].flat()
  if (statements.length === 0) throw malformed('Could not parse the policy: Statement is empty!')
  const ids = new Set<unknown>()
  return statements.flatMap(statement => {
    if (!isFields(statement)) throw malformed('This policy contains invalid Json')
    const sid = statement['Sid']
    if (sid !== undefined && sid !== '' && ids.has(sid)) throw malformed(`Duplicate Sid in policy: ${JSON.stringify(sid)}`)
    ids.add(sid)
    return checkStatement(statement, bucket)
  })
}

function parsed(text: string): Fields {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw malformed('This policy contains invalid Json')
  }
  if (!isFields(document)) throw s3Failure('MalformedPolicy')
  return document
}

function checkStatement(statement: Fields, bucket: Pick<Bucket, 'name' | 'partition'>): readonly string[] {
  for (const field of Object.keys(statement)) if (!statementFields.has(field)) throw malformed(`Unknown field ${field}`)
  const effect = statement['Effect']
  if (effect === undefined) throw malformed('Missing required field Effect')
  if (effect !== 'Allow' && effect !== 'Deny')
    throw malformed(`Invalid effect: ${typeof effect === 'string' ? effect : JSON.stringify(effect)}`)
  const principal = exactlyOne(statement, 'Principal', 'NotPrincipal')
  const actions = texts(exactlyOne(statement, 'Action', 'NotAction'), 'Action')
  const resources = texts(exactlyOne(statement, 'Resource', 'NotResource'), 'Resource')
  for (const action of actions) if (!/^(\*|s3:[A-Za-z*?]+)$/i.test(action)) throw malformed('Policy has invalid action')
  const root = bucketArn(bucket)
  for (const resource of resources) {
    if (resource !== root && !resource.startsWith(`${root}/`)) throw malformed('Policy has invalid resource')
  }
  if (statement['Action'] !== undefined && statement['Resource'] !== undefined) checkActionsApply(actions, resources, root)
  checkCondition(statement['Condition'])
  return principalsOf(principal)
}

function exactlyOne(statement: Fields, field: string, negated: string): unknown {
  const [one, other] = [statement[field], statement[negated]]
  if (one !== undefined && other !== undefined) throw malformed(`Statement cannot contain both ${field} and ${negated}`)
  if (one === undefined && other === undefined) throw malformed(`Missing required field ${field}`)
  return one ?? other
}

function texts(value: unknown, field: string): readonly string[] {
  const values = [value].flat()
  if (values.length === 0) throw malformed(`Missing required field ${field} cannot be empty!`)
  if (!values.every(item => typeof item === 'string')) throw malformed(`Policy has invalid ${field.toLowerCase()}`)
  return values
}

/** An action on objects needs a resource below the bucket, one on the bucket needs the bucket itself. */
function checkActionsApply(actions: readonly string[], resources: readonly string[], root: string): void {
  for (const action of actions) {
    const name = action.replace(/^s3:/i, '')
    if (/[*?]/.test(name)) continue
    const applies = resources.some(resource => (isObjectAction(name) ? resource !== root : resource === root))
    if (!applies) throw malformed('Action does not apply to any resource(s) in statement')
  }
}

function isObjectAction(name: string): boolean {
  if (/^(?:AbortMultipartUpload|ListMultipartUploadParts|InitiateReplication)$/i.test(name)) return true
  return /Object|^Replicate/i.test(name) && !/^(?:Get|Put)BucketObjectLock/i.test(name)
}

const operatorForm =
  /^(?:ForAllValues:|ForAnyValue:)?(?:String(?:Not)?(?:Equals|EqualsIgnoreCase|Like)|(?:Numeric|Date)(?:(?:Not)?Equals|(?:Less|Greater)Than(?:Equals)?)|Arn(?:Not)?(?:Equals|Like)|Bool|BinaryEquals|(?:Not)?IpAddress)(?:IfExists)?$|^Null$/i

function checkCondition(condition: unknown): void {
  if (condition === undefined) return
  if (!isFields(condition)) throw malformed('Could not parse the policy: Condition must be an object')
  for (const [operator, tests] of Object.entries(condition)) {
    if (!operatorForm.test(operator)) throw malformed(`Invalid Condition type : ${operator}`)
    if (!isFields(tests)) throw malformed('Could not parse the policy: Condition must be an object')
    for (const key of Object.keys(tests)) if (!key.includes(':')) throw malformed('Policy has an invalid condition key')
  }
}

const kinds = new Set(['AWS', 'Service', 'Federated', 'CanonicalUser'])

function principalsOf(principal: unknown): readonly string[] {
  if (principal === '*') return []
  if (!isFields(principal)) throw malformed('Invalid policy syntax.')
  for (const kind of Object.keys(principal)) if (!kinds.has(kind)) throw malformed('Invalid policy syntax.')
  const named = Object.entries(principal).flatMap(([kind, names]) => (kind === 'AWS' ? texts(names, 'Principal') : []))
  return named.filter(name => name !== '*')
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function malformed(message: string): Error {
  return s3Failure('MalformedPolicy', { message })
}
