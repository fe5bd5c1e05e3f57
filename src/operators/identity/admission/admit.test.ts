import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdmissionRequest } from '#runtime'
import { admit, needsOf } from './admit.ts'

function request(
  resource: string,
  operation: AdmissionRequest['operation'],
  object: unknown,
  oldObject?: unknown,
): AdmissionRequest {
  const group = 'aws.identity.appthrust.io'
  return {
    uid: 'u',
    kind: { group, version: 'v1alpha1', kind: 'Any' },
    resource: { group, version: 'v1alpha1', resource },
    operation,
    namespace: 'a',
    userInfo: {},
    object: object as never,
    oldObject: oldObject as never,
  }
}

const nothing = { config: undefined, roles: [] }
const set = (metadata: unknown) => request('awsserviceaccountrolereplicasets', 'UPDATE', { spec: { template: { metadata } } })

test('a reserved key in a template is named by its path; the first in order, labels before annotations [#9]', () => {
  for (const [metadata, field] of [
    [{ labels: { 'app.kubernetes.io/managed-by': 'x' } }, 'labels["app.kubernetes.io/managed-by"]'],
    [
      { labels: { 'aws.identity.appthrust.io/service-account': 'x', 'aws.identity.appthrust.io/delivery': 'x' } },
      'labels["aws.identity.appthrust.io/delivery"]',
    ],
    [
      { annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': 'x' } },
      'annotations["aws.identity.appthrust.io/replicaset-owner-ref"]',
    ],
  ] as const) {
    const answer = admit(set(metadata), nothing)
    assert.ok(
      answer.kind === 'deny' && answer.message.startsWith(`spec.template.metadata.${field} is reserved`),
      JSON.stringify(answer),
    )
  }
  for (const metadata of [undefined, {}, { labels: { mine: 'x' } }, { labels: null }, { annotations: { mine: 'x' } }]) {
    assert.deepEqual(admit(set(metadata), nothing), { kind: 'allow' })
  }
})

test('an object that cannot be read is a 400, whatever shape it has (X1)', () => {
  const accounts = [{ name: 1 }, { namespace: 'a', name: 1 }, { namespace: 1, name: 'a' }]
  for (const object of [
    null,
    1,
    'x',
    [],
    {},
    { spec: null },
    ...accounts.map(serviceAccount => ({ spec: { serviceAccount } })),
  ]) {
    const answer = admit(request('awsserviceaccountroles', 'CREATE', object), { config: { terminating: false }, roles: [] })
    assert.ok(answer.kind === 'deny' && answer.code === 400, JSON.stringify(object))
  }
  assert.deepEqual(admit(set('x'), nothing).kind, 'deny')
})

test('only what the decision needs is read: nothing for what is terminating or forced', () => {
  const forced = { metadata: { annotations: { 'aws.identity.appthrust.io/force-delete': 'true' } } }
  const terminating = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }
  assert.equal(needsOf(request('awsworkloadidentityconfigs', 'DELETE', null, forced)), 'nothing')
  assert.equal(needsOf(request('awsworkloadidentityconfigs', 'DELETE', null, {})), 'one-role')
  assert.equal(needsOf(request('awsserviceaccountroles', 'CREATE', {})), 'config-and-roles')
  assert.equal(needsOf(request('awsserviceaccountroles', 'UPDATE', terminating)), 'nothing')
  assert.equal(needsOf(request('awsserviceaccountroles', 'UPDATE', {})), 'config')
  assert.equal(needsOf(set({})), 'nothing')
})
