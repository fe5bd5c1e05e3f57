// A list on its way into a cache: in pages, or as the first part of a stream, and whether it is as new as what was seen before.
import { assertNever } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import type { KubeClient, ListOptions, WatchEvent } from '#kube/client'
import type { Indexes } from './store.ts'
import { ObjectStore } from './store.ts'
import { isOlder } from './version.ts'
import { readStatusWeather, type Weather, weather } from './weather.ts'

export interface ListedStore<T extends StoredObject> {
  readonly incoming: ObjectStore<T>
  readonly position: string
}

/** All pages. The objects of a page are projected before the next one is asked for: memory holds one page of whole objects at most. */
export async function fetchPages<T extends StoredObject>(
  client: Pick<KubeClient, 'list'>,
  type: ResourceType,
  how: { readonly list: ListOptions; readonly indexes: Indexes<T> | undefined; readonly project: (object: StoredObject) => T },
): Promise<ListedStore<T>> {
  const incoming = new ObjectStore<T>(how.indexes)
  let position: string | undefined
  let next: string | undefined
  do {
    const page = await client.list(type, { ...how.list, ...(next === undefined ? {} : { continue: next }) })
    for (const object of page.items) incoming.set(how.project(object))
    position = page.metadata.resourceVersion
    next = page.metadata.continue
  } while (next !== undefined && next !== '')
  return { incoming, position: position ?? '' }
}

/** One line of a streamed list. */
export function takeInitial<T extends StoredObject>(
  incoming: ObjectStore<T>,
  event: WatchEvent,
  project: (object: StoredObject) => T,
): Weather | undefined {
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
      incoming.set(project(event.object as StoredObject))
      return undefined
    case 'DELETED':
      incoming.delete(event.object.metadata.namespace ?? '', event.object.metadata.name ?? '')
      return undefined
    case 'BOOKMARK':
      return undefined
    case 'ERROR':
      return readStatusWeather(event.status)
    case 'UNREADABLE':
      return weather('error', `a line of the list cannot be read: ${event.reason}`)
    default:
      return assertNever(event)
  }
}

/** A server that keeps answering with an older state was restored from a backup, or we would wait for ever. */
const olderListsMax = 6

/** Remembers the newest position ever seen, to tell a list that goes back in time (F11). */
export class Age {
  #newest: string | undefined
  #olderLists = 0

  /** A position that is given up still says how new the server was. */
  saw(position: string | undefined): void {
    if (position !== undefined && (this.#newest === undefined || isOlder(this.#newest, position))) this.#newest = position
  }

  /** `rewind`: the server went back for good, so that the older list counts. */
  judge(
    position: string,
  ): { readonly kind: 'older'; readonly than: string } | { readonly kind: 'taken'; readonly rewind: boolean } {
    const newest = this.#newest
    const isPast = newest !== undefined && isOlder(position, newest)
    if (isPast && ++this.#olderLists < olderListsMax) return { kind: 'older', than: newest }
    this.#olderLists = 0
    this.#newest = position
    return { kind: 'taken', rewind: isPast }
  }
}
