// Everything that a Config's decision needs, read once. What is missing is a value; nothing here judges.
import { type Clock, compareText, given, type Keys, type Random } from '#base'
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
import { annotations, singletonName } from '../api/labels.ts'
import { providerKind } from '../children/kinds.ts'
import { absentChild, isSynced } from '../children/state.ts'
import { type ChildWriter, childObjects } from '../children/writer.ts'
import { issuerUrl, selfHostedHostPath } from '../documents/issuer.ts'
import { type DocumentSet, renderDocumentSet } from '../documents/publication.ts'
import { oidcProviderName, signingSecretName } from '../names.ts'
import { observeRuntime, type RuntimeSeen } from '../target/runtime.ts'
import type { IssuerPlace, IssuerStore } from './issuer-store.ts'
import type { KeyDrafts } from './key-drafts.ts'
import { accountsFor, type KeyRecord, keyRecordOf, nextRecord, proveKeys } from './key-proof.ts'
import { acceptedKeys, keyIdsOf, type RingSeen, readKeyRing, type SecretObject } from './key-ring.ts'
import { bucketOf, bucketPlace, issuerUrlOf, providerPlace, runtimeNamespaceOf } from './places.ts'
import { isRotationDue, isSignerOfInterest } from './rotation.ts'
import { rotationWish } from './rotation-wish.ts'
import type { ConfigSeen, SecretSeen, SelfHostedSeen } from './seen.ts'
import { findSharedRuntime } from './shared-runtime.ts'
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

function needsKey(
  config: WorkloadIdentityConfig,
  seen: RingSeen,
  secret: SecretObject | undefined,
  { clock }: ConfigTools,
): boolean {
  if (seen.kind !== 'ring') return seen.kind === 'none'
  return isRotationDue({ ring: seen.ring, ...rotationWish(config, secret), now: clock.now() })
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
  const byTime = compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '')
  return (byTime || compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '')) < 0
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
