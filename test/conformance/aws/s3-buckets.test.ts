// Buckets of S3: where they are made, what comes with them, how they are listed, and the settings that are more than stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateBucketCommand, HeadBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3'
import { asked, at, each } from './asked.ts'
import { accountA, accountB, clients, refusal } from './clients.ts'

const Bucket = 'b-1'

test('a name that was freed is taken again after the time that the knob says', async () => {
  const { s3, clock } = asked({ knobs: { bucketNameReuseMs: 1_000 } })
  await s3('CreateBucket', { Bucket })
  await s3('DeleteBucket', { Bucket })
  const aborted = [
    'OperationAborted',
    409,
    'A conflicting conditional operation is currently in progress against this resource. Please try again.',
  ]
  assert.deepEqual(await s3('CreateBucket', { Bucket }), aborted)
  await clock.advance(999)
  assert.deepEqual(await s3('CreateBucket', { Bucket }), aborted)
  await clock.advance(1)
  assert.deepEqual(await s3('CreateBucket', { Bucket }), { Location: `/${Bucket}` })
})

test('no knob, no wait: nothing of a freed name is kept', async () => {
  const { s3, aws } = asked()
  await s3('CreateBucket', { Bucket })
  await s3('DeleteBucket', { Bucket })
  assert.ok(!JSON.stringify(aws.stored('s3')).includes(Bucket))
})

test('an account has buckets up to its quota, whatever others have', async () => {
  const world = clients({ knobs: { quotas: { buckets: 2 } } })
  const make = (name: string, { s3 }: Pick<typeof world, 's3'> = world): Promise<unknown> =>
    s3.send(new CreateBucketCommand({ Bucket: name }))
  await make('theirs-1', world.as({ account: accountB }))
  await make('theirs-2', world.as({ account: accountB }))
  await make('mine-1')
  await make('mine-2')
  const { code, status } = await refusal(make('mine-3'))
  assert.deepEqual([code, status], ['TooManyBuckets', 400])
})

for (const [what, input, refused] of [
  ['a private ACL', { ACL: 'private' }, undefined],
  [
    'an ACL that others read by',
    { ACL: 'public-read' },
    "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
  ],
  ['an ACL where writers own what they write', { ACL: 'public-read', ObjectOwnership: 'ObjectWriter' }, undefined],
  ['an ACL where the owner is preferred', { ACL: 'public-read', ObjectOwnership: 'BucketOwnerPreferred' }, undefined],
] as const) {
  test(`a bucket made with ${what}: ${refused ?? 'made'}`, async () => {
    const { s3 } = asked()
    const answer = await s3('CreateBucket', { Bucket, ...input })
    if (refused !== undefined) return assert.deepEqual(answer, ['InvalidRequest', 400, refused])
    assert.deepEqual(answer, { Location: `/${Bucket}` })
    const grants = each(await s3('GetBucketAcl', { Bucket }), 'Grants', 'Permission')
    assert.deepEqual(grants, input.ACL === 'private' ? ['FULL_CONTROL'] : ['FULL_CONTROL', 'READ'])
    const rules = at(await s3('GetBucketOwnershipControls', { Bucket }), 'OwnershipControls', 'Rules', 0, 'ObjectOwnership')
    assert.equal(rules, 'ObjectOwnership' in input ? input.ObjectOwnership : 'BucketOwnerEnforced')
  })
}

test('a bucket made for object lock keeps versions, and goes on keeping them', async () => {
  const { s3 } = asked()
  await s3('CreateBucket', { Bucket, ObjectLockEnabledForBucket: true })
  await s3('CreateBucket', { Bucket: 'plain', ObjectLockEnabledForBucket: false })
  assert.deepEqual(at(await s3('GetObjectLockConfiguration', { Bucket }), 'ObjectLockConfiguration'), {
    ObjectLockEnabled: 'Enabled',
  })
  assert.equal(at(await s3('GetObjectLockConfiguration', { Bucket: 'plain' }), 0), 'ObjectLockConfigurationNotFoundError')
  const version = (name: string, Status?: string): Promise<unknown> =>
    s3('PutBucketVersioning', { Bucket: name, VersioningConfiguration: { Status } })
  const status = async (name: string): Promise<unknown> => at(await s3('GetBucketVersioning', { Bucket: name }), 'Status')
  assert.deepEqual([await status(Bucket), await status('plain')], ['Enabled', undefined])
  assert.deepEqual(await version(Bucket, 'Suspended'), [
    'InvalidBucketState',
    409,
    'An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.',
  ])
  assert.deepEqual([await version(Bucket, 'Enabled'), await version('plain', 'Suspended')], [{}, {}])
  assert.deepEqual([await status(Bucket), await status('plain')], ['Enabled', 'Suspended'])
  assert.equal(at(await version(Bucket), 0), 'MalformedXML')
})

test('a bucket is answered for with its region, and not to whom another owner is expected by', async () => {
  const { s3 } = asked()
  await s3('CreateBucket', { Bucket })
  assert.deepEqual(await s3('HeadBucket', { Bucket }), { BucketRegion: 'us-east-1', AccessPointAlias: false })
  assert.equal(at(await s3('GetBucketVersioning', { Bucket, ExpectedBucketOwner: accountA }), 0), undefined)
  assert.deepEqual(await s3('GetBucketVersioning', { Bucket, ExpectedBucketOwner: accountB }), [
    'AccessDenied',
    403,
    'Access Denied',
  ])
})

for (const [region, constraint, message] of [
  [
    'eu-west-1',
    'eu-central-1',
    'The eu-central-1 location constraint is incompatible for the region specific endpoint this request was sent to.',
  ],
  ['eu-west-1', 'EU', undefined],
  ['us-east-1', 'us-east-1', 'The specified location-constraint is not valid'],
] as const) {
  test(`a bucket asked for in ${region} with the constraint ${constraint}: ${message ?? 'made'}`, async () => {
    const { s3 } = clients().as({ region })
    const LocationConstraint = constraint as 'EU'
    const made = s3.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint } }))
    if (message === undefined) await made
    else assert.equal((await refusal(made)).message, message)
  })
}

test('a bucket outside us-east-1 is not made without a constraint', async () => {
  const world = clients({ signatures: 'off' })
  const headers = { host: 's3.eu-west-1.amazonaws.com' }
  const { status, text } = await world.raw({ as: 's3', method: 'PUT', target: `/${Bucket}`, headers })
  assert.equal(status, 400)
  assert.match(text, /<Message>The unspecified location constraint is incompatible for the region specific endpoint/)
})

test('the own bucket again is answered only where both are in us-east-1', async () => {
  const world = clients()
  const west = world.as({ region: 'eu-west-1' })
  const inWest = { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } } as const
  await west.s3.send(new CreateBucketCommand({ Bucket: 'west', ...inWest }))
  await world.s3.send(new CreateBucketCommand({ Bucket: 'east' }))
  assert.equal((await refusal(world.s3.send(new CreateBucketCommand({ Bucket: 'west' })))).code, 'BucketAlreadyOwnedByYou')
  assert.equal(
    (await refusal(west.s3.send(new CreateBucketCommand({ Bucket: 'east', ...inWest })))).code,
    'BucketAlreadyOwnedByYou',
  )
  const strict = clients({ knobs: { ownBucketAgainInUsEast1: 'error' } })
  await strict.s3.send(new CreateBucketCommand({ Bucket }))
  assert.equal((await refusal(strict.s3.send(new CreateBucketCommand({ Bucket })))).code, 'BucketAlreadyOwnedByYou')
})

test('buckets are listed by name, of one account, by prefix and region, and in pages', async () => {
  const world = clients()
  const west = world.as({ region: 'eu-west-1' })
  const inWest = { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } } as const
  for (const name of ['b-2', 'b-1', 'a-1']) await world.s3.send(new CreateBucketCommand({ Bucket: name }))
  await west.s3.send(new CreateBucketCommand({ Bucket: 'b-3', ...inWest }))
  await world.as({ account: accountB }).s3.send(new CreateBucketCommand({ Bucket: 'b-0' }))
  const list = async (input: object): Promise<readonly unknown[]> => {
    const { Buckets = [], ContinuationToken, Prefix } = await world.s3.send(new ListBucketsCommand(input))
    return [Buckets.map(one => one.Name).join(' '), ContinuationToken !== undefined, Prefix]
  }
  assert.deepEqual(await list({}), ['a-1 b-1 b-2 b-3', false, undefined])
  assert.deepEqual(await list({ Prefix: 'b-' }), ['b-1 b-2 b-3', false, 'b-'])
  assert.deepEqual(await list({ BucketRegion: 'eu-west-1' }), ['b-3', false, undefined])
  assert.deepEqual(await list({ BucketRegion: 'us-east-1' }), ['a-1 b-1 b-2', false, undefined])
  assert.deepEqual(await list({ MaxBuckets: 4 }), ['a-1 b-1 b-2 b-3', false, undefined])
  assert.deepEqual(await list({ MaxBuckets: 3 }), ['a-1 b-1 b-2', true, undefined])
  const { ContinuationToken } = await world.s3.send(new ListBucketsCommand({ MaxBuckets: 2 }))
  assert.deepEqual(await list({ MaxBuckets: 2, ContinuationToken }), ['b-2 b-3', false, undefined])
  assert.deepEqual(await refusal(world.s3.send(new ListBucketsCommand({ Prefix: 'b', ContinuationToken }))), {
    code: 'InvalidArgument',
    status: 400,
    message: 'The continuation token provided is incorrect',
  })
  for (const MaxBuckets of [1, 10_000]) await world.s3.send(new ListBucketsCommand({ MaxBuckets }))
})

test('a bucket of another region is listed after its delay, one of the own at once', async () => {
  const world = clients({ knobs: { delays: { list: 5_000 } } })
  const west = world.as({ region: 'eu-west-1' })
  const inWest = { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } } as const
  await west.s3.send(new CreateBucketCommand({ Bucket: 'west', ...inWest }))
  const names = async ({ s3 }: Pick<typeof west, 's3'>): Promise<unknown> =>
    (await s3.send(new ListBucketsCommand({}))).Buckets?.map(one => one.Name)
  assert.deepEqual([await names(world), await names(west)], [[], ['west']])
  await world.clock.advance(4_999)
  assert.deepEqual(await names(world), [])
  await world.clock.advance(1)
  assert.deepEqual(await names(world), ['west'])
  assert.equal((await west.s3.send(new HeadBucketCommand({ Bucket: 'west' }))).BucketRegion, 'eu-west-1')
})

const kinds = ['Analytics', 'Inventory', 'Metrics', 'IntelligentTiering'] as const
const configurations: Readonly<Record<(typeof kinds)[number], (Id: string) => object>> = {
  Analytics: Id => ({ Id, StorageClassAnalysis: {} }),
  Inventory: Id => ({
    Id,
    IsEnabled: true,
    IncludedObjectVersions: 'All',
    Schedule: { Frequency: 'Daily' },
    Destination: { S3BucketDestination: { Bucket: 'arn:aws:s3:::other', Format: 'CSV' } },
  }),
  Metrics: Id => ({ Id }),
  IntelligentTiering: Id => ({ Id, Status: 'Enabled', Tierings: [{ Days: 90, AccessTier: 'ARCHIVE_ACCESS' }] }),
}
for (const kind of kinds) {
  test(`configurations of ${kind} are kept by their ids`, async () => {
    const { s3 } = asked()
    await s3('CreateBucket', { Bucket })
    const member = `${kind}Configuration`
    const put = (Id: string, inside = Id): Promise<unknown> =>
      s3(`PutBucket${member}`, { Bucket, Id, [member]: configurations[kind](inside) })
    const none = ['NoSuchConfiguration', 404, 'The specified configuration does not exist.']
    assert.deepEqual([await put('one'), await put('two')], [{}, {}])
    assert.equal(at(await put('one', 'other'), 0), 'MalformedXML')
    assert.deepEqual(at(await s3(`GetBucket${member}`, { Bucket, Id: 'one' }), member), configurations[kind]('one'))
    assert.deepEqual(await s3(`GetBucket${member}`, { Bucket, Id: 'none' }), none)
    const list = async (): Promise<unknown> => each(await s3(`ListBucket${member}s`, { Bucket }), `${member}List`, 'Id')
    assert.deepEqual(await list(), ['one', 'two'])
    assert.deepEqual(await s3(`DeleteBucket${member}`, { Bucket, Id: 'one' }), {})
    assert.deepEqual([await s3(`DeleteBucket${member}`, { Bucket, Id: 'one' }), await list()], [none, ['two']])
  })
}

test('a setting that is taken away is as if it had never been, and the others stay', async () => {
  const { s3 } = asked()
  await s3('CreateBucket', { Bucket })
  const CORSConfiguration = { CORSRules: [{ AllowedMethods: ['GET'], AllowedOrigins: ['*'] }] }
  await s3('PutBucketCors', { Bucket, CORSConfiguration })
  await s3('PutBucketWebsite', { Bucket, WebsiteConfiguration: { IndexDocument: { Suffix: 'i' } } })
  await s3('DeleteBucketCors', { Bucket })
  assert.equal(at(await s3('GetBucketCors', { Bucket }), 0), 'NoSuchCORSConfiguration')
  assert.deepEqual(at(await s3('GetBucketWebsite', { Bucket }), 'IndexDocument'), { Suffix: 'i' })
})

test('the answer says 204 where S3 has nothing to tell', async () => {
  const world = clients({ signatures: 'parse' })
  await world.s3.send(new CreateBucketCommand({ Bucket }))
  const policy = { Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: `arn:aws:s3:::${Bucket}/*` }] }
  const tagging = '<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>'
  const metrics = '<MetricsConfiguration><Id>m</Id></MetricsConfiguration>'
  for (const [method, query, body, status] of [
    ['PUT', 'policy', JSON.stringify(policy), 204],
    ['DELETE', 'policy', undefined, 204],
    ['PUT', 'tagging', tagging, 204],
    ['DELETE', 'tagging', undefined, 204],
    ['PUT', 'metrics&id=m', metrics, 200],
    ['DELETE', 'metrics&id=m', undefined, 204],
  ] as const) {
    const target = `/${Bucket}?${query}`
    const answer = await world.raw({ as: 's3', method, target, ...(body !== undefined && { body }) })
    assert.equal(answer.status, status, `${method} ${query}: ${answer.text}`)
  }
})

const own = 'BucketOwnerEnforced'
const owner = (ID: unknown): object => ({ Grants: [{ Grantee: { Type: 'CanonicalUser', ID }, Permission: 'FULL_CONTROL' }] })
for (const [what, ownership, block, input, refused] of [
  ['private, where ACLs are off', own, false, { ACL: 'private' }, undefined],
  ['public, where ACLs are off', own, false, { ACL: 'public-read' }, 'AccessControlListNotSupported'],
  ['a grant to the owner, where ACLs are off', own, false, 'own', undefined],
  ['a grant to somebody else, where ACLs are off', own, false, 'foreign', 'AccessControlListNotSupported'],
  ['a grant to somebody else', 'ObjectWriter', false, 'foreign', 'NotImplemented'],
  ['a grant to the owner and to somebody else', 'ObjectWriter', false, 'both', 'NotImplemented'],
  ['public, where that is blocked', 'ObjectWriter', true, { ACL: 'public-read' }, 'AccessDenied'],
  ['public, where nothing is blocked', 'ObjectWriter', false, { ACL: 'public-read' }, undefined],
  ['for those who are signed in, where public ones are blocked', 'ObjectWriter', true, { ACL: 'authenticated-read' }, undefined],
] as const) {
  test(`an ACL of a bucket, ${what}: ${refused ?? 'taken'}`, async () => {
    const { s3 } = asked()
    await s3('CreateBucket', { Bucket, ObjectOwnership: ownership })
    await s3('PutPublicAccessBlock', { Bucket, PublicAccessBlockConfiguration: { BlockPublicAcls: block } })
    const mine = at(await s3('GetBucketAcl', { Bucket }), 'Owner', 'ID')
    const policies: Readonly<Record<string, object>> = {
      own: owner(mine),
      foreign: owner('x'.repeat(64)),
      both: { Grants: [mine, 'x'.repeat(64)].flatMap(id => (owner(id) as { Grants: object[] }).Grants) },
    }
    const given = typeof input === 'string' ? { AccessControlPolicy: { Owner: { ID: mine }, ...policies[input] } } : input
    const answer = await s3('PutBucketAcl', { Bucket, ...given })
    if (refused === undefined) assert.deepEqual(answer, {})
    else assert.equal(at(answer, 0), refused)
  })
}

test('every part of the public access block is what was given, and off where nothing was', async () => {
  const { s3 } = asked()
  await s3('CreateBucket', { Bucket })
  const names = ['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets']
  for (const name of names) {
    await s3('PutPublicAccessBlock', { Bucket, PublicAccessBlockConfiguration: { [name]: true } })
    const found = at(await s3('GetPublicAccessBlock', { Bucket }), 'PublicAccessBlockConfiguration')
    assert.deepEqual(found, Object.fromEntries(names.map(other => [other, other === name])))
  }
})

test('ownership is one rule', async () => {
  const { s3 } = asked()
  await s3('CreateBucket', { Bucket })
  const put = (...rules: readonly string[]): Promise<unknown> =>
    s3('PutBucketOwnershipControls', {
      Bucket,
      OwnershipControls: { Rules: rules.map(ObjectOwnership => ({ ObjectOwnership })) },
    })
  assert.equal(at(await put('ObjectWriter', 'ObjectWriter'), 0), 'MalformedXML')
  assert.deepEqual(await put('ObjectWriter'), {})
})
