// What the scenarios ask for.
import { domain } from './accounts.ts'

/** Services with this label, named after themselves, in this zone. */
export function awsSpec(aws: object, zone: string, label: string, source: object = { type: 'Service' }): object {
  return {
    domains: [{ filterType: 'Include', matchType: 'Exact', name: domain }],
    provider: { type: 'AWS', aws },
    source: { labelFilter: { matchLabels: { dns: label } }, fqdnTemplate: [`{{.Name}}.${domain}`], ...source },
    zones: [zone],
  }
}

/** By keys of a user of one account, and a role of the other. */
export function crossAccount(assumeRole: object, zone: string, label = 'public'): object {
  return awsSpec({ credentials: { name: 'dns-keys' }, assumeRole, region: 'us-east-1' }, zone, label)
}
