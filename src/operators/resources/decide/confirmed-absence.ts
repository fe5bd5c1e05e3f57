// An absence that one look alone tells of. A list leaves out what is there, and a read may be answered from a moment before the resource was
// made, although an earlier one found it. So what was there, or is looked for in lists alone, is believed to be gone at the second look.

import { inputOf } from '../model/kind-model.ts'
import { requestOf } from '../model/request.ts'
import { intentOf } from '../ownership/intent.ts'
import { hasResource, recordOf } from '../ownership/ownership-record.ts'
import type { Situation } from '../seen/seen.ts'
import { note, type ResourcePlan } from './actions.ts'

/** Longer than a list or a read is wont to lag, as far as the services say. */
const betweenMs = 5_000
/** What was seen absent so long ago is not the same absence. */
const forgottenMs = 300_000

/** The second look; `undefined`: the absence stands. */
export function confirmAbsence(situation: Situation): ResourcePlan | undefined {
  if (!isDoubtful(situation)) return undefined
  const { seen, claim, now } = situation
  const sinceMs = now - (seen.notes.absentMs ?? Number.NEGATIVE_INFINITY)
  if (sinceMs >= betweenMs && sinceMs < forgottenMs) return undefined
  const isFirst = sinceMs >= forgottenMs
  const why = 'one look did not find the resource, and it is looked for once more'
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

/** Nothing is doubtful about what was never begun, nor about what we were seen to delete. */
function isDoubtful(situation: Situation): boolean {
  const { deviation, seen, claim } = situation
  const wasThere = hasResource(recordOf(claim))
  if (!wasThere && intentOf(situation) === undefined) return false
  if (wasThere && seen.notes.deletedMs === undefined) return true
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
