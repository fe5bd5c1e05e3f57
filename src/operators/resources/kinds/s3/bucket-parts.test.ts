// What S3 is asked of a bucket, and told, part by part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { Resource } from '../../api.ts'
import { textOf } from '../../model/convert.ts'
import { kindModel } from '../../model/kind-model.ts'
import type { Content, Values } from '../../model/request.ts'
import { recordCondition } from '../../ownership/ownership-record.ts'
import { type Answer, answering } from '../../testing/answers.ts'
import { modelOf } from '../../testing/parts.ts'
import type { ReadContext, SyncContext } from '../deviation.ts'
import { s3Bucket } from './bucket.ts'
import { directoryTagCalls } from './control.ts'
import { emptyingCalls, readContent } from './emptying.ts'
import { parts, putListPart, putPart } from './parts.ts'

const model = modelOf('s3', 'Bucket')
const place = { account: '111122223333', partition: 'aws', region: 'eu-west-1' } as never
const directory = 'data--euw1-az1--x-s3'
const content = (spec: object, more: object = {}): Content =>
  ({ spec: { name: 'data', ...spec }, status: {}, ...more }) as Content

test('the ARN of a bucket follows from its name, and that of a directory bucket from its place as well', () => {
  const arnOf = (name: string) => s3Bucket.arnOf?.(content({ name }), place)
  assert.deepEqual(
    [arnOf('data'), arnOf(directory)],
    ['arn:aws:s3:::data', `arn:aws:s3express:eu-west-1:111122223333:bucket/${directory}`],
  )
})

test('a directory bucket is refused what only others have, in order', () => {
  const refuse = (spec: object) => s3Bucket.refuse?.({ wanted: content(spec) } as never)
  assert.equal(refuse({ versioning: {} }), undefined)
  assert.equal(refuse({ name: directory, policy: '{}', encryption: {}, cors: undefined }), undefined)
  assert.equal(refuse({ name: directory, versioning: {}, cors: {} }), 'a directory bucket has no cors, versioning')
})

for (const [told, adopted] of [
  ['private|bucket-owner-read', undefined],
  ['bucket-owner-read|private', undefined],
  ['public-read', 'public-read'],
  ['authenticated-read|other', 'authenticated-read'],
  [undefined, undefined],
] as const)
  test(`of the canned ACLs ${told ?? 'none'} an adopted manifest says ${adopted ?? 'nothing'}`, () => {
    const spec = s3Bucket.adoptedSpec?.({ name: 'data', ...(told === undefined ? {} : { acl: told }) }, content({}))
    assert.deepEqual(spec, { name: 'data', ...(adopted === undefined ? {} : { acl: adopted }) })
  })

test('a bucket that is younger than our call by a minute at most is what it made', () => {
  const proves = (createdMs: unknown) =>
    s3Bucket.proves?.(content({}, { extra: { createdMs } }), {
      wanted: content({}),
      intent: { atMs: 100_000, token: 't' },
    } as never)
  assert.deepEqual([39_999, 40_000, 100_000, undefined, 'soon'].map(proves), [false, true, true, false, false])
  assert.equal(s3Bucket.proves?.(content({}), { intent: { atMs: 0 } } as never), false)
})

const same = (field: string, wanted: unknown, latest: unknown, name = 'data'): boolean | undefined =>
  s3Bucket.same?.[field]?.(wanted, latest, { model, wanted: content({ name }), latest: content({ name, acl: 'public-read' }) })

const policy = (Effect: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect, Action: 's3:*', Resource: '*' }] })
const rule = { id: 'one', status: 'Enabled', prefix: 'logs/' }

const compared: readonly (readonly [field: string, what: string, wanted: unknown, latest: unknown, isSame: boolean])[] = [
  ['Policy', 'the same document', policy('Allow'), `${policy('Allow')} `, true],
  ['Policy', 'none and none', undefined, undefined, true],
  ['Policy', 'another document', policy('Allow'), policy('Deny'), false],
  ['Policy', 'none where there is one', undefined, policy('Deny'), false],
  ['PublicAccessBlock', 'nothing said, whatever there is', undefined, { blockPublicACLs: true }, true],
  [
    'PublicAccessBlock',
    'open, and never closed',
    { blockPublicACLs: false, blockPublicPolicy: false, ignorePublicACLs: false, restrictPublicBuckets: false },
    undefined,
    true,
  ],
  ['PublicAccessBlock', 'closed, where it is open', { blockPublicACLs: true }, { blockPublicACLs: false }, false],
  ['Versioning', 'nothing said of what was suspended', undefined, { status: 'Suspended' }, true],
  ['Versioning', 'suspended, of what never was on', { status: 'Suspended' }, undefined, true],
  ['Versioning', 'nothing said of what is on', undefined, { status: 'Enabled' }, false],
  ['Versioning', 'on, of what was never on', { status: 'Enabled' }, undefined, false],
  ['Logging', 'nothing said of what is empty', undefined, {}, true],
  [
    'Lifecycle',
    'a rule with what AWS fills',
    { rules: [{ status: 'Enabled' }] },
    { rules: [{ status: 'Enabled', id: 'x', expired: false, days: 0, note: '', more: {} }] },
    true,
  ],
  [
    'Lifecycle',
    'a rule with more than defaults',
    { rules: [{ status: 'Enabled' }] },
    { rules: [{ status: 'Enabled', days: 1 }] },
    false,
  ],
  ['Lifecycle', 'a rule with another word', { rules: [rule] }, { rules: [{ ...rule, prefix: 'x/' }] }, false],
  ['Lifecycle', 'a rule less', { rules: [rule] }, { rules: [rule, { ...rule, id: 'two' }] }, false],
  ['Lifecycle', 'a rule more', { rules: [rule, rule] }, { rules: [rule] }, false],
  [
    'Lifecycle',
    'two rules, of which one has another word',
    { rules: [rule, { ...rule, id: 'two' }] },
    { rules: [rule, { ...rule, id: 'two', prefix: 'x/' }] },
    false,
  ],
  ['Lifecycle', 'a list, where there is a text', { rules: [rule] }, { rules: 'x' }, false],
  ['Lifecycle', 'a structure, where there is a text', { rules: [{ filter: { a: 'b' } }] }, { rules: [{ filter: 'b' }] }, false],
  ['Lifecycle', 'the same', { rules: [rule] }, { rules: [rule] }, true],
  ['CreateBucketConfiguration', 'anything', { a: 1 }, undefined, true],
  ['ObjectLockEnabledForBucket', 'anything', true, undefined, true],
  ['ObjectOwnership', 'anything', 'x', undefined, true],
  ['GrantRead', 'anything, which the ACL is compared for', 'x', undefined, true],
]

for (const [field, what, wanted, latest, isSame] of compared)
  test(`${field} with ${what} ${isSame ? 'is as it is wanted' : 'differs'}`, () =>
    assert.equal(same(field, wanted, latest), isSame))

test('a directory bucket has no ACL that could differ', () =>
  assert.deepEqual([same('ACL', undefined, undefined), same('ACL', undefined, undefined, directory)], [false, true]))

test('tags are compared as tags, in any order', () => {
  const tagged = (...keys: readonly string[]) => content({ tagging: { tagSet: keys.map(key => ({ key, value: 'x' })) } })
  const compare = (wanted: Content, latest: Content) =>
    s3Bucket.same?.['Tagging']?.(undefined, undefined, { model, wanted, latest })
  assert.deepEqual([compare(tagged('a', 'b'), tagged('b', 'a')), compare(tagged('a'), tagged('b'))], [true, false])
})

const createRows: readonly (readonly [what: string, input: Values, region: string, spec: object, expected: Values])[] = [
  ['elsewhere', {}, 'eu-west-1', {}, { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }],
  ['in us-east-1', {}, 'us-east-1', {}, {}],
  [
    'that says its place',
    { CreateBucketConfiguration: { LocationConstraint: 'EU' } },
    'eu-west-1',
    {},
    { CreateBucketConfiguration: { LocationConstraint: 'EU' } },
  ],
  [
    'that says its zone',
    { CreateBucketConfiguration: { Location: { Name: 'z' } } },
    'eu-west-1',
    {},
    { CreateBucketConfiguration: { Location: { Name: 'z' } } },
  ],
  ['of a directory', { CreateBucketConfiguration: {} }, 'eu-west-1', { name: directory }, {}],
]

for (const [what, input, region, spec, expected] of createRows)
  test(`a bucket ${what} is made with ${JSON.stringify(expected)}`, () => {
    const made = s3Bucket.create?.({ Bucket: 'data', ...input }, {
      wanted: content(spec),
      place: { ...(place as object), region },
      model,
    } as never)
    assert.deepEqual(made, { Bucket: 'data', ...expected })
  })

function sync(wanted: object, latest: object, more: Partial<SyncContext> = {}) {
  const context = { model, wanted: content(wanted), latest: content(latest), place, isNew: false, delta: [], claim: {}, ...more }
  return (s3Bucket.sync?.(context as never) ?? []).map(({ operation }) => operation)
}

const replication = { role: 'r', rules: [{ id: 'a', status: 'Enabled' }] }

for (const [what, wanted, latest, more, calls] of [
  ['nothing differs', { versioning: { status: 'Enabled' } }, {}, {}, []],
  ['a part differs', { versioning: { status: 'Enabled' } }, {}, { delta: ['Spec.Versioning.Status'] }, ['PutBucketVersioning']],
  [
    'a part differs as a whole',
    { versioning: { status: 'Enabled' } },
    {},
    { delta: ['Spec.Versioning'] },
    ['PutBucketVersioning'],
  ],
  [
    'a part whose name begins alike differs',
    { versioning: { status: 'Enabled' } },
    {},
    { delta: ['Spec.Version', 'Spec.VersioningX'] },
    [],
  ],
  ['the ACL differs', { acl: 'public-read' }, {}, { delta: ['Spec.ACL'] }, ['PutBucketAcl']],
  ['it is new, with an ACL that went with it', { acl: 'public-read' }, {}, { isNew: true }, []],
  [
    'it is new',
    { versioning: { status: 'Enabled' }, policy: '{}' },
    {},
    { isNew: true },
    ['PutBucketPolicy', 'PutBucketVersioning'],
  ],
  [
    'versions and replication come',
    { versioning: { status: 'Enabled' }, replication },
    {},
    { delta: ['Spec.Versioning', 'Spec.Replication'] },
    ['PutBucketVersioning', 'PutBucketReplication'],
  ],
  [
    'versions and replication go',
    { versioning: { status: 'Suspended' } },
    { replication },
    { delta: ['Spec.Versioning', 'Spec.Replication'] },
    ['DeleteBucketReplication', 'PutBucketVersioning'],
  ],
  [
    'a list that is told otherwise is not among what differs',
    { metrics: [{ id: 'a' }] },
    {},
    { delta: ['Spec.CORS'] },
    ['DeleteBucketCors'],
  ],
  ['tags differ', { tagging: { tagSet: [{ key: 'a', value: 'b' }] } }, {}, { delta: ['Spec.Tagging'] }, ['PutBucketTagging']],
  [
    'tags of a directory bucket differ',
    { name: directory, tagging: { tagSet: [{ key: 'a', value: 'b' }] } },
    {},
    { delta: ['Spec.Tagging'] },
    ['TagResource'],
  ],
  [
    'another part of a directory bucket differs',
    { name: directory, policy: '{}' },
    {},
    { delta: ['Spec.Policy'] },
    ['PutBucketPolicy'],
  ],
  [
    'a directory bucket with tags is new',
    { name: directory, tagging: { tagSet: [{ key: 'a', value: 'b' }] } },
    {},
    { isNew: true },
    ['TagResource'],
  ],
  ['a list differs', { metrics: [{ id: 'a' }] }, {}, { delta: ['Spec.Metrics'] }, ['PutBucketMetricsConfiguration']],
] as const)
  test(`where ${what}, the calls are ${calls.join(', ') || 'none'}`, () => assert.deepEqual(sync(wanted, latest, more), calls))

const partNamed = (field: string) => {
  const found = parts.find(each => each.field === field)
  assert.ok(found !== undefined)
  return found
}

for (const [field, value, operation, input] of [
  ['CORS', undefined, 'DeleteBucketCors', {}],
  ['CORS', {}, 'DeleteBucketCors', {}],
  ['Versioning', undefined, 'PutBucketVersioning', { VersioningConfiguration: { Status: 'Suspended' } }],
  ['Versioning', { status: 'Enabled' }, 'PutBucketVersioning', { VersioningConfiguration: { Status: 'Enabled' } }],
  ['Accelerate', undefined, 'PutBucketAccelerateConfiguration', { AccelerateConfiguration: { Status: 'Suspended' } }],
  ['Logging', undefined, 'PutBucketLogging', { BucketLoggingStatus: {} }],
  ['RequestPayment', undefined, 'PutBucketRequestPayment', { RequestPaymentConfiguration: { Payer: 'BucketOwner' } }],
  ['Policy', '{}', 'PutBucketPolicy', { Policy: '{}', ConfirmRemoveSelfBucketAccess: false }],
  [
    'ObjectLockConfiguration',
    undefined,
    'PutObjectLockConfiguration',
    { ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled' } },
  ],
] as const)
  test(`${field} of ${JSON.stringify(value) ?? 'nothing'} is ${operation}`, () => {
    const call = putPart(model, partNamed(field), { bucket: 'data', value })
    assert.deepEqual([call.operation, call.input], [operation, { Bucket: 'data', ...input }])
  })

test('what is taken away may be gone already', () => {
  assert.deepEqual(putPart(model, partNamed('CORS'), { bucket: 'data', value: undefined }).tolerates, ['NoSuchCORSConfiguration'])
})

test('of settings under ids, new and changed ones are put, and those that are not named deleted', () => {
  const one = { field: 'Metrics', json: 'metrics', noun: 'Metrics' }
  const calls = putListPart(model, one, {
    bucket: 'data',
    wanted: [{ id: 'a' }, { id: 'b', filter: { prefix: 'x' } }, { id: 'c' }],
    latest: [{ id: 'a' }, { id: 'b' }, { id: 'd' }],
  })
  assert.deepEqual(
    calls.map(({ operation, input, tolerates }) => [operation, input['Id'], tolerates]),
    [
      ['PutBucketMetricsConfiguration', 'b', undefined],
      ['PutBucketMetricsConfiguration', 'c', undefined],
      ['DeleteBucketMetricsConfiguration', 'd', ['NoSuchConfiguration']],
    ],
  )
  assert.deepEqual(calls[0]?.input['MetricsConfiguration'], { Id: 'b', Filter: { Prefix: 'x' } })
})

const error = (code: string, httpStatus = 400): AwsError =>
  new AwsError({ service: 's3', operation: 'HeadBucket', code, httpStatus, requestId: 'r', message: code })
const claimOf = (metadata: object = {}, status?: object): Resource =>
  ({
    metadata: { namespace: 'apps', name: 'x', ...metadata },
    ...(status === undefined ? {} : { status }),
  }) as unknown as Resource
const onRecord = { ackResourceMetadata: { arn: 'arn:aws:s3:::data', ownerAccountID: '111122223333', region: 'eu-west-1' } }

const quiet: Readonly<Record<string, Answer>> = Object.fromEntries([
  ...parts.map(({ get, absent }): [string, Answer] => [get, absent === undefined ? {} : error(absent[0] ?? '', 404)]),
  ...['Analytics', 'IntelligentTiering', 'Inventory', 'Metrics'].map((noun): [string, Answer] => [
    `ListBucket${noun}Configurations`,
    {},
  ]),
  ['GetBucketAcl', { Owner: { ID: 'me' }, Grants: [] }],
])

async function read(answers: Readonly<Record<string, Answer>>, { claim = claimOf(), spec = {}, justMade = false } = {}) {
  const { caller, asked } = answering({ ...quiet, ...answers })
  const wanted = content(spec, { arn: 'arn:aws:s3:::data' })
  const context = {
    model,
    deviation: s3Bucket,
    claim,
    wanted,
    place,
    caller,
    adopting: false,
    justMade,
  } as unknown as ReadContext
  const found = await s3Bucket.read?.(context)
  return { found, asked: asked.map(([operation]) => operation), inputs: asked }
}

const listed = { Buckets: [{ Name: 'data', CreationDate: new Date(5_000) }] }
const intent = { atMs: 0, token: 't', prints: [] }
const intended = claimOf({}, { conditions: [recordCondition({ kind: 'intended', intent, identity: {} })] })
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const head = (answer: Answer) => ({ ListBuckets: { Buckets: [] }, HeadBucket: answer })

for (const [what, answers, options, outcome] of [
  ['listed', { ListBuckets: listed }, {}, 'found'],
  ['not listed, and nothing was begun', head({}), {}, 'absent'],
  ['not listed, and its object goes', head({}), { claim: claimOf(deleted) }, 'found'],
  ['not listed, and was made', head({}), { claim: claimOf({}, onRecord) }, 'found'],
  ['not listed, and was just made', head({}), { justMade: true }, 'found'],
  ['nowhere', head(error('NotFound', 404)), { claim: claimOf({}, onRecord) }, 'absent'],
  ['somebody else’s, whoever goes', head(error('AccessDenied', 403)), { claim: claimOf(deleted) }, 'absent'],
  ['in another region, and was never ours', head(error('Moved', 301)), { claim: claimOf(deleted) }, 'absent'],
  [
    'said to be in another place, and was never ours',
    head(error('PermanentRedirect', 400)),
    { claim: claimOf(deleted) },
    'absent',
  ],
  [
    'said to be of another place, and was never ours',
    head(error('IllegalLocationConstraintException', 400)),
    { claim: claimOf(deleted) },
    'absent',
  ],
  ['told to nobody, and was ours', head(error('AccessDenied', 403)), { claim: claimOf({}, onRecord) }, 'AccessDenied'],
  [
    'in another region, and was ours',
    head(error('PermanentRedirect', 301)),
    { claim: claimOf({}, onRecord) },
    'PermanentRedirect',
  ],
  ['asked for in vain', head(error('Odd', 418)), { claim: claimOf(deleted) }, 'Odd'],
  ['asked for by what is broken', head(new Error('broken')), { claim: claimOf(deleted) }, 'broken'],
] as const)
  test(`a bucket that is ${what} is ${outcome}`, async () => {
    const outcomeOf = await read(answers as Readonly<Record<string, Answer>>, options).then(
      ({ found }) => (found === undefined ? 'absent' : 'found'),
      (failed: Error) => failed.message,
    )
    assert.equal(outcomeOf, outcome)
  })

test('a bucket whose creation is under way is asked for alone, and then looked for among our own', async () => {
  const absent = await read({ HeadBucket: error('NotFound', 404) }, { claim: intended })
  assert.deepEqual([absent.found, absent.asked], [undefined, ['HeadBucket']])
  const there = await read({ HeadBucket: {}, ListBuckets: listed }, { claim: intended })
  assert.deepEqual([there.found?.extra?.['createdMs'], there.asked.slice(0, 2)], [5_000, ['HeadBucket', 'ListBuckets']])
  const unlisted = await read({ HeadBucket: {}, ListBuckets: {} }, { claim: intended })
  assert.ok(unlisted.found !== undefined && unlisted.found.extra?.['createdMs'] === undefined)
})

test('a bucket is asked for as the account whose it would be', async () => {
  const { inputs } = await read(head({}), { claim: claimOf(deleted) })
  const [, input] = inputs.find(([operation]) => operation === 'HeadBucket') ?? []
  assert.deepEqual(input, { Bucket: 'data', ExpectedBucketOwner: '111122223333' })
})

test('of a bucket that was just made only what was asked for, and what AWS sets by itself, is read', async () => {
  const all = await read({ ListBuckets: listed })
  const some = await read({ ListBuckets: listed }, { justMade: true, spec: { cors: {} } })
  assert.ok(
    all.asked.includes('GetBucketAcl') &&
      all.asked.includes('GetBucketWebsite') &&
      all.asked.includes('ListBucketMetricsConfigurations'),
  )
  assert.deepEqual(
    some.asked.filter(operation => operation !== 'ListBuckets'),
    [
      'GetBucketCors',
      ...parts.filter(({ field }) => model.spec.named(field)?.lateInitialize !== undefined).map(({ get }) => get),
    ],
  )
  assert.equal(some.found?.spec['acl'], 'private')
})

test('a part of a bucket that is set stands in its spec, and what the manifest asks for and is not set does not', async () => {
  const { found } = await read(
    {
      ListBuckets: listed,
      GetBucketVersioning: { Status: 'Enabled' },
      ListBucketMetricsConfigurations: { MetricsConfigurationList: [{ Id: 'a' }] },
    },
    { spec: { cors: { corsRules: [] } } },
  )
  assert.deepEqual(found?.spec, {
    name: 'data',
    versioning: { status: 'Enabled' },
    metrics: [{ id: 'a' }],
    acl: 'private|bucket-owner-read|bucket-owner-full-control',
  })
})

test('a part that may not be read is no part that is not set', async () => {
  await assert.rejects(read({ ListBuckets: listed, GetBucketCors: error('AccessDenied', 403) }), /AccessDenied/)
})

test('a directory bucket is looked for in a list of its own, and only asked what it has', async () => {
  const listing = { ListDirectoryBuckets: { Buckets: [{ Name: directory }] } }
  const tags = { ListTagsForResource: { Tags: [{ Key: 'a', Value: 'b' }] } }
  const { found, asked } = await read({ ...listing, ...tags }, { spec: { name: directory } })
  assert.deepEqual(asked.toSorted(), [
    'GetBucketEncryption',
    'GetBucketLifecycleConfiguration',
    'GetBucketPolicy',
    'ListDirectoryBuckets',
    'ListTagsForResource',
  ])
  assert.deepEqual(found?.spec, { name: directory, tagging: { tagSet: [{ key: 'a', value: 'b' }] } })
  const none = await read({ ...listing, ListTagsForResource: {} }, { spec: { name: directory } })
  assert.deepEqual(none.found?.spec, { name: directory })
  const absent = await read({ ListDirectoryBuckets: {} }, { spec: { name: directory }, claim: claimOf({}, onRecord) })
  assert.equal(absent.found, undefined)
})

test('tags of a directory bucket are set and taken away by one call each, or none', () => {
  const bucket = { account: 'a', arn: 'arn' }
  const calls = (wanted: Record<string, string>, latest: Record<string, string>) =>
    directoryTagCalls(bucket, wanted, latest).map(({ operation, input, service }) => [
      operation,
      input['TagKeys'] ?? input['Tags'],
      service?.id,
    ])
  assert.deepEqual(calls({ a: '1' }, { a: '1' }), [])
  assert.deepEqual(calls({ a: '1' }, { b: '2' }), [
    ['UntagResource', ['b'], 'S3 Control'],
    ['TagResource', [{ Key: 'a', Value: '1' }], 'S3 Control'],
  ])
})

const force = { annotations: { 's3.services.k8s.aws/force-delete': 'true' } }

test('what is in a bucket is listed where it goes with all that it holds, and only then', async () => {
  const { caller, asked } = answering({
    ListObjectVersions: { Versions: [{ Key: 'a', VersionId: 'null', Size: 1 }], DeleteMarkers: [{ Key: 'b', VersionId: '2' }] },
    ListMultipartUploads: { Uploads: [{ Key: 'c', UploadId: 'u', Owner: {} }] },
  })
  assert.equal(await readContent(claimOf(force), caller, 'data'), undefined)
  assert.equal(await readContent(claimOf(deleted), caller, 'data'), undefined)
  assert.deepEqual(asked, [])
  assert.deepEqual(await readContent(claimOf({ ...force, ...deleted }), caller, 'data'), {
    objects: [
      { Key: 'a', VersionId: 'null' },
      { Key: 'b', VersionId: '2' },
    ],
    uploads: [{ Key: 'c', UploadId: 'u' }],
  })
  assert.deepEqual(asked, [
    ['ListObjectVersions', { Bucket: 'data', MaxKeys: 1_000 }],
    ['ListMultipartUploads', { Bucket: 'data', MaxUploads: 1_000 }],
  ])
})

test('what is in a bucket is deleted a thousand at a time, without a word of each', () => {
  const objects = Array.from({ length: 1_001 }, (_, index) => ({ Key: `${index}` }))
  const calls = emptyingCalls({
    latest: content({}, { extra: { content: { objects, uploads: [{ Key: 'c', UploadId: 'u' }] } } }),
  } as never)
  const deletions = calls.flatMap(({ input }) =>
    input['Delete'] === undefined ? [] : [input['Delete'] as { Objects: unknown[]; Quiet: boolean }],
  )
  assert.deepEqual(
    deletions.map(({ Objects, Quiet }) => [Objects.length, Quiet]),
    [
      [1_000, true],
      [1, true],
    ],
  )
  assert.deepEqual(calls.at(-1)?.input, { Bucket: 'data', Key: 'c', UploadId: 'u' })
  assert.deepEqual(emptyingCalls({ latest: content({}) } as never), [])
})

/** As a newer model has it: tags go with the create call. */
const { service, kind } = model
const { CreateBucketConfiguration } = service.model.shapes
assert.ok(CreateBucketConfiguration?.type === 'structure')
const members = { ...CreateBucketConfiguration.members, Tags: { target: 'TagSet' } }
const shapes = { ...service.model.shapes, CreateBucketConfiguration: { ...CreateBucketConfiguration, members } }
const newer = kindModel({ ...service, model: { ...service.model, shapes } }, kind)

test('where the create call takes tags, those that there are go with it, and are not set once more', () => {
  const tagging = { tagSet: [{ key: 'a', value: 'b' }] }
  const create = (spec: object) =>
    s3Bucket.create?.({}, { wanted: content(spec), place: { ...(place as object), region: 'us-east-1' }, model: newer } as never)
  assert.deepEqual(create({ tagging }), { CreateBucketConfiguration: { Tags: [{ Key: 'a', Value: 'b' }] } })
  assert.deepEqual(create({}), {})
  const calls = (more: Partial<SyncContext>) => sync({ name: directory, tagging }, {}, { model: newer, ...more })
  assert.deepEqual([calls({ isNew: true }), calls({ delta: ['Spec.Tagging'] })], [[], ['TagResource']])
  assert.deepEqual(
    s3Bucket.create?.({}, { wanted: content({ tagging }), place: { ...(place as object), region: 'us-east-1' }, model } as never),
    {},
  )
})

test('what an older model does not have is neither read nor put', async () => {
  const { GetBucketWebsite: _get, PutBucketWebsite: _put, ...operations } = service.model.operations
  const older = kindModel({ ...service, model: { ...service.model, operations } }, kind)
  const { caller, asked } = answering({ ...quiet, ListBuckets: listed })
  const context = { model: older, claim: claimOf(), wanted: content({}), place, caller, adopting: false, justMade: false }
  assert.ok((await s3Bucket.read?.(context as never)) !== undefined)
  assert.ok(!asked.some(([operation]) => operation === 'GetBucketWebsite'))
  assert.deepEqual(sync({ website: {} }, {}, { model: older, delta: ['Spec.Website'] }), [])
})

test('a setting that manifests have no place for is not read', async () => {
  const fewer = kindModel(service, { ...kind, spec: kind.spec.filter(({ camel }) => camel !== 'Website' && camel !== 'Metrics') })
  const { caller, asked } = answering({ ...quiet, ListBuckets: listed })
  const context = { model: fewer, claim: claimOf(), wanted: content({}), place, caller, adopting: false, justMade: false }
  await s3Bucket.read?.(context as never)
  assert.ok(!asked.some(([operation]) => /Website|Metrics/.test(operation)))
})

test('a grant that is asked for has the ACL of a bucket that was just made read', async () => {
  const Grants = [{ Grantee: { URI: 'http://acs.amazonaws.com/groups/global/AllUsers' }, Permission: 'READ' }]
  const { found } = await read(
    { ListBuckets: listed, GetBucketAcl: { Owner: {}, Grants } },
    { justMade: true, spec: { grantRead: 'uri="x"' } },
  )
  assert.equal(found?.spec['acl'], 'public-read')
})

test('what a bucket holds is known where it goes with it', async () => {
  const empty = { ListObjectVersions: {}, ListMultipartUploads: {} }
  const { found } = await read({ ListBuckets: listed, ...empty }, { claim: claimOf({ ...force, ...deleted }) })
  assert.deepEqual(found?.extra?.['content'], { objects: [], uploads: [] })
})

/** Buckets that are asked for together with the one whose claim it is. */
async function readTogether(others: readonly string[], answers: Readonly<Record<string, Answer>>, name = 'data') {
  const { caller, asked } = answering({ ...quiet, ...answers })
  const together: typeof caller.together = async (_topic, question, answer) => {
    const settled = await answer([question, ...(others as never[])], caller)
    const [first] = settled
    assert.ok(first?.ok === true)
    return first.value
  }
  const context = { model, claim: claimOf(), wanted: content({ name }), place, caller: { ...caller, together }, justMade: false }
  const found = await s3Bucket.read?.(context as never)
  return {
    isFound: found !== undefined,
    lists: asked.filter(([operation]) => operation.startsWith('List') && operation.endsWith('Buckets')).map(([, input]) => input),
  }
}

const page = (...names: readonly string[]) => ({ Buckets: names.map(Name => ({ Name })) })
const byPrefix =
  (all: readonly Values[]): Answer =>
  input =>
    input['Prefix'] === undefined ? all : [page('data-old', ...(input['Prefix'] === 'gone' ? [] : [textOf(input['Prefix'])]))]

for (const [what, others, pages, lists] of [
  ['one bucket is asked for by its name alone', [], [page('data')], [{ Prefix: 'data' }]],
  ['two are looked for in the list of all', ['other'], [page('data', 'other')], [{}]],
  ['what the whole list lacks is not asked for again', ['gone'], [page('data')], [{}]],
  [
    'two are looked for in two pages at most',
    ['other'],
    [page('a'), page('b'), page('data', 'other')],
    [{}, { Prefix: 'data' }, { Prefix: 'other' }],
  ],
  ['what is found ends the list', ['other'], [page('data'), page('other'), page('c')], [{}]],
] as const)
  test(what, async () => {
    const { isFound, lists: asked } = await readTogether(others, { ListBuckets: byPrefix(pages) })
    assert.deepEqual([isFound, asked], [true, lists])
  })

test('a name that only begins alike is another bucket', async () => {
  const { isFound } = await readTogether([], { ListBuckets: [page('data-old')] })
  assert.equal(isFound, false)
})

test('directory buckets have no other way than their whole list', async () => {
  const { isFound, lists } = await readTogether(
    [],
    { ListDirectoryBuckets: [page('a'), page('b'), page(directory)], ListTagsForResource: {} },
    directory,
  )
  assert.deepEqual([isFound, lists], [true, [{}]])
})
