// The cases about the Deployment and its Secret, over an API server whose controllers fill in, restart and collect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMaps, deployments, type KubeObject, type StoredObject, secrets } from '#kube'
import { kinds } from '../api/kinds.ts'
import { awsKeys, awsSpec, type DnsWorld, dnsWorld, operandNamespace, operatorNamespace } from '../testing/dns-world.ts'
import type { Deployment } from './deployment.ts'

const key = { namespace: operandNamespace, name: 'external-dns-blue' }
const secretKey = { namespace: operandNamespace, name: 'external-dns-credentials-blue' }

async function running(spec: object = awsSpec({ zones: ['ZA', 'ZB', 'ZC'] })): Promise<DnsWorld> {
  const world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(spec)
  await world.settle()
  await world.advance(10_000)
  world.writes()
  return world
}

const argsOf = async (world: DnsWorld, prefix: string): Promise<readonly string[]> =>
  ((await world.deployment())?.spec.template.spec.containers ?? []).flatMap(({ args = [] }) =>
    args.filter(text => text.startsWith(prefix)),
  )

async function change(world: DnsWorld, spec: object): Promise<number> {
  const dns = await world.dns()
  await world.client.update(kinds.v1beta1.type, { ...dns, spec: { ...dns.spec, ...spec } })
  await world.settle()
  return world.writes().filter(({ type }) => type.plural === 'deployments').length
}

test('zones have a container and a port each, under one owner; another order or one fewer is one update [#50, #51, #52]', async () => {
  await using world = await running()
  assert.deepEqual(await argsOf(world, '--metrics-address'), [
    '--metrics-address=127.0.0.1:7979',
    '--metrics-address=127.0.0.1:7980',
    '--metrics-address=127.0.0.1:7981',
  ])
  assert.deepEqual([...new Set(await argsOf(world, '--txt-owner-id'))], ['--txt-owner-id=external-dns-blue'])
  assert.equal(await change(world, { zones: ['ZC', 'ZB', 'ZA'] }), 1)
  assert.equal(await change(world, { zones: ['ZB', 'ZA'] }), 1)
  assert.deepEqual([...(await argsOf(world, '--metrics-address'))].sort(), [
    '--metrics-address=127.0.0.1:7979',
    '--metrics-address=127.0.0.1:7980',
  ])
  await world.advance(60_000)
  assert.deepEqual(
    world.writes().filter(({ type }) => type.plural === 'deployments'),
    [],
  )
})

async function byHand(
  world: DnsWorld,
  edit: (deployment: Deployment & StoredObject) => Deployment & StoredObject,
): Promise<number> {
  const held = await world.client.get<Deployment & StoredObject>(deployments, key)
  await world.client.update(deployments, edit(held))
  await world.settle()
  return world
    .writes()
    .filter(({ type, verb, result }) => type.plural === 'deployments' && verb === 'update' && result === 'changed').length
}

test('what somebody else changed is put right, and another order of arguments is no change [#60, #61, #64, #65]', async () => {
  await using world = await running()
  const inPod =
    (edit: (first: Deployment['spec']['template']['spec']['containers'][number]) => object) =>
    (held: Deployment & StoredObject) => {
      const { spec } = held.spec.template
      const containers = spec.containers.map((container, index) =>
        index === 0 ? { ...container, ...edit(container) } : container,
      )
      return { ...held, spec: { ...held.spec, template: { ...held.spec.template, spec: { ...spec, containers } } } }
    }
  assert.equal(
    await byHand(
      world,
      inPod(({ args = [] }) => ({ args: args.toReversed() })),
    ),
    0,
  )
  assert.equal(
    await byHand(
      world,
      inPod(() => ({ image: 'evil.example.com/x:1' })),
    ),
    1,
  )
  assert.equal(await byHand(world, held => ({ ...held, spec: { ...held.spec, replicas: 3 } })), 1)
  assert.equal(await byHand(world, held => ({ ...held, spec: { ...held.spec, strategy: { type: 'RollingUpdate' } } })), 1)
  const { spec } = await world.client.get<Deployment & StoredObject>(deployments, key)
  assert.deepEqual([spec.replicas, spec.strategy?.type, spec.strategy?.rollingUpdate], [1, 'Recreate', undefined])
})

test('a container of a stranger is taken out unless it is listed [#63]', async () => {
  await using world = await running()
  const withSidecar = (annotations: Readonly<Record<string, string>>) => (held: Deployment & StoredObject) => {
    const { spec } = held.spec.template
    const containers = [...spec.containers, { name: 'istio-proxy', image: 'mesh:1' }]
    const metadata = { ...held.metadata, annotations: { ...held.metadata.annotations, ...annotations } }
    return { ...held, metadata, spec: { ...held.spec, template: { ...held.spec.template, spec: { ...spec, containers } } } }
  }
  assert.equal(await byHand(world, withSidecar({})), 1)
  assert.equal(await byHand(world, withSidecar({ 'externaldns.olm.openshift.io/keep-containers': 'istio-proxy' })), 0)
})

test('a Deployment of another owner is not taken over [#74]', async () => {
  await using world = dnsWorld()
  const metadata = { namespace: operandNamespace, name: 'x' }
  const { uid } = (await world.client.create<KubeObject>(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata })).metadata
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid, controller: true }
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const spec = { selector: { matchLabels: { a: 'b' } }, template }
  const foreign = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...key, ownerReferences: [owner] }, spec }
  await world.client.create(deployments, foreign)
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec())
  await world.settle()
  const available = (await world.dns()).status?.conditions?.find(({ type }) => type === 'Available')
  assert.deepEqual([available?.reason, available?.message], ['InvalidSpec', 'deployment is owned by another controller'])
  assert.equal(world.writes().filter(({ type }) => type.plural === 'deployments').length, 0)
})

test('a Deployment that somebody puts in the place of ours, unseen that ours went, is told at once [#74]', async () => {
  await using world = await running()
  const held = await world.deployment()
  assert.ok(held !== undefined)
  await world.settle()
  const metadata = { namespace: operandNamespace, name: 'x' }
  const { uid } = (await world.client.create<KubeObject>(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata })).metadata
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid, controller: true }
  await world.client.update(deployments, { ...held, metadata: { ...held.metadata, ownerReferences: [] } } as typeof held)
  await world.settle()
  const free = await world.deployment()
  assert.ok(free !== undefined)
  assert.equal(free.metadata.ownerReferences?.[0]?.name, 'blue', 'nobody’s is taken back')
  await world.client.update(deployments, { ...free, metadata: { ...free.metadata, ownerReferences: [owner] } } as typeof held)
  await world.settle()
  assert.equal((await world.said())['Available'], 'False/InvalidSpec')
  const foreign = await world.deployment()
  assert.ok(foreign !== undefined)
  await world.client.update(deployments, { ...foreign, metadata: { ...foreign.metadata, ownerReferences: [] } } as typeof held)
  await world.settle()
  assert.notEqual((await world.said())['Available'], 'False/InvalidSpec', 'it is nobody’s again')
})

test('a Secret that changes restarts the pod once, and its copy is put right and made again [#38, #39, #40]', async () => {
  await using world = await running()
  const source = await world.client.get<StoredObject & { readonly data: object }>(secrets, {
    namespace: operatorNamespace,
    name: 'dns-creds',
  })
  const data = { aws_access_key_id: 'YQ==', aws_secret_access_key: 'Yg==' }
  await world.client.update(secrets, { ...source, data })
  await world.settle()
  const ofKind = (plural: string): number => world.writes().filter(({ type }) => type.plural === plural).length
  assert.equal(ofKind('deployments'), 1)
  const copy = await world.client.get<StoredObject & { readonly data: object }>(secrets, secretKey)
  await world.client.update(secrets, { ...copy, data: { credentials: '' } })
  await world.settle()
  assert.deepEqual((await world.client.get<typeof copy>(secrets, secretKey)).data, copy.data)
  await world.client.delete(secrets, secretKey)
  await world.settle()
  await world.advance(6_000)
  assert.deepEqual((await world.client.get<typeof copy>(secrets, secretKey)).data, copy.data)
})

test('a source that goes leaves what was copied from it, and is told [#41]', async () => {
  await using world = await running()
  await world.client.delete(secrets, { namespace: operatorNamespace, name: 'dns-creds' })
  await world.settle()
  const there = (await world.dns()).status?.conditions?.find(({ type }) => type === 'CredentialsSecretExists')
  assert.deepEqual(
    [there?.status, there?.message],
    ['True', 'The credentials secret has been found. (the source secret is gone)'],
  )
  assert.ok((await world.find(secrets, secretKey)) !== undefined)
})

test('what was made for an object goes with it [#73]', async () => {
  await using world = await running()
  await world.client.delete(kinds.v1beta1.type, { namespace: '', name: 'blue' })
  await world.settle()
  await world.advance(60_000)
  assert.deepEqual([await world.find(deployments, key), await world.find(secrets, secretKey)], [undefined, undefined])
})

test('after a restart nothing is written that says the same [#90, #94]', async () => {
  await using world = await running()
  world.start()
  await world.settle()
  await world.advance(60_000)
  assert.deepEqual(world.writes(), [])
})
