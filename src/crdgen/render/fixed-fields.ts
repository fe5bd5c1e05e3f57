// Fields that no operation changes: a manifest that changes one is refused by the API server, instead of failing in AWS. Only where it follows
// from the model alone: a hook of the config may know a way.
import type { Field } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { namesOf } from '../infer/names.ts'

export function* withFixed(service: InferredService, kind: InferredKind): Generator<Field> {
  const changeable = changeableNames(service, kind)
  for (const field of kind.spec.values()) {
    const isFixed = changeable !== undefined && field.type.kind !== 'reference' && !changeable.has(keyOf(field.names.camel))
    yield isFixed ? { ...field, immutable: true } : field
  }
}

/** `undefined`: it cannot be told from the model. */
function changeableNames(
  { api }: InferredService,
  { operations, config, resource }: InferredKind,
): ReadonlySet<string> | undefined {
  const update = operations.Update ?? operations.Replace
  const hooks = [...(config.hooks?.keys() ?? [])].some(id => id.startsWith('sdk_update') || id.startsWith('delta'))
  if (update === undefined || hooks || config.update_operation?.custom_method_name !== undefined) return undefined
  if (operations.SetAttributes !== undefined || config.unpack_attributes_map !== undefined) return undefined
  const input = api.shapes.get(api.operations.get(update)?.input ?? '')
  if (input?.type !== 'structure') return undefined
  const renames = config.renames?.operations?.get(update)?.input_fields
  const names = [...input.members.keys()].map(member => keyOf(renames?.get(member) ?? member))
  const special = [...(config.fields ?? [])].flatMap(([name, { set, custom_sync: sync, from, type }]) =>
    set !== undefined || sync !== undefined || from !== undefined || type !== undefined ? [keyOf(name.split('.')[0] ?? '')] : [],
  )
  // Tags have operations of their own.
  const tags = (config.tags?.path ?? 'Tags').split('.')[0] ?? 'Tags'
  const identifiers = [`${resource}Id`, `${resource}Name`, 'Name', 'Id'].map(keyOf)
  const all = new Set([...names, ...special, keyOf(tags)])
  // What the update takes to find the resource, it does not change.
  for (const name of identifiers)
    if ([...input.required].some(member => keyOf(renames?.get(member) ?? member) === name)) all.delete(name)
  return all
}

function keyOf(name: string): string {
  return namesOf(name).camel.toLowerCase()
}
