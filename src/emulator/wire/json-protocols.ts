// JSON 1.1 (§3.5: ACM and the small services) and REST-JSON (§3.6: EKS, EKS Auth).
import type { Operation, ServiceModel } from '#aws'
import { ServiceError } from '../error.ts'
import type { RawRequest } from '../service.ts'
import { decodeJsonStructure, decodeJsonValue, encodeJsonStructure, encodeJsonValue } from './json-values.ts'
import { MalformedInput } from './malformed.ts'
import type { Encoded, FoundOperation, Routing, ServedProtocol } from './protocol.ts'
import { decodeRestInput, encodeRestHeaders, payloadOf } from './rest-input.ts'
import { routeRequest, routeTable } from './routes.ts'
import { inputOf, membersOf, outputOf, structureOf } from './shapes.ts'

type Values = Record<string, unknown>

export function json11Protocol(model: ServiceModel): ServedProtocol {
  const prefix = `${model.targetPrefix ?? ''}.`
  const contentType = model.protocol === 'json-1.0' ? 'application/x-amz-json-1.0' : 'application/x-amz-json-1.1'
  return {
    route(request): Routing {
      const target = request.headers['x-amz-target'] ?? ''
      const name = target.startsWith(prefix) ? target.slice(prefix.length) : target
      const operation = Object.hasOwn(model.operations, name) ? model.operations[name] : undefined
      return operation === undefined
        ? { unknown: name === '' ? 'none' : name, error: unknownOperation(400) }
        : { operation, labels: {} }
    },
    decode({ operation }: FoundOperation, request): Values {
      return decodeJsonStructure(model, inputOf(model, operation), parsedBody(request))
    },
    encode(operation: Operation, output, requestId): Encoded {
      const body =
        operation.output === undefined ? '' : JSON.stringify(encodeJsonStructure(model, outputOf(model, operation), output))
      return { status: 200, headers: { 'content-type': contentType, 'x-amzn-requestid': requestId }, body }
    },
    encodeError(error, requestId): Encoded {
      return {
        status: error.status,
        headers: { 'content-type': contentType, 'x-amzn-requestid': requestId, 'x-amzn-errortype': error.code },
        body: JSON.stringify({ __type: error.code, message: error.message, ...error.fields }),
      }
    },
  }
}

export function restJsonProtocol(model: ServiceModel): ServedProtocol {
  const table = routeTable(model)
  return {
    route(request): Routing {
      return routeRequest(table, request) ?? { unknown: `${request.method} ${request.path}`, error: unknownOperation(404) }
    },
    decode({ operation, labels }: FoundOperation, request): Values {
      return decodeRestInput(model, operation, { ...request, labels }, () => decodedBody(model, operation, request))
    },
    encode(operation: Operation, output, requestId): Encoded {
      const { headers, status } = encodeRestHeaders(model, operation, output)
      return {
        status,
        headers: { ...headers, 'content-type': 'application/json', 'x-amzn-requestid': requestId },
        body: encodedBody(model, operation, output),
      }
    },
    encodeError(error, requestId): Encoded {
      return {
        status: error.status,
        headers: { 'content-type': 'application/json', 'x-amzn-requestid': requestId, 'x-amzn-errortype': error.code },
        body: JSON.stringify({ message: error.message, ...error.fields }),
      }
    },
  }
}

function decodedBody(model: ServiceModel, operation: Operation, request: RawRequest): Values {
  const payload = payloadOf(model, operation.input)
  if (payload !== undefined) {
    return request.body.length === 0
      ? {}
      : { [payload.name]: decodeJsonValue(model, payload.member, parsedBody(request), payload.name) }
  }
  const structure = structureOf(model, operation.input)
  const inBody = membersOf(structure).filter(([, member]) => member.location === undefined)
  if (inBody.length === 0) return {}
  return decodeJsonStructure(model, { ...structure, members: Object.fromEntries(inBody) }, parsedBody(request))
}

function encodedBody(model: ServiceModel, operation: Operation, output: Readonly<Values>): string {
  const payload = payloadOf(model, operation.output)
  if (payload === undefined) return JSON.stringify(encodeJsonStructure(model, outputOf(model, operation), output))
  const value = output[payload.name]
  return value === undefined ? '' : JSON.stringify(encodeJsonValue(model, payload.member, value))
}

function parsedBody(request: RawRequest): unknown {
  if (request.body.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body))
  } catch {
    throw new MalformedInput('', 'the body is not JSON')
  }
}

function unknownOperation(status: number): ServiceError {
  return new ServiceError('UnknownOperationException', status, 'The requested operation is not recognized by the service.')
}
