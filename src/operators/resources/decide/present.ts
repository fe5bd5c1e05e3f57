// The resource is there: is it ours, is it as it should be, and is it usable?

import { given } from '#base'
import type { Condition, KubeObject, ResourceType } from '#kube'
import { annotations, conditions, isAnnotatedTrue, ownerTag } from '../api.ts'
import { ValueError } from '../model/convert.ts'
import { nameByArn } from '../model/named-by-arn.ts'
import type { Content } from '../model/request.ts'
import { nothingSent } from '../model/sent.ts'
import { isReserved, tagsIn, withTags } from '../model/tags.ts'
import { identityOf } from '../ownership/identity.ts'
import { isMaybeOurs } from '../ownership/intent.ts'
import { hasUnexpectedMarks, ownershipOf, unexpectedText } from '../ownership/ownership.ts'
import { recordCondition, recordOf } from '../ownership/ownership-record.ts'
import type { Situation } from '../seen/seen.ts'
import { annotate, awsAction, note, type PlanAction, type ResourcePlan, stop, trouble } from './actions.ts'
import { atRest, type RestOptions, statusOf } from './at-rest.ts'
import { policyOf, remove } from './deletion.ts'
import { tell, warn } from './events.ts'
import { isSettled } from './late-init.ts'
import { waitForVisible } from './not-visible.ts'
import { planOutput } from './plan-output.ts'
import { planUpdate, type Update } from './plan-update.ts'
import { notCarriedOut, noteAfter, noteBefore, untoldSaid } from './sent.ts'
import { gateOf, transientState } from './state.ts'

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

/** Only looked at: what a lookup found is read directly from now on. */
function lookedAt(situation: Situation, latest: Content): ResourcePlan {
  const { seen, claim } = situation
  const plan = atRest(situation, latest, { advisories: [] })
  const found = seen.inAws.kind === 'present' ? seen.inAws.lookedUp : undefined
  if (found === undefined || found.identifiers === seen.notes.lookedUp?.identifiers) return plan
  return { ...plan, actions: [...plan.actions, note(claim.metadata.uid, { lookedUp: found })] }
}

/** Why it is not taken over, where the manifest wants that only of what carries a certain tag. */
function withoutTag({ model, claim, seen }: Situation, latest: Content): string | undefined {
  const key = claim.metadata.annotations?.[annotations.adoptionTag]
  if (key === undefined) return undefined
  const wanted = tagsIn(model, seen.wanted.spec)[key]
  return wanted !== undefined && tagsIn(model, latest.spec)[key] === wanted
    ? undefined
    : `Resource already exists, and is not adopted: it does not carry the tag ${key} of this manifest`
}

/** Somebody took our finalizer away; the mark on the resource says that it is ours. */
function hold({ claim, model }: Situation): ResourcePlan {
  const action: PlanAction = { kind: 'add-finalizer', type: model.type, object: claim, finalizer: model.finalizer }
  return { actions: [action], conditions: [], next: { kind: 'look-again', afterMs: 0, why: 'managed again', lane: 'begun' } }
}

/** Our record first: without it, the annotation that follows is one that anybody could have written. */
function adopt(situation: Situation, latest: Content, policy: 'adopt' | 'adopt-or-create'): ResourcePlan {
  const stranger = withoutTag(situation, latest)
  if (stranger !== undefined) return stop('ResourceExists', stranger)
  const record = recordOf(situation.claim)
  const isOnRecord = record.kind === 'adopted' && ownershipOf(situation, latest).kind === 'ours'
  return isOnRecord
    ? takeOver(situation, latest, policy === 'adopt' ? { spec: ownSpec(situation, latest) } : {})
    : putOnRecord(situation, latest)
}

function putOnRecord(situation: Situation, latest: Content): ResourcePlan {
  const { model } = situation
  const identity = latest.arn === undefined ? identityOf(situation, latest) : {}
  const formerMark = tagsIn(model, latest.spec)[ownerTag]
  const note = recordCondition({ kind: 'adopted', formerMark, identity })
  return {
    actions: [],
    conditions: [...(note === undefined ? [] : [note]), ...adopted, ...nothingSent(situation.claim)],
    status: statusOf(situation, latest),
    next: { kind: 'look-again', afterMs: 0, why: adoptedText, lane: 'begun' },
  }
}

function takeOver(situation: Situation, latest: Content, more: { readonly spec?: unknown }): ResourcePlan {
  const { claim, model } = situation
  const { uid, resourceVersion, finalizers = [] } = claim.metadata
  const metadata = {
    ...(finalizers.includes(model.finalizer) ? {} : { finalizers: [...finalizers, model.finalizer] }),
    annotations: { [annotations.adopted]: 'true' },
  }
  const key = { namespace: claim.metadata.namespace ?? '', name: claim.metadata.name }
  const body = { metadata, ...more }
  return {
    actions: [
      { kind: 'patch', type: model.type, key, patch: 'merge', body, uid, resourceVersion },
      tell(claim, 'Adopted', `taken over${latest.arn === undefined ? '' : ` ${latest.arn}`}`),
    ],
    conditions: adopted,
    next: { kind: 'look-again', afterMs: 0, why: adoptedText, lane: 'begun' },
  }
}

const adoptedText = 'the resource was adopted and is looked at next'

const adopted = [conditions.synced, conditions.ready].map(
  (type): Condition => ({ type, status: 'False', reason: 'Adopted', message: adoptedText }),
)

/** What AWS has, as a manifest of its own: without the tags that are not the user's. */
function ownSpec({ model, seen, deviation, claim }: Situation, latest: Content): unknown {
  const defaults = Object.keys(tagsIn(model, seen.wanted.spec))
  const kept = Object.entries(tagsIn(model, latest.spec)).filter(
    ([key]) => !isReserved(key) && key !== ownerTag && !defaults.includes(key),
  )
  const spec = deviation.adoptedSpec?.(latest.spec, latest) ?? latest.spec
  const said = claim.spec?.['region']
  const region = model.kind.settings.regionInSpec === true && said !== undefined ? { region: said } : {}
  return withTags(model, { ...nameByArn(model, latest), ...spec, ...region }, Object.fromEntries(kept))
}

function bringInStep(situation: Situation, latest: Content): ResourcePlan {
  const { model, claim, place, now, seen } = situation
  const update = planUpdate(situation, latest)
  const refused = update.kind === 'refused' ? update.message : update.kind === 'calls' ? update.refused : undefined
  const replaced =
    refused !== undefined && isAnnotatedTrue(claim, annotations.allowReplace) ? replace(situation, latest, refused) : undefined
  if (replaced !== undefined) return replaced
  if (update.kind === 'refused') return { ...stop('NotUpdatable', update.message), status: statusOf(situation, latest) }
  const uid = claim.metadata.uid
  if (update.kind === 'in-step')
    return (
      planOutput(situation, latest) ??
      withCompanions(situation, latest, isSettled(situation, latest, inStepSaid(situation, update)))
    )
  const onlyTelling = onlyTold(situation, latest, update.paths)
  if (onlyTelling !== undefined) return onlyTelling
  const gate = gateOf(model, model.kind.settings.updateable, latest)
  if (gate !== undefined) {
    const message = `resource is in ${gate.state} state, cannot be updated`
    return trouble({ kind: 'wait', reason: 'InUse', message, retryAfterMs: gate.afterMs })
  }
  const transient = model.kind.settings.updateable === undefined ? transientState(model, latest) : undefined
  if (transient !== undefined)
    return atRest(situation, latest, { advisories: [], unsynced: `resource is in ${transient} state, cannot be updated` })
  const held = seen.notes.update
  const isRepeat = held?.hash === update.hash
  // The same update again: perhaps AWS only does not show the first one yet.
  const waitMs = isRepeat ? held.lastMs + showUpdateMs * held.sent - now : 0
  const row = held?.generation === claim.metadata.generation ? (held?.row ?? 0) : 0
  if (!isRepeat && row >= rowMax) {
    const message = `updates undo each other, the last one of ${update.paths.join(', ')}: fields of the spec exclude each other, leave one out`
    const leftMs = (held?.lastMs ?? now) + undoneMs - now
    if (leftMs > 0) return trouble({ kind: 'wait', reason: 'UpdatesUndone', message, retryAfterMs: leftMs })
  }
  if (waitMs > 0) {
    const unsynced = `${update.paths.join(', ')} was updated, and AWS does not show it yet`
    const next = { kind: 'look-again', afterMs: waitMs, why: 'see what the update did' } as const
    return { ...atRest(situation, latest, { advisories: [], unsynced }), next }
  }
  const before = noteBefore(situation, update.sent)
  if (before !== undefined)
    return {
      actions: [],
      conditions: [before],
      next: { kind: 'look-again', afterMs: 0, why: 'our record comes before what it is about', lane: 'begun' },
    }
  const sent = noteAfter(situation, update.sent)
  return {
    actions: [
      ...update.calls.map(call => awsAction(model, place, call)),
      ...(update.secretHash === undefined ? [] : [annotate(model, claim, { [annotations.secretHash]: update.secretHash })]),
      note(uid, {
        update: {
          hash: update.hash,
          sent: isRepeat ? held.sent + 1 : 1,
          lastMs: now,
          row: row + 1,
          generation: claim.metadata.generation,
        },
      }),
      ...(isRepeat ? [] : [told(situation, update.paths)]),
    ],
    conditions: sent === undefined ? [] : [sent],
    // Said only where a call fails: what is there is known all the same.
    status: statusOf(situation, latest),
    next: { kind: 'look-again', afterMs: 0, why: 'see what the update did', lane: 'begun' },
  }
}

/** What is said of a resource that is as it should be, as far as anybody can know: every field of the manifest of which that is not so, by name. */
function inStepSaid(
  situation: Situation,
  { advisories, left = [], kept }: Extract<Update, { readonly kind: 'in-step' }>,
): RestOptions {
  const { advisories: ofUntold, unsynced } = untoldSaid(situation)
  const leftText = `nothing here changes ${left.join(', ')}, and AWS has something else there`
  const unsaid = left.length > 0 ? leftText : (kept ?? unsynced)
  return {
    advisories: [...advisories, ...ofUntold, ...(left.length === 0 ? [] : [notCarriedOut(leftText)])],
    ...given({ unsynced: unsaid }),
  }
}

/** A manifest that did not change since it was in step: somebody else changed the resource. */
function told({ claim, seen }: Situation, paths: readonly string[]): PlanAction {
  const where = paths.join(', ')
  if (seen.notes.inStepWith === undefined || seen.notes.inStepWith !== claim.metadata.generation)
    return tell(claim, 'Updated', where)
  return warn(claim, 'DriftDetected', `somebody else had changed ${where}; it was changed back`)
}

/** The resource goes, and the next pass that sees it gone makes it anew. Not where it is to be kept. */
function replace(situation: Situation, latest: Content, why: string): ResourcePlan | undefined {
  if (policyOf(situation) === 'retain' || isAnnotatedTrue(situation.claim, annotations.deletionProtection)) return undefined
  const plan = remove(situation, latest)
  const message = `the resource is being replaced: ${why}`
  const said = [conditions.synced, conditions.ready].map(
    type => ({ type, status: 'False', reason: 'Replacing', message }) as const,
  )
  const isSent = plan.actions.some(({ kind }) => kind === 'act:aws')
  return { ...plan, actions: [...plan.actions, ...(isSent ? [tell(situation.claim, 'Replaced', why)] : [])], conditions: said }
}

/** Where drift is only told: what differs although the manifest is the one that was in step. */
function onlyTold(situation: Situation, latest: Content, paths: readonly string[]): ResourcePlan | undefined {
  const { claim, seen } = situation
  const policy = claim.metadata.annotations?.[annotations.driftPolicy] ?? seen.namespaceAnnotations[annotations.driftPolicy]
  if (policy !== 'detect-only' || claim.metadata.annotations?.[annotations.inStepWith] !== String(claim.metadata.generation))
    return undefined
  const message = `somebody else changed ${paths.join(', ')}; ${annotations.driftPolicy} leaves it so`
  const advisory = { type: conditions.advisory, status: 'True', reason: 'DriftDetected', message } as const
  return atRest(situation, latest, { advisories: [advisory], unsynced: message })
}

/** Objects that the claim asks for beside the resource: gone with the claim, since it owns them. */
function withCompanions({ claim, deviation }: Situation, latest: Content, plan: ResourcePlan): ResourcePlan {
  const companions = deviation.companions?.(claim, latest)
  if (deviation.companions === undefined) return plan
  if (companions === undefined)
    return { ...plan, next: { kind: 'look-again', afterMs: companionMs, why: 'AWS says soon what is needed' } }
  const { name, uid } = claim.metadata
  const owner = { apiVersion: claim.apiVersion, kind: claim.kind, name, uid, controller: true, blockOwnerDeletion: true }
  const applied = companions.map(
    (object): PlanAction => ({
      kind: 'apply',
      type: companionType(object),
      object: { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } },
    }),
  )
  return { ...plan, actions: [...applied, ...plan.actions] }
}

/** By the names that every kind of ours has: the plural is the kind in lower case with an s. */
function companionType({ apiVersion, kind }: KubeObject): ResourceType {
  const [group = '', version = ''] = apiVersion.split('/')
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true }
}

/** Validation records stand a few seconds after a request. */
const companionMs = 5_000

/** How long a reader may still get the state before an update. */
const showUpdateMs = 5_000
/** So many different updates of one generation that never come in step undo each other, and are tried again this seldom. */
const rowMax = 6
const undoneMs = 600_000
