import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { answerTo } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

async function world(): Promise<{ server: ApiServer; clock: ManualClock }> {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock })
  await server.settle()
  return { server, clock }
}

const configMaps = '/api/v1/namespaces/default/configmaps'
const owned = (name: string, ownerUid: string, ownerName: string, more: object = {}): object => ({
  metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid: ownerUid, ...more }] },
})

test('every namespace has its default service account and the CA, again when they go or change [#207]', async () => {
  const { server } = await world()
  const account = '/api/v1/namespaces/default/serviceaccounts/default'
  const first = await answerTo(server, 'GET', account)
  await answerTo(server, 'DELETE', account)
  await server.settle()
  const second = await answerTo(server, 'GET', account)
  assert.notEqual(second.metadata.uid, first.metadata.uid)
  await answerTo(
    server,
    'PATCH',
    `${configMaps}/kube-root-ca.crt`,
    { data: { 'ca.crt': 'x' } },
    { type: 'application/merge-patch+json' },
  )
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${configMaps}/kube-root-ca.crt`)).data['ca.crt'], server.ca)
  await server.close()
})

test('in the background the owner goes first and its dependent after it [#76]', async () => {
  const { server } = await world()
  const owner = await answerTo(server, 'POST', configMaps, { metadata: { name: 'owner' } })
  await answerTo(server, 'POST', configMaps, owned('child', owner.metadata.uid, 'owner'))
  await answerTo(server, 'DELETE', `${configMaps}/owner`)
  assert.equal((await answerTo(server, 'GET', `${configMaps}/owner`)).reason, 'NotFound')
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${configMaps}/child`)).reason, 'NotFound')
  await server.close()
})

test('in the foreground the owner waits for a blocking dependent [#77]', async () => {
  const { server } = await world()
  const owner = await answerTo(server, 'POST', configMaps, { metadata: { name: 'owner' } })
  const child = owned('child', owner.metadata.uid, 'owner', { blockOwnerDeletion: true }) as { metadata: object }
  await answerTo(server, 'POST', configMaps, { ...child, metadata: { ...child.metadata, finalizers: ['a.b/c'] } })
  await answerTo(server, 'DELETE', `${configMaps}/owner`, { propagationPolicy: 'Foreground' })
  await server.settle()
  assert.deepEqual((await answerTo(server, 'GET', `${configMaps}/owner`)).metadata.finalizers, ['foregroundDeletion'])
  await answerTo(
    server,
    'PATCH',
    `${configMaps}/child`,
    { metadata: { finalizers: null } },
    { type: 'application/merge-patch+json' },
  )
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${configMaps}/owner`)).reason, 'NotFound')
  await server.close()
})

test('an orphan survives without the reference [#78]', async () => {
  const { server } = await world()
  const owner = await answerTo(server, 'POST', configMaps, { metadata: { name: 'owner' } })
  await answerTo(server, 'POST', configMaps, owned('child', owner.metadata.uid, 'owner'))
  await answerTo(server, 'DELETE', `${configMaps}/owner`, { propagationPolicy: 'Orphan' })
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${configMaps}/owner`)).reason, 'NotFound')
  assert.equal((await answerTo(server, 'GET', `${configMaps}/child`)).metadata.ownerReferences, undefined)
  await server.close()
})

test('a dependent of an owner that never was is collected [#80]', async () => {
  const { server } = await world()
  await answerTo(server, 'POST', configMaps, owned('child', '00000000-0000-4000-8000-000000000000', 'never'))
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${configMaps}/child`)).reason, 'NotFound')
  await server.close()
})

test('a namespace with a held object says so, and goes when it is let go [#84]', async () => {
  const { server, clock } = await world()
  await answerTo(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'x' } })
  await server.settle()
  await answerTo(server, 'POST', '/api/v1/namespaces/x/configmaps', { metadata: { name: 'held', finalizers: ['a.b/c'] } })
  await answerTo(server, 'DELETE', '/api/v1/namespaces/x')
  await server.settle()
  const held = await answerTo(server, 'GET', '/api/v1/namespaces/x')
  assert.equal(held.status.phase, 'Terminating')
  const reasons = held.status.conditions.map(condition => condition.reason)
  assert.deepEqual(reasons.slice(3), ['SomeResourcesRemain', 'SomeFinalizersRemain'])
  const late = await answerTo(server, 'POST', '/api/v1/namespaces/x/configmaps', { metadata: { name: 'late' } })
  assert.equal(late.code, 403)
  await answerTo(
    server,
    'PATCH',
    '/api/v1/namespaces/x/configmaps/held',
    { metadata: { finalizers: null } },
    { type: 'application/merge-patch+json' },
  )
  await clock.advance(10_000)
  await server.settle()
  assert.equal((await answerTo(server, 'GET', '/api/v1/namespaces/x')).reason, 'NotFound')
  await server.close()
  assert.equal(clock.pendingCount(), 0)
})

for (const [emulate, isKept] of [
  ['1.32', false],
  ['1.33', true],
  ['1.34', true],
] as const)
  test(`a namespace of ${emulate} ${isKept ? 'keeps what its pods may use until they are gone' : 'lets everything go at once'}`, async () => {
    const clock = new ManualClock()
    const server = createApiServer({ seed: 1, clock, emulate })
    await server.settle()
    await answerTo(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'x' } })
    await server.settle()
    const at = (plural: string): string => `/api/v1/namespaces/x/${plural}`
    await answerTo(server, 'POST', at('configmaps'), { metadata: { name: 'used' } })
    const spec = { containers: [{ name: 'c', image: 'a:1' }] }
    await answerTo(server, 'POST', at('pods'), { metadata: { name: 'p', finalizers: ['a.b/c'] }, spec })
    await server.settle()
    await answerTo(server, 'DELETE', '/api/v1/namespaces/x')
    await clock.advance(60_000)
    await server.settle()
    assert.equal((await answerTo(server, 'GET', `${at('configmaps')}/used`)).reason, isKept ? undefined : 'NotFound')
    const { status } = await answerTo(server, 'GET', '/api/v1/namespaces/x')
    assert.match(status.conditions[3]?.message ?? '', /: pods\. has 1 resource instances$/)
    const free = { metadata: { finalizers: null } }
    await answerTo(server, 'PATCH', `${at('pods')}/p`, free, { type: 'application/merge-patch+json' })
    await clock.advance(10_000)
    await server.settle()
    assert.equal((await answerTo(server, 'GET', '/api/v1/namespaces/x')).reason, 'NotFound')
    await server.close()
  })

test('a role that gathers others follows them [#202]', async () => {
  const { server } = await world()
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  const rules = [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }]
  await answerTo(server, 'POST', roles, {
    metadata: { name: 'more', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules,
  })
  await server.settle()
  const view = await answerTo(server, 'GET', `${roles}/view`)
  assert.equal(JSON.stringify(view.rules).includes('example.com'), true)
  await server.close()
})
