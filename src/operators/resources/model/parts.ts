// Operations that set a part of a resource beside its own update: what goes into their inputs, and where their answers stand.
import type { Member, ResourceField, ResourcePart } from '#aws'
import { fromWire, isRecord, toWire } from './convert.ts'
import { inputOf, type KindModel, outputOf, structureFields, structureNamed } from './kind-model.ts'
import { propertyNamed } from './names.ts'
import { type Content, requestOf, type Values } from './request.ts'

/** The part that sets a field of the spec, by its Camel name. */
export function partWith(model: KindModel, camel: string): ResourcePart | undefined {
  return model.kind.parts?.find(({ fields }) => fields.some(({ field }) => field === camel))
}

/** The input by which these fields of the part are set. */
export function partInput(model: KindModel, part: ResourcePart, content: Content, camels: readonly string[]): Values {
  const input: Record<string, unknown> = { ...identifiers(model, part.operation, content) }
  const { members } = inputOf(model.service.model, part.operation)
  for (const { field: camel, member } of part.fields) {
    const field = model.spec.named(camel)
    const value = field === undefined || !camels.includes(camel) ? undefined : content.spec[field.json]
    if (field === undefined || value === undefined || value === null) continue
    if (member === undefined) Object.assign(input, spread(model, field, { value, members, held: input }))
    else {
      const target = members[member]
      if (target !== undefined)
        input[member] = toWire(value, { service: model.service, type: field.type, member: target, path: field.json })
    }
  }
  return input
}

/** What names the resource, and nothing else. */
export function identifiers(model: KindModel, operation: string, content: Content): Values {
  return requestOf(model, operation, content, { method: 'Delete', sends: ({ primaryKey }) => primaryKey === true })
}

interface Spread {
  readonly value: unknown
  readonly members: Readonly<Record<string, Member>>
  readonly held: Values
}

/** A structure whose members are members of the input; what names the resource is not taken from it. */
export function spread({ service }: KindModel, field: ResourceField, { value, members, held }: Spread): Values {
  if (field.type.kind !== 'structure' || !isRecord(value)) return {}
  const made: Record<string, unknown> = {}
  for (const inner of structureFields(service, field.type.shape)) {
    const given = value[inner.json]
    const target = propertyNamed(members, inner.wire ?? inner.member)
    if (given === undefined || given === null || target === undefined || held[target.name] !== undefined) continue
    made[target.name] = toWire(given, { service, type: inner.type, member: target.value, path: `${field.json}.${inner.json}` })
  }
  return made
}

/** The value of a field in the answer of the part's read, as a manifest would say it; `undefined` when there is none. */
export function partValue(
  model: KindModel,
  field: ResourceField,
  { part, path, output }: { readonly part: ResourcePart; readonly path: string; readonly output: Values },
): unknown {
  const operation = part.read?.operation ?? ''
  let shape = outputOf(model.service.model, operation)
  let value: unknown = output
  let member: Member | undefined
  for (const step of path === '' ? [] : path.split('.')) {
    const found = propertyNamed(shape.members, step)
    if (found === undefined) return undefined
    value = isRecord(value) ? value[found.name] : undefined
    member = found.value
    shape = structureNamed(model.service.model, member.target)
  }
  if (field.type.kind === 'structure' && isRecord(value))
    return structureValue(model, field.type.shape, { value, members: shape.members })
  if (field.type.kind === 'string' && typeof value === 'string' && member !== undefined)
    return asAction(model, part, field, value)
  return member === undefined ? undefined : fromWire(value, { service: model.service, type: field.type, member })
}

export function structureValue(
  { service }: KindModel,
  shape: string,
  { value, members }: { readonly value: Values; readonly members: Readonly<Record<string, Member>> },
): unknown {
  const made: Record<string, unknown> = {}
  for (const field of structureFields(service, shape)) {
    const source = propertyNamed(members, field.wire ?? field.member)
    const found =
      source === undefined
        ? switchIn(field, value)
        : fromWire(value[source.name], { service, type: field.type, member: source.value })
    if (found !== undefined) made[field.json] = found
  }
  return Object.keys(made).length === 0 ? undefined : made
}

/** Many services set `Enabled` and tell `Status`: `ENABLED`, `ENABLING`, `DISABLED`. */
function switchIn({ type, member }: ResourceField, value: Values): boolean | undefined {
  if (type.kind !== 'boolean' || !/enabled$/i.test(member)) return undefined
  const stem = member.replace(/enabled$/i, '')
  const name = Object.keys(value).find(each =>
    stem === '' ? /status$/i.test(each) : each.toLowerCase() === `${stem}Status`.toLowerCase(),
  )
  const state = name === undefined ? undefined : value[name]
  return typeof state === 'string' ? /^enabl/i.test(state) : undefined
}

/** Asked for by `ENABLE`, told as `ENABLED` or `ENABLING`: the word of the request that the state begins with. */
function asAction({ service }: KindModel, part: ResourcePart, { camel }: ResourceField, value: string): string {
  const member = part.fields.find(({ field }) => field === camel)?.member ?? ''
  const shape = service.model.shapes[inputOf(service.model, part.operation).members[member]?.target ?? '']
  const words = shape?.type === 'string' ? (shape.enum ?? []) : []
  if (words.includes(value)) return value
  return words.find(word => value.slice(0, 5) === word.slice(0, 5)) ?? value
}
