// Where a resource is not as its manifest wants it, by the general rules and by those of its kind.

import type { ResourceField } from '#aws'
import { type Deviation, isLookedAfter } from '../kinds/deviation.ts'
import { type KindModel, onceOfKind } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { tagField } from '../model/tags.ts'
import { withoutUntold } from '../model/untold.ts'
import type { Situation } from '../seen/seen.ts'
import { compareSpecs, contains } from './compare.ts'

/** The paths that differ. */
export function differences({ model, deviation, seen }: Situation, latest: Content): readonly string[] {
  const { wanted } = seen
  const own = deviation.same ?? {}
  const untoldTags = latest.hasUntoldTags === true ? tagField(model) : undefined
  const except = ({ camel }: { readonly camel: string }): boolean => Object.hasOwn(own, camel) || camel === untoldTags
  const general = compareSpecs(model, wanted.spec, latest.spec, { except })
  const special = Object.entries(own).flatMap(([camel, same]) => {
    const field = model.spec.named(camel)
    if (field === undefined) return []
    return same(wanted.spec[field.json], latest.spec[field.json], { model, wanted, latest }) ? [] : [`Spec.${camel}`]
  })
  // What AWS is to choose is no difference: it is copied into the manifest.
  const isLate = (path: string): boolean => {
    const field = model.spec.named(path.split('.')[1] ?? '')
    return field?.lateInitialize !== undefined && (wanted.spec[field.json] ?? undefined) === undefined
  }
  // What the manifest says must be there, whatever else is.
  const ignored = ignoredFields(model, deviation)
    .filter(({ json }) => (wanted.spec[json] ?? undefined) !== undefined)
    .filter(field => !contains(latest.spec[field.json], withoutUntold(model, field, wanted.spec[field.json])))
    .map(({ camel }) => `Spec.${camel}`)
  return [...general, ...special, ...ignored].filter(path => !isLate(path)).sort()
}

/** Fields whose comparison a config takes away from the general rules, since code of its own compares them, and none of ours does. */
const ignoredFields: (model: KindModel, deviation: Deviation) => readonly ResourceField[] = onceOfKind((model, deviation) => {
  if (deviation.read !== undefined || deviation.readMore !== undefined) return []
  const tags = tagField(model)
  return model.kind.spec.filter(
    ({ camel, compare }) =>
      compare?.ignored === true &&
      camel !== tags &&
      !isLookedAfter(deviation, camel) &&
      model.kind.untold?.includes(camel) !== true,
  )
})
