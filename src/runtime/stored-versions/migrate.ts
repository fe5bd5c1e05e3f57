// Moves objects that may be stored in another version than their definition now says: each is written once, unchanged, by which the API server
// stores it anew, and then the definition stops saying that another version may be stored. It holds for a definition of another program that
// became ours, for the next storage version, and for the way back. Whatever ends it in between, the next run begins anew: an object that is
// stored as it should be is not changed by it.
import { customResourceDefinitions, keyOf, type ResourceType, renderKey, type StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'

interface Version {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly subresources?: { readonly status?: object }
}

type Definition = StoredObject & {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string; readonly plural: string }
    readonly scope: 'Cluster' | 'Namespaced'
    readonly versions: readonly Version[]
  }
  readonly status?: { readonly storedVersions?: readonly string[] }
}

export type Migrated =
  /** Nothing is stored in another version any more; `objects` is how many were written for it. */
  | { readonly kind: 'done'; readonly objects: number }
  /** These objects could not be written, so the definition still lists the version in which they are stored. */
  | { readonly kind: 'left'; readonly refused: readonly { readonly name: string; readonly why: string }[] }

/** By the name of the definition. One that is not there has no objects. */
export async function migrateStored(client: KubeClient, name: string, signal: AbortSignal): Promise<Migrated> {
  const definition = await client.find<Definition>(customResourceDefinitions, { namespace: '', name }, { signal })
  const storage = definition?.spec.versions.find(version => version.storage)
  const others = (definition?.status?.storedVersions ?? []).filter(version => version !== storage?.name)
  if (definition === undefined || storage === undefined || others.length === 0) return { kind: 'done', objects: 0 }
  const type = typeOf(definition, storage)
  const subresource = storage.subresources?.status === undefined ? {} : { subresource: 'status' }
  // Names and versions of objects are all that is needed of them, and they may be many.
  const { items } = await client.listAll(type, { metadataOnly: true, signal })
  const refused: { name: string; why: string }[] = []
  for (const object of items) {
    const why = await writeAnew(client, { type, object }, { ...subresource, signal })
    if (why !== undefined) refused.push({ name: renderKey(keyOf(object)), why })
  }
  if (refused.length > 0) return { kind: 'left', refused }
  await settle(client, definition, storage.name, signal)
  return { kind: 'done', objects: items.length }
}

/** As it is stored, or, where that version is not served, as it can be asked for. */
function typeOf({ spec }: Definition, storage: Version): ResourceType {
  const version = storage.served ? storage : spec.versions.find(({ served }) => served)
  const { kind, plural } = spec.names
  return { group: spec.group, version: (version ?? storage).name, kind, plural, namespaced: spec.scope === 'Namespaced' }
}

/**
 * A patch that changes nothing, in the status where there is one, since nobody is asked there whether the spec is still allowed. Who was faster
 * than this has stored the object anew by it, and what is gone needs nothing.
 */
async function writeAnew(
  client: KubeClient,
  { type, object }: { readonly type: ResourceType; readonly object: StoredObject },
  options: { readonly subresource?: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const unchanged = { metadata: { resourceVersion: object.metadata.resourceVersion } }
  try {
    await client.patch(type, keyOf(object), 'merge', unchanged, options)
    return undefined
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    if (['Conflict', 'NotFound'].includes(error.reason)) return undefined
    if (error.reason === 'Invalid') return error.message
    throw error
  }
}

/** Only of the definition that was read: another storage version in between, and it is a conflict. */
async function settle(client: KubeClient, { metadata }: Definition, storage: string, signal: AbortSignal): Promise<void> {
  const { resourceVersion, name } = metadata
  const change = { metadata: { resourceVersion }, status: { storedVersions: [storage] } }
  await client.patch(customResourceDefinitions, { namespace: '', name }, 'merge', change, { subresource: 'status', signal })
}
