// The life of a definition (CRD): its names are accepted, it is established, and from that moment on its resource is served.

import type { Draft } from '../draft.ts'
import { customResource, type DefinitionSpec } from '../registry/custom.ts'
import { definitionsTable } from '../registry/termination.ts'
import { timestamp } from '../timestamp.ts'
import type { Watches } from '../watch/watches.ts'
import type { DefinitionPorts } from './definition-status.ts'
import { writeDefinitionStatus } from './definition-status.ts'

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

export interface ServingPorts extends DefinitionPorts {
  readonly watches: Watches
  /** Definitions whose objects have to go; looked after until they are gone. */
  readonly definitionRemovals: { add(name: string): void }
}

/** Keeps the registry in step with the definitions in the store, in the same turn as their writes. */
export function serveDefinitions(ports: ServingPorts): void {
  const table = ports.store.table(tableName)
  const serve = (name: string, object: Readonly<Draft> | undefined): void => {
    const known = ports.registry.custom(name)
    const served = object !== undefined && isEstablished(object)
    if (known === undefined && !served) return
    ports.registry.setCustom(name, served ? customResource(object, isTerminating(object)) : undefined)
    if (known !== undefined) ports.watches.end(kind => kind.resource === known)
  }
  ports.store.onCommit((event, changed) => {
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
    if (event.type === 'MODIFIED' && now !== undefined && isTerminating(now)) ports.definitionRemovals.add(event.key)
    if (event.type === 'ADDED') queueMicrotask(() => establish(ports, event.key))
  })
  table.rows.visit('', (version, key) => {
    serve(key, version.object)
    return true
  })
}

/** Accepts the names and begins to serve; nothing when that has happened. */
export function establish(ports: DefinitionPorts, name: string): void {
  const current = ports.store.table(tableName).rows.get(name)?.object
  if (current === undefined || isEstablished(current)) return
  const spec = current.spec as DefinitionSpec
  const at = timestamp(ports.clock.now())
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string): DefinitionCondition => ({
    type,
    status,
    lastTransitionTime: at,
    reason,
    message,
  })
  const { acceptedNames, conflict } = judgeNames(ports, name, spec)
  if (conflict !== undefined) {
    const refused = condition('NamesAccepted', 'False', conflict.reason, `${JSON.stringify(conflict.name)} is already in use`)
    writeDefinitionStatus(ports, name, {
      conditions: [refused, condition('Established', 'False', 'NotAccepted', 'not all names are accepted')],
      acceptedNames,
    })
    return
  }
  const accepted = condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found')
  const installing = condition('Established', 'False', 'Installing', 'the initial names have been accepted')
  const established = condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted')
  writeDefinitionStatus(ports, name, { conditions: [accepted, installing], acceptedNames })
  writeDefinitionStatus(ports, name, { conditions: [accepted, established], acceptedNames })
}

interface Conflict {
  readonly reason: string
  readonly name: string
}

/** Names are taken by other resources of the group; each that is free is accepted, and the last that is not is told. */
function judgeNames(
  ports: DefinitionPorts,
  name: string,
  spec: DefinitionSpec,
): { acceptedNames: Record<string, unknown>; conflict: Conflict | undefined } {
  const others = ports.registry.resources.filter(
    resource => resource.group === spec.group && `${resource.plural}.${resource.group}` !== name,
  )
  const names = new Set(others.flatMap(other => [other.plural, other.singular, ...other.shortNames]))
  const kinds = new Set(others.flatMap(other => [other.kind, other.listKind]))
  const acceptedNames: Record<string, unknown> = { plural: '', kind: '' }
  let conflict: Conflict | undefined
  const take = (field: string, value: string | undefined, taken: ReadonlySet<string>, reason: string): void => {
    if (value === undefined || value === '') return
    if (taken.has(value)) conflict = { reason, name: value }
    else acceptedNames[field] = value
  }
  const { kind, singular = kind.toLowerCase(), listKind = `${kind}List`, plural, shortNames, categories } = spec.names
  take('plural', plural, names, 'PluralConflict')
  take('singular', singular, names, 'SingularConflict')
  const clash = (shortNames ?? []).find(short => names.has(short))
  if (clash !== undefined) conflict = { reason: 'ShortNamesConflict', name: clash }
  else if (shortNames !== undefined) acceptedNames.shortNames = shortNames
  take('kind', kind, kinds, 'KindConflict')
  take('listKind', listKind, kinds, 'ListKindConflict')
  if (categories !== undefined) acceptedNames.categories = categories
  return { acceptedNames, conflict }
}

/** As the server's own controllers write: owned by `kube-apiserver`, through the status subresource. */
function isEstablished(object: Readonly<Draft> | undefined): boolean {
  const conditions = (object?.status as DefinitionStatus | undefined)?.conditions ?? []
  return conditions.some(condition => condition.type === 'Established' && condition.status === 'True')
}

function isTerminating(object: Readonly<Draft> | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined
}
