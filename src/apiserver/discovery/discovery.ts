// What is served, in the plain and in the aggregated form. Made when asked for and kept until the registry changes.
import { createHash } from 'node:crypto'
import type { HttpResponse } from '#base'
import type { EmulatedVersion } from '../emulated-version.ts'
import { parseAccept } from '../http/accept.ts'
import type { Registry } from '../registry/registry.ts'
import type { RegisteredResource, ServedKind } from '../registry/resource.ts'
import { groupRank, isOlderVersion } from './order.ts'

interface Group {
  readonly name: string
  /** Preferred first. */
  readonly versions: readonly string[]
}

export function groupsOf(registry: Registry): readonly Group[] {
  const versions = new Map<string, Set<string>>()
  for (const resource of registry.resources) {
    for (const kind of resource.versions) {
      const known = versions.get(resource.group)
      if (known === undefined) versions.set(resource.group, new Set([kind.version]))
      else known.add(kind.version)
    }
  }
  return [...versions]
    .map(([name, set]) => ({ name, versions: [...set].sort((a, b) => (isOlderVersion(a, b) ? 1 : -1)) }))
    .sort((a, b) => groupRank(a.name) - groupRank(b.name) || (a.name < b.name ? -1 : 1))
}

export function apiVersions(address: string): Record<string, unknown> {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  }
}

export function apiGroupList(registry: Registry): Record<string, unknown> {
  const groups = groupsOf(registry).filter(group => group.name !== '')
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(renderGroup) }
}

export function apiGroup(registry: Registry, name: string): Record<string, unknown> | undefined {
  const group = name === '' ? undefined : groupsOf(registry).find(candidate => candidate.name === name)
  return group === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...renderGroup(group) }
}

function renderGroup({ name, versions }: Group): Record<string, unknown> {
  const list = versions.map(version => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: list, preferredVersion: list[0] }
}

export function apiResourceList(registry: Registry, group: string, version: string): Record<string, unknown> | undefined {
  const kinds = kindsOf(registry, group, version)
  if (kinds.length === 0) return undefined
  const resources = kinds.flatMap(kind => [
    renderResource(kind),
    ...kind.subresources.map(subresource => renderSubresource(kind, subresource)),
  ])
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources,
  }
}

function kindsOf(registry: Registry, group: string, version: string): ServedKind[] {
  return registry.resources
    .filter(resource => resource.group === group)
    .flatMap(resource => resource.versions.filter(kind => kind.version === version))
    .sort((a, b) => (a.resource.plural < b.resource.plural ? -1 : 1))
}

function renderResource({ resource }: ServedKind): Record<string, unknown> {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...namesOf(resource),
    ...(resource.behaviour.virtual ? {} : { storageVersionHash: storageHash(resource) }),
  }
}

function namesOf(resource: RegisteredResource): Record<string, unknown> {
  return {
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
  }
}

function storageHash(resource: RegisteredResource): string {
  return createHash('sha256')
    .update(`${resource.group}/${resource.storageVersion}/${resource.kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64')
}

function renderSubresource(kind: ServedKind, subresource: ServedKind['subresources'][number]): Record<string, unknown> {
  return {
    name: `${kind.resource.plural}/${subresource.name}`,
    singularName: '',
    namespaced: kind.resource.namespaced,
    ...(subresource.version === undefined ? {} : { group: subresource.group, version: subresource.version }),
    kind: subresource.kind,
    verbs: subresource.verbs,
  }
}

/** `v2`, `v2beta1`, nothing acceptable, or nothing asked for: the aggregated form that the client would rather have than the plain one. */
export function aggregatedVersion(accept: string | undefined, emulate: EmulatedVersion): 'v2' | 'v2beta1' | 'none' | undefined {
  let refused = false
  for (const { type, parameters } of parseAccept(accept ?? '')) {
    if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue
    const as = parameters.get('as')
    if (as === undefined) return undefined
    const version = parameters.get('v')
    const isOurs = parameters.get('g') === 'apidiscovery.k8s.io' && as === 'APIGroupDiscoveryList'
    if (isOurs && (version === 'v2' || (version === 'v2beta1' && emulate !== '1.34'))) return version
    refused = true
  }
  return refused ? 'none' : undefined
}

/** Aggregated documents with their tags, kept per registry generation. */
export class AggregatedDiscovery {
  readonly #registry: Registry
  #generation = -1
  readonly #documents = new Map<string, { body: Uint8Array; etag: string }>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  respond(core: boolean, version: 'v2' | 'v2beta1', ifNoneMatch: string | undefined): HttpResponse {
    const { body, etag } = this.#document(core, version)
    const headers = { etag, vary: 'Accept', 'cache-control': 'public' }
    if (ifNoneMatch === etag) return { status: 304, headers, body: null }
    const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
    return { status: 200, headers: { ...headers, 'content-type': type }, body }
  }

  #document(core: boolean, version: string): { body: Uint8Array; etag: string } {
    if (this.#generation !== this.#registry.generation) {
      this.#documents.clear()
      this.#generation = this.#registry.generation
    }
    const key = `${core}/${version}`
    let document = this.#documents.get(key)
    if (document === undefined) {
      const body = Buffer.from(`${JSON.stringify(this.#render(core, version))}\n`)
      const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`
      this.#documents.set(key, (document = { body, etag }))
    }
    return document
  }

  #render(core: boolean, version: string): Record<string, unknown> {
    const groups = groupsOf(this.#registry).filter(group => (group.name === '') === core)
    return {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${version}`,
      metadata: {},
      items: groups.map(group => ({
        metadata: { ...(group.name === '' ? {} : { name: group.name }), creationTimestamp: null },
        versions: group.versions.map(name => ({
          version: name,
          resources: kindsOf(this.#registry, group.name, name).map(renderAggregated),
          freshness: 'Current',
        })),
      })),
    }
  }
}

function renderAggregated(kind: ServedKind): Record<string, unknown> {
  const { resource } = kind
  const scope = resource.namespaced ? 'Namespaced' : 'Cluster'
  return {
    resource: resource.plural,
    responseKind: { group: resource.group, version: kind.version, kind: resource.kind },
    scope,
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...namesOf(resource),
    ...(kind.subresources.length === 0
      ? {}
      : {
          subresources: kind.subresources.map(({ name, verbs, kind: own, group, version }) => ({
            subresource: name,
            responseKind: { group: group ?? resource.group, version: version ?? kind.version, kind: own },
            verbs,
          })),
        }),
  }
}
