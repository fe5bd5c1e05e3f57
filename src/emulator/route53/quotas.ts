// What Route 53 counts and bounds.
import { limits } from '#aws'
import { type Quota, quotaTable } from '../quotas.ts'

type Name = 'hostedZones' | 'recordsPerZone' | 'tags'

export const route53Quotas: Readonly<Record<Name, Quota>> = quotaTable({
  hostedZones: limits['route53/hosted-zones'],
  recordsPerZone: limits['route53/records-per-zone'],
  tags: limits['route53/tags'],
})
