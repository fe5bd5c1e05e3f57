// From a manifest to the input of an operation: each member gets the value of the field that means the same.
import type { Member, ResourceField, Values } from '#aws'
import type { Fields } from '../api.ts'
import { attributesOf } from './attributes.ts'
import { isRecord, toWire } from './convert.ts'
import { type InputMember, inputMembers } from './input-members.ts'
import { type KindModel, structureFields, structureNamed } from './kind-model.ts'
import { nameKey, sameName } from './names.ts'
import { isArnName, isIdentifierName, isShortIdentifier, ownIdentifier } from './own-names.ts'

/** What a resource is, by manifest and by AWS. */
export interface Content {
  readonly spec: Fields
  readonly status: Fields
  readonly arn?: string | undefined
  /** What only the kind's deviation has a use for. */
  readonly extra?: Fields
  /** AWS has taken a deletion and keeps it for a while, as it does with secrets and keys. */
  readonly isDeleted?: true
  /** It is not there, and this is what was learnt by looking. */
  readonly isAbsent?: true
  /** Nobody told its tags, so that it has none here, whatever it has in AWS. */
  readonly hasUntoldTags?: true
  /** Nothing was asked, since nothing is known by which it could be. */
  readonly isUnasked?: true
}

export type Method = 'Create' | 'Update' | 'Delete' | 'ReadOne' | 'ReadMany'

export interface RequestOptions {
  readonly method: Method
  /** For members that make a repeated call harmless. */
  readonly token?: string
  /** Of the members that are not required: which to send. All by default, except for reads. */
  readonly sends?: (field: ResourceField) => boolean
  /** Instead of all attributes that the manifest speaks of. */
  readonly attributes?: Readonly<Record<string, string>>
}

export type { Values }

/** By which operation a resource is made: its own, or another where the manifest gives what only that one takes, such as a snapshot. */
export function creationOf({ kind, spec }: KindModel, wanted: Content): string {
  const isGiven = (camel: string): boolean => {
    const field = spec.named(camel)
    return field !== undefined && (wanted.spec[field.json] ?? undefined) !== undefined
  }
  const given = (kind.makings ?? []).map(({ operation, fields }) => ({ operation, count: fields.filter(isGiven).length }))
  const [most] = given.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
  return most?.operation ?? kind.operations.create
}

/** The operation's input. Throws `ValueError` for a value that no call can carry. */
export function requestOf(model: KindModel, operation: string, content: Content, options: RequestOptions): Values {
  const { members, wrapped } = inputMembers(model, operation)
  return {
    ...model.constants[operation],
    ...membersOf(model, members, content, options),
    ...(wrapped === undefined ? {} : { [wrapped.name]: membersOf(model, wrapped.members, content, options) }),
  }
}

function membersOf(model: KindModel, members: readonly InputMember[], content: Content, options: RequestOptions): Values {
  const made: Record<string, unknown> = {}
  for (const each of members) {
    const value = memberValue(model, each, content, options)
    if (value !== undefined) made[each.name] = value
  }
  const { method } = options
  if (method === 'Create' || method === 'Update') return made
  // A deletion that names a version is about that one alone, or is refused since it is the one in use.
  if (method === 'Delete') for (const { name, isVersion } of members) if (isVersion) delete made[name]
  if (Object.keys(made).length < 2) return made
  // Asked for in two ways at once, some services refuse or find nothing: by its id where it has one, else by its name, else by its ARN.
  const optional = (goesBy: InputMember['goesBy']): string[] =>
    members.filter(each => each.goesBy === goesBy && made[each.name] !== undefined).map(({ name }) => name)
  const [ids, names, arns] = [optional('id'), optional('name'), optional('arn')]
  const own = ids.filter(id => !names.some(name => String(made[id]) === String(made[name])))
  const unneeded = own.length > 0 ? [...names, ...arns] : names.length > 0 ? [...ids, ...arns] : []
  for (const name of unneeded) delete made[name]
  return made
}

function memberValue(model: KindModel, each: InputMember, content: Content, { method, ...options }: RequestOptions): unknown {
  const { name, member, isRequired, field } = each
  if (each.fixed !== undefined) return each.fixed
  const isSetting = method === 'Create' || method === 'Update'
  if (isSetting && each.isAttributes) {
    const attributes = options.attributes ?? attributesOf(model, content)
    return Object.keys(attributes).length > 0 || isRequired ? attributes : undefined
  }
  if (field !== undefined && !isKeptBack(field, method)) {
    const isRead = method === 'ReadOne' || method === 'ReadMany'
    const isSent = isRead ? each.namesResource : isRequired || (options.sends?.(field) ?? true)
    const value = isSent ? content[each.holder][field.json] : undefined
    if (value !== undefined && value !== null)
      return toWire(value, { service: model.service, type: field.type, member, path: field.json })
  }
  if (member.idempotencyToken === true) return options.token
  if (method === 'Update' && each.isOverwrite) return true
  const isIdentifying = isRequired || method === 'ReadMany' || (method === 'ReadOne' && each.isIdentifier)
  return isIdentifying && method !== 'Create' ? identifierValue(model, { name, member, content }) : undefined
}

/** A field with `set: ignore: to` is not copied into requests of that method. */
function isKeptBack(field: ResourceField, method: Method): boolean {
  return (field.set ?? []).some(
    rule => (rule.ignore === 'to' || rule.ignore === 'all') && (rule.method === undefined || sameName(rule.method, method)),
  )
}

function valueOf(model: KindModel, field: ResourceField, { spec, status }: Content): unknown {
  return model.spec.named(field.camel) === field ? spec[field.json] : status[field.json]
}

interface Identifier {
  readonly name: string
  readonly member: Member
  readonly content: Content
}

/** The value of an identifier that is spelled otherwise in the kind: `InstanceIds` for a status field `instanceID`, `Arn`. */
function identifierValue(model: KindModel, { name, member, content }: Identifier): unknown {
  const { members } = structureNamed(model.service.model, member.target)
  if (Object.keys(members).length > 0 && isIdentifierName(model, name)) return identifierStructure(model, members, content)
  const resource = nameKey(model.kind.resource)
  const key = nameKey(name)
  const isList = model.service.model.shapes[member.target]?.type === 'list'
  const wrap = (value: unknown): unknown => (value === undefined ? undefined : isList ? [value] : value)
  const bare = isList ? key.replace(/s$|list$/, '') : key
  if (isArnName(model, bare)) return wrap(content.arn)
  // The version that was read last, by the word that the answer's header has for it.
  if (bare === 'ifmatch') return fieldValues(model, content, ['etag']).found
  for (const kind of ['id', 'identifier', 'name'] as const) {
    if (bare !== kind && bare !== `${resource}${kind}`) continue
    const own = fieldValues(model, content, [`${resource}${kind}`, kind])
    if (own.found !== undefined) return wrap(own.found)
    if (kind === 'name') continue
    // An id that is the ARN by another word: that one is on record, and before it is, the name is taken for it.
    if (own.isArn) return wrap(content.arn ?? fieldValues(model, content, [`${resource}name`, 'name']).found)
    // A kind that has no id goes by its name where an id is asked for, or by its ARN.
    if (own.isKnown) continue
    const inner = withinStatus(model, bare, content)
    if (inner !== undefined) return wrap(inner)
    return wrap(fieldValues(model, content, [`${resource}name`, 'name']).found ?? content.arn)
  }
  if (bare === 'resource') return wrap(content.arn)
  // `ResourceName` is the ARN of what is tagged in some services, and the name in others.
  if (bare === 'resourcename') return wrap(content.arn ?? fieldValues(model, content, [`${resource}name`, 'name']).found)
  if (bare === 'resourceid' || bare === 'resourceidentifier')
    return wrap(fieldValues(model, content, [`${resource}id`, 'id', `${resource}identifier`]).found ?? content.arn)
  // `cluster` asks for a cluster by whatever it goes by, `clusters` for several.
  if (bare === resource)
    return wrap(fieldValues(model, content, [`${resource}name`, 'name', `${resource}id`, 'id']).found ?? content.arn)
  const own = ownIdentifier(model, name)
  const value = own === undefined ? undefined : (valueOf(model, own, content) ?? undefined)
  if (value !== undefined) return wrap(value)
  // An identifier that only AWS can have given, and that it told by no other word than an ARN.
  return wrap(withinStatus(model, bare, content) ?? (isShortIdentifier(model, bare) ? content.arn : undefined))
}

/** An identifier that is a structure: of its members the ARN, or else each that is known. `RegistryId` of a registry of schemas. */
function identifierStructure(model: KindModel, members: Readonly<Record<string, Member>>, content: Content): unknown {
  const values = Object.entries(members).flatMap(([name, member]) => {
    const field = model.spec.named(name) ?? model.status.named(name)
    const known = field === undefined ? undefined : (valueOf(model, field, content) ?? undefined)
    const value = isArnName(model, nameKey(name)) ? content.arn : (known ?? identifierValue(model, { name, member, content }))
    return value === undefined ? [] : [[name, value] as const]
  })
  const arns = values.filter(([name]) => isArnName(model, nameKey(name)))
  const chosen = arns.length > 0 ? arns : values
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen)
}

/** The id within a part of the status that is called after the kind: `NatGateway` beside a token, `ConstraintDetail` beside parameters. */
function withinStatus(model: KindModel, member: string, { status }: Content): unknown {
  const resource = nameKey(model.kind.resource)
  const around = new Set(['', 'detail', 'details', 'summary', 'info', 'response'].map(end => `${resource}${end}`))
  for (const { camel, json, type } of model.status.all) {
    const value = status[json]
    const name = nameKey(camel)
    if (type.kind !== 'structure' || !isRecord(value) || !(around.has(name) || (name.length > 2 && resource.endsWith(name))))
      continue
    const inner = structureFields(model.service, type.shape)
    const found = inner.find(field => nameKey(field.camel) === member) ?? inner.find(field => nameKey(field.camel) === 'id')
    if (found?.type.kind === 'string' && /id(?:entifier)?$/.test(member)) return value[found.json] ?? undefined
  }
  return undefined
}

/** The first value among fields of these names, and whether the kind has any of them. */
function fieldValues(
  model: KindModel,
  content: Content,
  names: readonly string[],
): { readonly found: unknown; readonly isKnown: boolean; readonly isArn: boolean } {
  const fields = names.flatMap(name => model.spec.named(name) ?? model.status.named(name) ?? [])
  const values = fields.length === 0 ? valuesWithin(model, content, names) : fields.map(field => valueOf(model, field, content))
  return {
    found: values.find(value => value !== undefined && value !== null && value !== ''),
    isKnown: fields.length > 0,
    isArn: fields.some(({ from }) => from !== undefined && nameKey(from.path.split('.').at(-1) ?? '') === 'arn'),
  }
}

/** What the creation takes as one structure has the name within it: `DatabaseInput` of a database, `ConfigurationSet` of a set. */
function valuesWithin({ kind, spec, service }: KindModel, content: Content, names: readonly string[]): readonly unknown[] {
  const around = ['', 'input', 'config', 'configuration'].map(end => `${nameKey(kind.resource)}${end}`)
  return around.flatMap(each => {
    const field = spec.named(each)
    const value = field === undefined ? undefined : content.spec[field.json]
    if (field?.type.kind !== 'structure' || !isRecord(value)) return []
    const inner = structureFields(service, field.type.shape).filter(({ camel }) => names.includes(nameKey(camel)))
    return inner.map(({ json }) => value[json])
  })
}
