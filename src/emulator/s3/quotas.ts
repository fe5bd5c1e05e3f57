// What S3 counts and bounds.
import { limits } from '#aws'
import { type Quota, quotaTable } from '../quotas.ts'

type Name = 'buckets'

export const s3Quotas: Readonly<Record<Name, Quota>> = quotaTable({
  buckets: limits['s3/buckets'],
})
