// Route 53 health checks: found by an id, made under a reference of ours, and updated by a call that takes the members of the
// configuration one by one.
import { sameDeep } from '../../delta/compare.ts'
import { own, toWire } from '../../model/convert.ts'
import { inputOf, type KindModel, structureNamed } from '../../model/kind-model.ts'
import type { Content, Values } from '../../model/request.ts'
import { tagChanges, tagsIn, withTags } from '../../model/tags.ts'
import { readByModel } from '../../observe/read-aws.ts'
import { recordOf, tagList, tagsFromList, update } from '../calls.ts'
import type { Deviation, PlannedCall, SyncContext } from '../deviation.ts'
import { bareId } from './ids.ts'

export const route53HealthCheck: Deviation = {
  read: async context => {
    const found = await readByModel(context)
    if (found === undefined) return undefined
    const resource = { ResourceType: 'healthcheck', ResourceId: bareId(found.status['id']) }
    const { ResourceTagSet } = await context.caller.call('ListTagsForResource', resource)
    const tags = (ResourceTagSet as { readonly Tags?: unknown } | undefined)?.Tags
    return { ...found, spec: withTags(context.model, found.spec, tagsFromList(tags)) }
  },
  create: (input, { token }) => ({ ...input, CallerReference: token }),
  repeatable: true,
  tagsAtCreate: false,
  // What the manifest leaves open is Route 53's to fill.
  same: {
    HealthCheckConfig: (wanted, latest) =>
      Object.entries(recordOf(wanted)).every(([name, value]) => sameDeep(value, own(recordOf(latest), name))),
  },
  own: ['HealthCheckConfig', 'Tags'],
  sync: syncHealthCheck,
}

function syncHealthCheck({ model, wanted, latest, delta, isNew }: SyncContext): readonly PlannedCall[] {
  // The id that tags need comes with the create call.
  if (isNew) return []
  const resource = { ResourceType: 'healthcheck', ResourceId: bareId(latest.status['id']) }
  const tags = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
  const calls: PlannedCall[] = []
  if (tags.removed.length > 0) calls.push(update('ChangeTagsForResource', { ...resource, RemoveTagKeys: tags.removed }))
  if (Object.keys(tags.set).length > 0) calls.push(update('ChangeTagsForResource', { ...resource, AddTags: tagList(tags.set) }))
  if (delta.some(path => path.startsWith('Spec.HealthCheckConfig'))) calls.push(updateCall(model, wanted, latest))
  return calls
}

function updateCall(model: KindModel, wanted: Content, latest: Content): PlannedCall {
  const field = model.spec.named('HealthCheckConfig')
  const member = inputOf(model.service.model, model.kind.operations.create).members['HealthCheckConfig']
  const { members } = inputOf(model.service.model, 'UpdateHealthCheck')
  const config: Values =
    field === undefined || member === undefined
      ? {}
      : (toWire(wanted.spec[field.json], { service: model.service, type: field.type, member, path: field.json }) as Values)
  const known = structureNamed(model.service.model, member?.target).members
  const sent = Object.entries(config).filter(([name]) => Object.hasOwn(members, name) && Object.hasOwn(known, name))
  return update('UpdateHealthCheck', { HealthCheckId: latest.status['id'], ...Object.fromEntries(sent) })
}
