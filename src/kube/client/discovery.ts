// What a server serves: one aggregated document where it knows that form, else group by group.
import { KubeError, type ServedResource } from './client.ts'

/** Fetches a document as JSON. */
export type FetchJson = <T>(path: string, accept?: string) => Promise<T>

const aggregated = ['v2', 'v2beta1'].map(
  version => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
)
const accept = [...aggregated, 'application/json'].join(',')
/** Legacy documents asked for at once: there is one per group and version. */
const concurrentMax = 8

export async function discover(fetchJson: FetchJson): Promise<readonly ServedResource[]> {
  const [core, groups] = await Promise.all([fetchJson<Document>('/api', accept), fetchJson<Document>('/apis', accept)])
  const versions = [...versionsOf(core), ...versionsOf(groups)]
  const found: ServedResource[][] = versions.map(() => [])
  const pending = versions.entries()
  const work = async (): Promise<void> => {
    for (const [index, version] of pending) found[index] = [...(await resourcesOf(fetchJson, version))]
  }
  await Promise.all(Array.from({ length: Math.min(concurrentMax, versions.length) }, work))
  return found.flat()
}

interface GroupVersion {
  readonly group: string
  readonly version: string
  /** There when the answer was aggregated. */
  readonly resources?: readonly AggregatedResource[]
}

interface AggregatedResource {
  readonly resource: string
  readonly responseKind?: { readonly kind?: string }
  readonly scope?: 'Namespaced' | 'Cluster'
  readonly singularResource?: string
  readonly shortNames?: readonly string[]
  readonly verbs?: readonly string[]
  readonly subresources?: readonly { readonly subresource: string }[]
}

interface LegacyResource {
  readonly name: string
  readonly singularName?: string
  readonly namespaced?: boolean
  readonly kind: string
  readonly verbs?: readonly string[]
  readonly shortNames?: readonly string[]
}

interface Document {
  readonly kind?: string
  /** Only in an APIVersions document, where it lists the versions of the core group. */
  readonly versions?: readonly string[]
  /** APIGroupList. */
  readonly groups?: readonly { readonly name: string; readonly versions?: readonly { readonly version: string }[] }[]
  /** APIGroupDiscoveryList. */
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string }
    readonly versions?: readonly { readonly version: string; readonly resources?: readonly AggregatedResource[] }[]
  }[]
}

function versionsOf(document: Document): readonly GroupVersion[] {
  if (document.items !== undefined) {
    return document.items.flatMap(({ metadata, versions }) =>
      (versions ?? []).map(({ version, resources }) => ({ group: metadata?.name ?? '', version, resources: resources ?? [] })),
    )
  }
  const core = (document.versions ?? []).map(version => ({ group: '', version }))
  const named = (document.groups ?? []).flatMap(({ name, versions }) =>
    (versions ?? []).map(({ version }) => ({ group: name, version })),
  )
  return [...core, ...named]
}

async function resourcesOf(fetchJson: FetchJson, version: GroupVersion): Promise<readonly ServedResource[]> {
  if (version.resources !== undefined) return version.resources.flatMap(resource => aggregatedResource(version, resource))
  const path = version.group === '' ? `/api/${version.version}` : `/apis/${version.group}/${version.version}`
  try {
    const { resources } = await fetchJson<{ resources?: readonly LegacyResource[] }>(path)
    return legacyResources(version, resources ?? [])
  } catch (error) {
    // A group behind an aggregated API server that is down must not hide all others; kubectl does the same.
    if (error instanceof KubeError && (error.httpStatus === 503 || error.httpStatus === 404)) return []
    throw error
  }
}

function aggregatedResource({ group, version }: GroupVersion, resource: AggregatedResource): readonly ServedResource[] {
  const kind = resource.responseKind?.kind
  if (kind === undefined || kind === '') return []
  return [
    {
      group,
      version,
      kind,
      plural: resource.resource,
      namespaced: resource.scope === 'Namespaced',
      singular: resource.singularResource ?? '',
      shortNames: resource.shortNames ?? [],
      verbs: resource.verbs ?? [],
      subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
    },
  ]
}

function legacyResources({ group, version }: GroupVersion, resources: readonly LegacyResource[]): readonly ServedResource[] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(resource => ({
      group,
      version,
      kind: resource.kind,
      plural: resource.name,
      namespaced: resource.namespaced === true,
      singular: resource.singularName ?? '',
      shortNames: resource.shortNames ?? [],
      verbs: resource.verbs ?? [],
      subresources: resources
        .filter(({ name }) => name.startsWith(`${resource.name}/`))
        .map(({ name }) => name.slice(resource.name.length + 1)),
    }))
}
