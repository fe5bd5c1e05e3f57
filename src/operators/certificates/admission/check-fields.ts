// Checks of fields that stand for themselves: tags, and the objects that get the ARN.
import { type CertSpec, group } from '../api.ts'

const tagsMax = 40
const keyMax = 128
const valueMax = 256
const reserved = ['aws:', `${group}/`]

/** Check 13. */
export function fieldErrors({ tags, publish = [] }: CertSpec): readonly string[] {
  const all = Object.entries(tags)
  return [
    ...(all.length > tagsMax ? [`spec.tags: ${all.length} tags, at most ${tagsMax} are taken`] : []),
    ...all.flatMap(([key, value]) => tagErrors(key, value)),
    ...publish.flatMap((target, index) => targetErrors(target, `spec.publish[${index}]`)),
    ...repeated(publish).map(({ index, first }) => `spec.publish[${index}]: the same place as spec.publish[${first}]`),
  ]
}

function tagErrors(key: string, value: string): readonly string[] {
  const path = `spec.tags[${key}]`
  const prefix = reserved.find(each => key.startsWith(each))
  return [
    ...(key === '' || key.length > keyMax ? [`${path}: a key has 1 to ${keyMax} characters`] : []),
    ...(prefix === undefined ? [] : [`${path}: keys that begin with "${prefix}" are not taken`]),
    ...(value.length > valueMax ? [`${path}: a value has at most ${valueMax} characters`] : []),
  ]
}

type Target = NonNullable<CertSpec['publish']>[number]

function targetErrors({ kind, name, selector, listener, protocolPort }: Target, path: string): readonly string[] {
  const isBoth = (name === undefined) === (selector === undefined)
  return [
    ...(isBoth ? [`${path}: a target has a name or a selector, and not both`] : []),
    ...(kind === 'ConfigMap' && name === undefined ? [`${path}: a ConfigMap has a name`] : []),
    ...misplaced(`${path}.listener`, listener, { kind, of: 'Gateway' }),
    ...misplaced(`${path}.protocolPort`, protocolPort, { kind, of: 'LoadBalancerConfiguration' }),
  ]
}

function misplaced(
  path: string,
  value: string | undefined,
  { kind, of }: { readonly kind: string; readonly of: string },
): readonly string[] {
  if ((value !== undefined) === (kind === of)) return []
  return [value === undefined ? `${path}: required for the kind ${of}` : `${path}: only for the kind ${of}`]
}

/** Two wishes for one place would take turns. */
function repeated(targets: readonly Target[]): readonly { readonly index: number; readonly first: number }[] {
  const idOf = ({ kind, name, selector, listener, protocolPort }: Target): string =>
    JSON.stringify([kind, name, selector, listener, protocolPort])
  const ids = targets.map(idOf)
  return ids.flatMap((id, index) => (ids.indexOf(id) < index ? [{ index, first: ids.indexOf(id) }] : []))
}
