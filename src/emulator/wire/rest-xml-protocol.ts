// REST-XML (§3.3: Route 53, §3.4: S3), which differ in errors, headers and what they call a path they do not know.
import type { Member, Operation, ServiceModel, StructureShape } from '#aws'
import { ServiceError } from '../error.ts'
import type { RawRequest } from '../service.ts'
import type { Encoded, FoundOperation, Routing, ServedProtocol } from './protocol.ts'
import { decodeRestInput, encodeRestHeaders, payloadOf } from './rest-input.ts'
import { pathIsKnown, type Routed, type RouteTable, routeRequest, routeTable, strayKeys } from './routes.ts'
import { renderScalar, type TextForm } from './scalars.ts'
import { inputOf, membersOf, outputOf, shapeOf } from './shapes.ts'
import { escapeXml, parseXml } from './xml.ts'
import { decodeXmlStructure, encodeXmlMembers } from './xml-values.ts'

type Values = Record<string, unknown>
type Flavour = 's3' | 'route53'

const prologue = '<?xml version="1.0" encoding="UTF-8"?>\n'
const form: TextForm = { timestamp: 'date-time', precision: 'millis' }

export function restXmlProtocol(model: ServiceModel, flavour: Flavour): ServedProtocol {
  const table = routeTable(model)
  const namespace = model.xmlNamespace ?? ''
  return {
    route(request): Routing {
      const routed = routeRequest(table, request)
      if (routed !== undefined) return (flavour === 's3' ? misread(table, routed, request) : undefined) ?? routed
      return { unknown: `${request.method} ${request.path}`, error: unknownError(flavour, request, pathIsKnown(table, request)) }
    },
    decode({ operation, labels }: FoundOperation, request): Values {
      return decodeRestInput(model, operation, { ...request, labels }, () => decodedBody(model, operation, request))
    },
    encode(operation: Operation, output, requestId): Encoded {
      const { headers, status } = encodeRestHeaders(model, operation, output)
      const body = encodedBody(model, operation, output, namespace)
      const type =
        typeof body === 'string' && body !== '' ? { 'content-type': flavour === 's3' ? 'application/xml' : 'text/xml' } : {}
      return { status, headers: { ...type, ...headers, ...identified(flavour, requestId) }, body }
    },
    encodeError(error, requestId, request): Encoded {
      return flavour === 's3' ? s3Error(error, requestId, request) : route53Error(error, requestId, namespace)
    },
  }
}

function decodedBody(model: ServiceModel, operation: Operation, request: RawRequest): Values {
  const payload = payloadOf(model, operation.input)
  if (payload !== undefined) {
    const shape = shapeOf(model, payload.member.target)
    if (shape.type === 'blob') return { [payload.name]: request.body }
    if (request.body.length === 0) return {}
    if (shape.type === 'structure')
      return { [payload.name]: decodeXmlStructure(model, shape, parseXml(textOf(request)), payload.name) }
    return { [payload.name]: textOf(request) }
  }
  const structure = inputOf(model, operation)
  const hasBody = membersOf(structure).some(([, member]) => member.location === undefined)
  return hasBody && request.body.length > 0 ? decodeXmlStructure(model, structure, parseXml(textOf(request))) : {}
}

function encodedBody(
  model: ServiceModel,
  operation: Operation,
  output: Readonly<Values>,
  namespace: string,
): string | Uint8Array {
  const payload = payloadOf(model, operation.output)
  if (payload !== undefined) {
    const value = output[payload.name]
    if (value === undefined) return ''
    if (value instanceof Uint8Array) return value
    const shape = shapeOf(model, payload.member.target)
    if (shape.type !== 'structure') return renderScalar(payload.member, shape, value, form)
    const tag = payload.member.locationName ?? shape.xmlName ?? payload.member.target
    return document(tag, shape.xmlNamespace ?? namespace, encodeXmlMembers(model, shape, value as Values, form))
  }
  const structure = outputOf(model, operation)
  if (operation.unwrappedOutput) return unwrapped(model, structure, output, namespace)
  if (!membersOf(structure).some(([, member]) => member.location === undefined)) return ''
  const tag = structure.xmlName ?? operation.output ?? `${operation.name}Response`
  return document(tag, structure.xmlNamespace ?? namespace, encodeXmlMembers(model, structure, output, form))
}

/** GetBucketLocation: the only member's value stands in the root element itself. */
function unwrapped(model: ServiceModel, structure: StructureShape, output: Readonly<Values>, namespace: string): string {
  const [name, member] = membersOf(structure)[0] as readonly [string, Member]
  const value = output[name]
  const text = value === undefined ? '' : renderScalar(member, shapeOf(model, member.target), value, form)
  return document(member.locationName ?? name, namespace, escapeXml(text))
}

function document(tag: string, namespace: string, inside: string): string {
  return `${prologue}<${tag} xmlns="${escapeXml(namespace)}">${inside}</${tag}>`
}

function textOf(request: RawRequest): string {
  return Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength).toString('utf8')
}

function identified(flavour: Flavour, requestId: string): Record<string, string> {
  return flavour === 's3'
    ? { 'x-amz-request-id': requestId, 'x-amz-id-2': hostIdOf(requestId), server: 'AmazonS3' }
    : { 'x-amzn-requestid': requestId }
}

/** S3's second id: opaque base64 text; ours only repeats the first, so that the two can be matched by eye. */
function hostIdOf(requestId: string): string {
  return Buffer.from(`${requestId}/emulated/${requestId}/host`).toString('base64')
}

function s3Error(error: ServiceError, requestId: string, request: RawRequest): Encoded {
  const headers = { 'content-type': 'application/xml', ...identified('s3', requestId) }
  if (request.method === 'HEAD') return { status: error.status, headers, body: '' }
  const fields = Object.entries(error.fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
  const body = `${prologue}<Error><Code>${escapeXml(error.code)}</Code><Message>${escapeXml(error.message)}</Message>${fields.join('')}<RequestId>${requestId}</RequestId><HostId>${hostIdOf(requestId)}</HostId></Error>`
  return { status: error.status, headers, body: error.status === 304 ? '' : body }
}

function route53Error(error: ServiceError, requestId: string, namespace: string): Encoded {
  const type = error.status >= 500 ? 'Receiver' : 'Sender'
  const body = `${prologue}<ErrorResponse xmlns="${escapeXml(namespace)}"><Error><Type>${type}</Type><Code>${escapeXml(error.code)}</Code><Message>${escapeXml(error.message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
  return { status: error.status, headers: { 'content-type': 'text/xml', ...identified('route53', requestId) }, body }
}

/** S3 tells operations apart by names in the query: one that is not the operation's must not be taken for a plain read or write. */
function misread(table: RouteTable, routed: Routed, request: RawRequest): Routing | undefined {
  const [stray] = strayKeys(table, routed, request.query)
  if (stray === undefined) return undefined
  const unknown = `${request.method} ${request.path}?${stray.key}`
  if (stray.kind !== 'parameter') return { unknown, error: unknownError('s3', request, stray.kind === 'sub-resource') }
  const what = stray.key === 'versionId' ? 'version-id' : `parameter ${stray.key}`
  return { unknown, error: new ServiceError('InvalidArgument', 400, `This operation does not accept a ${what}.`) }
}

function unknownError(flavour: Flavour, request: RawRequest, known: boolean): ServiceError {
  if (flavour === 'route53')
    return new ServiceError('UnknownOperationException', 404, 'The requested operation is not recognized by the service.')
  if (known) {
    return new ServiceError('MethodNotAllowed', 405, 'The specified method is not allowed against this resource.', {
      Method: request.method,
    })
  }
  return new ServiceError('NotImplemented', 501, 'A header or query you provided implies functionality that is not implemented.')
}
