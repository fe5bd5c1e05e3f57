// Whether the caller of a request may make it, and the refusal if not.
import type { ApiCall } from '../http/call.ts'
import { qualified, refusal } from '../refusals.ts'
import type { Authorizer } from './authorizer.ts'
import type { ResourceAttributes } from './rules.ts'

export function attributesOf(call: ApiCall, verb: string = call.info.verb): ResourceAttributes {
  const { info } = call
  if (info.kind === 'path') return { verb, group: '', resource: '', subresource: '', namespace: '', name: '' }
  return {
    verb,
    group: info.group,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.pinnedName,
  }
}

/** Throws Forbidden. */
export function authorize(authorizer: Authorizer, call: ApiCall, verb: string = call.info.verb): void {
  const { info, user } = call
  if (info.kind === 'path') {
    if (authorizer.decidePath(user, { verb, path: info.path }).allowed) return
    throw refusal(
      403,
      'Forbidden',
      `forbidden: User ${JSON.stringify(user.username)} cannot ${verb} path ${JSON.stringify(info.path)}`,
      {},
    )
  }
  const asked = attributesOf(call, verb)
  if (!authorizer.decide(user, asked).allowed) throw forbiddenTo(user.username, asked)
}

export function forbiddenTo(username: string, asked: ResourceAttributes): Error {
  const { group, resource, subresource, namespace, name } = asked
  const target = qualified({ group, plural: resource })
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const named = name === '' ? target : `${target} ${JSON.stringify(name)}`
  const message = `${named} is forbidden: User ${JSON.stringify(username)} cannot ${asked.verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${scope}`
  return refusal(403, 'Forbidden', message, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  })
}
