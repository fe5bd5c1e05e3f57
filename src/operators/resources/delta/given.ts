// What a manifest speaks of.
import type { ModelType } from '#aws'
import { isRecord, own } from '../model/convert.ts'
import { elementOf, structureFields } from '../model/kind-model.ts'
import { isUntoldWithin, valueAtPath } from '../model/untold.ts'
import type { Situation } from '../seen/seen.ts'

/** Whether the manifest says anything at the path. What it never spoke of may be AWS's own choice. */
export function isGiven(
  { model, seen }: Pick<Situation, 'model'> & { readonly seen: Pick<Situation['seen'], 'wanted'> },
  path: string,
): boolean {
  const kept = path.split('.').slice(1).join('.')
  if (isUntoldWithin(model, kept)) return valueAtPath(model, seen.wanted.spec, kept) !== undefined
  let type: ModelType | undefined
  let fields = model.kind.spec
  let value: unknown = seen.wanted.spec
  for (const step of path.split('.').slice(1)) {
    const inner = elementOf(type)
    if (inner !== undefined) {
      value = Array.isArray(value) ? (value[Number(step)] as unknown) : isRecord(value) ? own(value, step) : undefined
      type = inner
    } else {
      const field = fields.find(each => each.camel === step)
      if (field === undefined || !isRecord(value)) return false
      value = value[field.json]
      type = field.type
    }
    fields = type.kind === 'structure' ? structureFields(model.service, type.shape) : []
  }
  return value !== undefined && value !== null
}
