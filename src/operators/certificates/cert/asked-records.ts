// The validation records that a certificate asks for, by the zones they belong in.
import type { CloudCertificate } from '../aws/certificate.ts'
import { baseName, recordName } from '../names/domain-name.ts'
import type { WantedNames } from '../names/wanted.ts'
import { type RegisteredZone, type ZoneRegistry, zoneOf } from '../zones/registry.ts'
import type { RecordSeen } from './seen.ts'

export type Unseen = Omit<RecordSeen, 'standing' | 'change' | 'astray'>

/** The records that ACM asks for, each once: a wildcard and its base share one. */
export function recordsOf(certificate: CloudCertificate, wanted: WantedNames, registry: ZoneRegistry): readonly Unseen[] {
  const records = new Map<string, Unseen>()
  const validations = certificate.renewal?.validations.some(({ record }) => record !== undefined)
    ? certificate.renewal.validations
    : certificate.validations
  for (const { domain, status, record } of validations) {
    const zone = record === undefined ? undefined : zoneFor(domain, wanted, registry)
    if (record === undefined || zone === undefined) continue
    const name = recordName(record.name)
    const key = `${zone.id}/${name}`
    const before = records.get(key)
    const domains = [...(before?.domains ?? []), domain]
    records.set(key, { name, value: record.value, zone, domains, domainStatus: before?.domainStatus ?? status })
  }
  return [...records.values()]
}

function zoneFor(domain: string, wanted: WantedNames, registry: ZoneRegistry): RegisteredZone | undefined {
  return wanted.names.find(({ name }) => name === domain)?.zone ?? zoneOf(registry, baseName(domain))
}
