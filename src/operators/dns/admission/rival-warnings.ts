// Other objects that would write the same names under the same owner id, as far as the cache knows them.
import type { KubeObject } from '#kube'
import type { Reads } from '#runtime'
import type { DnsObject, ExternalDns } from '../api/kinds.ts'
import { contenderOf } from '../external-dns/observe.ts'
import { areRivals } from '../ownership/rivals.ts'
import { claimType, type DnsSurroundings } from '../settings.ts'

export function rivalWarnings(
  object: KubeObject,
  world: Reads | undefined,
  surroundings: Pick<DnsSurroundings, 'settings'>,
): readonly string[] {
  const { clusterId } = surroundings.settings
  const type = claimType(surroundings)
  if (world?.isSynced(type) !== true) return []
  const own = contenderOf(object as DnsObject, clusterId)
  return world
    .list<ExternalDns>(type)
    .map(other => contenderOf(other, clusterId))
    .filter(other => other.ownerId === own.ownerId && areRivals(own, other))
    .map(
      ({ name }) => `${name} writes the same names under the same owner id: one of the two would take the other's records away`,
    )
}
