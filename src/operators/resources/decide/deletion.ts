// The claim goes. What was made for it goes first, unless it is to stay; the finalizer comes off in the pass that sees it gone.

import { assertNever } from '#base'
import type { Condition } from '#kube'
import { emptyPlan } from '#runtime'
import { annotations, conditions, isAnnotatedTrue } from '../api.ts'
import { compareSpecs } from '../delta/compare.ts'
import type { PlannedCall } from '../kinds/deviation.ts'
import { type Content, requestOf } from '../model/request.ts'
import { isMaybeHidden, isMaybeOurs } from '../ownership/intent.ts'
import { hasUnexpectedMarks, ownershipOf, unexpectedText } from '../ownership/ownership.ts'
import { recordOf } from '../ownership/ownership-record.ts'
import type { Situation } from '../seen/seen.ts'
import { awsAction, note, type PlanAction, planForTrouble, type ResourcePlan, trouble } from './actions.ts'
import { confirmAbsence, seenAgain } from './confirmed-absence.ts'
import { entriesBeforeDeletion } from './entry-calls.ts'
import { tell, warn } from './events.ts'
import { waitForVisible } from './not-visible.ts'
import { gateOf, isEnded, transientState } from './state.ts'

/** Between looks at a resource that takes its time to go: 5 s, doubling to a minute. */
const pollMsMin = 5_000
const pollMsMax = 60_000
/** A delete call that shows no effect for so long is sent again. */
const deleteAgainMs = 300_000

export function decideDeletion(situation: Situation): ResourcePlan {
  const { inAws, adoption } = situation.seen
  if (policyOf(situation) === 'retain' || adoption.kind === 'read-only') return release(situation)
  if (isAnnotatedTrue(situation.claim, annotations.deletionProtection)) {
    const why = `${annotations.deletionProtection} stands in the way: take it away to let the resource go`
    return { actions: [], conditions: deletingSaid(why), next: { kind: 'await-change' } }
  }
  switch (inAws.kind) {
    case 'failed':
      return planForTrouble(inAws.trouble, { isDeletion: true })
    case 'absent':
      if (inAws.isUnasked === true && (isOnRecord(situation) || (inAws.isSearched !== true && isMaybeMade(situation))))
        return unread(situation)
      // A resource that was made a moment ago may not be shown yet: an object that is let go now would leave it behind for ever.
      return isMaybeHidden(situation)
        ? waitForVisible(situation, 'wait', pollMsMin)
        : (confirmAbsence(situation) ?? release(situation))
    case 'not-read':
    // An object that is being deleted is never only glanced at, so `unchanged` does not come here.
    case 'unchanged':
      return emptyPlan
    case 'present':
      return seenAgain(situation, decidePresentDeletion(situation, inAws.content))
    default:
      return assertNever(inAws)
  }
}

function decidePresentDeletion(situation: Situation, latest: Content): ResourcePlan {
  const { seen, model, deviation, settings } = situation
  const wasDeleted = seen.notes.deletedMs !== undefined
  if (latest.isDeleted === true || isEnded(model, latest, { afterDelete: wasDeleted })) return release(situation)
  const owner = ownershipOf(situation, latest).kind
  // Our create call was answered, and the mark that it carried does not show yet.
  if (owner === 'unknown' && recordOf(situation.claim).kind === 'intended' && isOnRecord(situation) && isMaybeOurs(situation))
    return waitForVisible(situation, 'wait', pollMsMin)
  // What is there under the name belongs to somebody else: it stays.
  if (owner !== 'ours') return letGo(situation)
  if (model.kind.operations.delete === undefined && deviation.delete === undefined) return release(situation)
  if (wasDeleted && settings.releaseAfterDelete.includes(model.kind.kind)) return release(situation)
  return remove(situation, latest)
}

/** AWS told an ARN or an id of it: it was made, or taken over. */
function isOnRecord({ claim, model }: Situation): boolean {
  const { ackResourceMetadata, conditions: _said, ...fields } = claim.status ?? {}
  const isTold = model.kind.status.some(({ json }) => (fields[json] ?? undefined) !== undefined)
  return ackResourceMetadata?.arn !== undefined || isTold
}

/** A create call may have gone out, and nothing says that AWS refused it. */
function isMaybeMade({ claim, seen: { notes } }: Situation): boolean {
  const record = recordOf(claim)
  return record.kind === 'intended' && ![notes.refusedIntent, notes.unsent?.token].includes(record.intent.token)
}

/** What was made and cannot be asked for is not let go: it would stay behind for ever. */
function unread(situation: Situation): ResourcePlan {
  const arn = situation.claim.status?.ackResourceMetadata?.arn
  const what = `the resource${arn === undefined ? '' : ` ${arn}`} was made, or may have been, and nothing is known by which AWS could be asked for it`
  return trouble({
    kind: 'backoff',
    reason: 'NotReadable',
    message: `${what}: complete spec or status, or set ${annotations.deletionPolicy}: retain`,
  })
}

export function policyOf({ claim, seen, model, settings }: Situation): 'delete' | 'retain' {
  const said =
    claim.metadata.annotations?.[annotations.deletionPolicy] ??
    seen.namespaceAnnotations[`${model.service.alias}.${annotations.deletionPolicy}`] ??
    settings.deletionPolicyOf[model.kind.kind] ??
    settings.deletionPolicy
  return said.toLowerCase() === 'retain' ? 'retain' : 'delete'
}

/** The object goes and the resource stays; who wrote marks of ours on the object reads that they gave him nothing. */
function letGo(situation: Situation): ResourcePlan {
  const plan = release(situation)
  return hasUnexpectedMarks(situation)
    ? { ...plan, actions: [warn(situation.claim, 'UnexpectedFinalizer', unexpectedText), ...plan.actions] }
    : plan
}

function release({ claim, model, seen }: Situation): ResourcePlan {
  const action: PlanAction = { kind: 'remove-finalizer', type: model.type, object: claim, finalizer: model.finalizer }
  const gone =
    seen.notes.deletedMs === undefined
      ? []
      : [tell(claim, 'Deleted', seen.inAws.kind === 'present' ? 'AWS has taken the deletion' : 'the resource is gone')]
  return { actions: [action, ...gone, note(claim.metadata.uid, 'forget')], conditions: [], next: { kind: 'await-change' } }
}

/** The calls by which the resource goes, and what is waited for. */
export function remove(situation: Situation, latest: Content): ResourcePlan {
  const { model, deviation, claim, place, seen, now } = situation
  const { notes } = seen
  const uid = claim.metadata.uid
  const gate = gateOf(model.kind.settings.deletable, latest)
  if (gate !== undefined) return deleting(`resource is in ${gate.state} state, cannot be deleted`, [], gate.afterMs)
  const isGoing = /delet/i.test(transientState(model, latest) ?? '')
  if (isGoing || (notes.deletedMs !== undefined && now - notes.deletedMs < deleteAgainMs))
    return deleting(
      'AWS is deleting the resource',
      [note(uid, { deletions: (notes.deletions ?? 0) + 1 })],
      pollMs(notes.deletions ?? 0),
    )
  const context = { model, claim, wanted: seen.wanted, latest, place, delta: [], isNew: false }
  const emptying = deviation.emptying?.(context) ?? []
  if (emptying.length > 0) {
    const actions = emptying.map(each => ({ ...awsAction(model, place, each), destructive: true }))
    return deleting('the resource is being emptied', actions, 0)
  }
  const before = [
    ...preDelete(situation, latest),
    ...entriesBeforeDeletion(situation, latest),
    ...(deviation.beforeDelete?.(context) ?? []),
  ]
  const call: PlannedCall = deviation.delete?.(context) ?? {
    operation: model.kind.operations.delete ?? '',
    input: requestOf(model, model.kind.operations.delete ?? '', latest, { method: 'Delete' }),
    verb: 'DELETE',
  }
  // "Not found" is no deletion: a part of AWS that lags behind says it of what is there, and it counts as one look that did not find it.
  const remembers = {
    ifDone: { deletedMs: now, deletions: 0, createdMs: undefined, creations: undefined },
    ifNothingWasThere: { absentMs: now },
  }
  const actions: PlanAction[] = [
    ...before.map(each => ({ ...awsAction(model, place, each), destructive: true })),
    { ...awsAction(model, place, call), uid, remembers },
  ]
  const afterMs = notes.absentMs === undefined ? 0 : pollMsMin
  return { ...deleting('the resource is being deleted', actions, afterMs), conditions: [] }
}

/** Fields that must be so before the resource can go, such as a protection that is switched off. */
function preDelete({ model, seen }: Situation, latest: Content): readonly PlannedCall[] {
  const { update } = model.kind.operations
  const all = model.kind.settings.preDeleteCompareAll === true
  if (update === undefined) return []
  const only = all ? undefined : { only: (field: (typeof model.kind.spec)[number]) => field.compare?.preDelete === true }
  const paths = compareSpecs(model, seen.wanted.spec, latest.spec, only)
  if (paths.length === 0) return []
  const changed = model.kind.spec.filter(({ camel }) => paths.some(path => path.split('.')[1] === camel))
  const spec = { ...latest.spec, ...Object.fromEntries(changed.map(({ json }) => [json, seen.wanted.spec[json]])) }
  return [{ operation: update, input: requestOf(model, update, { ...latest, spec }, { method: 'Update' }), verb: 'UPDATE' }]
}

function pollMs(polls: number): number {
  return Math.min(pollMsMax, pollMsMin * 2 ** polls)
}

function deleting(message: string, actions: readonly PlanAction[], afterMs: number): ResourcePlan {
  return { actions, conditions: deletingSaid(message), next: { kind: 'look-again', afterMs, why: message } }
}

function deletingSaid(message: string): readonly Condition[] {
  return [
    { type: conditions.deleting, status: 'True', reason: 'Deleting', message },
    { type: conditions.synced, status: 'False', reason: 'Deleting', message },
    { type: conditions.ready, status: 'False', reason: 'Deleting', message },
  ]
}
