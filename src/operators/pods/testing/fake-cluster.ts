// A cluster as the webhook sees it, for tests that need to hold its tongue: each read and each line of a watch comes when the test says.
// Not a server: it knows ServiceAccounts and ConfigMaps, and nothing is checked.
import { BoundedQueue } from '#base'
import { type ObjectKey, type ResourceType, renderKey, type StoredObject } from '#kube'
import { type KubeClient, KubeError, type WatchEvent, type WatchOptions } from '#kube/client'

export type ReadBehaviour = 'answer' | 'hang' | 'absent' | 'fail' | 'refuse'

export interface FakeCluster {
  readonly client: KubeClient
  /** Stores an object; its watch line comes too, unless lines are held. */
  put(kind: 'ServiceAccount' | 'ConfigMap', key: string, fields?: object): StoredObject
  remove(kind: 'ServiceAccount' | 'ConfigMap', key: string): void
  /** Watch lines wait from now on; `release` lets them go. */
  hold(): void
  release(): void
  /** All watches end: their place in history is forgotten (410). */
  expireWatches(): void
  /** Lists never come, from now on. */
  holdLists: boolean
  /** What a read of one object does. */
  read: ReadBehaviour
  readonly reads: string[]
  readonly readsInFlight: number
  /** Whole lists that were asked for. */
  readonly lists: number
  answerReads(): void
  /** What the API server says it is. */
  version: string
}

export function fakeCluster(): FakeCluster {
  return new Fake()
}

class Fake implements FakeCluster {
  readonly client: KubeClient
  readonly reads: string[] = []
  readsInFlight = 0
  lists = 0
  version = 'v1.34.4'
  holdLists = false
  read: ReadBehaviour = 'answer'
  readonly #objects = new Map<string, StoredObject>()
  readonly #watches = new Map<string, Set<BoundedQueue<WatchEvent<StoredObject>>>>()
  #revision = 100
  readonly #expired = new WeakSet<BoundedQueue<WatchEvent<StoredObject>>>()
  #held: (() => void)[] | undefined
  #hung: (() => void)[] = []

  constructor() {
    const told = (what: string) => (): never => {
      throw new Error(`the fake cluster does not ${what}`)
    }
    this.client = {
      address: 'fake',
      find: (type: ResourceType, key: ObjectKey, options?: { signal?: AbortSignal }) => this.#find(type, key, options?.signal),
      list: (type: ResourceType, options: { signal?: AbortSignal }) => this.#list(type, options.signal),
      watch: (type: ResourceType, options: WatchOptions) => this.#watch(type, options),
      serverVersion: () => Promise.resolve({ major: '1', minor: '34', gitVersion: this.version }),
      get: told('get'),
      close: () => Promise.resolve(),
    } as unknown as KubeClient
  }

  put(kind: string, key: string, fields: object = {}): StoredObject {
    const [namespace = '', name = ''] = key.split('/')
    const id = `${kind} ${key}`
    const held = this.#objects.get(id)
    const { metadata = {}, ...rest } = fields as { metadata?: object }
    const object: StoredObject = {
      apiVersion: 'v1',
      kind,
      ...rest,
      metadata: {
        ...metadata,
        namespace,
        name,
        uid: held?.metadata.uid ?? `uid-${this.#revision + 1}`,
        resourceVersion: String(++this.#revision),
      },
    }
    this.#objects.set(id, object)
    this.#tell(kind, { type: held === undefined ? 'ADDED' : 'MODIFIED', object })
    return object
  }

  remove(kind: string, key: string): void {
    const held = this.#objects.get(`${kind} ${key}`)
    if (held === undefined) return
    this.#objects.delete(`${kind} ${key}`)
    const object = { ...held, metadata: { ...held.metadata, resourceVersion: String(++this.#revision) } }
    this.#tell(kind, { type: 'DELETED', object })
  }

  hold(): void {
    this.#held ??= []
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const go of held) go()
  }

  expireWatches(): void {
    for (const queue of [...this.#watches.values()].flatMap(queues => [...queues])) {
      this.#expired.add(queue)
      queue.close()
    }
  }

  answerReads(): void {
    const hung = this.#hung
    this.#hung = []
    for (const go of hung) go()
  }

  async #find(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<StoredObject | undefined> {
    this.reads.push(renderKey(key))
    this.readsInFlight++
    try {
      // What is true now is what a slow answer says later.
      const found = this.#objects.get(`${type.kind} ${renderKey(key)}`)
      if (this.read === 'hang') await this.#hang(signal)
      if (this.read === 'fail') throw new KubeError('unknown-outcome', 'the server timed out')
      if (this.read === 'refuse') throw new KubeError('refused', 'forbidden', { httpStatus: 403 })
      return this.read === 'absent' ? undefined : found
    } finally {
      this.readsInFlight--
    }
  }

  #hang(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#hung.push(resolve)
      signal?.addEventListener('abort', () => reject(new KubeError('aborted', 'aborted')), { once: true })
    })
  }

  async #list(type: ResourceType, signal?: AbortSignal): Promise<object> {
    this.lists++
    if (this.holdLists) await this.#hang(signal)
    const items = [...this.#objects].filter(([id]) => id.startsWith(`${type.kind} `)).map(([, object]) => object)
    return { apiVersion: 'v1', kind: `${type.kind}List`, metadata: { resourceVersion: String(this.#revision) }, items }
  }

  async *#watch(type: ResourceType, { signal, onOpened }: WatchOptions): AsyncGenerator<WatchEvent<StoredObject>> {
    onOpened?.()
    const queue = new BoundedQueue<WatchEvent<StoredObject>>(10_000)
    const watches = this.#watches.get(type.kind) ?? new Set()
    this.#watches.set(type.kind, watches.add(queue))
    const close = (): void => queue.close()
    signal?.addEventListener('abort', close, { once: true })
    try {
      yield* queue
      if (this.#expired.has(queue)) throw new KubeError('refused', 'too old', { httpStatus: 410 })
    } finally {
      signal?.removeEventListener('abort', close)
      watches.delete(queue)
    }
  }

  #tell(kind: string, event: WatchEvent<StoredObject>): void {
    const go = (): void => {
      for (const queue of this.#watches.get(kind) ?? []) queue.offer(event)
    }
    if (this.#held === undefined) go()
    else this.#held.push(go)
  }
}
