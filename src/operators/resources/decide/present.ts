// The resource is there: is it ours, is it as it should be, and is it usable?

import { annotations, ownerTag } from '../api.ts'
import { ValueError } from '../model/convert.ts'
import type { Content } from '../model/request.ts'
import { tagsIn } from '../model/tags.ts'
import { isMaybeOurs } from '../ownership/intent.ts'
import { hasUnexpectedMarks, ownershipOf, unexpectedText } from '../ownership/ownership.ts'
import type { Situation } from '../seen/seen.ts'
import { note, type PlanAction, type ResourcePlan, stop } from './actions.ts'
import { adopt } from './adopt.ts'
import { atRest } from './at-rest.ts'
import { bringInStep } from './bring-in-step.ts'
import { waitForVisible } from './not-visible.ts'

export function decidePresent(situation: Situation, latest: Content): ResourcePlan {
  const { seen, claim, model } = situation
  const { adoption } = seen
  if (adoption.kind === 'read-only') return lookedAt(situation, latest)
  const owner = ownershipOf(situation, latest)
  if (owner.kind === 'held') return stop('DuplicateOwner', owner.message)
  const isMarkedOurs = tagsIn(model, latest.spec)[ownerTag] === claim.metadata.uid
  if ((adoption.kind === 'adopt' || adoption.kind === 'adopt-or-create') && !isMarkedOurs)
    return adopt(situation, latest, adoption.kind)
  if (owner.kind === 'marked')
    return stop(
      'DuplicateOwner',
      `the resource is marked as made for another object (uid ${owner.mark}); it is adopted with ${annotations.adoptionPolicy}`,
    )
  if (owner.kind === 'unknown' && hasUnexpectedMarks(situation)) return stop('UnexpectedFinalizer', unexpectedText)
  if (owner.kind === 'unknown' && isMaybeOurs(situation)) return waitForVisible(situation, 'backoff')
  if (owner.kind === 'unknown')
    return stop(
      'ResourceExists',
      `Resource already exists; to manage it, set ${annotations.adoptionPolicy} and ${annotations.adoptionFields}`,
    )
  if (!(claim.metadata.finalizers ?? []).includes(model.finalizer)) return hold(situation)
  try {
    return bringInStep(situation, latest)
  } catch (error) {
    if (error instanceof ValueError) return stop('InvalidManifest', error.message)
    throw error
  }
}

/** Somebody took our finalizer away; the mark on the resource says that it is ours. */
function hold({ claim, model }: Situation): ResourcePlan {
  const action: PlanAction = { kind: 'add-finalizer', type: model.type, object: claim, finalizer: model.finalizer }
  return { actions: [action], conditions: [], next: { kind: 'look-again', afterMs: 0, why: 'managed again', lane: 'begun' } }
}

/** Only looked at: what a lookup found is read directly from now on. */
function lookedAt(situation: Situation, latest: Content): ResourcePlan {
  const { seen, claim } = situation
  const plan = atRest(situation, latest, { advisories: [] })
  const found = seen.inAws.kind === 'present' ? seen.inAws.lookedUp : undefined
  if (found === undefined || found.identifiers === seen.notes.lookedUp?.identifiers) return plan
  return { ...plan, actions: [...plan.actions, note(claim.metadata.uid, { lookedUp: found })] }
}
