// What a Kubernetes object is, for code that does not care which kind. Objects are values: what comes from a cache or a server is
// never modified, the next one is built.

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: 'FieldsV1'
  readonly fieldsV1?: Readonly<Record<string, unknown>>
  readonly subresource?: string
}

export interface ObjectMeta {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string | null
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** An object as a server returns it: the names that it gave are there. */
export interface StoredObject extends KubeObject {
  readonly metadata: ObjectMeta & { readonly name: string; readonly uid: string; readonly resourceVersion: string }
}

export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface ObjectList<T extends KubeObject = KubeObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ListMeta
  readonly items: readonly T[]
}

/** A kind and where the API serves it. Values come from `api.ts` files, from CRDs, or from discovery. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Lower-case plural, as in the URL. */
  readonly plural: string
  readonly namespaced: boolean
}

/** Namespace and name. Cluster-scoped objects have the empty namespace. */
export interface ObjectKey {
  readonly namespace: string
  readonly name: string
}

/** `group/version`, or `v1` for the core group. */
export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** `plural.group`, or the plural alone for the core group: the name of a kind in logs, metrics and CRDs. */
export function resourceNameOf(type: Pick<ResourceType, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

/** The path under which the kind's objects are served, optionally within a namespace and down to one object. */
export function resourcePath(type: ResourceType, namespace?: string, name?: string, subresource?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`
  const inNamespace = type.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`
  return `${root}${inNamespace}/${type.plural}${object}${subresource === undefined ? '' : `/${subresource}`}`
}

export function keyOf(object: KubeObject): ObjectKey {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }
}

/** `namespace/name`, or the name alone: for maps and for people. Neither part can hold a slash, so it is unambiguous. */
export function renderKey(key: ObjectKey): string {
  return key.namespace === '' ? key.name : `${key.namespace}/${key.name}`
}

export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/')
  return slash < 0 ? { namespace: '', name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}
