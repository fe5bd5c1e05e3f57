// From one stored version to another with the operator running, and back: nothing is lost, nothing is stored otherwise afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CustomResourceDefinition, customResourceDefinitions, type StoredObject } from '#kube'
import { type ExternalDns, kinds, renderDnsCrd } from './api/kinds.ts'
import { type ApiVersionName, crdName, versions } from './api/names.ts'
import { awsKeys, awsSpec, type DnsWorld, dnsWorld } from './testing/dns-world.ts'
import { formerDefinition } from './testing/former-operator.ts'

const key = { namespace: '', name: crdName }
const service = { namespace: 'vouch', name: 'vouch-webhook' }
type Definition = StoredObject &
  Pick<CustomResourceDefinition, 'spec'> & { readonly status?: { readonly storedVersions?: string[] } }

/** As somebody who applies another definition over the one that is there. */
async function define(world: DnsWorld, definition: CustomResourceDefinition): Promise<void> {
  const held = await world.client.get<Definition>(customResourceDefinitions, key)
  await world.client.update(customResourceDefinitions, { ...held, spec: definition.spec } as Definition)
  await world.settle()
}

const storing = (version: ApiVersionName): CustomResourceDefinition => renderDnsCrd({ service }, version)

async function storedVersions(world: DnsWorld): Promise<readonly string[]> {
  return (await world.client.get<Definition>(customResourceDefinitions, key)).status?.storedVersions ?? []
}

/** The definition without a version: an object that is still stored in it could not be read any more. */
async function drop(world: DnsWorld, name: ApiVersionName): Promise<void> {
  const { spec } = await world.client.get<Definition>(customResourceDefinitions, key)
  const change = { spec: { versions: spec.versions.filter(version => version.name !== name) } }
  await world.client.patch(customResourceDefinitions, key, 'merge', change)
  await world.settle()
}

type Shown = Readonly<Record<string, ExternalDns['spec']>>
async function shownIn(world: DnsWorld, version: ApiVersionName): Promise<Shown> {
  const { items } = await world.client.list<ExternalDns>(kinds[version].type)
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec]))
}

/** One object of each version, none of which another one can show whole. */
async function objectsOfAll(world: DnsWorld): Promise<void> {
  const only = (name: string, zone: string): object => ({
    domains: [{ filterType: 'Include', matchType: 'Exact', name }],
    zones: [zone],
  })
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec(only('a.org', 'ZAAAAAAAAAAAA1')), 'oldest', 'v1alpha1')
  await world.create({ ...awsSpec(only('b.org', 'ZAAAAAAAAAAAA2')), intervalSeconds: 120 }, 'blue', 'v1beta1')
  const provider = {
    type: 'AWS',
    aws: { assumeRole: { arn: 'arn:aws:iam::111122223333:role/dns', externalID: 'one' }, credentials: { name: 'dns-creds' } },
  }
  await world.create({ ...awsSpec(only('c.org', 'ZAAAAAAAAAAAA3')), provider, dryRun: true }, 'newest', 'v1beta2')
}

for (const [from, to] of [
  ['v1beta1', 'v1beta2'],
  ['v1beta2', 'v1beta1'],
] as const)
  test(`what is stored as ${from} is stored as ${to} once the definition says so, and reads alike in every version [4.6]`, async () => {
    await using world = dnsWorld({ settings: { storageVersion: from } })
    await objectsOfAll(world)
    const before = new Map<ApiVersionName, Shown>()
    for (const version of versions) before.set(version, await shownIn(world, version))
    const running = world.start()
    await world.advance(60_000)
    const operands = await Promise.all(['oldest', 'blue', 'newest'].map(name => world.deployment(name)))
    assert.deepEqual(await storedVersions(world), [from])
    await running.stop()
    await define(world, storing(to))
    assert.deepEqual(await storedVersions(world), [from, to])
    world.start()
    await world.advance(60_000)
    assert.deepEqual(await storedVersions(world), [to])
    for (const version of versions) assert.deepEqual(await shownIn(world, version), before.get(version), version)
    for (const [index, name] of ['oldest', 'blue', 'newest'].entries()) {
      const now = await world.deployment(name)
      assert.ok(now !== undefined)
      assert.equal(now.metadata.resourceVersion, operands[index]?.metadata.resourceVersion, `the Deployment of ${name}`)
    }
    await drop(world, from)
    assert.deepEqual(await shownIn(world, to), before.get(to))
  })

test('what the predecessor of the existing operator stored is moved, and read again when that version is gone [4.6]', async () => {
  await using world = dnsWorld()
  await world.settle()
  await define(world, formerDefinition('v1alpha1'))
  await world.create(awsSpec(), 'ancient', 'v1alpha1')
  await define(world, storing('v1beta1'))
  const { spec } = await world.dns('ancient', 'v1alpha1')
  world.start()
  await world.advance(60_000)
  assert.deepEqual(await storedVersions(world), ['v1beta1'])
  assert.deepEqual((await world.dns('ancient', 'v1alpha1')).spec, spec)
  await drop(world, 'v1alpha1')
  assert.equal((await world.dns('ancient', 'v1beta1')).spec.source.type, 'Service')
})

test('where all is stored as it should be, nothing is written [4.6]', async () => {
  await using world = dnsWorld()
  await objectsOfAll(world)
  const first = world.start()
  await world.advance(60_000)
  await first.stop()
  const before = await world.client.list(kinds.v1beta1.type)
  const definition = await world.client.get(customResourceDefinitions, key)
  world.start()
  await world.advance(300_000)
  const after = await world.client.list(kinds.v1beta1.type)
  const versionsOf = (list: typeof before): readonly string[] => list.items.map(({ metadata }) => metadata.resourceVersion)
  assert.deepEqual(versionsOf(after), versionsOf(before))
  const { metadata } = await world.client.get(customResourceDefinitions, key)
  assert.equal(metadata.resourceVersion, definition.metadata.resourceVersion)
})

test('a run that is cut off in its middle is taken up by the next one [4.6]', async () => {
  let left = 1
  let isCut = false
  await using world = dnsWorld({
    through: exchange => async request => {
      const isMove = request.method === 'PATCH' && request.target.endsWith('/status')
      if (isMove && isUnchanged(request.body) && isCut && left-- <= 0) throw new Error('the connection is gone')
      return await exchange(request)
    },
  })
  await objectsOfAll(world)
  await define(world, storing('v1beta2'))
  isCut = true
  const first = world.start()
  await world.advance(40_000)
  assert.deepEqual(await storedVersions(world), ['v1beta1', 'v1beta2'])
  await first.stop()
  isCut = false
  world.start()
  await world.advance(60_000)
  assert.deepEqual(await storedVersions(world), ['v1beta2'])
})

/** What moves an object, and nothing that is said of one. */
function isUnchanged(body: unknown): boolean {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body)
  return /^\{"metadata":\{"resourceVersion":"\d+"\}\}$/.test(text)
}

test('an object that the API server does not take keeps its version in the list, and is told in the log alone [4.6]', async () => {
  await using world = dnsWorld({
    through: exchange => async request =>
      isUnchanged(request.body) && request.target.includes('/blue/')
        ? await exchange({ ...request, body: new TextEncoder().encode('{"status":{"observedGeneration":"none"}}') })
        : await exchange(request),
  })
  await objectsOfAll(world)
  await define(world, storing('v1beta2'))
  world.start()
  await world.advance(120_000)
  assert.deepEqual(await storedVersions(world), ['v1beta1', 'v1beta2'])
  assert.equal((await world.said('blue'))['CredentialsSecretExists'], 'True/SecretFound')
})
