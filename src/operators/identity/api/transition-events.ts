// The events that tell of conditions which have just changed (§10.4).
import type { Condition, Occurrence, StoredObject } from '#kube'
import { regardingOf } from './own-events.ts'

/** For `eventsOf` of a controller: one event for what became good, and one for each trouble, by the first row that fits. */
export function transitionEvents(claim: StoredObject, changed: readonly Condition[]): readonly Occurrence[] {
  const told = new Set<string>()
  const isReady = changed.some(({ type, status }) => type === 'Ready' && status === 'True')
  return changed.flatMap((condition): Occurrence[] => {
    // `Ready` sums up `DeliveryReady`, so that one event tells of both.
    if (isReady && condition.type === 'DeliveryReady') return []
    const event = eventOf(condition)
    // `Ready` and `DeliveryReady` fail together and for one reason.
    if (event === undefined || told.has(event.reason)) return []
    told.add(event.reason)
    const { type, status, reason, message } = condition
    const note = `${type} is ${status}: ${reason}: ${message}`
    return [{ regarding: regardingOf(claim), ...event, message: note, action: 'ConditionTransitioned' }]
  })
}

const warningReasons = [
  'InvalidSpec',
  'OperatorConfigUnavailable',
  'IssuerReconcileFailed',
  'OIDCObjectsPublishFailed',
  'SigningKeyForeign',
  'TooManyFailures',
  'RollbackUnavailable',
]
/** What somebody asked for, and what became of it. */
const tellingReasons = [
  'RolloutPaused',
  'RolloutResumed',
  'WithinLimits',
  'RetryRequested',
  'RetryEnded',
  'RolledBack',
  'RollbackEnded',
]
const waitingReasons = ['WaitingForACK', 'ACKResourceNotSynced', 'ACKResourceIdentifierPending']

function eventOf({
  type,
  status,
  reason,
}: Condition): { readonly type: Occurrence['type']; readonly reason: string } | undefined {
  if (type === 'DeletionBlocked' && status === 'True') return { type: 'Warning', reason: 'DeletionBlocked' }
  if (warningReasons.includes(reason)) return { type: 'Warning', reason }
  if (tellingReasons.includes(reason)) return { type: 'Normal', reason }
  if ((type === 'InventoryResolved' || type === 'ClusterProfileResolved') && status !== 'True') {
    return { type: 'Warning', reason: 'InventoryUnavailable' }
  }
  const sumsUp = type === 'Ready' || type === 'DeliveryReady' || type === 'IssuerReady'
  if (sumsUp && waitingReasons.includes(reason)) return { type: 'Normal', reason: 'ACKResourceWaiting' }
  if (type === 'DeliveryReady' && status === 'True') return { type: 'Normal', reason: 'HubResourcesReady' }
  if (type === 'Ready' && status === 'True') return { type: 'Normal', reason: 'Ready' }
  return undefined
}
