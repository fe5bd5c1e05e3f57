// What is said of a rollout that somebody steers, or that its own failures stopped. Each of these conditions is there only once it was so.
import type { FleetPlan } from '#fleet'
import { type Condition, type ConditionStatus, findCondition } from '#kube'
import { isEqualJson } from '#runtime'
import type { ConditionType, Reason } from '../api/conditions.ts'
import type { ServiceAccountRoleReplicaSet as ReplicaSet } from '../api/kinds.ts'
import { annotations } from '../api/labels.ts'
import type { Steering } from './requests.ts'
import { setCondition } from './set-conditions.ts'

interface Said {
  readonly reason: Reason
  readonly message: string
}

export function steeringConditions(claim: ReplicaSet, steering: Steering, plan: FleetPlan): readonly Condition[] {
  const held = (type: ConditionType): ConditionStatus | undefined => findCondition(claim.status?.conditions, type)?.status
  const once = (type: ConditionType, on: Said | undefined, off: Said): readonly Condition[] => {
    if (on !== undefined) return [setCondition(type, 'True', on.reason, on.message)]
    return held(type) === undefined ? [] : [setCondition(type, 'False', off.reason, off.message)]
  }
  return [
    ...once('RolloutPaused', pausedSaid(steering), { reason: 'RolloutResumed', message: 'the rollout goes on' }),
    ...once('RolloutStopped', stoppedSaid(plan), { reason: 'WithinLimits', message: 'no more clusters failed than may' }),
    ...once('RolloutRetried', retriedSaid(steering, plan, held('RolloutRetried')), {
      reason: 'RetryEnded',
      message: 'every cluster that was tried again is done, or out of time again',
    }),
    ...rollbackConditions(claim, steering, held('RolloutRolledBack')),
  ]
}

function pausedSaid({ paused, rollback }: Steering): Said | undefined {
  if (!paused) return undefined
  const message = `every cluster stays as it is until the annotation ${annotations.rolloutPaused} is taken away`
  return { reason: 'RolloutPaused', message: rollback === 'unavailable' ? 'there is nothing to roll back to' : message }
}

function stoppedSaid({ placements }: FleetPlan): Said | undefined {
  const stopped = placements.filter(({ isBreached }) => isBreached)
  if (stopped.length === 0) return undefined
  const names = stopped.map(({ name }) => name).join(', ')
  const message = `more clusters of ${names} failed than may: mend them, or try them again by the annotation ${annotations.rolloutRetry}`
  return { reason: 'TooManyFailures', message }
}

/** From the request until nothing is being worked on any more. */
function retriedSaid({ retry }: Steering, { counts }: FleetPlan, held: ConditionStatus | undefined): Said | undefined {
  const goesOn = retry?.isNew === true || (held === 'True' && counts.updating > 0)
  if (retry === undefined || !goesOn) return undefined
  return { reason: 'RetryRequested', message: `request ${JSON.stringify(retry.request.slice(0, 64))} of ${retry.since}` }
}

function rollbackConditions(
  { spec }: ReplicaSet,
  { rollback, template }: Steering,
  held: ConditionStatus | undefined,
): readonly Condition[] {
  switch (rollback) {
    case 'asked': {
      const message = isEqualJson(template, spec.template)
        ? 'the template of the spec is what was rolled out last, so that nothing is taken back; to go further back, put an older one there'
        : `the template that was rolled out last counts, as long as ${annotations.rolloutRollback} says true`
      return [setCondition('RolloutRolledBack', 'True', 'RolledBack', message)]
    }
    case 'unavailable':
      return [setCondition('RolloutRolledBack', 'False', 'RollbackUnavailable', 'no template was ever rolled out to its end')]
    default:
      return held === undefined
        ? []
        : [setCondition('RolloutRolledBack', 'False', 'RollbackEnded', 'the template of the spec counts')]
  }
}
