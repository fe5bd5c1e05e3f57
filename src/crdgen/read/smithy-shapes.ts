// The data shapes of a Smithy document: structures, unions, lists, maps and everything simple.
import type { Member, Shape, StructureShape, TimestampFormat } from '#aws'
import {
  compact,
  hasFlag,
  isRecord,
  type JsonRecord,
  optionalNumberAt,
  optionalTextAt,
  own,
  record,
  recordAt,
  textAt,
} from './json.ts'
import { ModelError } from './model-error.ts'
import type { ModelReadContext } from './read-context.ts'
import type { ShapeNames } from './smithy-names.ts'

interface ShapeSource {
  readonly id: string
  readonly names: ShapeNames
  readonly context: ModelReadContext
  /** The whole document, for mixins. */
  readonly shapes: JsonRecord
}

/** The shape, or `undefined` for what carries no data (services, resources, operations, trait definitions' kin). */
export function readSmithyShape(shape: JsonRecord, source: ShapeSource): Shape | undefined {
  const where = `${source.context.file}: shape "${source.id}"`
  const type = textAt(shape, 'type', where)
  const traits = recordAt(shape, 'traits', where)
  const common = {
    sensitive: hasFlag(traits, 'smithy.api#sensitive'),
    deprecated: hasFlag(traits, 'smithy.api#deprecated'),
    documentation: documentationOf(traits, source),
  }
  switch (type) {
    case 'structure':
    case 'union':
      return compact({ type, ...structureOf(shape, traits, source), ...common }) as Shape
    case 'list':
    case 'set':
      return compact({
        type: 'list',
        member: readMember('member', recordAt(shape, 'member', where), source),
        unique: hasFlag(traits, 'smithy.api#uniqueItems'),
        sparse: hasFlag(traits, 'smithy.api#sparse'),
        ...boundsOf(traits, 'smithy.api#length'),
        ...common,
      }) as unknown as Shape
    case 'map':
      return compact({
        type,
        key: readMember('key', recordAt(shape, 'key', where), source),
        value: readMember('value', recordAt(shape, 'value', where), source),
        sparse: hasFlag(traits, 'smithy.api#sparse'),
        ...boundsOf(traits, 'smithy.api#length'),
        ...common,
      }) as unknown as Shape
    default:
      return simpleOf(type, { shape, traits, where, common })
  }
}

interface SimpleSource {
  readonly shape: JsonRecord
  readonly traits: JsonRecord
  readonly where: string
  readonly common: object
}

function simpleOf(type: string, { shape, traits, where, common }: SimpleSource): Shape | undefined {
  switch (type) {
    case 'string':
    case 'enum':
      return compact({
        type: 'string',
        enum: type === 'enum' ? enumMembers(shape, where) : enumTrait(traits, where),
        pattern: optionalTextAt(traits, 'smithy.api#pattern', where),
        mediaType: optionalTextAt(traits, 'smithy.api#mediaType', where),
        ...boundsOf(traits, 'smithy.api#length'),
        ...common,
      }) as Shape
    case 'blob':
      return compact({
        type,
        streaming: hasFlag(traits, 'smithy.api#streaming'),
        requiresLength: hasFlag(traits, 'smithy.api#requiresLength'),
        ...boundsOf(traits, 'smithy.api#length'),
        ...common,
      }) as Shape
    case 'timestamp':
      return compact({ type, format: timestampFormatOf(traits, where), ...common }) as Shape
    case 'boolean':
    case 'document':
      return compact({ type, ...common }) as Shape
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
    case 'bigInteger':
    case 'bigDecimal':
    case 'intEnum':
      return compact({ type, ...boundsOf(traits, 'smithy.api#range'), ...common }) as Shape
    default:
      return undefined
  }
}

/** Values in sorted order, as upstream reads them; a member without a value stands for its own name. */
function enumMembers(shape: JsonRecord, where: string): readonly string[] {
  return Object.entries(recordAt(shape, 'members', where))
    .map(([name, member]) => {
      const value = own(recordAt(record(member, where), 'traits', where), 'smithy.api#enumValue')
      return typeof value === 'string' ? value : name
    })
    .sort()
}

function enumTrait(traits: JsonRecord, where: string): readonly string[] | undefined {
  const values = own(traits, 'smithy.api#enum')
  return Array.isArray(values) ? values.map(value => textAt(record(value, where), 'value', where)) : undefined
}

function structureOf(shape: JsonRecord, traits: JsonRecord, source: ShapeSource): Omit<StructureShape, 'type'> {
  const where = `${source.context.file}: shape "${source.id}"`
  const members: [string, Member][] = []
  const required: string[] = []
  let payload: string | undefined
  for (const [name, raw] of Object.entries(membersWithMixins(shape, source, where))) {
    const member = record(raw, `${where}, member "${name}"`)
    const memberTraits = recordAt(member, 'traits', where)
    if (hasFlag(memberTraits, 'smithy.api#required')) required.push(name)
    if (hasFlag(memberTraits, 'smithy.api#httpPayload')) payload = name
    members.push([name, readMember(name, member, source)])
  }
  return {
    members: Object.fromEntries(members),
    required,
    error: errorOf(traits, source, where),
    payload,
    xmlName: optionalTextAt(traits, 'smithy.api#xmlName', where),
    xmlNamespace: optionalTextAt(recordAt(traits, 'smithy.api#xmlNamespace', where), 'uri', where),
    eventStream: hasFlag(traits, 'smithy.api#streaming'),
  } as Omit<StructureShape, 'type'>
}

/** A mixin's members come first, its own mixins' before them. */
function membersWithMixins(shape: JsonRecord, source: ShapeSource, where: string, depth = 0): JsonRecord {
  const own_ = recordAt(shape, 'members', where)
  const mixins = own(shape, 'mixins')
  if (!Array.isArray(mixins)) return own_
  if (depth > 20) throw new ModelError('malformed', `${where}: its mixins form a ring`)
  const inherited = mixins.map(mixin => {
    const target = textAt(record(mixin, where), 'target', where)
    const found = own(source.shapes, target)
    if (found === undefined)
      throw new ModelError('unresolved', `${where}, mixin, refers to shape "${target}", which does not exist`)
    return membersWithMixins(record(found, where), source, where, depth + 1)
  })
  return Object.assign({}, ...inherited, own_) as JsonRecord
}

function errorOf(traits: JsonRecord, source: ShapeSource, where: string): StructureShape['error'] {
  const fault = optionalTextAt(traits, 'smithy.api#error', where)
  if (fault === undefined) return undefined
  const query = recordAt(traits, 'aws.protocols#awsQueryError', where)
  const retryable = own(traits, 'smithy.api#retryable')
  return compact({
    code: optionalTextAt(query, 'code', where) ?? source.names.of(source.id),
    fault: fault === 'server' ? 'server' : 'client',
    httpStatus: optionalNumberAt(query, 'httpResponseCode') ?? optionalNumberAt(traits, 'smithy.api#httpError'),
    retryable: retryable !== undefined,
    throttling: isRecord(retryable) && hasFlag(retryable, 'throttling'),
  }) as unknown as StructureShape['error']
}

function readMember(name: string, member: JsonRecord, source: ShapeSource): Member {
  const where = `${source.context.file}: shape "${source.id}", member "${name}"`
  const traits = recordAt(member, 'traits', where)
  const namespace = recordAt(traits, 'smithy.api#xmlNamespace', where)
  const uri = optionalTextAt(namespace, 'uri', where)
  return compact({
    target: source.names.of(textAt(member, 'target', where)),
    ...bindingOf(name, traits, where),
    queryName: optionalTextAt(traits, 'aws.protocols#ec2QueryName', where),
    xmlAttribute: hasFlag(traits, 'smithy.api#xmlAttribute'),
    xmlNamespace: uri === undefined ? undefined : compact({ uri, prefix: optionalTextAt(namespace, 'prefix', where) }),
    flattened: hasFlag(traits, 'smithy.api#xmlFlattened'),
    timestampFormat: timestampFormatOf(traits, where),
    idempotencyToken: hasFlag(traits, 'smithy.api#idempotencyToken'),
    hostLabel: hasFlag(traits, 'smithy.api#hostLabel'),
    eventPayload: hasFlag(traits, 'smithy.api#eventPayload'),
    eventHeader: hasFlag(traits, 'smithy.api#eventHeader'),
    deprecated: hasFlag(traits, 'smithy.api#deprecated'),
    documentation: documentationOf(traits, source),
  }) as unknown as Member
}

/** Where the member travels, and under which name when that is not its own. */
function bindingOf(name: string, traits: JsonRecord, where: string): Pick<Member, 'location' | 'locationName'> {
  const named = (location: NonNullable<Member['location']>, trait: string): Pick<Member, 'location' | 'locationName'> => {
    const wireName = optionalTextAt(traits, trait, where)
    return { location, ...(wireName === undefined || wireName === name ? {} : { locationName: wireName }) }
  }
  if (hasFlag(traits, 'smithy.api#httpHeader')) return named('header', 'smithy.api#httpHeader')
  if (own(traits, 'smithy.api#httpPrefixHeaders') !== undefined) return named('headers', 'smithy.api#httpPrefixHeaders')
  if (hasFlag(traits, 'smithy.api#httpQuery')) return named('querystring', 'smithy.api#httpQuery')
  if (hasFlag(traits, 'smithy.api#httpQueryParams')) return { location: 'querystring' }
  if (hasFlag(traits, 'smithy.api#httpLabel')) return { location: 'uri' }
  if (hasFlag(traits, 'smithy.api#httpResponseCode')) return { location: 'statusCode' }
  const bodyName = optionalTextAt(traits, 'smithy.api#xmlName', where) ?? optionalTextAt(traits, 'smithy.api#jsonName', where)
  // Without a name of its own a payload goes by its shape's name, so there the member's name says something.
  const saysNothing = bodyName === name && !hasFlag(traits, 'smithy.api#httpPayload')
  return bodyName === undefined || saysNothing ? {} : { locationName: bodyName }
}

function boundsOf(traits: JsonRecord, trait: string): { readonly min?: number; readonly max?: number } {
  const bounds = own(traits, trait)
  if (!isRecord(bounds)) return {}
  const min = optionalNumberAt(bounds, 'min')
  // Every length is at least 0; one format says so and the other does not.
  const saysNothing = trait === 'smithy.api#length' && min === 0
  return compact({ min: saysNothing ? undefined : min, max: optionalNumberAt(bounds, 'max') }) as { min?: number; max?: number }
}

function timestampFormatOf(traits: JsonRecord, where: string): TimestampFormat | undefined {
  const format = optionalTextAt(traits, 'smithy.api#timestampFormat', where)
  if (format === undefined || format === 'epoch-seconds' || format === 'date-time' || format === 'http-date') return format
  throw new ModelError('malformed', `${where}: unknown timestamp format "${format}"`)
}

function documentationOf(traits: JsonRecord, source: ShapeSource): string | undefined {
  return source.context.documentation ? optionalTextAt(traits, 'smithy.api#documentation', source.id) : undefined
}
