// A real kube-apiserver plays the hosted one, with the rendered sidecar beside it as a process: pods that are made through it are mutated over
// 127.0.0.1, for both clouds, through renewals, restarts, a sidecar that is gone, and a downgrade.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deployments, mutatingWebhookConfigurations, type StoredObject, secrets } from '#kube'
import { comesAbout } from './eventually.ts'
import { hostedRealWorld, type MutatedPod, planeNamespace, releaseImages } from './hosted/world.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const azureName = 'azure-workload-identity-webhook'
const awsName = 'aws-pod-identity-webhook'
const use = { 'azure.workload.identity/use': 'true' }
const tenantID = '11111111-2222-4333-8444-555555555555'
const azure = { type: 'Azure', azure: { tenantID, cloud: 'AzurePublicCloud' } }
const clientId = '99999999-8888-4777-8666-555555555555'

describe('a hosted API server with its sidecar', skip === undefined ? {} : { skip }, () => {
  it('on Azure: labelled pods get their identity, others wait for nobody [S-02, S-06, S-07, S-08, S-13, S-14, S-16, S-19, S-20, S-22, S-23, S-24, S-25, S-34, S-37, H-02, H-07, H-09, H-10, H-13, E-01, E-02, E-04]', async () => {
    await using world = await hostedRealWorld()
    const { runner } = world
    await world.want(azure)
    await world.saysInPlace()
    assert.deepEqual(await runner.containers(), [azureName])
    await world.account('app', { 'azure.workload.identity/client-id': clientId })
    // The configuration is there before the sidecar serves: pods are made as they are [9.3 #1].
    assert.equal((await world.pod('app', use)).spec.containers[0]?.env, undefined)
    await runner.start(azureName)
    const mutated = await world.mutated('app', use)
    assert.deepEqual(variablesOf(mutated), {
      AZURE_CLIENT_ID: clientId,
      AZURE_TENANT_ID: tenantID,
      AZURE_FEDERATED_TOKEN_FILE: '/var/run/secrets/azure/tokens/azure-identity-token',
      AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/',
    })
    const volume = mutated.spec.volumes?.find(({ name }) => name === 'azure-identity-token')
    assert.equal(volume?.projected?.sources?.[0]?.serviceAccountToken?.audience, 'api://AzureADTokenExchange')
    assert.equal((await world.pod('app')).spec.containers[0]?.env, undefined)

    // Renewal: another certificate, the same process [H-12, 4.12].
    const { serialNumber: before } = await world.served()
    const secret = { namespace: planeNamespace, name: `${azureName}-serving-cert` }
    const generation = await generationOf(world)
    await world.client.patch(secrets, secret, 'merge', { data: { 'tls.crt': '' } })
    await comesAbout(
      async () =>
        ((await world.client.get<StoredObject & { data: Record<string, string> }>(secrets, secret)).data['tls.crt'] ?? '') !== '',
      () => 'the certificate is signed anew',
    )
    await runner.sync()
    await comesAbout(
      async () => (await world.served()).serialNumber !== before,
      () => 'the new certificate is served',
    )
    assert.ok((await world.pod('app', use)).spec.containers[0]?.env !== undefined)
    assert.deepEqual([runner.restarts, await generationOf(world)], [1, generation])

    // Somebody in the guest edits or deletes the configuration: it is put right, and what is theirs stays [S-38, H-15, H-16, H-17].
    const configuration = { namespace: '', name: azureName }
    const seen = await world.client.get<Configuration>(mutatingWebhookConfigurations, configuration)
    const webhooks = seen.webhooks.map(webhook => ({ ...webhook, failurePolicy: 'Fail' }))
    const labels = { 'somebody/else': 'yes' }
    await world.client.update(mutatingWebhookConfigurations, { ...seen, metadata: { ...seen.metadata, labels }, webhooks })
    const now = (): Promise<Configuration> => world.client.get(mutatingWebhookConfigurations, configuration)
    await comesAbout(
      async () => (await now()).webhooks[0]?.failurePolicy === 'Ignore',
      () => 'no pod is refused',
    )
    assert.deepEqual((await now()).metadata.labels, labels)
    await world.client.delete(mutatingWebhookConfigurations, configuration)
    await comesAbout(
      async () => (await world.client.find(mutatingWebhookConfigurations, configuration)) !== undefined,
      () => 'the configuration is back',
    )
    await world.mutated('app', use)

    // The sidecar is gone: pods are made as they are, at once [S-05, S-35, H-20, E-05]. It comes back: they are mutated again.
    await runner.stop()
    assert.equal((await world.pod('app', use)).spec.containers[0]?.env, undefined)
    await runner.start(azureName)
    await world.mutated('app', use)

    // Downgrade: the sidecar goes from the template; what is left in the guest does no harm [S-31, H-22, E-08].
    await world.want({ type: 'None', azure: null })
    await comesAbout(
      async () => (await runner.containers()).length === 0,
      () => 'the sidecar is taken out',
    )
    await runner.stop()
    assert.equal((await world.pod('app', use)).spec.containers[0]?.env, undefined)

    // Its Secrets go when no pod is left that has them [H-06].
    const kubeconfig = { namespace: planeNamespace, name: `${azureName}-kubeconfig` }
    assert.ok((await world.client.find(secrets, kubeconfig)) !== undefined)
    await world.rolledOut()
    await comesAbout(
      async () => (await world.client.find(secrets, kubeconfig)) === undefined,
      () => 'the kubeconfig is gone',
    )
    assert.deepEqual(await world.said(), [])
  })

  it('the platform alone decides, and at rest nothing is written, whatever the API server filled in [S-01, S-03, S-04, S-17, S-26, S-27, S-42, H-01, H-03, H-04, H-05, H-14, G-05]', async () => {
    await using world = await hostedRealWorld()
    // Elsewhere nothing is made, and nothing said [S-17, S-42, H-04].
    for (const type of ['KubeVirt', 'None', 'IBMCloud', 'GCP', 'OpenStack', 'PowerVS', 'Agent']) {
      const looks = world.passes()
      await world.want({ type })
      await comesAbout(
        async () => world.passes() >= looks + 2,
        () => `both halves look at a control plane on ${type}`,
      )
      assert.deepEqual([await world.runner.containers(), await world.said(), await sidecarSecrets(world)], [[], [], []])
    }
    assert.equal(world.writes(), 0)

    // Managed or not, Azure is Azure, with the image of its release [S-01, S-04, S-27, H-03].
    const managedIdentities = { controlPlane: { cloudProvider: { clientID: clientId } } }
    await world.want({ ...azure, azure: { ...azure.azure, managedIdentities } })
    await world.saysInPlace()
    const container = await containerOf(world, azureName)
    assert.deepEqual(container, { image: releaseImages[azureName], resources: { requests: { cpu: '10m', memory: '25Mi' } } })
    await world.want({ ...azure, azure: { ...azure.azure, managedIdentities: null } })
    await world.saysInPlace()
    assert.deepEqual(await containerOf(world, azureName), container)
    const [writes, passes] = [world.writes(), world.passes()]
    // A change that concerns nobody: both halves look, and find nothing to do.
    const key = { namespace: planeNamespace, name: 'blue' }
    const { controlPlaneKind } = await import('#operators/hosted')
    await world.client.patch(controlPlaneKind.type, key, 'merge', { metadata: { annotations: { seen: 'again' } } })
    await world.client.patch(deployments, { namespace: planeNamespace, name: 'kube-apiserver' }, 'merge', {
      metadata: { labels: { a: 'b' } },
    })
    await comesAbout(
      async () => world.passes() >= passes + 3,
      () => 'both halves look again',
    )
    assert.equal(world.writes(), writes)

    // Without its block a platform is refused, in the platform's words, and nothing is changed [H-05].
    const before = await generationOf(world)
    await world.want({ type: 'Azure', azure: null })
    await comesAbout(
      async () =>
        (await world.said()).every(text =>
          text.endsWith('=False/PlatformBlockMissing: azure platform type requires spec.platform.azure'),
        ),
      async () => `both halves say what is missing, not ${(await world.said()).join('; ')}`,
    )
    assert.equal(await generationOf(world), before)

    // On AWS it is the other sidecar, with the Secrets of that one alone once no pod of the first is left [S-03, S-26, H-01].
    await world.want({ type: 'AWS', azure: null, aws: { region: 'eu-west-1' } })
    await world.saysInPlace()
    assert.deepEqual(await world.runner.containers(), [awsName])
    await world.rolledOut()
    await comesAbout(
      async () => (await sidecarSecrets(world)).every(name => name.startsWith(awsName)),
      async () => `the Secrets of the first sidecar are gone, not ${(await sidecarSecrets(world)).join()}`,
    )
    assert.equal((await sidecarSecrets(world)).length, 2)
  })
})

interface Configuration extends StoredObject {
  readonly webhooks: readonly { readonly failurePolicy: string }[]
}

function variablesOf({ spec }: MutatedPod): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries((spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]))
}

type World = Awaited<ReturnType<typeof hostedRealWorld>>

async function sidecarSecrets({ client }: World): Promise<readonly string[]> {
  const { items } = await client.list(secrets, { namespace: planeNamespace })
  return items.map(({ metadata }) => metadata.name).filter(name => name.startsWith(azureName) || name.startsWith(awsName))
}

interface Container {
  readonly name: string
  readonly image: string
  readonly resources: object
}

async function containerOf({ client }: World, name: string): Promise<Omit<Container, 'name'> | undefined> {
  const held = await client.get<
    StoredObject & { readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } } }
  >(deployments, { namespace: planeNamespace, name: 'kube-apiserver' })
  const found = held.spec.template.spec.containers.find(container => container.name === name)
  return found === undefined ? undefined : { image: found.image, resources: found.resources }
}

async function generationOf({ client }: World): Promise<number | undefined> {
  return (await client.get(deployments, { namespace: planeNamespace, name: 'kube-apiserver' })).metadata.generation
}
