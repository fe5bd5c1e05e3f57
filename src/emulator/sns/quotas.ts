// What SNS counts and bounds.
import { type Quota, quotaTable } from '../quotas.ts'

export const snsQuotas: Readonly<Record<'topicTags', Quota>> = quotaTable({
  topicTags: { name: 'Tags per topic', value: 50, scope: 'per topic' },
})
