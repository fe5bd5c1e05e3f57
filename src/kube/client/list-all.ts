// Paging: all pages are of one snapshot, and when it expires half-way the list begins anew.
import { apiVersionOf, type KubeObject, type ObjectList, type ResourceType } from '../objects.ts'
import { KubeError, type ListOptions } from './client.ts'

/** As large as other clients ask for; larger pages hold memory on both sides, smaller ones cost round trips. */
const pageItems = 500
/** After so many expired snapshots the server is asked for everything at once, which cannot expire. */
const restartsMax = 2

export async function listAll<T extends KubeObject>(
  page: (options: ListOptions) => Promise<ObjectList<T>>,
  options: ListOptions = {},
): Promise<ObjectList<T>> {
  for (let restarts = 0; ; restarts++) {
    const limit = restarts > restartsMax ? undefined : (options.limit ?? pageItems)
    const { limit: _replaced, ...rest } = options
    try {
      return await snapshot(page, limit === undefined ? rest : { ...rest, limit })
    } catch (error) {
      const expired = error instanceof KubeError && error.httpStatus === 410 && restarts <= restartsMax
      // The first page can be too old as well, when the caller asked for a version: that is for the caller to know.
      if (!expired || options.resourceVersionMatch === 'Exact') throw error
    }
  }
}

async function snapshot<T extends KubeObject>(
  page: (options: ListOptions) => Promise<ObjectList<T>>,
  options: ListOptions,
): Promise<ObjectList<T>> {
  const first = await page(options)
  if (first.metadata.continue === undefined || first.metadata.continue === '') return first
  const items = [...first.items]
  let token: string | undefined = first.metadata.continue
  while (token !== undefined && token !== '') {
    const next: ObjectList<T> = await page({ ...options, continue: token })
    for (const item of next.items) items.push(item)
    token = next.metadata.continue
  }
  return { ...first, metadata: { resourceVersion: first.metadata.resourceVersion }, items }
}

/** Items of built-in lists come without their kind; with it they are objects like any other. The list is ours alone by now. */
export function nameKind<T extends KubeObject>(list: ObjectList<T>, type: ResourceType, options?: ListOptions): ObjectList<T> {
  const first = list.items[0] as Partial<KubeObject> | undefined
  if (first === undefined || first.kind !== undefined) return list
  const partial = options?.metadataOnly === true
  const apiVersion = partial ? 'meta.k8s.io/v1' : apiVersionOf(type)
  const kind = partial ? 'PartialObjectMetadata' : type.kind
  for (const item of list.items as readonly { apiVersion?: string; kind?: string }[]) {
    item.apiVersion = apiVersion
    item.kind = kind
  }
  return list
}
