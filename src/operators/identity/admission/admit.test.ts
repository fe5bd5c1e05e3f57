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

const forced = { metadata: { annotations: { 'aws.identity.appthrust.io/force-delete': 'true' } } }
const going = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }
const config = { terminating: false }
const account = { namespace: 'apps', name: 'app' }
const wanted = { spec: { serviceAccount: account } }
const brief = (more: object = {}) => ({ name: 'r', serviceAccount: account, terminating: false, ...more })
const creation = request('awsserviceaccountroles', 'CREATE', wanted)
const update = (object: object) => request('awsserviceaccountroles', 'UPDATE', object)
const deletion = (old: object) => request('awsworkloadidentityconfigs', 'DELETE', null, old)
const without = 'there is no AWSWorkloadIdentityConfig/default in namespace a; create it first'
const roleRemains =
  'AWSServiceAccountRoles remain in namespace a (r is one); delete them first, or annotate the config with aws.identity.appthrust.io/force-delete=true'
const bound = 'ServiceAccount apps/app is bound by AWSServiceAccountRole a/r already; change that one, or delete it first'
const configGoes = 'AWSWorkloadIdentityConfig/default in namespace a is being deleted; create the role when there is a new one'

for (const [what, asked, seen, message] of [
  ['the deletion of a config without roles', deletion({}), nothing, undefined],
  ['the deletion of a config with roles', deletion({}), { config, roles: [brief()] }, roleRemains],
  [
    'the deletion of a config with a role that goes',
    deletion({}),
    { config, roles: [brief({ terminating: true })] },
    roleRemains,
  ],
  ['the forced deletion of a config with roles', deletion(forced), { config, roles: [brief()] }, undefined],
  ['a role without a config', creation, nothing, without],
  ['a role under a config that goes', creation, { config: { terminating: true }, roles: [] }, configGoes],
  ['a role of a ServiceAccount that has none', creation, { config, roles: [] }, undefined],
  [
    'a role of a ServiceAccount that has one',
    creation,
    { config, roles: [brief({ serviceAccount: { ...account, name: 'x' } }), brief()] },
    bound,
  ],
  ['a role of a ServiceAccount whose one goes', creation, { config, roles: [brief({ terminating: true })] }, undefined],
  [
    'a role of a namesake elsewhere',
    creation,
    { config, roles: [brief({ serviceAccount: { ...account, namespace: 'x' } })] },
    undefined,
  ],
  [
    'a role of another ServiceAccount beside it',
    creation,
    { config, roles: [brief({ serviceAccount: { ...account, name: 'x' } })] },
    undefined,
  ],
  ['a change of a role', update(wanted), { config, roles: [brief()] }, undefined],
  ['a change of a role without a config', update(wanted), nothing, without],
  ['a change of a role that goes, without a config', update(going), nothing, undefined],
  ['a change of a role under a config that goes', update(wanted), { config: { terminating: true }, roles: [] }, undefined],
  ['any request about something else', request('other', 'CREATE', {}), nothing, undefined],
] as const)
  test(`${what} is ${message === undefined ? 'let through' : 'refused'} [13.11 #233-#236]`, () =>
    assert.deepEqual(admit(asked, seen), message === undefined ? { kind: 'allow' } : { kind: 'deny', message }))
