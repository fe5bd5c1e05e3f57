// What EKS counts and bounds.
import { limits } from '#aws'
import { type Quota, quotaTable } from '../quotas.ts'

type Name = 'clusters' | 'associationsPerCluster' | 'tags'

export const eksQuotas: Readonly<Record<Name, Quota>> = quotaTable(
  {
    clusters: limits['eks/clusters'],
    associationsPerCluster: limits['eks/pod-identity-associations'],
    tags: limits['eks/tags'],
  },
  { associationsPerCluster: 'L-EMU00001' },
)
