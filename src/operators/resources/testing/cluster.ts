// A cluster as a list of objects: what the caches of a controller hold, what its indexes find in them, and what the server answers.
import { type KubeObject, type ObjectKey, type ResourceType, renderKey, type StoredObject } from '#kube'
import type { AnyController, Reads } from '#runtime'

export interface Cluster {
  readonly reads: Reads
  /** Reads from the server, as `Secret team/db`. */
  readonly asked: readonly string[]
}

export interface ClusterOptions {
  /** Whose indexes are kept. */
  readonly controller?: AnyController
  /** Kinds of which the caches hold no whole list yet. */
  readonly unsynced?: readonly string[]
  /** What the server has, where the caches do not show it. */
  readonly onServer?: readonly StoredObject[]
}

export function clusterOf(
  objects: readonly object[],
  { controller, unsynced = [], onServer = objects as readonly StoredObject[] }: ClusterOptions = {},
): Cluster {
  const asked: string[] = []
  const held = objects as readonly StoredObject[]
  const list = (type: ResourceType, namespace?: string): readonly StoredObject[] =>
    held.filter(each => isOf(each, type) && (namespace === undefined || each.metadata.namespace === namespace))
  const named = (all: readonly StoredObject[], type: ResourceType, key: ObjectKey): StoredObject | undefined =>
    all.find(each => isOf(each, type) && (each.metadata.namespace ?? '') === key.namespace && each.metadata.name === key.name)
  const reads = {
    list,
    find: (type: ResourceType, key: ObjectKey) => named(held, type, key),
    read: (type: ResourceType, key: ObjectKey) => {
      asked.push(`${type.kind} ${renderKey(key)}`)
      return Promise.resolve(named(onServer, type, key))
    },
    byIndex: (type: ResourceType, index: string, value: string) =>
      list(type).filter(each => controller?.claims.indexes?.[index]?.of(each).includes(value) === true),
    isSynced: (type: ResourceType) => !unsynced.includes(type.kind),
  }
  return { reads: reads as unknown as Reads, asked }
}

function isOf({ apiVersion, kind }: KubeObject, { group, kind: wanted }: ResourceType): boolean {
  return kind === wanted && (group === '' ? !apiVersion.includes('/') : apiVersion.startsWith(`${group}/`))
}
