// The two halves together, over an embedded management cluster with an embedded guest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guestCondition, sidecarCondition } from './api/conditions.ts'
import type { ControlPlaneSpec } from './api/kinds.ts'
import { providers } from './build/provider.ts'
import { awsPlane, azurePlane, hostedWorld, payloadImages } from './testing/hosted-world.ts'

test('a control plane on Azure gets its sidecar in one roll-out, and its guest what it needs [S-01, S-04, S-08, S-30, H-02, H-21]', async () => {
  await using world = hostedWorld()
  const before = await world.deployment()
  world.start()
  await world.settle()
  const container = await world.container('Azure')
  assert.equal(container?.image, payloadImages['azure-workload-identity-webhook'])
  assert.deepEqual(container.env, [
    { name: 'AZURE_TENANT_ID', value: '11111111-2222-4333-8444-555555555555' },
    { name: 'AZURE_ENVIRONMENT', value: 'AzurePublicCloud' },
  ])
  assert.equal(await world.container('AWS'), undefined)
  assert.equal((await world.deployment()).metadata.generation, (before.metadata.generation ?? 0) + 1)
  assert.deepEqual(await world.said(), {
    [sidecarCondition]: 'True InPlace: azure-workload-identity-webhook stands in kube-apiserver',
    [guestCondition]: 'True InPlace: the guest asks azure-workload-identity-webhook about its pods',
  })
  assert.deepEqual(world.writes().toSorted(), [
    'create clusterrolebindings azure-workload-identity-webhook',
    'create clusterroles azure-workload-identity-webhook',
    'create mutatingwebhookconfigurations azure-workload-identity-webhook',
    'create secrets azure-workload-identity-webhook-kubeconfig',
    'create secrets azure-workload-identity-webhook-serving-cert',
    'update deployments kube-apiserver',
  ])
})

test('at rest nothing is written for hours, and no certificate drawn [H-14, S-30]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  world.writes()
  const drawn = world.keysDrawn()
  await world.advance(1_800_000)
  await world.look()
  assert.deepEqual([world.writes(), world.keysDrawn() - drawn], [[], 0])
})

test('a restart at rest writes nothing [H-14, G-05]', async () => {
  await using world = hostedWorld()
  const first = world.start()
  await world.settle()
  await first.stop()
  world.writes()
  world.start()
  await world.settle()
  assert.deepEqual(world.writes(), [])
})

test('a control plane on AWS gets the AWS sidecar and no other [H-01]', async () => {
  await using world = hostedWorld({ spec: awsPlane })
  world.start()
  await world.settle()
  assert.equal((await world.container('AWS'))?.image, payloadImages['aws-pod-identity-webhook'])
  assert.ok((await world.container('AWS'))?.command.includes('--aws-default-region=eu-west-1'))
  assert.equal(await world.container('Azure'), undefined)
  assert.ok((await world.configuration('AWS')) !== undefined)
  assert.equal(await world.configuration('Azure'), undefined)
})

test('self-managed or not, Azure is Azure: only the platform type decides, and no gate [S-01, S-15, H-03]', async () => {
  const managed = { ...azurePlane, platform: { ...azurePlane.platform, azure: { tenantID: 't', managedIdentities: {} } } }
  for (const spec of [managed, azurePlane]) {
    await using world = hostedWorld({ spec })
    world.start()
    await world.settle()
    assert.ok((await world.container('Azure')) !== undefined)
  }
})

for (const type of ['KubeVirt', 'None', 'IBMCloud', 'GCP', 'OpenStack', 'PowerVS', 'Agent']) {
  test(`on ${type} nothing is made, and nothing is said [S-17, S-42, H-04]`, async () => {
    await using world = hostedWorld({ spec: { platform: { type } } })
    world.start()
    await world.settle()
    assert.deepEqual(world.records(), [])
    assert.deepEqual([await world.said(), await world.secret(providers.Azure.kubeconfigSecret)], [{}, undefined])
    assert.equal(await world.configuration('Azure'), undefined)
  })
}

test('Azure without its block is refused in the platform’s words, and nothing is changed [4.3.1, 4.13 #5, H-05]', async () => {
  await using world = hostedWorld({ spec: { platform: { type: 'Azure' } } })
  world.start()
  await world.settle()
  assert.deepEqual(await world.said(), {
    [sidecarCondition]: 'False PlatformBlockMissing: azure platform type requires spec.platform.azure',
    [guestCondition]: 'False PlatformBlockMissing: azure platform type requires spec.platform.azure',
  })
  assert.deepEqual(world.writes(), [])
})

test('AWS without its block is refused in like words, and nothing is changed [4.3.1]', async () => {
  await using world = hostedWorld({ spec: { platform: { type: 'AWS' } } })
  world.start()
  await world.settle()
  const condition = 'False PlatformBlockMissing: aws platform type requires spec.platform.aws'
  assert.deepEqual(await world.said(), { [sidecarCondition]: condition, [guestCondition]: condition })
  assert.deepEqual(world.writes(), [])
})

test('a platform block that is taken away changes nothing of what stands, and is told [4.3.1, H-05]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  world.writes()
  await world.change({ platform: { type: 'Azure' } })
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^False PlatformBlockMissing/)
  assert.deepEqual(world.writes(), [])
  await world.change(azurePlane)
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
  assert.deepEqual(world.writes(), [])
})

test('switched off, a control plane loses sidecar and Secrets, and keeps what is not ours [4.3, 4.12, H-06, S-31]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const names = (await world.deployment()).spec.template.spec.containers.map(({ name }) => name)
  await world.change({ platform: { type: 'None' } })
  await world.settle()
  await world.advance(5_000)
  const { containers, volumes } = (await world.deployment()).spec.template.spec
  assert.deepEqual(
    containers.map(({ name }) => name),
    names.slice(0, -1),
  )
  assert.deepEqual(
    volumes?.map(({ name }) => name),
    ['logs', 'kas-config', 'tmp-dir'],
  )
  assert.deepEqual(
    [await world.secret(providers.Azure.kubeconfigSecret), await world.secret(providers.Azure.servingSecret)],
    [undefined, undefined],
  )
  assert.deepEqual(await world.said(), {})
  // Left to the end of the guest; it never refuses a pod.
  assert.ok((await world.configuration('Azure')) !== undefined)
})

test('a platform that is taken out of the flag is switched off there [S-31, H-22]', async () => {
  await using world = hostedWorld()
  const first = world.start()
  await world.settle()
  await first.stop()
  const { webhooks } = (await world.configuration('Azure')) ?? {}
  world.writes()
  world.start({ platforms: ['AWS'] })
  await world.settle()
  await world.advance(5_000)
  assert.equal(await world.container('Azure'), undefined)
  assert.deepEqual(world.writes(), [
    'update deployments kube-apiserver',
    'delete secrets azure-workload-identity-webhook-serving-cert',
    'delete secrets azure-workload-identity-webhook-kubeconfig',
  ])
  // Left to the end of the guest; it never refuses a pod.
  assert.deepEqual((await world.configuration('Azure'))?.webhooks, webhooks)
})

test('switched over, the other sidecar takes the place, and the first one’s Secrets go after the roll-out [4.12]', async () => {
  await using world = hostedWorld({ spec: awsPlane })
  world.start()
  await world.settle()
  await world.change(azurePlane)
  await world.settle()
  await world.advance(5_000)
  const { containers, volumes } = (await world.deployment()).spec.template.spec
  assert.deepEqual(
    containers.slice(3).map(({ name }) => name),
    ['azure-workload-identity-webhook'],
  )
  assert.deepEqual(
    volumes?.slice(3).map(({ name }) => name),
    ['azure-wi-webhook-serving-certs', 'azure-wi-webhook-kubeconfig'],
  )
  assert.equal(await world.secret(providers.AWS.kubeconfigSecret), undefined)
  assert.ok((await world.secret(providers.Azure.kubeconfigSecret)) !== undefined)
  const writes = world.writes()
  assert.ok(
    writes.indexOf('delete secrets aws-pod-identity-webhook-kubeconfig') >
      writes.lastIndexOf('update deployments kube-apiserver'),
  )
})

test('another port of the API server is that of the kubeconfig, and 443 is none [H-07, 4.13 #2]', async () => {
  const portOf = async (port: number): Promise<string | undefined> => {
    await using world = hostedWorld({ spec: { ...azurePlane, networking: { apiServer: { port } } } })
    world.start()
    await world.settle()
    const text = Buffer.from((await world.secret(providers.Azure.kubeconfigSecret))?.data?.kubeconfig ?? '', 'base64').toString()
    return /server: (.*)/.exec(text)?.[1]
  }
  assert.deepEqual([await portOf(7_443), await portOf(443)], ['https://localhost:7443', 'https://localhost:6443'])
})

test('a change of the TLS profile reaches the sidecar, and is one write [H-08, H-09, 4.6.3, 9.3 #3]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const suites = (await world.container('Azure'))?.command.find(word => word.startsWith('--tls-cipher-suites='))
  assert.equal(suites?.split(',').length, 6)
  world.writes()
  const spec: ControlPlaneSpec = { ...azurePlane, configuration: { apiServer: { tlsSecurityProfile: { type: 'Modern' } } } }
  await world.change(spec)
  await world.settle()
  assert.deepEqual(
    (await world.container('Azure'))?.command.filter(word => word.startsWith('--tls-')),
    ['--tls-min-version=VersionTLS13'],
  )
  assert.deepEqual(world.writes(), ['update deployments kube-apiserver'])
})

test('objects in the guest that are deleted or edited come back as they were, and labels of others stay [S-05, S-38, H-15, H-16, H-17]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const { mutatingWebhookConfigurations: type, clusterRoles } = await import('#kube')
  const first = await world.configuration('Azure')
  assert.ok(first !== undefined)
  await world.guestClient.delete(type, { namespace: '', name: first.metadata.name })
  await world.settle()
  const again = await world.configuration('Azure')
  assert.deepEqual(again?.webhooks, first.webhooks)
  const edited = (again?.webhooks ?? []).map(webhook => ({
    ...webhook,
    failurePolicy: 'Fail',
    namespaceSelector: { matchLabels: { a: 'b' } },
  }))
  const labels = { 'somebody/else': 'yes' }
  await world.guestClient.update(type, { ...again, metadata: { ...again?.metadata, labels }, webhooks: edited } as typeof first)
  await world.settle()
  const reset = await world.configuration('Azure')
  assert.deepEqual([reset?.webhooks, reset?.metadata.labels], [first.webhooks, labels])
  const role = await world.role('Azure')
  await world.guestClient.update(clusterRoles, { ...role, rules: [] } as unknown as typeof first)
  await world.advance(700_000)
  assert.deepEqual((await world.role('Azure'))?.rules, role?.rules)
})

test('the guest’s binding names the user of the sidecar’s certificate, and its role gives no more than reading ServiceAccounts [S-23, S-24]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  assert.deepEqual((await world.role('Azure'))?.rules, [
    { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['serviceaccounts'] },
  ])
  assert.deepEqual((await world.binding('Azure'))?.subjects, [
    { kind: 'ServiceAccount', name: 'azure-workload-identity-webhook', namespace: 'openshift-authentication' },
  ])
})

test('either half alone does its part, in either order [S-32, 4.12, H-19, H-20]', async () => {
  await using alone = hostedWorld({ lacks: ['way'] })
  alone.start()
  await alone.settle()
  assert.ok((await alone.container('Azure')) !== undefined)
  assert.match(
    (await alone.said())[guestCondition] ?? '',
    /^False GuestKubeconfigMissing: Secret service-network-admin-kubeconfig is not there yet/,
  )
  await using guestFirst = hostedWorld({ lacks: ['deployment', 'cluster-signer-ca'] })
  guestFirst.start()
  await guestFirst.settle()
  assert.ok((await guestFirst.configuration('Azure')) !== undefined)
  assert.match((await guestFirst.said())[sidecarCondition] ?? '', /^False AuthorityMissing: Secret cluster-signer-ca/)
})

test('a control plane that is deleted is left alone: its Secrets are owned by it [4.12]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const { metadata } = await world.plane()
  const secret = await world.secret(providers.Azure.servingSecret)
  assert.deepEqual(secret?.metadata.ownerReferences, [
    {
      apiVersion: 'hypershift.openshift.io/v1beta1',
      kind: 'HostedControlPlane',
      name: 'blue',
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ])
  const { controlPlaneKind } = await import('./api/kinds.ts')
  world.writes()
  await world.client.delete(controlPlaneKind.type, { namespace: metadata.namespace ?? '', name: metadata.name })
  await world.settle()
  assert.deepEqual(world.writes(), [])
  assert.ok((await world.configuration('Azure')) !== undefined)
})
