// Tags of zones and health checks.
import type { Call } from '../service.ts'
import { route53Failure } from './errors.ts'
import { bareId, healthCheckArn, zoneArn } from './ids.ts'
import type { Route53State } from './model.ts'
import { route53Quotas } from './quotas.ts'

interface Tag {
  readonly Key?: string
  readonly Value?: string
}

interface One {
  readonly ResourceType: string
  readonly ResourceId: string
}

export function changeTagsForResource(
  call: Call<Route53State, One & { readonly AddTags?: readonly Tag[]; readonly RemoveTagKeys?: readonly string[] }>,
): object {
  const { AddTags, RemoveTagKeys } = call.input
  call.authorise({ action: 'route53:ChangeTagsForResource', resource: arnOf(call, call.input) })
  const key = existing(call, call.input)
  const added = AddTags ?? []
  if (added.length === 0 && (RemoveTagKeys ?? []).length === 0) {
    throw route53Failure('InvalidInput', 'At least one of AddTags and RemoveTagKeys must be specified')
  }
  const names = added.map(tag => tag.Key ?? '')
  for (const name of names)
    if (name.startsWith('aws:')) throw route53Failure('InvalidInput', `Tag key '${name}' uses the reserved prefix aws:`)
  if (new Set(names).size < names.length) throw route53Failure('InvalidInput', 'Duplicate tag keys found.')
  if (RemoveTagKeys?.some(name => names.includes(name)) === true) {
    throw route53Failure('InvalidInput', 'A tag key may not be added and removed in one request')
  }
  const state = call.store.get()
  const tags = { ...state.tags.get(key), ...Object.fromEntries(added.map(tag => [tag.Key ?? '', tag.Value ?? ''])) }
  for (const name of RemoveTagKeys ?? []) delete tags[name]
  if (Object.keys(tags).length > call.quota(route53Quotas.tags)) {
    throw route53Failure('InvalidInput', `The number of tags exceeds the limit of ${call.quota(route53Quotas.tags)}.`)
  }
  call.store.set({ ...state, tags: state.tags.set(key, tags) })
  return {}
}

export function listTagsForResource(call: Call<Route53State, One>): object {
  call.authorise({ action: 'route53:ListTagsForResource', resource: arnOf(call, call.input) })
  return { ResourceTagSet: tagSet(call, call.input) }
}

export function listTagsForResources(
  call: Call<Route53State, { readonly ResourceType: string; readonly ResourceIds: readonly string[] }>,
): object {
  const resources = call.input.ResourceIds.map(ResourceId => ({ ResourceType: call.input.ResourceType, ResourceId }))
  call.authorise(...resources.map(one => ({ action: 'route53:ListTagsForResources', resource: arnOf(call, one) })))
  return { ResourceTagSets: resources.map(one => tagSet(call, one)) }
}

function tagSet(call: Call<Route53State>, one: One): object {
  const tags = call.store.get().tags.get(existing(call, one)) ?? {}
  return {
    ResourceType: one.ResourceType,
    ResourceId: bareId(one.ResourceId),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  }
}

function arnOf(call: Call<Route53State>, { ResourceType, ResourceId }: One): string {
  return ResourceType === 'healthcheck' ? healthCheckArn(call.partition, ResourceId) : zoneArn(call.partition, ResourceId)
}

function existing(call: Call<Route53State>, { ResourceType, ResourceId }: One): string {
  const id = bareId(ResourceId)
  const state = call.store.get()
  if (ResourceType === 'hostedzone' && !state.zones.has(id)) {
    throw route53Failure('NoSuchHostedZone', `No hosted zone found with ID: ${id}`)
  }
  if (ResourceType === 'healthcheck' && !state.healthChecks.has(id)) {
    throw route53Failure('NoSuchHealthCheck', `No health check exists with the specified ID: ${id}`)
  }
  return `${ResourceType}/${id}`
}
