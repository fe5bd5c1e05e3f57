// Operands that are kept apart: each has a binding of its own to the role of its source.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterRoleBindings, type KubeObject, type StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import { kinds } from '../api/kinds.ts'
import { operandRbac, peopleRoles } from '../manifests/rights.ts'
import { answerOf, awsKeys, awsSpec, type DnsWorld, dnsWorld, settings } from '../testing/dns-world.ts'
import type { SourceBinding } from './binding-actions.ts'

const key = { namespace: '', name: 'external-dns-blue' }
const bindingOf = (world: DnsWorld): Promise<(SourceBinding & StoredObject) | undefined> =>
  world.find<SourceBinding & StoredObject>(clusterRoleBindings, key)

async function apart(spec: object = awsSpec()): Promise<DnsWorld> {
  const world = dnsWorld({ settings: { perInstanceRbac: true } })
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(spec, 'blue', 'v1beta2')
  await world.settle()
  return world
}

test('the ServiceAccount of an operand has the role of its source, another source gives it another, and all goes with the object [19.8]', async () => {
  await using world = await apart()
  const made = await bindingOf(world)
  assert.equal(made?.roleRef?.name, 'external-dns-source-service')
  assert.deepEqual(made?.subjects, [{ kind: 'ServiceAccount', namespace: 'external-dns', name: 'external-dns-blue' }])
  const dns = await world.dns('blue', 'v1beta2')
  const source = { type: 'Ingress', hostnameAnnotation: 'Allow' }
  await world.client.update(kinds.v1beta2.type, { ...dns, spec: { ...dns.spec, source } } as never)
  await world.settle()
  assert.equal((await bindingOf(world))?.roleRef?.name, 'external-dns-source-ingress')
  await world.client.delete(kinds.v1beta2.type, { namespace: '', name: 'blue' })
  await world.settle()
  await world.advance(60_000)
  assert.equal(await bindingOf(world), undefined)
})

test('subjects that somebody added are taken out', async () => {
  await using world = await apart()
  const held = await bindingOf(world)
  const stranger = { kind: 'ServiceAccount', namespace: 'default', name: 'default' }
  await world.client.update(clusterRoleBindings, { ...held, subjects: [...(held?.subjects ?? []), stranger] } as StoredObject)
  await world.settle()
  assert.deepEqual((await bindingOf(world))?.subjects, held?.subjects)
})

test('a binding of a stranger is left alone', async () => {
  await using world = dnsWorld({ settings: { perInstanceRbac: true } })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
  const labels = { 'app.kubernetes.io/name': 'external-dns' }
  const foreign = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { ...key, labels },
    roleRef,
  }
  await world.client.create(clusterRoleBindings, foreign as KubeObject)
  world.start()
  await world.create(awsSpec(), 'blue', 'v1beta2')
  await world.settle()
  assert.equal((await bindingOf(world))?.roleRef?.name, 'view')
})

test('who may look at objects and who may write them is said of the kind that there is [19.7]', async () => {
  const apiGroup = 'rbac.authorization.k8s.io'
  const binding = ({ metadata: { name = '' } }: KubeObject): KubeObject => {
    const roleRef = { apiGroup, kind: 'ClusterRole', name }
    const made = { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', metadata: { name }, roleRef }
    return Object.assign(made, { subjects: [{ apiGroup, kind: 'User', name }] })
  }
  const roles = peopleRoles({})
  await using world = dnsWorld({ objects: [...roles, ...roles.map(binding)] })
  const { clock, server } = world.world
  const { type } = kinds.v1beta1
  const [viewer, editor] = ['externaldns-viewer-role', 'externaldns-editor-role'].map(name =>
    createKubeClient({ clock, address: name, exchange: server.as({ username: name, groups: ['system:authenticated'] }) }),
  )
  assert.ok(viewer !== undefined && editor !== undefined)
  const object = { apiVersion: kinds.v1beta1.apiVersion, kind: 'ExternalDNS', metadata: { name: 'blue' }, spec: awsSpec() }
  assert.match(await answerOf(viewer.create(type, object)), /"externaldns-viewer-role" cannot create resource "externaldnses"/)
  assert.equal(await answerOf(editor.create(type, object)), 'allowed')
  for (const who of [viewer, editor]) assert.equal((await who.list(type)).items.length, 1)
  assert.match(await answerOf(viewer.delete(type, { namespace: '', name: 'blue' })), /cannot delete resource/)
  assert.equal(await answerOf(editor.delete(type, { namespace: '', name: 'blue' })), 'allowed')
})

test('the manifests bring a role for each source then, and give none of them to all accounts of the namespace', () => {
  const objects = operandRbac({ ...settings, perInstanceRbac: true }, {})
  assert.deepEqual([...new Set(objects.map(({ kind }) => kind))], ['ClusterRole'])
  assert.deepEqual(
    objects.map(({ metadata }) => metadata.name),
    ['openshiftroute', 'service', 'crd', 'ingress', 'gatewayhttproute'].map(source => `external-dns-source-${source}`),
  )
})
