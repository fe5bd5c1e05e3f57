// Fields that no read tells, and parts that can be taken away: whether AWS has what the manifest says is known by what was sent. A print of each
// value that went out stands in the status, where nobody else writes. Of a resource that is taken over it says nothing.
import { createHash } from 'node:crypto'
import type { ResourceField } from '#aws'
import type { Condition } from '#kube'
import { conditions } from '../api.ts'
import { inOrder, isAtOrBelow } from '../delta/compare.ts'
import { isLookedAfter } from '../kinds/looked-after.ts'
import { isAttributesMap } from '../model/attributes.ts'
import { entriesOf } from '../model/entries.ts'
import { inputOf } from '../model/kind-model.ts'
import { creationOf } from '../model/makings.ts'
import { partWith } from '../model/parts.ts'
import { fieldOf } from '../model/request.ts'
import { isSentOnRecord, sentCondition, sentOf } from '../model/sent.ts'
import { mayHoldSecret } from '../secrets/named-secrets.ts'
import type { Situation } from '../seen/seen.ts'

/** The fields that no read tells, and that no code of the kind's own looks after. */
function untold({ model, deviation }: Pick<Situation, 'model' | 'deviation'>): readonly ResourceField[] {
  if (deviation.read !== undefined || deviation.readMore !== undefined) return []
  return (model.kind.untold ?? []).flatMap(camel => (isLookedAfter(deviation, camel) ? [] : (model.spec.named(camel) ?? [])))
}

function isGiven({ seen }: Situation, { json }: ResourceField): boolean {
  return (seen.wanted.spec[json] ?? undefined) !== undefined
}

/** More people may read the claim than its Secrets: of these only their hash is printed, which is keyed. */
function printOf({ model, claim, seen }: Situation, field: ResourceField): string {
  const holdsSecret = mayHoldSecret(model, [field])
  const value = inOrder((holdsSecret ? claim.spec : seen.wanted.spec)?.[field.json])
  const hash = holdsSecret && seen.secrets.kind === 'read' ? [seen.secrets.hash] : []
  return createHash('sha256')
    .update(JSON.stringify([value, ...hash]))
    .digest('hex')
    .slice(0, 8)
}

/** What has to be remembered once it went out: fields that no read tells, and parts and entries that can be taken away again. */
function remembered(situation: Situation): readonly ResourceField[] {
  const removable = (situation.model.kind.parts ?? []).filter(({ remove }) => remove !== undefined)
  const parts = removable.flatMap(({ fields }) => fields.flatMap(({ field }) => situation.model.spec.named(field) ?? []))
  const entries = entriesOf(situation.model).map(({ field }) => field)
  const own = [...parts, ...entries].filter(({ camel }) => !isLookedAfter(situation.deviation, camel))
  return [...new Set([...untold(situation), ...own])]
}

/** The record before a create call: what that call carries. Written even when it carries none of it, so that a later wish is known as one. */
export function noteAtCreate(situation: Situation): Condition | undefined {
  const fields = remembered(situation)
  if (fields.length === 0) return undefined
  const create = creationOf(situation.model, situation.seen.wanted)
  const given = fields.filter(field => isGiven(situation, field) && isTakenBy(situation, create, field))
  return sentCondition(situation.claim, Object.fromEntries(given.map(field => [field.camel, printOf(situation, field)])))
}

/**
 * The record before calls that are the first to carry a field: a call whose answer is lost may have taken hold, and what is taken out of the
 * manifest afterwards would be forgotten.
 */
export function noteBefore(situation: Situation, paths: readonly string[]): Condition | undefined {
  const sent = sentOf(situation.claim)
  const fresh = remembered(situation).filter(
    field =>
      isGiven(situation, field) &&
      sent[field.camel] === undefined &&
      paths.some(path => isAtOrBelow(path, `Spec.${field.camel}`)),
  )
  if (fresh.length === 0) return undefined
  return sentCondition(situation.claim, { ...sent, ...Object.fromEntries(fresh.map(({ camel }) => [camel, ''])) })
}

/** The record after calls that carried these paths. */
export function noteAfter(situation: Situation, paths: readonly string[]): Condition | undefined {
  const fields = remembered(situation).filter(({ camel }) => paths.some(path => isAtOrBelow(path, `Spec.${camel}`)))
  if (fields.length === 0) return undefined
  const prints: Record<string, string> = { ...sentOf(situation.claim) }
  for (const field of fields) {
    if (isGiven(situation, field)) prints[field.camel] = printOf(situation, field)
    else delete prints[field.camel]
  }
  return sentCondition(situation.claim, prints)
}

/** Paths of what the manifest says otherwise than when it was sent. */
export function changedSince(situation: Situation): readonly string[] {
  if (!isSentOnRecord(situation.claim)) return []
  const sent = sentOf(situation.claim)
  return untold(situation)
    .filter(field => isGiven(situation, field) && isCarried(situation, field))
    .filter(field => sent[field.camel]?.replace('?', '') !== printOf(situation, field))
    .map(({ camel }) => `Spec.${camel}`)
}

/** What is noted of a resource in step that has no record: its fields are taken as they are. */
export function takenNote(situation: Situation): Condition | undefined {
  const fields = untold(situation).filter(field => isGiven(situation, field) && isCarried(situation, field))
  if (isSentOnRecord(situation.claim) || fields.length === 0) return undefined
  return sentCondition(situation.claim, Object.fromEntries(fields.map(field => [field.camel, `?${printOf(situation, field)}`])))
}

/** What cannot be known, and what nothing carries out: each field by name. */
export function untoldSaid(situation: Situation): { readonly advisories: readonly Condition[]; readonly unsynced?: string } {
  const sent = sentOf(situation.claim)
  const given = untold(situation).filter(field => isGiven(situation, field))
  const idle = given.filter(field => !isCarried(situation, field)).map(({ camel }) => `Spec.${camel}`)
  const unknown = given.filter(field => isCarried(situation, field) && sent[field.camel]?.startsWith('?') !== false)
  const unsynced = `nothing here sends ${idle.join(', ')} to AWS`
  const names = unknown.map(({ camel }) => `Spec.${camel}`).join(', ')
  const taken = `AWS does not tell ${names}; they are taken to be as the manifest says`
  return {
    advisories: [
      ...(idle.length === 0 ? [] : [notCarriedOut(unsynced)]),
      ...(unknown.length === 0 ? [] : [{ ...notCarriedOut(taken), reason: 'NotReadable' }]),
    ],
    ...(idle.length === 0 ? {} : { unsynced }),
  }
}

export function notCarriedOut(message: string): Condition {
  return { type: conditions.advisory, status: 'True', reason: 'NotCarriedOut', message }
}

/** Whether any operation takes the field: the one that makes the resource, those that change it, or one for this part. */
function isCarried(situation: Situation, field: ResourceField): boolean {
  const { create, update, replace, setAttributes } = situation.model.kind.operations
  if (partWith(situation.model, field.camel) !== undefined || field.attribute === true) return true
  const makings = (situation.model.kind.makings ?? []).map(({ operation }) => operation)
  return [...makings, create, update, replace, setAttributes].some(operation => isTakenBy(situation, operation, field))
}

function isTakenBy({ model }: Situation, operation: string | undefined, field: ResourceField): boolean {
  if (operation === undefined) return false
  return Object.entries(inputOf(model.service.model, operation).members).some(
    ([name, member]) =>
      fieldOf(model, operation, name)?.camel === field.camel ||
      (isAttributesMap(model, name, member) && field.attribute === true),
  )
}
