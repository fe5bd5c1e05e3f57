// S3 buckets: one call makes a bucket, two dozen settings around it are read and put one by one, in an order in which each finds what it
// needs. What the manifest does not name is taken away, except what AWS sets by itself.
import { AwsError } from '#aws'
import { sameDeep, samePolicies } from '../../delta/compare.ts'
import { isRecord, own, textOf } from '../../model/convert.ts'
import { type KindModel, structureNamed } from '../../model/kind-model.ts'
import type { Content, Values } from '../../model/request.ts'
import { sameTags, tagsIn, withTags } from '../../model/tags.ts'
import { hasResource, recordOf } from '../../ownership/ownership-record.ts'
import { structuresOf, tagList } from '../calls.ts'
import type { Caller, CreateContext, Deviation, PlannedCall, ReadContext, SyncContext } from '../deviation.ts'
import { putAcl, readAcl, sameAcl } from './acl.ts'
import { directoryTagCalls, readDirectoryTags } from './control.ts'
import { emptyingCalls, readContent } from './emptying.ts'
import { type BucketPart, isServed, listParts, parts, putListPart, putPart, readListPart, readPart } from './parts.ts'

/** Replication needs versions, and needs them until it is gone: the two are last but object locks, in an order of their own. */
const lastFields = ['Replication', 'Versioning']

export const s3Bucket: Deviation = {
  arnOf: ({ spec }, { account, partition, region }) =>
    isDirectory(spec['name'])
      ? `arn:${partition}:s3express:${region}:${account}:bucket/${textOf(spec['name'])}`
      : `arn:${partition}:s3:::${textOf(spec['name'])}`,
  refuse: ({ wanted: { spec } }) => {
    if (!isDirectory(spec['name'])) return undefined
    const foreign = Object.keys(spec).filter(name => spec[name] !== undefined && !ofDirectories.includes(name))
    return foreign.length === 0 ? undefined : `a directory bucket has no ${foreign.sort().join(', ')}`
  },
  // A read tells all canned ACLs that the grants may have come from; what every bucket has needs no word.
  findsByList: ({ spec }) => isDirectory(spec['name']),
  adoptedSpec: ({ acl, ...spec }) => {
    const canned = typeof acl === 'string' ? acl.split('|') : []
    return canned.length === 0 || canned.includes('private') ? spec : { ...spec, acl: canned[0] }
  },
  read: readBucket,
  emptying: emptyingCalls,
  create: createBucket,
  repeatable: true,
  tagsAtCreate: false,
  // A bucket of ours that is younger than our call is what it made.
  proves: ({ extra }, { intent }) => typeof extra?.['createdMs'] === 'number' && extra['createdMs'] >= intent.atMs - 60_000,
  same: {
    ...Object.fromEntries(parts.map(one => [one.field, (wanted: unknown, latest: unknown) => samePart(one, wanted, latest)])),
    ...Object.fromEntries(
      ['GrantFullControl', 'GrantRead', 'GrantReadACP', 'GrantWrite', 'GrantWriteACP'].map(name => [name, () => true]),
    ),
    ACL: (_wanted, _latest, { wanted, latest }) => isDirectory(wanted.spec['name']) || sameAcl(wanted, latest),
    CreateBucketConfiguration: () => true,
    ObjectLockEnabledForBucket: () => true,
    ObjectOwnership: () => true,
    Tagging: (_wanted, _latest, { wanted, latest, model }) => sameTags(tagsIn(model, wanted.spec), tagsIn(model, latest.spec)),
  },
  unchangeable: ['Name', 'Namespace'],
  own: [...parts.map(({ field }) => field), ...listParts.map(({ field }) => field), 'ACL'],
  sync: syncBucket,
  delete: ({ latest }) => ({
    operation: 'DeleteBucket',
    input: { Bucket: latest.spec['name'] },
    verb: 'DELETE',
    tolerates: ['NoSuchBucket'],
  }),
}

/** All that a directory bucket has. */
const ofDirectories = ['name', 'createBucketConfiguration', 'encryption', 'lifecycle', 'policy', 'tagging']

function isDirectory(name: unknown): boolean {
  return typeof name === 'string' && name.endsWith('--x-s3')
}

async function readBucket(context: ReadContext): Promise<Content | undefined> {
  const { model, wanted, caller, justMade } = context
  const bucket = wanted.spec['name']
  const found = await findAny(context)
  if (found === undefined) return undefined
  const spec: Record<string, unknown> = { ...wanted.spec }
  const isOfInterest = (json: string): boolean => !justMade || wanted.spec[json] !== undefined
  for (const one of parts) {
    if (!isServed(model, one.get) || model.spec.named(one.field) === undefined) continue
    if (isDirectory(bucket) && !ofDirectories.includes(one.json)) continue
    if (isDirectory(bucket) && one.field === 'Tagging') {
      const tags = await readDirectoryTags(caller, { account: context.place.account, arn: wanted.arn })
      put(spec, one.json, Object.keys(tags).length === 0 ? undefined : withTags(model, {}, tags)[one.json])
      continue
    }
    const isLate = model.spec.named(one.field)?.lateInitialize !== undefined
    put(spec, one.json, isOfInterest(one.json) || isLate ? await readPart(model, one, { caller, bucket }) : undefined)
  }
  for (const one of listParts) {
    if (model.spec.named(one.field) === undefined || isDirectory(bucket)) continue
    put(spec, one.json, isOfInterest(one.json) ? await readListPart(model, one, { caller, bucket }) : undefined)
  }
  const hasGrants =
    !isDirectory(bucket) &&
    ['acl', 'grantFullControl', 'grantRead', 'grantReadACP', 'grantWrite', 'grantWriteACP'].some(isOfInterest)
  if (!isDirectory(bucket))
    Object.assign(spec, hasGrants ? readAcl(await caller.call('GetBucketAcl', { Bucket: bucket })) : { acl: 'private' })
  const createdMs = found['CreationDate'] instanceof Date ? found['CreationDate'].getTime() : undefined
  const content = isDirectory(bucket) ? undefined : await readContent(context.claim, caller, bucket)
  return { spec, status: wanted.status, arn: wanted.arn, extra: { createdMs, content } }
}

/** Among the account's own buckets: one that another account has is none of ours, whatever it lets us do. */
function findBucket({ caller, wanted }: ReadContext): Promise<Values | undefined> {
  const name = textOf(wanted.spec['name'] ?? '')
  const operation = isDirectory(name) ? 'ListDirectoryBuckets' : 'ListBuckets'
  return caller.together<string, Values | undefined>(operation, name, async (names, shared) => {
    const found = await listBuckets(shared, { operation, names })
    return names.map(each => ({ ok: true, value: found.get(each) }))
  })
}

async function findAny(context: ReadContext): Promise<Values | undefined> {
  const { claim, justMade } = context
  const isDeleted = claim.metadata.deletionTimestamp !== undefined
  const { kind } = recordOf(claim)
  switch (justMade ? 'made' : kind) {
    case 'none':
      // Before anything was begun, an absence decides nothing: the look before the create call is the next one.
      return (await findBucket(context)) ?? (isDeleted ? findAlone(context) : undefined)
    case 'intended': {
      const alone = await findAlone(context)
      return alone === undefined && !isDirectory(context.wanted.spec['name']) ? undefined : ((await findBucket(context)) ?? alone)
    }
    default:
      return (await findBucket(context)) ?? findAlone(context)
  }
}

/** What the list leaves out may be there all the same: S3 is asked for that one, as the account whose it would be. */
async function findAlone({ caller, wanted, place, claim }: ReadContext): Promise<Values | undefined> {
  const Bucket = wanted.spec['name']
  if (isDirectory(Bucket) || typeof Bucket !== 'string') return undefined
  try {
    await caller.call('HeadBucket', { Bucket, ExpectedBucketOwner: place.account })
    return {}
  } catch (error) {
    if (!(error instanceof AwsError)) throw error
    if (error.class === 'not-found') return undefined
    // A name that was never ours is another account's; of a bucket that was, a refusal says nothing.
    if (!hasResource(recordOf(claim)) && (error.class === 'denied' || isElsewhere(error))) return undefined
    throw error
  }
}

/** The bucket is in another region, which says nothing of whose it is. */
function isElsewhere({ code, httpStatus }: AwsError): boolean {
  return httpStatus === 301 || code === 'PermanentRedirect' || code === 'IllegalLocationConstraintException'
}

/** One list of all of them serves many, while it takes fewer pages than looking them up one by one; directory buckets have no other way. */
async function listBuckets(
  caller: Caller,
  { operation, names }: { readonly operation: string; readonly names: readonly string[] },
): Promise<ReadonlyMap<string, Values>> {
  const found = new Map<string, Values>()
  const missing = new Set(names)
  /** True when the list was read to its end. */
  const take = async (input: Values, pagesMax: number): Promise<boolean> => {
    let pages = 0
    for await (const page of caller.pages(operation, input)) {
      for (const bucket of structuresOf(page['Buckets'])) {
        const name = textOf(bucket['Name'])
        if (missing.delete(name)) found.set(name, bucket)
      }
      pages += 1
      if (missing.size === 0 || pages >= pagesMax) return false
    }
    return true
  }
  const isDirectories = operation !== 'ListBuckets'
  const isWhole = (isDirectories || names.length > 1) && (await take({}, isDirectories ? Number.POSITIVE_INFINITY : names.length))
  if (isWhole || isDirectories) return found
  for (const Prefix of missing) await take({ Prefix }, Number.POSITIVE_INFINITY)
  return found
}

function put(spec: Record<string, unknown>, json: string, value: unknown): void {
  if (value === undefined) delete spec[json]
  else spec[json] = value
}

function createBucket(input: Values, { wanted, place, model }: CreateContext): Values {
  const { CreateBucketConfiguration: given, ...rest } = input
  const config = isRecord(given) ? { ...given } : {}
  const says = config['LocationConstraint'] !== undefined || config['Location'] !== undefined
  // S3 refuses a location constraint of us-east-1.
  if (place.region !== 'us-east-1' && !isDirectory(wanted.spec['name']) && !says) config['LocationConstraint'] = place.region
  const tags = tagsIn(model, wanted.spec)
  if (takesTagsAtCreate(model) && Object.keys(tags).length > 0) config['Tags'] = tagList(tags)
  return Object.keys(config).length === 0 ? rest : { ...rest, CreateBucketConfiguration: config }
}

/** Nothing said, and nothing set: the same, under whatever name AWS says it. */
function samePart(one: BucketPart, wanted: unknown, latest: unknown): boolean {
  if (one.field === 'Policy') return sameDeep(wanted, latest) || samePolicies(wanted, latest)
  // A bucket that AWS closes to the public by itself is not opened by a manifest that does not speak of it.
  if (one.field === 'PublicAccessBlock' && wanted === undefined) return true
  const normal = (value: unknown): unknown => (sameDeep(value, undefined) || sameDeep(value, one.unset) ? undefined : value)
  // What the manifest leaves open inside a setting is AWS's to fill.
  return sameDeep(normal(wanted), normal(latest)) || (wanted !== undefined && covers(normal(latest), normal(wanted)))
}

/** Whether everything that is wanted is so, and what is there beside it are defaults in places that the manifest does not name. */
function covers(latest: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(latest) && latest.length === wanted.length && wanted.every((each, index) => covers(latest[index], each))
  if (!isRecord(wanted)) return sameDeep(wanted, latest)
  if (!isRecord(latest)) return false
  const isDefault = (value: unknown): boolean => value === false || value === '' || value === 0
  return (
    Object.entries(wanted).every(([name, value]) => covers(own(latest, name), value)) &&
    Object.entries(latest).every(
      ([name, value]) => own(wanted, name) !== undefined || isDefault(value) || sameDeep(value, undefined) || name === 'id',
    )
  )
}

/** Those of a new one went with the create call. */
function directoryTags({ model, wanted, latest, place, isNew }: SyncContext): readonly PlannedCall[] {
  if (isNew && takesTagsAtCreate(model)) return []
  const bucket = { account: place.account, arn: wanted.arn }
  return directoryTagCalls(bucket, tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
}

function takesTagsAtCreate({ service }: KindModel): boolean {
  return structureNamed(service.model, 'CreateBucketConfiguration').members['Tags'] !== undefined
}

function syncBucket(context: SyncContext): readonly PlannedCall[] {
  const { model, wanted, latest, isNew, delta } = context
  const bucket = wanted.spec['name']
  const differs = (field: string): boolean =>
    isNew
      ? wanted.spec[model.spec.named(field)?.json ?? ''] !== undefined
      : delta.some(path => path === `Spec.${field}` || path.startsWith(`Spec.${field}.`))
  const partCalls = (names: readonly string[]): readonly PlannedCall[] =>
    names.flatMap(name => {
      const one = parts.find(({ field }) => field === name)
      if (one === undefined || !differs(name) || !isServed(model, one.put)) return []
      if (name === 'Tagging' && isDirectory(bucket)) return directoryTags(context)
      return [putPart(model, one, { bucket, value: wanted.spec[one.json] })]
    })
  const listCalls = (name: string): readonly PlannedCall[] => {
    const one = listParts.find(({ field }) => field === name)
    if (one === undefined || !differs(name)) return []
    return putListPart(model, one, { bucket, wanted: wanted.spec[one.json], latest: latest.spec[one.json] })
  }
  const hasRules = structuresOf((wanted.spec['replication'] as Values | undefined)?.['rules']).length > 0
  // The create call carries canned ACL and grants.
  const acl = !isNew && differs('ACL') ? [putAcl(bucket, wanted)] : []
  return [
    ...partCalls(['Abac', 'Accelerate']),
    ...listCalls('Analytics'),
    ...acl,
    ...partCalls(['CORS', 'Encryption']),
    ...listCalls('IntelligentTiering'),
    ...listCalls('Inventory'),
    ...partCalls(['Lifecycle', 'Logging']),
    ...listCalls('Metrics'),
    ...partCalls(['Notification', 'OwnershipControls', 'PublicAccessBlock', 'Policy', 'RequestPayment', 'Tagging', 'Website']),
    ...partCalls(hasRules ? lastFields.toReversed() : lastFields),
    ...partCalls(['ObjectLockConfiguration']),
  ]
}
