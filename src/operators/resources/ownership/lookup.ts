// A read-only object of a resource that its author knows by a name or by tags: the annotation `lookup` says which.

import { annotations, type Resource } from '../api.ts'
import { isRecord, parseRecord } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import { hasTags } from '../model/tags.ts'
import type { Lookup } from '../seen/notes.ts'

const example = '{"name": "app-*", "tags": {"team": "blue"}}'

/** A text says what is wrong. */
export function lookupOf(model: KindModel, claim: Resource): Lookup | string | undefined {
  const text = claim.metadata.annotations?.[annotations.lookup]
  if (text === undefined) return undefined
  const parsed = parseRecord(text)
  if (parsed === undefined) return `${annotations.lookup} is no JSON object such as ${example}`
  const { name, tags = {}, with: given = {}, ...others } = parsed
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `${annotations.lookup} has ${unknown}; known are name, tags, with`
  if (name !== undefined && (typeof name !== 'string' || name === '')) return `${annotations.lookup}: name is no text`
  if (!isTextMap(tags) || !isTextMap(given)) return `${annotations.lookup}: tags and with are objects of texts`
  if (name === undefined && Object.keys(tags).length === 0)
    return `${annotations.lookup} needs a name or tags, such as ${example}`
  if (Object.keys(tags).length > 0 && !hasTags(model)) return `${annotations.lookup}: a ${model.kind.kind} has no tags`
  return { text, name, tags, given }
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(each => typeof each === 'string')
}
