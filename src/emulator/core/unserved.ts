// Services that AWS has and the emulator has not (§1.15): refused in the form that their clients read, and counted, never taken for
// one that is served.
import type { HttpResponse } from '#base'
import { ServiceError } from '../error.ts'
import type { RawRequest } from '../service.ts'
import { escapeXml } from '../wire/xml.ts'

export interface UnservedReply {
  /** As far as the request says it. */
  readonly operation: string
  readonly error: ServiceError
  readonly response: HttpResponse
}

/** `served` are the names of those that are there. */
export function unservedReply(name: string, request: RawRequest, requestId: string, served: readonly string[]): UnservedReply {
  const message = `the emulator does not serve ${name}; it serves ${served.join(', ')}`
  const target = request.headers['x-amz-target']
  const action = request.query.get('Action') ?? (isForm(request) ? request.form().get('Action') : undefined)
  const operation = (target?.split('.').at(-1) ?? action ?? request.method).replace(/[^\w-]/g, '_').slice(0, 100)
  const answer = (error: ServiceError, type: string, body: string): UnservedReply => {
    const bytes = Buffer.from(body, 'utf8')
    const headers = {
      'content-type': type,
      'content-length': String(bytes.length),
      'x-amzn-requestid': requestId,
      'x-amzn-errortype': error.code,
      'x-emulator-unimplemented': `${name}:${operation}`,
    }
    return { operation, error, response: { status: error.status, headers, body: request.method === 'HEAD' ? null : bytes } }
  }
  if (action !== undefined) {
    const error = new ServiceError('InvalidAction', 400, message)
    return answer(error, 'text/xml', name === 'ec2' ? ec2Error(error, requestId) : queryError(error, requestId))
  }
  const error = new ServiceError('UnknownOperationException', target === undefined ? 404 : 400, message)
  const body = JSON.stringify({ __type: error.code, message })
  return answer(error, target === undefined ? 'application/json' : 'application/x-amz-json-1.1', body)
}

function isForm({ headers }: RawRequest): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
}

function queryError({ code, message }: ServiceError, requestId: string): string {
  return `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
}

/** EC2 has a form of its own, and its clients read no other. */
function ec2Error({ code, message }: ServiceError, requestId: string): string {
  return `<Response><Errors><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error></Errors><RequestID>${requestId}</RequestID></Response>`
}
