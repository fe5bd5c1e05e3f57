import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { createApiServer } from '../create-api-server.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely
async function ask(server: ApiServer, method: string, target: string, body?: unknown, type = 'application/json'): Promise<any> {
  const response = await server.as()({
    method,
    target,
    headers: { 'content-type': type },
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
  })
  return JSON.parse(Buffer.from(response.body as Uint8Array).toString())
}

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

test('207 every namespace has its default service account and the CA, again when they go or change', async () => {
  const { server } = await world()
  const account = '/api/v1/namespaces/default/serviceaccounts/default'
  const first = await ask(server, 'GET', account)
  await ask(server, 'DELETE', account)
  await server.settle()
  const second = await ask(server, 'GET', account)
  assert.notEqual(second.metadata.uid, first.metadata.uid)
  await ask(server, 'PATCH', `${configMaps}/kube-root-ca.crt`, { data: { 'ca.crt': 'x' } }, 'application/merge-patch+json')
  await server.settle()
  assert.equal((await ask(server, 'GET', `${configMaps}/kube-root-ca.crt`)).data['ca.crt'], server.ca)
  await server.close()
})

test('76 in the background the owner goes first and its dependent after it', async () => {
  const { server } = await world()
  const owner = await ask(server, 'POST', configMaps, { metadata: { name: 'owner' } })
  await ask(server, 'POST', configMaps, owned('child', owner.metadata.uid, 'owner'))
  await ask(server, 'DELETE', `${configMaps}/owner`)
  assert.equal((await ask(server, 'GET', `${configMaps}/owner`)).reason, 'NotFound')
  await server.settle()
  assert.equal((await ask(server, 'GET', `${configMaps}/child`)).reason, 'NotFound')
  await server.close()
})

test('77 in the foreground the owner waits for a blocking dependent', async () => {
  const { server } = await world()
  const owner = await ask(server, 'POST', configMaps, { metadata: { name: 'owner' } })
  const child = owned('child', owner.metadata.uid, 'owner', { blockOwnerDeletion: true }) as { metadata: object }
  await ask(server, 'POST', configMaps, { ...child, metadata: { ...child.metadata, finalizers: ['a.b/c'] } })
  await ask(server, 'DELETE', `${configMaps}/owner`, { propagationPolicy: 'Foreground' })
  await server.settle()
  assert.deepEqual((await ask(server, 'GET', `${configMaps}/owner`)).metadata.finalizers, ['foregroundDeletion'])
  await ask(server, 'PATCH', `${configMaps}/child`, { metadata: { finalizers: null } }, 'application/merge-patch+json')
  await server.settle()
  assert.equal((await ask(server, 'GET', `${configMaps}/owner`)).reason, 'NotFound')
  await server.close()
})

test('78 an orphan survives without the reference', async () => {
  const { server } = await world()
  const owner = await ask(server, 'POST', configMaps, { metadata: { name: 'owner' } })
  await ask(server, 'POST', configMaps, owned('child', owner.metadata.uid, 'owner'))
  await ask(server, 'DELETE', `${configMaps}/owner`, { propagationPolicy: 'Orphan' })
  await server.settle()
  assert.equal((await ask(server, 'GET', `${configMaps}/owner`)).reason, 'NotFound')
  assert.equal((await ask(server, 'GET', `${configMaps}/child`)).metadata.ownerReferences, undefined)
  await server.close()
})

test('80 a dependent of an owner that never was is collected', async () => {
  const { server } = await world()
  await ask(server, 'POST', configMaps, owned('child', '00000000-0000-4000-8000-000000000000', 'never'))
  await server.settle()
  assert.equal((await ask(server, 'GET', `${configMaps}/child`)).reason, 'NotFound')
  await server.close()
})

test('84 a namespace with a held object says so, and goes when it is let go', async () => {
  const { server, clock } = await world()
  await ask(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'x' } })
  await server.settle()
  await ask(server, 'POST', '/api/v1/namespaces/x/configmaps', { metadata: { name: 'held', finalizers: ['a.b/c'] } })
  await ask(server, 'DELETE', '/api/v1/namespaces/x')
  await server.settle()
  const held = await ask(server, 'GET', '/api/v1/namespaces/x')
  assert.equal(held.status.phase, 'Terminating')
  const reasons = held.status.conditions.map((condition: { reason: string }) => condition.reason)
  assert.deepEqual(reasons.slice(3), ['SomeResourcesRemain', 'SomeFinalizersRemain'])
  const late = await ask(server, 'POST', '/api/v1/namespaces/x/configmaps', { metadata: { name: 'late' } })
  assert.equal(late.code, 403)
  await ask(
    server,
    'PATCH',
    '/api/v1/namespaces/x/configmaps/held',
    { metadata: { finalizers: null } },
    'application/merge-patch+json',
  )
  await clock.advance(10_000)
  await server.settle()
  assert.equal((await ask(server, 'GET', '/api/v1/namespaces/x')).reason, 'NotFound')
  await server.close()
  assert.equal(clock.pendingCount(), 0)
})

test('202 a role that gathers others follows them', async () => {
  const { server } = await world()
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  const rules = [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }]
  await ask(server, 'POST', roles, {
    metadata: { name: 'more', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules,
  })
  await server.settle()
  const view = await ask(server, 'GET', `${roles}/view`)
  assert.equal(JSON.stringify(view.rules).includes('example.com'), true)
  await server.close()
})
