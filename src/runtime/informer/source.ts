import type { ResourceType, StoredObject } from '#kube'
import type { Projection } from './projection.ts'
import type { IndexFunction } from './store.ts'

/** What to keep of one kind. Two controllers that name the same kind share one informer. */
export interface Source {
  readonly type: ResourceType
  /** All namespaces when absent; otherwise one list and one watch for each. */
  readonly namespaces?: readonly string[]
  /** Objects of these names only, each by a list and a watch of its own: the right to them can be given by name. */
  readonly names?: readonly string[]
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** The kind may be missing in the cluster, or not be ours to list; nothing waits for it then, and `isSynced` says so. */
  readonly optional?: boolean
  /**
   * Followed from the first time that somebody reads the kind, or asks whether it is whole, and not before: for what most clusters do not
   * have. Until then it is not whole. Others who ask for the kind without this have it followed from the start.
   */
  readonly whenRead?: true
  /** Only metadata crosses the wire. */
  readonly metadataOnly?: boolean
  /**
   * A cache of its own under this name, for who only has to hear of changes: others may ask for another part of the same kind, and what
   * is read by kind is read from theirs.
   */
  readonly apart?: string
  /** What of each object is kept; by default all but foreign field sets. */
  readonly project?: Projection<StoredObject>
  // Declared as a method, so that an index may be written for the kind's own type: the cache calls it with objects of the kind only.
  readonly indexes?: Readonly<Record<string, SourceIndex>>
}

/** An index over objects of the source's kind. */
export interface SourceIndex {
  // biome-ignore lint/style/useShorthandFunctionType: a call signature in method position stays bivariant.
  of(object: StoredObject): readonly string[]
}

/** An index written for a kind's own type. */
export function indexBy<T extends StoredObject>(of: IndexFunction<T>): SourceIndex {
  return { of: object => of(object as T) }
}
