// Which calls make and remove bucket and provider of a Config, from what was seen of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { absentChild, type ChildState } from '../children/state.ts'
import type { ChildWriter } from '../children/writer.ts'
import { configOf } from '../testing/config-seen.fixture.ts'
import { directChildren } from './child-writer.ts'

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
