// Tags that a kind's read does not tell, by the list operation that most services have under one of a few names.
import type { StructureShape } from '#aws'
import { tagListOperation } from '../model/answer.ts'
import { isRecord, textOf } from '../model/convert.ts'
import { inputOf, type KindModel, outputOf, structureOfMember } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import { type Content, requestOf } from '../model/request.ts'
import { type Tags, tagsFromMap, withTags } from '../model/tags.ts'
import { structuresOf } from './calls.ts'
import type { Caller } from './deviation.ts'

/** The resource with its tags, or without any where nothing can tell them: those of the manifest would stand for those of AWS. */
export async function readTags(model: KindModel, found: Content, caller: Caller): Promise<Content> {
  const operation = tagListOperation(model)
  if (operation === undefined) return withoutTags(model, found)
  const input = requestOf(model, operation, found, { method: 'Delete' })
  const { required } = inputOf(model.service.model, operation)
  if (Object.keys(input).length === 0 || required.some(name => input[name] === undefined)) return withoutTags(model, found)
  const tags: Record<string, string> = {}
  for await (const page of caller.pages(operation, input)) Object.assign(tags, tagsInAnswer(model, operation, page))
  return { ...found, spec: withTags(model, found.spec, tags) }
}

/** A resource whose tags nobody knows: it bears no mark, and they are compared with nothing. */
export function withoutTags(model: KindModel, found: Content): Content {
  return { ...found, spec: withTags(model, found.spec, {}), hasUntoldTags: true }
}

function tagsInAnswer(model: KindModel, operation: string, page: Readonly<Record<string, unknown>>): Tags {
  return tagsWithin(model, outputOf(model.service.model, operation), page) ?? {}
}

/** In the member that is a map or a list of keys and values, or within the structure that the answer has around them. */
function tagsWithin(model: KindModel, { members }: StructureShape, holder: Readonly<Record<string, unknown>>): Tags | undefined {
  for (const [name, member] of Object.entries(members)) {
    const shape = model.service.model.shapes[member.target]
    const inner = structureOfMember(model.service.model, member)
    const value = holder[name]
    if (shape?.type === 'map') return tagsFromMap(value)
    if (inner === undefined) continue
    if (shape?.type === 'list' && isTag(inner)) return tagsFromList(structuresOf(value))
    const [first] = shape?.type === 'list' ? structuresOf(value) : [value]
    const found = tagsWithin(model, inner, isRecord(first) ? first : {})
    if (found !== undefined) return found
  }
  return undefined
}

function isTag({ members }: StructureShape): boolean {
  const names = Object.keys(members).map(nameKey)
  return names.some(name => name.endsWith('key')) && names.some(name => name.endsWith('value'))
}

function tagsFromList(tags: readonly Readonly<Record<string, unknown>>[]): Tags {
  return Object.fromEntries(
    tags.map(each => {
      const pick = (word: string): unknown => Object.entries(each).find(([key]) => nameKey(key).endsWith(word))?.[1]
      return [textOf(pick('key') ?? ''), textOf(pick('value') ?? '')]
    }),
  )
}
