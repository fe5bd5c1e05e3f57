// The identity operator, assembled for one manager: its controllers, the engagement that keeps the fleet in step with the inventory, and
// what has to be known of them at start and at the end. Nothing is opened here.
import { type Clock, given, type Keys, type Log, type Random } from '#base'
import { type ClusterProfile, type ClusterProvider, createEngagement, type NameRule, type RolloutRules } from '#fleet'
import type { ConnectSeams, KubeClient } from '#kube/client'
import type { AnyController, HealthCheck, Manager } from '#runtime'
import { ownWebhookImage } from '../pods/api.ts'
import { configController } from './config/controller.ts'
import type { IssuerStore } from './config/issuer-store.ts'
import { KeyDrafts } from './config/key-drafts.ts'
import { graceMsDefault, propagationMsDefault, type RotationTimes } from './config/rotation.ts'
import { askSigner, type Signer } from './config/signer.ts'
import { directChildren } from './direct/child-writer.ts'
import { type DirectOptions, directResources } from './direct/resources.ts'
import { createReplicaSetController } from './replica-sets/controller.ts'
import { childResources } from './role/child-resources.ts'
import { createRoleController } from './role/controller.ts'
import type { ForeignAnnotation } from './target/annotation.ts'
import { runtimeName } from './target/kinds.ts'

export interface IdentityOperatorOptions {
  readonly seams: ConnectSeams & { readonly clock: Clock; readonly random: Random; readonly log: Log; readonly keys: Keys }
  /** Where the documents of self-hosted issuers live. */
  readonly store: IssuerStore
  /** Ways into clusters, from the provider file. */
  readonly providers: readonly ClusterProvider[]
  /** Where ClusterProfiles are; all namespaces when absent. */
  readonly profileNamespaces?: readonly string[]
  /** Which names a ClusterProfile may have; any when absent. */
  readonly mayName?: NameRule
  /** A client for worlds in one process; `undefined` leaves it to the provider file. */
  readonly clientOf?: (profile: ClusterProfile) => KubeClient | undefined
  /** Part of the names of issuer buckets that are yet to be made, so that nobody can have them before us. */
  readonly bucketSalt?: string
  readonly webhookImage?: string
  readonly webhookReplicas?: number
  readonly rotation?: Partial<RotationTimes>
  /** Makes AWS resources by calls of its own, instead of through child objects that ACK reads. */
  readonly direct?: Omit<DirectOptions, 'clock'>
  /** What becomes of a ServiceAccount that has another role already; `overwrite` when absent. */
  readonly foreignAnnotation?: ForeignAnnotation
  /** How rollouts of ReplicaSets are planned; `safe` when absent. */
  readonly rolloutRules?: RolloutRules
  /** Claims of each kind worked on at once. */
  readonly workers?: number
}

export interface IdentityOperator {
  readonly controllers: readonly AnyController[]
  /** Once the manager is there, before it runs. */
  attach(manager: Manager): void
  /** For the manager's readiness: says which clusters are engaged. */
  readonly ready: readonly HealthCheck[]
  /** After the manager ended. */
  close(): Promise<void>
}

/** An API server that takes longer to sign a token is asked again at the next look. */
const signerTimeoutMs = 5_000

export function createIdentityOperator(options: IdentityOperatorOptions): IdentityOperator {
  const { seams, store, providers, profileNamespaces, mayName, clientOf, workers, foreignAnnotation } = options
  const { clock, random, keys } = seams
  const inNamespaces = profileNamespaces === undefined ? {} : { namespaces: profileNamespaces }
  const named = mayName === undefined ? {} : { mayName }
  const engagement = createEngagement({
    seams,
    providers,
    ...inNamespaces,
    ...named,
    ...given({ clientOf }),
  })
  const { engagements } = engagement
  let fleet: Manager['targets'] | undefined
  const signerOf = async (cluster: string, namespace: string, signal: AbortSignal): Promise<Signer | undefined> => {
    const client = fleet?.caches(cluster)?.client
    return client === undefined
      ? undefined
      : askSigner(client, { namespace, name: runtimeName }, { signal, timeoutMs: signerTimeoutMs })
  }
  const direct = options.direct === undefined ? undefined : { ...options.direct, ...named, clock }
  const common = {
    ...given({ profileNamespaces, workers }),
  }
  return {
    controllers: [
      engagement.controller,
      configController({
        tools: {
          clock,
          random,
          keys,
          drafts: new KeyDrafts(keys),
          store,
          engagements,
          ...named,
          ...given({ bucketSalt: options.bucketSalt }),
          signerOf,
          ...(direct === undefined ? {} : { children: directChildren(direct) }),
        },
        settings: {
          webhookImage: options.webhookImage ?? ownWebhookImage('latest'),
          ...given({ webhookReplicas: options.webhookReplicas }),
          rotation: { propagationMs: propagationMsDefault, graceMs: graceMsDefault, ...options.rotation },
        },
        ...common,
      }),
      direct === undefined
        ? createRoleController({ resources: childResources, engagements, foreignAnnotation, ...named, ...common })
        : createRoleController({ resources: directResources(direct), engagements, foreignAnnotation, ...named, ...common }),
      createReplicaSetController({
        ...given({ workers, rules: options.rolloutRules }),
      }),
    ],
    attach: manager => {
      fleet = manager.targets
      engagement.attach(manager)
    },
    ready: [engagement.ready],
    close: () => engagement.close(),
  }
}
