// Keys in Secrets: only where somebody chose that, only of certificates that were requested so, and nowhere else for a moment.
import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { type StoredObject, secrets } from '#kube'
import { certKind } from '../api.ts'
import { type CertWorld, certWorld, told } from '../testing/cert-world.ts'

const exportNamespaces = ['default']

async function secret(world: CertWorld, name = 'api-tls'): Promise<StoredObject | undefined> {
  return world.client.find(secrets, { namespace: 'default', name })
}

function dataOf(object: StoredObject | undefined): Readonly<Record<string, string>> {
  const data = object === undefined ? {} : (Reflect.get(object, 'data') as Readonly<Record<string, string>>)
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
}

test('certificate and key stand in a Secret of TLS, and nowhere else [16.10]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await world.apply('api', { export: { secretName: 'api-tls' } })
  const process = world.start({ exportNamespaces })
  const cert = await world.until('api', 'Ready')
  await world.advance(10_000)
  const held = await secret(world)
  assert.equal(Reflect.get(held ?? {}, 'type'), 'kubernetes.io/tls')
  const { 'tls.crt': chain = '', 'tls.key': key = '' } = dataOf(held)
  const leaf = new X509Certificate(chain)
  assert.equal(leaf.checkPrivateKey(createPrivateKey(key)), true)
  assert.match(leaf.subjectAltName ?? '', /api-prod\.k8s\.acme\.dev/)
  assert.ok(chain.split('BEGIN CERTIFICATE').length > 2, 'no chain')
  assert.equal(told(await world.cert('api')).Exported, 'True Exported')
  const said = JSON.stringify([
    process.passes.map(({ plan, outcomes, trouble }) => [plan, outcomes, trouble]),
    await world.cert('api'),
  ])
  assert.doesNotMatch(said, /PRIVATE KEY|[Pp]assphrase/)
  assert.equal(cert.status?.state, 'Ready')
  // At rest nothing is asked for again.
  const exports = (): number => world.aws.calls.all().filter(({ operation }) => operation === 'ExportCertificate').length
  assert.equal(exports(), 1)
  await world.advance(2 * 3_600_000)
  assert.equal(exports(), 1)
})

test('a Secret is refreshed when another certificate is current [16.10]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await world.apply('api', { export: { secretName: 'api-tls' } })
  world.start({ exportNamespaces })
  await world.until('api', 'Ready')
  await world.advance(10_000)
  const before = dataOf(await secret(world))['tls.crt']
  await world.change('api', { spec: { subjectAlternativeNames: ['more.k8s.acme.dev'] } })
  await world.advance(2_000)
  await world.until('api', 'Ready')
  await world.advance(10_000)
  const after = dataOf(await secret(world))['tls.crt'] ?? ''
  assert.notEqual(after, before)
  assert.match(new X509Certificate(after).subjectAltName ?? '', /more\.k8s\.acme\.dev/)
})

test('a certificate that was not requested so is replaced by one that was, and until then that is said [16.10]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await world.apply('api')
  world.start({ exportNamespaces })
  const first = (await world.until('api', 'Ready')).status?.certificateArn
  await world.change('api', { spec: { export: { secretName: 'api-tls' } } })
  await world.advance(1_000)
  assert.equal(told(await world.cert('api')).Exported, 'False NotExportable')
  assert.equal(await secret(world), undefined)
  await world.until('api', 'Ready')
  await world.advance(10 * 60_000)
  assert.notEqual((await world.cert('api'))?.status?.certificateArn, first)
  assert.equal(told(await world.cert('api')).Exported, 'True Exported')
})

test('the key of another object’s certificate is not exported for whoever writes its ARN into a status [16.10, S16]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await world.apply('api', { export: { secretName: 'api-tls' } })
  await world.apply('bank', { export: { secretName: 'bank-tls' } })
  world.start({ exportNamespaces })
  await world.until('api', 'Ready')
  const theirs = (await world.until('bank', 'Ready')).status
  await world.advance(10_000)
  const before = dataOf(await secret(world))['tls.crt']
  const forged = { status: { certificateArn: theirs?.certificateArn, serial: theirs?.serial } }
  await world.client.patch(certKind.type, { namespace: 'default', name: 'api' }, 'merge', forged, { subresource: 'status' })
  await world.advance(60_000)
  assert.equal(dataOf(await secret(world))['tls.crt'], before)
  assert.equal(told(await world.cert('api')).Exported, 'False Conflict')
  const exported = world.aws.calls.all({ operation: 'ExportCertificate', result: 'ok' })
  assert.equal(exported.length, 2)
})

test('a Secret of somebody else is not overwritten, and a namespace that is not listed gets none [16.10]', async () => {
  await using world = certWorld()
  await world.zone('k8s.acme.dev')
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'api-tls' },
    data: { mine: 'eA==' },
  } as never)
  await world.apply('api', { export: { secretName: 'api-tls' } })
  const first = world.start({ exportNamespaces })
  await world.until('api', 'Ready')
  await world.advance(10_000)
  assert.deepEqual(dataOf(await secret(world)), { mine: 'x' })
  assert.equal(told(await world.cert('api')).Exported, 'False Conflict')
  await first.stop()
  world.start({ exportNamespaces: ['elsewhere'] })
  await world.advance(10_000)
  assert.equal(told(await world.cert('api')).Exported, 'False NamespaceNotListed')
  assert.deepEqual(
    world.aws.calls.all().filter(({ operation }) => operation === 'ExportCertificate'),
    [],
  )
})
