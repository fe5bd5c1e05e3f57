// What a platform can hand over that does not hold, on a real kube-apiserver: one condition with a reason and the next step, nothing half-written.
// The embedded world shows the same with more of them, and with hours that pass (src/operators/hosted/bad-input.test.ts).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '#base'
import { configMaps, deployments, type KubeObject, mutatingWebhookConfigurations, type StoredObject, secrets } from '#kube'
import { authoritySecret, testAuthority } from '../../src/operators/hosted/testing/authorities.fixture.ts'
import { comesAbout } from './eventually.ts'
import { type HostedRealWorld, hostedRealWorld, planeNamespace, releaseImages } from './hosted/world.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const sidecar = 'azure-workload-identity-webhook'
const azure = { type: 'Azure', azure: { tenantID: '11111111-2222-4333-8444-555555555555', cloud: 'AzurePublicCloud' } }
const map = { namespace: planeNamespace, name: 'release-images' }
const kubeApiserver = { namespace: planeNamespace, name: 'kube-apiserver' }

describe('a hosted control plane of which something does not hold', skip === undefined ? {} : { skip }, () => {
  it('an image that is missing begins nothing, and takes nothing away [S-04, 4.3.2, 4.12]', async () => {
    await using world = await hostedRealWorld()
    const { client } = world
    await client.delete(configMaps, map)
    const before = (await stored(world)).metadata.generation
    await world.want(azure)
    const next = `write the image of the release under the key ${sidecar}, or give --hosted-image`
    await says(world, `PodIdentitySidecarInPlace=False/ImageMissing: there is no ConfigMap clusters-blue/release-images; ${next}`)
    await says(world, /^PodIdentityGuestConfigured=True\/InPlace/)
    assert.deepEqual([(await stored(world)).metadata.generation, await sidecarSecrets(world)], [before, []])
    await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: map, data: releaseImages } as KubeObject)
    await world.saysInPlace()
    const standing = await stored(world)
    assert.deepEqual(await world.runner.containers(), [sidecar])
    // A release that loses it keeps the sidecar that stands.
    await client.patch(configMaps, map, 'merge', { data: { [sidecar]: null } })
    await says(world, /^PodIdentitySidecarInPlace=False\/ImageMissing: ConfigMap .* does not name the sidecar's image/)
    assert.deepEqual((await stored(world)).spec, standing.spec)
    assert.equal((await sidecarSecrets(world)).length, 2)
  })

  it('Azure without a tenant gets the platform’s form in one roll-out, is told, and is not written again [S-33, 4.3]', async () => {
    await using world = await hostedRealWorld()
    await world.want({ type: 'Azure', azure: {} })
    await says(
      world,
      /^PodIdentitySidecarInPlace=False\/SidecarCannotStart: .*tenantID is missing: write the tenant of the cluster$/,
    )
    await says(world, /^PodIdentityGuestConfigured=True\/InPlace/)
    const { metadata, spec } = await stored(world)
    const container = spec.template.spec.containers.find(({ name }) => name === sidecar)
    assert.deepEqual(container?.env, [{ name: 'AZURE_TENANT_ID' }, { name: 'AZURE_ENVIRONMENT', value: 'AzurePublicCloud' }])
    const [writes, passes] = [world.writes(), world.passes()]
    await world.client.patch(deployments, kubeApiserver, 'merge', { metadata: { labels: { seen: 'again' } } })
    await comesAbout(
      async () => world.passes() > passes,
      () => 'the operator looks again',
    )
    assert.deepEqual([world.writes(), (await stored(world)).metadata.generation], [writes, metadata.generation])
    await world.want(azure)
    await world.saysInPlace()
  })

  it('a guest that is away for an hour is told of and loses nothing, the other half goes on, and it is put right when it is back [S-32, H-11, 4.12]', async () => {
    await using world = await hostedRealWorld()
    const { client } = world
    await world.want(azure)
    await world.saysInPlace()
    const [before, signed] = [await configuration(world), await servingOf(world)]
    await world.setGuestAway(true)
    world.pass(3_600_000)
    const next = testAuthority('root-ca', 3, systemClock.now())
    const { data } = authoritySecret(planeNamespace, 'root-ca', next) as { readonly data?: object }
    await client.patch(secrets, { namespace: planeNamespace, name: 'root-ca' }, 'merge', { data })
    await says(world, /^PodIdentityGuestConfigured=False\/RemoteClusterUnavailable: /)
    await comesAbout(
      async () => (await servingOf(world)) !== signed,
      () => 'the certificate is signed anew',
    )
    await says(world, /^PodIdentitySidecarInPlace=True\/InPlace/)
    assert.deepEqual(await configuration(world), before)
    await world.setGuestAway(false)
    await comesAbout(
      async () => (await configuration(world)).metadata.generation === (before.metadata.generation ?? 0) + 1,
      async () => `the guest trusts the new authority; said is ${(await world.said()).join('; ')}`,
      90_000,
    )
    await world.saysInPlace()
  })
})

interface KubeApiserver extends StoredObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly name: string; readonly env?: unknown }[] } }
  }
}

async function says(world: HostedRealWorld, what: string | RegExp): Promise<void> {
  const isIt = (text: string): boolean => (typeof what === 'string' ? text === what : what.test(text))
  await comesAbout(
    async () => (await world.said()).some(isIt),
    async () => `${String(what)} is said, not ${(await world.said()).join('; ')}`,
    60_000,
  )
}

function stored({ client }: HostedRealWorld): Promise<KubeApiserver> {
  return client.get<KubeApiserver>(deployments, kubeApiserver)
}

function configuration({ client }: HostedRealWorld): Promise<StoredObject> {
  return client.get<StoredObject>(mutatingWebhookConfigurations, { namespace: '', name: sidecar })
}

async function servingOf({ client }: HostedRealWorld): Promise<string> {
  const key = { namespace: planeNamespace, name: `${sidecar}-serving-cert` }
  return (
    (await client.get<StoredObject & { readonly data: Readonly<Record<string, string>> }>(secrets, key)).data['tls.crt'] ?? ''
  )
}

async function sidecarSecrets({ client }: HostedRealWorld): Promise<readonly string[]> {
  const { items } = await client.list(secrets, { namespace: planeNamespace })
  return items.map(({ metadata }) => metadata.name).filter(name => name.startsWith(sidecar))
}
