// What a server says of an object of a built-in kind: it is decoded, gets its defaults and is judged, as by a request.
import { renderFieldError } from '../field-error.ts'
import type { JsonObject } from '../json.ts'
import type { KindSchema } from '../kind-schema.ts'
import { builtinKind } from '../kinds/kind.ts'

interface Before {
  readonly old?: JsonObject
  readonly subresource?: string
}

/** One line for each refusal, in the order in which they are told. */
export function refusals(object: JsonObject, { old, subresource }: Before = {}): readonly string[] {
  const schema = schemaOf(object)
  const held = (given: JsonObject): JsonObject => {
    const decoded = schema.decode(given)
    if (decoded.malformed !== undefined) throw new Error(decoded.malformed)
    return schema.applyDefaults(decoded.object)
  }
  const context = { subresource, ...(old !== undefined && { old: held(old) }) }
  return schema.validate(held(object), context).errors.map(renderFieldError)
}

export function schemaOf({ apiVersion, kind }: JsonObject): KindSchema {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw new Error('an object says of what kind it is')
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const schema = builtinKind(group, version, kind)
  if (schema === undefined) throw new Error(`there is no kind ${kind} at ${apiVersion}`)
  return schema
}
