// Pass 8: shapes that only a config knows.
import type { LoadedConfig } from '../config/read-config.ts'
import { configError } from '../config/read-config.ts'
import { type Api, type ApiMember, exported } from './api.ts'
import { textShape } from './normalise.ts'

export function addCustomShapes(api: Api, loaded: LoadedConfig): void {
  for (const [name, fields] of loaded.config.custom_shapes ?? []) {
    if (api.shapes.has(name)) {
      throw configError(loaded, ['custom_shapes', name], `the model has a shape "${name}" already; choose another name`)
    }
    const members = new Map<string, ApiMember>()
    for (const [field, type] of fields) {
      if (type !== 'string') {
        throw configError(loaded, ['custom_shapes', name, field], `members of custom shapes are of type "string", not "${type}"`)
      }
      members.set(exported(field), { target: textShape(api.shapes) })
    }
    api.shapes.set(name, { type: 'structure', members, required: new Set() })
  }
}

/** The shape for `list_of: S` or `map_of: S`; nothing when there is no S. */
export function collectionShape(
  api: Api,
  { kind, of }: { readonly kind: 'list' | 'map'; readonly of: string },
): string | undefined {
  const name = `vouch:${kind}:${of}`
  const target = shapeNamed(api, of)
  if (target === undefined) return undefined
  const shape =
    kind === 'list'
      ? ({ type: 'list', element: target } as const)
      : ({ type: 'map', key: textShape(api.shapes), value: target } as const)
  api.shapes.set(name, shape)
  return name
}

/** The shape of this name, also of a primitive that the model does not spell itself. */
function shapeNamed(api: Api, name: string): string | undefined {
  if (api.shapes.has(name)) return name
  if (api.shapes.has(`${name}_`)) return `${name}_`
  return name === 'String' ? textShape(api.shapes) : undefined
}
