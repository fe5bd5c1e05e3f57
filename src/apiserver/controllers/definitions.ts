// The life of a definition (CRD): its names are accepted, it is established, and from that moment on its resource is served.
import { type Core, timestamp } from '../core.ts'
import type { Draft } from '../draft.ts'
import { customResource, type DefinitionSpec } from '../registry/custom.ts'
import { definitionsTable } from '../registry/termination.ts'
import type { Version } from '../store/version.ts'

const tableName = definitionsTable

interface DefinitionCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly lastTransitionTime: string
  readonly reason: string
  readonly message: string
}

interface DefinitionStatus {
  readonly conditions?: readonly DefinitionCondition[] | null
  readonly acceptedNames?: Readonly<Record<string, unknown>>
  readonly storedVersions?: readonly string[] | null
}

/** Keeps the registry in step with the definitions in the store, in the same turn as their writes. */
export function serveDefinitions(core: Core): void {
  const table = core.store.table(tableName)
  const serve = (name: string, object: Readonly<Draft> | undefined): void => {
    const known = core.registry.custom(name)
    const served = object !== undefined && isEstablished(object)
    if (known === undefined && !served) return
    core.registry.setCustom(name, served ? customResource(object, isTerminating(object)) : undefined)
    if (known !== undefined) core.watches.end(kind => kind.resource === known)
  }
  core.store.onCommit((event, changed) => {
    if (changed !== table) return
    const before = event.previous?.object
    const now = event.type === 'DELETED' ? undefined : event.version.object
    if (
      before?.spec !== now?.spec ||
      isEstablished(before) !== isEstablished(now) ||
      isTerminating(before) !== isTerminating(now)
    )
      serve(event.key, now)
    // The writer sees its own object without conditions; they come right after it.
    if (event.type === 'MODIFIED' && now !== undefined && isTerminating(now)) core.definitionRemovals.add(event.key)
    if (event.type === 'ADDED') queueMicrotask(() => establish(core, event.key))
  })
  table.rows.visit('', (version, key) => {
    serve(key, version.object)
    return true
  })
}

/** Accepts the names and begins to serve; nothing when that has happened. */
export function establish(core: Core, name: string): void {
  const current = currentOf(core, name)?.object
  if (current === undefined || isEstablished(current)) return
  const spec = current.spec as DefinitionSpec
  const at = timestamp(core.clock.now())
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string): DefinitionCondition => ({
    type,
    status,
    lastTransitionTime: at,
    reason,
    message,
  })
  const accepted = condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found')
  const installing = condition('Established', 'False', 'Installing', 'the initial names have been accepted')
  const established = condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted')
  const { kind, singular, listKind } = spec.names
  const acceptedNames = { ...spec.names, singular: singular ?? kind.toLowerCase(), listKind: listKind ?? `${kind}List` }
  const storedVersions = spec.versions.filter(version => version.storage).map(version => version.name)
  writeStatus(core, name, { conditions: [accepted, installing], acceptedNames, storedVersions })
  writeStatus(core, name, { conditions: [accepted, established], acceptedNames, storedVersions })
}

function writeStatus(core: Core, name: string, status: DefinitionStatus): void {
  const current = currentOf(core, name)
  if (current === undefined) return
  core.store.update(core.store.table(tableName), name, current, {
    ...current.object,
    metadata: { ...current.object.metadata },
    status,
  })
}

function currentOf(core: Core, name: string): Version | undefined {
  return core.store.table(tableName).rows.get(name)
}

function isEstablished(object: Readonly<Draft> | undefined): boolean {
  const conditions = (object?.status as DefinitionStatus | undefined)?.conditions ?? []
  return conditions.some(condition => condition.type === 'Established' && condition.status === 'True')
}

function isTerminating(object: Readonly<Draft> | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined
}
