// The SDK's protocol code behind one small interface: operation and values in, request out; response in, values or error out.
// Loaded on first use: it is 35 ms and 14 MB that a webhook or a `vouch render` never needs.
import type { ServiceModel, Values } from '../../model/service-model.ts'
import { type OperationTuple, type SchemaRef, Tuples } from './tuples.ts'

/** A request as the protocol code makes it: everything but signature and transport. */
export interface WireRequest {
  method: string
  hostname: string
  port?: number | undefined
  path: string
  query: Record<string, string | readonly string[] | null>
  headers: Record<string, string>
  body?: string | Uint8Array | undefined
}

export interface WireResponse {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

export type { Values }

/** A refusal as it was read from the wire. */
export interface WireError {
  readonly code: string
  readonly message: string
  readonly httpStatus: number
  readonly requestId: string | undefined
  readonly detail: Values
}

export interface WireProtocol {
  readonly tuples: Tuples
  encode(operation: OperationTuple, input: Values, endpoint: URL): Promise<WireRequest>
  /** The output, or the error that the service answered with. Throws for a body that cannot be read. */
  decode(operation: OperationTuple, response: WireResponse): Promise<{ readonly output: Values } | { readonly error: WireError }>
}

/** The protocol of a service. Importing the SDK's code happens here, once per process. */
export async function openProtocol(model: ServiceModel): Promise<WireProtocol> {
  const tuples = new Tuples(model)
  const sdk = await protocolOf(model, tuples)
  sdk.setSerdeContext(serdeContext)
  return {
    tuples,
    encode: async (operation, input, endpoint) => {
      const context = { ...serdeContext, endpoint: async () => ({ url: endpoint }) }
      const request = await sdk.serializeRequest(operation, input, context)
      return { ...request, body: plainBody(request.body) }
    },
    decode: async (operation, response) => decode(sdk, operation, response),
  }
}

/** The JSON codec's bytes pass themselves off as text to whoever treats them so; ours are bytes and nothing else. */
function plainBody(body: WireRequest['body']): WireRequest['body'] {
  if (!(body instanceof Uint8Array)) return body
  return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength)
}

/** The part of the SDK's protocol classes that we use. */
interface SdkProtocol {
  setSerdeContext(context: unknown): void
  serializeRequest(operation: OperationTuple, input: Values, context: unknown): Promise<WireRequest>
  deserializeResponse(operation: OperationTuple, context: unknown, response: unknown): Promise<Record<string, unknown>>
  getResponseType(): new (options: object) => unknown
}

const serdeContext = {
  base64Encoder: (bytes: Uint8Array | string): string => Buffer.from(bytes as Uint8Array).toString('base64'),
  base64Decoder: (text: string): Uint8Array => Buffer.from(text, 'base64'),
  utf8Encoder: (bytes: Uint8Array | string): string => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  utf8Decoder: (text: string): Uint8Array => Buffer.from(text, 'utf8'),
  streamCollector: async (body: Uint8Array): Promise<Uint8Array> => body,
  disableHostPrefix: false,
}

async function protocolOf(model: ServiceModel, tuples: Tuples): Promise<SdkProtocol> {
  const sdk = await import('@aws-sdk/core/protocols')
  const options = {
    defaultNamespace: tuples.namespace,
    errorTypeRegistries: [errorRegistry(model, tuples)] as never,
    xmlNamespace: model.xmlNamespace ?? '',
    version: model.apiVersion,
    serviceTarget: model.targetPrefix ?? '',
    awsQueryCompatible: model.queryCompatible ?? false,
  }
  const Protocol = {
    query: sdk.AwsQueryProtocol,
    ec2: sdk.AwsEc2QueryProtocol,
    'rest-xml': sdk.AwsRestXmlProtocol,
    'rest-json': sdk.AwsRestJsonProtocol,
    'json-1.0': sdk.AwsJson1_0Protocol,
    'json-1.1': sdk.AwsJson1_1Protocol,
    cbor: sdk.AwsSmithyRpcV2CborProtocol,
  }[model.protocol] as unknown as new (
    options: object,
  ) => SdkProtocol
  const protocol = new Protocol(options)
  return model.protocol === 'cbor' ? namingService(protocol, model) : protocol
}

/** The CBOR path names the service; the SDK takes the name from its client's context, which we do not have. */
function namingService(sdk: SdkProtocol, model: ServiceModel): SdkProtocol {
  const serializeRequest = sdk.serializeRequest.bind(sdk)
  sdk.serializeRequest = async (operation, input, context) => {
    const names = { service: model.targetPrefix ?? '', operation: operation.name }
    return serializeRequest(operation, input, { ...(context as object), __smithy_context: names })
  }
  return sdk
}

/** What a modelled error becomes while it is read: plain fields under the name of its shape. */
class WireException extends Error {
  shapeName = ''
}

/** A registry has the shape of the SDK's: it reads these two maps and nothing else. */
function errorRegistry(
  model: ServiceModel,
  tuples: Tuples,
): { readonly schemas: Map<string, SchemaRef>; readonly exceptions: Map<SchemaRef, unknown> } {
  const schemas = new Map<string, SchemaRef>()
  const exceptions = new Map<SchemaRef, unknown>()
  for (const [name, shape] of Object.entries(model.shapes)) {
    if (shape.type !== 'structure' || shape.error === undefined) continue
    const schema = tuples.shape(name)
    schemas.set(`${tuples.namespace}#${name}`, schema)
    exceptions.set(
      schema,
      class extends WireException {
        override shapeName = name
      },
    )
  }
  return { schemas, exceptions }
}

async function decode(
  sdk: SdkProtocol,
  operation: OperationTuple,
  response: WireResponse,
): Promise<{ readonly output: Values } | { readonly error: WireError }> {
  const Response = sdk.getResponseType()
  // The protocol code changes headers in place.
  const wire = new Response({ statusCode: response.statusCode, headers: { ...response.headers }, body: response.body })
  try {
    const { $metadata: _, ...output } = await sdk.deserializeResponse(operation, serdeContext, wire)
    return { output }
  } catch (error) {
    if (response.statusCode < 300 || !(error instanceof Error)) throw error
    return { error: readWireError(error, response) }
  }
}

type Thrown = Error & {
  readonly $metadata?: { readonly requestId?: string }
  readonly shapeName?: string
  readonly Error?: { readonly Code?: unknown }
  readonly Code?: unknown
  readonly RequestId?: unknown
  readonly RequestID?: unknown
}

/** Members that the SDK adds to what the service said. */
const sdkMembers = new Set([
  'name',
  'message',
  'stack',
  'shapeName',
  '$fault',
  '$metadata',
  '$service',
  'Error',
  'Errors',
  'Type',
  'Code',
  '__type',
])

function readWireError(error: Error, response: WireResponse): WireError {
  const thrown = error as Thrown
  if (thrown.$metadata === undefined) {
    // No error document at all: a proxy's HTML, or half an answer.
    const code = codeOfStatus(response.statusCode)
    return {
      code,
      message: `HTTP ${response.statusCode} without an error document`,
      httpStatus: response.statusCode,
      requestId: requestIdOf(response, undefined),
      detail: {},
    }
  }
  const stated = textOf(thrown.Error?.Code) ?? textOf(thrown.Code)
  const named = thrown.shapeName || thrown.name
  const code = stated ?? (named === 'Unknown' || named === 'Error' ? codeOfStatus(response.statusCode) : named)
  const message = thrown.message === 'UnknownError' || thrown.message === 'Unknown' ? '' : thrown.message
  const detail = Object.fromEntries(Object.entries(thrown).filter(([key, value]) => !sdkMembers.has(key) && value !== undefined))
  return { code, message, httpStatus: response.statusCode, requestId: requestIdOf(response, thrown), detail }
}

/** Answers to HEAD have no body: the code follows from the status, as all SDKs make it. */
function codeOfStatus(status: number): string {
  const known: Readonly<Record<number, string>> = {
    301: 'PermanentRedirect',
    400: 'BadRequest',
    403: 'Forbidden',
    404: 'NotFound',
  }
  return known[status] ?? `Http${status}`
}

function requestIdOf({ headers }: WireResponse, thrown: Thrown | undefined): string | undefined {
  return (
    headers['x-amzn-requestid'] ??
    headers['x-amz-request-id'] ??
    headers['x-amzn-request-id'] ??
    textOf(thrown?.RequestId) ??
    textOf(thrown?.RequestID)
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
