// The JSON of field sets in managedFields (`fieldsV1`), both ways.
import { isObject, type Json, type JsonObject, setKey } from '../json.ts'
import { emptySet, type FieldSet, leafSet, node, sortedElements } from './field-set.ts'

/** Deeper than any schema; a hostile body must not exhaust the stack. */
const depthMax = 200

/** Undefined when the text is not a field set. */
export function parseFieldsV1(value: Json | undefined): FieldSet | undefined {
  if (!isObject(value)) return undefined
  try {
    return parseNode(value, false, 0)
  } catch (error) {
    if (error instanceof MalformedFields) return undefined
    throw error
  }
}

class MalformedFields extends Error {}

function parseNode(value: JsonObject, isElement: boolean, depth: number): FieldSet {
  if (depth > depthMax) throw new MalformedFields()
  const keys = Object.keys(value)
  // `{}` marks the element itself; below the root there is no other way to say it when nothing lies further down.
  if (keys.length === 0) return isElement ? leafSet : emptySet
  const children = new Map<string, FieldSet>()
  let member = false
  for (const key of keys) {
    if (key === '.') {
      member = true
      continue
    }
    const child = value[key] as Json
    if (!isObject(child) || !isElementText(key)) throw new MalformedFields()
    children.set(key, parseNode(child, true, depth + 1))
  }
  return node(member, children)
}

function isElementText(key: string): boolean {
  if (key.startsWith('f:')) return true
  if (!/^[kvi]:/.test(key)) return false
  try {
    JSON.parse(key.slice(2))
    return true
  } catch {
    return false
  }
}

export function renderFieldsV1(set: FieldSet): JsonObject {
  const out: Record<string, Json> = {}
  if (set.children === undefined) return out
  if (set.member) out['.'] = {}
  for (const element of sortedElements(set.children)) setKey(out, element, renderFieldsV1(set.children.get(element) as FieldSet))
  return out
}
