import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { operatorName } from '../api/labels.ts'
import { settlingMs, settlingMsMax } from './settling.ts'

const changed = '2026-01-01T00:01:00Z'
const changedMs = Date.parse(changed)

function child(synced: Readonly<Record<string, unknown>>, generation = 2): StoredObject {
  const condition = { type: 'ACK.ResourceSynced', status: 'True', ...synced }
  const managedFields = [{ manager: operatorName, operation: 'Apply', time: changed }]
  const metadata = {
    name: 'r',
    uid: 'u',
    resourceVersion: '9',
    generation,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields,
  }
  const object = { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', metadata, status: { conditions: [condition] } }
  return object as StoredObject
}

test('what was in sync in the very second of our change may be in sync with the old spec [S8]', () => {
  assert.equal(settlingMs(child({ lastTransitionTime: changed }), changedMs + 500), settlingMsMax - 500)
  assert.equal(settlingMs(child({ lastTransitionTime: '2026-01-01T00:00:59Z' }), changedMs + 500), settlingMsMax - 500)
})

test('what came into sync after our change is in sync with it', () => {
  assert.equal(settlingMs(child({ lastTransitionTime: '2026-01-01T00:01:01Z' }), changedMs + 1_000), 0)
})

test('a controller that does not touch its times is believed after a moment', () => {
  assert.equal(settlingMs(child({ lastTransitionTime: changed }), changedMs + settlingMsMax), 0)
})

test('where the condition carries a generation no time is asked, however long it takes [S8]', () => {
  assert.equal(settlingMs(child({ observedGeneration: 2, lastTransitionTime: '2026-01-01T00:00:01Z' }), changedMs), 0)
  assert.ok(settlingMs(child({ observedGeneration: 1, lastTransitionTime: '2026-01-01T00:02:00Z' }), changedMs + 600_000) > 0)
})
