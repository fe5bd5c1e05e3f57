import type { ObjectKey, ResourceType, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Written } from '../informer/cache.ts'

/** A cluster as the plan runner sees it: a client to write with, and the caches that will come to see the writes. */
export interface Target {
  /** Absent for the hub. */
  readonly cluster?: string
  readonly client: KubeClient
  /** Why nothing can be done there now, as far as the caches know: then no worker waits for a call to fail (B28). */
  unavailable(): Unavailable | undefined
  cached(type: ResourceType, key: ObjectKey): CachedObject
  /** The cache of the kind at that place, to hold a key until it has seen a write. */
  follow(type: ResourceType, key: ObjectKey): Follower | undefined
}

export interface Unavailable {
  readonly reason: 'CacheStarting' | 'DependencyDown'
  readonly message: string
}

export interface Follower {
  hasReached(written: Written): boolean
  whenReached(written: Written, reached: () => void): () => void
  relist(why: string): void
  /** The follower has ended, and will see nothing any more. */
  isOver?(): boolean
}

export type CachedObject =
  /** Nobody watches the kind: ask the server. */
  | { readonly kind: 'unwatched' }
  | { readonly kind: 'absent' }
  /** `partial`: the cache keeps less than the object, so a difference has to be confirmed. */
  | { readonly kind: 'present'; readonly object: StoredObject; readonly partial: boolean }

/** What breakers, metrics and messages call a cluster. */
export function dependencyOf(cluster: string | undefined): string {
  return cluster === undefined ? 'hub' : `cluster:${cluster}`
}

/** The place of an object: for memos and counts. */
export function placeOf(cluster: string | undefined, type: ResourceType, key: ObjectKey): string {
  return `${cluster ?? ''}|${type.group}/${type.plural}|${key.namespace}/${key.name}`
}
