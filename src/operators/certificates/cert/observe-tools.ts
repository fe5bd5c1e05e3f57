// What a look at a Cert needs besides the caches.
import type { CertificateCloud } from '../aws/cloud.ts'
import type { DnsLooks } from '../zones/dns-looks.ts'
import type { Zones } from '../zones/zones.ts'
import type { RequestBudget } from './day/request-budget.ts'
import type { AbsenceMemory, AheadMemory, ArnMemory, LookMemory, RequestMemory } from './memory.ts'
import type { CertSettings } from './settings.ts'

export interface ObserveTools {
  readonly cloud: CertificateCloud
  readonly zones: Zones
  readonly absences: AbsenceMemory
  readonly ahead: AheadMemory
  readonly looks: LookMemory
  readonly arns: ArnMemory
  readonly requests: Pick<RequestMemory, 'isGone' | 'isUnanswered' | 'lately' | 'madeBy'>
  readonly settings: CertSettings
  readonly budget: Pick<RequestBudget, 'begin' | 'refusal'>
  /** Where the DNS may be asked what it shows. */
  readonly dnsLooks?: DnsLooks | undefined
  /** By the clock of AWS. */
  nowMs(): number
  /** In [0, 1). */
  draw(): number
  /** Regions whose certificates may need a record. */
  readonly referenceRegions: readonly string[]
}
