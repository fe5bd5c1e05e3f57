// Wiring of the Config controller: what it watches, and which Configs an event concerns.

import { given } from '#base'
import { clusterNameLabel, clusterProfileKind, engagementsFor } from '#fleet'
import { customResourceDefinitions, findCondition, type ObjectKey, type StoredObject, secrets } from '#kube'
import {
  type AnyController,
  defineController,
  indexBy,
  keepIdentity,
  type OwnAction,
  type Reads,
  type Targets,
  toController,
  type Watch,
} from '#runtime'
import { conditionTypes } from '../api/conditions.ts'
import { configKind, operatorConfigKind, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { operatorName, singletonName } from '../api/labels.ts'
import { transitionEvents } from '../api/transition-events.ts'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { childObjects } from '../children/writer.ts'
import { signingSecretName } from '../names.ts'
import { roleSource } from '../role/sources.ts'
import { runtimeWatches } from '../target/watches.ts'
import { type ConfigSettings, decideConfig } from './decide.ts'
import type { IssuerAction } from './issuer-store.ts'
import { keyIdsOf, type SecretObject } from './key-ring.ts'
import { type ConfigTools, keyIndex, observeConfig } from './observe.ts'
import { reportConfig } from './report.ts'
import type { ConfigSeen } from './seen.ts'

export interface ConfigControllerOptions {
  readonly tools: ConfigTools
  readonly settings: ConfigSettings
  /** Namespaces in which ClusterProfiles are looked for; all when absent. */
  readonly profileNamespaces?: readonly string[]
  readonly workers?: number
}

export function configController({ tools, settings, profileNamespaces, workers }: ConfigControllerOptions): AnyController {
  const children = tools.children ?? childObjects
  const engagementsOf = (key: ObjectKey): Pick<ConfigTools, 'engagements'> =>
    given({ engagements: engagementsFor({ controller: configKind.type.kind, key }, tools.engagements) })
  return defineController<ConfigSeen, OwnAction>({
    name: configKind.type.kind,
    fieldManager: operatorName,
    eventSource: operatorName,
    claims: { type: configKind.type },
    watches: [
      ...hubWatches,
      ...children.watches([providerKind, bucketKind], toOwner),
      ...(children.keepsObjects ? [lateKinds] : []),
      {
        type: clusterProfileKind.type,
        ...given({ namespaces: profileNamespaces }),
        toClaims: profile => configOf(profile.metadata.labels?.[clusterNameLabel] ?? ''),
      },
      ...runtimeWatches(configOf),
    ],
    toClaimsOfCluster: configOf,
    toClaimsOfAway: configOf,
    summary: 'Ready',
    ...given({ workers }),
    eventsOf: transitionEvents,
    reconciler: {
      observe: (key, world, signal) => observeConfig(key, world, signal, { ...tools, ...engagementsOf(key) }),
      decide: (seen, now) => decideConfig(seen, now, { ...settings, children }),
      act: async (action, context) => {
        if (children.isOwn(action) && children.act !== undefined) return children.act(action, context)
        await tools.store.act(action as IssuerAction, context.signal)
        return { changed: true }
      },
      report: reportConfig,
    },
  })
}

/** Whole, since a Secret is replaced as a whole; only the bulky bookkeeping of the server goes. */
const withoutManagedFields = Object.assign(
  (object: StoredObject): StoredObject => {
    const { managedFields: _, ...metadata } = object.metadata
    return { ...object, metadata }
  },
  { fieldManagers: [] },
)

const toOwner = toController(configKind.type)

const hubWatches: readonly Watch[] = [
  {
    // A key that was refused because another cluster has it is free when that cluster's Config has gone.
    type: configKind.type,
    toClaims: (config, world) =>
      world
        .list<WorkloadIdentityConfig>(configKind.type)
        .filter(other => other.metadata.uid !== config.metadata.uid && isRefusedForKey(other))
        .map(toKey),
  },
  {
    type: secrets,
    names: [signingSecretName(singletonName)],
    project: withoutManagedFields,
    indexes: { [keyIndex]: indexBy<SecretObject>(keyIdsOf) },
    // A change of the Secret also concerns the Configs that wait until this key is given up.
    toClaims: (object, world) => [
      ...configOf(object.metadata.namespace ?? ''),
      ...keyIdsOf(object as SecretObject)
        .flatMap(keyId => world.byIndex<SecretObject>(secrets, keyIndex, keyId))
        .flatMap(other => configOf(other.metadata.namespace ?? '')),
    ],
  },
  {
    name: 'configsForOperatorConfig',
    type: operatorConfigKind.type,
    toClaims: (_object, world) => allConfigs(world),
  },
  {
    // Only what waits for the last Role to go has to know.
    ...roleSource,
    toClaims: (role, world) =>
      configOf(role.metadata.namespace ?? '').filter(
        key => world.find(configKind.type, key)?.metadata.deletionTimestamp !== undefined,
      ),
  },
]

/** A kind that was missing is there: whoever waits for it, waits for this (case 100). */
const lateKinds: Watch = {
  name: 'configsForAckChildCRD',
  type: customResourceDefinitions,
  metadataOnly: true,
  project: keepIdentity,
  toClaims: ({ metadata }, world) => (isOurKind(metadata.name) ? allConfigs(world) : []),
}

function configOf(namespace: string): Targets & readonly { namespace: string; name: string }[] {
  return namespace === '' ? [] : [{ namespace, name: singletonName }]
}

function isRefusedForKey({ status }: WorkloadIdentityConfig): boolean {
  return findCondition(status?.conditions, conditionTypes.issuerReady)?.reason === 'SigningKeyShared'
}

function isOurKind(crd: string): boolean {
  return [bucketKind, providerKind].some(({ type }) => crd === `${type.plural}.${type.group}`)
}

function allConfigs(world: Reads): Targets {
  return world.list<WorkloadIdentityConfig>(configKind.type).map(toKey)
}

function toKey({ metadata }: WorkloadIdentityConfig): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name }
}
