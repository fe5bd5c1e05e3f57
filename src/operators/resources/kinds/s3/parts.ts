// A bucket's settings: each has a read, a put and mostly a delete of its own. The table says under which names; the values are converted
// by the model like any others.
import { AwsError } from '#aws'
import type { Fields } from '../../api.ts'
import { sameDeep } from '../../delta/compare.ts'
import { fromWire, toWire } from '../../model/convert.ts'
import { inputOf, type KindModel, operationNamed, outputOf } from '../../model/kind-model.ts'
import type { Values } from '../../model/request.ts'
import { structuresOf, update } from '../calls.ts'
import type { Caller, PlannedCall } from '../deviation.ts'

export interface BucketPart {
  /** Camel name of the field. */
  readonly field: string
  readonly json: string
  readonly get: string
  readonly put: string
  /** The put's member that carries the setting. */
  readonly member: string
  readonly remove?: string
  /** Codes of the read that mean: not set. */
  readonly absent?: readonly string[]
  /** What the manifest means by saying nothing, and what AWS says when nothing is set. */
  readonly unset?: Fields
  /** Members of the put call other than the part itself. */
  readonly with?: Values
}

/** In the order in which they are read. */
export const parts: readonly BucketPart[] = [
  part('Abac', 'abac', 'BucketAbac', 'AbacStatus', { absent: ['MethodNotAllowed', 'UnsupportedArgument'] }),
  part('Accelerate', 'accelerate', 'BucketAccelerateConfiguration', 'AccelerateConfiguration', {
    absent: ['MethodNotAllowed', 'UnsupportedArgument'],
    unset: { status: 'Suspended' },
  }),
  part('CORS', 'cors', 'BucketCors', 'CORSConfiguration', { remove: 'DeleteBucketCors', absent: ['NoSuchCORSConfiguration'] }),
  part('Encryption', 'encryption', 'BucketEncryption', 'ServerSideEncryptionConfiguration', {
    remove: 'DeleteBucketEncryption',
    absent: ['ServerSideEncryptionConfigurationNotFoundError'],
  }),
  part('Lifecycle', 'lifecycle', 'BucketLifecycleConfiguration', 'LifecycleConfiguration', {
    remove: 'DeleteBucketLifecycle',
    absent: ['NoSuchLifecycleConfiguration'],
  }),
  part('Logging', 'logging', 'BucketLogging', 'BucketLoggingStatus', { unset: {} }),
  part('Notification', 'notification', 'BucketNotificationConfiguration', 'NotificationConfiguration', { unset: {} }),
  part('OwnershipControls', 'ownershipControls', 'BucketOwnershipControls', 'OwnershipControls', {
    remove: 'DeleteBucketOwnershipControls',
    absent: ['OwnershipControlsNotFoundError'],
  }),
  part('Policy', 'policy', 'BucketPolicy', 'Policy', {
    remove: 'DeleteBucketPolicy',
    absent: ['NoSuchBucketPolicy'],
    with: { ConfirmRemoveSelfBucketAccess: false },
  }),
  part('PublicAccessBlock', 'publicAccessBlock', 'PublicAccessBlock', 'PublicAccessBlockConfiguration', {
    remove: 'DeletePublicAccessBlock',
    absent: ['NoSuchPublicAccessBlockConfiguration'],
    unset: { blockPublicACLs: false, blockPublicPolicy: false, ignorePublicACLs: false, restrictPublicBuckets: false },
  }),
  part('Replication', 'replication', 'BucketReplication', 'ReplicationConfiguration', {
    remove: 'DeleteBucketReplication',
    absent: ['ReplicationConfigurationNotFoundError'],
  }),
  part('RequestPayment', 'requestPayment', 'BucketRequestPayment', 'RequestPaymentConfiguration', {
    unset: { payer: 'BucketOwner' },
  }),
  part('Tagging', 'tagging', 'BucketTagging', 'Tagging', { remove: 'DeleteBucketTagging', absent: ['NoSuchTagSet'] }),
  part('Versioning', 'versioning', 'BucketVersioning', 'VersioningConfiguration', { unset: { status: 'Suspended' } }),
  part('Website', 'website', 'BucketWebsite', 'WebsiteConfiguration', {
    remove: 'DeleteBucketWebsite',
    absent: ['NoSuchWebsiteConfiguration'],
  }),
  part('ObjectLockConfiguration', 'objectLockConfiguration', 'ObjectLockConfiguration', 'ObjectLockConfiguration', {
    absent: ['ObjectLockConfigurationNotFoundError'],
  }),
]

function part(field: string, json: string, noun: string, member: string, more: Partial<BucketPart>): BucketPart {
  return { field, json, get: `Get${noun}`, put: `Put${noun}`, member, ...more }
}

/** Settings of which a bucket has many, each under an id. */
export interface ListPart {
  readonly field: string
  readonly json: string
  /** In the operations' names: `ListBucketAnalyticsConfigurations`. */
  readonly noun: string
}

export const listParts: readonly ListPart[] = [
  { field: 'Analytics', json: 'analytics', noun: 'Analytics' },
  { field: 'IntelligentTiering', json: 'intelligentTiering', noun: 'IntelligentTiering' },
  { field: 'Inventory', json: 'inventory', noun: 'Inventory' },
  { field: 'Metrics', json: 'metrics', noun: 'Metrics' },
]

/** A model that is older than a setting does not know its operations. */
export function isServed({ service }: KindModel, operation: string): boolean {
  return Object.hasOwn(service.model.operations, operation)
}

/** The setting as the manifest would say it; `undefined` when it is not set. */
export async function readPart(model: KindModel, one: BucketPart, { caller, bucket }: Reading): Promise<unknown> {
  const output = await orAbsent(() => caller.call(one.get, { Bucket: bucket }), one.absent ?? [])
  const field = model.spec.named(one.field)
  if (output === undefined || field === undefined) return undefined
  const shape = outputOf(model.service.model, one.get)
  const { service } = model
  const wrapped = shape.members[one.member]
  // Some answers have the setting in a member; others are the setting themselves.
  const found =
    wrapped === undefined
      ? fromWire(output, { service, type: field.type, member: { target: operationNamed(service.model, one.get).output ?? '' } })
      : fromWire(output[one.member], { service, type: field.type, member: wrapped })
  return sameDeep(found, undefined) ? undefined : found
}

interface Reading {
  readonly caller: Caller
  readonly bucket: unknown
}

async function orAbsent(read: () => Promise<Values>, absent: readonly string[]): Promise<Values | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AwsError && absent.includes(error.code)) return undefined
    throw error
  }
}

export async function readListPart(
  model: KindModel,
  { noun, field: name }: ListPart,
  { caller, bucket }: Reading,
): Promise<unknown> {
  const operation = `ListBucket${noun}Configurations`
  const field = model.spec.named(name)
  const member = `${noun}ConfigurationList`
  const items = await caller.list(operation, { Bucket: bucket }, member)
  const target = outputOf(model.service.model, operation).members[member]
  if (items.length === 0 || field === undefined || target === undefined) return undefined
  return fromWire(items, { service: model.service, type: field.type, member: target })
}

/** The call that makes the setting so: a put, or a delete where nothing is wanted. */
export function putPart(
  model: KindModel,
  one: BucketPart,
  { bucket, value }: { readonly bucket: unknown; readonly value: unknown },
): PlannedCall {
  const isUnset = sameDeep(value, undefined)
  if (isUnset && one.remove !== undefined) return update(one.remove, { Bucket: bucket }, one.absent)
  const field = model.spec.named(one.field)
  const member = inputOf(model.service.model, one.put).members[one.member]
  const given = isUnset ? (one.unset ?? {}) : value
  const wire =
    field === undefined || member === undefined
      ? given
      : toWire(given, { service: model.service, type: field.type, member, path: one.json })
  const lock = one.put === 'PutObjectLockConfiguration' ? { ObjectLockEnabled: 'Enabled', ...(wire as Values) } : wire
  return update(one.put, { Bucket: bucket, [one.member]: lock, ...one.with })
}

/** Changed and new ones are put, vanished ones deleted. */
export function putListPart(
  model: KindModel,
  { noun, field: name, json }: ListPart,
  { bucket, wanted, latest }: { readonly bucket: unknown; readonly wanted: unknown; readonly latest: unknown },
): readonly PlannedCall[] {
  const put = `PutBucket${noun}Configuration`
  const field = model.spec.named(name)
  const member = inputOf(model.service.model, put).members[`${noun}Configuration`]
  if (field?.type.kind !== 'list' || member === undefined) return []
  const { element } = field.type
  const [want, have] = [structuresOf(wanted), structuresOf(latest)]
  const held = new Map(have.map(each => [each['id'], each]))
  const puts = want
    .filter(each => !sameDeep(each, held.get(each['id'])))
    .map(each => {
      const value = toWire(each, { service: model.service, type: element, member, path: json })
      return update(put, { Bucket: bucket, Id: each['id'], [`${noun}Configuration`]: value })
    })
  const ids = new Set(want.map(each => each['id']))
  const gone = have.filter(each => !ids.has(each['id']))
  return [
    ...puts,
    ...gone.map(each => update(`DeleteBucket${noun}Configuration`, { Bucket: bucket, Id: each['id'] }, ['NoSuchConfiguration'])),
  ]
}
