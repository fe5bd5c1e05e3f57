// A definition (CRD) on its way out: its objects are deleted, and when the last is gone so is it.

import { StatusError } from '#kube'
import { type Draft, draftFrom } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { Query } from '../http/query.ts'
import type { DefinitionSpec } from '../registry/custom.ts'
import {
  cleanupFinalizer,
  definitionsTable,
  type NamespaceCondition,
  terminating,
  withCondition,
} from '../registry/termination.ts'
import { adminUser } from '../users.ts'
import { removeObject } from '../verbs/delete.ts'
import type { RemovePorts } from '../verbs/ports.ts'
import type { DefinitionPorts } from './definition-status.ts'
import { writeDefinitionStatus } from './definition-status.ts'

/** Objects with finalizers may take their time. */
const lookAgainMs = 1_000

export interface RemovalPorts extends DefinitionPorts, RemovePorts {}

/** Does the next thing for a deleting definition; asks to be called again while objects remain. */
export async function removeDefinition(ports: RemovalPorts, name: string): Promise<number | undefined> {
  const table = ports.store.table(definitionsTable)
  const started = table.rows.get(name)
  if (started === undefined || started.object.metadata.deletionTimestamp === undefined) return undefined
  if (!(started.object.metadata.finalizers ?? []).includes(cleanupFinalizer)) return undefined
  if (reasonOf(started.object) !== 'InstanceDeletionInProgress') {
    const condition = terminating(ports.clock.now(), true, 'InstanceDeletionInProgress', 'CustomResource deletion is in progress')
    writeDefinitionStatus(ports, name, withCondition(started.object, condition).status as object)
  }
  if ((await deleteInstances(ports, started.object.spec as DefinitionSpec)) > 0) return lookAgainMs
  const live = table.rows.get(name)
  if (live === undefined) return undefined
  const condition = terminating(ports.clock.now(), false, 'InstanceDeletionCompleted', 'removed all instances')
  const marked = writeDefinitionStatus(ports, name, withCondition(live.object, condition).status as object)
  if (marked === undefined) return undefined
  const last = draftFrom(marked.object)
  const rest = (last.metadata.finalizers ?? []).filter(finalizer => finalizer !== cleanupFinalizer)
  if (rest.length > 0) ports.store.update(table, name, marked, { ...last, metadata: { ...last.metadata, finalizers: rest } })
  else {
    delete last.metadata.finalizers
    ports.store.remove(table, name, marked, last)
  }
  return undefined
}

function reasonOf(definition: Readonly<Draft>): string | undefined {
  const { conditions } = (definition.status ?? {}) as { conditions?: readonly NamespaceCondition[] | null }
  return conditions?.find(condition => condition.type === 'Terminating')?.reason
}

/** How many are left. */
async function deleteInstances(ports: RemovalPorts, spec: DefinitionSpec): Promise<number> {
  const kind = ports.registry.custom(`${spec.names.plural}.${spec.group}`)?.custom?.storage
  const table = ports.store.table(`${spec.names.plural}.${spec.group}`)
  if (kind === undefined) return 0
  const objects: Readonly<Draft>[] = []
  table.rows.visit('', version => objects.push(version.object) > 0)
  for (const { metadata } of objects) {
    const info = {
      kind: 'resource' as const,
      verb: 'delete',
      path: '',
      group: spec.group,
      version: kind.version,
      namespace: metadata.namespace ?? '',
      resource: spec.names.plural,
      subresource: '',
      name: metadata.name ?? '',
      pinnedName: metadata.name ?? '',
      rest: [],
    }
    const request = { method: 'DELETE', target: '', headers: {}, body: null }
    const call: ResourceCall = {
      request,
      info,
      kind,
      subresource: undefined,
      query: new Query(''),
      user: adminUser,
      userAgent: 'kube-apiserver',
      warnings: [],
      body: new Uint8Array(0),
    }
    try {
      await removeObject(ports, call, {
        dryRun: false,
        gracePeriodSeconds: undefined,
        propagation: undefined,
        uid: metadata.uid,
        resourceVersion: undefined,
      })
    } catch (error) {
      // Gone meanwhile, or a webhook objects: the next look decides.
      if (!(error instanceof StatusError)) throw error
    }
  }
  return table.rows.size
}
