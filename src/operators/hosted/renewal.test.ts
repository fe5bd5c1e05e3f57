// Certificates that grow old and authorities that change: the files of the sidecar follow, and no API server restarts.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { isIssuedBy } from '#base'
import { textIn } from './build/authority.ts'
import { providers } from './build/provider.ts'
import { type HostedWorld, hostedWorld } from './testing/hosted-world.ts'

const dayMs = 86_400_000
const { servingSecret, kubeconfigSecret } = providers.Azure

async function serialOf(world: HostedWorld, name: string): Promise<string> {
  return new X509Certificate(textIn(await world.secret(name), 'tls.crt')).serialNumber
}

test('with 31 days left a certificate stays, with 29 it is renewed, and the Deployment is not touched [H-12, 4.4, 4.12]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const [serving, client] = [await serialOf(world, servingSecret), await serialOf(world, kubeconfigSecret)]
  const template = (await world.deployment()).metadata.generation
  // Days that pass without a tick, and then the look that comes a few times a day.
  world.world.clock.jump(334 * dayMs)
  await world.look()
  assert.deepEqual([await serialOf(world, servingSecret), await serialOf(world, kubeconfigSecret)], [serving, client])
  world.world.clock.jump(2 * dayMs)
  await world.look()
  assert.notEqual(await serialOf(world, servingSecret), serving)
  assert.notEqual(await serialOf(world, kubeconfigSecret), client)
  assert.equal((await world.deployment()).metadata.generation, template)
})

test('what a replica signed whose clock is hours ahead is good to the next one, and to the API server at once [4.4, 4.12]', async () => {
  await using world = hostedWorld()
  world.world.clock.jump(3 * 3_600_000)
  const ahead = world.start()
  await world.settle()
  await ahead.stop()
  world.writes()
  world.world.clock.jump(-3 * 3_600_000)
  world.start()
  await world.settle()
  assert.deepEqual(world.writes(), [])
  for (const name of [servingSecret, kubeconfigSecret]) {
    const { validFrom } = new X509Certificate(textIn(await world.secret(name), 'tls.crt'))
    assert.ok(Date.parse(validFrom) < world.world.clock.now(), `${name} is valid already`)
  }
})

test('a new root authority signs anew, and the guest trusts both until the sidecar’s files have followed [S-22, H-10, H-11, 4.13 #1]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const before = await world.secret('root-ca')
  const hash = (await world.secret(servingSecret))?.metadata.annotations
  const { generation } = (await world.deployment()).metadata
  await world.rotate('root-ca')
  await world.settle()
  const root = textIn(await world.secret('root-ca'), 'ca.crt')
  const serving = await world.secret(servingSecret)
  assert.ok(isIssuedBy(new X509Certificate(textIn(serving, 'tls.crt')), root))
  assert.notDeepEqual(serving?.metadata.annotations, hash)
  assert.equal(textIn(await world.secret(kubeconfigSecret), 'kubeconfig').includes(Buffer.from(root).toString('base64')), true)
  assert.deepEqual(await trustedIn(world), [root.trim(), textIn(before, 'ca.crt').trim()])
  await world.advance(700_000)
  assert.deepEqual(await trustedIn(world), [root.trim()])
  assert.equal((await world.deployment()).metadata.generation, generation)
})

async function trustedIn(world: HostedWorld): Promise<readonly string[]> {
  const [webhook] = ((await world.configuration('Azure'))?.webhooks ?? []) as readonly {
    readonly clientConfig: { readonly caBundle: string }
  }[]
  const bundle = Buffer.from(webhook?.clientConfig.caBundle ?? '', 'base64').toString()
  return bundle.split(/(?<=-----END CERTIFICATE-----)/).flatMap(text => (text.trim() === '' ? [] : [text.trim()]))
}

test('a new signer of clients signs the kubeconfig’s certificate anew, and leaves the serving one [H-13, 4.13 #2]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const [serving, client] = [await serialOf(world, servingSecret), await serialOf(world, kubeconfigSecret)]
  await world.rotate('cluster-signer-ca')
  await world.settle()
  assert.equal(await serialOf(world, servingSecret), serving)
  assert.notEqual(await serialOf(world, kubeconfigSecret), client)
})

test('where the platform signs nothing, Secrets that are there stay as they are [4.5]', async () => {
  await using world = hostedWorld()
  world.start()
  await world.settle()
  const before = await world.secret(kubeconfigSecret)
  const { controlPlaneKind, signingDisabledAnnotation } = await import('./api/kinds.ts')
  const plane = await world.plane()
  const annotations = { [signingDisabledAnnotation]: 'true' }
  await world.client.update(controlPlaneKind.type, { ...plane, metadata: { ...plane.metadata, annotations } })
  await world.rotate('cluster-signer-ca')
  await world.settle()
  assert.deepEqual(await world.secret(kubeconfigSecret), before)
})
