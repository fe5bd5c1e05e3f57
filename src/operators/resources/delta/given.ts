// What a manifest speaks of.
import { isRecord } from '../model/convert.ts'
import { structureFields } from '../model/kind-model.ts'
import type { Situation } from '../seen/seen.ts'

/** Whether the manifest says anything at the path. What it never spoke of may be AWS's own choice. */
export function isGiven(
  { model, seen }: Pick<Situation, 'model'> & { readonly seen: Pick<Situation['seen'], 'wanted'> },
  path: string,
): boolean {
  let fields = model.kind.spec
  let value: unknown = seen.wanted.spec
  for (const camel of path.split('.').slice(1)) {
    const field = fields.find(each => each.camel === camel)
    if (field === undefined || !isRecord(value)) return false
    value = value[field.json]
    fields = field.type.kind === 'structure' ? structureFields(model.service, field.type.shape) : []
  }
  return value !== undefined && value !== null
}
