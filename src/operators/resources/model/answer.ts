// From an operation's output to a resource as a manifest would describe it. What the answer does not speak of stays as it was wanted:
// it cannot be compared.
import type { ResourceField, StructureShape } from '#aws'
import type { Fields } from '../api.ts'
import { attributesIn, attributeValue } from './attributes.ts'
import { fromWire, isRecord } from './convert.ts'
import { type FieldSource, type PartSources, sourcesIn } from './field-sources.ts'
import { inputOf, type KindModel, onceOfKind, outputOf, structureNamed } from './kind-model.ts'
import { nameKey, propertyNamed } from './names.ts'
import { bindingOf, ownIdentifier, tellsArn } from './own-names.ts'
import { type Content, type Method, requestOf, type Values } from './request.ts'
import { tagField } from './tags.ts'

export interface Answered extends Content {
  readonly ownerAccount?: string | undefined
  /** Camel names of the fields that the answer speaks of. */
  readonly told: ReadonlySet<string>
}

interface Part {
  readonly shape: StructureShape
  readonly value: Values
}

/** What fields of `wanted` say stays where the answer does not speak of them. */
export function answerOf(
  model: KindModel,
  operation: string,
  { output, wanted, method }: { readonly output: Values; readonly wanted: Content; readonly method: Method },
): Answered {
  const { around, steps, shape } = placeOf(model, operation)
  const whole: Part = { shape: around, value: output }
  const attributes = attributesIn(model, operation, output)
  const part = attributes === undefined ? { shape, value: valueBelow(output, steps) } : whole
  return readPart(model, operation, { part, whole, wanted, method, attributes })
}

interface Reading {
  readonly part: Part
  readonly whole: Part
  readonly wanted: Content
  readonly method: Method
  /** Where the answer has them. */
  readonly attributes?: Readonly<Record<string, string>> | undefined
}

export function readPart(model: KindModel, operation: string, reading: Reading): Answered {
  const { part, wanted, method, attributes } = reading
  const sources = sourcesIn(model, operation, method, part.shape)
  const parts: Holders = { part, whole: reading.whole, named: namedPart(part, sources), attributes }
  const told = new Set<string>()
  const read = (all: readonly FieldSource[], held: Fields): Fields => {
    const made: Record<string, unknown> = { ...held }
    for (const source of all) {
      const { field } = source
      const found = fieldValue(model, source, parts)
      if (found === undefined) continue
      told.add(field.camel)
      if (found.value === undefined) delete made[field.json]
      else made[field.json] = found.value
    }
    return made
  }
  const { ownerAccount } = sources
  const account = ownerAccount === undefined ? undefined : propertyNamed(attributes ?? part.value, ownerAccount.member)?.value
  return {
    spec: read(sources.spec, wanted.spec),
    status: read(sources.status, wanted.status),
    told,
    // What is kept for some weeks after its deletion says since when or until when.
    ...(sources.deletionDates.some(name => (part.value[name] ?? undefined) !== undefined) ? { isDeleted: true as const } : {}),
    arn: arnIn(sources, parts) ?? wanted.arn,
    ...(typeof account === 'string' ? { ownerAccount: account } : {}),
  }
}

interface Holders {
  readonly part: Part
  readonly whole: Part
  readonly named: Part | undefined
  readonly attributes: Reading['attributes']
}

function namedPart({ value }: Part, { named }: PartSources): Part | undefined {
  if (named === undefined) return undefined
  const held = value[named.name]
  return { shape: named.shape, value: isRecord(held) ? held : {} }
}

function arnIn({ arns: names }: PartSources, { part, named, attributes }: Holders): string | undefined {
  const arns = names
    .flatMap(({ name, inPart, inNamed }) => [
      attributes === undefined ? undefined : propertyNamed(attributes, name)?.value,
      inPart === undefined ? undefined : part.value[inPart],
      inNamed === undefined ? undefined : named?.value[inNamed],
    ])
    .filter((value): value is string => typeof value === 'string' && value !== '')
  // A log group has two: one for policies, which ends so, and one by which it is tagged.
  return arns.find(value => !value.endsWith(':*')) ?? arns[0]
}

/** Camel names of the fields of which the kind's own read speaks, whatever it says. */
export function toldByRead(model: KindModel): ReadonlySet<string> {
  const { readOne, getAttributes, readMany } = model.kind.operations
  const nothing = { output: {}, wanted: { spec: {}, status: {} } } as const
  const operation = readOne ?? getAttributes
  if (operation !== undefined) return answerOf(model, operation, { ...nothing, method: 'ReadOne' }).told
  if (readMany === undefined) return new Set()
  const part: Part = { shape: candidatesOf(model, readMany, {}).shape, value: {} }
  return readPart(model, readMany, { part, whole: part, wanted: nothing.wanted, method: 'ReadMany' }).told
}

/** `undefined` when the answer does not speak of the field; a value of `undefined` when it says that there is none. */
function fieldValue(model: KindModel, { field, stands }: FieldSource, holders: Holders): { readonly value: unknown } | undefined {
  const { attributes } = holders
  if (attributes !== undefined && (field.attribute === true || field.type.kind === 'string')) {
    // What no config calls an attribute may be told among them all the same: the topic of a subscription.
    const among = propertyNamed(attributes, field.member)
    if (field.attribute === true || among !== undefined) return { value: attributeValue(field, among?.value) }
  }
  if (stands === undefined) return undefined
  if (stands.kind === 'path') return valueAt(model, field, holders[stands.of], stands.path)
  const value = holders[stands.of]?.value[stands.name]
  return { value: fromWire(value, { service: model.service, type: field.type, member: stands.member }) }
}

function valueAt(model: KindModel, field: ResourceField, part: Part, path: string): { readonly value: unknown } | undefined {
  const [first = '', ...rest] = path.split('.')
  const member = propertyNamed(part.shape.members, first)
  if (member === undefined) return undefined
  const value = part.value[member.name]
  if (rest.length === 0) return { value: fromWire(value, { service: model.service, type: field.type, member: member.value }) }
  const shape = model.service.model.shapes[member.value.target]
  if (shape?.type === 'list') {
    // The rest of the path is within each element, or within the one element that a list of candidates stands for.
    const inner = structureNamed(model.service.model, shape.member.target)
    const items = (Array.isArray(value) ? value : []).filter(isRecord)
    const values = items.flatMap(item => valueAt(model, field, { shape: inner, value: item }, rest.join('.'))?.value ?? [])
    return { value: field.type.kind === 'list' ? (values.length === 0 ? undefined : values) : values[0] }
  }
  const inner = structureNamed(model.service.model, member.value.target)
  return valueAt(model, field, { shape: inner, value: isRecord(value) ? value : {} }, rest.join('.'))
}

function valueBelow(output: Values, steps: readonly string[]): Values {
  let value = output
  for (const step of steps) {
    const held = value[step]
    const inner: unknown = Array.isArray(held) ? held[0] : held
    value = isRecord(inner) ? inner : {}
  }
  return value
}

/** Where in an output the resource stands. */
interface Place {
  readonly around: StructureShape
  /** Members on the way, of lists their first elements. */
  readonly steps: readonly string[]
  readonly shape: StructureShape
}

/** By config, or the only member when it is a structure, or the output itself. */
const placeOf: (model: KindModel, operation: string) => Place = onceOfKind((model, operation) => {
  const { shapes } = model.service.model
  const around = outputOf(model.service.model, operation)
  let shape = around
  const [only, ...others] = Object.entries(shape.members)
  const isOnly = only !== undefined && others.length === 0 && shapes[only[1].target]?.type === 'structure'
  const path = bindingOf(model, operation).outputWrapper?.split('.') ?? (isOnly ? [only[0]] : [])
  const steps: string[] = []
  for (const step of path) {
    const member = propertyNamed(shape.members, step)
    if (member === undefined) break
    const target = shapes[member.value.target]
    steps.push(member.name)
    shape = structureNamed(model.service.model, target?.type === 'list' ? target.member.target : member.value.target)
  }
  return { around, steps, shape }
})

export interface Candidates {
  readonly shape: StructureShape
  readonly values: readonly Values[]
}

/** The elements of a list operation's output: of the list that the config names, of the kind's own, or of the first list of structures. */
export function candidatesOf(model: KindModel, operation: string, output: Values): Candidates {
  const shape = outputOf(model.service.model, operation)
  const path = bindingOf(model, operation).outputWrapper
  if (path !== undefined) return candidatesAt(model, { shape, values: [output] }, path.split('.'))
  const lists = Object.keys(shape.members).filter(name => elementOf(model, shape, name) !== undefined)
  const own = `${nameKey(model.kind.resource)}s`
  const name = lists.find(each => nameKey(each) === own) ?? lists[0]
  return name === undefined ? { shape: noCandidate, values: [] } : candidatesAt(model, { shape, values: [output] }, [name])
}

const noCandidate: StructureShape = { type: 'structure', members: {}, required: [] }

/** What is in the lists along a path: all elements of all of them. */
function candidatesAt(model: KindModel, from: Candidates, path: readonly string[]): Candidates {
  let current = from
  for (const step of path) {
    const name = propertyNamed(current.shape.members, step)?.name
    const shape = name === undefined ? undefined : elementOf(model, current.shape, name)
    if (name === undefined || shape === undefined) return { shape: noCandidate, values: [] }
    const values = current.values.flatMap(each => each[name] ?? []).filter(isRecord)
    current = { shape, values }
  }
  return current
}

/** The structure in a member that is a list of structures, or that the member is. */
function elementOf({ service }: KindModel, { members }: StructureShape, name: string): StructureShape | undefined {
  const member = members[name]
  const shape = member === undefined ? undefined : service.model.shapes[member.target]
  const element = shape?.type === 'list' ? service.model.shapes[shape.member.target] : undefined
  return element?.type === 'structure' ? element : undefined
}

/** Whether a candidate is the resource: each field that identifies it, where the manifest has a value, is equal. */
export function isMatch(model: KindModel, operation: string, reading: Reading): boolean {
  const read = readPart(model, operation, { ...reading, wanted: { spec: {}, status: {} } })
  const { wanted } = reading
  const equal = (field: ResourceField): boolean => {
    const held = valueIn(model, field, wanted)
    if (held === undefined || held === null) return true
    const found = valueIn(model, field, read)
    return found === undefined ? !read.told.has(field.camel) : found === held
  }
  const identity = identityOf(model, operation)
  if (identity.some(field => isHeld(model, field, wanted))) return identity.every(equal)
  return wanted.arn === undefined || read.arn === undefined || read.arn === wanted.arn
}

function valueIn(model: KindModel, field: ResourceField, { spec, status }: Content): unknown {
  return model.spec.named(field.camel) === field ? spec[field.json] : status[field.json]
}

function isHeld(model: KindModel, field: ResourceField, content: Content): boolean {
  const value = valueIn(model, field, content)
  return value !== undefined && value !== null && value !== ''
}

/**
 * Whether a list can be searched for this one resource: something is known of it that tells it from its neighbours. Where nothing ever
 * does, the first of the list is it.
 */
export function isSearchable(model: KindModel, operation: string, content: Content): boolean {
  const identity = identityOf(model, operation)
  if (identity.some(field => isHeld(model, field, content))) return true
  return identity.length === 0 && model.kind.arnMember === undefined ? true : content.arn !== undefined
}

/** The fields that tell a resource from its neighbours: those that the config names, or its own ids and names. */
const identityOf: (model: KindModel, operation: string) => readonly ResourceField[] = onceOfKind((model, operation) => {
  const { matchFields } = model.kind.settings
  const names = matchFields ?? [...identifyingNames(model), ...askedFor(model, operation)]
  const fields = names.flatMap(name => model.spec.named(name) ?? model.status.named(name) ?? [])
  return [...new Set(fields)]
})

/** What the list can be asked for: `GroupIds` and `GroupNames` ask for a security group's `groupID` and `groupName`. */
function askedFor(model: KindModel, operation: string): readonly string[] {
  const names = Object.keys(inputOf(model.service.model, operation).members)
  return names.flatMap(name => ownIdentifier(model, name)?.camel ?? [])
}

/** Without a config: whatever the candidate and the kind both call an id, a name or an ARN. */
function identifyingNames({ kind }: KindModel): readonly string[] {
  const { resource } = kind
  return ['Id', 'Name', `${resource}Id`, `${resource}Name`, `${resource}Identifier`].map(nameKey)
}

/** Where none can, a mark among them proves nothing, and what a manifest says of them is known by what was sent. */
export const showsTags: (model: KindModel) => boolean = onceOfKind(model => {
  const field = tagField(model)
  return field !== undefined && (toldByRead(model).has(field) || isAskable(model))
})

/** What tells the tags of a resource, under one of the names that services have for it, where it can be asked for one resource. */
export function tagListOperation({ service, kind }: KindModel): string | undefined {
  const { operations } = service.model
  const names = [
    `List${kind.resource}Tags`,
    `ListTagsFor${kind.resource}`,
    'ListTagsForResource',
    'ListResourceTags',
    'ListTagsOfResource',
    'ListTags',
    'GetTags',
    'DescribeTags',
  ]
  // A description of all tags there are takes a filter, and names no resource.
  const isOfOne = (name: string): boolean => name !== 'DescribeTags' || inputOf(service.model, name).required.length > 0
  return names.find(name => Object.hasOwn(operations, name) && isOfOne(name))
}

/** Whether all that the list needs can ever be known: what goes by an ARN that no answer tells cannot be asked for. */
function isAskable(model: KindModel): boolean {
  const operation = tagListOperation(model)
  if (operation === undefined) return false
  const named = (fields: KindModel['spec']): Values =>
    Object.fromEntries(fields.all.filter(({ type }) => type.kind === 'string').map(({ json }) => [json, 'x']))
  const known = { spec: named(model.spec), status: named(model.status), arn: tellsArn(model) ? 'x' : undefined }
  const input = requestOf(model, operation, known, { method: 'Delete' })
  return inputOf(model.service.model, operation).required.every(name => input[name] !== undefined)
}
