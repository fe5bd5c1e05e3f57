// What an `observe` may read: the caches, which are quick and a little old, and the servers themselves, which are neither.
import type { KubeObject, ObjectKey, ResourceType, StoredObject } from '#kube'
import type { ListOptions } from '#kube/client'

/** An object of the kind as a server gave it. */
export type Cached<T extends KubeObject> = T & StoredObject

export interface Reads {
  /**
   * From the cache; `undefined` is "absent as far as we know". Throws `Bug` for a kind that nobody watches, and `Trouble` (wait) before
   * the cache holds a whole list, when absence would mean nothing: whoever can go on without that cluster asks `isSynced` first.
   */
  find<T extends KubeObject = StoredObject>(type: ResourceType, key: ObjectKey): Cached<T> | undefined
  list<T extends KubeObject = StoredObject>(type: ResourceType, namespace?: string): readonly Cached<T>[]
  byIndex<T extends KubeObject = StoredObject>(type: ResourceType, index: string, value: string): readonly Cached<T>[]
  /** Whether the cache of the kind holds a whole list. Always so in the hub, but for optional kinds. */
  isSynced(type: ResourceType): boolean
  /**
   * Has kinds followed of which nobody wanted to know so far (`whenRead`), and waits a moment for their first lists where the cluster answers:
   * whoever reads them next need not say that they are being listed.
   */
  follow(types: readonly ResourceType[], signal: AbortSignal): Promise<void>
  /** Milliseconds since the cache was last in step; 0 while it is. */
  behindMs(type: ResourceType): number
  /** From the server. */
  read<T extends KubeObject = StoredObject>(
    type: ResourceType,
    key: ObjectKey,
    signal: AbortSignal,
  ): Promise<(T & StoredObject) | undefined>
  readAll<T extends KubeObject = StoredObject>(
    type: ResourceType,
    options: Omit<ListOptions, 'signal'>,
    signal: AbortSignal,
  ): Promise<readonly (T & StoredObject)[]>
  /** Another cluster: a member of the fleet by name, the hub by the empty name; `undefined` when there is no such member. */
  cluster(name: string): Reads | undefined
  /** The members of the fleet, by name. */
  readonly clusters: readonly string[]
}
