// Fields whose elements are entries of their own in AWS, as a config declares them: the elements by their keys, and what goes into the calls.
import { type Member, type ModelType, type ResourceField, type ResourceSubResource } from '#aws'
import { fromWire, isRecord, textOf, toWire } from './convert.ts'
import { inputOf, type KindModel, outputOf, structureFields, structureNamed } from './kind-model.ts'
import { propertyNamed } from './names.ts'
import { identifiers, spread, structureValue } from './parts.ts'
import type { Content, Values } from './request.ts'

export interface Entries {
  readonly field: ResourceField
  readonly sub: ResourceSubResource
}

/** Of a kind. */
export function entriesOf({ kind, spec }: KindModel): readonly Entries[] {
  return (kind.subResources ?? []).flatMap(sub => {
    const field = spec.named(sub.field)
    return field === undefined ? [] : [{ field, sub }]
  })
}

/** The elements of a value by their keys; of a list of texts the elements are keys. */
export function byKey(model: KindModel, { field, sub }: Entries, value: unknown): ReadonlyMap<string, unknown> {
  if (isRecord(value)) return new Map(Object.entries(value))
  if (!Array.isArray(value)) return new Map()
  const named = keyFieldOf(model, { field, sub })
  return new Map(value.map(each => [textOf(isRecord(each) && named !== undefined ? each[named.json] : each), each]))
}

/** The other way round: what a manifest would say, those first that it says in its order. */
export function asValue({ field }: Entries, elements: ReadonlyMap<string, unknown>, wanted: Iterable<string>): unknown {
  if (elements.size === 0) return undefined
  const known = [...wanted].filter(key => elements.has(key))
  const keys = [...new Set([...known, ...elements.keys()])]
  if (field.type.kind === 'map') return Object.fromEntries(keys.map(key => [key, elements.get(key)]))
  return keys.map(key => elements.get(key))
}

/** The input by which one is put. */
export function putInput(model: KindModel, entries: Entries, { content, key, element }: Putting): Values {
  const { field, sub } = entries
  const input = keyInput(model, sub, { operation: sub.put, content, key })
  const { members } = inputOf(model.service.model, sub.put)
  const type = elementType(field)
  if (sub.value !== undefined) {
    const member = members[sub.value]
    const path = `${field.json}.${key}`
    return member === undefined
      ? input
      : { ...input, [sub.value]: toWire(element, { service: model.service, type, member, path }) }
  }
  return { ...spread(model, { ...field, type }, { value: element, members, held: input }), ...input }
}

interface Putting {
  readonly content: Content
  readonly key: string
  readonly element: unknown
}

/** Whose it is, and which of its elements. */
export function keyInput(
  model: KindModel,
  { key: member }: ResourceSubResource,
  { operation, content, key }: { readonly operation: string; readonly content: Content; readonly key: string },
): Values {
  return { ...identifiers(model, operation, content), [member]: key }
}

/** The key of an element of the list's answer. */
export function keyIn({ sub }: Entries, told: unknown): string | undefined {
  if (!isRecord(told)) return typeof told === 'string' ? told : undefined
  const value = propertyNamed(told, sub.key)?.value
  return typeof value === 'string' ? value : undefined
}

/** The element in an answer that tells it, or in its place of the list's answer. */
export function elementIn(model: KindModel, entries: Entries, { told, operation }: Telling): unknown {
  const { field, sub } = entries
  const type = elementType(field)
  if (type.kind === 'string' && sub.value === undefined) return keyIn(entries, told)
  const { members, values } = placeOf(model, entries, { told, operation })
  if (values === undefined) return undefined
  if (sub.value === undefined)
    return type.kind === 'structure' ? structureValue(model, type.shape, { value: values, members }) : undefined
  const member = propertyNamed(members, sub.value)
  return member === undefined ? undefined : fromWire(values[member.name], { service: model.service, type, member: member.value })
}

interface Telling {
  readonly told: unknown
  /** Whose answer it is; of the list's, told is one of its elements. */
  readonly operation: string
}

interface Place {
  readonly members: Readonly<Record<string, Member>>
  readonly values: Values | undefined
}

/** Some answers hold the element in a structure of its own, beside nothing else that does. */
function placeOf({ service }: KindModel, { sub, field }: Entries, { told, operation }: Telling): Place {
  if (!isRecord(told)) return { members: {}, values: undefined }
  const output = outputOf(service.model, operation)
  if (operation === sub.list) {
    const list = service.model.shapes[output.members[sub.entries]?.target ?? '']
    const element = list?.type === 'list' ? structureNamed(service.model, list.member.target) : undefined
    return { members: element?.members ?? {}, values: told }
  }
  const type = elementType(field)
  const names =
    sub.value === undefined && type.kind === 'structure'
      ? structureFields(service, type.shape).map(each => each.wire ?? each.member)
      : [sub.value ?? '']
  if (names.some(name => propertyNamed(output.members, name) !== undefined && name !== sub.key))
    return { members: output.members, values: told }
  const inner = Object.entries(output.members).find(([, { target }]) => service.model.shapes[target]?.type === 'structure')
  const value = inner === undefined ? undefined : told[inner[0]]
  return inner === undefined || !isRecord(value)
    ? { members: output.members, values: told }
    : { members: structureNamed(service.model, inner[1].target).members, values: value }
}

function elementType({ type }: ResourceField): ModelType {
  if (type.kind === 'list') return type.element
  return type.kind === 'map' ? type.value : type
}

/** The field of an element that is its key. */
function keyFieldOf({ service }: KindModel, { field, sub }: Entries): ResourceField | undefined {
  const type = elementType(field)
  if (type.kind !== 'structure') return undefined
  return structureFields(service, type.shape).find(each => (each.wire ?? each.member) === sub.key)
}
