// From the existing operator to this one and back, in place: what it leaves is taken as it is, and what is given back is what it knows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  deployments,
  type KubeObject,
  type ResourceType,
  type StoredObject,
  secrets,
  serviceAccounts,
} from '#kube'
import { type ExternalDns, kinds, renderDnsCrd } from './api/kinds.ts'
import { crdName } from './api/names.ts'
import type { Deployment } from './operand/deployment.ts'
import { awsKeys, type DnsWorld, dnsWorld, operandNamespace, settings } from './testing/dns-world.ts'
import { formerDefinition, formerObjects, formerSpec } from './testing/former-operator.ts'

const typeOf: Readonly<Record<string, ResourceType>> = {
  ServiceAccount: serviceAccounts,
  Secret: secrets,
  Deployment: deployments,
}
const spec = formerSpec({ zone: 'ZAAAAAAAAAAAA1', domain: 'example.com', arn: 'arn:aws:iam::111122223333:role/dns' })

/** As somebody who applies another definition over the one that is there. */
async function define(world: DnsWorld, definition: CustomResourceDefinition): Promise<StoredObject> {
  const held = await world.client.get(customResourceDefinitions, { namespace: '', name: crdName })
  const { metadata } = held
  const changed = { ...definition, metadata: { ...definition.metadata, resourceVersion: metadata.resourceVersion } }
  const taken = await world.client.update(customResourceDefinitions, changed as unknown as StoredObject)
  await world.settle()
  return taken
}

const ours = renderDnsCrd({ service: { namespace: 'vouch', name: 'vouch-webhook' } })

/** The existing operator was here, and its predecessor before it. */
async function formerWorld(): Promise<{ readonly world: DnsWorld; readonly left: readonly StoredObject[] }> {
  const world = dnsWorld()
  // The definition with which it begins is served by then.
  await world.settle()
  await define(world, formerDefinition('v1alpha1'))
  const { assumeRole: _, ...aws } = (spec as ExternalDns['spec']).provider.aws ?? {}
  await world.create({ ...spec, zones: [], provider: { type: 'AWS', aws } }, 'ancient', 'v1alpha1')
  await define(world, formerDefinition())
  const dns = await world.create(spec, 'blue', 'v1beta1')
  await world.secret('dns-keys', awsKeys)
  const left: StoredObject[] = []
  for (const object of formerObjects({ dns, namespace: operandNamespace, image: settings.image, keys: awsKeys }))
    left.push(await world.client.create(typeOf[object.kind] ?? deployments, object))
  return { world, left }
}

const held = (world: DnsWorld, { kind, metadata: { namespace = '', name } }: KubeObject): Promise<StoredObject | undefined> =>
  world.find(typeOf[kind] ?? deployments, { namespace, name: name ?? '' })

test('what the existing operator left is taken over with one change of the Deployment, the toleration that it did not know', async () => {
  const { world, left } = await formerWorld()
  await using _ = world
  await define(world, ours)
  world.start()
  await world.settle()
  await world.advance(60_000)
  const [account, secret, deployment] = left
  for (const object of [account, secret]) {
    assert.ok(object !== undefined)
    assert.equal((await held(world, object))?.metadata.resourceVersion, object.metadata.resourceVersion, object.kind)
  }
  const before = deployment as Deployment & StoredObject
  const after = await world.deployment()
  const { tolerations: had = [], ...pod } = before.spec.template.spec
  const { tolerations: has = [], ...podAfter } = after?.spec.template.spec ?? before.spec.template.spec
  assert.deepEqual(podAfter, pod)
  assert.deepEqual(has.slice(had.length), [
    { effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
  ])
  assert.deepEqual(has.slice(0, had.length), had)
  assert.equal(after?.metadata.generation, (before.metadata.generation ?? 0) + 1)
  assert.deepEqual(after?.metadata.ownerReferences, before.metadata.ownerReferences)
})

test('what was stored in either version before reads alike in all of them afterwards', async () => {
  const { world } = await formerWorld()
  await using _ = world
  const before = { ancient: await world.dns('ancient', 'v1alpha1'), blue: await world.dns('blue', 'v1beta1') }
  await define(world, ours)
  assert.deepEqual((await world.dns('ancient', 'v1alpha1')).spec, before.ancient.spec)
  assert.deepEqual((await world.dns('blue', 'v1beta1')).spec, before.blue.spec)
  assert.deepEqual((await world.dns('ancient', 'v1beta2')).spec.provider, before.ancient.spec.provider)
  assert.deepEqual((await world.dns('blue', 'v1beta2')).spec.provider, before.blue.spec.provider)
  assert.equal((await world.dns('blue', 'v1alpha1')).spec.provider.aws?.assumeRole, undefined)
})

test('given back, objects are what they were, and the existing operator finds its Deployment with one more toleration', async () => {
  const { world, left } = await formerWorld()
  await using _ = world
  const before = await world.dns('blue', 'v1beta1')
  await define(world, ours)
  const running = world.start()
  await world.settle()
  const newer = await world.dns('ancient', 'v1beta2')
  await world.client.update(kinds.v1beta2.type, { ...newer, spec: { ...newer.spec, dryRun: true } } as ExternalDns)
  await world.settle()
  await running.stop()
  const taken = await define(world, formerDefinition())
  const { status } = taken as { readonly status?: { readonly storedVersions?: readonly string[] } }
  assert.deepEqual(status?.storedVersions?.toSorted(), ['v1alpha1', 'v1beta1'])
  assert.deepEqual((await world.dns('blue', 'v1beta1')).spec, before.spec)
  // A field that the existing operator has no name for is out of its sight, and not in its way.
  assert.equal('dryRun' in (await world.dns('ancient', 'v1beta1')).spec, false)
  const after = await world.deployment()
  assert.deepEqual(after?.spec.template.spec.containers, (left[2] as Deployment | undefined)?.spec.template.spec.containers)
  await assert.rejects(world.dns('blue', 'v1beta2'))
})
