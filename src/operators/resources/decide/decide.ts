// From what was seen of a claim to what is to be done: pure, and the same for every kind. What a kind does differently comes from its
// deviation. Deletion, adoption and trouble are ordinary branches.

import { assertNever, type Instant } from '#base'
import { emptyPlan } from '#runtime'
import { annotations, conditions, isAnnotatedTrue, type Resource } from '../api.ts'
import { documentProblem } from '../delta/documents.ts'
import { identityOf } from '../ownership/adoption-keys.ts'
import { isOfAnother } from '../ownership/duplicates.ts'
import { hasResource, recordOf } from '../ownership/ownership-record.ts'
import { renamedFrom } from '../ownership/renamed.ts'
import type { Rules, Seen, Situation } from '../seen/seen.ts'
import { decideAbsent } from './absent.ts'
import { planForTrouble, type ResourcePlan, stop, trouble } from './actions.ts'
import { seenAgain } from './confirmed-absence.ts'
import { decideDeletion } from './deletion.ts'
import { decidePresent } from './present.ts'
import { preview } from './preview.ts'
import { planAtRest, withRest } from './resting.ts'
import { unusable } from './unusable.ts'

/** How long a role mapping that is missing is waited for. */
const roleWaitMs = 15_000

export function decide(rules: Rules, seen: Seen, now: Instant): ResourcePlan {
  const { claim } = seen
  if (claim === undefined || isAnnotatedTrue(claim, annotations.paused)) return emptyPlan
  return isAnnotatedTrue(claim, annotations.plan) ? preview(foresee(rules, seen, now)) : decideClaim(rules, seen, claim, now)
}

/** The plan that does something: after the one that only puts on record what is about to be done, where there is such a one. */
export function foresee(rules: Rules, seen: Seen, now: Instant): ResourcePlan {
  const { claim } = seen
  if (claim === undefined || isAnnotatedTrue(claim, annotations.paused)) return emptyPlan
  const plan = decideClaim(rules, seen, claim, now)
  const note = plan.conditions.find(({ type }) => type === conditions.ownership)
  if (note === undefined || plan.next.kind !== 'look-again' || plan.next.lane !== 'begun') return plan
  const noted = [{ ...note, lastTransitionTime: '' }]
  const recorded: Resource = { ...claim, status: { ...claim.status, ...plan.status, conditions: noted } }
  return decideClaim(rules, { ...seen, claim: recorded }, recorded, now)
}

function decideClaim(rules: Rules, seen: Seen, claim: Resource, now: Instant): ResourcePlan {
  const { place, adoption, references, inAws } = seen
  const isManaged = (claim.metadata.finalizers ?? []).includes(rules.model.finalizer)
  const isDeleted = claim.metadata.deletionTimestamp !== undefined
  if (isDeleted && !isManaged) return emptyPlan
  if (place.kind === 'no-role')
    return trouble({ kind: 'wait', reason: 'RoleMissing', message: place.message, retryAfterMs: roleWaitMs })
  if (place.kind === 'ambiguous') return trouble({ kind: 'backoff', reason: 'SelectorAmbiguous', message: place.message })
  if (place.kind === 'invalid') return stop('InvalidManifest', place.message)
  if (place.kind === 'moved') return stop('ResourceMoved', place.message)
  const situation: Situation = { ...rules, seen, claim, place: place.place, now }
  if (isDeleted) return decideDeletion(situation)
  if (adoption.kind === 'wrong') return stop('InvalidManifest', adoption.message)
  if (references.kind === 'unresolved' && adoption.kind !== 'adopt' && adoption.kind !== 'read-only')
    return trouble({ kind: references.how, reason: 'ReferenceUnresolved', message: references.message })
  if (seen.secrets.kind === 'unusable') return unusable(situation, seen.secrets.message)
  const refusal = adoption.kind === 'adopt' || adoption.kind === 'read-only' ? undefined : refusalOf(situation)
  if (refusal !== undefined) return stop('InvalidManifest', refusal)
  const renamed =
    inAws.kind === 'failed' || adoption.kind === 'read-only' ? undefined : renamedFrom(rules.model, claim, seen.wanted.spec)
  if (renamed !== undefined) {
    const why = `the resource was made as ${renamed.was}, and is not renamed: put that back, or make a new object`
    return stop('NotUpdatable', `Spec.${renamed.camel}: ${why}`)
  }
  const other = madeAsAnother(situation)
  if (other !== undefined && adoption.kind !== 'read-only') return stop('NotUpdatable', other)
  switch (inAws.kind) {
    case 'failed':
      return planForTrouble(inAws.trouble)
    case 'absent':
      return withRest(situation, decideAbsent(situation))
    case 'present':
      return withRest(situation, seenAgain(situation, decidePresent(situation, inAws.content)))
    case 'unchanged':
      return planAtRest(situation)
    case 'not-read':
      return emptyPlan
    default:
      return assertNever(inAws)
  }
}

/** What was made for this object bears no ARN, and our record says that it is another than the manifest names now. */
function madeAsAnother(situation: Situation): string | undefined {
  const { claim, seen } = situation
  const record = recordOf(claim)
  const { inAws } = seen
  if (!hasResource(record) || inAws.kind === 'failed' || inAws.kind === 'unchanged') return undefined
  const looked = inAws.kind === 'present' ? inAws.content : seen.wanted
  if (!('identity' in record) || !isOfAnother(record, identityOf(situation, looked))) return undefined
  const was = Object.entries(record.identity).map(([name, value]) => `${name} ${value}`)
  return `the resource was made as ${was.join(', ')}, and is not moved: put that back, or make a new object`
}

function refusalOf({ deviation, model, claim, seen, place }: Situation): string | undefined {
  return documentProblem(model, claim.spec ?? {}) ?? deviation.refuse?.({ model, claim, wanted: seen.wanted, place })
}
