// Which zones the operand of an object writes: those that are named, else those that were found.
import type { DnsSeen } from '../external-dns/seen.ts'
import { boundingDomains, type KnownZones, type ZoneWish } from './find-zones.ts'
import { platformRoles, platformZones } from './platform-dns.ts'

type ZonesSeen = Pick<DnsSeen, 'dns' | 'model' | 'preflight' | 'platformDns'>

/** How zones are looked for; `None` where they are named, whatever else is said. */
export function discoveryMode({ model: { spec } }: Pick<DnsSeen, 'model'>): 'None' | 'AssumedRole' | 'PlatformDNS' {
  const { zones = [], zoneDiscovery } = spec
  if (zones.length > 0) return 'None'
  return zoneDiscovery?.mode === 'AssumedRole' || zoneDiscovery?.mode === 'PlatformDNS' ? zoneDiscovery.mode : 'None'
}

export function effectiveZones(seen: ZonesSeen): readonly string[] {
  switch (discoveryMode(seen)) {
    case 'PlatformDNS':
      return platformZones(seen.platformDns)
    case 'AssumedRole':
      return knownZones(seen).zones
    default:
      return seen.model.spec.zones ?? []
  }
}

/** After a restart what the status says holds until somebody has looked. */
export function knownZones({ preflight, dns }: Pick<DnsSeen, 'dns' | 'preflight'>): KnownZones {
  return preflight?.found ?? { zones: dns.status?.zones ?? [], doubted: [] }
}

/** Zones with a role of their own, where the object names none for all. */
export function zoneRoles(seen: ZonesSeen): Readonly<Record<string, string>> {
  const hasRole = seen.model.spec.provider.aws?.assumeRole !== undefined
  return discoveryMode(seen) !== 'PlatformDNS' || hasRole ? {} : platformRoles(seen.platformDns)
}

/** Which zones are looked for; undefined where nobody has to look. */
export function zoneWish(seen: Pick<DnsSeen, 'model'>): ZoneWish | undefined {
  if (discoveryMode(seen) !== 'AssumedRole') return undefined
  const { domains, provider } = seen.model.spec
  return {
    domains: boundingDomains(domains),
    zoneType: provider.aws?.zoneType,
    zoneTags: provider.aws?.zoneTags ?? {},
  }
}

/** An operand without zones would write in all of them. */
export function lacksZones(seen: ZonesSeen): boolean {
  return discoveryMode(seen) !== 'None' && effectiveZones(seen).length === 0
}
