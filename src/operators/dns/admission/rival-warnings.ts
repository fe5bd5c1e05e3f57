// Other objects that would write the same names under the same owner id, as far as the cache knows them.
import type { KubeObject } from '#kube'
import type { Reads } from '#runtime'
import { type DnsObject, dnsKind, type ExternalDns } from '../api/kinds.ts'
import { contenderOf } from '../external-dns/observe.ts'
import { areRivals } from '../ownership/rivals.ts'

export function rivalWarnings(object: KubeObject, world: Reads | undefined, clusterId: string): readonly string[] {
  if (world?.isSynced(dnsKind.type) !== true) return []
  const own = contenderOf(object as DnsObject, clusterId)
  return world
    .list<ExternalDns>(dnsKind.type)
    .map(other => contenderOf(other, clusterId))
    .filter(other => other.ownerId === own.ownerId && areRivals(own, other))
    .map(
      ({ name }) => `${name} writes the same names under the same owner id: one of the two would take the other's records away`,
    )
}
