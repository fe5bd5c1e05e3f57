// What AWS Private CA counts and bounds.
import { type Quota, quotaTable } from '../quotas.ts'

export const pcaQuotas: Readonly<Record<'authorities' | 'authorityTags', Quota>> = quotaTable({
  authorities: { name: 'Number of private certificate authorities (CAs)', value: 200, scope: 'per account and region' },
  authorityTags: { name: 'Tags per private certificate authority', value: 50, scope: 'per authority' },
})
