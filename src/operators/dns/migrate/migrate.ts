// Moves objects that may be stored in another version than the definition now says: each is written once, unchanged, by which the API server
// stores it anew, and then the definition stops saying that another version may be stored. It holds for a definition of the existing operator
// that became ours, for the next storage version, and for the way back. Whatever ends it in between, the next run begins anew: an object that
// is stored as it should be is not changed by it.
import { customResourceDefinitions, type StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { dnsKind } from '../api/kinds.ts'
import { crdName } from '../api/names.ts'

type Definition = StoredObject & {
  readonly spec: { readonly versions: readonly { readonly name: string; readonly storage: boolean }[] }
  readonly status?: { readonly storedVersions?: readonly string[] }
}

export type Migrated =
  /** Nothing is stored in another version any more; `objects` is how many were written for it. */
  | { readonly kind: 'done'; readonly objects: number }
  /** These objects could not be written: the definition goes on saying that they are stored otherwise. */
  | { readonly kind: 'left'; readonly refused: readonly { readonly name: string; readonly why: string }[] }

export async function migrateStored(client: KubeClient, signal: AbortSignal): Promise<Migrated> {
  const definition = await client.get<Definition>(customResourceDefinitions, { namespace: '', name: crdName }, { signal })
  const storage = definition.spec.versions.find(version => version.storage)?.name ?? ''
  const others = (definition.status?.storedVersions ?? []).filter(version => version !== storage)
  if (others.length === 0) return { kind: 'done', objects: 0 }
  const { items } = await client.listAll(dnsKind.type, { limit: 100, signal })
  const refused: { name: string; why: string }[] = []
  for (const { metadata } of items) {
    const why = await writeAnew(client, metadata, signal)
    if (why !== undefined) refused.push({ name: metadata.name, why })
  }
  if (refused.length > 0) return { kind: 'left', refused }
  await settle(client, definition, storage, signal)
  return { kind: 'done', objects: items.length }
}

/**
 * A patch that changes nothing, in the status, where nobody is asked whether the spec is still allowed. Who was faster than this has stored the
 * object anew by it, and what is gone needs nothing.
 */
async function writeAnew(
  client: KubeClient,
  { name, resourceVersion }: StoredObject['metadata'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const unchanged = { metadata: { resourceVersion } }
  try {
    await client.patch(dnsKind.type, { namespace: '', name }, 'merge', unchanged, { subresource: 'status', signal })
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
  const { resourceVersion } = metadata
  const change = { metadata: { resourceVersion }, status: { storedVersions: [storage] } }
  const key = { namespace: '', name: crdName }
  await client.patch(customResourceDefinitions, key, 'merge', change, { subresource: 'status', signal })
}
