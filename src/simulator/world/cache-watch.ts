// S18: what one process's caches went through, held against what they held before. It looks at objects and versions alone and knows
// nothing of how a cache comes to them.
import type { KubeObject } from '#kube'
import type { CacheChange } from '../effects.ts'

interface Followed {
  listing: number
  /** The newest version of each object that the cache held, by namespace and name, also of objects that are gone. */
  readonly newest: Map<string, number>
}

export class CacheWatch {
  readonly #caches = new Map<string, Followed>()

  /** Text of the violation: within one connection a cache never goes back. A new list may come from an older read cache (F11). */
  moved(cache: string, listing: number, { kind, object }: CacheChange): string | undefined {
    let followed = this.#caches.get(cache)
    if (followed === undefined || followed.listing !== listing) {
      followed = { listing, newest: new Map() }
      this.#caches.set(cache, followed)
    }
    const name = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`
    const version = versionOf(object)
    const newest = followed.newest.get(name)
    followed.newest.set(name, version)
    if (newest === undefined || version > newest || (kind === 'removed' && version === newest)) return undefined
    return `${cache.trim()} ${name} is ${kind} with version ${version}, after version ${newest} on the same connection`
  }
}

/** The simulated servers count, and not far. */
function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion)
}
