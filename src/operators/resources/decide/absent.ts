// The resource is not there: it is made, unless the claim only speaks of one that is.

import type { Condition } from '#kube'
import { annotations, conditions } from '../api.ts'
import type { PlannedCall } from '../kinds/deviation.ts'
import { ValueError } from '../model/convert.ts'
import { type Content, creationOf, requestOf } from '../model/request.ts'
import { identityOf } from '../ownership/adoption-keys.ts'
import { needsCount } from '../ownership/alike.ts'
import { intentOf, isMaybeHidden, isNamed, isRepeatable, nextLookMs, notVisible, printOf, tokenOf } from '../ownership/intent.ts'
import { renderIntent } from '../ownership/intent-text.ts'
import { heldBy, marksAtCreate } from '../ownership/ownership.ts'
import { hasResource, recordCondition, recordOf, sameIdentity } from '../ownership/ownership-record.ts'
import type { Notes } from '../seen/notes.ts'
import type { Situation } from '../seen/seen.ts'
import { awsAction, note, type PlanAction, type ResourcePlan, stop, trouble } from './actions.ts'
import { confirmAbsence } from './confirmed-absence.ts'
import { tell, warn } from './events.ts'
import { waitForVisible } from './not-visible.ts'
import { noteAtCreate } from './sent.ts'

export function decideAbsent(situation: Situation): ResourcePlan {
  const { adoption, notes } = situation.seen
  if (adoption.kind === 'read-only')
    return trouble({ kind: 'backoff', reason: 'AdoptionFailed', message: 'read-only resource not found' })
  if (adoption.kind === 'adopt' || (adoption.kind === 'adopted' && adoption.policy !== 'adopt-or-create'))
    return trouble({ kind: 'backoff', reason: 'AdoptedResourceNotFound', message: 'adopted resource not found' })
  if (situation.seen.olderOwner !== undefined)
    return stop('DuplicateOwner', heldBy(situation.model.kind.kind, situation.seen.olderOwner))
  const late = isUnsent(situation) ? undefined : maybeLate(situation)
  if (late !== undefined) return late
  // What is made and never found must not be made again and again; of what was found in step since, somebody took it away.
  const { createdMs, creations } = notes
  const isUnseen = createdMs !== undefined && creations !== undefined
  const waitMs = isUnseen ? createdMs + againMsMin * 2 ** Math.min(creations, againDoublings) - situation.now : 0
  if (waitMs > 0) return trouble({ kind: 'wait', reason: 'NotVisibleYet', message: notVisible, retryAfterMs: waitMs })
  try {
    return create(situation)
  } catch (error) {
    if (error instanceof ValueError) return stop('InvalidManifest', error.message)
    throw error
  }
}

/** Our own record of the call stands since the last pass, and the call comes now: what is absent was never made. */
function isUnsent({ seen: { notes }, claim, now }: Situation): boolean {
  const { unsent } = notes
  return unsent !== undefined && unsent.token === tokenOf({ claim }) && now >= unsent.atMs && now - unsent.atMs < unsentMsMax
}

/** Far less than it takes another process to lead: one that led meanwhile may have sent the call. */
const unsentMsMax = 3_000

/** What may have been made all the same, and is seen late or left out by a list, is waited for or looked for once more. */
function maybeLate(situation: Situation): ResourcePlan | undefined {
  // A call that is known to have succeeded needs no second one; of one that nobody knows the end of, a second might make a second.
  if (isMaybeHidden(situation) && (situation.seen.notes.createdMs !== undefined || !isRepeatable(situation)))
    return waitForVisible(situation, 'wait', nextLookMs(situation))
  // What has a name is not made twice by a call too many; what was there is made anew with another token, and what bears no mark with another
  // record, which the old one must not make way for as long as it may be there.
  const wasThere = hasResource(recordOf(situation.claim))
  const isHarmless = isRepeatable(situation) && (!wasThere || (isNamed(situation) && marksAtCreate(situation)))
  return isHarmless ? undefined : confirmAbsence(situation)
}

/** Between create calls of one claim that leave nothing to be found: a minute, doubling to an hour. */
const againMsMin = 60_000
const againDoublings = 6

function create(situation: Situation): ResourcePlan {
  const { model, deviation, claim, place, seen, now } = situation
  const { wanted } = seen
  const token = tokenOf(situation)
  const intended = recordFirst(situation, token)
  if (intended !== undefined) return intended
  const operation = creationOf(model, wanted)
  const input = requestOf(model, operation, wanted, { method: 'Create', token })
  const adapted = deviation.create?.(input, { model, claim, wanted, place, token }) ?? input
  const call: PlannedCall = isCall(adapted) ? adapted : { operation, input: adapted, verb: 'CREATE' }
  const latest: Content = { spec: {}, status: {}, arn: wanted.arn }
  const follow = deviation.sync?.({ model, claim, wanted, latest, place, delta: [], isNew: true }) ?? []
  return {
    actions: [
      ...intentActions(situation, token),
      // Before the call and not after it: what is known of earlier calls and looks says nothing of one whose answer is lost.
      note(claim.metadata.uid, { ...knownOfEarlier, calledMs: now }),
      { ...awsAction(model, place, call), intent: token, uid: claim.metadata.uid },
      note(claim.metadata.uid, {
        createdMs: now,
        madeGeneration: claim.metadata.generation,
        creations: (seen.notes.creations ?? 0) + 1,
      }),
      ...follow.map(each => awsAction(model, place, each)),
      tell(claim, 'Created', `made in account ${place.account}, region ${place.region}`),
      ...(isMaybeSecond(situation) ? [warn(claim, 'MaybeMadeTwice', secondText)] : []),
    ],
    conditions: [],
    next: { kind: 'look-again', afterMs: 0, why: 'see what was made', lane: 'begun' },
  }
}

/** An earlier call of this creation may have gone out, and nothing there is tells what it made. */
function isMaybeSecond(situation: Situation): boolean {
  const record = recordOf(situation.claim)
  if (record.kind !== 'intended' || record.before !== undefined || isUnsent(situation)) return false
  return situation.seen.notes.refusedIntent !== record.intent.token && needsCount(situation)
}

const secondText =
  'the answer of an earlier create call is lost, AWS has no list that would tell what it made, and another call went out: look for a second one'

const knownOfEarlier: Notes = {
  unsent: undefined,
  refusedIntent: undefined,
  absentMs: undefined,
  deletedMs: undefined,
  deletions: undefined,
}

/** How old a record may be when its create call goes out: what was made is told by its birth, where nothing else tells. */
const intentAgeMsMax = 300_000

/**
 * What cannot carry our mark from its first moment is known by our record of the call, which has to stand in the status before the call goes
 * out. `undefined`: it stands there, or is not needed.
 */
function recordFirst(situation: Situation, token: string): ResourcePlan | undefined {
  const { claim, seen, now } = situation
  const sent = noteAtCreate(situation)
  if (marksAtCreate(situation)) return sent === undefined ? undefined : aboutToMake(situation, token, [sent])
  const record = recordOf(claim)
  const held = record.kind === 'intended' && record.intent.token === token ? record : undefined
  const identity = identityOf(situation, seen.wanted)
  const print = printOf(situation, seen.wanted)
  const isFresh = situation.deviation.proves === undefined || (held !== undefined && now - held.intent.atMs < intentAgeMsMax)
  const isNoted =
    held !== undefined && sameIdentity(held.identity, identity) && (print === undefined || held.intent.prints.includes(print))
  if (isNoted && isFresh && sent === undefined) return undefined
  const prints = print === undefined ? [] : [...new Set([...(held?.intent.prints ?? []), print])].slice(-printsMax)
  const condition = recordCondition({
    kind: 'intended',
    intent: { token, atMs: now, prints },
    identity,
    ...countedBefore(situation, held?.before),
  })
  return aboutToMake(
    situation,
    token,
    [condition, sent].filter(each => each !== undefined),
  )
}

/** Our records stand in the status before the call goes out. */
function aboutToMake(situation: Situation, token: string, records: readonly Condition[]): ResourcePlan {
  const { claim, now } = situation
  const about = [conditions.synced, conditions.ready].map(
    (type): Condition => ({ type, status: 'False', reason: 'Creating', message: 'the resource is about to be made' }),
  )
  return {
    actions: [
      ...intentActions(situation, token),
      ...(isBegun(situation, token) ? [] : [note(claim.metadata.uid, { unsent: { token, atMs: now } })]),
    ],
    conditions: [...records, ...about],
    next: { kind: 'look-again', afterMs: 0, why: 'our record comes before what it is about', lane: 'begun' },
  }
}

function countedBefore({ seen }: Situation, held: readonly string[] | undefined): { readonly before?: readonly string[] } {
  const before = (seen.inAws.kind === 'absent' ? seen.inAws.alike : undefined) ?? held
  return before === undefined ? {} : { before }
}

/** A call by this intent may have gone out already: the record is only renewed. */
function isBegun(situation: Situation, token: string): boolean {
  const record = recordOf(situation.claim)
  return intentOf(situation)?.token === token || (record.kind === 'intended' && record.intent.token === token)
}

/** Wishes of one creation whose answer was lost; whoever changes a manifest more often meanwhile is not waited for. */
const printsMax = 8

/** One write before the first effect: the finalizer, and the token by which a successor knows our create call. */
function intentActions(situation: Situation, token: string): readonly PlanAction[] {
  const { model, claim, now } = situation
  const { finalizers = [], uid, resourceVersion } = claim.metadata
  const isHeld = finalizers.includes(model.finalizer)
  const held = intentOf(situation)
  const print = printOf(situation, situation.seen.wanted)
  const isNoted = held?.token === token && (print === undefined || held.prints.includes(print))
  if (isHeld && isNoted) return []
  const before = held?.token === token ? held.prints : []
  const prints = print === undefined ? [] : [...before, print].slice(-printsMax)
  const metadata = {
    ...(isHeld ? {} : { finalizers: [...finalizers, model.finalizer] }),
    annotations: {
      [annotations.createIntent]: renderIntent({ token, atMs: now, prints }),
      ...secretNote(situation),
    },
  }
  const key = { namespace: claim.metadata.namespace ?? '', name: claim.metadata.name }
  return [{ kind: 'patch', type: model.type, key, patch: 'merge', body: { metadata }, uid, resourceVersion }]
}

function secretNote({ seen }: Situation): Readonly<Record<string, string>> {
  const hash = seen.secrets.kind === 'read' ? seen.secrets.hash : undefined
  return hash === undefined ? {} : { [annotations.secretHash]: hash }
}

function isCall(value: object): value is PlannedCall {
  return 'verb' in value && 'operation' in value
}
