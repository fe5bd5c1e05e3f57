// A resource that is ours and is there: what differs from the manifest is sent, or it is said why not.
import { assertNever, given } from '#base'
import type { Condition, KubeObject, ResourceType } from '#kube'
import { annotations, conditions, isAnnotatedTrue } from '../api.ts'
import type { Content } from '../model/request.ts'
import type { Situation } from '../seen/seen.ts'
import { annotate, awsAction, note, type PlanAction, type ResourcePlan, stop, trouble } from './actions.ts'
import { atRest, type RestOptions, statusOf } from './at-rest.ts'
import { policyOf, remove } from './deletion.ts'
import { tell, warn } from './events.ts'
import { settled } from './late-init.ts'
import { planOutput } from './plan-output.ts'
import { planUpdate, type Update } from './plan-update.ts'
import { choicesNote, notCarriedOut, noteAfter, noteBefore, untoldSaid } from './sent.ts'
import { gateOf, transientState } from './state.ts'

/** Validation records stand a few seconds after a request. */
const companionMs = 5_000

/** How long a reader may still get the state before an update. */
const showUpdateMs = 5_000
/** So many different updates of one generation that never come in step undo each other, and are tried again this seldom. */
const rowMax = 6
const undoneMs = 600_000

type SomeCalls = Extract<Update, { readonly kind: 'calls' }>

export function bringInStep(situation: Situation, latest: Content): ResourcePlan {
  const update = planUpdate(situation, latest)
  switch (update.kind) {
    case 'in-step':
      return inStep(situation, latest, update)
    case 'refused':
      return replacedInstead(situation, latest, update.message) ?? refusedFor(situation, latest, update)
    case 'calls':
      return (
        replacedInstead(situation, latest, update.refused) ??
        onlyTold(situation, latest, update.paths) ??
        notUpdatedInThisState(situation, latest) ??
        waitForTheLastUpdate(situation, latest, update) ??
        firstOurRecord(situation, update) ??
        sendUpdate(situation, latest, update)
      )
    default:
      return assertNever(update)
  }
}

/** What only some kinds have is looked after as well: a Secret that is written to, and objects beside the resource. */
function inStep(situation: Situation, latest: Content, update: Extract<Update, { readonly kind: 'in-step' }>): ResourcePlan {
  const { output, companions } = situation.deviation
  const exported = output === undefined ? undefined : planOutput(situation, latest, output)
  if (exported !== undefined) return exported
  const plan = settled(situation, latest, inStepSaid(situation, latest, update))
  return companions === undefined ? plan : withCompanions(situation, plan, companions(situation.claim, latest))
}

function refusedFor(situation: Situation, latest: Content, update: Extract<Update, { readonly kind: 'refused' }>): ResourcePlan {
  const choices = choicesNote(situation, update.hasOwnChoices)
  if (choices !== undefined) return recordFirst(choices)
  return { ...stop('NotUpdatable', update.message), status: statusOf(situation, latest) }
}

/** A plan of nothing but our record, which leaves all else that is said as it is. */
function recordFirst(record: Condition): ResourcePlan {
  return {
    actions: [],
    conditions: [record],
    next: { kind: 'look-again', afterMs: 0, why: 'our record comes before what it is about', lane: 'begun' },
  }
}

/** Where a change that no API makes may be made by a new resource in the place of this one. */
function replacedInstead(situation: Situation, latest: Content, refused: string | undefined): ResourcePlan | undefined {
  if (refused === undefined || !isAnnotatedTrue(situation.claim, annotations.allowReplace)) return undefined
  return replace(situation, latest, refused)
}

/** A resource that is still being made or changed takes no update. */
function notUpdatedInThisState(situation: Situation, latest: Content): ResourcePlan | undefined {
  const { model } = situation
  const gate = gateOf(model.kind.settings.updateable, latest)
  if (gate !== undefined) {
    const message = `resource is in ${gate.state} state, cannot be updated`
    return trouble({ kind: 'wait', reason: 'InUse', message, retryAfterMs: gate.afterMs })
  }
  const transient = model.kind.settings.updateable === undefined ? transientState(model, latest) : undefined
  if (transient === undefined) return undefined
  return atRest(situation, latest, { advisories: [], unsynced: `resource is in ${transient} state, cannot be updated` })
}

/** The same update again: perhaps AWS only does not show the first one yet. Other ones in a row: perhaps they undo each other. */
function waitForTheLastUpdate(situation: Situation, latest: Content, update: SomeCalls): ResourcePlan | undefined {
  const { now, seen } = situation
  const held = seen.notes.update
  if (held?.hash !== update.hash) {
    const leftMs = (held?.lastMs ?? now) + undoneMs - now
    if (updatesInARow(situation) < rowMax || leftMs <= 0) return undefined
    const message = `updates undo each other, the last one of ${update.paths.join(', ')}: fields of the spec exclude each other, leave one out`
    return trouble({ kind: 'wait', reason: 'UpdatesUndone', message, retryAfterMs: leftMs })
  }
  const waitMs = held.lastMs + showUpdateMs - now
  if (waitMs <= 0) return undefined
  const unsynced = `${update.paths.join(', ')} was updated, and AWS does not show it yet`
  const next = { kind: 'look-again', afterMs: waitMs, why: 'see what the update did' } as const
  return { ...atRest(situation, latest, { advisories: [], unsynced }), next }
}

/** How many updates this generation of the manifest has led to. */
function updatesInARow({ claim, seen }: Situation): number {
  const held = seen.notes.update
  return held !== undefined && held.generation === claim.metadata.generation ? held.row : 0
}

function firstOurRecord(situation: Situation, { sent }: SomeCalls): ResourcePlan | undefined {
  const before = noteBefore(situation, sent)
  return before === undefined ? undefined : recordFirst(before)
}

function sendUpdate(situation: Situation, latest: Content, update: SomeCalls): ResourcePlan {
  const { model, claim, place, now, seen } = situation
  const held = seen.notes.update
  const isRepeat = held?.hash === update.hash
  const sent = noteAfter(situation, update.sent)
  return {
    actions: [
      ...update.calls.map(call => awsAction(model, place, call)),
      ...(update.secretHash === undefined ? [] : [annotate(model, claim, { [annotations.secretHash]: update.secretHash })]),
      note(claim.metadata.uid, {
        update: {
          hash: update.hash,
          sent: isRepeat ? held.sent + 1 : 1,
          lastMs: now,
          row: updatesInARow(situation) + 1,
          generation: claim.metadata.generation,
        },
      }),
      ...(isRepeat ? [] : [told(situation, update.paths)]),
    ],
    conditions: sent === undefined ? [] : [sent],
    // This status is written only where a call fails; what was seen of the resource is known even then.
    status: statusOf(situation, latest),
    next: { kind: 'look-again', afterMs: 0, why: 'see what the update did', lane: 'begun' },
  }
}

/** What is said of a resource that is as it should be, as far as anybody can know: every field of the manifest of which that is not so, by name. */
function inStepSaid(
  situation: Situation,
  latest: Content,
  { advisories, left = [], kept, staying, hasOwnChoices }: Extract<Update, { readonly kind: 'in-step' }>,
): RestOptions {
  const { advisories: ofUntold, unsynced } = untoldSaid(situation, latest)
  const leftText = `nothing here changes ${left.join(', ')}, and AWS has something else there`
  const unsaid = left.length > 0 ? leftText : (kept ?? unsynced)
  return {
    advisories: [...advisories, ...ofUntold, ...(left.length === 0 ? [] : [notCarriedOut(leftText)])],
    ...given({ unsynced: unsaid, staying, hasOwnChoices }),
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
function withCompanions({ claim }: Situation, plan: ResourcePlan, companions: readonly KubeObject[] | undefined): ResourcePlan {
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
