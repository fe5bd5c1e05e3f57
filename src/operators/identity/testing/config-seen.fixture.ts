// Builders of what a Config's decision sees, with defaults for everything that a test does not talk about.
import { generateKeyPairSync } from 'node:crypto'
import { given } from '#base'
import type { StoredObject } from '#kube'
import { controllerReference } from '#kube'
import type { Plan } from '#runtime'
import type { ConfigSpec, OperatorConfig, WorkloadIdentityConfig } from '../api.ts'
import { bucketKind, type ChildKind } from '../children/kinds.ts'
import { absentChild, type ChildState, readChild } from '../children/state.ts'
import { decideConfig } from '../config/decide.ts'
import type { IssuerAction, PublicationSeen } from '../config/issuer-store.ts'
import { acceptedKeys, newSecret, readKeyRing, ringOf, type SecretObject } from '../config/key-ring.ts'
import type { ConfigSeen, SecretSeen, SelfHostedSeen } from '../config/seen.ts'
import { issuerUrl, selfHostedHostPath } from '../documents/issuer.ts'
import { configLabels } from '../documents/owner-labels.ts'
import { renderDocumentSet } from '../documents/publication.ts'
import { type KeyPair, keyPairOf } from '../documents/signing-key.ts'
import { bucketName } from '../names.ts'

export const now: number = Date.UTC(2026, 0, 2)
export const settings = { webhookImage: 'webhook:1', rotation: { propagationMs: 900_000, graceMs: 90_000_000 } } as const

export const pair: KeyPair = keyPairOf(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
)
export const otherPair: KeyPair = keyPairOf(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
)

const name = bucketName('wlc-a', 'us-east-1')
const hostPath = selfHostedHostPath(name, 'us-east-1')
export const providerArn: string = `arn:aws:iam::111122223333:oidc-provider/${hostPath}`

export interface ConfigMore {
  readonly spec?: ConfigSpec
  readonly status?: WorkloadIdentityConfig['status']
  readonly metadata?: Partial<WorkloadIdentityConfig['metadata']>
}

export function configOf({ spec, status, metadata }: ConfigMore = {}): WorkloadIdentityConfig {
  return {
    apiVersion: 'aws.identity.appthrust.io/v1alpha1',
    kind: 'AWSWorkloadIdentityConfig',
    metadata: {
      namespace: 'wlc-a',
      name: 'default',
      uid: 'config-uid',
      resourceVersion: '1',
      generation: 1,
      finalizers: ['aws.identity.appthrust.io/config-finalizer'],
      ...metadata,
    },
    spec: spec ?? { type: 'SelfHostedIRSA', region: 'us-east-1' },
    ...given({ status }),
  }
}

export const operatorConfig: OperatorConfig = {
  apiVersion: 'aws.identity.appthrust.io/v1alpha1',
  kind: 'AWSWorkloadIdentityOperatorConfig',
  metadata: { name: 'default', uid: 'operator-config-uid', resourceVersion: '1' },
  spec: { selfHostedIRSA: { webhookNamespace: 'aws-pod-identity-webhook' } },
}

export interface ChildMore {
  readonly synced?: boolean
  readonly arn?: string
  readonly owner?: string | null
  readonly labels?: Readonly<Record<string, string>>
  readonly terminating?: boolean
  readonly trouble?: string
  readonly spec?: Readonly<Record<string, unknown>>
}

/** A child as ACK would have it. */
export function childOf(kind: ChildKind, more: ChildMore = {}): ChildState {
  const { synced = true, arn, owner = 'config-uid', labels, terminating = false, trouble, spec } = more
  const config = configOf()
  const conditions = [
    { type: 'ACK.ResourceSynced', status: synced ? 'True' : 'False' },
    ...(trouble === undefined ? [] : [{ type: 'ACK.Recoverable', status: 'True', message: trouble }]),
  ]
  const object = {
    apiVersion: `${kind.type.group}/${kind.type.version}`,
    kind: kind.type.kind,
    metadata: {
      namespace: 'wlc-a',
      name: `the-${kind.type.plural}`,
      uid: `${kind.type.plural}-uid`,
      resourceVersion: '5',
      labels: labels ?? configLabels(config),
      ...(owner === null ? {} : { ownerReferences: [{ ...controllerReference(config), uid: owner }] }),
      ...(terminating ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    ...given({ spec }),
    status: { conditions, ...(arn === undefined ? {} : { ackResourceMetadata: { arn } }) },
  } as StoredObject
  const key = { namespace: 'wlc-a', name: object.metadata.name }
  return readChild(object, { kind, key, parent: { object: config, uidLabel: 'aws.identity.appthrust.io/config-uid' } })
}

/** As it is once it was written by us. */
export function secretOf(change: (secret: SecretObject) => SecretObject = secret => secret): SecretObject {
  const config = configOf()
  const bare = newSecret({ namespace: 'wlc-a', name: 'awi-signing-key-default' }, ringOf(pair, { sinceMs: now - 1_000 }))
  return change({
    ...bare,
    metadata: {
      ...bare.metadata,
      name: 'awi-signing-key-default',
      uid: 'secret-uid',
      resourceVersion: '3',
      labels: configLabels(config),
      ownerReferences: [controllerReference(config)],
    },
  })
}

export function selfHostedOf(more: Partial<SelfHostedSeen> & { readonly keys?: Partial<SecretSeen> } = {}): SelfHostedSeen {
  const { keys, ...rest } = more
  const object = keys !== undefined && 'object' in keys ? keys.object : secretOf()
  const ring = object === undefined ? ({ kind: 'none' } as const) : readKeyRing(object)
  const documents = ring.kind === 'ring' ? renderDocumentSet(issuerUrl(hostPath), acceptedKeys(ring.ring)) : undefined
  return {
    bucketName: name,
    issuerUrl: issuerUrl(hostPath),
    hostPath,
    secret: {
      ring,
      ...(ring.kind === 'ring' ? { proof: { kind: 'ours' } } : {}),
      isCandidateRecorded: true,
      ...keys,
      ...given({ object }),
    },
    bucket: absentChild,
    trustedBy: [],
    ...given({ documents }),
    ...rest,
  }
}

export function seenOf(more: Partial<ConfigSeen> = {}): ConfigSeen {
  const config = more.config ?? configOf()
  return {
    config,
    operatorConfig,
    resolution: {
      kind: 'resolved',
      namespace: 'wlc-a',
      logicalName: 'wlc-a/wlc-a',
      profile: {} as never,
    },
    provider: absentChild,
    ...(config.spec.type === 'SelfHostedIRSA' ? { selfHosted: selfHostedOf() } : {}),
    ...more,
  }
}

export function planOf(more: Partial<ConfigSeen> = {}): Plan<IssuerAction> {
  // Through child objects, so that all own actions are the store's.
  return decideConfig(seenOf(more), now, settings) as Plan<IssuerAction>
}

/** `type: status reason` of each condition. */
export function saidBy(plan: Pick<Plan, 'conditions'>): Readonly<Record<string, string>> {
  return Object.fromEntries(plan.conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}

/** What the plan does, in short, branches one after another. */
export function deedsOf(plan: Pick<Plan<IssuerAction>, 'actions'>): readonly string[] {
  return plan.actions.flatMap((action): readonly string[] => {
    if (action.kind === 'together') return action.branches.flatMap(branch => deedsOf({ actions: branch }))
    if (action.kind === 'act:put-issuer-object') return [`put ${action.object.key}`]
    if (action.kind === 'act:delete-issuer-object') return [`delete ${action.key}`]
    if (action.kind === 'record-event') return [`event ${action.reason}`]
    return [`${action.kind} ${action.type.kind}`]
  })
}

/** Both documents stand as they should. */
export const current: PublicationSeen = {
  '.well-known/openid-configuration': { kind: 'current' },
  'keys.json': { kind: 'current' },
}
export const syncedBucket: ReturnType<typeof childOf> = childOf(bucketKind, { spec: {} })
/** As the status tells of it. */
export const publication: Readonly<Record<'bucketName' | 'issuerURL' | 'signingKeyID', string>> & {
  readonly objectSetDigest: string | undefined
} = {
  bucketName: selfHostedOf().bucketName,
  issuerURL: selfHostedOf().issuerUrl,
  signingKeyID: pair.keyId,
  objectSetDigest: selfHostedOf().documents?.digest,
}
