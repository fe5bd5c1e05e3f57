// Our note to ourselves of what an AdoptedResource is done with: which object was made, by its uid, and for which wish. It stands in the status,
// which has rights of its own, in a condition of its own: the words that people read decide nothing.
import { type Condition, findCondition, type ObjectKey } from '#kube'
import { conditions, type Resource } from '../api.ts'
import { parseRecord, textOf } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { AdoptedResource } from './api.ts'

/** What an AdoptedResource asks for: an object of that name and kind, for the resource that these fields find. */
export interface AdoptionWish {
  readonly model: KindModel
  readonly at: ObjectKey
  /** As the annotation `adoption-fields` has them. */
  readonly fields: string
}

export function adoptionNote({ model, at, fields }: AdoptionWish, uid: string): Condition {
  const { group, kind } = model.type
  const message = JSON.stringify({ uid, group, kind, ...at, fields })
  return { type: conditions.ownership, status: 'True', reason: 'Adopted', message }
}

/** The uid of the object that was made for this wish and has its resource; `undefined` where nothing of the kind is noted. */
export function adoptedUid({ status }: AdoptedResource, wish: AdoptionWish): string | undefined {
  const note = findCondition(status?.conditions, conditions.ownership)
  const uid = parseRecord(note?.message ?? '')?.['uid']
  return typeof uid === 'string' && adoptionNote(wish, uid).message === note?.message ? uid : undefined
}

export function isNoted({ status }: AdoptedResource): boolean {
  return findCondition(status?.conditions, conditions.ownership) !== undefined
}

/** Which resource an object has, as only we write it: the one that the wish names, another, or none yet. */
export function adoptionIn(target: Resource, { model, fields }: AdoptionWish): 'none' | 'wished' | 'another' {
  const metadata = target.status?.ackResourceMetadata
  if (metadata === undefined) return 'none'
  const differs = Object.entries(parseRecord(fields) ?? {}).some(([key, wished]) => {
    const held = key === 'arn' ? metadata.arn : heldBy(target, model, key)
    return held !== undefined && !isSameIdentifier(textOf(held), textOf(wished))
  })
  return differs ? 'another' : 'wished'
}

function heldBy({ spec = {}, status = {} }: Resource, model: KindModel, key: string): unknown {
  const inSpec = model.spec.named(key)
  if (inSpec !== undefined) return spec[inSpec.json]
  const inStatus = model.status.named(key)
  return inStatus === undefined ? undefined : status[inStatus.json]
}

/** AWS takes and tells some identifiers with what stands before them: `/hostedzone/Z1` and `Z1`, an ARN and the name at its end. */
function isSameIdentifier(held: string, wished: string): boolean {
  return held === wished || isEndOf(held, wished) || isEndOf(wished, held)
}

function isEndOf(whole: string, end: string): boolean {
  return end !== '' && (whole.endsWith(`/${end}`) || whole.endsWith(`:${end}`))
}
