// The Role controller: from a binding to a role that its pods can assume.

import { given } from '#base'
import { clusterNameLabel, type Engagements, engagementsFor, type NameRule } from '#fleet'
import { findCondition, type ObjectKey, type StoredObject } from '#kube'
import {
  type AnyController,
  type Change,
  defineController,
  isEqualJson,
  type OwnAction,
  type Reads,
  type Targets,
  type Watch,
} from '#runtime'
import { configKind, operatorConfigKind, roleKind, type ServiceAccountRole, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { operatorName } from '../api/labels.ts'
import { transitionEvents } from '../api/transition-events.ts'
import { type ForeignAnnotation, serviceAccountWatch } from '../target/annotation.ts'
import { decideRole } from './decide.ts'
import { observeRole } from './observe.ts'
import { reportRole } from './report.ts'
import { type ResourceStates, type RoleResources, resourceNames } from './resources.ts'
import type { RoleSeen } from './seen.ts'
import { allRoles, clusterProfileSource, roleSource, rolesOfAccount } from './sources.ts'

export interface RoleControllerOptions<S extends ResourceStates, Own extends OwnAction> {
  /** How AWS resources are made: `childResources`, or calls of our own. */
  readonly resources: RoleResources<S, Own>
  /** Where ClusterProfiles are; absent for all namespaces. */
  readonly profileNamespaces?: readonly string[]
  readonly engagements?: Engagements
  readonly mayName?: NameRule
  readonly workers?: number
  readonly regionalChildren?: boolean
  readonly foreignAnnotation?: ForeignAnnotation | undefined
}

/** Metric label and name of the controller. */
export const roleControllerName = 'AWSServiceAccountRole'

export function createRoleController<S extends ResourceStates, Own extends OwnAction>(
  options: RoleControllerOptions<S, Own>,
): AnyController {
  const { resources, engagements, mayName, regionalChildren, foreignAnnotation, workers } = options
  const observing = {
    resources,
    ...given({ mayName }),
  }
  const engagementsOf = (key: ObjectKey): Pick<RoleControllerOptions<S, Own>, 'engagements'> =>
    given({ engagements: engagementsFor({ controller: roleControllerName, key }, engagements) })
  const deciding = { resources, foreignAnnotation, ...given({ regionalChildren }) }
  return defineController<RoleSeen<S> | undefined, Own>({
    name: roleControllerName,
    fieldManager: operatorName,
    eventSource: operatorName,
    claims: roleSource,
    watches: [...hubWatches(options.profileNamespaces), ...resources.watches, serviceAccountWatch(claimsOfAccount, hasRoleNamed)],
    toClaimsOfCluster: (cluster, world) => rolesIn(world, cluster),
    reconciler: {
      observe: (key, world, signal) => observeRole<S>(key, world, signal, { ...observing, ...engagementsOf(key) }),
      decide: (seen, now) => decideRole(seen, now, deciding),
      report: input => reportRole(input, resources),
      ...given({ act: resources.act }),
    },
    eventsOf: transitionEvents,
    ...given({ workers }),
  })
}

function hubWatches(profileNamespaces: readonly string[] | undefined): readonly Watch[] {
  return [
    {
      name: 'rolesForConfig',
      type: configKind.type,
      isWorth: concernsRoles,
      toClaims: ({ metadata }, world) => rolesIn(world, metadata.namespace ?? ''),
    },
    { name: 'rolesForOperatorConfig', type: operatorConfigKind.type, toClaims: (_object, world) => allRoles(world) },
    { ...clusterProfileSource(profileNamespaces), name: 'rolesForClusterProfile', toClaims: claimsOfProfile },
    { ...roleSource, name: 'rolesForSiblingServiceAccountBinding', toClaims: siblingsOf },
  ]
}

/** A Config tells of much that is nothing to its bindings, and they may be thousands. */
export function concernsRoles(change: Change): boolean {
  if (change.kind !== 'changed') return true
  return !isEqualJson(rolesView(change.previous), rolesView(change.object))
}

/** All that a decision about a binding rests on. */
function rolesView(object: StoredObject): readonly unknown[] {
  const { metadata, spec, status } = object as WorkloadIdentityConfig & StoredObject
  const { uid, generation, deletionTimestamp } = metadata
  const ready = findCondition(status?.conditions, 'Ready')
  // Why it is not Ready is told by its bindings as well; that it is, is said once.
  const said = ready?.status === 'True' ? [true, ready.observedGeneration] : [ready?.status, ready?.reason, ready?.message]
  return [uid, generation, deletionTimestamp, spec, status?.issuerHostPath, status?.oidcProviderARN, ...said]
}

function claimsOfProfile({ metadata }: StoredObject, world: Reads): Targets {
  const cluster = metadata.labels?.[clusterNameLabel] ?? ''
  return cluster === '' ? [] : rolesIn(world, cluster)
}

/** The others of the same ServiceAccount: one that goes makes room for them at once (case 121). */
function siblingsOf(object: StoredObject, world: Reads): Targets {
  const { spec, metadata } = object as StoredObject & { readonly spec: { readonly serviceAccount: ObjectKey } }
  return claimsOfAccount(world, metadata.namespace ?? '', spec.serviceAccount).filter(({ name }) => name !== metadata.name)
}

function hasRoleNamed(world: Reads, binding: ObjectKey, roleName: string): boolean {
  const claim = world.find<ServiceAccountRole & StoredObject>(roleKind.type, binding)
  return claim !== undefined && resourceNames(claim).role === roleName
}

function claimsOfAccount(world: Reads, namespace: string, account: ObjectKey): readonly ObjectKey[] {
  return rolesOfAccount(world, namespace, account).map(({ metadata }) => ({ namespace, name: metadata.name }))
}

function rolesIn(world: Reads, namespace: string): readonly ObjectKey[] {
  return world.list(roleKind.type, namespace).map(({ metadata }) => ({ namespace, name: metadata.name }))
}
