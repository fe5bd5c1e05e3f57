import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceModel } from '#aws'
import { type AwsClient, AwsClients, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { ManualClock, seededRandom } from '#base'
import { type Aws, createAws } from '#emulator'
import { asTrouble, type Trouble } from '#runtime'
import { renderBucketPolicy } from '../documents/policies.ts'
import { type DocumentSet, objectMetadata, renderDocumentSet } from '../documents/publication.ts'
import { deleteIssuerObject, type IssuerPlace, putIssuerObject, S3IssuerStore } from './issuer-store.ts'

const place: IssuerPlace = { region: 'us-east-1', bucket: 'awi-wlc-a-us-east-1' }
const [discovery, keySet] = ['.well-known/openid-configuration', 'keys.json']

interface World {
  readonly aws: Aws
  readonly clock: ManualClock
  readonly s3: AwsClient
  readonly store: S3IssuerStore
  readonly set: DocumentSet
  /** Calls of the store since the last look. */
  operations(): readonly string[]
  look(): Promise<readonly string[]>
  put(key: string): Promise<void>
}

async function open(more: { readonly account?: string } = {}): Promise<World> {
  const clock = new ManualClock()
  const random = seededRandom(1)
  const aws = createAws({ clock, accounts: ['111122223333'], seed: 1 })
  const credentials = staticCredentials(aws.adminCredentials())
  const transport = inProcessTransport(aws.handle)
  const s3 = createAwsClient({ model: serviceModel('s3'), region: place.region, credentials, transport, clock, random })
  await s3.call('CreateBucket', { Bucket: place.bucket })
  const clients = new AwsClients({ credentials, transport, clock, random, triesMax: 1 })
  const store = new S3IssuerStore({ clients, clock, ...more })
  const set = renderDocumentSet('https://issuer.example', [{ keyId: 'k', modulus: 'AQ', exponent: 'AQAB' }]) as DocumentSet
  const { signal } = new AbortController()
  aws.calls.clear()
  return {
    aws,
    clock,
    s3,
    store,
    set,
    operations: () => {
      const found = aws.calls.all().map(({ operation }) => operation)
      aws.calls.clear()
      return found
    },
    look: async () => Object.entries(await store.look(place, set, signal)).map(([key, { kind }]) => `${key} ${kind}`),
    put: async key => {
      const object = set.objects.find(one => one.key === key)
      assert.ok(object)
      await store.act(putIssuerObject(place, object, set), signal)
    },
  }
}

async function troubleOf(promise: Promise<void>): Promise<Trouble> {
  try {
    await promise
  } catch (error) {
    return asTrouble(error)
  }
  throw new Error('it went well')
}

test('what is absent is seen as absent, and as current once it is written, with all that makes it recognisable [#59, #71]', async () => {
  const world = await open()
  assert.deepEqual(await world.look(), [`${discovery} absent`, `${keySet} absent`])
  for (const key of [discovery, keySet]) await world.put(key)
  assert.deepEqual(await world.look(), [`${discovery} current`, `${keySet} current`])
  const head = await world.s3.call('GetObject', { Bucket: place.bucket, Key: keySet })
  const object = world.set.objects.find(({ key }) => key === keySet)
  assert.ok(object)
  assert.equal(head.ContentType, 'application/json')
  assert.deepEqual(head.Metadata, objectMetadata(object, world.set))
  assert.equal(Buffer.from(head.Body as Uint8Array).toString(), object.body)
})

test('what is current is looked at with two calls, and not again within a burst of passes [#57]', async () => {
  const world = await open()
  for (const key of [discovery, keySet]) await world.put(key)
  world.operations()
  await world.look()
  assert.deepEqual(world.operations(), ['HeadObject', 'HeadObject'])
  await world.look()
  assert.deepEqual(world.operations(), [])
  await world.clock.advance(120_000)
  await world.look()
  assert.deepEqual(world.operations(), ['HeadObject', 'HeadObject'])
})

test('a set of other keys is another set: what was seen of the old one says nothing', async () => {
  const world = await open()
  for (const key of [discovery, keySet]) await world.put(key)
  await world.look()
  const other = renderDocumentSet('https://issuer.example', [{ keyId: 'other', modulus: 'AQ', exponent: 'AQAB' }]) as DocumentSet
  const seen = await world.store.look(place, other, new AbortController().signal)
  assert.deepEqual(
    Object.values(seen).map(({ kind }) => kind),
    ['differs', 'differs'],
  )
})

for (const [why, code, change] of [
  ['metadata is missing', '#58', { Metadata: {} }],
  [
    'a digest differs',
    '#58',
    {
      Metadata: {
        'awio-publication-format': 'self-hosted-oidc/v1',
        'awio-object-digest': 'sha256:0',
        'awio-object-set-digest': 'x',
      },
    },
  ],
  ['the content type differs', '#61', { ContentType: 'text/plain' }],
] as const) {
  test(`${why}: that object differs, and the other one does not [${code}]`, async () => {
    const world = await open()
    for (const key of [discovery, keySet]) await world.put(key)
    const object = world.set.objects.find(({ key }) => key === keySet)
    assert.ok(object)
    await world.s3.call('PutObject', {
      Bucket: place.bucket,
      Key: keySet,
      Body: Buffer.from(object.body),
      ContentType: object.contentType,
      Metadata: objectMetadata(object, world.set),
      ...change,
    })
    assert.deepEqual(await world.look(), [`${discovery} current`, `${keySet} differs`])
  })
}

test('a look that is forbidden says nothing; after our own write of it we know [14.1 L2]', async () => {
  const world = await open()
  world.aws.faults.add({
    match: { service: 's3', operation: 'HeadObject' },
    effect: { kind: 'error', code: 'AccessDenied', http: 403 },
  })
  assert.deepEqual(await world.look(), [`${discovery} hidden`, `${keySet} hidden`])
  for (const key of [discovery, keySet]) await world.put(key)
  assert.deepEqual(await world.look(), [`${discovery} current`, `${keySet} current`])
})

test('a look that fails is told, with the same words each time [#60]', async () => {
  const world = await open()
  world.aws.faults.add({
    match: { service: 's3', operation: 'HeadObject' },
    effect: { kind: 'error', code: 'InternalError', http: 500 },
  })
  const { signal } = new AbortController()
  const [first, second] = [await world.store.look(place, world.set, signal), await world.store.look(place, world.set, signal)]
  assert.deepEqual(first, second)
  assert.equal(first[keySet]?.kind, 'failed')
})

test('a write that fails names the object and the bucket, stably, and says whether to try again [#75, #53]', async () => {
  const world = await open()
  world.aws.faults.add({
    match: { service: 's3', operation: 'PutObject' },
    effect: { kind: 'error', code: 'AccessDenied', http: 403, message: 'Access Denied' },
  })
  const trouble = await troubleOf(world.put(keySet))
  assert.deepEqual([trouble.kind, trouble.reason, trouble.dependency], ['backoff', 'MissingPermission', 'aws/s3/us-east-1'])
  assert.equal(trouble.message, 'writing keys.json to bucket awi-wlc-a-us-east-1: AccessDenied: Access Denied')
})

for (const [code, http, reason] of [
  ['SlowDown', 503, 'Throttled'],
  ['InternalError', 500, 'OutcomeUnknown'],
  ['NoSuchBucket', 404, 'NotFound'],
] as const) {
  test(`${code} is ${reason}, and is tried again later and later [P10]`, async () => {
    const world = await open()
    world.aws.faults.add({ match: { service: 's3', operation: 'PutObject' }, effect: { kind: 'error', code, http } })
    const trouble = await troubleOf(world.put(keySet))
    assert.deepEqual([trouble.kind, trouble.reason], ['backoff', reason])
  })
}

test('what is gone with its bucket is gone; any other failure of a delete names the object [#62, #63]', async () => {
  const world = await open()
  const { signal } = new AbortController()
  await world.put(keySet)
  await world.store.act(deleteIssuerObject(place, keySet), signal)
  assert.deepEqual(await world.look(), [`${discovery} absent`, `${keySet} absent`])
  await world.store.act(deleteIssuerObject({ ...place, bucket: 'no-such-bucket' }, keySet), signal)
  world.aws.faults.add({
    match: { service: 's3', operation: 'DeleteObject' },
    effect: { kind: 'error', code: 'AccessDenied', http: 403 },
  })
  const trouble = await troubleOf(world.store.act(deleteIssuerObject(place, keySet), signal))
  assert.match(trouble.message, /^deleting keys\.json in bucket awi-wlc-a-us-east-1: AccessDenied/)
})

test('a bucket of the name in another account is neither looked at nor written [B23]', async () => {
  const world = await open({ account: '999999999999' })
  assert.deepEqual(await world.look(), [`${discovery} hidden`, `${keySet} hidden`])
  const trouble = await troubleOf(world.put(keySet))
  assert.equal(trouble.reason, 'MissingPermission')
})

test('what is published is fetched as anybody: readable with the policy of the issuer, and not without it or with another content', async () => {
  const world = await open()
  const { signal } = new AbortController()
  const view = () => world.store.lookAsAnybody(place, world.set, signal)
  for (const key of [discovery, keySet]) await world.put(key)
  assert.deepEqual((await view()).kind, 'settling', 'S3 takes a policy up within seconds')
  await world.clock.advance(10_000)
  const refused = await view()
  assert.deepEqual(refused, {
    kind: 'refused',
    message: `the public, and so STS, may not read ${discovery} of bucket ${place.bucket} (AccessDenied): let the bucket policy take effect (Block Public Access of the bucket and of the account)`,
  })
  const open4 = { BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: false, RestrictPublicBuckets: false }
  await world.s3.call('PutPublicAccessBlock', { Bucket: place.bucket, PublicAccessBlockConfiguration: open4 })
  await world.s3.call('PutBucketPolicy', { Bucket: place.bucket, Policy: renderBucketPolicy(place.bucket, place.region) })
  world.operations()
  assert.deepEqual(await view(), { kind: 'readable' })
  assert.deepEqual(world.operations(), ['GetObject', 'GetObject'])
  await world.clock.advance(9 * 3_600_000)
  assert.deepEqual(await view(), { kind: 'readable' })
  assert.deepEqual(world.operations(), [], 'what was readable is believed for as long as ACK believes its bucket')
  await world.clock.advance(3_600_000)
  await world.s3.call('PutObject', { Bucket: place.bucket, Key: keySet, Body: 'x'.repeat(100_000) })
  const changed = await view()
  assert.deepEqual(
    [changed.kind, /somebody else answers for it/.test('message' in changed ? changed.message : '')],
    ['refused', true],
  )
})
