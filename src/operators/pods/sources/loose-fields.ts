// JSON as the upstream's decoder reads it into typed fields: names count whatever their case, and each value is assigned as it is read.
import { type JsonMember, type JsonNode, JsonTextError, parseJsonText } from '#base'

export type LooseFields = readonly JsonMember[]

/** The fields of a text that is an object or `null`, or what is wrong with the text. */
export function readFields(text: string): LooseFields | Error {
  try {
    const root = parseJsonText(text)
    if (root.kind === 'null') return []
    return root.kind === 'object' ? root.members : new Error('it is no JSON object')
  } catch (error) {
    if (error instanceof JsonTextError) return new Error(`it is no JSON: ${error.message}`, { cause: error })
    throw error
  }
}

/** The last one wins; `null` assigns nothing. */
export function fieldOf(fields: LooseFields, name: string): JsonNode | undefined {
  return fields.findLast(({ name: found, value }) => value.kind !== 'null' && isNamed(found, name))?.value
}

function isNamed(found: string, name: string): boolean {
  return found === name || (found.length === name.length && found.toLowerCase() === name.toLowerCase())
}

/** The text of a field, empty when nobody gave one; nothing when it is no text. */
export function textOf(fields: LooseFields, name: string): string | undefined {
  const field = fieldOf(fields, name)
  if (field === undefined) return ''
  return field.kind === 'string' ? field.value : undefined
}
