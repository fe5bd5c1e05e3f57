// The status of a definition, as its controllers write it: with the fields that they change in their name.
import { trackUpdate } from '#schema'
import { type Core, timestamp } from '../core.ts'
import { asDraft, asJson, type Draft, draftFrom } from '../draft.ts'
import type { ServedKind } from '../registry/resource.ts'
import { definitionsTable } from '../registry/termination.ts'
import type { Version } from '../store/version.ts'

/** Changes these parts of the status; nothing when the definition is gone. */
export function writeDefinitionStatus(core: Core, name: string, change: object): Version | undefined {
  const table = core.store.table(definitionsTable)
  const current = table.rows.get(name)
  if (current === undefined) return undefined
  const kind = core.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions') as ServedKind
  const next: Draft = { ...draftFrom(current.object), status: { ...(current.object.status as object), ...change } }
  const tracked = trackUpdate({
    live: asJson(current.object),
    next: asJson(next),
    manager: 'kube-apiserver',
    shape: kind.schema.shape,
    apiVersion: kind.apiVersion,
    subresource: 'status',
    now: timestamp(core.clock.now()),
  })
  return core.store.update(table, name, current, draftFrom(asDraft(tracked)))
}
