// A built-in kind as the server uses every kind: decode, default, validate, and the view that apply and patches need.

import { atRest } from '../builtin/at-rest.ts'
import { decodeAs } from '../builtin/decode.ts'
import { renderInGoOrder } from '../builtin/go-order.ts'
import { shapeOfType } from '../builtin/shape.ts'
import { type StructType, schemaNameOf, typeNamed } from '../builtin/types.ts'
import { wrapIntegers } from '../builtin/wrap.ts'
import type { JsonObject } from '../json.ts'
import type { KindSchema } from '../kind-schema.ts'
import { rewritten } from './conversions/conversions.ts'
import { defaultings, jobWithLabels } from './defaults.ts'
import { text } from './validate/checks.ts'
import { validations } from './validation.ts'
import { warningsOf } from './warnings.ts'

const kinds = new Map<string, KindSchema>()

/** The schema of a built-in kind, or undefined when there is none of that name. Made once per process; it holds no state. */
export function builtinKind(group: string, version: string, kind: string): KindSchema | undefined {
  const key = `${group}/${version}/${kind}`
  let schema = kinds.get(key)
  if (schema === undefined) {
    const name = schemaNameOf(group, version, kind)
    if (name === undefined) return undefined
    schema = makeKind(group, kind, typeNamed(name) as StructType)
    kinds.set(key, schema)
  }
  return schema
}

/** A built-in object in another of the forms in which its kind is served. */
export function convertBuiltin(object: JsonObject, apiVersion: string): JsonObject {
  const slash = apiVersion.indexOf('/')
  const kind = builtinKind(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), text(object.kind))
  const converted = rewritten(object, apiVersion)
  return kind === undefined ? converted : kind.prune(converted)
}

function makeKind(group: string, kind: string, type: StructType): KindSchema {
  const applyDefaults = defaultings.get(`${group}/${kind}`) ?? ((object: JsonObject) => object)
  const resting = group === 'batch' && kind === 'Job' ? jobWithLabels : (object: JsonObject) => object
  const validate = validations.get(`${group}/${kind}`)
  return {
    get shape() {
      return shapeOfType(type)
    },
    decode: (object, options) => decodeAs(type, object, options),
    prune: object => decodeAs(type, object).object,
    render: (object, touched) => renderInGoOrder(type, object, touched),
    wrapIntegers: object => wrapIntegers(type, object),
    atRest: object => atRest(type, resting(object)),
    applyDefaults,
    validate: (object, context) => ({
      errors: validate?.(object, context ?? {}) ?? [],
      warnings: warningsOf(group, kind, object, context ?? {}),
    }),
  }
}
