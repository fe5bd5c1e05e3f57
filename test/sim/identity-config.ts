// A self-hosted issuer in the simulator, from its first key to its end: the whole identity operator with `--aws-writer direct`, one Config
// that is made, its key rotated, deleted, and made again under the same names. Whoever runs the cluster takes up keys late; tokens are asked
// for all along, and the public key set is held against each that is still alive (S12) after every effect.
import { serviceModel } from '#aws'
import type { AwsClients } from '#aws/client'
import type { Keys } from '#base'
import type { Aws } from '#emulator'
import { deployments, type KubeObject } from '#kube'
import { annotations, configKind, finalizers, labels, reasons, type WorkloadIdentityConfig } from '#operators/identity/api'
import { type ManagerOptions, troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { cloudName } from '#simulator'
import { S3IssuerStore } from '../../src/operators/identity/config/issuer-store.ts'
import { createIdentityOperator, type IdentityOperatorOptions } from '../../src/operators/identity/create-operator.ts'
import { parsePublicKey } from '../../src/operators/identity/documents/signing-key.ts'
import { bucketName } from '../../src/operators/identity/names.ts'
import { pooledKeys } from '../../src/operators/identity/testing/keys.fixture.ts'
import { adminClients, processClients } from './aws/clients.ts'
import { type AwsObject, awsObjects } from './aws/objects.ts'
import { account, bindingsHub, childTypes, home, identityProcess, leaseMs, namespace, object, target } from './bindings.ts'
import { creates, deed, edits, removes } from './deeds.ts'
import { probedClients, runProbed } from './probed.ts'

const region = 'eu-west-1'
const adversary = '999999999999'
const api = 'aws.identity.appthrust.io/v1alpha1'
const configs = `/apis/${api}/namespaces/${home}/awsworkloadidentityconfigs`
export const configPath: string = `${configs}/default`
const secretPath = `/api/v1/namespaces/${home}/secrets/awi-signing-key-default`
const accountPath = '/api/v1/namespaces/apps/serviceaccounts/app1'
const bucket = bucketName(home, region)
const keySet = 'keys.json'
/** A hundredth of production's, in the same order: a token dies before its key is withdrawn. */
const propagationMs = 30_000
const tokenMs = 600_000
const graceMs = 720_000
const driftMs = 600_000
const rotateAtMs = 60_000
/** When the script ends the Config, to make it anew. */
export const endAtMs = 1_300_000

export const identityConfigSubject: Subject = {
  name: 'identity-config',
  servers: ['hub', target],
  cloud: { options: { accounts: [account, adversary], region }, prepare: warm, look: awsObjects },
  keys: keysOf,
  objects: server => (server === 'hub' ? hubObjects : targetObjects),
  replicas: 2,
  versions: 2,
  start,
  script: [
    creates('create Config', { path: configs }, config(), 0),
    ...[30_000, 90_000, 160_000, 200_000, 500_000, 800_000, 1_200_000].map(mintsToken),
    edits(
      'ask for another key',
      { path: configPath },
      { metadata: { annotations: { [annotations.rotateSigningKey]: 'now' } } },
      rotateAtMs,
    ),
    removes('delete Config', { path: configPath }, endAtMs),
    creates('create Config anew', { path: configs }, config(), endAtMs + 20_000),
  ],
  disturbances: [
    {
      ...edits(
        'ask for a key once more',
        { path: configPath },
        { metadata: { annotations: { [annotations.rotateSigningKey]: 'again' } } },
        undefined,
      ),
      fault: 'F18',
    },
    {
      ...edits(
        'label the Secret',
        { path: secretPath },
        { metadata: { labels: { [labels.configUid]: 'mine', team: 'a' } } },
        undefined,
      ),
      fault: 'F18',
    },
    { ...removes('delete the Config early', { path: configPath }, undefined), fault: 'F19' },
    { ...edits('take the finalizer off', { path: configPath }, { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    { ...inBucket('deletes the key set', 'DeleteObject', { Key: keySet }), fault: 'F23' },
    { ...inBucket('writes over the key set', 'PutObject', { Key: keySet, Body: Buffer.from('{"keys":[]}') }), fault: 'F23' },
    { ...inBucket('takes the policy off', 'DeleteBucketPolicy', {}), fault: 'F23' },
    { ...inBucket('takes the tags off', 'DeleteBucketTagging', {}), fault: 'F23' },
    { ...takesName(), fault: 'F24' },
  ],
  roleOf,
  ownerUidOf,
  purposeOf: ({ kind }) => kind,
  // Keys, their digests, and what names them.
  madeOfUids: /[\w+/=-]{40,}/g,
  isWanted: () => true,
  readsAtRestPerMinute: 12,
  finalizer: finalizers.config,
  leaseMs,
  reasons: [...reasons, ...Object.keys(troubleReasons)],
  invariants: [
    { code: 'S12', check: keysOfLiveTokensStay },
    { code: 'S13', check: keysArePublishedFirst },
    { code: 'S14', check: locationOutlivesTrust },
    { code: 'S16', check: noPrivateKeys },
  ],
  react,
  unfinished,
  safetyMs: endAtMs + 60_000,
  settleMs: 4_000_000,
  settleStreamsMs: 2_500_000,
}

function start(process: ProcessContext): Promise<void> {
  return startIssuing(process, aws => ({ direct: { clients: aws, region: 'us-east-1', driftMs } }))
}

/** How what is wanted of AWS comes about: by calls of the operator's own, or by others who run beside it. */
export type Making = Pick<IdentityOperatorOptions, 'direct' | 'profileNamespaces'> & {
  readonly beside?: Pick<ManagerOptions, 'controllers' | 'companions'>
}

/** A process with the whole identity operator. */
export async function startIssuing(process: ProcessContext, makingOf: (aws: AwsClients) => Making): Promise<void> {
  const { seams } = process
  const clients = probedClients(process)
  const aws = processClients(process)
  const { beside, ...direct } = makingOf(aws)
  const operator = createIdentityOperator({
    seams,
    store: new S3IssuerStore({ clients: aws, clock: seams.clock, account }),
    providers: [],
    clientOf: () => clients.of(target),
    ...direct,
    rotation: { propagationMs, graceMs },
  })
  await runProbed(process, {
    clients,
    controllers: [...operator.controllers.map(controller => ({ ...controller, driftMs })), ...(beside?.controllers ?? [])],
    companions: beside?.companions ?? [],
    ...identityProcess(process),
    attach: manager => operator.attach(manager),
  })
  await operator.close()
}

/** Protocols are loaded when they are first asked for, which takes time of the real world. */
async function warm(aws: Aws): Promise<void> {
  const clients = adminClients(aws)
  for (const [service, operation] of [
    ['s3', 'ListBuckets'],
    ['iam', 'ListRoles'],
    ['sts', 'GetCallerIdentity'],
  ] as const)
    await clients.for({ model: serviceModel(service), region }).call(operation)
}

const hubObjects: readonly KubeObject[] = bindingsHub(childTypes).filter(({ kind }) => kind !== 'AWSWorkloadIdentityConfig')
const targetObjects: readonly KubeObject[] = [
  namespace('apps'),
  namespace('aws-pod-identity-webhook'),
  object('ServiceAccount', 'v1', { namespace: 'apps', name: 'app1' }, {}),
]

function config(): KubeObject {
  return object(configKind.type.kind, api, { namespace: home, name: 'default' }, { spec: { type: 'SelfHostedIRSA', region } })
}

/** Each world has its own turn of the pool, whatever becomes of its processes: a successor draws no key that was drawn before. */
const keysByWorld = new WeakMap<World, Keys>()

function keysOf(world: World): Keys {
  const keys = keysByWorld.get(world) ?? pooledKeys(64)
  keysByWorld.set(world, keys)
  return keys
}

function roleOf({ kind, apiVersion, metadata }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (kind === configKind.type.kind) return 'claim'
  if (apiVersion.startsWith('aws/')) return 'external'
  return kind === 'Secret' && metadata.namespace === home ? 'external' : 'other'
}

/** A bucket is made without tags; until it has them, the record in the status says whose it is. */
function ownerUidOf({ kind, metadata }: KubeObject, world: World): string | undefined {
  // The controller's reference says whose it is, whatever somebody wrote on the label.
  if (kind !== 'Bucket')
    return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? metadata.labels?.[labels.configUid]
  if (metadata.namespace !== account) return undefined
  const marked = metadata.labels?.[labels.configUid]
  if (marked !== undefined) return marked
  const recorded = world.effects.findLast(
    ({ after, key }) =>
      key === configPath && (after as WorkloadIdentityConfig | undefined)?.status?.selfHostedIssuer?.bucketName === bucket,
  )
  return recorded?.after?.metadata.uid
}

interface Memory {
  readonly tokens: { readonly keyId: string; readonly untilMs: number }[]
  /** Since when each key stands in the public key set. */
  readonly publicSinceMs: Map<string, number>
  /** The last to change the key set was no process of ours. */
  meddled: boolean
}

const memories = new WeakMap<World, Memory>()

function memoryOf(world: World): Memory {
  const memory = memories.get(world) ?? { tokens: [], publicSinceMs: new Map(), meddled: false }
  memories.set(world, memory)
  return memory
}

/** No process takes a key away while a token by it is alive; and what it withdrew is accepted nowhere. */
function keysOfLiveTokensStay({ by, before, after }: Effect, world: World): string | undefined {
  if ((after ?? before)?.kind !== 'Bucket' || (after ?? before)?.metadata.namespace !== account) return undefined
  const memory = memoryOf(world)
  const [was, is] = [keysIn(before), keysIn(after)]
  const { nowMs } = world.scheduler
  for (const keyId of was) if (!is.includes(keyId)) memory.publicSinceMs.delete(keyId)
  for (const keyId of is) if (!was.includes(keyId)) memory.publicSinceMs.set(keyId, nowMs)
  if (was.join() !== is.join()) memory.meddled = by === 'user'
  if (by === 'user' || claimOf(world)?.metadata.deletionTimestamp !== undefined || claimOf(world) === undefined) return undefined
  const refused = memory.tokens.find(({ keyId, untilMs }) => untilMs > nowMs && was.includes(keyId) && !is.includes(keyId))
  return refused === undefined
    ? undefined
    : `${by} withdraws key ${refused.keyId} while a token by it lives for ${refused.untilMs - nowMs} ms`
}

/** A key that takes another's place was public for as long as verifiers keep an older key set. */
function keysArePublishedFirst({ by, before, after, key }: Effect, world: World): string | undefined {
  if (key !== secretPath || by === 'user') return undefined
  const [was, is] = [signerIn(before), signerIn(after)]
  if (was === undefined || is === undefined || was === is) return undefined
  const memory = memoryOf(world)
  const sinceMs = memory.publicSinceMs.get(is)
  if (sinceMs === undefined) return memory.meddled ? undefined : `${by} lets the cluster sign with ${is}, which is not public`
  const ageMs = world.scheduler.nowMs - sinceMs
  return ageMs >= propagationMs ? undefined : `${by} lets the cluster sign with ${is}, public for ${ageMs} ms only`
}

/** As long as IAM trusts the issuer, its name is ours. Whoever deletes the bucket by hand has it on his own head. */
function locationOutlivesTrust({ by }: Effect, world: World): string | undefined {
  if (by === 'user') return undefined
  const held = [...world.objects(cloudName)]
  const isTrusted = held.some(({ kind, metadata }) => kind === 'OidcProvider' && metadata.namespace === account)
  const isOurs = held.some(({ kind, metadata }) => kind === 'Bucket' && metadata.namespace === account)
  return isTrusted && !isOurs ? `${by} leaves a provider behind whose issuer's name anybody can take` : undefined
}

function noPrivateKeys({ by, key, body }: Effect): string | undefined {
  if (by === 'user' || key.includes('/secrets')) return undefined
  return /PRIVATE KEY/.test(JSON.stringify(body ?? null)) ? `${by} writes a private key into ${key}` : undefined
}

/** Whoever runs the cluster takes up a new key when they come to it; Deployments are rolled out by their controller. */
function react({ by, key, after, server }: Effect, world: World): void {
  if (by === 'user' || after === undefined) return
  if (key === secretPath) {
    const run = async (later: World): Promise<void> => {
      const pem = dataOf(later.find('hub', secretPath), 'sa.key')
      if (pem !== undefined) later.server(target).tokens.adopt(pem, { activate: true })
    }
    world.parkDeed({ label: 'the cluster takes up its key', afterMs: 20_000, run })
  }
  if (server !== target || after.kind !== deployments.kind || isRolledOut(after)) return
  world.parkDeed({ label: `roll out ${after.metadata.name}`, afterMs: 1_000, run: async later => rollOut(later, key) })
}

interface Rollout {
  readonly status?: { readonly observedGeneration?: number }
}

function isRolledOut(deployment: KubeObject): boolean {
  return (deployment as KubeObject & Rollout).status?.observedGeneration === deployment.metadata.generation
}

async function rollOut(world: World, path: string): Promise<void> {
  const deployment = world.find(target, path)
  if (deployment === undefined || isRolledOut(deployment)) return
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
  const conditions = [{ type: 'Available', status: 'True', reason: 'Said', message: '' }]
  const status = { ...counts, conditions, observedGeneration: deployment.metadata.generation }
  await world.act(target, 'PATCH', `${path}/status`, { status }, 'application/merge-patch+json')
}

/** S12 from the other side: a token that the cluster signs is of a key that can be looked up. */
function mintsToken(afterMs: number): Deed {
  return deed(`a pod gets a token at ${afterMs / 1_000} s`, accountPath, afterMs, async world => {
    const body = { spec: { audiences: ['sts.amazonaws.com'], expirationSeconds: tokenMs / 1_000 } }
    const answer = await world.act(target, 'POST', `${accountPath}/token`, body)
    const { token } = (answer.body as { readonly status: { readonly token: string } }).status
    const keyId = (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { readonly kid: string }).kid
    const memory = memoryOf(world)
    // Before it takes up the first key, the cluster signs with one of its own, which nobody trusts.
    if (!wasEverSigner(world, keyId)) return
    memory.tokens.push({ keyId, untilMs: world.scheduler.nowMs + tokenMs })
    const claim = claimOf(world)
    world.counts.checked('S12')
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || memory.meddled) return
    if (claim.status?.selfHostedIssuer?.publication !== undefined && !memory.publicSinceMs.has(keyId))
      world.fail('S12', `a token by ${keyId} is refused, since its key is not public`)
  })
}

function wasEverSigner(world: World, keyId: string): boolean {
  return world.effects.some(({ key, after }) => key === secretPath && signerIn(after) === keyId)
}

function unfinished(world: World): string | undefined {
  const claim = claimOf(world)
  if (claim === undefined) return leftBehind(world)
  if (claim.metadata.deletionTimestamp !== undefined) {
    const blocked = claim.status?.conditions?.find(({ type }) => type === 'DeletionBlocked')
    return `the Config is still terminating: ${blocked?.message ?? 'without a word'}`
  }
  const ready = claim.status?.conditions?.find(({ type }) => type === 'Ready')
  if (isHeldUp(world)) return undefined
  if (ready?.status !== 'True') return `the Config says Ready=${ready?.status}/${ready?.reason}: ${ready?.message}`
  if (ready.observedGeneration !== claim.metadata.generation) return `it speaks of generation ${ready.observedGeneration}`
  const secret = world.find('hub', secretPath)
  const names = Object.keys((secret as { readonly data?: object } | undefined)?.data ?? {})
  const left = names.filter(name => /^(?:next|previous)\./.test(name))
  if (left.length > 0) return `a rotation is under way: ${left.join()}`
  if (secret?.metadata.labels?.[labels.configUid] !== claim.metadata.uid) return 'the Secret is not marked as ours'
  return wrongInCloud(world, claim, signerIn(secret) ?? '')
}

function wrongInCloud(world: World, claim: KubeObject, signer: string): string | undefined {
  const held = [...world.objects(cloudName)] as AwsObject[]
  const made = held.find(({ kind, metadata }) => kind === 'Bucket' && metadata.namespace === account)
  if (keysIn(made).join() !== signer) return `the key set holds ${keysIn(made).join() || 'nothing'} and not ${signer}`
  if (made?.metadata.labels?.[labels.configUid] !== claim.metadata.uid) return 'the bucket is not marked as ours'
  const provider = held.find(({ kind }) => kind === 'OidcProvider')
  const clients = JSON.stringify(provider?.spec['clientIds'])
  return clients === '["sts.amazonaws.com"]' ? undefined : `the provider lets in ${clients}`
}

/** What a Config left behind whose finalizer was taken off by hand keeps its names: the next one says what a person has to do (F20). */
export function isHeldUp(world: World): boolean {
  const ready = claimOf(world)?.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready === undefined || ready.status === 'True') return false
  const isReleased = (one: KubeObject): boolean => {
    const owner = roleOf(one) === 'external' ? ownerUidOf(one, world) : undefined
    return owner !== undefined && world.released.has(owner)
  }
  const isTold = /delete it or |choose a text of your own/.test(ready.message ?? '')
  return isTold && [...world.objects(cloudName), ...world.objects('hub')].some(isReleased)
}

/** L4: after the last Config. */
function leftBehind(world: World): string | undefined {
  for (const one of [...world.objects(cloudName), ...world.objects('hub')]) {
    const owner = roleOf(one) === 'external' ? ownerUidOf(one, world) : undefined
    if (owner !== undefined && !world.released.has(owner)) return `${one.kind} ${one.metadata.name} is left behind`
  }
  return undefined
}

function claimOf(world: World): WorkloadIdentityConfig | undefined {
  return world.find('hub', configPath) as WorkloadIdentityConfig | undefined
}

/** Ids of the keys that verifiers find in the bucket. */
function keysIn(bucketObject: KubeObject | undefined): readonly string[] {
  const text = ((bucketObject as AwsObject | undefined)?.spec['documents'] as Readonly<Record<string, string>> | undefined)?.[
    keySet
  ]
  if (text === undefined) return []
  const { keys } = JSON.parse(text) as { readonly keys: readonly { readonly kid: string }[] }
  return keys.map(({ kid }) => kid).sort()
}

function signerIn(secret: KubeObject | undefined): string | undefined {
  const pem = dataOf(secret, 'sa.pub')
  return pem === undefined ? undefined : parsePublicKey(pem)?.keyId
}

function dataOf(secret: KubeObject | undefined, name: string): string | undefined {
  const text = (secret as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data?.[name]
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString()
}

/** Somebody with rights in our account; what is not there cannot be changed. */
function inBucket(label: string, operation: string, input: object): Deed {
  return deed(`somebody ${label}`, undefined, undefined, async world => {
    const mine = [...world.objects(cloudName)].some(({ kind, metadata }) => kind === 'Bucket' && metadata.namespace === account)
    if (mine)
      await world
        .actInCloud({ service: 's3', operation, region, input: { Bucket: bucket, ...input } })
        .catch((error: unknown) => error)
  })
}

/** Bucket names are all the world's: somebody with another account takes ours whenever it is free, and gives it back later (B23). */
function takesName(): Deed {
  const call = (world: World, operation: string, input: object): Promise<unknown> =>
    world
      .actInCloud({ service: 's3', operation, region, account: adversary, input: { Bucket: bucket, ...input } })
      .catch((error: unknown) => error)
  return deed('a stranger takes the bucket name', undefined, undefined, async world => {
    await call(world, 'CreateBucket', { CreateBucketConfiguration: { LocationConstraint: region } })
    world.parkDeed({
      label: 'the stranger gives the name back',
      afterMs: 60_000,
      run: async later => void (await call(later, 'DeleteBucket', {})),
    })
  })
}
