// The status of a definition, as its controllers write it: with the fields that they change in their name.
import type { Clock } from '#base'
import { trackUpdate } from '#schema'
import { asDraft, asJson, type Draft, draftFrom } from '../draft.ts'
import type { Registry } from '../registry/registry.ts'
import type { ServedKind } from '../registry/resource.ts'
import { definitionsTable } from '../registry/termination.ts'
import type { StorePort } from '../store/store.ts'
import type { Version } from '../store/version.ts'
import { timestamp } from '../timestamp.ts'

export interface DefinitionPorts extends StorePort {
  readonly clock: Clock
  readonly registry: Registry
}

/** Changes these parts of the status; nothing when the definition is gone. */
export function writeDefinitionStatus(ports: DefinitionPorts, name: string, change: object): Version | undefined {
  const table = ports.store.table(definitionsTable)
  const current = table.rows.get(name)
  if (current === undefined) return undefined
  const kind = ports.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions') as ServedKind
  const next: Draft = { ...draftFrom(current.object), status: { ...(current.object.status as object), ...change } }
  const tracked = trackUpdate({
    live: asJson(current.object),
    next: asJson(next),
    manager: 'kube-apiserver',
    shape: kind.schema.shape,
    apiVersion: kind.apiVersion,
    subresource: 'status',
    now: timestamp(ports.clock.now()),
  })
  return ports.store.update(table, name, current, draftFrom(asDraft(tracked)))
}
