// Reads what a decision about a binding rests on; judges nothing.

import { compareText } from '#base'
import type { Engagements, NameRule } from '#fleet'
import type { ObjectKey } from '#kube'
import type { Reads } from '#runtime'
import {
  configKind,
  type OperatorConfig,
  operatorConfigKind,
  roleKind,
  type ServiceAccountRole,
  type WorkloadIdentityConfig,
} from '../api/kinds.ts'
import { singletonName } from '../api/labels.ts'
import { describeCluster } from '../inventory/describe.ts'
import { type AnnotationSeen, observeAnnotation } from '../target/annotation.ts'
import type { ResourceStates, RoleResources } from './resources.ts'
import type { RoleSeen } from './seen.ts'
import { profilesOf, rolesOfAccount } from './sources.ts'

export interface ObserveOptions<S extends ResourceStates> {
  readonly resources: Pick<RoleResources<S, never>, 'observe' | 'deliveryOf'>
  readonly engagements?: Engagements
  /** Which names a ClusterProfile may have; any when absent. */
  readonly mayName?: NameRule
}

/** `undefined`: there is no such binding. */
export async function observeRole<S extends ResourceStates>(
  key: ObjectKey,
  world: Reads,
  signal: AbortSignal,
  { resources, engagements, mayName }: ObserveOptions<S>,
): Promise<RoleSeen<S> | undefined> {
  const claim = world.find<ServiceAccountRole>(roleKind.type, key)
  if (claim === undefined) return undefined
  const { namespace } = key
  const config = world.find<WorkloadIdentityConfig>(configKind.type, { namespace, name: singletonName })
  const seen = await resources.observe(claim, world, signal)
  // The recorded one decides over what may have to be cleaned up.
  const delivery = claim.status?.deliveryType ?? resources.deliveryOf(seen) ?? config?.spec.type
  return {
    claim,
    siblings: siblingsOf(claim, world),
    operatorConfig: world.find<OperatorConfig>(operatorConfigKind.type, { namespace: '', name: singletonName }),
    config,
    cluster: describeCluster(namespace, profilesOf(world, namespace), mayName),
    annotation: delivery === 'EKSPodIdentity' ? undefined : lookAtTarget(claim, world, engagements),
    resources: seen,
  }
}

function lookAtTarget(claim: ServiceAccountRole, world: Reads, engagements: Engagements | undefined): AnnotationSeen {
  const { serviceAccount } = claim.spec
  // A recorded cluster of another namespace cannot be: `n/n` is made of the namespace, and the status is not a way to another cluster.
  const cluster = claim.metadata.namespace ?? ''
  return observeAnnotation(world, cluster, serviceAccount, engagements)
}

/** Terminating ones do not count; this one counts although the cache may not list it yet. */
function siblingsOf(claim: ServiceAccountRole, world: Reads): readonly string[] {
  const { namespace = '', uid } = claim.metadata
  const others = rolesOfAccount(world, namespace, claim.spec.serviceAccount).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined && metadata.uid !== uid,
  )
  return [...others, claim].sort(byAge).map(({ metadata }) => `${namespace}/${metadata.name}`)
}

/** By creation, and by uid within the second that the server counts in: an order that no edit changes, so that nobody's place is taken twice. */
function byAge({ metadata: one }: ServiceAccountRole, { metadata: other }: ServiceAccountRole): number {
  const [a, b] = [one.creationTimestamp ?? '', other.creationTimestamp ?? '']
  return a === b ? compareText(one.uid, other.uid) : compareText(a, b)
}
