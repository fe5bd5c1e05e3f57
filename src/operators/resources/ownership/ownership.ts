// Whether a resource that was found was made for this claim. By what nobody but us can write: the mark that it bears in AWS, and our record
// in the status. Not by its name, since names are reused; not by annotations or finalizers, which anybody writes who may make an object.

import { annotations, isAnnotatedTrue, ownerTag } from '../api.ts'
import { differences } from '../delta/differences.ts'
import { showsTags } from '../model/answer.ts'
import { inputOf } from '../model/kind-model.ts'
import { nameKey, sameName } from '../model/names.ts'
import type { Content } from '../model/request.ts'
import { tagField, tagsIn } from '../model/tags.ts'
import type { Rules, Situation } from '../seen/seen.ts'
import { identityOf } from './adoption-keys.ts'
import { isOfAnother } from './duplicates.ts'
import { foreignOwner } from './foreign-owners.ts'
import { intentOf, isOwnToken, printOf } from './intent.ts'
import type { Intent } from './intent-text.ts'
import { recordOf } from './ownership-record.ts'

export type Ownership =
  | { readonly kind: 'ours' }
  /** Another claim has it, or another operator's object: it is not taken over either. */
  | { readonly kind: 'held'; readonly message: string }
  /** It bears the mark of a claim that is not there: it can be taken over. */
  | { readonly kind: 'marked'; readonly mark: string }
  /** Nothing says whose it is. */
  | { readonly kind: 'unknown' }

export function ownershipOf(situation: Situation, latest: Content): Ownership {
  const { model, claim, seen } = situation
  const tags = tagsIn(model, latest.spec)
  const mark = tags[ownerTag]
  if (seen.olderOwner !== undefined) return { kind: 'held', message: heldBy(model.kind.kind, seen.olderOwner) }
  if (mark === claim.metadata.uid) return { kind: 'ours' }
  if (seen.markHolder !== undefined)
    return { kind: 'held', message: `the resource is marked as made for ${model.kind.kind} ${seen.markHolder} (uid ${mark})` }
  const foreign = foreignOwner(tags, claim)
  const record = recordOf(claim)
  const isRecorded = mark === undefined ? isOnRecord(situation, latest) : record.kind === 'adopted' && record.formerMark === mark
  if (isRecorded) return { kind: 'ours' }
  // A child of the identity operator that is gone leaves its mark beside that operator's: the resource is still not free to be taken.
  if (foreign !== undefined)
    return { kind: 'held', message: `the resource is marked as made by the identity operator (${foreign} ${tags[foreign]})` }
  return mark === undefined ? { kind: 'unknown' } : { kind: 'marked', mark }
}

/** What is said to who comes second. */
export function heldBy(kind: string, owner: string): string {
  return `${kind} ${owner} manages the same resource, and did so first`
}

/** What anybody could have written stands there as if we had: our finalizer, or our marks, without a record of ours. */
export function hasUnexpectedMarks(situation: Pick<Situation, 'model' | 'claim'>): boolean {
  const { claim, model } = situation
  if (!['none', 'only-read'].includes(recordOf(claim).kind)) return false
  if (isAnnotatedTrue(claim, annotations.adopted)) return true
  const intent = intentOf(situation)
  // A crash between our first write and the create call leaves both behind, with a token that only this object has.
  if (intent !== undefined) return !isOwnToken(claim, intent.token)
  return claim.metadata.finalizers?.includes(model.finalizer) === true
}

export const unexpectedText =
  'the object has our finalizer or our marks, and neither its status nor the resource says that we made or adopted it: take them away'

function isOnRecord(situation: Situation, latest: Content): boolean {
  const { model, claim, seen } = situation
  const record = recordOf(claim)
  const recorded = claim.status?.ackResourceMetadata
  if (isOfAnother(record, identityOf(situation, latest))) return false
  switch (record.kind) {
    case 'none':
    case 'only-read':
      return false
    case 'made':
    case 'adopted': {
      const isSameArn = latest.arn === undefined || recorded?.arn === undefined || latest.arn === recorded.arn
      // An earlier version of ours, and ACK, record the same of a resource that is only looked at; such an object has no finalizer.
      const isHeld =
        record.kind === 'adopted' ||
        Object.keys(record.identity).length > 0 ||
        claim.metadata.finalizers?.includes(model.finalizer) === true
      return isHeld && isSameArn && isSameLife(situation, latest)
    }
    default:
      return seen.notes.refusedIntent !== record.intent.token && isAsIntended(situation, latest, record.intent)
  }
}

/**
 * Our call went out, its answer was lost, and what it made could not be marked: it is taken for ours on other proof, or when it is in every
 * field what is asked for, so that there is nothing to do to it.
 */
function isAsIntended(situation: Situation, latest: Content, intent: Intent): boolean {
  const { inAws } = situation.seen
  if (inAws.kind === 'present' && inAws.isNew === true) return true
  const print = printOf(situation, latest)
  if (print !== undefined && intent.prints.includes(print)) return true
  return (
    situation.deviation.proves?.(latest, { wanted: situation.seen.wanted, intent }) ?? differences(situation, latest).length === 0
  )
}

/** A name can be taken by another once it is free; what AWS itself says of a resource's birth cannot. */
function isSameLife({ model, claim }: Situation, latest: Content): boolean {
  const births = [
    'id',
    `${model.kind.resource}id`,
    'createdate',
    'createdat',
    'creationdate',
    'creationtime',
    'callerreference',
  ].map(nameKey)
  return model.kind.status.every(({ camel, json }) => {
    if (!births.includes(nameKey(camel))) return true
    const [was, is] = [claim.status?.[json], latest.status[json]]
    return was === undefined || is === undefined || was === is
  })
}

/** Whether what was made can be told from what bears its name, with nothing but a look at it. */
export function hasProof(rules: Rules): boolean {
  return rules.deviation.print !== undefined || rules.deviation.proves !== undefined || marksAtCreate(rules)
}

/** Whether what we make carries the mark from its first moment, and a look shows it. */
export function marksAtCreate({ model, deviation, settings }: Rules): boolean {
  if (!settings.ownershipTags) return false
  if (deviation.tagsAtCreate !== undefined) return deviation.tagsAtCreate
  const field = tagField(model)
  const { members } = inputOf(model.service.model, model.kind.operations.create)
  if (deviation.read === undefined && deviation.readMore === undefined && !showsTags(model)) return false
  return field !== undefined && Object.keys(members).some(member => sameName(member, field))
}
