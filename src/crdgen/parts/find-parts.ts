// Operations that set a part of a resource, found in the model: those whose input has the resource's identifiers and one or more fields of
// its spec, and nothing else that is required. Each is told with the evidence for it. A config corrects both ways: `fields.<F>.from` names the
// operation of a field, `ignore.operations` takes one out.
import type { ResourcePart } from '#aws'
import { compareText, given } from '#base'
import { type Api, type ApiMember, structureOf } from '../infer/api.ts'
import type { Field } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { type Addresses, addressesOf, inputOf, isOption, keyOf } from './addresses.ts'
import { findRead, isToldBy } from './find-reads.ts'
import { isSubResource } from './sub-resources.ts'

export interface FoundPart {
  readonly part: ResourcePart
  /** Why it is one, in words. */
  readonly evidence: string
}

/** What changes something that is there. Starting, stopping and sending are no settings. */
const setters = /^(?:Put|Set|Update|Modify|Change|Enable|Configure)(?=[A-Z])/
/** What makes a resource in another way, or tells of one, sets no part of it, although a config takes fields from it. */
const noSetters = /^(?:Create|Restore|Copy|Import|Promote|Publish|Register|Run|Start|Get|Describe|List)(?=[A-Z])/

export function partsOf(service: InferredService, kind: InferredKind): readonly FoundPart[] {
  const { api, loaded, classified } = service
  const addresses = addressesOf(service, kind)
  const ignored = new Set(loaded.config.ignore?.operations ?? [])
  const ownVerbs = new Set(Object.values(kind.operations))
  const others = new Map(classified.all.map(each => [each.operation, each.resource]))
  const kinds = new Set([...(classified.map.get('Create')?.keys() ?? [])].map(keyOf))
  const own = keyOf(kind.resource)
  // `UpdateFunctionConfiguration` is about a function, although it takes what names one of its versions.
  const isOfAnother = (operation: string): boolean => {
    const resource = keyOf(others.get(operation) ?? operation)
    const noun = keyOf(operation.replace(setters, ''))
    if (resource !== own && kinds.has(resource)) return true
    return !noun.startsWith(own) && [...kinds].some(each => noun.startsWith(each))
  }
  const settable = [...kind.spec.values()].filter(
    field => isSettable(field, addresses) && !isSubResource(kind, field.names.camel) && !isTakenByUpdate(service, kind, field),
  )
  const found = [...api.operations.keys()].sort(compareText).flatMap(operation => {
    const isNamed = !noSetters.test(operation) && settable.some(({ config }) => config?.from?.operation === operation)
    if (ignored.has(operation) || ownVerbs.has(operation) || (!isNamed && (!setters.test(operation) || isOfAnother(operation))))
      return []
    const fields = fieldsSetBy(api, operation, { settable, addresses, service, resource: kind.resource })
    return fields.length === 0 ? [] : [partOf(service, kind, { operation, fields, addresses })]
  })
  return withoutDoubles(found)
}

function isSettable(field: Field, addresses: Addresses): boolean {
  if (field.immutable || field.referenceFor !== undefined) return false
  if (field.config?.is_primary_key === true || field.config?.is_attribute === true || isOption(field.model)) return false
  return field.names.camel !== 'Tags' && (field.config?.from !== undefined || !addresses.isAddress(field.model))
}

/** What the kind's own update carries needs no other operation. */
function isTakenByUpdate({ api }: InferredService, { operations }: InferredKind, field: Field): boolean {
  const update = operations.Update ?? operations.Replace
  if (update === undefined || (field.config?.from !== undefined && field.config.from.operation !== update)) return false
  return [...(inputOf(api, update)?.members.keys() ?? [])].some(name => isCalled(field, name))
}

function isCalled(field: Field, member: string): boolean {
  return [field.model, field.names.camel].some(name => keyOf(name) === keyOf(member))
}

interface Setting {
  readonly field: Field
  /** The member that carries it; absent where the field's own members are members of the input. */
  readonly member?: string
}

interface Search {
  readonly settable: readonly Field[]
  readonly addresses: Addresses
  readonly service: InferredService
  readonly resource: string
}

/** The fields that the operation sets; none when it needs anything else. */
function fieldsSetBy(api: Api, operation: string, { settable, addresses, service, resource }: Search): readonly Setting[] {
  const input = inputOf(api, operation)
  if (input === undefined) return []
  const members = [...input.members].filter(
    ([name, { idempotencyToken }]) => idempotencyToken !== true && !addresses.isIdentity(name),
  )
  const direct = members.flatMap(([name, member]) => {
    const field = settable.find(each => isSetBy(api, each, { operation, name, member }))
    return field === undefined ? [] : [{ field, member: member.wire ?? name }]
  })
  const places = placesAmong(direct, { required: input.required, service })
  const spread = settable.filter(
    field =>
      !direct.some(each => each.field === field) && isSpread(service, field, { operation, names: members.map(([name]) => name) }),
  )
  const carried = new Set([
    ...direct.map(({ member }) => keyOf(member)),
    ...spread.flatMap(field => membersBelow(service, field)),
  ])
  const missing = members.filter(([name]) => input.required.has(name) && !carried.has(keyOf(name)) && !addresses.isAddress(name))
  const names = [...input.members.keys()].filter(name => addresses.isIdentity(name))
  // A word that might name anything names this resource where the operation is called after it, or after what it sets.
  const noun = keyOf(operation.replace(setters, ''))
  const isCalledSo = [keyOf(resource), ...direct.map(({ field }) => keyOf(field.names.camel))].some(each => noun.includes(each))
  const isNamed = direct.some(({ field }) => field.config?.from?.operation === operation)
  const isAddressed =
    names.some(name => !addresses.isCommon(name)) || (names.length > 0 && (isCalledSo || isNamed || spread.length > 0))
  const switched = switchOf(settable, operation, members.length)
  if (missing.length > 0 || !isAddressed) return []
  // What enables more than a switch adds, and takes nothing away.
  if (switched === undefined && operation.startsWith('Enable')) return []
  if (switched !== undefined) return [{ field: switched }]
  return [...direct.filter(each => !places.includes(each)), ...spread.map(field => ({ field }))]
}

/**
 * What an operation demands besides what it sets, and what names a resource of another kind, says where the resource is: the core network of an
 * attachment, told with the label that is put on it. Alone it is what is set: the routing profile of a user.
 */
function placesAmong(
  direct: readonly Setting[],
  { required, service }: { readonly required: ReadonlySet<string>; readonly service: InferredService },
): readonly Setting[] {
  const kinds = [...(service.classified.map.get('Create')?.keys() ?? [])].map(keyOf)
  const places = direct.filter(
    ({ field, member = '' }) =>
      required.has(member) && kinds.some(each => [`${each}id`, `${each}arn`].includes(keyOf(field.names.camel))),
  )
  return places.length < direct.length ? places : []
}

function isSetBy(
  api: Api,
  field: Field,
  { operation, name, member }: { readonly operation: string; readonly name: string; readonly member: ApiMember },
): boolean {
  const { from } = field.config ?? {}
  if (from !== undefined) return from.operation === operation && keyOf(from.path ?? '') === keyOf(name)
  return isCalled(field, name) && isOfType(api, field, member.target)
}

/** The same word for another kind of value means another thing. */
function isOfType(api: Api, { type, shape }: Field, target: string): boolean {
  if (shape === target) return true
  const found = api.shapes.get(target)
  if (type.kind === 'structure') {
    const own = structureOf(api, type.shape)
    return found?.type === 'structure' && [...found.members.keys()].some(name => own?.members.has(name) === true)
  }
  return type.kind === 'secret' ? found?.type === 'string' || found?.type === 'blob' : type.kind === found?.type
}

function membersBelow({ types }: InferredService, { type }: Field): readonly string[] {
  const fields = type.kind === 'structure' ? [...types.fieldsOf(type.shape).values()] : []
  return fields.filter(({ wire }) => wire !== undefined).map(({ model }) => keyOf(model))
}

/**
 * Whether the operation takes the members of the structure apart: all of them are members of its input and there are at least two, or
 * the config says so.
 */
function isSpread(
  service: InferredService,
  field: Field,
  { operation, names }: { readonly operation: string; readonly names: readonly string[] },
): boolean {
  const { from } = field.config ?? {}
  if (from !== undefined) return from.operation === operation && from.path === '.'
  const below = membersBelow(service, field)
  const keys = names.map(keyOf)
  const known = below.filter(name => keys.includes(name))
  return known.length >= 2 && known.length >= below.length - 1 && keyOf(operation).includes(keyOf(field.names.camel))
}

/** `EnableKeyRotation` switches the field `enableKeyRotation`, or one of what it enables. */
function switchOf(settable: readonly Field[], operation: string, others: number): Field | undefined {
  const noun = /^Enable(.+)$/.exec(operation)?.[1]
  if (noun === undefined || others > 1) return undefined
  const names = [operation, noun, `${noun}Enabled`].map(keyOf)
  return settable.find(({ type, names: { camel } }) => type.kind === 'boolean' && names.includes(keyOf(camel)))
}

interface Set {
  readonly operation: string
  readonly fields: readonly Setting[]
  readonly addresses: Addresses
}

function partOf(service: InferredService, kind: InferredKind, { operation, fields, addresses }: Set): FoundPart {
  const { api } = service
  const noun = operation.replace(setters, '')
  const wire = (name: string): string => api.operations.get(name)?.wire ?? name
  const off = `Disable${noun}`
  const isSwitch = fields.length === 1 && fields[0]?.member === undefined && fields[0]?.field.type.kind === 'boolean'
  // What deletes the resource takes away more than a part.
  const ownVerbs = Object.values(kind.operations)
  const removal = [`Delete${noun}`, `Remove${noun}`].find(
    name => !ownVerbs.includes(name) && isWholeWith(service, name, addresses),
  )
  const read = fields.every(({ field }) => isToldBy(service, kind, field))
    ? undefined
    : findRead(service, { noun, fields: fields.map(({ field }) => field), addresses })
  const part: ResourcePart = {
    operation: wire(operation),
    fields: fields.map(({ field, member }) => ({ field: field.names.camel, ...given({ member }) })),
    ...(isSwitch && api.operations.has(off) ? { off: wire(off) } : {}),
    ...(removal === undefined || isSwitch ? {} : { remove: wire(removal) }),
    ...(read === undefined ? {} : { read: { operation: wire(read.operation), paths: read.paths } }),
  }
  const what = fields.map(({ field, member }) => (member === undefined ? field.json : `${field.json} as ${member}`)).join(', ')
  const evidence = [
    `${operation} takes the identifiers of ${kind.resource} and ${what}`,
    ...(part.off === undefined ? [] : [`${off} switches it off`]),
    ...(part.remove === undefined ? [] : [`${removal} takes it away`]),
    ...(read === undefined ? [] : [`${read.operation} tells it`]),
  ]
  return { part, evidence: evidence.join('; ') }
}

/** An operation that needs nothing but to know whose it is. */
export function isWholeWith({ api }: InferredService, operation: string, addresses: Addresses): boolean {
  const input = inputOf(api, operation)
  return (
    input !== undefined &&
    [...input.required].every(name => addresses.isAddress(name)) &&
    [...input.members.keys()].some(name => addresses.isIdentity(name))
  )
}

/** A field that several operations set is set by the one that sets least else: what is asked for changes nothing beside it. */
function withoutDoubles(found: readonly FoundPart[]): readonly FoundPart[] {
  const best = new Map<string, FoundPart>()
  for (const one of found)
    for (const { field } of one.part.fields) {
      const held = best.get(field)
      if (held === undefined || isBetter(one, held)) best.set(field, one)
    }
  return found.flatMap(one => {
    const fields = one.part.fields.filter(({ field }) => best.get(field) === one)
    return fields.length === 0 ? [] : [{ ...one, part: { ...one.part, fields } }]
  })
}

function isBetter(a: FoundPart, b: FoundPart): boolean {
  const [fields, held] = [a.part.fields.length, b.part.fields.length]
  return fields < held || (fields === held && a.part.read !== undefined && b.part.read === undefined)
}
