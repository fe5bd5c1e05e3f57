// What the server writes into an object's metadata, and what it does not let a client write.
import { type Draft, equalJson } from '../draft.ts'
import { type ServedKind, writesStatus } from '../registry/resource.ts'

/** Before creation: everything that only the server knows is cleared or set. */
export function prepareCreate(
  draft: Draft,
  kind: ServedKind,
  system: { readonly uid: string; readonly timestamp: string; readonly dryRun: boolean },
): void {
  const { metadata } = draft
  const { behaviour, custom } = kind.resource
  metadata.uid = system.uid
  metadata.creationTimestamp = system.timestamp
  delete metadata.selfLink
  if (!system.dryRun) delete metadata.resourceVersion
  if (behaviour.generation !== 'none') metadata.generation = 1
  if (hasStatus(kind) && (custom !== undefined || behaviour.generation !== 'none')) emptyStatus(draft, kind)
  behaviour.prepareCreate?.(draft, system.dryRun)
}

/** A new object has no status, which built-in kinds print as the empty structure that it is in Go. */
function emptyStatus(draft: Draft, kind: ServedKind): void {
  const { apiVersion, kind: name } = draft
  const { status } = kind.resource.custom === undefined ? kind.schema.prune({ apiVersion, kind: name, metadata: {} }) : {}
  if (status === undefined) delete draft.status
  else draft.status = status
}

/** Before an update of the object itself or of one subresource: what may not change is put back. */
export function prepareUpdate(
  draft: Draft,
  live: Readonly<Draft>,
  kind: ServedKind,
  { subresource, dryRun }: { readonly subresource: string; readonly dryRun: boolean },
): void {
  const { behaviour } = kind.resource
  const { metadata } = draft
  metadata.uid ??= live.metadata.uid as string
  metadata.creationTimestamp = live.metadata.creationTimestamp as string
  // What a deletion wrote stays. What a client wrote where there is none is refused when the metadata is validated.
  if (live.metadata.deletionTimestamp !== undefined) metadata.deletionTimestamp = live.metadata.deletionTimestamp
  if (live.metadata.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= live.metadata.deletionGracePeriodSeconds
  restore(metadata, live.metadata, 'generation')
  // It is let go where objects are stored, which a dry run does not get to.
  if (!dryRun) delete metadata.selfLink
  if (writesStatus(subresource)) keepOnlyStatus(draft, live, kind)
  else if (hasStatus(kind)) restore(draft, live, 'status')
  behaviour.prepareUpdate?.(draft, live, subresource, dryRun)
  if (behaviour.generation !== 'none' && !writesStatus(subresource) && bumpsGeneration(draft, live, kind)) {
    metadata.generation = (live.metadata.generation ?? 0) + 1
  }
}

/** When a deletion begins, the generation tells controllers that something changed. */
export function generationAtDeletion(live: Readonly<Draft>): number | undefined {
  return live.metadata.generation === undefined ? undefined : live.metadata.generation + 1
}

export function hasStatus(kind: ServedKind): boolean {
  return kind.subresources.some(subresource => subresource.name === 'status')
}

/** A write of status takes nothing else of the request, or of a built-in kind's metadata all but what its behaviour says. */
function keepOnlyStatus(draft: Draft, live: Readonly<Draft>, kind: ServedKind): void {
  const { managedFields, resourceVersion } = draft.metadata
  const { status } = draft
  for (const field of Object.keys(draft)) {
    if (field !== 'apiVersion' && field !== 'kind' && field !== 'metadata') delete draft[field]
  }
  for (const field of Object.keys(live)) {
    if (field !== 'apiVersion' && field !== 'kind' && field !== 'metadata' && field !== 'status') draft[field] = live[field]
  }
  if (status !== undefined && status !== null) draft.status = status
  if (kind.resource.custom === undefined) {
    for (const field of kind.resource.behaviour.statusKeeps ?? []) restore(draft.metadata, live.metadata, field)
    return
  }
  draft.metadata = { ...live.metadata } as Draft['metadata']
  if (managedFields === undefined) delete draft.metadata.managedFields
  else draft.metadata.managedFields = managedFields
  if (resourceVersion !== undefined) draft.metadata.resourceVersion = resourceVersion
}

function bumpsGeneration(draft: Draft, live: Readonly<Draft>, kind: ServedKind): boolean {
  const { generation } = kind.resource.behaviour
  if (generation === 'none') return false
  if (generation !== 'outside-metadata') {
    return generation.some(field => {
      if (field !== 'metadata.annotations' && field !== 'metadata.labels') return !sameContent(draft[field], live[field])
      const key = field === 'metadata.labels' ? 'labels' : 'annotations'
      return !equalJson(draft.metadata[key] ?? {}, live.metadata[key] ?? {})
    })
  }
  const ignored = new Set(['apiVersion', 'kind', 'metadata', ...(hasStatus(kind) ? ['status'] : [])])
  const fields = new Set([...Object.keys(draft), ...Object.keys(live)])
  for (const field of fields) {
    if (!ignored.has(field) && !equalJson(draft[field], live[field])) return true
  }
  return false
}

/** A list that is empty is as good as one that is not there. */
function sameContent(a: unknown, b: unknown): boolean {
  return equalJson(isEmptyList(a) ? null : (a ?? null), isEmptyList(b) ? null : (b ?? null))
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function restore<T extends object>(target: T, source: Readonly<T>, field: keyof T & string): void {
  if (source[field] === undefined) delete target[field]
  else target[field] = source[field]
}
