import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '#kube'
import { transitionEvents } from './transition-events.ts'

const claim = {
  apiVersion: 'aws.identity.appthrust.io/v1alpha1',
  kind: 'AWSServiceAccountRole',
  metadata: { namespace: 'wlc-a', name: 'app1', uid: 'u', resourceVersion: '1' },
}
const say = (type: string, status: Condition['status'], reason: string): Condition => ({ type, status, reason, message: 'm' })

const rows: readonly (readonly [Condition, string | undefined])[] = [
  [say('DeletionBlocked', 'True', 'ChildrenPending'), 'Warning DeletionBlocked'],
  [say('DeletionBlocked', 'False', 'DeletionUnblocked'), undefined],
  [say('PolicyReady', 'False', 'InvalidSpec'), 'Warning InvalidSpec'],
  [say('OperatorConfigReady', 'False', 'OperatorConfigUnavailable'), 'Warning OperatorConfigUnavailable'],
  [say('InventoryResolved', 'False', 'ClusterProfileNotFound'), 'Warning InventoryUnavailable'],
  [say('InventoryResolved', 'True', 'Resolved'), undefined],
  [say('Ready', 'False', 'WaitingForACK'), 'Normal ACKResourceWaiting'],
  [say('DeliveryReady', 'False', 'ACKResourceNotSynced'), 'Normal ACKResourceWaiting'],
  [say('IssuerReady', 'False', 'ACKResourceIdentifierPending'), 'Normal ACKResourceWaiting'],
  [say('RoleReady', 'False', 'ACKResourceNotSynced'), undefined],
  [say('ClusterProfileResolved', 'False', 'InventoryAmbiguous'), 'Warning InventoryUnavailable'],
  [say('RolloutPaused', 'True', 'RolloutPaused'), 'Normal RolloutPaused'],
  [say('RolloutStopped', 'True', 'TooManyFailures'), 'Warning TooManyFailures'],
  [say('DeliveryReady', 'True', 'HubResourcesReady'), 'Normal HubResourcesReady'],
  [say('Ready', 'True', 'Ready'), 'Normal Ready'],
  [say('ServiceAccountAnnotationReady', 'False', 'RemoteDeliveryPending'), undefined],
]
for (const [condition, wanted] of rows) {
  test(`${condition.type} ${condition.status}/${condition.reason} is told as ${wanted ?? 'nothing'} [10.4]`, () => {
    const [event] = transitionEvents(claim, [condition])
    assert.equal(event && `${event.type} ${event.reason}`, wanted)
    if (event === undefined) return
    assert.equal(event.message, `${condition.type} is ${condition.status}: ${condition.reason}: m`)
    assert.equal(event.action, 'ConditionTransitioned')
  })
}

test('two conditions that say one thing are one event [M4]', () => {
  const both = [say('DeliveryReady', 'False', 'WaitingForACK'), say('Ready', 'False', 'WaitingForACK')]
  assert.equal(transitionEvents(claim, both).length, 1)
})

test('a binding that becomes Ready is one event [M4]', () => {
  const all = [say('RoleReady', 'True', 'ACKResourceSynced'), say('DeliveryReady', 'True', 'HubResourcesReady')]
  const told = transitionEvents(claim, [...all, say('Ready', 'True', 'Ready')])
  assert.deepEqual(
    told.map(({ reason }) => reason),
    ['Ready'],
  )
})

test('what looks like a directive of a formatter is literal [13.11 #239]', () => {
  const [event] = transitionEvents(claim, [
    { type: 'Ready', status: 'False', reason: 'InvalidSpec', message: 'role %s of %d, 100%' },
  ])
  assert.equal(event?.message, 'Ready is False: InvalidSpec: role %s of %d, 100%')
  const [deletion] = transitionEvents(claim, [say('DeletionBlocked', 'True', 'Children%sPending')])
  assert.equal(deletion?.message, 'DeletionBlocked is True: Children%sPending: m')
})
