// Whether a resource that was found was made for this claim. By proof, not by its name: names are reused.
import { annotations, ownerTag } from './api.ts'
import type { Case } from './decide.ts'
import { inputOf } from './model/kind-model.ts'
import { sameName } from './model/names.ts'
import type { Content } from './model/request.ts'
import { tagField, tagsIn } from './tags.ts'

/** The uid of another claim, where the resource carries one and this claim was not told to take it over. */
export function foreignMark({ model, claim, seen }: Case, latest: Content): string | undefined {
  const mark = tagsIn(model, latest.spec)[ownerTag]
  if (mark === undefined || mark === claim.metadata.uid || seen.adoption.kind === 'adopted') return undefined
  return mark
}

export function isOurs(one: Case, latest: Content): boolean {
  const { model, claim, seen } = one
  const { finalizers = [], annotations: notes = {} } = claim.metadata
  if (tagsIn(model, latest.spec)[ownerTag] === claim.metadata.uid) return true
  if (!finalizers.includes(model.finalizer)) return false
  if (seen.adoption.kind === 'adopted') return true
  const recorded = claim.status?.ackResourceMetadata?.arn
  // Made, seen and recorded before.
  if (recorded !== undefined) return latest.arn === undefined || latest.arn === recorded
  // Our call went out, its answer was lost, and what it made could not be marked: what stands there now is taken for it. Before the call
  // nothing was there, and a create call refuses a name that is taken.
  return notes[annotations.createIntent] !== undefined && !marksAtCreate(one)
}

/** Whether what we make carries the mark from its first moment. */
function marksAtCreate({ model, deviation, settings }: Case): boolean {
  if (!settings.ownershipTags) return false
  if (deviation.tagsAtCreate !== undefined) return deviation.tagsAtCreate
  const field = tagField(model)
  const { members } = inputOf(model.service.model, model.kind.operations.create)
  return field !== undefined && Object.keys(members).some(member => sameName(member, field))
}
