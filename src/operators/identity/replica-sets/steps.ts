// The writes of a set: its finalizer, and what one cluster needs.
import { type KubeObject, keyOf } from '#kube'
import type { Action } from '#runtime'
import {
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '../api/kinds.ts'
import { finalizers } from '../api/labels.ts'
import { buildChild, type ChildWanted, markOf } from './child.ts'
import type { ClusterView } from './cluster-view.ts'

/** The finalizer is there before the first child (P2). */
export function hold(claim: ReplicaSet): readonly Action[] {
  if (claim.metadata.finalizers?.includes(finalizers.replicaSet) === true) return []
  return [
    { kind: 'add-finalizer', type: replicaSetKind.type, object: claim, finalizer: finalizers.replicaSet },
    tell(claim, 'FinalizerAdded', `added ${finalizers.replicaSet}`),
  ]
}

export function tell(claim: ReplicaSet, reason: string, message: string): Action {
  const { apiVersion, kind, metadata } = claim
  const regarding = { apiVersion, kind, ...keyOf(claim), uid: metadata.uid }
  return { kind: 'record-event', regarding, type: 'Normal', reason, message }
}

/** At most one write. */
export function stepActions(claim: ReplicaSet, { cluster, step }: ClusterView, wanted: ChildWanted): readonly Action[] {
  const { type } = roleKind
  switch (step.kind) {
    case 'create': {
      const object: KubeObject = buildChild(claim, cluster, wanted)
      return [{ kind: 'create', type, object, mark: markOf(claim) }]
    }
    case 'repair': {
      const { uid, resourceVersion } = step.child.metadata
      return [{ kind: 'patch', type, key: keyOf(step.child), patch: 'json', body: step.operations, uid, resourceVersion }]
    }
    case 'replace':
      return step.child.metadata.deletionTimestamp === undefined ? [{ kind: 'delete', type, object: step.child }] : []
    default:
      return []
  }
}

/** Whatever became of it meanwhile, it is this very object that nobody wants. */
export function prune(child: ServiceAccountRole): readonly Action[] {
  if (child.metadata.deletionTimestamp !== undefined) return []
  return [{ kind: 'delete', type: roleKind.type, object: child, precondition: 'any-version' }]
}
