// What follows from a glance: what was in step and shows no change rests on, and what a full look found in step is remembered with what the list
// said of it.

import { conditions } from '../api.ts'
import { idleMax, restThatStands, resyncMs, spread } from '../resync.ts'
import type { Rest } from '../seen/notes.ts'
import type { Situation } from '../seen/seen.ts'
import { note, type ResourcePlan } from './actions.ts'

/** What was in step stays so until something shows. */
export function planAtRest(situation: Situation): ResourcePlan {
  const { seen, claim } = situation
  const { rest } = seen.notes
  const isSeen = seen.glance?.shown !== 'unknown'
  return {
    actions:
      rest !== undefined && rest.idleLooks > 0 && isSeen ? [note(claim.metadata.uid, { rest: { ...rest, idleLooks: 0 } })] : [],
    conditions: [],
    next: { kind: 'look-again', afterMs: untilNextMs(situation, rest), why: 'a glance', lane: 'drift' },
  }
}

/** After a full look: what it found in step is remembered with what the list said; anything else is forgotten. */
export function withRest(situation: Situation, plan: ResourcePlan): ResourcePlan {
  const { seen, claim, now } = situation
  const { glance, notes } = seen
  if (glance === undefined) return plan
  const { next } = plan
  const inStep = plan.conditions.some(({ type, status }) => type === conditions.synced && status === 'True')
  if (next.kind !== 'look-again' || next.lane !== 'drift' || !inStep) {
    if (notes.rest === undefined) return plan
    // This note comes before all actions: one of them may fail, and the next pass must not take that for rest.
    return { ...plan, actions: [note(claim.metadata.uid, { rest: undefined }), ...plan.actions] }
  }
  const held = restThatStands(notes, { ...situation, basis: glance.basis, nowMs: now })
  const rest: Rest = {
    basis: glance.basis,
    shown: glance.shown,
    lookedMs: held?.lookedMs ?? now,
    idleLooks: held === undefined ? 0 : held.idleLooks + 1,
    disturbances: notes.disturbances ?? 0,
  }
  return {
    ...plan,
    actions: [...plan.actions, note(claim.metadata.uid, { rest })],
    next: { ...next, afterMs: untilNextMs(situation, rest) },
  }
}

/** The next glance, or the full look that is due before it. */
function untilNextMs(situation: Situation, rest: Rest | undefined): number {
  const glanceMs = spread(situation.claim, situation.settings.cheapReadSeconds * 1_000)
  const fullMs = rest === undefined ? 0 : Math.max(0, rest.lookedMs + resyncMs(situation) - situation.now)
  return rest !== undefined && rest.idleLooks >= idleMax ? fullMs : Math.min(glanceMs, fullMs)
}
