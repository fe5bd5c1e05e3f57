// What a create call may have made, and AWS does not show yet, is waited for. The wait is counted from the call; a process that does not know
// when the call went out, since another process led then, counts from its own first look.
import { given } from '#base'
import { notVisible } from '../ownership/intent.ts'
import type { Situation } from '../seen/seen.ts'
import { note, type ResourcePlan, trouble } from './actions.ts'

export function waitForVisible({ seen, claim, now }: Situation, kind: 'backoff' | 'wait', retryAfterMs?: number): ResourcePlan {
  const wait = { kind, reason: 'NotVisibleYet', message: notVisible, ...given({ retryAfterMs }) }
  const plan = trouble(wait)
  if (seen.notes.calledMs !== undefined) return plan
  return { ...plan, actions: [note(claim.metadata.uid, { calledMs: now }), ...plan.actions] }
}
