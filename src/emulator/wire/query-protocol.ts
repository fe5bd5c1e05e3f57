// The query protocol of IAM and STS (§3.2).
import type { Operation, ServiceModel } from '#aws'
import { ServiceError } from '../error.ts'
import type { RawRequest } from '../service.ts'
import type { Encoded, FoundOperation, Routing, ServedProtocol } from './protocol.ts'
import { decodeQueryInput } from './query-input.ts'
import { inputOf, outputOf } from './shapes.ts'
import { escapeXml } from './xml.ts'
import { encodeXmlMembers } from './xml-values.ts'

const form = { timestamp: 'date-time', precision: 'seconds' } as const

export function queryProtocol(model: ServiceModel): ServedProtocol {
  const namespace = escapeXml(model.xmlNamespace ?? '')
  return {
    route(request): Routing {
      const action = parametersOf(request).get('Action')
      if (action === undefined || action === '') return { unknown: 'none', error: missingAction(request) }
      const operation = Object.hasOwn(model.operations, action) ? model.operations[action] : undefined
      if (operation !== undefined) return { operation, labels: {} }
      return { unknown: action, error: invalidAction(action, parametersOf(request).get('Version') ?? model.apiVersion) }
    },
    decode({ operation }: FoundOperation, request): Record<string, unknown> {
      return decodeQueryInput(model, inputOf(model, operation), parametersOf(request))
    },
    encode(operation: Operation, output, requestId): Encoded {
      const name = operation.name
      const result = encodeXmlMembers(model, outputOf(model, operation), output, form)
      const wrapped = operation.output === undefined ? '' : `<${name}Result>${result}</${name}Result>`
      const body = `<${name}Response xmlns="${namespace}">${wrapped}<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${name}Response>`
      return { status: 200, headers: headersOf(requestId), body }
    },
    encodeError(error, requestId): Encoded {
      const type = error.status >= 500 ? 'Receiver' : 'Sender'
      const body = `<ErrorResponse xmlns="${namespace}"><Error><Type>${type}</Type><Code>${escapeXml(error.code)}</Code><Message>${escapeXml(error.message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
      return { status: error.status, headers: headersOf(requestId), body }
    },
  }
}

/** `POST` bodies are forms; a `GET` has its parameters in the query. */
function parametersOf(request: RawRequest): ReadonlyMap<string, string> {
  return request.method === 'GET' ? request.query : request.form()
}

function headersOf(requestId: string): Record<string, string> {
  return { 'content-type': 'text/xml', 'x-amzn-requestid': requestId }
}

function missingAction(request: RawRequest): ServiceError {
  return new ServiceError('MissingAction', 400, `Missing Action: a ${request.method} request needs the parameter Action`)
}

function invalidAction(action: string, version: string): ServiceError {
  return new ServiceError('InvalidAction', 400, `Could not find operation ${action} for version ${version}`)
}
