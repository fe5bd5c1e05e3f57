// The identity operator, assembled for one manager: its controllers, the engagement that keeps the fleet in step with the inventory, and
// what has to be known of them at start and at the end. Nothing is opened here.
import { type Clock, given, type Keys, type Log, type Random } from '#base'
import {
  type ClusterProfile,
  type ClusterProvider,
  createEngagement,
  type Engagements,
  type NameRule,
  type RolloutRules,
} from '#fleet'
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
  const { seams, providers, profileNamespaces: namespaces, mayName, clientOf, workers, rolloutRules: rules } = options
  const engagement = createEngagement({ seams, providers, ...given({ namespaces, mayName, clientOf }) })
  const fleet = new Fleet(engagement.engagements)
  const direct = directOf(options)
  return {
    controllers: [
      engagement.controller,
      configs(options, fleet, direct),
      roles(options, fleet, direct),
      createReplicaSetController(given({ workers, rules })),
    ],
    attach: manager => {
      fleet.targets = manager.targets
      engagement.attach(manager)
    },
    ready: [engagement.ready],
    close: () => engagement.close(),
  }
}

/** The clusters as the controllers know them; their clients are the manager's, once there is one. */
class Fleet {
  targets: Manager['targets'] | undefined
  readonly engagements: Engagements

  constructor(engagements: Engagements) {
    this.engagements = engagements
  }

  async signerOf(cluster: string, namespace: string, signal: AbortSignal): Promise<Signer | undefined> {
    const client = this.targets?.caches(cluster)?.client
    const asked = { signal, timeoutMs: signerTimeoutMs }
    return client === undefined ? undefined : askSigner(client, { namespace, name: runtimeName }, asked)
  }
}

function configs(options: IdentityOperatorOptions, fleet: Fleet, direct: DirectOptions | undefined): AnyController {
  const { seams, store, bucketSalt, profileNamespaces, mayName, webhookReplicas, workers, rotation } = options
  const { clock, random, keys } = seams
  const children = direct === undefined ? undefined : directChildren(direct)
  return configController({
    tools: {
      clock,
      random,
      keys,
      drafts: new KeyDrafts(keys),
      store,
      engagements: fleet.engagements,
      signerOf: (cluster, namespace, signal) => fleet.signerOf(cluster, namespace, signal),
      ...given({ mayName, bucketSalt, children }),
    },
    settings: {
      webhookImage: options.webhookImage ?? ownWebhookImage('latest'),
      rotation: { propagationMs: propagationMsDefault, graceMs: graceMsDefault, ...rotation },
      ...given({ webhookReplicas }),
    },
    ...given({ profileNamespaces, workers }),
  })
}

function roles(options: IdentityOperatorOptions, { engagements }: Fleet, direct: DirectOptions | undefined): AnyController {
  const { foreignAnnotation, mayName, profileNamespaces, workers } = options
  const common = { engagements, foreignAnnotation, ...given({ mayName, profileNamespaces, workers }) }
  return direct === undefined
    ? createRoleController({ resources: childResources, ...common })
    : createRoleController({ resources: directResources(direct), ...common })
}

/** Absent where other controllers make what our children ask for. */
function directOf({ direct, seams, mayName }: IdentityOperatorOptions): DirectOptions | undefined {
  return direct && { ...direct, clock: seams.clock, ...given({ mayName }) }
}
