// Which fields of a kind can be set after its resource was made, and by what: for counts over all services.
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { inputOf, keyOf } from './addresses.ts'
import { partsOf } from './find-parts.ts'

export interface SettableFields {
  /** Fields of the spec that are no references and that no rule makes immutable, by Camel name. */
  readonly settable: readonly string[]
  readonly byUpdate: readonly string[]
  readonly byParts: readonly string[]
  /** The evidence for each part. */
  readonly parts: readonly string[]
}

export function settableFields(service: InferredService, kind: InferredKind): SettableFields {
  const { operations } = kind
  const members = [operations.Update, operations.Replace, operations.SetAttributes].flatMap(operation =>
    [...(inputOf(service.api, operation)?.members.keys() ?? [])].map(keyOf),
  )
  const fields = [...kind.spec.values()].filter(field => !field.immutable && field.referenceFor === undefined)
  const isUpdated = (name: string, model: string): boolean => [name, model].some(each => members.includes(keyOf(each)))
  const found = partsOf(service, kind)
  const byUpdate = fields.filter(({ names, model }) => isUpdated(names.camel, model)).map(({ names }) => names.camel)
  const inParts = found.flatMap(({ part }) => part.fields.map(({ field }) => field))
  return {
    settable: fields.map(({ names }) => names.camel),
    byUpdate,
    byParts: [...new Set(inParts)].filter(camel => !byUpdate.includes(camel)),
    parts: found.map(({ evidence }) => evidence),
  }
}
