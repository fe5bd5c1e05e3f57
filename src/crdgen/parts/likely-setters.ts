// Operations that seem to set a field after creation and are not used for it, since the model does not say enough: their member is called otherwise
// (`TargetShardCount`, `ConfigurationUpdates`), mostly with a shape of its own, and the same words rename things elsewhere. They are told in the
// report, so that a person can decide: `fields.<F>.from` names an operation, a deviation carries out what no config can say.
import { compareText } from '#base'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { addressesOf, inputOf, isOption, keyOf } from './addresses.ts'
import { settableFields } from './settable.ts'

export interface LikelySetter {
  readonly field: string
  readonly operation: string
  readonly member: string
  /** What else is in the way. */
  readonly why: string
}

const setters = /^(?:Put|Set|Update|Modify|Change)(?=[A-Z])/

export function likelySettersOf(service: InferredService, kind: InferredKind): readonly LikelySetter[] {
  const { api } = service
  const { byUpdate, byParts } = settableFields(service, kind)
  const addresses = addressesOf(service, kind)
  const unset = [...kind.spec.values()].filter(
    ({ names, model, immutable, referenceFor }) =>
      ![...byUpdate, ...byParts].includes(names.camel) &&
      !immutable &&
      referenceFor === undefined &&
      !addresses.isAddress(model) &&
      !isOption(model),
  )
  return [...api.operations.keys()]
    .sort(compareText)
    .filter(operation => setters.test(operation))
    .flatMap(operation => {
      const input = inputOf(api, operation)
      const members = [...(input?.members ?? [])]
      const isAbout = operation === kind.operations.Update || members.some(([name]) => addresses.isIdentity(name))
      if (input === undefined || !isAbout) return []
      return members.flatMap(([member, { target }]) => {
        const field = unset.find(({ model }) => isAskedForAs(keyOf(member), keyOf(model)))
        if (field === undefined) return []
        const others = [...input.required].filter(name => name !== member && !addresses.isAddress(name)).sort(compareText)
        const made = inputOf(api, kind.operations.Create)?.members.get(field.model)?.target
        const shape =
          made !== undefined && made !== target ? `${member} is a ${target}, and the creation takes a ${made}` : undefined
        const needs = others.length === 0 ? undefined : `it needs ${others.join(', ')}`
        const why = [shape, needs].filter(each => each !== undefined).join('; ')
        return [{ field: field.names.camel, operation, member, why: why === '' ? `${member} may mean something else` : why }]
      })
    })
}

/** `ConfigurationUpdates` and `TargetShardCount`. */
function isAskedForAs(member: string, field: string): boolean {
  return [`${field}update`, `${field}updates`, `target${field}`, `new${field}`, `desired${field}`].includes(member)
}
