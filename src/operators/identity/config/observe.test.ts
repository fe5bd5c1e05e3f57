// What is seen of a Config: of its signing keys where cache and server differ (their record is judged by one object, and never by two
// halves), and what is looked at for which Config, and what is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ObjectKey, type ResourceType, type StoredObject, secrets } from '#kube'
import type { Reads } from '#runtime'
import { configKind, operatorConfigKind, roleKind } from '../api/kinds.ts'
import type { WorkloadIdentityConfig } from '../api.ts'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { absentChild } from '../children/state.ts'
import type { WantedPlace } from '../children/writer.ts'
import { oidcProviderName } from '../names.ts'
import {
  type ChildMore,
  type ConfigMore,
  childOf,
  configOf,
  now,
  operatorConfig,
  otherPair,
  pair,
  secretOf,
  selfHostedOf,
} from '../testing/config-seen.fixture.ts'
import type { PublicationSeen } from './issuer-store.ts'
import { defined, keyIdsOf, renderKeyRing, ringOf, type SecretObject, signingKeyOf } from './key-ring.ts'
import { type ConfigTools, keyIndex, observeConfig } from './observe.ts'
import type { ConfigSeen, SelfHostedSeen } from './seen.ts'
import type { Signer } from './signer.ts'

const { keyId } = pair
const never = new AbortController().signal
const recorded = { signingKeys: { held: [keyId], planned: [] } }
const planned = { signingKeys: { held: [], planned: [keyId] } }
const late = { signingKeys: { held: [keyId], planned: ['late'] } }
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }

const tools = {
  children: { find: () => Promise.resolve(absentChild) },
  clock: { now: () => Date.UTC(2026, 0, 2) },
  drafts: { draw: () => assert.fail('no key is needed'), drop: () => {} },
} as unknown as ConfigTools

/** A cache that has the Config as `cached`, and a server that has it as `served`. */
async function keysSeen(cached: WorkloadIdentityConfig, served: WorkloadIdentityConfig | undefined) {
  const of = (config: WorkloadIdentityConfig | undefined) => (type: unknown) =>
    type === configKind.type ? config : type === secrets ? secretOf() : undefined
  const reads = {
    find: of(cached),
    read: async (type: unknown) => of(served)(type),
    list: () => [],
    isSynced: () => true,
    byIndex: () => [],
  }
  const { selfHosted } = await observeConfig(
    { namespace: 'wlc-a', name: 'default' } as never,
    reads as unknown as Reads,
    never,
    tools,
  )
  const { proof, record } = selfHosted?.secret ?? assert.fail()
  return [proof?.kind, record?.held]
}

for (const [what, cached, served, proof, record] of [
  ['on record is not asked for again', { status: recorded }, undefined, 'ours', undefined],
  ['on record beside one that has not arrived is on record as it should be', { status: late }, undefined, 'ours', undefined],
  ['on record as the server has it is ours', {}, { status: recorded }, 'ours', undefined],
  ['on record nowhere is not ours', {}, {}, 'unrecorded', undefined],
  [
    'on record of another object of that name is not ours',
    {},
    { status: recorded, metadata: { uid: 'other' } },
    'unrecorded',
    undefined,
  ],
  ['whose object has gone is not ours', {}, undefined, 'unrecorded', undefined],
  ['that was planned is written down as held', { status: planned }, { status: planned }, 'ours', [keyId]],
  ['that the server has as held is not written down again', { status: planned }, { status: recorded }, 'ours', undefined],
  [
    'of an object that goes is not written down',
    { status: planned, metadata: going },
    { status: planned, metadata: going },
    'ours',
    undefined,
  ],
] as readonly (readonly [string, ConfigMore, ConfigMore | undefined, string, readonly string[] | undefined])[])
  test(`a key ${what}`, async () =>
    assert.deepEqual(await keysSeen(configOf(cached), served && configOf(served)), [proof, record]))

interface Hub {
  /** Ours first. */
  readonly configs?: readonly WorkloadIdentityConfig[]
  readonly hasOperatorConfig?: boolean
  /** In the cache, which holds what carries our label. */
  readonly cached?: readonly SecretObject[]
  /** What the server has of our Secret, where that is not what the cache has. */
  readonly served?: SecretObject
  readonly roles?: readonly string[]
  /** Undefined where nobody may list them. */
  readonly providers?: readonly StoredObject[] | undefined
  readonly bucket?: ChildMore
  readonly published?: PublicationSeen
  readonly signerOf?: ((cluster: string, namespace: string) => Promise<Signer | undefined>) | undefined
}

interface Look {
  readonly seen: ConfigSeen
  /** What was asked of whom. */
  readonly asked: readonly string[]
}

const bare = (namespace: string, name: string, more: object = {}): StoredObject =>
  ({ metadata: { namespace, name, uid: `${namespace}/${name}` }, ...more }) as unknown as StoredObject

async function look(hub: Hub = {}): Promise<Look> {
  const { configs = [configOf({ status: recorded })], hasOperatorConfig = true, cached = [secretOf()], roles = [] } = hub
  const objects = new Map<ResourceType, readonly StoredObject[]>([
    [configKind.type, configs],
    [operatorConfigKind.type, hasOperatorConfig ? [operatorConfig] : []],
    [secrets, cached.map(secret => ({ ...secret, metadata: { namespace: 'wlc-a', ...secret.metadata } }))],
    [roleKind.type, roles.map(name => bare('wlc-a', name))],
    [providerKind.type, hub.providers ?? [providerOf('other/unlisted')]],
  ] as readonly [ResourceType, readonly StoredObject[]][])
  const asked: string[] = []
  const all = (type: ResourceType): readonly StoredObject[] => objects.get(type) ?? []
  const find = (type: ResourceType, { namespace, name }: ObjectKey): StoredObject | undefined =>
    all(type).find(({ metadata }) => (metadata.namespace ?? '') === namespace && metadata.name === name)
  const world = {
    find,
    read: async (type: ResourceType, key: ObjectKey) => {
      asked.push(`read ${type.kind}`)
      return type === secrets && hub.served ? hub.served : find(type, key)
    },
    list: (type: ResourceType, namespace?: string) =>
      all(type).filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
    byIndex: (type: ResourceType, index: string, value: string) =>
      all(type).filter(object => index === keyIndex && keyIdsOf(object as SecretObject).includes(value)),
    isSynced: (type: ResourceType) => type !== providerKind.type || !('providers' in hub) || hub.providers !== undefined,
    cluster: () => undefined,
  }
  const called: ConfigTools = {
    children: {
      find: async ({ kind }: WantedPlace) => {
        asked.push(`find ${kind.type.kind}`)
        return kind === bucketKind && hub.bucket !== undefined ? childOf(bucketKind, hub.bucket) : absentChild
      },
    },
    clock: { now: () => now },
    drafts: {
      draw: async (uid: string) => {
        asked.push(`draw ${uid}`)
        return signingKeyOf(otherPair)
      },
      drop: (uid: string) => void asked.push(`drop ${uid}`),
    },
    store: {
      look: async () => {
        asked.push('look')
        return hub.published ?? current
      },
      lookAsAnybody: async () => {
        asked.push('look as anybody')
        return { kind: 'readable' }
      },
    },
    ...('signerOf' in hub ? { signerOf: hub.signerOf } : {}),
  } as unknown as ConfigTools
  const seen = await observeConfig({ namespace: 'wlc-a', name: 'default' } as never, world as unknown as Reads, never, called)
  return { seen, asked }
}

const current: PublicationSeen = { '.well-known/openid-configuration': { kind: 'current' }, 'keys.json': { kind: 'current' } }

async function selfHosted(hub: Hub = {}): Promise<SelfHostedSeen> {
  const { seen } = await look(hub)
  return seen.selfHosted ?? assert.fail()
}

const eks = { type: 'EKSIRSA', region: 'us-east-1' } as const

for (const [what, more, kinds] of [
  ['of a cluster of its own bucket and provider are looked for', {}, ['find OpenIDConnectProvider', 'find Bucket']],
  ['of EKS with OIDC the provider is', { spec: eks }, ['find OpenIDConnectProvider']],
  ['of EKS Pod Identity nothing is', { spec: { ...eks, type: 'EKSPodIdentity' } }, []],
] as readonly (readonly [string, ConfigMore, readonly string[]])[])
  test(what, async () => {
    const { asked } = await look({ configs: [configOf(more)] })
    assert.deepEqual(
      asked.filter(each => each.startsWith('find')),
      kinds,
    )
  })

test('the Roles of a Config are looked for when it goes, and in their order [#101]', async () => {
  const rolesOf = async (roles: readonly string[], metadata: ConfigMore['metadata']): Promise<unknown> =>
    (await look({ roles, configs: [configOf({ metadata: metadata ?? {} })] })).seen.roles
  assert.deepEqual(await rolesOf(['b', 'a'], going), ['a', 'b'])
  assert.deepEqual(await rolesOf(['a'], going), ['a'])
  assert.equal(await rolesOf([], going), undefined)
  assert.equal(await rolesOf(['a'], {}), undefined)
})

test('whether the runtime is shared is asked of a Config with one that goes [#106]', async () => {
  const shares = async (more: ConfigMore): Promise<unknown> => (await look({ configs: [configOf(more)] })).seen.sharesRuntime
  assert.deepEqual(await shares({ metadata: going }), { kind: 'no' })
  assert.equal(await shares({}), undefined)
  assert.equal(await shares({ metadata: going, spec: eks }), undefined)
})

test('the runtime is where the operator config has it, and while it goes where it was made [#118]', async () => {
  const runtimeOf = async (hasOperatorConfig: boolean, more: ConfigMore): Promise<string | undefined> => {
    const { runtime } = (await look({ hasOperatorConfig, configs: [configOf(more)] })).seen
    return runtime?.kind === 'away' ? runtime.message : runtime?.kind
  }
  const status = { webhookRuntimeNamespace: 'recorded' }
  const apart = 'cluster wlc-a is not connected'
  assert.equal(await runtimeOf(true, {}), apart)
  assert.equal(await runtimeOf(false, { status }), undefined)
  assert.equal(await runtimeOf(false, { status, metadata: going }), apart)
  assert.equal(await runtimeOf(false, { metadata: going }), undefined)
})

for (const [what, hub, isLookedAt] of [
  ['whose bucket stands and whose key is ours are', {}, true],
  ['whose bucket is not in sync are not', { bucket: { synced: false } }, false],
  ['without a key are not', { cached: [] }, false],
  ['whose Secret is in foreign hands are not', { cached: [secretOf(owned('other'))] }, false],
  ['of a Config that goes are not', { configs: [configOf({ status: recorded, metadata: going })] }, false],
] as readonly (readonly [string, Hub, boolean])[])
  test(`the documents ${what} looked at in S3`, async () => {
    const { seen, asked } = await look({ bucket: {}, ...hub })
    assert.equal(asked.includes('look'), isLookedAt)
    assert.deepEqual(seen.selfHosted?.publication, isLookedAt ? current : undefined)
    assert.deepEqual(seen.selfHosted?.publicView, isLookedAt ? { kind: 'readable' } : undefined)
  })

test('what is not wholly published is not asked for as anybody would', async () => {
  for (const published of [{ ...current, 'keys.json': { kind: 'absent' } }, {}] as const) {
    const { seen, asked } = await look({ bucket: {}, published })
    assert.deepEqual([asked.includes('look as anybody'), seen.selfHosted?.publicView], [false, undefined])
  }
})

function owned(uid: string): (secret: SecretObject) => SecretObject {
  return secret => ({
    ...secret,
    metadata: { ...secret.metadata, ownerReferences: secret.metadata.ownerReferences?.map(each => ({ ...each, uid })) ?? [] },
  })
}

/** The Secret in the middle of a rotation, with its annotations as given. */
function rotating(
  annotations: Readonly<Record<string, string>> = {},
  more: Parameters<typeof ringOf>[1] = { previous: signingKeyOf(otherPair).public },
): SecretObject {
  const { data, annotations: ring } = renderKeyRing(ringOf(pair, more))
  return secretOf(secret => ({
    ...secret,
    data: defined(data),
    metadata: { ...secret.metadata, annotations: { ...defined(ring), ...annotations } },
  }))
}

const bothRecorded = { signingKeys: { held: [keyId, otherPair.keyId], planned: [] }, webhookRuntimeNamespace: 'runtime' }
const inUse = 'aws.identity.appthrust.io/signing-key-in-use'
const askCluster = (cluster: string, namespace: string): Promise<Signer> => Promise.resolve({ keyId: `${cluster}/${namespace}` })

for (const [what, { secret = rotating(), status = bothRecorded, metadata = {}, ...more }, signer] of [
  ['is asked of the cluster', {}, 'wlc-a/runtime'],
  ['is what the owner of the API server says', { secret: rotating({ [inUse]: 'said' }) }, 'said'],
  ['is asked of the cluster where its owner says nothing', { secret: rotating({ [inUse]: '' }) }, 'wlc-a/runtime'],
  ['is not asked where nobody can ask', { signerOf: undefined }, undefined],
  ['is not asked where no runtime is on record', { status: { ...bothRecorded, webhookRuntimeNamespace: undefined } }, undefined],
  ['is not known where the cluster does not answer', { signerOf: () => Promise.reject(new Error('no')) }, undefined],
  ['is nothing to ask while no key is being replaced', { secret: secretOf() }, undefined],
  ['is nothing to ask of a Config that goes', { metadata: going }, undefined],
] as readonly (readonly [
  string,
  Pick<Hub, 'signerOf'> & {
    readonly secret?: SecretObject
    readonly status?: object
    readonly metadata?: ConfigMore['metadata']
  },
  string | undefined,
])[])
  test(`which key a cluster signs with ${what} [S12]`, async () => {
    const configs = [configOf({ status, metadata })]
    const found = await selfHosted({ signerOf: askCluster, ...more, configs, cached: [secret] })
    assert.equal(found.signer?.keyId, signer)
  })

test('documents are of the keys that are ours, and there are none of a key that is not', async () => {
  const keysOf = async (hub: Hub): Promise<unknown> => {
    const { documents } = await selfHosted(hub)
    return documents && JSON.parse(documents.objects.find(({ key }) => key === 'keys.json')?.body ?? '').keys.length
  }
  assert.equal(await keysOf({}), 1)
  assert.equal(await keysOf({ cached: [rotating()], configs: [configOf({ status: bothRecorded })] }), 2)
  assert.equal(await keysOf({ cached: [rotating()] }), 1, 'foreign beside ours')
  const foreign = { signingKeys: { held: [otherPair.keyId], planned: [] } }
  assert.equal(await keysOf({ configs: [configOf({ status: foreign })] }), undefined)
  assert.equal(await keysOf({ cached: [] }), undefined)
})

test('a Secret that its user brought is asked of the server, since the cache holds what carries our label [#78]', async () => {
  const { secret } = await selfHosted({ cached: [], served: secretOf() })
  assert.deepEqual([secret.ring.kind, secret.object?.metadata.uid], ['ring', 'secret-uid'])
  const { asked } = await look()
  assert.equal(asked.includes('read Secret'), false)
})

const rotate = { annotations: { 'aws.identity.appthrust.io/rotate-signing-key': 'r1' } }

for (const [what, hub, isDrawn] of [
  ['where there is none', { cached: [] }, true],
  ['where one is to be replaced', { configs: [configOf({ status: recorded, metadata: rotate })] }, true],
  ['where there is one', {}, false],
  ['without an operator config', { cached: [], hasOperatorConfig: false }, false],
  ['for a Config that goes', { cached: [], configs: [configOf({ metadata: going })] }, false],
  [
    'in the place of one that nobody can read',
    { cached: [secretOf(secret => ({ ...secret, data: { ...secret.data, 'sa.pub': 'eA==' } }))] },
    false,
  ],
  [
    'beside a Secret in foreign hands',
    { cached: [secretOf(owned('other'))], configs: [configOf({ status: recorded, metadata: rotate })] },
    false,
  ],
] as readonly (readonly [string, Hub, boolean])[])
  test(`a key is ${isDrawn ? 'drawn' : 'not drawn, and one that was drawn is dropped,'} ${what}`, async () => {
    const { seen, asked } = await look(hub)
    const drafts = asked.filter(each => /^(?:draw|drop) /.test(each))
    assert.deepEqual([...new Set(drafts)], [`${isDrawn ? 'draw' : 'drop'} config-uid`])
    assert.equal(seen.selfHosted?.secret.candidate?.public.keyId, isDrawn ? otherPair.keyId : undefined)
  })

test('a drawn key is known to be on record once it is planned [P2]', async () => {
  const isRecorded = async (ids: readonly string[]): Promise<unknown> => {
    const status = { signingKeys: { held: [], planned: ids } }
    return (await selfHosted({ cached: [], configs: [configOf({ status })] })).secret.isCandidateRecorded
  }
  assert.deepEqual([await isRecorded([otherPair.keyId]), await isRecorded(['other'])], [true, false])
})

const older = { creationTimestamp: '2025-01-01T00:00:00Z' }
const rival = (more: ConfigMore = {}): WorkloadIdentityConfig =>
  configOf({ status: recorded, ...more, metadata: { namespace: 'wlc-b', uid: 'rival', ...older, ...more.metadata } })
const inNamespace = (namespace: string, secret = secretOf()): SecretObject => ({
  ...secret,
  metadata: { ...secret.metadata, namespace },
})
const aged = (creationTimestamp: string | undefined, namespace = 'wlc-a'): WorkloadIdentityConfig =>
  configOf({ status: recorded, metadata: { namespace, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) } })
const young = aged('2025-06-01T00:00:00Z')

for (const [what, hub, sharedWith] of [
  ['an older Config accounts for', { configs: [young, rival()] }, 'wlc-b/default'],
  ['a younger Config accounts for', { configs: [young, rival({ metadata: { creationTimestamp: '2025-07-01T00:00:00Z' } })] }],
  ['a Config of the same second and a later name accounts for', { configs: [aged(older.creationTimestamp), rival()] }],
  [
    'a Config of the same second and an earlier name accounts for',
    {
      configs: [aged(older.creationTimestamp), rival({ metadata: { namespace: 'wlc-0' } })],
      cached: [secretOf(), inNamespace('wlc-0')],
    },
    'wlc-0/default',
  ],
  ['an older Config has a copy of and nothing on record', { configs: [young, rival({ status: {} })] }],
  ['an older Config of EKS has a copy of', { configs: [young, rival({ spec: eks })] }],
  ['nobody’s Secret has a copy of', { configs: [young] }],
  [
    'an older Config accounts for beside one of its own',
    {
      configs: [configOf({ status: bothRecorded, metadata: young.metadata }), rival()],
      cached: [rotating(), inNamespace('wlc-b')],
    },
    'wlc-b/default',
  ],
  [
    'an older Config accounts for, in a Secret in foreign hands',
    { configs: [young, rival()], cached: [secretOf(owned('other')), inNamespace('wlc-b')] },
  ],
] as readonly (readonly [string, Hub, string?])[])
  test(`a key that ${what} is ${sharedWith === undefined ? 'no shared one' : 'the other’s'} [X3]`, async () => {
    const { secret } = await selfHosted({ cached: [secretOf(), inNamespace('wlc-b')], ...hub })
    assert.equal(secret.sharedWith, sharedWith)
  })

function providerOf(name: string, url: string = selfHostedOf().issuerUrl): StoredObject {
  const [namespace = '', own = ''] = name.split('/')
  return bare(namespace, own, { spec: { url } })
}

test('who trusts the issuer of a Config that goes is listed, but for the provider of its own [P16]', async () => {
  const trustedBy = async (providers: readonly StoredObject[] | undefined, metadata: ConfigMore['metadata'] = going) =>
    (await selfHosted({ providers, configs: [configOf({ status: recorded, metadata })] })).trustedBy
  const own = oidcProviderName('wlc-a')
  const all = [
    providerOf('other/theirs', `${selfHostedOf().issuerUrl}//`),
    providerOf('wlc-a/second'),
    providerOf(`other/${own}`),
    providerOf(`wlc-a/${own}`),
    providerOf('other/elsewhere', 'https://elsewhere.example'),
    bare('other', 'empty'),
  ]
  assert.deepEqual(await trustedBy(all), ['other/theirs', 'wlc-a/second', `other/${own}`])
  assert.deepEqual(await trustedBy([providerOf('other/theirs')], {}), [])
  assert.deepEqual(await trustedBy(undefined), [], 'where nobody may list them')
})
