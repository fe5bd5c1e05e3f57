import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { isLease, type Lease, releaseLease, takeLease } from './lease.ts'

const key = { namespace: 'default', name: 'vouch' }
const wish = { identity: 'us', leaseDurationMs: 14_001, now: Date.UTC(2026, 0, 1) }
const now = '2026-01-01T00:00:00.000000Z'
const before = '2025-12-31T00:00:00.000000Z'

const held = (spec: Lease['spec']): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { ...key, resourceVersion: '7', labels: { theirs: 'kept' } } as Lease['metadata'],
  spec,
})

for (const [what, spec, acquireTime, leaseTransitions] of [
  ['that is ours', { holderIdentity: 'us', acquireTime: before, leaseTransitions: 3 }, before, 3],
  ['that is ours since nobody knows when', { holderIdentity: 'us' }, now, 0],
  ['that was another one’s', { holderIdentity: 'them', acquireTime: before, leaseTransitions: 3 }, now, 4],
  ['that was let go', { holderIdentity: '', leaseTransitions: 3 }, now, 4],
  ['of which nobody counted the hands', { holderIdentity: 'them' }, now, 1],
] as const)
  test(`a lease ${what} is held since ${acquireTime} and has changed hands ${leaseTransitions} times`, () => {
    assert.deepEqual(takeLease(held(spec), key, wish), {
      ...held(spec),
      spec: { holderIdentity: 'us', leaseDurationSeconds: 15, acquireTime, renewTime: now, leaseTransitions },
    })
  })

test('a lease that is not there is made, and has never changed hands', () => {
  assert.deepEqual(takeLease(undefined, key, wish), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: key,
    spec: { holderIdentity: 'us', leaseDurationSeconds: 15, acquireTime: now, renewTime: now, leaseTransitions: 0 },
  })
})

test('a lease that is let go is nobody’s, for a second, and says since when', () => {
  const own = held({
    holderIdentity: 'us',
    leaseDurationSeconds: 15,
    acquireTime: before,
    renewTime: before,
    leaseTransitions: 3,
  })
  assert.deepEqual(releaseLease(own, wish.now).spec, { ...own.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: now })
})

for (const [what, object, isOne] of [
  ['a lease', { kind: 'Lease', spec: {} }, true],
  ['a lease without a spec', { kind: 'Lease' }, false],
  ['a lease of no spec', { kind: 'Lease', spec: null }, false],
  ['a lease whose spec is a word', { kind: 'Lease', spec: 'us' }, false],
  ['another kind', { kind: 'ConfigMap', spec: {} }, false],
] as const)
  test(`${what} is ${isOne ? '' : 'not '}taken for a lease`, () =>
    assert.equal(isLease(object as unknown as StoredObject), isOne))
