// The shapes of a C2J document, with their traits moved to where our representation has them.
import type { Member, Shape, StructureShape, TimestampFormat } from '#aws'
import { given } from '#base'
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
  sortedRecord,
  textAt,
  textsAt,
} from './json.ts'
import { ModelError } from './model-error.ts'
import { primitives } from './primitives.ts'
import type { ModelReadContext } from './read-context.ts'

interface Surroundings {
  readonly context: ModelReadContext
  /** The service's namespace: what repeats it says nothing. */
  readonly xmlNamespace: string | undefined
}

export class C2jShapes {
  readonly #raw: JsonRecord
  readonly #context: ModelReadContext
  readonly #xmlNamespace: string | undefined

  constructor(raw: JsonRecord, { context, xmlNamespace }: Surroundings) {
    this.#raw = raw
    this.#context = context
    this.#xmlNamespace = xmlNamespace
  }

  /** All shapes, the primitives that members refer to without a definition included. `rootNames` are root elements of inputs. */
  read(rootNames: ReadonlyMap<string, string>): Readonly<Record<string, Shape>> {
    const entries = new Map<string, Shape>()
    const streaming = this.#streamingBlobs()
    for (const [name, value] of Object.entries(this.#raw)) {
      const shape = this.#readShape(name, record(value, this.#where(name)))
      const xmlName = rootNames.get(name)
      if (shape.type === 'structure' && xmlName !== undefined) entries.set(name, { ...shape, xmlName })
      else entries.set(name, shape.type === 'blob' && streaming.has(name) ? { ...shape, streaming: true } : shape)
    }
    for (const shape of entries.values()) {
      if (shape.type !== 'structure') continue
      for (const { target } of Object.values(shape.members)) {
        const primitive = Object.hasOwn(primitives, target) ? primitives[target] : undefined
        if (primitive !== undefined && !entries.has(target)) entries.set(target, primitive)
      }
    }
    return sortedRecord(entries)
  }

  /** Label of the URI to the member that fills it. */
  labels(input: string | undefined): ReadonlyMap<string, string> {
    const labels = new Map<string, string>()
    const shape = input === undefined ? undefined : own(this.#raw, input)
    if (input === undefined || !isRecord(shape)) return labels
    for (const [name, member] of Object.entries(recordAt(shape, 'members', this.#where(input)))) {
      if (!isRecord(member) || member['location'] !== 'uri') continue
      labels.set(typeof member['locationName'] === 'string' ? member['locationName'] : name, name)
    }
    return labels
  }

  #readShape(name: string, shape: JsonRecord): Shape {
    const where = this.#where(name)
    const type = textAt(shape, 'type', where)
    const common = {
      sensitive: hasFlag(shape, 'sensitive'),
      deprecated: hasFlag(shape, 'deprecated'),
      documentation: this.#documentation(shape, name),
    }
    const bounds = boundsOf(type, shape)
    switch (type) {
      case 'structure':
        if (hasFlag(shape, 'document')) return compact({ type: 'document', ...common }) as Shape
        return compact({ ...this.#structure(name, shape), ...common }) as unknown as Shape
      case 'list':
        return compact({
          type,
          member: this.#listMember(name, shape),
          sparse: hasFlag(shape, 'sparse'),
          ...bounds,
          ...common,
        }) as unknown as Shape
      case 'map':
        return compact({
          type,
          key: this.#member(name, 'key', recordAt(shape, 'key', where)),
          value: this.#member(name, 'value', recordAt(shape, 'value', where)),
          sparse: hasFlag(shape, 'sparse'),
          ...bounds,
          ...common,
        }) as unknown as Shape
      default:
        return this.#simple(type, shape, { where, common: { ...bounds, ...common } })
    }
  }

  #simple(type: string, shape: JsonRecord, { where, common }: { readonly where: string; readonly common: object }): Shape {
    switch (type) {
      case 'string':
      case 'character':
      case 'jsonvalue': {
        const values = textsAt(shape, 'enum', where)
        return compact({
          type: 'string',
          enum: values.length === 0 ? undefined : values,
          pattern: patternOf(shape, where),
          mediaType: type === 'jsonvalue' ? 'application/json' : undefined,
          ...common,
        }) as Shape
      }
      case 'blob':
        return compact({
          type,
          streaming: hasFlag(shape, 'streaming'),
          requiresLength: hasFlag(shape, 'requiresLength'),
          ...common,
        }) as Shape
      case 'timestamp':
        return compact({ type, format: timestampFormatOf(shape, where), ...common }) as Shape
      case 'boolean':
      case 'byte':
      case 'short':
      case 'integer':
      case 'long':
      case 'float':
      case 'double':
      case 'biginteger':
      case 'bigdecimal':
        return compact({ type: type.replace(/^big./, start => `big${start.at(-1)?.toUpperCase()}`), ...common }) as Shape
      default:
        throw new ModelError('malformed', `${where}: unknown type "${type}"`)
    }
  }

  #structure(name: string, shape: JsonRecord): StructureShape {
    const where = this.#where(name)
    const members = Object.entries(recordAt(shape, 'members', where)).map(([memberName, member]) => {
      const isPayload = own(shape, 'payload') === memberName
      return [memberName, this.#member(name, memberName, record(member, where), isPayload)] as const
    })
    return {
      type: hasFlag(shape, 'union') || hasFlag(shape, 'eventstream') ? 'union' : 'structure',
      members: Object.fromEntries(members),
      required: textsAt(shape, 'required', where),
      error: errorOf(name, shape, where),
      payload: optionalTextAt(shape, 'payload', where),
      xmlName: optionalTextAt(shape, 'locationName', where),
      eventStream: hasFlag(shape, 'eventstream'),
    } as StructureShape
  }

  /** The element name of a flattened list belongs to the member that uses the list. */
  #listMember(name: string, shape: JsonRecord): Member {
    const member = this.#member(name, 'member', recordAt(shape, 'member', this.#where(name)))
    if (!hasFlag(shape, 'flattened')) return member
    const { locationName: _, ...rest } = member
    return rest
  }

  #member(shapeName: string, name: string, member: JsonRecord, isPayload = false): Member {
    const where = `${this.#where(shapeName)}, member "${name}"`
    const target = textAt(member, 'shape', where)
    const targetShape = own(this.#raw, target)
    const raw = isRecord(targetShape) ? targetShape : {}
    return compact({
      target,
      ...bindingOf(name, member, { target: raw, where, isPayload }),
      queryName: optionalTextAt(member, 'queryName', where),
      xmlAttribute: hasFlag(member, 'xmlAttribute'),
      xmlNamespace: this.#namespace(member, where) ?? (raw['type'] === 'structure' ? this.#namespace(raw, where) : undefined),
      flattened: isCollection(raw) && (hasFlag(member, 'flattened') || hasFlag(raw, 'flattened')),
      timestampFormat: timestampFormatOf(member, where),
      idempotencyToken: hasFlag(member, 'idempotencyToken'),
      hostLabel: hasFlag(member, 'hostLabel'),
      jsonValue: hasFlag(member, 'jsonvalue'),
      eventPayload: hasFlag(member, 'eventpayload'),
      eventHeader: hasFlag(member, 'eventheader'),
      deprecated: hasFlag(member, 'deprecated'),
      documentation: this.#memberDocumentation(member, { shapeName, name, target }),
    }) as unknown as Member
  }

  #namespace(source: JsonRecord, where: string): Member['xmlNamespace'] {
    const namespace = own(source, 'xmlNamespace')
    if (!isRecord(namespace)) return undefined
    const uri = textAt(namespace, 'uri', where)
    const prefix = optionalTextAt(namespace, 'prefix', where)
    return uri === this.#xmlNamespace ? undefined : { uri, ...given({ prefix }) }
  }

  /** `streaming` stands beside the use of a blob; Smithy has it on the blob. */
  #streamingBlobs(): ReadonlySet<string> {
    const names = new Set<string>()
    for (const shape of Object.values(this.#raw)) {
      const members = isRecord(shape) ? own(shape, 'members') : undefined
      for (const member of isRecord(members) ? Object.values(members) : []) {
        if (isRecord(member) && hasFlag(member, 'streaming') && typeof member['shape'] === 'string') names.add(member['shape'])
      }
    }
    return names
  }

  #documentation(source: JsonRecord, name: string): string | undefined {
    if (!this.#context.documentation) return undefined
    const inline = own(source, 'documentation')
    if (typeof inline === 'string') return inline
    return optionalTextAt(this.#docsOf(name), 'base', name)
  }

  #memberDocumentation(
    member: JsonRecord,
    { shapeName, name, target }: { readonly shapeName: string; readonly name: string; readonly target: string },
  ): string | undefined {
    if (!this.#context.documentation) return undefined
    const inline = own(member, 'documentation')
    if (typeof inline === 'string') return inline
    const text = own(recordAt(this.#docsOf(target), 'refs', target), `${shapeName}$${name}`)
    return typeof text === 'string' ? text : undefined
  }

  #docsOf(name: string): JsonRecord {
    if (this.#context.docs === undefined) return {}
    return recordAt(recordAt(this.#context.docs, 'shapes', this.#context.file), name, this.#context.file)
  }

  #where(name: string): string {
    return `${this.#context.file}: shape "${name}"`
  }
}

/** Every length is at least 0; one format says so and the other does not. */
function boundsOf(type: string, shape: JsonRecord): { readonly min: number | undefined; readonly max: number | undefined } {
  const min = optionalNumberAt(shape, 'min')
  const isLength = ['string', 'list', 'map', 'blob'].includes(type)
  return { min: isLength && min === 0 ? undefined : min, max: optionalNumberAt(shape, 'max') }
}

/** C2J patterns cover the whole value; ours, like Smithy's, say so with anchors. */
function patternOf(shape: JsonRecord, where: string): string | undefined {
  const pattern = optionalTextAt(shape, 'pattern', where)
  if (pattern === undefined) return undefined
  if (/^\.\*./s.test(pattern) && pattern.endsWith('.*') && pattern.length > 4) return pattern.slice(2, -2)
  const [start, end] = [pattern.startsWith('^') ? '' : '^', pattern.endsWith('$') ? '' : '$']
  return start && end && pattern.includes('|') ? `^(?:${pattern})$` : `${start}${pattern}${end}`
}

function isCollection(shape: JsonRecord): boolean {
  return shape['type'] === 'list' || shape['type'] === 'map'
}

const locations = ['header', 'headers', 'uri', 'querystring', 'statusCode'] as const

interface BindingSource {
  readonly target: JsonRecord
  readonly isPayload: boolean
  readonly where: string
}

function bindingOf(
  name: string,
  member: JsonRecord,
  { target, where, isPayload }: BindingSource,
): Pick<Member, 'location' | 'locationName'> {
  const location = optionalTextAt(member, 'location', where)
  const known = locations.find(each => each === location)
  if (location !== undefined && known === undefined) {
    throw new ModelError('malformed', `${where}: unknown location "${location}"`)
  }
  const locationName = optionalTextAt(member, 'locationName', where) ?? flattenedName(target, where)
  // A label is named by its member here, and a map in the query has no name of its own.
  const isNameless = known === 'uri' || (known === 'querystring' && target['type'] === 'map')
  // Without a name of its own a payload goes by its shape's name, so there the member's name says something.
  const saysNothing = isNameless || (locationName === name && !isPayload)
  return compact({ location: known, locationName: saysNothing ? undefined : locationName }) as Pick<
    Member,
    'location' | 'locationName'
  >
}

/** A flattened list's element name is the wire name of the member that uses the list. */
function flattenedName(target: JsonRecord, where: string): string | undefined {
  if (target['type'] !== 'list' || !hasFlag(target, 'flattened')) return undefined
  return optionalTextAt(recordAt(target, 'member', where), 'locationName', where)
}

function errorOf(name: string, shape: JsonRecord, where: string): StructureShape['error'] {
  if (!hasFlag(shape, 'exception')) return undefined
  const error = recordAt(shape, 'error', where)
  const httpStatus = optionalNumberAt(error, 'httpStatusCode')
  const retryable = own(shape, 'retryable')
  return compact({
    code: optionalTextAt(error, 'code', where) ?? name,
    fault: hasFlag(shape, 'fault') || own(error, 'senderFault') === false || isServers(httpStatus) ? 'server' : 'client',
    httpStatus,
    retryable: retryable !== undefined,
    throttling: isRecord(retryable) && hasFlag(retryable, 'throttling'),
  }) as unknown as StructureShape['error']
}

function isServers(httpStatus: number | undefined): boolean {
  return httpStatus !== undefined && httpStatus >= 500
}

const timestampFormats: Readonly<Record<string, TimestampFormat>> = {
  iso8601: 'date-time',
  rfc822: 'http-date',
  unixTimestamp: 'epoch-seconds',
}

function timestampFormatOf(source: JsonRecord, where: string): TimestampFormat | undefined {
  const format = optionalTextAt(source, 'timestampFormat', where)
  if (format === undefined) return undefined
  if (Object.hasOwn(timestampFormats, format)) return timestampFormats[format]
  throw new ModelError('malformed', `${where}: unknown timestamp format "${format}"`)
}
