// Subresources that are no view of the object: each has its own way to work.
import type { Core } from '../core.ts'
import { type Draft, draftFrom } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { andThen, type Maybe } from '../maybe.ts'
import { methodNotAllowed } from '../refusals.ts'
import { requestToken } from '../tokens/token-request.ts'
import { decodeObject } from './decode.ts'
import { readWriteOptions } from './options.ts'
import { bindPod, evictPod, podLog } from './pod-subresources.ts'
import { scale } from './scale.ts'
import { answerWith } from './subject.ts'
import { updateObject } from './update-flow.ts'

export function answerSubresource(core: Core, call: ResourceCall): Maybe<Reply> {
  switch (call.info.subresource) {
    case 'scale':
      return scale(core, call)
    case 'token':
      return requestToken(core, core.issuer, call)
    case 'finalize':
      return finalizeNamespace(core, call)
    case 'binding':
      return bindPod(core, call)
    case 'eviction':
      return evictPod(core, call)
    case 'log':
      return podLog(core, call)
    default:
      throw methodNotAllowed(call.info.verb, call.kind.resource)
  }
}

/** PUT …/finalize: takes only the finalizers of the spec; an emptied list on a deleting namespace removes it. */
function finalizeNamespace(core: Core, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'UpdateOptions')
  const body = decodeObject(call, options, core.decodeProtobuf)
  const { finalizers } = (body.spec ?? {}) as { finalizers?: readonly string[] }
  const step = {
    options,
    next: (live: Readonly<Draft>): Draft => ({
      ...draftFrom(live),
      metadata: { ...live.metadata, resourceVersion: body.metadata.resourceVersion ?? (live.metadata.resourceVersion as string) },
      spec: { ...(live.spec as object), finalizers: finalizers ?? [] },
    }),
  }
  return andThen(updateObject(core, call, step), version => answerWith(core, call.kind, 200, version))
}
