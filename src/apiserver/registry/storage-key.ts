// Where a real server keeps an object in etcd: its refusals name the place.
import type { RegisteredResource } from './resource.ts'

/** Where the kinds are stored that do not stand under their plural, for reasons as old as they are. */
const prefixes: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  'ingresses.networking.k8s.io': 'ingress',
  'customresourcedefinitions.apiextensions.k8s.io': 'apiextensions.k8s.io/customresourcedefinitions',
}

interface KeyParts {
  readonly namespace: string
  readonly name: string
  /** A dry run is checked before the store has the key whole: its root is missing. */
  readonly dryRun: boolean
}

export function storageKey(
  resource: Pick<RegisteredResource, 'group' | 'plural' | 'custom' | 'namespaced'>,
  place: KeyParts,
): string {
  const { group, plural } = resource
  const own = resource.custom === undefined ? prefixes[group === '' ? plural : `${plural}.${group}`] : `${group}/${plural}`
  return [place.dryRun ? '' : '/registry', own ?? plural, ...(resource.namespaced ? [place.namespace] : []), place.name].join('/')
}
