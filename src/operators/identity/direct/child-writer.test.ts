// What is seen of bucket and provider of a Config, which calls make and remove them, and what is remembered after each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '#base'
import { type Action, type Reads, Trouble } from '#runtime'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { absentChild, type ChildState } from '../children/state.ts'
import type { ChildWriter, WantedPlace } from '../children/writer.ts'
import { childOf, configOf } from '../testing/config-seen.fixture.ts'
import { type AwsAction, awsCall } from './action.ts'
import { directChildren } from './child-writer.ts'
import { refusal, type Script, scriptedClients } from './scripted-client.fixture.ts'

const clock = { now: () => 0, monotonicMs: () => 0 }
const writer = directChildren({ clock, region: 'us-east-1' } as unknown as Parameters<typeof directChildren>[0])
const recorded = { selfHostedIssuer: { bucketName: 'b' } } as NonNullable<Parameters<typeof configOf>[0]>['status']
const actual = { isForeign: false, tags: {}, policy: '', publicAccess: {}, arn: 'arn:aws:iam::111122223333:oidc-provider/x' }
const state = (more: object): ChildState => ({ ...absentChild, ...more })
const seen = state({ owned: 'ours', actual })

function calls(kind: typeof bucketKind, held: ChildState, status?: typeof recorded): readonly string[] {
  const spec = {
    name: 'b',
    url: 'https://x',
    clientIDs: ['sts.amazonaws.com'],
    objectOwnership: 'BucketOwnerEnforced',
    policy: '{}',
  }
  const parent = { object: configOf({ ...(status && { status }) }), labels: {}, uidLabel: 'uid' }
  const child = { kind, parent, object: { spec } } as unknown as Parameters<ChildWriter['apply']>[0]
  return writer.apply(child, held, 'us-east-1').map(action => ('operation' in action ? String(action.operation) : action.kind))
}

for (const [what, kind, held, status, first] of [
  ['a bucket that is nowhere on record is not made', bucketKind, absentChild, undefined, undefined],
  ['a bucket that is on record is made', bucketKind, absentChild, recorded, 'CreateBucket'],
  [
    'a bucket that is on record under another name is not made',
    bucketKind,
    absentChild,
    { selfHostedIssuer: { bucketName: 'c' } },
    undefined,
  ],
  ['a bucket that is there is changed', bucketKind, seen, undefined, 'PutPublicAccessBlock'],
  ['a bucket of somebody else is left alone', bucketKind, state({ owned: 'foreign', actual }), recorded, undefined],
  ['a bucket that an object stands for is left to it', bucketKind, state({ object: {} }), recorded, undefined],
  ['a provider is made without a record', providerKind, absentChild, undefined, 'CreateOpenIDConnectProvider'],
] as const)
  test(`${what} [P2]`, () => {
    const made = calls(kind as never, held, status as never)
    assert.ok(first === undefined ? made.length === 0 : made.includes(first), made.join(' '))
    if (first?.startsWith('Create') !== true) assert.ok(!made.some(each => each.startsWith('Create')), made.join(' '))
  })

for (const [what, kind, held, gone] of [
  ['a bucket that is ours', bucketKind, seen, ['DeleteBucket']],
  ['a provider that is ours', providerKind, seen, ['DeleteOpenIDConnectProvider']],
  ['what was not seen', bucketKind, state({ owned: 'ours' }), []],
  ['what is somebody else’s', bucketKind, state({ owned: 'foreign', actual }), []],
] as const)
  test(`${what} ${gone.length > 0 ? 'goes' : 'stays'}`, () => {
    const place = { key: { namespace: 'n', name: 'b' }, region: 'us-east-1', parent: { object: configOf() } }
    const actions = writer.remove(kind as never, held, place as never)
    assert.deepEqual(actions.map(action => ('operation' in action ? action.operation : action.kind)).slice(-1), gone)
  })

test('a bucket is called where it is, and a provider where IAM is asked', () => {
  const parent = { object: configOf({ status: recorded }), labels: {}, uidLabel: 'uid' }
  const spec = { name: 'b', url: 'https://x', clientIDs: [], objectOwnership: 'x', policy: '{}' }
  for (const [kind, which, service, region] of [
    [bucketKind, 'bucket', 's3', 'eu-west-1'],
    [providerKind, 'provider', 'iam', 'us-east-1'],
  ] as const) {
    const child = { kind, parent, object: { spec } } as unknown as Parameters<ChildWriter['apply']>[0]
    const [call] = writer.apply(child, absentChild, 'eu-west-1') as readonly AwsAction[]
    assert.deepEqual([call?.which, call?.service, call?.region, call?.memory], [which, service, region, 'config-uid'])
  }
})

test('calls are its own actions, and objects it keeps none', () => {
  assert.equal(writer.keepsObjects, false)
  assert.deepEqual(
    [writer.isOwn({ kind: 'act:aws', summary: '' }), writer.isOwn({ kind: 'create' } as unknown as Action)],
    [true, false],
  )
})

const never = new AbortController().signal
const marked = [{ Key: 'uid', Value: 'config-uid' }]
const bucketWith = (TagSet: readonly object[]): Script => ({
  GetBucketTagging: { TagSet },
  GetBucketPolicy: {},
  GetPublicAccessBlock: {},
  GetBucketOwnershipControls: {},
  GetBucketEncryption: {},
})
const providerWith = (Tags: readonly object[]): Script => ({
  GetCallerIdentity: { Account: '111122223333', Arn: 'arn:aws-cn:iam::111122223333:user/x' },
  GetOpenIDConnectProvider: { ClientIDList: [], Tags },
})
const gone: Script = { GetBucketTagging: refusal('NoSuchBucket') }
const goneProvider: Script = { ...providerWith([]), GetOpenIDConnectProvider: refusal('NoSuchEntity') }
const isGoing = { deletionTimestamp: '2026-01-01T00:00:00Z' }

interface Life {
  readonly script?: Script
  readonly kind?: typeof bucketKind
  readonly status?: object | undefined
  readonly metadata?: object
  readonly identity?: string | null
  readonly driftMs?: number
  readonly left?: unknown
}

/** One writer before an account that answers by a script, which may change. */
function life({ kind = bucketKind, status, metadata, identity = 'https://x/y', driftMs, left, ...first }: Life) {
  let ms = 0
  let { script = bucketWith(marked) } = first
  const { asked, clients } = scriptedClients(() => script)
  const options = { clock: { now: () => 0, monotonicMs: () => ms }, region: 'us-east-1', clients, ...(driftMs && { driftMs }) }
  const { find, act } = directChildren(options as unknown as Parameters<typeof directChildren>[0])
  const object = configOf({ ...(status && { status: status as never }), ...(metadata && { metadata: metadata as never }) })
  const place: WantedPlace = {
    kind,
    key: { namespace: 'wlc-a', name: 'b' },
    region: 'eu-west-1',
    parent: { object, uidLabel: 'uid' },
    ...(identity !== null && { identity }),
  }
  const world = { isSynced: () => true, find: () => left } as unknown as Reads
  return {
    asked,
    pass: (by: number) => void (ms += by),
    answer: (next: Script) => void (script = next),
    find: () => find(place, world, never),
    /** What became of a call; `trouble` as its kind and reason. */
    act: async (operation: string, more: object = {}): Promise<unknown> => {
      const which = kind === bucketKind ? 'bucket' : 'provider'
      const place = { which, service: kind === bucketKind ? 's3' : 'iam', region: 'us-east-1', memory: 'config-uid' } as const
      const action = { ...awsCall(place, operation, {}, 'b'), ...more }
      try {
        return (await act?.(action, { signal: never, checkFence: () => {} } as never))?.changed
      } catch (error) {
        assert.ok(error instanceof Trouble, String(error))
        return `${error.kind} ${error.reason} ${error.dependency ?? ''}`.trim()
      }
    },
  }
}

const provider = { kind: providerKind }
for (const [what, given, owned] of [
  ['a bucket that carries our uid', {}, 'ours'],
  ['a bucket without tags that is on record', { script: bucketWith([]), status: recorded }, 'ours'],
  ['a bucket without tags', { script: bucketWith([]) }, 'foreign'],
  [
    'a bucket with tags of others that is on record',
    { script: bucketWith([{ Key: 'uid', Value: 'other' }]), status: recorded },
    'foreign',
  ],
  [
    'a bucket of another account that is on record',
    { script: { GetBucketTagging: refusal('AccessDenied') }, status: recorded },
    'foreign',
  ],
  ['a bucket that is not there', { script: gone }, 'none'],
  ['a bucket that is not there and was never on record, of a Config that goes', { script: gone, metadata: isGoing }, 'none'],
  ['a provider that carries our uid', { ...provider, script: providerWith(marked) }, 'ours'],
  ['a provider without our uid', { ...provider, script: providerWith([{ Key: 'uid', Value: 'other' }]) }, 'foreign'],
  ['a provider that is not there', { ...provider, script: goneProvider }, 'none'],
  ['a provider that is not there, on record', { ...provider, script: goneProvider, status: { oidcProviderARN: 'x' } }, 'none'],
  [
    'a provider that was never on record, of a Config that goes',
    { ...provider, script: goneProvider, metadata: isGoing },
    'none',
  ],
  ['a provider of which nobody knows the issuer', { ...provider, script: {}, identity: null }, 'none'],
] as readonly (readonly [string, Life, string])[])
  test(`${what} is ${owned === 'none' ? 'absent' : owned === 'ours' ? 'ours' : 'somebody else’s, and looked at again in a minute'} [B23, S2]`, async () => {
    const state = await life(given).find()
    assert.deepEqual([state.owned, state.lookAgainMs], [owned, owned === 'foreign' ? 60_000 : undefined])
    const arn = given.kind === providerKind && owned === 'ours' ? 'arn:aws-cn:iam::111122223333:oidc-provider/x/y' : undefined
    assert.equal(state.arn, arn)
    if (owned === 'ours') assert.ok(state.owned === 'ours' && state.stage === 'synced' && state.entry !== undefined)
  })

test('while an object describes the bucket, AWS is not asked', async () => {
  const { find, asked } = life({ left: childOf(bucketKind).object })
  assert.equal((await find()).trouble?.reason, 'LeftOver')
  assert.deepEqual(asked, [])
})

test('a bucket is asked for where it is, and a provider where IAM is', async () => {
  const bucket = life({})
  await bucket.find()
  assert.equal(bucket.asked[0], 'S3 eu-west-1 GetBucketTagging')
  const other = life({ ...provider, script: providerWith(marked) })
  await other.find()
  assert.deepEqual(other.asked, ['STS us-east-1 GetCallerIdentity', 'IAM us-east-1 GetOpenIDConnectProvider'])
})

for (const [what, driftMs, ageMs] of [
  ['ten hours', undefined, 36_000_000],
  ['as long as is said', 1_000, 1_000],
] as const)
  test(`what is ours is remembered for ${what} [M2]`, async () => {
    const { find, asked, pass } = life({ ...(driftMs && { driftMs }) })
    await find()
    const once = asked.length
    pass(ageMs - 1)
    await find()
    assert.equal(asked.length, once)
    pass(1)
    await find()
    assert.equal(asked.length, 2 * once)
  })

test('what is a stranger’s is asked for at each look', async () => {
  for (const given of [{ script: bucketWith([]) }, { ...provider, script: providerWith([]) }]) {
    const { find, asked } = life(given)
    await find()
    const once = asked.length
    await find()
    assert.ok(asked.length > once)
  }
})

for (const [what, given, dependency] of [
  ['a bucket', { script: gone, status: recorded, metadata: isGoing }, 'aws:s3'],
  ['a provider', { ...provider, script: goneProvider, status: { oidcProviderARN: 'x' }, metadata: isGoing }, 'aws:iam'],
] as const)
  test(`${what} that was there is gone when two looks five seconds apart miss it [P5]`, async () => {
    const { find, pass } = life(given)
    const unseen = (retryAfterMs: number) => ({ kind: 'backoff', reason: 'OutcomeUnknown', dependency, retryAfterMs })
    await assert.rejects(find(), unseen(5_000))
    pass(4_999)
    await assert.rejects(find(), unseen(1))
    pass(1)
    assert.equal((await find()).owned, 'none')
  })

for (const [what, given, dependency] of [
  ['a bucket', { script: { ...bucketWith(marked), GetBucketPolicy: refusal('AccessDenied') } }, 'aws:s3'],
  ['a provider', { ...provider, script: { ...providerWith([]), GetOpenIDConnectProvider: refusal('AccessDenied') } }, 'aws:iam'],
] as const)
  test(`a look at ${what} that is refused is told as a missing permission`, () =>
    assert.rejects(life(given).find(), { name: 'Trouble', kind: 'backoff', reason: 'MissingPermission', dependency }))

const answering: Script = { ...bucketWith(marked), CreateBucket: {}, PutBucketPolicy: {}, DeleteBucket: {}, PutBucketTagging: {} }

test('a bucket is made without a look, changed again right after, and taken away only after one [P4]', async () => {
  const { act, find } = life({ script: answering })
  assert.equal(await act('CreateBucket'), true)
  assert.equal(await act('PutBucketTagging'), true)
  assert.equal(await act('DeleteBucket'), 'soon Stale')
  await find()
  assert.equal(await act('DeleteBucket'), true)
})

test('half a minute after a look a bucket is changed and taken away, and later it is not [P4]', async () => {
  for (const operation of ['PutBucketPolicy', 'DeleteBucket']) {
    const { act, find, pass } = life({ script: answering })
    await find()
    pass(30_000)
    assert.equal(await act(operation), true, operation)
    await find()
    pass(30_001)
    assert.equal(await act(operation), 'soon Stale', operation)
  }
})

test('a bucket is read again after each call, and a provider only after one that did not make it', async () => {
  const bucket = life({ script: answering })
  await bucket.find()
  await bucket.act('PutBucketPolicy')
  const before = bucket.asked.length
  await bucket.find()
  assert.ok(bucket.asked.length > before)
  const made = { OpenIDConnectProviderArn: 'arn:aws:iam::111122223333:oidc-provider/x/y' }
  const other = life({ ...provider, script: { CreateOpenIDConnectProvider: made } })
  assert.equal(await other.act('CreateOpenIDConnectProvider', { input: { Tags: marked } }), true)
  assert.equal((await other.find()).arn, made.OpenIDConnectProviderArn)
  assert.equal(other.asked.length, 1)
})

test('a call that is refused names its dependency, and what was to go and is not there is gone', async () => {
  const { act, find, answer } = life({ script: answering })
  await find()
  answer({
    PutBucketPolicy: refusal('AccessDenied'),
    DeleteBucket: refusal('NoSuchBucket'),
    CreateBucket: refusal('AccessDenied'),
  })
  assert.equal(await act('PutBucketPolicy'), 'backoff MissingPermission aws:s3:us-east-1')
  assert.equal(await act('CreateBucket', { dependency: undefined }), 'backoff MissingPermission s3')
  answer(answering)
  await find()
  answer({ DeleteBucket: refusal('NoSuchBucket') })
  assert.equal(await act('DeleteBucket'), false)
})

const unanswered = new HttpFailure('timeout', 'no answer')
for (const [what, operation, error, isUnproven] of [
  ['a creation without an answer', 'CreateBucket', unanswered, true],
  ['a creation that was refused', 'CreateBucket', refusal('AccessDenied'), false],
  ['a change without an answer', 'PutBucketTagging', unanswered, false],
] as const)
  test(`after ${what} an absence ${isUnproven ? 'proves nothing yet' : 'is one'} [W7, P5]`, async () => {
    const { act, find, pass } = life({ script: { ...gone, [operation]: error }, metadata: isGoing })
    assert.match(String(await act(operation)), /^backoff /)
    if (isUnproven) await assert.rejects(find(), { reason: 'OutcomeUnknown', retryAfterMs: 30_000 })
    pass(isUnproven ? 30_000 : 0)
    assert.equal((await find()).owned, 'none')
  })
