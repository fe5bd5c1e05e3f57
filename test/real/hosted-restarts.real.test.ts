// A hosted control plane whose parts go away and come back in any order, and whose authority changes while pods are made. Its API server is a real
// one; the sidecar is a process of its own.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { isIssuedBy, systemClock } from '#base'
import { deployments, mutatingWebhookConfigurations, type StoredObject, secrets } from '#kube'
import { authoritySecret, testAuthority } from '../../src/operators/hosted/testing/authorities.fixture.ts'
import { comesAbout } from './eventually.ts'
import { type HostedRealWorld, hostedRealWorld, planeNamespace } from './hosted/world.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const sidecar = 'azure-workload-identity-webhook'
const use = { 'azure.workload.identity/use': 'true' }
const azure = { type: 'Azure', azure: { tenantID: '11111111-2222-4333-8444-555555555555', cloud: 'AzurePublicCloud' } }

describe('a hosted control plane through restarts', skip === undefined ? {} : { skip }, () => {
  it('sidecar, API server and operator restart in any order: pods are made all the time, and mutated again without anybody’s help [S-05, S-32, S-33, S-35, 9.3 #4, 12.3]', async () => {
    await using world = await hostedRealWorld()
    const { runner, guest } = world
    await open(world)

    // The operator is away: nobody notices.
    await world.stopOperator()
    await runner.start(sidecar)
    await world.mutated('app', use)

    // The API server restarts under the sidecar, which stays.
    const bringBack = await guest.takeDown()
    await bringBack()
    await world.mutated('app', use)
    assert.equal(await isMutated(world, 'fresh'), true, 'an account made after the restart is seen')
    assert.equal(runner.isRunning, true)

    // The sidecar starts while there is no API server: it waits, and does not end.
    const again = await guest.takeDown()
    await runner.restart()
    await comesAbout(
      async () => (await world.health('/healthz')) === 200,
      () => `the sidecar is alive without its API server; its log ends:\n${runner.log()}`,
    )
    assert.equal(await world.health('/readyz'), 500)
    await again()
    await world.mutated('app', use)
    assert.equal(runner.isRunning, true)

    // The API server comes back before the sidecar does.
    await runner.stop()
    const andAgain = await guest.takeDown()
    await andAgain()
    assert.equal((await world.pod('app', use)).spec.containers[0]?.env, undefined)
    await runner.start(sidecar)
    await world.mutated('app', use)

    // Without a configuration nobody is asked [H-19].
    const configuration = { namespace: '', name: sidecar }
    const held = await world.client.get<StoredObject>(mutatingWebhookConfigurations, configuration)
    await world.client.delete(mutatingWebhookConfigurations, configuration)
    await comesAbout(
      async () => (await world.pod('app', use)).spec.containers[0]?.env === undefined,
      () => 'pods are made as they are',
    )
    const { resourceVersion: _version, uid: _uid, ...metadata } = held.metadata
    await world.client.create(mutatingWebhookConfigurations, { ...held, metadata })
    await world.mutated('app', use)

    // The operator is back, and finds nothing to do [H-14].
    const [passes, writes] = [world.passes(), world.writes()]
    world.startOperator()
    await comesAbout(
      async () => world.passes() >= passes + 2,
      () => 'both halves look',
    )
    assert.equal(world.writes(), writes)
  })

  it('a root authority that changes in the midst leaves no pod without its identity [H-10, H-11, 4.13 #1]', async () => {
    await using world = await hostedRealWorld()
    const { runner, client } = world
    await open(world)
    await runner.start(sidecar)
    await world.mutated('app', use)
    const rootCa = { namespace: planeNamespace, name: 'root-ca' }
    const next = testAuthority('root-ca', 3, systemClock.now())
    const { data } = authoritySecret(planeNamespace, 'root-ca', next) as { readonly data?: object }
    const [generation, before] = [await generationOf(world), await trusted(world)]
    await client.patch(secrets, rootCa, 'merge', { data })
    world.serveAs(next)
    await comesAbout(
      async () => (await trusted(world)).length === 2,
      () => 'the guest trusts both authorities',
    )
    assert.equal((await trusted(world)).at(-1), before[0])
    // The sidecar still serves what the earlier authority signed.
    await allMutated(world)
    const isNew = (certificate: X509Certificate): boolean => isIssuedBy(certificate, next.certificate)
    await comesAbout(
      async () => isNew(await stored(world)),
      () => 'the certificate is signed anew',
    )
    assert.equal(isNew(await world.served()), false)
    await runner.sync()
    await comesAbout(
      async () => isNew(await world.served()),
      () => 'the new certificate is served',
    )
    await allMutated(world)
    assert.deepEqual([runner.restarts, await generationOf(world)], [1, generation])
  })

  it('a Deployment that somebody else edits keeps what is theirs, and gets back what is ours, and another TLS profile [S-30, H-08, H-18, H-21]', async () => {
    await using world = await hostedRealWorld()
    const { client } = world
    const key = { namespace: planeNamespace, name: 'kube-apiserver' }
    await open(world)
    assert.equal(await generationOf(world), 2, 'one roll-out')
    const container = { name: 'audit-logs', image: 'logs:1' }
    const spec = { template: { spec: { containers: [container, { name: sidecar, image: 'another:1' }] } } }
    await client.patch(deployments, key, 'strategic', { metadata: { labels: { theirs: 'yes' } }, spec })
    const template = async (): Promise<readonly { readonly name: string; readonly image: string }[]> =>
      (await client.get<KubeApiserver>(deployments, key)).spec.template.spec.containers
    await comesAbout(
      async () => (await template()).every(({ image }) => image !== 'another:1'),
      () => 'the sidecar has its image again',
    )
    const edited = await client.get<KubeApiserver>(deployments, key)
    assert.deepEqual([edited.metadata.labels?.['theirs'], (await template()).length], ['yes', 3])
    assert.ok((await template()).some(({ name }) => name === container.name))
    await world.change({ configuration: { apiServer: { tlsSecurityProfile: { type: 'Modern' } } } })
    await comesAbout(
      async () => JSON.stringify(await template()).includes('--tls-min-version=VersionTLS13'),
      () => 'the sidecar has the profile',
    )
    await world.runner.start(sidecar)
    await world.mutated('app', use)
  })
})

interface KubeApiserver extends StoredObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] } }
  }
}

async function open(world: HostedRealWorld): Promise<void> {
  await world.want(azure)
  await world.saysInPlace()
  await world.account('app', { 'azure.workload.identity/client-id': '99999999-8888-4777-8666-555555555555' })
}

async function isMutated(world: HostedRealWorld, account: string): Promise<boolean> {
  await world.account(account, { 'azure.workload.identity/client-id': account })
  return (await world.mutated(account, use)).spec.containers[0]?.env?.some(({ value }) => value === account) === true
}

/** The first one too: nothing is waited for. */
async function allMutated(world: HostedRealWorld): Promise<void> {
  for (let number = 0; number < 5; number++)
    assert.notEqual((await world.pod('app', use)).spec.containers[0]?.env, undefined, world.runner.log())
}

async function generationOf({ client }: HostedRealWorld): Promise<number | undefined> {
  return (await client.get(deployments, { namespace: planeNamespace, name: 'kube-apiserver' })).metadata.generation
}

async function stored({ client }: HostedRealWorld): Promise<X509Certificate> {
  const key = { namespace: planeNamespace, name: `${sidecar}-serving-cert` }
  const { data } = await client.get<StoredObject & { readonly data: Readonly<Record<string, string>> }>(secrets, key)
  return new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'))
}

/** Whom the guest's API server trusts as the sidecar, one after the other. */
async function trusted({ client }: HostedRealWorld): Promise<readonly string[]> {
  const found = await client.get<
    StoredObject & { readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[] }
  >(mutatingWebhookConfigurations, { namespace: '', name: sidecar })
  const bundle = Buffer.from(found.webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString()
  return bundle.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
}
