// The body of a subresource, read as the kind that it is of and not as the kind that the subresource is of.
import { invariant } from '#base'
import { pathSegmentErrors } from '#kube'
import { builtinKind } from '#schema'
import type { Draft } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { badRequest } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { decodeObject } from '../verbs/decode.ts'
import type { RequestWriteOptions } from '../verbs/options.ts'
import type { DecodePorts } from '../verbs/ports.ts'

export interface BodyKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The served kind with another in its place. */
export function servedAs(served: ServedKind, { group, version, kind }: BodyKind): ServedKind {
  const schema = builtinKind(group, version, kind)
  invariant(schema !== undefined, `no schema of ${kind}`)
  const resource = { ...served.resource, group, kind, custom: undefined }
  return { ...served, resource, version, apiVersion: group === '' ? version : `${group}/${version}`, schema }
}

/** The body, whose namespace is the request's if it names one. */
export function decodeAs(ports: DecodePorts, call: ResourceCall, options: RequestWriteOptions, kind: BodyKind): Draft {
  const draft = decodeObject({ ...call, kind: servedAs(call.kind, kind) }, options, ports.decodeProtobuf)
  const { namespace = '' } = draft.metadata
  if (namespace !== '' && namespace !== call.info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  return draft
}

/** A name that comes in a body where others come in the path. */
export function checkNameParameter(name: string): void {
  if (name === '') throw badRequest('Name parameter required.')
  const problems = pathSegmentErrors(name)
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(';')}`)
}
