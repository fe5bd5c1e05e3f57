// What wakes a binding, and what does not: of a change that no decision rests on there is nothing to think about.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Change } from '#runtime'
import { concernsParent } from './child-resources.ts'
import { concernsRoles } from './controller.ts'

type Whole = StoredObject & { readonly spec?: unknown; readonly status?: unknown }

const metadata = { namespace: 'wlc-a', name: 'x', uid: 'u', resourceVersion: '1', generation: 1, labels: { mark: 'u' } }
const child: Whole = { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', metadata, spec: { name: 'r' }, status: {} }

function changed(before: Whole, now: Partial<Whole>, more: Partial<StoredObject['metadata']> = {}): Change {
  const object = { ...before, ...now, metadata: { ...before.metadata, resourceVersion: '2', ...more } }
  return { kind: 'changed', previous: before, object }
}

for (const [what, change, isHeard] of [
  ['its finalizer of ACK', changed(child, {}, { finalizers: ['finalizers.iam.services.k8s.aws/Role'] }), false],
  ['an intent that ACK notes', changed(child, {}, { annotations: { 'services.k8s.aws/create-intent': 'x' } }), false],
  ['its ARN', changed(child, { status: { ackResourceMetadata: { arn: 'arn:aws:iam::1:role/r' } } }), true],
  ['a field of its spec', changed(child, { spec: { name: 'other' } }, { generation: 2 }), true],
  ['a label that is taken away', changed(child, {}, { labels: {} }), true],
  ['its region', changed(child, {}, { annotations: { 'services.k8s.aws/region': 'eu-west-1' } }), true],
  ['its owner', changed(child, {}, { ownerReferences: [] }), true],
  ['its deletion', changed(child, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), true],
  ['its end', { kind: 'removed', object: child }, true],
] as readonly (readonly [string, Change, boolean])[]) {
  test(`of a child, ${what} is ${isHeard ? 'heard' : 'nothing to its binding'}`, () =>
    assert.equal(concernsParent(change), isHeard))
}

const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
const status = { issuerHostPath: 'h/p', oidcProviderARN: 'arn:p', conditions: [ready] }
const config: Whole = {
  apiVersion: 'aws.identity.appthrust.io/v1alpha1',
  kind: 'AWSWorkloadIdentityConfig',
  metadata,
  spec: { type: 'SelfHostedIRSA' },
  status,
}

function unready(message: string): Whole {
  return { ...config, status: { ...status, conditions: [{ ...ready, status: 'False', message }] } }
}

for (const [what, change, isHeard] of [
  ['another condition', changed(config, { status: { ...status, conditions: [ready, { ...ready, type: 'KeyRotated' }] } }), false],
  ['the message of Ready', changed(config, { status: { ...status, conditions: [{ ...ready, message: 'so' }] } }), false],
  ['why it is not Ready', changed(unready('a'), unready('b')), true],
  ['that it is not Ready', changed(config, { status: { ...status, conditions: [{ ...ready, status: 'False' }] } }), true],
  ['its provider', changed(config, { status: { ...status, oidcProviderARN: 'arn:q' } }), true],
  ['its issuer', changed(config, { status: { ...status, issuerHostPath: 'h/q' } }), true],
  ['its spec', changed(config, { spec: { type: 'EKSPodIdentity' } }, { generation: 2 }), true],
  ['its deletion', changed(config, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), true],
  ['that it is there', { kind: 'added', object: config, initial: false }, true],
] as readonly (readonly [string, Change, boolean])[]) {
  test(`of a Config, ${what} is ${isHeard ? 'heard' : 'nothing to its bindings'}`, () =>
    assert.equal(concernsRoles(change), isHeard))
}
