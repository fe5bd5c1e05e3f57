// Our representation of an AWS service: what its API model says, without the documentation, in one plain JSON form whatever format
// the model came in. `crdgen` reads models into it, `aws/client` turns it into calls, the emulator reads the same from the other
// side, the resource operator finds its members by it. It is committed for the services we ship as `*.gen.ts`.

export type Protocol = 'query' | 'ec2' | 'rest-xml' | 'rest-json' | 'json-1.0' | 'json-1.1' | 'cbor'

/** What an operation takes or answers, by the name of the member. */
export type Values = Readonly<Record<string, unknown>>

/** Tags of a resource, by key. */
export type Tags = Readonly<Record<string, string>>

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
  /** What people call it, e.g. `AWS Certificate Manager`. */
  readonly title?: string
  /** REST-XML services (S3) whose errors stand without an `ErrorResponse` around them. */
  readonly noErrorWrapping?: true
  /** JSON services (SQS) that were query services: a header carries the legacy error code beside the JSON one. */
  readonly queryCompatible?: true
  /** Present for services with one endpoint per partition: the region to sign for and the host, keyed by partition. */
  readonly globalEndpoint?: Readonly<Record<string, { readonly host: string; readonly region: string }>>
  readonly operations: Readonly<Record<string, Operation>>
  /** Keyed by the model's shape names. Every target of a member stands here, the plain primitives (`String`, `Integer` …) too. */
  readonly shapes: Readonly<Record<string, Shape>>
}

export interface Operation {
  readonly name: string
  /**
   * Labels in the URI carry the names of the input's members, `{Key+}` where slashes stay. Constant query parts stand after `?`
   * (`x-id=…` among them, which says nothing and which a router skips). `POST /` for the protocols without bindings.
   */
  readonly http: { readonly method: string; readonly uri: string; readonly code: number }
  /** Shape names; absent means an empty structure. */
  readonly input?: string
  readonly output?: string
  readonly errors: readonly string[]
  /** AWS takes the operation without a signature. */
  readonly unsigned?: true
  /** Prepended to the host, may hold `{Member}` labels. */
  readonly hostPrefix?: string
  readonly idempotent?: true
  readonly readonly?: true
  readonly deprecated?: true
  /** The body must come with a checksum: Content-MD5, or an `x-amz-checksum-*` where `checksum` is present. */
  readonly checksumRequired?: true
  /** Flexible checksums: the input members that choose them, and what the answer may carry. */
  readonly checksum?: {
    readonly algorithmMember?: string
    readonly validationMember?: string
    readonly responseAlgorithms?: readonly string[]
  }
  /** The body is signed as UNSIGNED-PAYLOAD. */
  readonly unsignedPayload?: true
  /** The result's root element is its only member's value, without an element around it (S3 GetBucketLocation). */
  readonly unwrappedOutput?: true
  /** Element around a query result, where it is not `<Operation>Result`. */
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
  | (ShapeTraits & { readonly type: 'blob' } & Streaming & Bounds)
  | (ShapeTraits & { readonly type: 'timestamp'; readonly format?: TimestampFormat })
  | (ShapeTraits & { readonly type: 'document' })

export interface Streaming {
  readonly streaming?: true
  readonly requiresLength?: true
}

/** Length of texts, blobs, lists and maps; value of numbers. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

export type TimestampFormat = 'epoch-seconds' | 'date-time' | 'http-date'

export interface StructureShape extends ShapeTraits {
  readonly type: 'structure' | 'union'
  readonly members: Readonly<Record<string, Member>>
  readonly required: readonly string[]
  /**
   * Present on errors: code, who is at fault, and whether trying again helps. The code is that of the query and XML protocols; on a
   * JSON wire stands the shape's name (and the code only in the legacy header of `queryCompatible` services).
   */
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
  /** A union whose members are the events of a stream. */
  readonly eventStream?: true
}

export interface ListShape extends ShapeTraits, Bounds {
  readonly type: 'list'
  readonly member: Member
  readonly unique?: true
  /** Elements may be null. */
  readonly sparse?: true
}

export interface MapShape extends ShapeTraits, Bounds {
  readonly type: 'map'
  readonly key: Member
  readonly value: Member
  readonly sparse?: true
}

export interface StringShape extends ShapeTraits, Bounds {
  readonly type: 'string'
  /** Wire values in the model's order. */
  readonly enum?: readonly string[]
  /** A regular expression that must match somewhere in the value: anchors are part of it. */
  readonly pattern?: string
  readonly mediaType?: string
}

export interface NumberShape extends ShapeTraits, Bounds {
  readonly type: 'byte' | 'short' | 'integer' | 'long' | 'float' | 'double' | 'bigInteger' | 'bigDecimal' | 'intEnum'
}

/** A use of a shape: as a structure's member, a list's element, a map's key or value. */
export interface Member {
  readonly target: string
  /** Absent means the body. A map at `querystring` spreads into one pair per entry. */
  readonly location?: 'header' | 'headers' | 'uri' | 'querystring' | 'statusCode'
  /**
   * Name on the wire where it differs from the member's own: header, prefix of headers, query key, XML or JSON name. A structure's
   * `payload` member is the exception: without this name its root element goes by the target's `xmlName` or the shape's name.
   */
  readonly locationName?: string
  /** `ec2QueryName`, which wins over everything else in EC2 query. */
  readonly queryName?: string
  readonly xmlAttribute?: true
  readonly xmlNamespace?: { readonly uri: string; readonly prefix?: string }
  /** A list or map without an element around it. */
  readonly flattened?: true
  readonly timestampFormat?: TimestampFormat
  readonly idempotencyToken?: true
  readonly hostLabel?: true
  readonly jsonValue?: true
  readonly eventPayload?: true
  readonly eventHeader?: true
  readonly deprecated?: true
  readonly documentation?: string
}
