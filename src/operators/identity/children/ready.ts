// What a child means for the parent's condition (§4.1 "ACK ready"), with the child's own words in it (M11).
import type { Condition } from '#kube'
import type { ConditionType, Reason } from '../api/conditions.ts'
import { type ChildState, isGoing, isSynced } from './state.ts'

export interface ChildReadiness {
  readonly condition: ConditionType
  /** `IAM role`, `S3 bucket`. */
  readonly noun: string
  /** Whether it also has to have told its ARN. */
  readonly needsArn: boolean
}

/** Since when it has been so is the condition's own transition time, which does not move while the status stays. */
export function childCondition(state: ChildState, { condition, noun, needsArn }: ChildReadiness): Condition {
  const say = (status: 'True' | 'False', reason: Reason, message: string): Condition => ({
    type: condition,
    status,
    reason,
    message,
  })
  if (state.owned === 'foreign') {
    const message = `an object with the name of the ${noun} exists and is controlled by somebody else: delete it or release its name`
    return say('False', 'ChildApplyFailed', message)
  }
  if (isGoing(state)) return say('False', 'ACKResourceNotSynced', `${noun} is being deleted and will be made again`)
  if (state.owned === 'ours' && state.stage === 'refused' && state.trouble !== undefined) {
    return say(
      'False',
      'ACKResourceNotSynced',
      `${noun} is refused and not tried again until it is changed: ${state.trouble.message}`,
    )
  }
  if (!isSynced(state)) {
    const why = state.trouble === undefined ? '' : `: ${state.trouble.message}`
    return say('False', 'ACKResourceNotSynced', `${noun} is not synced by ACK${why}`)
  }
  if (needsArn && state.arn === undefined) {
    return say('False', 'ACKResourceIdentifierPending', `${noun} is synced by ACK and has no ARN yet`)
  }
  return say('True', 'ACKResourceSynced', `${noun} is synced by ACK`)
}
