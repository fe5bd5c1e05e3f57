// What no read tells of a kind: whole fields of the spec, and members within one of which the rest is told. Both by dotted Camel paths, in
// which lists and maps on the way are passed through.
import type { ModelType, ResourceField } from '#aws'
import type { Fields } from '../api.ts'
import { showsTags } from './answer.ts'
import { isRecord } from './convert.ts'
import { elementOf, inputOf, type KindModel, structureFields } from './kind-model.ts'
import { propertyNamed } from './names.ts'
import { fieldOf } from './own-names.ts'
import { tagField } from './tags.ts'

export interface Untold {
  /** `Password`, or `Login.Password`. */
  readonly path: string
  /** The field of the spec that it is, or is within. */
  readonly field: ResourceField
}

export function untoldOf(model: KindModel): readonly Untold[] {
  const { kind, spec } = model
  const tags = tagField(model)
  const untoldTags = tags === undefined || showsTags(model) || kind.untold?.includes(tags) === true ? [] : [tags]
  return [...(kind.untold ?? []), ...untoldTags].flatMap(path => {
    const field = spec.named(path.split('.')[0] ?? '')
    return field === undefined ? [] : [{ path, field }]
  })
}

/** Whether a read tells the rest of a field, and not what is at this path. */
export function isUntoldWithin({ kind }: KindModel, path: string): boolean {
  return path.includes('.') && kind.untold?.includes(path) === true
}

/** What stands at a path: a value, or a list of those in the lists and maps on the way; `undefined` where nobody says anything. */
export function valueAtPath({ kind, service }: KindModel, spec: Fields, path: string): unknown {
  return below({ fields: kind.spec, steps: path.split('.') }, spec)

  function below({ fields, steps }: Below, holder: Fields): unknown {
    const [first, ...rest] = steps
    const field = fields.find(({ camel }) => camel === first)
    const value = field === undefined ? undefined : (holder[field.json] ?? undefined)
    if (field === undefined || rest.length === 0) return value
    return within(field.type, rest, value)
  }

  function within(type: ModelType, steps: readonly string[], value: unknown): unknown {
    if (type.kind === 'structure')
      return isRecord(value) ? below({ fields: structureFields(service, type.shape), steps }, value) : undefined
    const inner = elementOf(type)
    const items = Array.isArray(value) ? (value as readonly unknown[]) : isRecord(value) ? Object.values(value) : []
    const found = inner === undefined ? [] : items.map(item => within(inner, steps, item) ?? null)
    return found.some(each => each !== null) ? found : undefined
  }
}

interface Below {
  readonly fields: readonly ResourceField[]
  readonly steps: readonly string[]
}

/** A field's value without what no read tells of it. */
export function withoutUntold(model: KindModel, { camel, type: whole }: ResourceField, held: unknown): unknown {
  if (!(model.kind.untold ?? []).some(path => path.startsWith(`${camel}.`))) return held
  const within = (type: ModelType, value: unknown, path: string): unknown => {
    const inner = elementOf(type)
    if (inner !== undefined && Array.isArray(value)) return value.map(item => within(inner, item, path))
    if (!isRecord(value)) return value
    if (inner !== undefined)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, within(inner, item, path)]))
    if (type.kind !== 'structure') return value
    const fields = structureFields(model.service, type.shape).filter(each => !isUntoldWithin(model, `${path}.${each.camel}`))
    return Object.fromEntries(fields.map(each => [each.json, within(each.type, value[each.json], `${path}.${each.camel}`)]))
  }
  return within(whole, held, camel)
}

/** Whether an operation takes what is at a path within one of its fields. What it takes under another shape counts as taken. */
export function takesWithin(model: KindModel, operation: string, path: string): boolean {
  const { service } = model
  const [first = '', ...steps] = path.split('.')
  const members = Object.entries(inputOf(service.model, operation).members)
  const member = members.find(([name]) => fieldOf(model, operation, name)?.camel === first)?.[1]
  const field = model.spec.named(first)
  if (member === undefined || field === undefined) return true
  let [type, target] = innermost(model, field.type, member.target)
  for (const step of steps.filter(each => !/^\d+$/.test(each))) {
    const shape = service.model.shapes[target]
    if (type.kind !== 'structure' || (shape?.type !== 'structure' && shape?.type !== 'union')) return true
    const inner = structureFields(service, type.shape).find(({ camel }) => camel === step)
    if (inner === undefined) return true
    const found = propertyNamed(shape.members, inner.wire ?? inner.member)
    if (found === undefined) return false
    ;[type, target] = innermost(model, inner.type, found.value.target)
  }
  return true
}

/** Through the lists on both sides. */
function innermost(model: KindModel, type: ModelType, target: string): readonly [ModelType, string] {
  const shape = model.service.model.shapes[target]
  return type.kind === 'list' && shape?.type === 'list' ? innermost(model, type.element, shape.member.target) : [type, target]
}
