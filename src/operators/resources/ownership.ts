// Whether a resource that was found was made for this claim. By proof, not by its name: names are reused.
import { ownerTag } from './api.ts'
import type { Case, Rules } from './decide.ts'
import { intentOf, printOf } from './intent.ts'
import { inputOf } from './model/kind-model.ts'
import { nameKey, sameName } from './model/names.ts'
import type { Content } from './model/request.ts'
import { differences } from './plan-update.ts'
import { tagField, tagsIn } from './tags.ts'

/** The uid of another claim, where the resource carries one and this claim was not told to take it over. */
export function foreignMark({ model, claim, seen }: Case, latest: Content): string | undefined {
  const mark = tagsIn(model, latest.spec)[ownerTag]
  if (mark === undefined || mark === claim.metadata.uid || seen.adoption.kind === 'adopted') return undefined
  return mark
}

export function isOurs(one: Case, latest: Content): boolean {
  const { model, claim, seen } = one
  const { finalizers = [] } = claim.metadata
  if (tagsIn(model, latest.spec)[ownerTag] === claim.metadata.uid) return true
  if (!finalizers.includes(model.finalizer)) return false
  if (seen.adoption.kind === 'adopted') return true
  const recorded = claim.status?.ackResourceMetadata
  if (recorded !== undefined)
    return (latest.arn === undefined || recorded.arn === undefined || latest.arn === recorded.arn) && isSameLife(one, latest)
  // Our call went out, its answer was lost, and what it made could not be marked: it is taken for ours on other proof, or when it is in
  // every field what is asked for, so that there is nothing to do to it.
  const intent = intentOf(one)
  if (intent === undefined || marksAtCreate(one)) return false
  const print = printOf(one, latest)
  if (print !== undefined && intent.prints.includes(print)) return true
  return one.deviation.proves?.(latest, { wanted: seen.wanted, intent }) ?? differences(one, latest).length === 0
}

/** A name can be taken by another once it is free; what AWS itself says of a resource's birth cannot. */
function isSameLife({ model, claim }: Case, latest: Content): boolean {
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

/** Whether what we make carries the mark from its first moment. */
function marksAtCreate({ model, deviation, settings }: Rules): boolean {
  if (!settings.ownershipTags) return false
  if (deviation.tagsAtCreate !== undefined) return deviation.tagsAtCreate
  const field = tagField(model)
  const { members } = inputOf(model.service.model, model.kind.operations.create)
  return field !== undefined && Object.keys(members).some(member => sameName(member, field))
}
