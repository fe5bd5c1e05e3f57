// The only place in the engine that changes anything in a cluster. Each call is fenced, held back while its dependency is down, bounded
// in time, counted, and followed until the cache has seen it.
import { type KubeObject, keyOf, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import { type DeleteOptions, type KubeClient, KubeError, type PatchKind } from '#kube/client'
import type { Gate } from '../election/gate.ts'
import type { Written } from '../informer/cache.ts'
import type { Breakers } from '../queue/breaker.ts'
import { dependencyOf, type Follower, placeOf, type Target } from './target.ts'
import { asTrouble, isDependencyTrouble, Trouble } from './trouble.ts'

export type WriteVerb = 'create' | 'apply' | 'update' | 'patch' | 'delete' | 'event'

/** One mutating call, as the tests count them and `--dry-run` shows them. */
export interface WriteRecord {
  readonly verb: WriteVerb
  readonly type: ResourceType
  readonly key: ObjectKey
  readonly cluster: string | undefined
  readonly subresource: string | undefined
  /** `pretended` in a dry run; `lost` when the answer never came, so that it may have taken hold. */
  readonly result: 'changed' | 'unchanged' | 'refused' | 'lost' | 'pretended'
}

export interface WriterOptions {
  readonly fieldManager: string
  /** Where each call that changes something asks whether we lead. */
  readonly gate: Pick<Gate, 'enter' | 'check'>
  readonly breakers: Breakers
  readonly callTimeoutMs: number
  /** Ends the work: nothing more is begun. */
  readonly signal: AbortSignal
  /** Cuts off calls that are under way; absent where the end of the work does so at once. A stop lets them end. */
  readonly cutOff?: AbortSignal
  /** Whom to wake when a dependency works again; nobody when absent. */
  readonly waiter?: string
  /** The writer changes nothing, and reads the server all the same. */
  readonly pretend: boolean
  onWrite(record: WriteRecord): void
  /** What this pass wrote, by place: shared by its writers, so that a second write starts from the first and not from the cache. */
  readonly written: Map<string, StoredObject>
  /** P6: the key waits for this. */
  expect(follower: Follower, written: Written): void
}

interface Place {
  readonly target: Target
  readonly type: ResourceType
  readonly key: ObjectKey
  readonly subresource?: string
  /** The version that was there, to tell a write that changed nothing. */
  readonly before?: string
}

export class Writer {
  readonly #options: WriterOptions

  constructor(options: WriterOptions) {
    this.#options = options
  }

  get pretend(): boolean {
    return this.#options.pretend
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  /** What ends calls that are under way; the end of the work alone lets them end by themselves. */
  get cutOff(): AbortSignal {
    return this.#options.cutOff ?? this.#options.signal
  }

  /** The object as this pass left it, where it wrote it. */
  newest(target: Target, type: ResourceType, seen: StoredObject): StoredObject {
    const own = this.#options.written.get(placeOf(target.cluster, type, keyOf(seen)))
    return own?.metadata.uid === seen.metadata.uid ? own : seen
  }

  /** A live read: from the authority, not from a cache (P4). */
  find(target: Target, type: ResourceType, key: ObjectKey): Promise<StoredObject | undefined> {
    return this.guard(dependencyOf(target.cluster), () => target.client.find(type, key, this.#call()))
  }

  /** Reads the object, and holds the key until the cache has it as it was read. */
  async awaitFound(target: Target, type: ResourceType, key: ObjectKey): Promise<StoredObject | undefined> {
    const live = await this.find(target, type, key)
    if (live !== undefined) this.#followObject({ target, type, key }, live)
    return live
  }

  create(place: Place, object: KubeObject): Promise<StoredObject | undefined> {
    return this.#write('create', place, client => client.create(place.type, object, this.#writing(place)))
  }

  update(place: Place, object: StoredObject): Promise<StoredObject | undefined> {
    return this.#write('update', place, client => client.update(place.type, object, this.#writing(place)))
  }

  apply(place: Place, body: KubeObject, options: { force: boolean; manager?: string }): Promise<StoredObject | undefined> {
    const { force, manager } = options
    const fieldManager = manager ?? this.#options.fieldManager
    return this.#write('apply', place, client =>
      client.patch(place.type, place.key, 'apply', body, { ...this.#writing(place), fieldManager, force }),
    )
  }

  patch(place: Place, kind: Exclude<PatchKind, 'apply'>, body: unknown): Promise<StoredObject | undefined> {
    return this.#write('patch', place, client => client.patch(place.type, place.key, kind, body, this.#writing(place)))
  }

  async delete(place: Place, uid: string, options: DeleteOptions): Promise<void> {
    await this.#write('delete', place, async client => {
      const left = await client.delete(place.type, place.key, { ...options, ...this.#call() })
      if (!('status' in left && left.kind === 'Status')) return left as StoredObject
      this.#follow(place, { kind: 'gone', ...place.key, uid, version: '' })
      return undefined
    })
  }

  /** Runs a call under the fence of its dependency's breaker; what it throws is trouble of that dependency. */
  async guard<T>(dependency: string, call: () => Promise<T>): Promise<T> {
    const { breakers, waiter } = this.#options
    const answer = breakers.ask(dependency, waiter)
    if (answer.kind === 'refused') {
      const message = `${dependency} does not work at the moment`
      throw new Trouble({ kind: 'backoff', reason: 'DependencyDown', message, dependency, retryAfterMs: answer.retryInMs })
    }
    try {
      const result = await call()
      breakers.succeeded(dependency)
      return result
    } catch (error) {
      if (this.cutOff.aborted) breakers.released(dependency)
      else {
        const trouble = asTrouble(error, dependency)
        if (isDependencyTrouble(trouble)) breakers.failed(dependency, trouble.retryAfterMs)
        else if (error instanceof KubeError) breakers.succeeded(dependency)
        else breakers.released(dependency)
      }
      throw error
    }
  }

  /** Waits until leadership is proved: before own actions, which may change something. */
  enterFence(): Promise<void> {
    return this.#options.gate.enter()
  }

  /** Asks whether we still lead; own actions call it before whatever they change. */
  checkFence(): void {
    this.#options.gate.check()
  }

  async #write(
    verb: WriteVerb,
    place: Place,
    call: (client: KubeClient) => Promise<StoredObject | undefined>,
  ): Promise<StoredObject | undefined> {
    if (this.#options.pretend) {
      this.#record(verb, place, 'pretended')
      return undefined
    }
    try {
      await this.#options.gate.enter()
      const stored = await this.guard(dependencyOf(place.target.cluster), () => {
        this.#options.gate.check()
        return call(place.target.client)
      })
      const changed = stored === undefined || stored.metadata.resourceVersion !== place.before || isReleased(stored)
      this.#record(verb, place, changed ? 'changed' : 'unchanged')
      if (stored !== undefined) {
        this.#options.written.set(placeOf(place.target.cluster, place.type, place.key), stored)
        if (changed) this.#followObject(place, stored)
      }
      return stored
    } catch (error) {
      if (error instanceof KubeError) this.#record(verb, place, error.code === 'unknown-outcome' ? 'lost' : 'refused')
      throw error
    }
  }

  #record(verb: WriteVerb, place: Place, result: WriteRecord['result']): void {
    this.#options.onWrite({
      verb,
      type: place.type,
      key: place.key,
      cluster: place.target.cluster,
      subresource: place.subresource,
      result,
    })
  }

  #followObject(place: Place, stored: StoredObject): void {
    const { namespace, name } = place.key
    this.#follow(place, { kind: 'there', namespace, name, version: stored.metadata.resourceVersion })
  }

  #follow(place: Place, written: Written): void {
    const follower = place.target.follow(place.type, { namespace: place.key.namespace, name: written.name })
    if (follower !== undefined && !follower.hasReached(written)) this.#options.expect(follower, written)
  }

  #call(): { signal: AbortSignal; timeoutMs: number } {
    return { signal: this.cutOff, timeoutMs: this.#options.callTimeoutMs }
  }

  #writing(place: Place): { signal: AbortSignal; timeoutMs: number; fieldManager: string; subresource?: string } {
    const { fieldManager } = this.#options
    return { ...this.#call(), fieldManager, ...(place.subresource === undefined ? {} : { subresource: place.subresource }) }
  }
}

/** Whose last finalizer goes is gone: the server answers with the version that it had. */
function isReleased({ metadata }: StoredObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0
}
