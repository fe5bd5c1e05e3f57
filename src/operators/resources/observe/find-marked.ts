// Finds what a create call made whose answer came to nobody. AWS chose the id, so nothing is known by which it could be asked for; it bears
// the mark of its claim, and the kind's list leads to it.
import { ownerTag, type Resource } from '../api.ts'
import type { Equipment } from '../equipment.ts'
import { structuresOf } from '../kinds/calls.ts'
import type { ReadContext } from '../kinds/deviation.ts'
import { isRecord, textOf } from '../model/convert.ts'
import { inputOf } from '../model/kind-model.ts'
import { propertyNamed } from '../model/names.ts'
import { type Content, requestOf, type Values } from '../model/request.ts'
import { tagField, tagsIn } from '../model/tags.ts'
import { intentOf, isOwnToken } from '../ownership/intent.ts'
import { marksAtCreate } from '../ownership/ownership.ts'
import { ListingError, listed, listOperation } from './listed.ts'
import { readResource } from './read-aws.ts'

/** Reads for a list that tells no tags. With more resources than that, the search is given up: it would cost all other claims their calls. */
const readsMax = 100

/** Whether a create call of this claim may have gone out, and what it made would show the claim's mark. */
export function mayBearMark({ model, deviation, settings }: Equipment, claim: Resource): boolean {
  const intent = intentOf({ claim })
  return intent !== undefined && isOwnToken(claim, intent.token) && marksAtCreate({ model, deviation, settings })
}

/** `not-searched`: it may be there all the same. */
export async function findMarked(context: ReadContext): Promise<Content | 'not-there' | 'not-searched'> {
  const { model, claim, wanted } = context
  const operation = listOperation(context)
  if (operation === undefined) return 'not-searched'
  const all = requestOf(model, operation, wanted, { method: 'ReadMany' })
  const given = inputOf(model.service.model, operation).required.flatMap(name =>
    typeof all[name] === 'string' ? [[name, all[name]] as const] : [],
  )
  let reads = 0
  try {
    for await (const { content, element } of listed(context, Object.fromEntries(given), context.caller)) {
      const told = markIn(context, element)
      if (told !== undefined && told !== claim.metadata.uid) continue
      reads += 1
      if (reads > readsMax) return 'not-searched'
      const found = await readResource({ ...context, wanted: { ...content, spec: { ...wanted.spec, ...content.spec } } })
      if (found === undefined || found.isAbsent === true) continue
      if (tagsIn(model, found.spec)[ownerTag] === claim.metadata.uid) return found
    }
  } catch (error) {
    if (!(error instanceof ListingError)) throw error
    return 'not-searched'
  }
  return 'not-there'
}

/** The mark that a list tells: empty where it tells tags and no mark is among them, absent where it tells no tags. */
function markIn({ model }: ReadContext, element: Values): string | undefined {
  const field = tagField(model)
  const tags = field === undefined ? undefined : (propertyNamed(element, field) ?? propertyNamed(element, 'TagList'))?.value
  if (tags === undefined || tags === null) return undefined
  return JSON.stringify(tags).includes(ownerTag) ? markOf(tags) : ''
}

function markOf(tags: object): string {
  if (!Array.isArray(tags)) return isRecord(tags) ? textOf(tags[ownerTag] ?? '') : ''
  const found = structuresOf(tags).find(tag => Object.values(tag).includes(ownerTag))
  return textOf(Object.values(found ?? {}).find(value => value !== ownerTag) ?? '')
}
