// What requests about a pod share: a body that is no pod, and an answer that says no more than that it was done.
import { isRecord } from '#base'
import { bodyFormat, decodeText } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { badRequest } from '../refusals.ts'
import type { SubresourcePorts } from './ports.ts'

export function success(code: number): Reply {
  return { type: 'value', code, value: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code } }
}

/** The body, whose namespace is the request's if it names one. */
export function bodyOf(ports: SubresourcePorts, call: ResourceCall): Record<string, unknown> {
  const format = bodyFormat(header(call.request, 'content-type'), false)
  const body = format === 'protobuf' ? ports.decodeProtobuf(call.body) : decodeText(call.body, format).value
  const { namespace = '' } = isRecord(body.metadata) ? body.metadata : {}
  if (namespace !== '' && namespace !== call.info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  return body
}
