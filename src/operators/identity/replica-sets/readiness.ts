// The conditions that sum a set up: the first row that fits (§4.4).
import type { Condition } from '#kube'
import type { Reason } from '../api/conditions.ts'
import { setCondition } from './set-conditions.ts'
import type { ClusterTally } from './tally.ts'

export function readinessOf(tally: ClusterTally, omitted = ''): readonly Condition[] {
  const { desired, applied, ready, stale, conflicts, failures } = tally
  const counted = `${ready} of ${desired} clusters are ready${omitted}`
  if (failures > 0) {
    const message = `${failures} clusters failed; status.failedClusters says why${omitted}`
    return three(['False', 'ChildApplyFailed'], ['False', 'ChildrenPending'], ['False', 'ChildApplyFailed'], message)
  }
  if (conflicts > 0) {
    const message = `in ${conflicts} clusters a Role of this name is not of this set${omitted}`
    return three(['False', 'ChildConflict'], ['False', 'ChildrenPending'], ['False', 'ChildConflict'], message)
  }
  if (ready === desired && stale === 0) {
    return three(['True', 'ChildrenApplied'], ['True', 'ChildrenReady'], ['True', 'Ready'], counted)
  }
  const pending = ['False', 'ChildrenPending'] as const
  return three(applied === desired ? ['True', 'ChildrenApplied'] : pending, pending, pending, counted)
}

type Said = readonly ['True' | 'False', Reason]

function three(applied: Said, ready: Said, summary: Said, message: string): readonly Condition[] {
  return [
    setCondition('AWSServiceAccountRolesApplied', ...applied, message),
    setCondition('AWSServiceAccountRolesReady', ...ready, message),
    setCondition('Ready', ...summary, message),
  ]
}
