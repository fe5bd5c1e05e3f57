// Smithy JSON AST to ServiceModel. Shape ids lose their namespace; traits become the few facts that wire, inference and
// validation need. What a trait means on the wire is written down once, here and in c2j.ts, and nowhere behind.
import { globalEndpointsOf, type Operation, type Protocol, type ServiceModel, type Shape } from '#aws'
import {
  arrayAt,
  compact,
  hasFlag,
  isRecord,
  type JsonRecord,
  optionalTextAt,
  own,
  record,
  recordAt,
  sortedRecord,
  textAt,
} from './json.ts'
import { ModelError } from './model-error.ts'
import { checksumOf, chooseProtocol, hasHttpBindings, usesTarget } from './protocol.ts'
import { isUnsignedByRule } from './quirks.ts'
import type { ModelReadContext } from './read-context.ts'
import { ShapeNames } from './smithy-names.ts'
import { readSmithyShape } from './smithy-shapes.ts'

/** Reads the one service of the document. */
export function readSmithy(document: JsonRecord, context: ModelReadContext): ServiceModel {
  const shapes = recordAt(document, 'shapes', context.file)
  const [serviceId, service] = findService(shapes, context.file)
  const where = `${context.file}: service "${serviceId}"`
  const traits = recordAt(service, 'traits', where)
  const api = recordAt(traits, 'aws.api#service', where)
  const id = optionalTextAt(api, 'sdkId', where) ?? serviceId.slice(serviceId.indexOf('#') + 1)
  const endpointPrefix = optionalTextAt(api, 'endpointPrefix', where) ?? id.toLowerCase().replaceAll(' ', '')
  const protocol = protocolOf(traits, context)
  const names = new ShapeNames(serviceId, service, shapes)
  return compact({
    id,
    apiVersion: optionalTextAt(service, 'version', where) ?? '',
    protocol,
    endpointPrefix,
    signingName: optionalTextAt(recordAt(traits, 'aws.auth#sigv4', where), 'name', where) ?? endpointPrefix,
    targetPrefix: usesTarget(protocol) ? serviceId.slice(serviceId.indexOf('#') + 1) : undefined,
    xmlNamespace: optionalTextAt(recordAt(traits, 'smithy.api#xmlNamespace', where), 'uri', where),
    title: optionalTextAt(traits, 'smithy.api#title', where),
    noErrorWrapping: hasFlag(recordAt(traits, 'aws.protocols#restXml', where), 'noErrorWrapping'),
    queryCompatible: hasFlag(traits, 'aws.protocols#awsQueryCompatible'),
    globalEndpoint: globalEndpointsOf(endpointPrefix),
    operations: readOperations({ shapes, service, names, protocol, context, serviceName: id }),
    shapes: readShapes(shapes, names, context),
  }) as unknown as ServiceModel
}

function findService(shapes: JsonRecord, file: string): readonly [string, JsonRecord] {
  for (const [id, shape] of Object.entries(shapes)) {
    if (isRecord(shape) && shape['type'] === 'service') return [id, shape]
  }
  throw new ModelError('malformed', `${file}: no shape of type "service"`)
}

const protocolTraits: Readonly<Record<string, Protocol>> = {
  'aws.protocols#awsQuery': 'query',
  'aws.protocols#ec2Query': 'ec2',
  'aws.protocols#restXml': 'rest-xml',
  'aws.protocols#restJson1': 'rest-json',
  'aws.protocols#awsJson1_0': 'json-1.0',
  'aws.protocols#awsJson1_1': 'json-1.1',
  'smithy.protocols#rpcv2Cbor': 'cbor',
}

function protocolOf(traits: JsonRecord, context: ModelReadContext): Protocol {
  const names = Object.keys(traits).filter(
    name => /^(aws|smithy)\.protocols#/.test(name) && name !== 'aws.protocols#awsQueryCompatible',
  )
  const offered = names.flatMap(name => (Object.hasOwn(protocolTraits, name) ? [protocolTraits[name] as Protocol] : []))
  return chooseProtocol(offered, context.protocol, { file: context.file, names })
}

interface OperationSource {
  readonly shapes: JsonRecord
  readonly service: JsonRecord
  readonly names: ShapeNames
  readonly protocol: Protocol
  readonly context: ModelReadContext
  readonly serviceName: string
}

/** Every operation of the document: that is what the service and its resources bind, in models with one service. */
function readOperations(source: OperationSource): Readonly<Record<string, Operation>> {
  const entries: [string, Operation][] = []
  for (const [id, shape] of Object.entries(source.shapes)) {
    if (!isRecord(shape) || shape['type'] !== 'operation') continue
    const name = source.names.of(id)
    entries.push([name, readOperation(name, shape, source)])
  }
  return sortedRecord(entries)
}

function readOperation(name: string, shape: JsonRecord, source: OperationSource): Operation {
  const { names, context, protocol } = source
  const where = `${context.file}: operation "${name}"`
  const traits = recordAt(shape, 'traits', where)
  const errors = [...arrayAt(source.service, 'errors', where), ...arrayAt(shape, 'errors', where)]
  const checksum = recordAt(traits, 'aws.protocols#httpChecksum', where)
  return compact({
    name,
    http: httpOf(traits, protocol, where),
    input: payloadOf(shape, 'input', names, where),
    output: payloadOf(shape, 'output', names, where),
    errors: [...new Set(errors.map(error => names.of(textAt(record(error, where), 'target', where))))].sort(),
    unsigned: isUnsigned(traits) || isUnsignedByRule(source.serviceName, name),
    hostPrefix: optionalTextAt(recordAt(traits, 'smithy.api#endpoint', where), 'hostPrefix', where),
    idempotent: hasFlag(traits, 'smithy.api#idempotent'),
    readonly: hasFlag(traits, 'smithy.api#readonly'),
    deprecated: hasFlag(traits, 'smithy.api#deprecated'),
    checksumRequired: hasFlag(checksum, 'requestChecksumRequired') || hasFlag(traits, 'smithy.api#httpChecksumRequired'),
    checksum: checksumOf(checksum, where),
    unsignedPayload: hasFlag(traits, 'aws.auth#unsignedPayload'),
    unwrappedOutput: hasFlag(traits, 'aws.customizations#s3UnwrappedXmlOutput'),
    paginated: paginationOf(traits, recordAt(source.service, 'traits', where), where),
    documentation: context.documentation ? optionalTextAt(traits, 'smithy.api#documentation', where) : undefined,
  }) as unknown as Operation
}

function httpOf(traits: JsonRecord, protocol: Protocol, where: string): Operation['http'] {
  if (!hasHttpBindings(protocol)) return { method: 'POST', uri: '/', code: 200 }
  const http = recordAt(traits, 'smithy.api#http', where)
  const code = own(http, 'code')
  return { method: textAt(http, 'method', where), uri: textAt(http, 'uri', where), code: typeof code === 'number' ? code : 200 }
}

/** A payload counts only in the service's own namespace; `Unit` means there is none. */
function payloadOf(shape: JsonRecord, key: 'input' | 'output', names: ShapeNames, where: string): string | undefined {
  const reference = own(shape, key)
  if (reference === undefined) return undefined
  const target = textAt(record(reference, where), 'target', where)
  return target.startsWith('smithy.api#') ? undefined : names.of(target)
}

function isUnsigned(traits: JsonRecord): boolean {
  const auth = own(traits, 'smithy.api#auth')
  return hasFlag(traits, 'smithy.api#optionalAuth') || (Array.isArray(auth) && auth.length === 0)
}

/** The operation's own words, completed from the service's where they are common to all its lists. */
function paginationOf(traits: JsonRecord, serviceTraits: JsonRecord, where: string): Operation['paginated'] {
  if (own(traits, 'smithy.api#paginated') === undefined) return undefined
  const words = { ...recordAt(serviceTraits, 'smithy.api#paginated', where), ...recordAt(traits, 'smithy.api#paginated', where) }
  const inputToken = optionalTextAt(words, 'inputToken', where)
  const outputToken = optionalTextAt(words, 'outputToken', where)
  if (inputToken === undefined || outputToken === undefined) return undefined
  return compact({
    inputToken,
    outputToken,
    pageSize: optionalTextAt(words, 'pageSize', where),
    items: optionalTextAt(words, 'items', where),
  }) as Operation['paginated']
}

function readShapes(shapes: JsonRecord, names: ShapeNames, context: ModelReadContext): Readonly<Record<string, Shape>> {
  const entries: [string, Shape][] = []
  for (const [id, shape] of Object.entries(shapes)) {
    const source = record(shape, `${context.file}: shape "${id}"`)
    const read = readSmithyShape(source, { id, names, context, shapes })
    if (read !== undefined) entries.push([names.of(id), read])
  }
  return sortedRecord([...entries, ...names.primitives()])
}
