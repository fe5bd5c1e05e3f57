// From a classified request to the verb that answers it.

import type { Maybe } from '#base'
import { watchFaults } from '../faults/watch-faults.ts'
import { type Accepted, acceptedTypes, negotiate, parseAccept } from '../http/accept.ts'
import { type ApiCall, header, type Reply, type ResourceCall } from '../http/call.ts'
import { methodNotAllowed, notAcceptable, refusal } from '../refusals.ts'
import { isPodPart } from '../registry/pod-parts.ts'
import { writesStatus } from '../registry/resource.ts'
import { bindPod } from '../subresources/binding.ts'
import type { SubresourcePorts } from '../subresources/ports.ts'
import { answerSubresource } from '../subresources/subresources.ts'
import { create } from '../verbs/create.ts'
import { remove } from '../verbs/delete.ts'
import { removeCollection } from '../verbs/delete-collection.ts'
import { patch } from '../verbs/patch.ts'
import { get, list } from '../verbs/read.ts'
import { update } from '../verbs/update.ts'
import type { WatchPorts } from '../watch/watch.ts'
import { openWatch } from '../watch/watch.ts'
import { plainWire } from '../watch/wire.ts'
import { transformWire } from './transform.ts'

/** What all verbs together use. */
export interface VerbPorts extends SubresourcePorts, WatchPorts {
  /** Reviews: answered, not stored. */
  review(call: ResourceCall): Maybe<Reply>
}

/** The call with its kind; undefined when nothing is served under that path. */
export function resolve(ports: VerbPorts, call: ApiCall): ResourceCall | undefined {
  const { info } = call
  if (info.kind !== 'resource' || (info.rest.length > 0 && info.subresource !== 'proxy')) return undefined
  const kind = ports.registry.find(info.group, info.version, info.resource)
  if (kind === undefined) return undefined
  const subresource = kind.subresources.find(candidate => candidate.name === info.subresource)
  if (info.subresource !== '' && subresource === undefined) return undefined
  return { ...call, info, kind, subresource }
}

export function acceptFor(call: ResourceCall): Accepted {
  const accept = header(call.request, 'accept')
  const accepted = negotiate(accept)
  const isCustom = call.kind.resource.custom !== undefined
  if (accepted === undefined || !(isCustom || isRouted(accept))) throw unread(accept ?? '', call)
  return accepted
}

/** Routes of built-in kinds look for one of their types in the header, letter by letter, and know no type but `*` in part. */
function isRouted(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true
  const types = accept.split(',').map(text => text.split(';', 1)[0]?.trim() ?? '')
  return types.some(type => type === '*/*' || acceptedTypes.includes(type))
}

/** The whole object, of which a write changes one part. */
function isView(subresource: string): boolean {
  return writesStatus(subresource) || isPodPart(subresource)
}

/** A format that nobody writes, one that only the real server writes, or a form that there is not. */
function unread(accept: string, { kind, info }: ResourceCall): Error {
  const types = parseAccept(accept).map(({ type }) => type)
  const isCustom = kind.resource.custom !== undefined
  if ((isCustom || isRouted(accept)) && types.some(type => type === 'application/json' || type === 'application/yaml'))
    return notAcceptable(acceptedTypes)
  if (types.some(type => type.includes('protobuf'))) return notAcceptable(['application/json', 'application/yaml'])
  if (isCustom) return notAcceptable(acceptedTypes)
  const representations = [...acceptedTypes, ...(info.verb === 'list' || info.verb === 'watch' ? streamed : [])].join(', ')
  return refusal(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${representations}`, {})
}

const streamed = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']

export function dispatch(ports: VerbPorts, call: ResourceCall, accepted: Accepted): Maybe<Reply> {
  const { verb } = call.info
  const verbs = call.subresource?.verbs ?? call.kind.resource.verbs
  checkMethod(call, verbs)
  if (call.kind.deprecation !== undefined) call.warnings.push(call.kind.deprecation)
  if (call.subresource !== undefined && !isView(call.subresource.name)) return answerSubresource(ports, call)
  if (call.kind.resource.behaviour.virtual)
    return call.kind.resource.kind === 'Binding' ? bindPod(ports, call) : ports.review(call)
  switch (verb) {
    case 'get':
      return get(ports, call)
    case 'list':
      return list(ports, call)
    case 'watch':
      return watch(ports, call, accepted)
    case 'create':
      return create(ports, call)
    case 'update':
      return update(ports, call)
    case 'patch':
      return patch(ports, call)
    case 'delete':
      return remove(ports, call)
    case 'deletecollection':
      return removeCollection(ports, call)
    default:
      throw methodNotAllowed(verb, call.kind.resource)
  }
}

/** A verb that the resource lacks, or a method that does not go with having or lacking a name. */
function checkMethod(call: ResourceCall, verbs: readonly string[]): void {
  const { verb, name } = call.info
  const fitsPath =
    verb === 'create' ? name === '' || call.subresource !== undefined : name !== '' || !['update', 'patch'].includes(verb)
  if (verbs.includes(verb) && fitsPath) return
  throw refusal(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
}

function watch(ports: VerbPorts, call: ResourceCall, accepted: Accepted): Reply {
  const { resource, apiVersion } = call.kind
  const faults = watchFaults(call.faults, ports.clock, ports.random)
  const plain = plainWire(apiVersion, resource.kind, resource.listKind, ports.emulate !== '1.34')
  const stream = openWatch(
    ports,
    call,
    transformWire(plain, call.kind, call, accepted, () => ports.clock.now()),
    faults,
  )
  return { type: 'stream', stream: faults.wrap(stream) }
}
