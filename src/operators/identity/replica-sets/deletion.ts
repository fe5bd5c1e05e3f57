// The end of a set: its children go, each seen gone, then the finalizer (§4.4). Roles of the same name that are not its own stay.
import { findCondition } from '#kube'
import { emptyPlan, type Plan } from '#runtime'
import { replicaSetKind } from '../api/kinds.ts'
import { finalizers } from '../api/labels.ts'
import type { ReplicaSetSeen } from './seen.ts'
import { setCondition } from './set-conditions.ts'
import { prune, tell } from './steps.ts'

/** The fallback of the events of the children (§4.4). */
const blockedMs = 30_000

export function decideSetDeletion({ claim, remaining }: ReplicaSetSeen): Plan {
  if (claim.metadata.finalizers?.includes(finalizers.replicaSet) !== true) return emptyPlan
  if (remaining.length > 0) {
    const message = `${remaining.length} Roles of this set are there still, one in namespace ${remaining[0]?.metadata.namespace ?? ''}`
    const branches = remaining.map(prune).filter(actions => actions.length > 0)
    return {
      actions: branches.length === 0 ? [] : [{ kind: 'together', branches }],
      conditions: [
        setCondition('CleanupBlocked', 'True', 'DeletionBlocked', message),
        setCondition('Ready', 'False', 'DeletionBlocked', message),
      ],
      next: { kind: 'look-again', afterMs: blockedMs, why: 'the children may be gone' },
    }
  }
  // A block that is over is told first, then the finalizer goes (case 181).
  if (findCondition(claim.status?.conditions, 'CleanupBlocked')?.status === 'True') {
    const condition = setCondition('CleanupBlocked', 'False', 'DeletionUnblocked', 'nothing blocks the deletion any more')
    return { actions: [], conditions: [condition], next: { kind: 'await-change' } }
  }
  return {
    actions: [
      { kind: 'remove-finalizer', type: replicaSetKind.type, object: claim, finalizer: finalizers.replicaSet },
      tell(claim, 'FinalizerRemoved', `removed ${finalizers.replicaSet}`),
    ],
    conditions: [],
    next: { kind: 'await-change' },
  }
}
