// What ACM counts and bounds.
import { limits } from '#aws'
import { type Quota, quotaTable } from '../quotas.ts'

type Name = 'certificates' | 'certificatesPerYear' | 'namesPerCertificate' | 'tags'

export const acmQuotas: Readonly<Record<Name, Quota>> = quotaTable(
  {
    certificates: limits['acm/certificates'],
    certificatesPerYear: limits['acm/certificates-per-year'],
    namesPerCertificate: limits['acm/names-per-certificate'],
    tags: limits['acm/tags'],
  },
  { certificatesPerYear: 'L-EMU00002' },
)
