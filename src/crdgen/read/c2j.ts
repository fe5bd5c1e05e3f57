// C2J (`api-2.json`, and as botocore ships it) to ServiceModel. The format is older than Smithy and says some things in other
// places: flattening on the list instead of its use, label names beside member names, namespaces on operations. They are moved to
// where Smithy has them, so that both formats of one service give equal values.
import { globalEndpointsOf, type Operation, type Protocol, type ServiceModel } from '#aws'
import { C2jShapes } from './c2j-shapes.ts'
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
  textsAt,
} from './json.ts'
import { ModelError } from './model-error.ts'
import { checksumOf, chooseProtocol, hasHttpBindings, usesTarget } from './protocol.ts'
import { hasBareErrors, hasUnwrappedOutput } from './quirks.ts'
import type { ModelReadContext } from './read-context.ts'

export function readC2j(document: JsonRecord, context: ModelReadContext): ServiceModel {
  const where = `${context.file}: metadata`
  const metadata = recordAt(document, 'metadata', where)
  const rawOperations = recordAt(document, 'operations', context.file)
  const endpointPrefix = textAt(metadata, 'endpointPrefix', where)
  const id =
    optionalTextAt(metadata, 'serviceId', where) ??
    optionalTextAt(metadata, 'serviceAbbreviation', where) ??
    optionalTextAt(metadata, 'serviceFullName', where) ??
    endpointPrefix
  const protocol = protocolOf(metadata, context)
  const xmlNamespace = namespaceOf(metadata, rawOperations)
  const shapes = new C2jShapes(recordAt(document, 'shapes', context.file), { context, xmlNamespace })
  return compact({
    id,
    apiVersion: optionalTextAt(metadata, 'apiVersion', where) ?? '',
    protocol,
    endpointPrefix,
    signingName: optionalTextAt(metadata, 'signingName', where) ?? endpointPrefix,
    targetPrefix: usesTarget(protocol) ? optionalTextAt(metadata, 'targetPrefix', where) : undefined,
    xmlNamespace,
    title: optionalTextAt(metadata, 'serviceFullName', where),
    noErrorWrapping: hasBareErrors(id),
    queryCompatible: own(metadata, 'awsQueryCompatible') !== undefined,
    globalEndpoint: globalEndpointsOf(endpointPrefix),
    operations: readOperations(rawOperations, { id, protocol, shapes, context }),
    shapes: shapes.read(rootNames(rawOperations)),
  }) as unknown as ServiceModel
}

/** The protocol names of C2J; `json` needs its version beside it. */
function protocolOf(metadata: JsonRecord, context: ModelReadContext): Protocol {
  const where = `${context.file}: metadata`
  const listed = textsAt(metadata, 'protocols', where)
  const names = listed.length > 0 ? listed : [textAt(metadata, 'protocol', where)]
  const known: Readonly<Record<string, Protocol>> = {
    query: 'query',
    ec2: 'ec2',
    'rest-xml': 'rest-xml',
    'rest-json': 'rest-json',
    json: optionalTextAt(metadata, 'jsonVersion', where) === '1.1' ? 'json-1.1' : 'json-1.0',
    'smithy-rpc-v2-cbor': 'cbor',
  }
  const offered = names.flatMap(name => (Object.hasOwn(known, name) ? [known[name] as Protocol] : []))
  return chooseProtocol(offered, context.protocol, { file: context.file, names })
}

/** Query services say it once; REST-XML services beside each input that has a body. */
function namespaceOf(metadata: JsonRecord, operations: JsonRecord): string | undefined {
  const stated = own(metadata, 'xmlNamespace')
  if (typeof stated === 'string') return stated
  for (const operation of Object.values(operations)) {
    const input = isRecord(operation) ? own(operation, 'input') : undefined
    const namespace = isRecord(input) ? own(input, 'xmlNamespace') : undefined
    if (isRecord(namespace) && typeof namespace['uri'] === 'string') return namespace['uri']
  }
  return undefined
}

/** Inputs whose root element has a name of its own. */
function rootNames(operations: JsonRecord): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const operation of Object.values(operations)) {
    const input = isRecord(operation) ? own(operation, 'input') : undefined
    if (!isRecord(input)) continue
    const { shape, locationName } = input
    if (typeof shape === 'string' && typeof locationName === 'string' && shape !== locationName) names.set(shape, locationName)
  }
  return names
}

interface OperationSource {
  readonly id: string
  readonly protocol: Protocol
  readonly shapes: C2jShapes
  readonly context: ModelReadContext
}

function readOperations(operations: JsonRecord, source: OperationSource): Readonly<Record<string, Operation>> {
  return sortedRecord(
    Object.entries(operations).map(([key, value]) => {
      const where = `${source.context.file}: operation "${key}"`
      return [key, readOperation(key, record(value, where), source)] as const
    }),
  )
}

function readOperation(key: string, operation: JsonRecord, source: OperationSource): Operation {
  const { context, protocol, shapes } = source
  const where = `${context.file}: operation "${key}"`
  const name = optionalTextAt(operation, 'name', where) ?? key
  const input = optionalTextAt(recordAt(operation, 'input', where), 'shape', where)
  const output = recordAt(operation, 'output', where)
  const wrapper = optionalTextAt(output, 'resultWrapper', where)
  const errors = arrayAt(operation, 'errors', where).map(error => textAt(record(error, where), 'shape', where))
  const checksum = recordAt(operation, 'httpChecksum', where)
  const auth = optionalTextAt(operation, 'authtype', where)
  return compact({
    name,
    http: httpOf(operation, { protocol, members: shapes.labels(input), where }),
    input,
    output: optionalTextAt(output, 'shape', where),
    errors: [...new Set(errors)].sort(),
    unsigned: auth === 'none',
    hostPrefix: optionalTextAt(recordAt(operation, 'endpoint', where), 'hostPrefix', where),
    idempotent: hasFlag(operation, 'idempotent'),
    readonly: hasFlag(operation, 'readonly'),
    deprecated: hasFlag(operation, 'deprecated'),
    checksumRequired: hasFlag(checksum, 'requestChecksumRequired') || hasFlag(operation, 'httpChecksumRequired'),
    checksum: checksumOf(checksum, where),
    unsignedPayload: auth === 'v4-unsigned-body' || hasFlag(operation, 'unsignedPayload'),
    unwrappedOutput: hasUnwrappedOutput(source.id, name),
    resultWrapper: wrapper === `${name}Result` ? undefined : wrapper,
    paginated: paginationOf(key, context),
    documentation: context.documentation ? documentationOf(operation, key, context) : undefined,
  }) as unknown as Operation
}

interface HttpSource {
  readonly protocol: Protocol
  /** Label name to member name. */
  readonly members: ReadonlyMap<string, string>
  readonly where: string
}

function httpOf(operation: JsonRecord, { protocol, members, where }: HttpSource): Operation['http'] {
  if (!hasHttpBindings(protocol)) return { method: 'POST', uri: '/', code: 200 }
  const http = recordAt(operation, 'http', where)
  const uri = textAt(http, 'requestUri', where).replaceAll(/\{([^}+]+)(\+?)\}/g, (whole, label: string, greedy: string) => {
    const member = members.get(label)
    if (member === undefined) throw new ModelError('malformed', `${where}: no member of the input is bound to label ${whole}`)
    return `{${member}${greedy}}`
  })
  const code = own(http, 'responseCode')
  return { method: textAt(http, 'method', where), uri, code: typeof code === 'number' ? code : 200 }
}

/** Only lists with one token: those with several follow rules of their own, which the other format does not state either. */
function paginationOf(name: string, context: ModelReadContext): Operation['paginated'] {
  if (context.paginators === undefined) return undefined
  const where = `paginators of ${context.file}, ${name}`
  const words = recordAt(recordAt(context.paginators, 'pagination', where), name, where)
  const inputToken = own(words, 'input_token')
  const outputToken = own(words, 'output_token')
  if (typeof inputToken !== 'string' || typeof outputToken !== 'string' || /[^\w.]/.test(outputToken)) return undefined
  const items = own(words, 'result_key')
  return compact({
    inputToken,
    outputToken,
    pageSize: optionalTextAt(words, 'limit_key', where),
    items: typeof items === 'string' ? items : undefined,
  }) as Operation['paginated']
}

function documentationOf(operation: JsonRecord, name: string, context: ModelReadContext): string | undefined {
  const inline = own(operation, 'documentation')
  if (typeof inline === 'string') return inline
  const docs = context.docs === undefined ? {} : recordAt(context.docs, 'operations', context.file)
  return optionalTextAt(docs, name, context.file)
}
