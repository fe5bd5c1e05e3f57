// The zones that OpenShift says are its own.
import type { ResourceType, StoredObject } from '#kube'

export const platformDnses: ResourceType = {
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'DNS',
  plural: 'dnses',
  namespaced: false,
}

/** There is one. */
export const platformDnsName = 'cluster'

export type PlatformDns = StoredObject & {
  readonly spec?: {
    readonly publicZone?: { readonly id?: string }
    readonly privateZone?: { readonly id?: string }
    readonly platform?: { readonly aws?: { readonly privateZoneIAMRole?: string } }
  }
}

/** The public one first. A zone that is known by its tags alone is left out. */
export function platformZones(dns: PlatformDns | undefined): readonly string[] {
  const { publicZone, privateZone } = dns?.spec ?? {}
  return [...new Set([publicZone?.id ?? '', privateZone?.id ?? ''])].filter(id => id !== '')
}

/** The role of the account of the private zone, by that zone. */
export function platformRoles(dns: PlatformDns | undefined): Readonly<Record<string, string>> {
  const zone = dns?.spec?.privateZone?.id ?? ''
  const role = dns?.spec?.platform?.aws?.privateZoneIAMRole ?? ''
  return zone === '' || role === '' ? {} : { [zone]: role }
}
