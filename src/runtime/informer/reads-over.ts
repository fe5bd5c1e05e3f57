// The caches of one cluster as a controller reads them.
import type { KubeObject, ObjectKey, ResourceType, StoredObject } from '#kube'
import type { Caches } from './caches.ts'
import type { Cached, Reads } from './reads.ts'

export interface ReadsOptions {
  readonly cluster: (name: string) => Reads | undefined
  readonly names: () => readonly string[]
  /** Whether a cache that is not whole refuses to answer: yes for decisions; no for mappings, whose claims come up by themselves. */
  readonly strict: boolean
  readonly callTimeoutMs: number | undefined
}

/** The caches of one cluster as `observe` sees them. */
export function readsOver(caches: Caches, options: ReadsOptions): Reads {
  const callTimeoutMs = options.callTimeoutMs ?? 10_000
  const require = (type: ResourceType): void => {
    if (options.strict) caches.requireSynced(type)
  }
  // The caller says which type the kind has; the cache holds objects of that kind and of no other.
  return {
    find: <T extends KubeObject>(type: ResourceType, key: ObjectKey) => {
      require(type)
      return caches.find(type, key) as Cached<T> | undefined
    },
    list: <T extends KubeObject>(type: ResourceType, namespace?: string) => {
      require(type)
      return caches.list(type, namespace) as Cached<T>[]
    },
    byIndex: <T extends KubeObject>(type: ResourceType, index: string, value: string) => {
      require(type)
      return caches.byIndex(type, index, value) as Cached<T>[]
    },
    isSynced: type => caches.isSynced(type),
    behindMs: type => caches.behindMs(type),
    follow: (types, signal) => caches.followAll(types, signal),
    read: <T extends KubeObject>(type: ResourceType, key: ObjectKey, signal: AbortSignal) =>
      caches.client.find<T & StoredObject>(type, key, { signal, timeoutMs: callTimeoutMs }),
    readAll: async <T extends KubeObject>(type: ResourceType, wanted: object, signal: AbortSignal) => {
      const list = await caches.client.listAll<T & StoredObject>(type, { ...wanted, signal, timeoutMs: callTimeoutMs })
      return list.items
    },
    cluster: options.cluster,
    get clusters() {
      return options.names()
    },
  }
}
