// Everything that a Config's decision needs, read once. What is missing is a value; nothing here judges.
import { type Clock, given, type Keys, parseDuration, type Random } from '#base'
import {
  type ClusterProfile,
  type ClusterResolution,
  clusterProfileKind,
  type Engagements,
  type NameRule,
  resolveCluster,
} from '#fleet'
import { type StoredObject, secrets } from '#kube'
import { type ClaimKey, isEqualJson, type Reads } from '#runtime'
import { configKind, type OperatorConfig, operatorConfigKind, roleKind, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { annotations, labels as labelNames, singletonName } from '../api/labels.ts'
import { bucketKind, type ChildKind, providerKind } from '../children/kinds.ts'
import { absentChild, type ChildState, isSynced } from '../children/state.ts'
import { type ChildWriter, childObjects, type WantedPlace } from '../children/writer.ts'
import { issuerUrl, normalizeIssuerUrl, selfHostedHostPath } from '../documents/issuer.ts'
import { type DocumentSet, renderDocumentSet } from '../documents/publication.ts'
import { bucketName, oidcProviderName, signingSecretName } from '../names.ts'
import { observeRuntime, type RuntimeSeen } from '../target/runtime.ts'
import type { IssuerPlace, IssuerStore, PublicationSeen, PublicView } from './issuer-store.ts'
import type { KeyDrafts } from './key-drafts.ts'
import { accountsFor, type KeyProof, type KeyRecord, keyRecordOf, nextRecord, proveKeys } from './key-proof.ts'
import { acceptedKeys, keyIdsOf, type RingSeen, readKeyRing, type SecretObject, type SigningKey } from './key-ring.ts'
import { isRotationDue, isSignerOfInterest } from './rotation.ts'
import type { Signer } from './signer.ts'
import { secretTrouble } from './signing-secret.ts'

export interface ConfigTools {
  /** How bucket and provider come about; child objects when absent. */
  readonly children?: ChildWriter
  readonly clock: Clock
  readonly keys: Keys
  /** Of signing keys, each until it is in its Secret. */
  readonly drafts: KeyDrafts
  readonly random: Random
  readonly store: IssuerStore
  /** Part of the names of buckets that are yet to be made. */
  readonly bucketSalt?: string
  readonly engagements?: Engagements
  /** Which names a ClusterProfile may have; any when absent. */
  readonly mayName?: NameRule
  /** The id of the key with which a cluster signs its tokens; `undefined` where it cannot be told. */
  readonly signerOf?: (cluster: string, namespace: string, signal: AbortSignal) => Promise<Signer | undefined>
}

export interface SecretSeen {
  /** What is there, also when it is not ours. */
  readonly object?: SecretObject
  readonly trouble?: string
  readonly ring: RingSeen
  /** Which of its keys are ours; there when it holds any. */
  readonly proof?: KeyProof
  /** What is to be on record, where that is not what is on record. */
  readonly record?: KeyRecord
  /** Another cluster with one of these keys that had it first, as `namespace/name` of its Config. */
  readonly sharedWith?: string
  /** Fresh, there when a key has to be made. */
  readonly candidate?: SigningKey
  /** Whether the candidate is on record, so that it may be written. */
  readonly isCandidateRecorded?: boolean
}

export interface SelfHostedSeen {
  readonly bucketName: string
  readonly issuerUrl: string
  readonly hostPath: string
  readonly secret: SecretSeen
  readonly bucket: ChildState
  /** What is to be published for the keys as they are now. */
  readonly documents?: DocumentSet
  /** There once the bucket is. */
  readonly publication?: PublicationSeen
  /** There once all is published. */
  readonly publicView?: PublicView
  readonly signer?: Signer
  /** Providers of others, in this hub, that trust this issuer. */
  readonly trustedBy: readonly string[]
}

export interface ConfigSeen {
  readonly config?: WorkloadIdentityConfig
  readonly operatorConfig?: OperatorConfig
  readonly resolution: ClusterResolution
  readonly provider: ChildState
  readonly selfHosted?: SelfHostedSeen
  readonly runtime?: RuntimeSeen
  /** Names of the Roles of the namespace, terminating or not; only looked for during deletion. */
  readonly roles?: readonly string[]
  readonly sharesRuntime?: SharedRuntime
}

/** Whether another live Config uses the same cluster's runtime; only asked during deletion. */
export type SharedRuntime =
  | { readonly kind: 'no' }
  | { readonly kind: 'shared' }
  | { readonly kind: 'unknown'; readonly message: string }

const nowhere: ClusterResolution = { kind: 'unresolved', reason: 'ClusterProfileNotFound', message: '' }

export async function observeConfig(key: ClaimKey, world: Reads, signal: AbortSignal, tools: ConfigTools): Promise<ConfigSeen> {
  const config = world.find<WorkloadIdentityConfig>(configKind.type, key)
  if (config === undefined) return { resolution: nowhere, provider: absentChild }
  const { namespace } = key
  const profiles = world.list<ClusterProfile>(clusterProfileKind.type)
  const operatorConfig = world.find<OperatorConfig>(operatorConfigKind.type, { namespace: '', name: singletonName })
  const resolution = resolveCluster(namespace, profiles, tools.mayName)
  const isSelfHosted = config.spec.type === 'SelfHostedIRSA'
  const isDeleting = config.metadata.deletionTimestamp !== undefined
  const roles = isDeleting ? world.list(roleKind.type, namespace).map(({ metadata }) => metadata.name) : []
  const [provider, selfHosted, runtime] = await Promise.all([
    config.spec.type === 'EKSPodIdentity'
      ? absentChild
      : (tools.children ?? childObjects).find(providerPlace(config, tools.bucketSalt), world, signal),
    isSelfHosted ? observeSelfHosted(config, operatorConfig !== undefined, world, signal, tools) : undefined,
    isSelfHosted ? observeTarget(config, operatorConfig, world, signal, tools) : undefined,
  ])
  return {
    config,
    resolution,
    provider,
    ...given({ operatorConfig, selfHosted, runtime }),
    ...(roles.length === 0 ? {} : { roles: roles.toSorted() }),
    ...(isSelfHosted && isDeleting ? { sharesRuntime: findSharedRuntime(config, resolution, world, profiles, tools) } : {}),
  }
}

/** Where the runtime is, or is to be. */
export function runtimeNamespaceOf(
  config: WorkloadIdentityConfig,
  operatorConfig: OperatorConfig | undefined,
): string | undefined {
  return config.status?.webhookRuntimeNamespace ?? operatorConfig?.spec.selfHostedIRSA?.webhookNamespace
}

/** The age at which a key is rotated by itself; what cannot be read counts as never and is told. */
export function maxAgeOf({ metadata }: WorkloadIdentityConfig): number | 'unreadable' | undefined {
  const text = metadata.annotations?.[annotations.signingKeyMaxAge]
  if (text === undefined || text === '' || text === '0') return undefined
  const ms = parseDuration(text)
  return ms === undefined || ms < maxAgeMsMin ? 'unreadable' : ms
}

/** A rotation takes more than a day; a shorter age would be a rotation without end. */
const maxAgeMsMin = 24 * 3_600_000

/** The provider and the issuer that it is for; without a readable issuer there is none. */
export function providerPlace(config: WorkloadIdentityConfig, bucketSalt?: string): WantedPlace {
  const { namespace = '' } = config.metadata
  const { type, region, eksIRSA } = config.spec
  const hostPath = type === 'SelfHostedIRSA' ? selfHostedHostPath(bucketOf(config, bucketSalt), region) : managedHostPath(eksIRSA)
  return {
    ...placeOf(config, providerKind, oidcProviderName(namespace)),
    ...(hostPath === undefined ? {} : { identity: issuerUrl(hostPath) }),
  }
}

export function bucketPlace(config: WorkloadIdentityConfig, name: string): WantedPlace {
  return { ...placeOf(config, bucketKind, name), region: config.spec.region }
}

/** The name on record stays, whatever the salt is now: the issuer's URL holds it, and API servers and providers hold the URL. */
function bucketOf({ metadata, spec, status }: WorkloadIdentityConfig, salt: string | undefined): string {
  return status?.selfHostedIssuer?.bucketName ?? bucketName(metadata.namespace ?? '', spec.region, salt)
}

function placeOf(config: WorkloadIdentityConfig, kind: ChildKind, name: string): WantedPlace {
  const key = { namespace: config.metadata.namespace ?? '', name }
  return { kind, key, parent: { object: config, uidLabel: labelNames.configUid } }
}

function managedHostPath(eksIRSA: WorkloadIdentityConfig['spec']['eksIRSA']): string | undefined {
  if (eksIRSA === undefined || eksIRSA.oidcProvider.management !== 'Managed') return undefined
  const location = normalizeIssuerUrl(eksIRSA.issuerURL)
  return location.ok ? location.hostPath : undefined
}

async function observeTarget(
  config: WorkloadIdentityConfig,
  operatorConfig: OperatorConfig | undefined,
  world: Reads,
  signal: AbortSignal,
  tools: ConfigTools,
): Promise<RuntimeSeen | undefined> {
  const namespace =
    config.metadata.deletionTimestamp === undefined
      ? operatorConfig?.spec.selfHostedIRSA?.webhookNamespace
      : runtimeNamespaceOf(config, operatorConfig)
  if (namespace === undefined) return undefined
  const { clock, keys, random, engagements } = tools
  return observeRuntime(
    world,
    { cluster: config.metadata.namespace ?? '', namespace },
    { signal, clock, keys, random, engagements },
  )
}

async function observeSelfHosted(
  config: WorkloadIdentityConfig,
  mayMakeKeys: boolean,
  world: Reads,
  signal: AbortSignal,
  tools: ConfigTools,
): Promise<SelfHostedSeen> {
  const { region } = config.spec
  const name = bucketOf(config, tools.bucketSalt)
  const hostPath = selfHostedHostPath(name, region)
  const url = issuerUrl(hostPath)
  const [bucket, secret] = await Promise.all([
    (tools.children ?? childObjects).find(bucketPlace(config, name), world, signal),
    observeSecret(config, mayMakeKeys, world, signal, tools),
  ])
  const { ring } = secret
  const documents = documentsOf(secret, url)
  const isDeleting = config.metadata.deletionTimestamp !== undefined
  const looksAtS3 = documents !== undefined && isSynced(bucket) && secret.trouble === undefined && !isDeleting
  const asksSigner = ring.kind === 'ring' && isSignerOfInterest(ring.ring) && !isDeleting
  const [publication, signer] = await Promise.all([
    looksAtS3 ? lookAtIssuer({ region, bucket: name }, documents, tools.store, signal) : undefined,
    asksSigner ? observeSigner(config, secret, signal, tools) : undefined,
  ])
  return {
    bucketName: name,
    issuerUrl: url,
    hostPath,
    secret,
    bucket,
    trustedBy: isDeleting ? findTrustOf(url, config, world) : [],
    ...given({ documents }),
    ...publication,
    ...given({ signer }),
  }
}

/** Of the keys that are ours. Of those of which nothing is known as well, to see whether they are public already; they are not written. */
function documentsOf({ ring, proof }: SecretSeen, url: string): DocumentSet | undefined {
  if (ring.kind !== 'ring' || proof?.kind === 'foreign') return undefined
  return renderDocumentSet(url, acceptedKeys(proof?.kind === 'foreign-beside' ? proof.ring : ring.ring))
}

/** With our own credentials first: what is not published yet, nobody else need be asked for. */
async function lookAtIssuer(
  place: IssuerPlace,
  set: DocumentSet,
  store: IssuerStore,
  signal: AbortSignal,
): Promise<Pick<SelfHostedSeen, 'publication' | 'publicView'>> {
  const publication = await store.look(place, set, signal)
  const isPublished = set.objects.every(({ key }) => publication[key]?.kind === 'current')
  const publicView = isPublished ? await store.lookAsAnybody?.(place, set, signal) : undefined
  return { publication, ...given({ publicView }) }
}

/**
 * From the cache, which holds what carries our label; a Secret that its user brought has to be asked for. What is to be written down of its
 * keys, and what speaks against them, is looked at afresh: an older Secret beside a newer record, or the other way round, says nothing.
 */
async function observeSecret(
  config: WorkloadIdentityConfig,
  mayMakeKeys: boolean,
  world: Reads,
  signal: AbortSignal,
  tools: ConfigTools,
): Promise<SecretSeen> {
  const { namespace = '' } = config.metadata
  const key = { namespace, name: signingSecretName(singletonName) }
  const readSecret = (): Promise<SecretObject | undefined> => world.read<SecretObject>(secrets, key, signal)
  const cached = world.find<SecretObject>(secrets, key) ?? (await readSecret())
  const seen = await lookAtSecret(config, cached, mayMakeKeys, world, tools)
  if (seen.record === undefined && (seen.proof === undefined || seen.proof.kind === 'ours')) return seen
  const [fresh, secret] = await Promise.all([
    world.read<WorkloadIdentityConfig>(configKind.type, { namespace, name: config.metadata.name }, signal),
    readSecret(),
  ])
  return lookAtSecret(fresh?.metadata.uid === config.metadata.uid ? fresh : config, secret, mayMakeKeys, world, tools)
}

async function lookAtSecret(
  config: WorkloadIdentityConfig,
  object: SecretObject | undefined,
  mayMakeKeys: boolean,
  world: Reads,
  tools: ConfigTools,
): Promise<SecretSeen> {
  const ring: RingSeen = object === undefined ? { kind: 'none' } : readKeyRing(object)
  const trouble = object === undefined ? undefined : secretTrouble(object, config)
  const proof = ring.kind === 'ring' ? proveKeys(ring.ring, config, issuerUrlOf(config, tools.bucketSalt)) : undefined
  const isDeleting = config.metadata.deletionTimestamp !== undefined
  const isUsable = trouble === undefined && ring.kind !== 'unreadable' && (proof === undefined || proof.kind === 'ours')
  const isDrawn = mayMakeKeys && !isDeleting && isUsable && needsKey(config, ring, object, tools)
  const candidate = isDrawn ? await tools.drafts.draw(config.metadata.uid) : undefined
  if (candidate === undefined) tools.drafts.drop(config.metadata.uid)
  const sharedWith = object === undefined || !isUsable ? undefined : findSharer(config, object, world)
  const record = isUsable && !isDeleting ? recordToWrite(config, ring, candidate?.public.keyId) : undefined
  return {
    ring,
    ...given({ object, trouble, proof, record, sharedWith }),
    ...(candidate === undefined
      ? {}
      : { candidate, isCandidateRecorded: keyRecordOf(config)?.planned.includes(candidate.public.keyId) === true }),
  }
}

/** `undefined` when it is on record already. */
function recordToWrite(config: WorkloadIdentityConfig, ring: RingSeen, drawn: string | undefined): KeyRecord | undefined {
  const record = keyRecordOf(config)
  const wanted = nextRecord(record ?? { planned: [] }, ring.kind === 'ring' ? ring.ring : undefined, drawn)
  return isEqualJson(record, wanted) ? undefined : wanted
}

function issuerUrlOf(config: WorkloadIdentityConfig, salt: string | undefined): string {
  return issuerUrl(selfHostedHostPath(bucketOf(config, salt), config.spec.region))
}

function needsKey(
  config: WorkloadIdentityConfig,
  seen: RingSeen,
  secret: SecretObject | undefined,
  { clock }: ConfigTools,
): boolean {
  if (seen.kind === 'none') return true
  if (seen.kind === 'unreadable') return false
  return isRotationDue({ ring: seen.ring, ...rotationWish(config, secret), now: clock.now() })
}

/** What decides when a rotation begins. */
export function rotationWish(
  config: WorkloadIdentityConfig,
  secret: SecretObject | undefined,
): { readonly request: string | undefined; readonly ageMsMax: number | undefined; readonly sinceMs: number | undefined } {
  const maxAge = maxAgeOf(config)
  const since = secret?.metadata.annotations?.[annotations.signingKeySince] ?? secret?.metadata.creationTimestamp
  const sinceMs = typeof since === 'string' ? Date.parse(since) : Number.NaN
  return {
    request: config.metadata.annotations?.[annotations.rotateSigningKey],
    ageMsMax: maxAge === 'unreadable' ? undefined : maxAge,
    sinceMs: Number.isNaN(sinceMs) ? undefined : sinceMs,
  }
}

/** What the API server's owner said wins; otherwise the cluster is asked. */
async function observeSigner(
  config: WorkloadIdentityConfig,
  secret: SecretSeen,
  signal: AbortSignal,
  { signerOf }: ConfigTools,
): Promise<Signer | undefined> {
  const said = secret.object?.metadata.annotations?.[annotations.signingKeyInUse]
  if (said !== undefined && said !== '') return { keyId: said }
  const namespace = config.status?.webhookRuntimeNamespace
  if (signerOf === undefined || namespace === undefined) return undefined
  try {
    return await signerOf(config.metadata.namespace ?? '', namespace, signal)
  } catch {
    // Where it is not known which key signs, both keys stay published.
    signal.throwIfAborted()
    return undefined
  }
}

/** A key belongs to one cluster (X3). Of two Configs with one key the older keeps it. */
function findSharer(config: WorkloadIdentityConfig, secret: SecretObject, world: Reads): string | undefined {
  const { namespace = '' } = config.metadata
  const others = keyIdsOf(secret).flatMap(keyId => world.byIndex<SecretObject>(secrets, keyIndex, keyId))
  for (const other of others) {
    const otherNamespace = other.metadata.namespace ?? ''
    if (otherNamespace === namespace) continue
    const rival = world.find<WorkloadIdentityConfig>(configKind.type, { namespace: otherNamespace, name: singletonName })
    if (rival === undefined || rival.spec.type !== 'SelfHostedIRSA' || !isBefore(rival, config)) continue
    // Anybody can get the public half of a key: a copy of it in a Secret does not show that its owner has the private half.
    if (keyIdsOf(secret).some(keyId => accountsFor(rival, keyId))) {
      return `${otherNamespace}/${rival.metadata.name}`
    }
  }
  return undefined
}

/** Index of signing Secrets by the ids of their keys. */
export const keyIndex = 'key-id'

function isBefore(a: StoredObject, b: StoredObject): boolean {
  const [aTime, bTime] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
  return aTime === bTime ? (a.metadata.namespace ?? '') < (b.metadata.namespace ?? '') : aTime < bTime
}

interface ProviderObject extends StoredObject {
  readonly spec?: { readonly url?: string }
}

/** P16: the location is not freed while anything that we can see trusts it. */
function findTrustOf(url: string, config: WorkloadIdentityConfig, world: Reads): readonly string[] {
  if (!world.isSynced(providerKind.type)) return []
  return world
    .list<ProviderObject>(providerKind.type)
    .filter(({ spec }) => spec?.url?.replace(/\/+$/, '') === url)
    .filter(
      ({ metadata }) =>
        metadata.namespace !== config.metadata.namespace || metadata.name !== oidcProviderName(config.metadata.namespace ?? ''),
    )
    .map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)
}

function findSharedRuntime(
  config: WorkloadIdentityConfig,
  resolution: ClusterResolution,
  world: Reads,
  profiles: readonly ClusterProfile[],
  { engagements, mayName }: Pick<ConfigTools, 'engagements' | 'mayName'>,
): SharedRuntime {
  const siblings = world
    .list<WorkloadIdentityConfig>(configKind.type)
    .filter(
      ({ metadata, spec }) =>
        metadata.uid !== config.metadata.uid && metadata.deletionTimestamp === undefined && spec.type === 'SelfHostedIRSA',
    )
  const cluster = resolution.kind === 'resolved' ? resolution.logicalName : config.status?.resolvedClusterName
  if (cluster === undefined || siblings.length === 0) return { kind: 'no' }
  if (siblings.some(({ status }) => status?.resolvedClusterName === cluster)) return { kind: 'shared' }
  // What another name leads to is seen only by going there: one of two names for a cluster is refused for the other's sake (M12).
  const { namespace: own = '' } = config.metadata
  const isSame = (one: string, other: string): boolean => engagements?.sameClusterAs?.(one) === other
  const names = siblings.map(({ metadata }) => metadata.namespace ?? '')
  if (names.some(other => isSame(other, own) || isSame(own, other))) return { kind: 'shared' }
  for (const { metadata } of siblings) {
    const found = resolveCluster(metadata.namespace ?? '', profiles, mayName)
    const name = `${metadata.namespace ?? ''}/${metadata.name}`
    if (found.kind === 'unresolved') {
      return { kind: 'unknown', message: `whether Config ${name} uses the same cluster is not known: ${found.message}` }
    }
    if (found.logicalName === cluster) return { kind: 'shared' }
  }
  return { kind: 'no' }
}
