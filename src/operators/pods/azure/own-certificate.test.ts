// The certificate that the webhook keeps itself, on an API server that enforces the rights of the manifests.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { drain, issueCertificate, ManualClock, readCertificate, seededRandom, silentLog, type TlsServerOptions } from '#base'
import { type KubeObject, mutatingWebhookConfigurations, type StoredObject, secrets } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { Metrics } from '#runtime'
import { ecKey } from '../../../base/x509/serving-pair.fixture.ts'
import { renderAzureWebhookManifests } from '../manifests/azure.ts'
import { azureCertificate, azureConfigurationName, azureSecretName } from './own-certificate.ts'

const namespace = 'home'
const dnsName = 'azure-wi-webhook-webhook-service.home.svc'
const day = 24 * 3_600_000
const secretKey = { namespace, name: azureSecretName }
const workloads = new Set(['Deployment', 'PodDisruptionBudget', 'NetworkPolicy'])
const printed = renderAzureWebhookManifests({ tenantId: 'tenant', namespace }).filter(({ kind }) => !workloads.has(kind))

interface World {
  /** Of the keys that were made. */
  readonly keyBits: readonly number[]
  readonly clock: ManualClock
  readonly admin: KubeClient
  /** A replica with the rights of the manifests; gives what it serves at first, and what it serves then. */
  start(seed?: number): Promise<{ served: TlsServerOptions }>
  /** The parts of the Secret as text. */
  secret(): Promise<Readonly<Record<string, string>>>
  bundles(): Promise<readonly string[]>
  pass(ms: number): Promise<void>
}

function open(t: TestContext, objects: readonly KubeObject[] = printed): World {
  // Not at a whole second, so that a life that is a little too long shows in the seconds of a certificate.
  const clock = new ManualClock(Date.UTC(2026, 0, 1) + 700)
  const server = createApiServer({ seed: 1, clock, objects, controllers: 'none' })
  const client = (exchange: ReturnType<typeof server.as>): KubeClient =>
    createKubeClient({ clock, address: 'embedded', exchange })
  const admin = client(server.as())
  const username = `system:serviceaccount:${namespace}:azure-wi-webhook-admin`
  const stop = new AbortController()
  const following: Promise<void>[] = []
  const keyBits: number[] = []
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await Promise.all(following)
    await server.close()
  })
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await drain()
  }
  return {
    keyBits,
    clock,
    admin,
    start: async (seed = 1) => {
      const certificate = azureCertificate({
        client: client(server.as({ username, groups: ['system:serviceaccounts', 'system:authenticated'] })),
        clock,
        random: seededRandom(seed),
        // At once: what waits for another thread would be later than the clock, which the test drives.
        keys: {
          generateRsa: bits => {
            keyBits.push(bits)
            return Promise.resolve(ecKey())
          },
        },
        log: silentLog,
        metrics: new Metrics(),
        namespace,
      })
      const replica = { served: await certificate.first(stop.signal) }
      following.push(certificate.follow(replica.served, next => (replica.served = next), stop.signal))
      await settle()
      return replica
    },
    secret: async () => {
      const { data = {} } = await admin.get<StoredObject & { data?: Readonly<Record<string, string>> }>(secrets, secretKey)
      return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]))
    },
    bundles: async () => {
      const key = { namespace: '', name: azureConfigurationName }
      const { webhooks } = await admin.get<StoredObject & { webhooks: readonly { clientConfig: { caBundle?: string } }[] }>(
        mutatingWebhookConfigurations,
        key,
      )
      return webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString())
    },
    pass: async ms => {
      await clock.advance(ms)
      await settle()
    },
  }
}

/** Signed by that authority, and for the name of the Service. */
function assertServed({ certificate }: TlsServerOptions, authority: string): void {
  const served = new X509Certificate(certificate)
  assert.ok(served.verify(new X509Certificate(authority).publicKey))
  assert.equal(served.checkHost(dnsName), dnsName)
}

test('a pair is made with the rights of the manifests, kept under the four keys that upstream has, and trusted [§3.14]', async t => {
  const world = open(t)
  const { served } = await world.start()
  const secret = await world.secret()
  assert.deepEqual(Object.keys(secret).sort(), ['ca.crt', 'ca.key', 'tls.crt', 'tls.key'])
  assertServed(served, secret['ca.crt'] ?? '')
  assert.deepEqual(await world.bundles(), [secret['ca.crt']])
  assert.deepEqual(world.keyBits, [2_048, 2_048])
  const authority = new X509Certificate(secret['ca.crt'] ?? '')
  assert.equal(authority.subject, 'O=azure-workload-identity\nCN=azure-workload-identity-ca')
  assert.equal(Math.round((Date.parse(authority.validTo) - world.clock.now()) / day), 3_650)
  const wholeSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000
  assert.equal(Date.parse(new X509Certificate(served.certificate).validTo), wholeSeconds(world.clock.now() + 365 * day))
})

test('whoever comes later serves the same pair, and of two that begin at once one makes it', async t => {
  const world = open(t)
  const [one, other] = await Promise.all([world.start(1), world.start(2)])
  assert.equal(one.served.certificate, other.served.certificate)
  assert.equal((await world.start(3)).served.certificate, one.served.certificate)
})

test('a serving certificate is renewed while ninety days are left, and the authority stays [§3.14]', async t => {
  const world = open(t)
  const replica = await world.start()
  const first = replica.served.certificate
  const authority = (await world.secret())['ca.crt']
  const touch = async (): Promise<void> => {
    const metadata = { annotations: { touched: String(world.clock.now()) } }
    await world.admin.patch(secrets, secretKey, 'merge', { metadata })
    for (let step = 0; step < 20; step++) await world.pass(10_000)
  }
  world.clock.jump(274 * day)
  await touch()
  assert.equal(replica.served.certificate, first, 'renewed too early')
  world.clock.jump(2 * day)
  await touch()
  assert.notEqual(replica.served.certificate, first)
  assert.equal((await world.secret())['ca.crt'], authority)
  assertServed(replica.served, authority ?? '')
})

/** As cert-controller makes them for upstream. */
function upstreamPair(now: number, authorityLifeMs = 3_650 * day): Readonly<Record<string, string>> {
  const [caKey, key] = [ecKey(), ecKey()]
  const subject = { commonName: 'azure-workload-identity-ca', organizations: ['azure-workload-identity'] }
  const times = { validFrom: now - 3_600_000, validUntil: now + 365 * day }
  const ca = issueCertificate({
    subject,
    key: caKey,
    usage: 'ca',
    ...times,
    validUntil: now + authorityLifeMs,
    serial: Uint8Array.of(1),
  })
  const certificate = issueCertificate({
    subject: { commonName: dnsName },
    key,
    names: { dns: [dnsName] },
    usage: 'server',
    ...times,
    serial: Uint8Array.of(2),
    issuer: { certificate: ca, key: caKey },
  })
  return { 'ca.crt': ca, 'ca.key': caKey, 'tls.crt': certificate, 'tls.key': key }
}

async function put(world: World, texts: Readonly<Record<string, string>>): Promise<void> {
  const data = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]))
  await world.admin.patch(secrets, secretKey, 'merge', { data })
}

test('what upstream left in the Secret is gone on with', async t => {
  const world = open(t)
  const left = upstreamPair(world.clock.now())
  await put(world, left)
  const { served } = await world.start()
  assert.equal(served.certificate, left['tls.crt'])
  assert.deepEqual(await world.secret(), left)
  assert.deepEqual(
    (await world.bundles()).map(bundle => bundle.trim()),
    [left['ca.crt']?.trim()],
  )
})

for (const [leftDays, stays] of [
  [89.5, false],
  [90.5, true],
] as const)
  test(`an authority that has ${leftDays} days left ${stays ? 'stays' : 'is made anew'} [§3.14]`, async t => {
    const world = open(t)
    const left = upstreamPair(world.clock.now(), leftDays * day)
    await put(world, left)
    await world.start()
    for (let step = 0; step < 20; step++) await world.pass(60_000)
    assert.equal((await world.secret())['ca.crt'] === left['ca.crt'], stays)
  })

for (const [what, part] of [
  ['garbage', 'garbage'],
  [
    'the public key of somebody',
    new X509Certificate(upstreamPair(0)['ca.crt'] ?? '').publicKey.export({ type: 'spki', format: 'pem' }),
  ],
] as const)
  test(`an authority that is ${what} is made anew`, async t => {
    const world = open(t)
    await put(world, { ...upstreamPair(world.clock.now()), 'ca.crt': String(part) })
    const { served } = await world.start()
    const authority = (await world.secret())['ca.crt'] ?? ''
    assert.ok(readCertificate(authority) !== undefined)
    assertServed(served, authority)
  })

/** What upstream's installation grants (§3.16). */
const upstreamRules: Readonly<Record<string, readonly (readonly [group: string, resource: string, verbs: string])[]>> = {
  Role: [['', 'secrets', 'create delete get list patch update watch']],
  ClusterRole: [
    ['', 'serviceaccounts', 'get list watch'],
    ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations', 'get list update watch'],
  ],
}

function withUpstreamRights(object: KubeObject): KubeObject {
  const rules = upstreamRules[object.kind]?.map(([group, resource, verbs]) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: verbs.split(' '),
  }))
  return rules === undefined ? object : Object.assign({}, object, { rules })
}

test('with the rights of upstream, and without the Secret, it is made [§3.14]', async t => {
  const world = open(t, printed.filter(({ kind }) => kind !== 'Secret').map(withUpstreamRights))
  const { served } = await world.start()
  const secret = await world.secret()
  assertServed(served, secret['ca.crt'] ?? '')
  assert.deepEqual(await world.bundles(), [secret['ca.crt']])
})

test('a configuration that is applied after the start is trusted within seconds', async t => {
  const world = open(
    t,
    printed.filter(({ kind }) => kind !== 'MutatingWebhookConfiguration'),
  )
  await world.start()
  const configuration = printed.find(({ kind }) => kind === 'MutatingWebhookConfiguration')
  assert.ok(configuration !== undefined)
  await world.admin.create(mutatingWebhookConfigurations, configuration)
  for (let step = 0; step < 6; step++) await world.pass(1_000)
  assert.deepEqual(await world.bundles(), [(await world.secret())['ca.crt']])
})
