// Smithy's RPC v2 with CBOR bodies: newer SDKs speak it with services of JSON 1.1 that offer both.
import type { Member, Operation, ServiceModel, StructureShape } from '#aws'
import { isRecord } from '#base'
import { ServiceError } from '../error.ts'
import type { RawRequest } from '../service.ts'
import { CborTime, readCbor, writeCbor } from './cbor.ts'
import { decodeJsonStructure } from './json-values.ts'
import type { Encoded, FoundOperation, Routing, ServedProtocol } from './protocol.ts'
import { inputOf, membersOf, outputOf, shapeOf } from './shapes.ts'

type Values = Record<string, unknown>

/** Whether the request says that it is one of this protocol. */
export function speaksCbor({ headers }: Pick<RawRequest, 'headers'>): boolean {
  return headers['smithy-protocol'] === 'rpc-v2-cbor'
}

/** `/service/NAME/operation/NAME`, below whatever the endpoint's path is. */
const path = /\/service\/[\w.]+\/operation\/(\w+)$/

export function cborProtocol(model: ServiceModel): ServedProtocol {
  return {
    route(request): Routing {
      const name = path.exec(request.path)?.[1] ?? ''
      const operation = Object.hasOwn(model.operations, name) ? model.operations[name] : undefined
      return operation === undefined
        ? { unknown: name === '' ? 'none' : name, error: unknownOperation() }
        : { operation, labels: {} }
    },
    decode({ operation }: FoundOperation, request): Values {
      return decodeJsonStructure(model, inputOf(model, operation), request.body.length === 0 ? {} : readCbor(request.body))
    },
    encode(operation: Operation, output, requestId): Encoded {
      const body = operation.output === undefined ? {} : structureFor(model, outputOf(model, operation), output)
      return { status: 200, headers: headersOf(requestId), body: writeCbor(body) }
    },
    encodeError(error, requestId): Encoded {
      const body = { __type: `${model.signingName}#${error.code}`, message: error.message, ...error.fields }
      return { status: error.status, headers: headersOf(requestId), body: writeCbor(body) }
    },
  }
}

function headersOf(requestId: string): Record<string, string> {
  return { 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor', 'x-amzn-requestid': requestId }
}

function structureFor(model: ServiceModel, structure: StructureShape, values: Readonly<Values>): Values {
  const members = membersOf(structure).filter(([name]) => values[name] !== undefined && values[name] !== null)
  return Object.fromEntries(members.map(([name, member]) => [member.locationName ?? name, valueFor(model, member, values[name])]))
}

function recordOf(value: unknown): Readonly<Values> {
  return isRecord(value) ? value : {}
}

function valueFor(model: ServiceModel, member: Member, value: unknown): unknown {
  const shape = shapeOf(model, member.target)
  switch (shape.type) {
    case 'structure':
    case 'union':
      return structureFor(model, shape, recordOf(value))
    case 'list':
      return Array.isArray(value) ? value.map(item => valueFor(model, shape.member, item)) : []
    case 'map':
      return Object.fromEntries(Object.entries(recordOf(value)).map(([key, item]) => [key, valueFor(model, shape.value, item)]))
    case 'timestamp':
      return new CborTime(Number(value) / 1_000)
    default:
      return value
  }
}

function unknownOperation(): ServiceError {
  return new ServiceError('UnknownOperationException', 404, 'The requested operation is not recognized by the service.')
}
