// Where a resource is not as its manifest wants it, by the general rules and by those of its kind.

import { isLookedAfter } from '../kinds/looked-after.ts'
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
  return [...general, ...special, ...ignoredDifferences({ model, deviation }, wanted, latest)]
    .filter(path => !isLate(path))
    .sort()
}

/**
 * Fields whose comparison a config takes away from the general rules, since code of its own compares them: what the manifest says must be
 * there, whatever else is.
 */
function ignoredDifferences(
  { model, deviation }: Pick<Situation, 'model' | 'deviation'>,
  wanted: Content,
  latest: Content,
): readonly string[] {
  if (deviation.read !== undefined || deviation.readMore !== undefined) return []
  const tags = tagField(model)
  const fields = model.kind.spec.filter(
    ({ camel, compare }) =>
      compare?.ignored === true &&
      camel !== tags &&
      !isLookedAfter(deviation, camel) &&
      model.kind.untold?.includes(camel) !== true,
  )
  return fields
    .filter(field => (wanted.spec[field.json] ?? undefined) !== undefined)
    .filter(field => !contains(latest.spec[field.json], withoutUntold(model, field, wanted.spec[field.json])))
    .map(({ camel }) => `Spec.${camel}`)
}
