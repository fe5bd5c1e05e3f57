// Follows the one ConfigMap of §2.8. Adding and changing it counts; deleting it is logged and changes nothing.
import { type Clock, given, type Log, type Random } from '#base'
import { configMaps, type KubeObject, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { compareVersions, Informer, type InformerLimits } from '#runtime'
import { changedKeys, configMapKey, configMapName, noRoleEntries, parseRoleEntries, type RoleEntries } from './config-map.ts'

export interface FollowConfigMapOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly namespace: string
  readonly limits?: Partial<InformerLimits>
  /** Called after each change, with the keys of the entries that are not as they were. */
  readonly onChange: (keys: readonly string[]) => void
}

export class ConfigMapSource {
  readonly informer: Informer
  readonly #log: Log
  readonly #onChange: FollowConfigMapOptions['onChange']
  #taken: { readonly uid: string; readonly version: string } | undefined
  #current: RoleEntries = noRoleEntries
  #watched: RoleEntries = noRoleEntries

  constructor(options: FollowConfigMapOptions) {
    this.#log = options.log
    this.#onChange = options.onChange
    this.informer = new Informer({
      client: options.client,
      clock: options.clock,
      random: options.random.fork('configmap'),
      log: options.log,
      type: configMaps,
      namespace: options.namespace,
      fieldSelector: `metadata.name=${configMapName}`,
      listing: 'pages',
      ...given({ limits: options.limits }),
    })
    this.informer.cache.listen(({ kind, object }) => {
      // A server that does not know the selector sends the others too.
      if (object.metadata.name !== configMapName) return
      if (kind === 'removed')
        return options.log.warn('the ConfigMap was deleted; what it said goes on counting', this.#where(object))
      this.learn(object)
      if (this.#taken?.version === object.metadata.resourceVersion) this.#watched = this.#current
    })
  }

  get current(): RoleEntries {
    return this.#current
  }

  /** What its watch has brought, and no direct read before it. */
  get watched(): RoleEntries {
    return this.#watched
  }

  /** Takes in what the watch or a direct read brought, unless something newer was. */
  learn(object: StoredObject): void {
    const { resourceVersion, uid } = object.metadata
    // Versions that cannot be compared: the last to come counts.
    if (this.#taken?.uid === uid && (compareVersions(resourceVersion, this.#taken.version) ?? 1) <= 0) return
    this.#taken = { uid, version: resourceVersion }
    const before = this.#current
    this.#take(object)
    this.#onChange(changedKeys(before, this.#current))
  }

  /** It was looked for once. */
  get synced(): boolean {
    return this.informer.cache.synced
  }

  run(signal: AbortSignal): Promise<void> {
    return this.informer.run(signal)
  }

  #take(object: StoredObject): void {
    const { data } = object as KubeObject & { readonly data?: Readonly<Record<string, unknown>> }
    const text = data?.[configMapKey]
    const read = parseRoleEntries(typeof text === 'string' ? text : '')
    if (read instanceof Error)
      return this.#log.error('the ConfigMap cannot be read; what it said before goes on counting', {
        ...this.#where(object),
        error: read.message,
      })
    if (read.ignored.length > 0)
      this.#log.warn('keys that name no ServiceAccount are ignored; a key is namespace/name or */name', {
        ...this.#where(object),
        keys: read.ignored.slice(0, 10).map(key => key.slice(0, 256)),
      })
    this.#current = read
  }

  #where({ metadata }: StoredObject): Record<string, string> {
    return { namespace: metadata.namespace ?? '', configMap: metadata.name }
  }
}
