// From which nodes a volume is reached, when the volume changes.
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { type Errors, listOf, objectOf } from '../checks.ts'
import { type FormShape, shownForm } from '../forms/form.ts'
import { nodes } from '../forms/placement.ts'
import { newNodeLabel } from '../pods/node-selectors.ts'

const frozen = 'field is immutable, except for updating from beta label to GA'

/** What was said once stays, in labels that may be called by their new names. */
export function checkKeptAffinity(affinity: Json | undefined, before: JsonObject, errors: Errors): void {
  const now = shownAffinity(affinity)
  if (!jsonEqual(now, renamed(shownAffinity(before), now)))
    errors.push({ ...fieldError.invalid('nodeAffinity', now, frozen), ordered: true })
}

const affinityForm: FormShape = { Required: ['required', null, nodes] }

function shownAffinity(affinity: Json | undefined): Json {
  return isObject(affinity) ? shownForm(affinity, affinityForm) : null
}

/** With the new names of labels wherever the other has them at the same place; the new name of a label that has none is empty. */
function renamed(value: Json, other: Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => renamed(item, listOf(other)[index]))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([field, item]): [string, Json] => {
    const now = objectOf(other)[field]
    const isRenamed = field === 'Key' && now === (newNodeLabel(item) ?? '')
    return [field, isRenamed ? (now ?? null) : renamed(item ?? null, now)]
  })
  return Object.fromEntries(entries)
}
