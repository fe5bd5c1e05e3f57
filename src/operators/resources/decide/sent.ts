// Fields that no read tells, and parts that can be taken away: whether AWS has what the manifest says is known by what was sent. A print of each
// value that went out stands in the status, where nobody else writes. Of a resource that is taken over it says nothing.
import { createHash } from 'node:crypto'
import type { Condition } from '#kube'
import { conditions } from '../api.ts'
import { inOrder, isAtOrBelow } from '../delta/compare.ts'
import { type Deviation, isLookedAfter } from '../kinds/deviation.ts'
import { showsTags } from '../model/answer.ts'
import { isAttributesMap } from '../model/attributes.ts'
import { entriesOf } from '../model/entries.ts'
import { inputOf, type KindModel, onceOfKind } from '../model/kind-model.ts'
import { fieldOf } from '../model/own-names.ts'
import { partWith } from '../model/parts.ts'
import { type Content, creationOf } from '../model/request.ts'
import { isSentOnRecord, type Sent, sentCondition, sentOf } from '../model/sent.ts'
import { tagField, tagsIn } from '../model/tags.ts'
import { takesWithin, type Untold, untoldOf, valueAtPath } from '../model/untold.ts'
import { mayHoldSecret } from '../secrets/named-secrets.ts'
import type { Situation } from '../seen/seen.ts'
import { spokenKey, spokenPrint } from './spoken-of.ts'

/** What no read tells, and no code of the kind's own looks after. */
const untoldBy: (model: KindModel, deviation: Deviation) => readonly Untold[] = onceOfKind((model, deviation) =>
  deviation.read === undefined && deviation.readMore === undefined
    ? untoldOf(model).filter(({ field }) => !isLookedAfter(deviation, field.camel))
    : [],
)

function isGiven({ model, seen }: Situation, { path }: Untold): boolean {
  return valueAtPath(model, seen.wanted.spec, path) !== undefined
}

/** More people may read the claim than its Secrets: of these only their hash is printed, which is keyed. */
function printOf({ model, claim, seen }: Situation, { path, field }: Untold): string {
  const holdsSecret = mayHoldSecret(model, field)
  const value = inOrder(valueAtPath(model, (holdsSecret ? claim.spec : seen.wanted.spec) ?? {}, path))
  const hash = holdsSecret && seen.secrets.kind === 'read' ? [seen.secrets.hash] : []
  return createHash('sha256')
    .update(JSON.stringify([value, ...hash]))
    .digest('hex')
    .slice(0, 8)
}

/** What has to be remembered once it went out: fields that no read tells, and parts and entries that can be taken away again. */
function remembered(situation: Situation): readonly Untold[] {
  const untolds = untoldBy(situation.model, situation.deviation)
  const removable = (situation.model.kind.parts ?? []).filter(({ remove }) => remove !== undefined)
  const parts = removable.flatMap(({ fields }) => fields.flatMap(({ field }) => situation.model.spec.named(field) ?? []))
  const entries = entriesOf(situation.model).map(({ field }) => field)
  const own = [...new Set([...parts, ...entries])].filter(({ camel }) => !isLookedAfter(situation.deviation, camel))
  const others = own.filter(({ camel }) => !untolds.some(({ path }) => path === camel))
  return [...untolds, ...others.map(field => ({ path: field.camel, field }))]
}

/** The record before a create call: what that call carries. Written even when it carries none of it, so that a later wish is known as one. */
export function noteAtCreate(situation: Situation): Condition | undefined {
  const fields = remembered(situation)
  if (fields.length === 0) return undefined
  const create = creationOf(situation.model, situation.seen.wanted)
  const given = fields.filter(each => isGiven(situation, each) && isTakenBy(situation, create, each))
  return sentCondition(situation.claim, Object.fromEntries(given.map(each => [each.path, printOf(situation, each)])))
}

/**
 * The record before calls that are the first to carry a field: a call whose answer is lost may have taken hold, and what is taken out of the
 * manifest afterwards would be forgotten.
 */
export function noteBefore(situation: Situation, paths: readonly string[]): Condition | undefined {
  const sent = sentOf(situation.claim)
  const fresh = remembered(situation).filter(
    each => isGiven(situation, each) && sent[each.path] === undefined && isAbout(situation, paths, each),
  )
  if (fresh.length === 0) return undefined
  return sentCondition(situation.claim, { ...sent, ...Object.fromEntries(fresh.map(({ path }) => [path, ''])) })
}

/** The record after calls that carried these paths. */
export function noteAfter(situation: Situation, paths: readonly string[]): Condition | undefined {
  const fields = remembered(situation).filter(each => isAbout(situation, paths, each))
  if (fields.length === 0) return undefined
  const prints: Record<string, string> = { ...sentOf(situation.claim) }
  for (const each of fields) {
    if (isGiven(situation, each)) prints[each.path] = printOf(situation, each)
    else delete prints[each.path]
  }
  return sentCondition(situation.claim, prints)
}

/** Whether calls about these paths carry it: what is within a field goes out with all that the manifest says of the field. */
function isAbout(situation: Situation, paths: readonly string[], { path, field }: Untold): boolean {
  const isTold = path !== field.camel
  return (
    paths.some(each => isAtOrBelow(each, `Spec.${field.camel}`)) && (!isTold || isCarried(situation, { path, field }, 'later'))
  )
}

/** Paths of what the manifest says otherwise than when it was sent. */
export function changedSince(situation: Situation): readonly string[] {
  if (!isSentOnRecord(situation.claim)) return []
  const sent = sentOf(situation.claim)
  return untoldBy(situation.model, situation.deviation)
    .filter(each =>
      isGiven(situation, each)
        ? isCarried(situation, each) && sent[each.path]?.replace('?', '') !== printOf(situation, each)
        : isTakenOut(situation, each, sent),
    )
    .map(({ path }) => `Spec.${path}`)
}

/** What was sent and can be taken away: by a call of its own, or by one with the rest of the field that it is within. */
function isTakenOut(situation: Situation, { path, field }: Untold, sent: Sent): boolean {
  if (sent[path] === undefined) return false
  if (path === field.camel) return partWith(situation.model, path)?.remove !== undefined
  return isGiven(situation, { path: field.camel, field }) && isCarried(situation, { path, field }, 'later')
}

/** Paths of what was sent, is not in the manifest any more, and is told by nobody: it may be there still. */
export function sentAndGone(situation: Situation): readonly string[] {
  const sent = sentOf(situation.claim)
  return untoldBy(situation.model, situation.deviation)
    .filter(each => sent[each.path] !== undefined && !isGiven(situation, each))
    .map(({ path }) => `Spec.${path}`)
}

/** What is noted of a resource in step: where it has no record, its fields are taken as they are, and AWS's own choices are known as such. */
export function takenNote(situation: Situation, hasOwnChoices: boolean): Condition | undefined {
  const { claim } = situation
  const fields = untoldBy(situation.model, situation.deviation).filter(
    each => isGiven(situation, each) && isCarried(situation, each),
  )
  const taken = isSentOnRecord(claim) ? [] : fields.map(each => [each.path, `?${printOf(situation, each)}`] as const)
  const spoken = spokenNote(situation, hasOwnChoices)
  if (taken.length === 0 && spoken === undefined) return undefined
  return sentCondition(claim, { ...sentOf(claim), ...Object.fromEntries(taken), ...spoken })
}

/** What is noted where nothing more can be sent: the next process is to know what AWS chose, and not send it once more. */
export function choicesNote(situation: Situation, hasOwnChoices: boolean): Condition | undefined {
  const spoken = spokenNote(situation, hasOwnChoices)
  return spoken === undefined ? undefined : sentCondition(situation.claim, { ...sentOf(situation.claim), ...spoken })
}

/** Of what a manifest speaks whose sendable parts were sent. Once it is on record it goes with the manifest: an old one would hide what is taken out later. */
function spokenNote(situation: Situation, hasOwnChoices: boolean): Sent | undefined {
  const { claim } = situation
  const isNoted = sentOf(claim)[spokenKey] !== undefined || (hasOwnChoices && claim.metadata.generation !== 1)
  return isNoted ? { [spokenKey]: spokenPrint(situation) } : undefined
}

/** What cannot be known, and what nothing carries out: each field by name. */
export function untoldSaid(
  situation: Situation,
  latest: Content,
): { readonly advisories: readonly Condition[]; readonly unsynced?: string } {
  const sent = sentOf(situation.claim)
  const given = untoldBy(situation.model, situation.deviation).filter(each => isGiven(situation, each))
  const idle = given.filter(each => !isCarried(situation, each)).map(({ path }) => `Spec.${path}`)
  const unknown = given.filter(each => isCarried(situation, each) && sent[each.path]?.startsWith('?') !== false)
  const unasked = unaskedTags(situation, latest)
  const unsent = `nothing here sends ${idle.join(', ')} to AWS`
  const unsynced = [...(idle.length === 0 ? [] : [unsent]), ...unasked]
  const names = unknown.map(({ path }) => `Spec.${path}`).join(', ')
  const taken = `AWS does not tell ${names}; they are taken to be as the manifest says`
  return {
    advisories: [
      ...unsynced.map(notCarriedOut),
      ...(unknown.length === 0 ? [] : [{ ...notCarriedOut(taken), reason: 'NotReadable' }]),
    ],
    ...(unsynced.length === 0 ? {} : { unsynced: unsynced.join('; ') }),
  }
}

/** Tags that a look at the kind shows, and a look at this very resource did not: nobody knows by what AWS would have to be asked. */
function unaskedTags({ model, claim }: Situation, latest: Content): readonly string[] {
  const isUnasked = latest.hasUntoldTags === true && showsTags(model)
  const isGivenTags = Object.keys(tagsIn(model, claim.spec ?? {})).length > 0
  if (!isUnasked || !isGivenTags) return []
  return [`AWS cannot be asked for Spec.${tagField(model)}: what names this resource there is not known`]
}

export function notCarriedOut(message: string): Condition {
  return { type: conditions.advisory, status: 'True', reason: 'NotCarriedOut', message }
}

/** Whether any operation takes it: the one that makes the resource, those that change it, or one for this part. */
function isCarried(situation: Situation, each: Untold, when: 'ever' | 'later' = 'ever'): boolean {
  const { model } = situation
  const { create, update, replace, setAttributes } = model.kind.operations
  if (each.field.attribute === true) return true
  const makings = when === 'later' ? [] : [create, ...(model.kind.makings ?? []).map(({ operation }) => operation)]
  const part = partWith(model, each.field.camel)
  if (part !== undefined && takesWithin(model, part.operation, each.path)) return true
  return [...makings, update, replace, setAttributes].some(operation => isTakenBy(situation, operation, each))
}

function isTakenBy({ model }: Situation, operation: string | undefined, { path, field }: Untold): boolean {
  if (operation === undefined) return false
  const isMember = Object.entries(inputOf(model.service.model, operation).members).some(
    ([name, member]) =>
      fieldOf(model, operation, name)?.camel === field.camel ||
      (isAttributesMap(model, name, member) && field.attribute === true),
  )
  return isMember && takesWithin(model, operation, path)
}
