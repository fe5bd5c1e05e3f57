// Subresources that are no view of the object: each has its own way to work.

import { andThen, type Maybe } from '#base'
import { type Draft, draftFrom } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { methodNotAllowed } from '../refusals.ts'
import { decodeObject } from '../verbs/decode.ts'
import { readWriteOptions } from '../verbs/options.ts'
import { answerWith } from '../verbs/subject.ts'
import { updateObject } from '../verbs/update-flow.ts'
import { bindPod } from './binding.ts'
import { evictPod } from './eviction.ts'
import { enterPod, podLog, proxyToPod } from './pod-processes.ts'
import type { SubresourcePorts } from './ports.ts'
import { scale } from './scale.ts'
import { requestToken } from './token-request.ts'

export function answerSubresource(ports: SubresourcePorts, call: ResourceCall): Maybe<Reply> {
  switch (call.info.subresource) {
    case 'scale':
      return scale(ports, call)
    case 'token':
      return requestToken(ports, ports.issuer, call)
    case 'finalize':
      return finalizeNamespace(ports, call)
    case 'binding':
      return bindPod(ports, call)
    case 'eviction':
      return evictPod(ports, call)
    case 'log':
      return podLog(ports, call)
    case 'attach':
    case 'exec':
    case 'portforward':
      return enterPod(ports, call)
    case 'proxy':
      return proxyToPod(ports, call)
    default:
      throw methodNotAllowed(call.info.verb, call.kind.resource)
  }
}

/** PUT …/finalize: takes only the finalizers of the spec; an emptied list on a deleting namespace removes it. */
function finalizeNamespace(ports: SubresourcePorts, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'UpdateOptions')
  const body = decodeObject(call, options, ports.decodeProtobuf)
  const { finalizers } = (body.spec ?? {}) as { finalizers?: readonly string[] }
  const step = {
    options,
    next: (live: Readonly<Draft>): Draft => ({
      ...draftFrom(live),
      metadata: { ...live.metadata, resourceVersion: body.metadata.resourceVersion ?? (live.metadata.resourceVersion as string) },
      spec: { ...(live.spec as object), finalizers: finalizers ?? [] },
    }),
  }
  return andThen(updateObject(ports, call, step), version => answerWith(ports, call.kind, 200, version))
}
