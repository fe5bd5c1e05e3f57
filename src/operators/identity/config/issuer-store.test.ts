import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { AwsError, serviceModel } from '#aws'
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
  // No process looks in the moment in which its clock begins.
  await clock.advance(10_000_000)
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

test('what is not whole is looked at again with the next pass', async () => {
  const world = await open()
  await world.put(keySet)
  for (let pass = 0; pass < 2; pass++) {
    world.operations()
    assert.deepEqual(await world.look(), [`${discovery} absent`, `${keySet} current`])
    assert.deepEqual(world.operations(), ['HeadObject', 'HeadObject'])
  }
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
  await world.clock.advance(5_000)
  await world.put(keySet)
  await world.clock.advance(9_000)
  assert.deepEqual((await view()).kind, 'settling', 'the document that was written last counts')
  await world.clock.advance(1_000)
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

interface Call {
  readonly operation: string
  readonly input: { readonly Key: string; readonly Bucket: string }
  readonly options: { readonly deadlineMs?: number }
}

/** A store whose S3 answers so. */
function storeOf(answer: (call: Call) => unknown): {
  readonly store: S3IssuerStore
  readonly set: DocumentSet
  readonly clock: ManualClock
} {
  const clock = new ManualClock()
  const client = { call: async (operation: string, input: never, options: never) => answer({ operation, input, options }) }
  const set = renderDocumentSet('https://issuer.example', [{ keyId: 'k', modulus: 'AQ', exponent: 'AQAB' }]) as DocumentSet
  return { store: new S3IssuerStore({ clients: { for: () => client } as never, clock }), set, clock }
}

const { signal: never } = new AbortController()
const failure = (fields: Partial<ConstructorParameters<typeof AwsError>[0]>): AwsError =>
  new AwsError({ service: 's3', operation: 'X', code: 'X', message: 'x', ...fields } as never)

describe('the entity tag', () => {
  const md5 = (body: string): string => `"${createHash('md5').update(body).digest('hex')}"`
  /** How a key set is seen whose tag is so now, and was so when it was put. */
  async function seenBy(now: unknown, put?: unknown): Promise<string | undefined> {
    const { store, set } = storeOf(({ operation, input }) => {
      const object = set.objects.find(({ key }) => key === input.Key)
      assert.ok(object)
      if (operation === 'PutObject') return { ETag: put }
      return { ETag: now, ContentType: object.contentType, Metadata: objectMetadata(object, set) }
    })
    const [, object] = set.objects
    assert.ok(object)
    if (put !== undefined) await store.act(putIssuerObject(place, object, set), never)
    return (await store.look(place, { ...set, objects: [object] }, never))[keySet]?.kind
  }
  const body = storeOf(() => undefined).set.objects[1]?.body ?? ''
  test('of our text is that of a document of ours', async () => assert.equal(await seenBy(md5(body)), 'current'))
  test('of another text under our metadata shows that somebody wrote over it [S24]', async () =>
    assert.equal(await seenBy(md5('another')), 'differs'))
  test('with which S3 took what we put is as good, in a bucket with keys of its owner’s', async () => {
    assert.equal(await seenBy('"sealed"', '"sealed"'), 'current')
    assert.equal(await seenBy('"other"', '"sealed"'), 'differs')
    assert.equal(await seenBy(md5(body), '"sealed"'), 'current')
  })
  test('that S3 does not tell is not asked for', async () => {
    assert.equal(await seenBy(undefined), 'current')
    assert.equal(await seenBy('"sealed"', 7), 'differs')
  })
})

for (const [what, error, kind] of [
  ['that S3 refuses', failure({ httpStatus: 403, code: 'AccessDenied' }), 'refused'],
  ['that is not there', failure({ httpStatus: 404, code: 'NoSuchKey' }), 'refused'],
  ['that S3 fails to give', failure({ httpStatus: 500, code: 'InternalError' }), 'unseen'],
  ['for which there were too many calls', failure({ httpStatus: 400, code: 'Throttling' }), 'unseen'],
  ['that no answer came for', failure({ httpStatus: undefined as never }), 'unseen'],
  ['for which there is no line', new Error('no line'), 'unseen'],
] as const)
  test(`to anybody a document ${what} is ${kind === 'refused' ? 'not readable' : 'not known'}`, async () => {
    const deadlines = new Set<number | undefined>()
    const { store, set } = storeOf(({ options }) => {
      deadlines.add(options.deadlineMs)
      throw error
    })
    const view = await store.lookAsAnybody(place, set, never)
    assert.equal(view.kind, kind)
    assert.deepEqual([...deadlines], [5_000])
  })

test('a write that S3 asks to be tried later is tried then', async () => {
  const { store, set } = storeOf(() => {
    throw failure({ httpStatus: 503, code: 'SlowDown', retryAfterMs: 7_000 })
  })
  const [object] = set.objects
  assert.ok(object)
  const trouble = await troubleOf(store.act(putIssuerObject(place, object, set), never))
  assert.deepEqual([trouble.retryAfterMs, trouble.dependency], [7_000, 'aws/s3/us-east-1'])
  const { store: denying } = storeOf(() => {
    throw failure({ httpStatus: 403, code: 'AccessDenied' })
  })
  assert.equal((await troubleOf(denying.act(putIssuerObject(place, object, set), never))).retryAfterMs, undefined)
})

test('what was put last is known of so many buckets as a large fleet has, and of no more', async () => {
  const { store, set, clock } = storeOf(({ operation }) => {
    if (operation === 'PutObject') return {}
    throw failure({ httpStatus: 403, code: 'AccessDenied' })
  })
  const [object] = set.objects
  assert.ok(object)
  const inBucket = (turn: number): IssuerPlace => ({ ...place, bucket: `b${turn}` })
  const put = (turn: number): Promise<void> => store.act(putIssuerObject(inBucket(turn), object, set), never)
  const seen = async (turn: number): Promise<unknown> =>
    (await store.look(inBucket(turn), { ...set, objects: [object] }, never))[discovery]?.kind
  for (let turn = 0; turn < 16_384; turn++) await put(turn)
  assert.deepEqual([await seen(0), await seen(1)], ['current', 'current'])
  await put(16_384)
  await clock.advance(120_000)
  assert.deepEqual([await seen(0), await seen(16_384)], ['hidden', 'current'])
})

test('only the removal of a document destroys something', () => {
  const { set } = storeOf(() => undefined)
  const [object] = set.objects
  assert.ok(object)
  assert.deepEqual(
    [deleteIssuerObject(place, keySet), putIssuerObject(place, object, set)].map(action => action.destructive ?? false),
    [true, false],
  )
})
