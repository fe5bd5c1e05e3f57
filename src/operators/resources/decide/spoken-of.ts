// What a manifest spoke of when it was in step: a field that it speaks of no more may have been taken out, one that it never spoke of is AWS's own.
import type { ResourceField } from '#aws'
import { isRecord } from '../model/convert.ts'
import { type KindModel, structureFields } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'

/** Every path that a spec speaks of, in the words of the manifest: `target` and `target.arn`. */
export function spokenOf({ kind, service }: KindModel, spec: Content['spec']): readonly string[] {
  const below = (fields: readonly ResourceField[], value: unknown, prefix: string): readonly string[] =>
    !isRecord(value)
      ? []
      : fields.flatMap(({ json, type }) => {
          const held = value[json]
          if (held === undefined || held === null) return []
          const path = `${prefix}${json}`
          return [path, ...(type.kind === 'structure' ? below(structureFields(service, type.shape), held, `${path}.`) : [])]
        })
  return below(kind.spec, spec, '')
}

/** Whether a spec that spoke of these paths spoke of the field at a path of the model, as `Spec.Target.RetryPolicy`. */
export function wasSpokenOf({ kind, service }: KindModel, spoken: readonly string[], path: string): boolean {
  let fields: readonly ResourceField[] = kind.spec
  let held = ''
  for (const camel of path.split('.').slice(1)) {
    const field = fields.find(each => each.camel === camel)
    // A path may lead below a field that has no fields of its own, such as a map: then that field was spoken of.
    if (field === undefined) return held !== ''
    held = held === '' ? field.json : `${held}.${field.json}`
    if (!spoken.includes(held)) return false
    fields = field.type.kind === 'structure' ? structureFields(service, field.type.shape) : []
  }
  return true
}
