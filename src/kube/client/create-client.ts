// The client over any HttpExchange: an embedded server's handler, or a dialled connection to a real one (connect.ts).

import type { HttpHeaders } from '#base'
import { serviceAccounts } from '../builtin-types.ts'
import {
  type KubeObject,
  type ObjectKey,
  type ObjectList,
  type ResourceType,
  resourcePath,
  type StoredObject,
} from '../objects.ts'
import type { Status } from '../status.ts'
import { type CallSpec, KubeCaller, type KubeCallerOptions } from './caller.ts'
import {
  type DeleteOptions,
  type KubeCallOptions,
  type KubeClient,
  KubeError,
  type ListOptions,
  type PatchKind,
  type PatchOptions,
  type TokenRequestSpec,
  type WatchOptions,
  type WriteOptions,
} from './client.ts'
import { describe, metadataAccept } from './describe.ts'
import { discover } from './discovery.ts'
import { ForeignFields } from './foreign-fields.ts'
import { listAll, nameKind } from './list-all.ts'
import { listQuery, renderQuery, writeQuery } from './query.ts'
import { parseWarnings } from './warnings.ts'
import { watch } from './watch.ts'

export interface KubeClientOptions extends KubeCallerOptions {
  /** Manager of fields for writes that name none. */
  readonly fieldManager?: string
  /** Ends what the exchange needs, such as connections. */
  readonly onClose?: () => Promise<void>
}

/** A client that caches nothing and repeats no write. */
export function createKubeClient(options: KubeClientOptions): KubeClient {
  return new WireClient(options)
}

const patchTypes: Readonly<Record<PatchKind, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

class WireClient implements KubeClient {
  readonly address: string
  readonly exchange: KubeClient['exchange']
  readonly #caller: KubeCaller
  readonly #options: KubeClientOptions
  /** The server has said that it does not stream lists: it is not asked again. */
  readonly #watchList = { refused: false }

  constructor(options: KubeClientOptions) {
    this.#options = options
    this.#caller = new KubeCaller(options)
    this.address = this.#caller.address
    this.exchange = request => this.#caller.raw(request)
  }

  get<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    options?: KubeCallOptions & { resourceVersion?: string },
  ): Promise<T> {
    const query = renderQuery({ resourceVersion: options?.resourceVersion })
    return this.#caller.json<T>({
      what: describe('get', type, key),
      method: 'GET',
      target: resourcePath(type, key.namespace, key.name) + query,
      options,
    })
  }

  async find<T extends KubeObject>(type: ResourceType, key: ObjectKey, options?: KubeCallOptions): Promise<T | undefined> {
    try {
      return await this.get<T>(type, key, options)
    } catch (error) {
      // A kind that is not served gives a 404 as well, but with no object's name in its details.
      if (error instanceof KubeError && error.reason === 'NotFound' && error.status?.details?.name === key.name) return undefined
      throw error
    }
  }

  async list<T extends KubeObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>> {
    const foreign = options?.fieldManagers && ForeignFields.except(options.fieldManagers)
    const list = await this.#caller.json<ObjectList<T>>({
      what: describe('list', type, options),
      method: 'GET',
      target: resourcePath(type, options?.namespace) + listQuery(options),
      ...(options?.metadataOnly === true && { accept: metadataAccept('PartialObjectMetadataList') }),
      parse: foreign && (text => foreign.parse(text, itemsOf)),
      options,
    })
    if (!Array.isArray(list.items) || typeof list.metadata?.resourceVersion !== 'string') {
      throw new KubeError('malformed', `${describe('list', type, options)} at ${this.address}: the answer is no list`)
    }
    return nameKind(list, type, options)
  }

  listAll<T extends KubeObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>> {
    return listAll(page => this.list<T>(type, page), options)
  }

  watch<T extends KubeObject>(type: ResourceType, options?: WatchOptions): ReturnType<typeof watch<T>> {
    return watch<T>(
      { caller: this.#caller, watchList: this.#watchList, listAll: list => this.listAll<T>(type, list) },
      type,
      options,
    )
  }

  create<T extends KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T & StoredObject> {
    const { namespace, name, generateName } = object.metadata
    const key = { namespace: namespace ?? '', name: name ?? `${generateName ?? ''}*` }
    const sub = options?.subresource
    return this.#write({
      what: describe('create', type, key, sub),
      method: 'POST',
      target:
        resourcePath(type, namespace, sub === undefined ? undefined : name, sub) +
        writeQuery(options, this.#options.fieldManager),
      contentType: 'application/json',
      body: encode(object),
      options,
    })
  }

  update<T extends KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T & StoredObject> {
    const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }
    return this.#write({
      what: describe('update', type, key, options?.subresource),
      method: 'PUT',
      target: resourcePath(type, key.namespace, key.name, options?.subresource) + writeQuery(options, this.#options.fieldManager),
      contentType: 'application/json',
      body: encode(object),
      options,
    })
  }

  patch<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    kind: PatchKind,
    body: unknown,
    options?: PatchOptions,
  ): Promise<T> {
    return this.#write({
      what: describe(kind === 'apply' ? 'apply' : 'patch', type, key, options?.subresource),
      method: 'PATCH',
      target: resourcePath(type, key.namespace, key.name, options?.subresource) + writeQuery(options, this.#options.fieldManager),
      contentType: patchTypes[kind],
      // Text is sent as it stands, so an apply may be YAML; anything else is JSON, which is YAML too.
      body: typeof body === 'string' ? new TextEncoder().encode(body) : encode(body),
      options,
    })
  }

  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<StoredObject | Status> {
    return this.#write({
      what: describe('delete', type, key),
      method: 'DELETE',
      target: resourcePath(type, key.namespace, key.name),
      contentType: 'application/json',
      body: encode(deleteBody(options)),
      options,
    })
  }

  async deleteCollection(type: ResourceType, options?: ListOptions & DeleteOptions): Promise<void> {
    await this.#write<unknown>({
      what: describe('delete all', type, options),
      method: 'DELETE',
      target: resourcePath(type, options?.namespace) + listQuery(options),
      contentType: 'application/json',
      body: encode(deleteBody(options)),
      options,
    })
  }

  async requestToken(
    serviceAccount: ObjectKey,
    spec: TokenRequestSpec,
    options?: KubeCallOptions,
  ): Promise<{ token: string; expirationTimestamp: string }> {
    const { boundObject, ...rest } = spec
    const what = describe('request token', serviceAccounts, serviceAccount)
    const answer = await this.#write<{ status?: { token?: unknown; expirationTimestamp?: unknown } }>({
      what,
      method: 'POST',
      target: resourcePath(serviceAccounts, serviceAccount.namespace, serviceAccount.name, 'token'),
      contentType: 'application/json',
      body: encode({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { ...rest, ...(boundObject && { boundObjectRef: boundObject }) },
      }),
      options,
    })
    const { token, expirationTimestamp } = answer.status ?? {}
    if (typeof token !== 'string' || typeof expirationTimestamp !== 'string') {
      throw new KubeError('malformed', `${what} at ${this.address}: the answer holds no token`)
    }
    return { token, expirationTimestamp }
  }

  discover(options?: KubeCallOptions): ReturnType<KubeClient['discover']> {
    return discover((path, accept) =>
      this.#caller.json({ what: `discover ${path}`, method: 'GET', target: path, options, ...(accept && { accept }) }),
    )
  }

  serverVersion(options?: KubeCallOptions): ReturnType<KubeClient['serverVersion']> {
    return this.#caller.json({ what: 'get version', method: 'GET', target: '/version', options })
  }

  async close(): Promise<void> {
    await this.#options.onClose?.()
  }

  #write<T>(spec: CallSpec & { readonly options: WriteOptions | undefined }): Promise<T> {
    const onWarning = spec.options?.onWarning
    if (onWarning === undefined) return this.#caller.json<T>(spec)
    return this.#caller.json<T>(spec, (headers: HttpHeaders) => parseWarnings(headers).forEach(text => onWarning(text)))
  }
}

function itemsOf(list: unknown): readonly unknown[] {
  const items = (list as { items?: unknown } | null)?.items
  return Array.isArray(items) ? items : []
}

function encode(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

function deleteBody(options: DeleteOptions | undefined): object {
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(options?.preconditions && { preconditions: options.preconditions }),
    ...(options?.propagationPolicy && { propagationPolicy: options.propagationPolicy }),
    ...(options?.gracePeriodSeconds !== undefined && { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options?.dryRun === true && { dryRun: ['All'] }),
  }
}
