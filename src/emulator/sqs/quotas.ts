// What SQS counts and bounds.
import { type Quota, quotaTable } from '../quotas.ts'

export const sqsQuotas: Readonly<Record<'queueTags' | 'messagesInFlight' | 'messagesInFlightFifo', Quota>> = quotaTable({
  queueTags: { name: 'Tags per queue', value: 50, scope: 'per queue' },
  messagesInFlight: { name: 'Messages in flight', value: 120_000, scope: 'per standard queue' },
  messagesInFlightFifo: { name: 'Messages in flight of a FIFO queue', value: 120_000, scope: 'per FIFO queue' },
})
