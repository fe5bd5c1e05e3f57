// An absence that only a list told of. Where an API can be asked for the one resource, it is; a few kinds can be looked for in lists alone, or
// are until AWS has told their id. What a list leaves out is believed at the second look, by a list of its own.

import { inputOf } from '../model/kind-model.ts'
import { requestOf } from '../model/request.ts'
import { intentOf } from '../ownership/intent.ts'
import { hasResource, recordOf } from '../ownership/ownership-record.ts'
import type { Situation } from '../seen/seen.ts'
import { note, type ResourcePlan } from './actions.ts'

/** Longer than a list is wont to lag, as far as the services say. */
const betweenMs = 5_000
/** What was seen absent so long ago is not the same absence. */
const forgottenMs = 300_000

/** The second look; `undefined`: the absence stands. */
export function confirmAbsence(situation: Situation): ResourcePlan | undefined {
  if (!isByList(situation)) return undefined
  const { seen, claim, now } = situation
  const sinceMs = now - (seen.notes.absentMs ?? Number.NEGATIVE_INFINITY)
  if (sinceMs >= betweenMs && sinceMs < forgottenMs) return undefined
  const isFirst = sinceMs >= forgottenMs
  const why = 'a list does not name the resource, and is asked once more'
  return {
    actions: isFirst ? [note(claim.metadata.uid, { absentMs: now })] : [],
    conditions: [],
    next: { kind: 'look-again', afterMs: isFirst ? betweenMs : betweenMs - sinceMs, why, lane: 'begun' },
  }
}

/** The plan for a resource that is there, which forgets that it was not. */
export function seenAgain({ seen, claim }: Situation, plan: ResourcePlan): ResourcePlan {
  if (seen.notes.absentMs === undefined) return plan
  return { ...plan, actions: [note(claim.metadata.uid, { absentMs: undefined }), ...plan.actions] }
}

/** Whether the look went through a list, and not to the resource itself. Nothing is listed for what was never begun. */
function isByList(situation: Situation): boolean {
  const { deviation, seen, claim } = situation
  if (!hasResource(recordOf(claim)) && intentOf(situation) === undefined) return false
  if (deviation.findsByList !== undefined) return deviation.findsByList(seen.wanted)
  return deviation.read === undefined && listsOnly(situation)
}

function listsOnly({ model, seen }: Situation): boolean {
  const { readOne, getAttributes, readMany } = model.kind.operations
  if (readOne !== undefined || getAttributes !== undefined || readMany === undefined) return false
  // A list that is asked for this one resource is as good as a read.
  const { required } = inputOf(model.service.model, readMany)
  const asked = Object.keys(requestOf(model, readMany, seen.wanted, { method: 'ReadMany' }))
  return asked.every(name => required.includes(name))
}
