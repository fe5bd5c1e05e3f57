// Pure computations (who owns which field at which version) that find out on the way that they need an object at another version.
// They run, stop at the first conversion that is not known, and run again when it is: the algorithm stays free of promises.

import type { Maybe } from '#base'
import { convertBuiltin, type JsonObject } from '#schema'
import { asDraft, asJson, type Draft } from '../draft.ts'
import type { ServedKind } from '../registry/resource.ts'
import { stringifyJson } from '../text/json.ts'
import type { Converter } from './converter.ts'
import { usesWebhook } from './converter.ts'

/** The object at the kind's version. */
export type Convert = (object: JsonObject, to: ServedKind) => JsonObject

class Unconverted extends Error {
  readonly key: string
  readonly object: JsonObject
  readonly to: ServedKind

  constructor(key: string, object: JsonObject, to: ServedKind) {
    super('an object is not converted yet')
    this.key = key
    this.object = object
    this.to = to
  }
}

export function converting<T>(converter: Converter, run: (convert: Convert) => T): Maybe<T> {
  const known = new Map<string, JsonObject>()
  const convert: Convert = (object, to) => {
    if (object.apiVersion === to.apiVersion) return object
    // What has no content yet has nothing to convert.
    if (to.resource.custom === undefined && object.metadata !== undefined) return convertBuiltin(object, to.apiVersion)
    if (!usesWebhook(to) || object.metadata === undefined) return to.schema.prune({ ...object, apiVersion: to.apiVersion })
    const key = `${to.apiVersion} ${stringifyJson(object)}`
    const there = known.get(key)
    if (there === undefined) throw new Unconverted(key, object, to)
    return there
  }
  const attempt = (): Maybe<T> => {
    try {
      return run(convert)
    } catch (error) {
      if (!(error instanceof Unconverted)) throw error
      return converter.convert([asDraft(error.object)], error.to).then(([converted]) => {
        known.set(error.key, asJson(converted as Draft))
        return attempt()
      })
    }
  }
  return attempt()
}
