// ServiceModel to the schema tuples that the SDK's protocol code reads at run time. The layout is young and not ours: it is written
// down here once, by its numbers, and tuples.test.ts holds it against the tuples of the generated clients, so that an upgrade that
// changes it fails there and not in production.
import type {
  ListShape,
  MapShape,
  Member,
  Operation,
  ServiceModel,
  Shape,
  StructureShape,
  TimestampFormat,
} from '../../model/service-model.ts'

/** A number for a simple shape, a tuple for anything with members, or a function that gives one, for shapes that contain themselves. */
export type SchemaRef = number | string | readonly unknown[] | (() => SchemaRef)

/** What an operation is to the protocol code. */
export interface OperationTuple {
  readonly namespace: string
  readonly name: string
  readonly traits: Traits
  readonly input: SchemaRef
  readonly output: SchemaRef
}

export type Traits = Readonly<Record<string, unknown>>

/** First element of a tuple: what it describes. */
const kind = { simple: 0, list: 1, map: 2, structure: 3, union: 4, error: -3 } as const

const simple = {
  string: 0,
  number: 1,
  boolean: 2,
  timestamp: 4,
  'date-time': 5,
  'http-date': 6,
  'epoch-seconds': 7,
  document: 15,
  bigInteger: 17,
  bigDecimal: 19,
  blob: 21,
} as const

/** Added to a simple schema for a list or map of it. */
const listOfSimple = 64
const mapOfSimple = 128

/** No input or no output. */
const unit = 'unit'

/** The tuples of one service. Shapes are made when first asked for and kept. */
export class Tuples {
  readonly namespace: string
  readonly #model: ServiceModel
  readonly #shapes = new Map<string, SchemaRef>()
  readonly #operations = new Map<string, OperationTuple>()

  constructor(model: ServiceModel) {
    this.#model = model
    // Registries of the SDK are shared by namespace in a process: a name of our own keeps us out of the generated clients' ones.
    this.namespace = `vouch.${model.id.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`
  }

  /** `hostPrefix: false` leaves out the label that some operations put before the host: custom endpoints have no such names. */
  operation(operation: Operation, { hostPrefix = true }: { readonly hostPrefix?: boolean } = {}): OperationTuple {
    if (!hostPrefix && operation.hostPrefix !== undefined) {
      const { hostPrefix: _, ...plain } = operation
      return this.operation(plain)
    }
    const key = `${operation.name} ${operation.hostPrefix ?? ''}`
    const known = this.#operations.get(key)
    if (known !== undefined) return known
    const tuple: OperationTuple = {
      namespace: this.namespace,
      name: operation.name,
      traits: this.#operationTraits(operation),
      input: operation.input === undefined ? unit : this.shape(operation.input),
      output: operation.output === undefined ? unit : this.shape(operation.output),
    }
    this.#operations.set(key, tuple)
    return tuple
  }

  /** The schema of a shape. */
  shape(name: string): SchemaRef {
    const known = this.#shapes.get(name)
    if (known !== undefined) return known
    const shape = shapeOf(this.#model, name)
    const made = this.#make(name, shape)
    this.#shapes.set(name, made)
    return made
  }

  #operationTraits({ http, hostPrefix, idempotent }: Operation): Traits {
    const bound = this.#model.protocol === 'rest-xml' || this.#model.protocol === 'rest-json'
    return {
      ...(bound && { http: [http.method, isS3(this.#model) ? withoutBucket(http.uri) : http.uri, http.code] }),
      ...(hostPrefix !== undefined && { endpoint: [hostPrefix] }),
      ...(idempotent && { idempotent: 1 }),
    }
  }

  #make(name: string, shape: Shape): SchemaRef {
    switch (shape.type) {
      case 'structure':
      case 'union':
        return this.#structure(name, shape)
      case 'list':
        return this.#list(name, shape)
      case 'map':
        return this.#map(name, shape)
      case 'string':
        if (shape.mediaType === undefined) return simple.string
        return [kind.simple, this.namespace, name, { mediaType: shape.mediaType }, simple.string]
      case 'timestamp':
        return timestamp(shape.format)
      case 'boolean':
        return simple.boolean
      case 'blob':
        // Streams are read whole, within a bound, and sent whole: no operator streams, and a buffered body can be retried.
        return simple.blob
      case 'document':
        return simple.document
      case 'bigInteger':
        return simple.bigInteger
      case 'bigDecimal':
        return simple.bigDecimal
      default:
        return simple.number
    }
  }

  #structure(name: string, shape: StructureShape): SchemaRef {
    const { namespace } = this
    const names = memberOrder(shape)
    // A function, because members can lead back to this shape.
    const refs = names.map(memberName => this.#member(shape, memberName))
    const traits: Record<string, unknown> = {
      ...(shape.xmlName !== undefined && { xmlName: shape.xmlName }),
      ...(shape.xmlNamespace !== undefined && { xmlNamespace: [undefined, shape.xmlNamespace] }),
      ...(shape.eventStream && { streaming: 1 }),
    }
    if (shape.error !== undefined) {
      const { code, fault, httpStatus } = shape.error
      Object.assign(traits, { error: fault }, httpStatus && { httpError: httpStatus })
      if (code !== name) Object.assign(traits, { awsQueryError: [code, httpStatus ?? 400] })
      return [kind.error, namespace, name, traits, names, refs, shape.required.length]
    }
    if (shape.type === 'union') return [kind.union, namespace, name, traits, names, refs]
    return [kind.structure, namespace, name, traits, names, refs, shape.required.length]
  }

  #member(shape: StructureShape, name: string): SchemaRef {
    const member = memberOf(shape, name)
    const traits = { ...memberTraits(name, member, this.#model), ...(shape.payload === name && { httpPayload: 1 }) }
    const target = this.#target(member)
    return Object.keys(traits).length === 0 ? target : [target, traits]
  }

  /** Simple shapes at once, others when they are needed. */
  #target(member: Member): SchemaRef {
    const shape = shapeOf(this.#model, member.target)
    if (shape.type === 'timestamp') return timestamp(member.timestampFormat ?? shape.format)
    const isDeep = shape.type === 'structure' || shape.type === 'union' || shape.type === 'list' || shape.type === 'map'
    return isDeep ? () => this.shape(member.target) : this.shape(member.target)
  }

  #list(name: string, { member, sparse }: ListShape): SchemaRef {
    const element = this.#element(member)
    if (typeof element === 'number' && !sparse) return listOfSimple | element
    return [kind.list, this.namespace, name, sparse ? { sparse: 1 } : 0, element]
  }

  #map(name: string, { key, value, sparse }: MapShape): SchemaRef {
    const [keyRef, valueRef] = [this.#element(key), this.#element(value)]
    if (keyRef === simple.string && typeof valueRef === 'number' && !sparse) return mapOfSimple | valueRef
    return [kind.map, this.namespace, name, sparse ? { sparse: 1 } : 0, keyRef, valueRef]
  }

  #element(member: Member): SchemaRef {
    const traits = memberTraits('', member, this.#model)
    const target = this.#target(member)
    return Object.keys(traits).length === 0 ? target : [target, traits]
  }
}

/** The shape of this name; the reader has seen to it that there is one. */
export function shapeOf(model: ServiceModel, name: string): Shape {
  const shape = Object.hasOwn(model.shapes, name) ? model.shapes[name] : undefined
  if (shape === undefined) throw new TypeError(`the model of ${model.id} has no shape "${name}"`)
  return shape
}

export function memberOf(shape: StructureShape, name: string): Member {
  const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
  if (member === undefined) throw new TypeError(`there is no member "${name}"`)
  return member
}

export function isS3({ id }: ServiceModel): boolean {
  return id === 'S3'
}

/** Required members first: the order in which the generated clients write them. */
function memberOrder({ members, required }: StructureShape): readonly string[] {
  const first = new Set(required)
  const names = Object.keys(members)
  return [...names.filter(name => first.has(name)), ...names.filter(name => !first.has(name))]
}

function memberTraits(name: string, member: Member, model: ServiceModel): Record<string, unknown> {
  return {
    ...bindingTraits(name, member, model),
    ...(member.queryName !== undefined && { ec2QueryName: member.queryName }),
    ...(member.xmlAttribute && { xmlAttribute: 1 }),
    ...(member.xmlNamespace !== undefined && { xmlNamespace: [member.xmlNamespace.prefix, member.xmlNamespace.uri] }),
    ...(member.flattened && { xmlFlattened: 1 }),
    ...(member.hostLabel && { hostLabel: 1 }),
    ...(member.jsonValue && { mediaType: 'application/json' }),
    ...(member.eventPayload && { eventPayload: 1 }),
    ...(member.eventHeader && { eventHeader: 1 }),
  }
}

function bindingTraits(name: string, member: Member, model: ServiceModel): Record<string, unknown> {
  const wireName = member.locationName ?? name
  switch (member.location) {
    case 'header':
      return { httpHeader: wireName }
    case 'headers':
      return { httpPrefixHeaders: member.locationName ?? '' }
    case 'uri':
      return { httpLabel: 1 }
    case 'statusCode':
      return { httpResponseCode: 1 }
    case 'querystring':
      return shapeOf(model, member.target).type === 'map' ? { httpQueryParams: 1 } : { httpQuery: wireName }
    default:
      if (member.locationName === undefined) return {}
      return usesXmlNames(model) ? { xmlName: wireName } : { jsonName: wireName }
  }
}

function usesXmlNames({ protocol }: ServiceModel): boolean {
  return protocol === 'query' || protocol === 'ec2' || protocol === 'rest-xml'
}

function timestamp(format: TimestampFormat | undefined): number {
  return format === undefined ? simple.timestamp : simple[format]
}

/** The bucket stands in the endpoint, as host or as path; see s3.ts. */
function withoutBucket(uri: string): string {
  const rest = uri.replace(/^\/\{Bucket\}/, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}
