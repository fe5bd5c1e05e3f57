// What the caches know of one kind that somebody asked for: its source, its listeners, and the informers that follow it.
import type { Log } from '#base'
import { type ObjectKey, type ResourceType, resourceNameOf, type StoredObject } from '#kube'
import type { BehindWhy, Listener } from './change.ts'
import type { Informer } from './informer.ts'
import type { Projection } from './projection.ts'
import type { Source, SourceIndex } from './source.ts'
import type { Indexes } from './store.ts'

export interface KindView {
  source: Source
  /** Several who ask for one kind and keep different parts of it get whole objects. */
  project: Projection<StoredObject> | undefined
  readonly indexes: Record<string, SourceIndex>
  listeners: readonly Listener[]
  /** True until somebody reads the kind, where it is wanted only then. */
  isAsleep: boolean
  /** The informers by namespace, and by name where the source has names. An empty key is the informer of everything. */
  readonly informers: Map<string, Informer>
}

/** Of a kind that may be missing: nothing waits for what will not come by waiting. */
const unservable: ReadonlySet<BehindWhy> = new Set(['kind-missing', 'forbidden'])

/** Whether the informer has nothing more to wait for: it has a whole list, or its kind may be missing and is. */
export function isSettled({ source }: KindView, { cache, state }: Informer): boolean {
  return cache.synced || (source.optional === true && state.kind === 'behind' && unservable.has(state.why))
}

/** Names what is followed for one source; of one kind there are several where somebody wants a part of it apart. */
export function sourceId({ type, apart }: Source): string {
  return apart === undefined ? viewId(type) : `${viewId(type)}#${apart}`
}

/** Names a kind in one version. */
export function viewId(type: ResourceType): string {
  return `${resourceNameOf(type)}/${type.version}`
}

/** Names one informer of a kind: by its namespace, and by the name of its object where the source has names. */
export function partId({ namespace, name }: ObjectKey): string {
  return name === '' ? namespace : `${namespace}/${name}`
}

/** The selector of the source, narrowed to one name where the informer follows one object. */
export function fieldSelectorOf({ fieldSelector }: Source, name: string): string | undefined {
  if (name === '') return fieldSelector
  return [`metadata.name=${name}`, ...(fieldSelector === undefined ? [] : [fieldSelector])].join(',')
}

/** Whether every informer of the view holds a whole list. It is asked before each read, and so makes no object. */
export function isWhole({ isAsleep, informers }: KindView): boolean {
  if (isAsleep) return false
  for (const informer of informers.values()) if (!informer.cache.synced) return false
  return true
}

/** Whether both sources ask for the same objects. */
export function isSameScope(a: Source, b: Source): boolean {
  const scope = ({ namespaces, names, labelSelector, fieldSelector, metadataOnly }: Source): string =>
    JSON.stringify([namespaces ?? null, names ?? null, labelSelector ?? '', fieldSelector ?? '', metadataOnly ?? false])
  return scope(a) === scope(b)
}

/** An index that fails on an odd object finds nothing for it, and the object does not take the cache down (B21). */
export function safeIndexes(indexes: Readonly<Record<string, SourceIndex>>, log: Log): Indexes<StoredObject> {
  return Object.fromEntries(
    Object.entries(indexes).map(([name, index]) => [
      name,
      (object: StoredObject): readonly string[] => {
        try {
          return index.of(object)
        } catch (error) {
          log.error('index failed', { index: name, object: object.metadata.name, error: String(error) })
          return []
        }
      },
    ]),
  )
}
