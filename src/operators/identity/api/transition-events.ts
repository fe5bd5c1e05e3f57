// The events that tell of conditions which have just changed (§10.4).
import type { Condition, Occurrence, StoredObject } from '#kube'

/** For `eventsOf` of a controller: at most one event per changed condition, by the first row that fits. */
export function transitionEvents(claim: StoredObject, changed: readonly Condition[]): readonly Occurrence[] {
  const { apiVersion, kind, metadata } = claim
  const { namespace = '', name, uid } = metadata
  const regarding = { apiVersion, kind, namespace, name, uid }
  const told = new Set<string>()
  return changed.flatMap((condition): Occurrence[] => {
    const event = eventOf(condition)
    // `Ready` and `DeliveryReady` change together and for one reason: once is enough.
    if (event === undefined || told.has(event.reason)) return []
    told.add(event.reason)
    const message = `${condition.type} is ${condition.status}: ${condition.reason}`
    return [{ regarding, type: event.type, reason: event.reason, message }]
  })
}

const warningReasons = [
  'InvalidSpec',
  'OperatorConfigUnavailable',
  'IssuerReconcileFailed',
  'OIDCObjectsPublishFailed',
  'SigningKeyForeign',
]
const waitingReasons = ['WaitingForACK', 'ACKResourceNotSynced', 'ACKResourceIdentifierPending']

function eventOf({
  type,
  status,
  reason,
}: Condition): { readonly type: Occurrence['type']; readonly reason: string } | undefined {
  if (type === 'DeletionBlocked' && status === 'True') return { type: 'Warning', reason: 'DeletionBlocked' }
  if (warningReasons.includes(reason)) return { type: 'Warning', reason }
  if ((type === 'InventoryResolved' || type === 'ClusterProfileResolved') && status !== 'True') {
    return { type: 'Warning', reason: 'InventoryUnavailable' }
  }
  const sumsUp = type === 'Ready' || type === 'DeliveryReady' || type === 'IssuerReady'
  if (sumsUp && waitingReasons.includes(reason)) return { type: 'Normal', reason: 'ACKResourceWaiting' }
  if (type === 'DeliveryReady' && status === 'True') return { type: 'Normal', reason: 'HubResourcesReady' }
  if (type === 'Ready' && status === 'True') return { type: 'Normal', reason: 'Ready' }
  return undefined
}
