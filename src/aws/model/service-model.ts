// Our representation of an AWS service: what its API model says, without the documentation, in one plain JSON form whatever format
// the model came in. `crdgen` reads models into it, `aws/client` turns it into calls, the emulator reads the same from the other
// side, the resource operator finds its members by it. It is committed for the services we ship as `*.gen.ts`.

export type Protocol = 'query' | 'ec2' | 'rest-xml' | 'rest-json' | 'json-1.0' | 'json-1.1' | 'cbor'

export interface ServiceModel {
  /** The service id of the SDKs, e.g. `IAM`, `Route 53`. */
  readonly id: string
  readonly apiVersion: string
  readonly protocol: Protocol
  /** Host prefix, e.g. `iam`, `route53`. */
  readonly endpointPrefix: string
  /** Name in the signature's scope. */
  readonly signingName: string
  /** `X-Amz-Target` prefix of the JSON protocols. */
  readonly targetPrefix?: string
  readonly xmlNamespace?: string
  /** Present for services with one endpoint per partition: the region to sign for and the host, keyed by partition. */
  readonly globalEndpoint?: Readonly<Record<string, { readonly host: string; readonly region: string }>>
  readonly operations: Readonly<Record<string, Operation>>
  /** Keyed by the model's shape names. Primitive targets that need no traits are the names of `primitives`. */
  readonly shapes: Readonly<Record<string, Shape>>
}

export interface Operation {
  readonly name: string
  readonly http: { readonly method: string; readonly uri: string; readonly code: number }
  /** Shape names; absent means an empty structure. */
  readonly input?: string
  readonly output?: string
  readonly errors: readonly string[]
  /** False for operations that AWS takes without a signature. */
  readonly signed?: false
  /** Prepended to the host, may hold `{Member}` labels. */
  readonly hostPrefix?: string
  readonly idempotent?: true
  readonly readonly?: true
  readonly deprecated?: true
  readonly checksumRequired?: true
  /** Name of the member wrapper in query and REST-XML results, where the model states one. */
  readonly resultWrapper?: string
  readonly paginated?: {
    readonly inputToken: string
    readonly outputToken: string
    readonly pageSize?: string
    readonly items?: string
    readonly moreResults?: string
  }
  readonly documentation?: string
}

export interface ShapeTraits {
  readonly sensitive?: true
  readonly deprecated?: true
  readonly documentation?: string
}

export type Shape =
  | StructureShape
  | ListShape
  | MapShape
  | StringShape
  | NumberShape
  | (ShapeTraits & { readonly type: 'boolean' })
  | (ShapeTraits & { readonly type: 'blob'; readonly streaming?: true; readonly requiresLength?: true })
  | (ShapeTraits & { readonly type: 'timestamp'; readonly format?: TimestampFormat })
  | (ShapeTraits & { readonly type: 'document' })

export type TimestampFormat = 'epoch-seconds' | 'date-time' | 'http-date'

export interface StructureShape extends ShapeTraits {
  readonly type: 'structure' | 'union'
  readonly members: Readonly<Record<string, Member>>
  readonly required: readonly string[]
  /** Present on errors: the code on the wire, who is at fault, and whether trying again helps. */
  readonly error?: {
    readonly code: string
    readonly fault: 'client' | 'server'
    readonly httpStatus?: number
    readonly retryable?: true
    readonly throttling?: true
  }
  /** Name of the member that is the whole body. */
  readonly payload?: string
  readonly xmlName?: string
  readonly xmlNamespace?: string
  readonly eventStream?: true
  /** Order in which members were written in the model, where it matters to a protocol or a rendering. */
}

export interface ListShape extends ShapeTraits {
  readonly type: 'list'
  readonly member: Member
  readonly flattened?: true
  readonly min?: number
  readonly max?: number
  readonly unique?: true
}

export interface MapShape extends ShapeTraits {
  readonly type: 'map'
  readonly key: Member
  readonly value: Member
  readonly flattened?: true
  readonly min?: number
  readonly max?: number
}

export interface StringShape extends ShapeTraits {
  readonly type: 'string'
  /** Wire values in the model's order. */
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly min?: number
  readonly max?: number
  readonly mediaType?: string
}

export interface NumberShape extends ShapeTraits {
  readonly type: 'byte' | 'short' | 'integer' | 'long' | 'float' | 'double' | 'bigInteger' | 'bigDecimal' | 'intEnum'
  readonly min?: number
  readonly max?: number
}

/** A use of a shape: as a structure's member, a list's element, a map's key or value. */
export interface Member {
  readonly target: string
  readonly location?: 'header' | 'headers' | 'uri' | 'querystring' | 'statusCode'
  /** Name on the wire where it differs from the member's own: header, query key, XML or JSON name. */
  readonly locationName?: string
  /** `ec2QueryName`, which wins over everything else in EC2 query. */
  readonly queryName?: string
  readonly xmlAttribute?: true
  readonly xmlNamespace?: { readonly uri: string; readonly prefix?: string }
  readonly flattened?: true
  readonly timestampFormat?: TimestampFormat
  readonly idempotencyToken?: true
  readonly hostLabel?: true
  readonly jsonValue?: true
  readonly box?: true
  readonly default?: unknown
  readonly deprecated?: true
  readonly sensitive?: true
  readonly documentation?: string
}
