// Tags that a kind's read does not tell, by the list operation that most services have under one of a few names.
import { toldByRead } from '../model/answer.ts'
import { textOf } from '../model/convert.ts'
import { inputOf, type KindModel, outputOf } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import { type Content, requestOf } from '../model/request.ts'
import { tagField, tagsFromMap, withTags } from '../model/tags.ts'
import { structuresOf } from './calls.ts'
import type { Caller } from './deviation.ts'

/** The resource with its tags; as it is when the service has no word for them. */
export async function readTags(model: KindModel, found: Content, caller: Caller): Promise<Content> {
  const operation = operationOf(model)
  if (operation === undefined) return found
  const input = requestOf(model, operation, found, { method: 'Delete' })
  const { required } = inputOf(model.service.model, operation)
  if (Object.keys(input).length === 0 || required.some(name => input[name] === undefined)) return found
  const tags: Record<string, string> = {}
  for await (const page of caller.pages(operation, input)) Object.assign(tags, tagsInAnswer(model, operation, page))
  return { ...found, spec: withTags(model, found.spec, tags) }
}

/** Whether a look at a resource of the kind shows its tags. */
export function showsTags(model: KindModel): boolean {
  const field = tagField(model)
  return field !== undefined && (toldByRead(model).has(field) || operationOf(model) !== undefined)
}

function operationOf({ service, kind }: KindModel): string | undefined {
  const { operations } = service.model
  const names = [
    `List${kind.resource}Tags`,
    `ListTagsFor${kind.resource}`,
    'ListTagsForResource',
    'ListResourceTags',
    'ListTagsOfResource',
    'ListTags',
  ]
  return names.find(name => Object.hasOwn(operations, name))
}

/** The answer's member that is a map, or a list of structures with a key and a value. */
function tagsInAnswer(
  model: KindModel,
  operation: string,
  page: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  for (const [name, member] of Object.entries(outputOf(model.service.model, operation).members)) {
    const shape = model.service.model.shapes[member.target]
    const value = page[name]
    if (shape?.type === 'map') return tagsFromMap(value)
    if (shape?.type !== 'list') continue
    return Object.fromEntries(
      structuresOf(value).map(each => {
        const pick = (word: string): unknown => Object.entries(each).find(([key]) => nameKey(key).endsWith(word))?.[1]
        return [textOf(pick('key') ?? ''), textOf(pick('value') ?? '')]
      }),
    )
  }
  return {}
}
