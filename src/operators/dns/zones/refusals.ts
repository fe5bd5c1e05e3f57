// Ways to look for zones that lead nowhere.
import type { DnsSpec } from '../api/spec.ts'

export interface LookingContext {
  readonly isOpenShift: boolean
  /** Whether this process tries credentials at all. */
  readonly triesCredentials: boolean
}

/** Why nobody can look for the zones of this object, and what to do instead; undefined where somebody can. */
export function discoveryRefusal(spec: DnsSpec, context: LookingContext): string | undefined {
  const { zones = [], zoneDiscovery } = spec
  const mode = zoneDiscovery?.mode ?? 'None'
  if (mode === 'None' || zones.length > 0) return undefined
  const why = mode === 'PlatformDNS' ? whyNoPlatform(context) : whyNoLook(spec, context)
  return why === undefined ? undefined : `zoneDiscovery.mode ${mode} ${why}; name the zones in spec.zones`
}

function whyNoPlatform({ isOpenShift }: LookingContext): string | undefined {
  return isOpenShift ? undefined : 'needs OpenShift, which says which zones are its own'
}

function whyNoLook({ provider, preflight }: DnsSpec, { triesCredentials }: LookingContext): string | undefined {
  if (provider.type !== 'AWS') return 'is for the provider AWS'
  if (provider.aws?.workloadIdentity?.mode === 'PodIdentity')
    return 'cannot be used with PodIdentity, whose credentials only the pod has'
  return triesCredentials && preflight?.enabled !== false ? undefined : 'needs the preflight, which is off'
}
