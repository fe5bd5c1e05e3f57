// The certificate that the webhook makes itself, against an API server that keeps one Secret and one configuration.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { drain, ManualClock, seededRandom, silentLog, systemKeys, type TlsServerOptions } from '#base'
import type { KubeObject, ObjectKey, ResourceType, StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { Metrics } from '#runtime'
import { rotatedCertificate } from './rotated-certificate.ts'
import { trustBundle } from './trust.ts'

const dayMs = 24 * 3_600_000
const namespace = 'home'
const dnsName = 'azure-wi-webhook-webhook-service.home.svc'

type Loose = StoredObject & { data?: Record<string, string>; webhooks?: { clientConfig: { caBundle?: string } }[] }

class Cluster {
  readonly clock = new ManualClock()
  readonly objects = new Map<string, Loose>()
  writes = 0
  away = false
  #version = 1
  readonly client: KubeClient

  constructor() {
    this.client = {
      find: (type: ResourceType, key: ObjectKey) =>
        this.away
          ? Promise.reject(new KubeError('unreachable', 'away'))
          : Promise.resolve(this.objects.get(`${type.kind}/${key.name}`)),
      create: (_: ResourceType, object: KubeObject) => this.#write(object, undefined),
      update: (_: ResourceType, object: KubeObject) => this.#write(object, object.metadata.resourceVersion ?? ''),
    } as unknown as KubeClient
    this.#write(
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'azure-wi-webhook-mutating-webhook-configuration' },
        webhooks: [{ clientConfig: {} }, { clientConfig: {} }],
      } as KubeObject,
      undefined,
    ).catch(assert.ifError)
  }

  async #write(object: KubeObject, version: string | undefined): Promise<void> {
    const id = `${object.kind}/${object.metadata.name}`
    const held = this.objects.get(id)
    await drain()
    if (
      held?.metadata.resourceVersion !== this.objects.get(id)?.metadata.resourceVersion ||
      held?.metadata.resourceVersion !== version
    ) {
      throw new KubeError('refused', 'somebody was faster', {
        httpStatus: 409,
        status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Conflict', code: 409 },
      })
    }
    this.writes++
    const metadata = { ...object.metadata, name: object.metadata.name ?? '', uid: id, resourceVersion: String(this.#version++) }
    this.objects.set(id, { ...object, metadata } as Loose)
  }

  source(seed = 1): ReturnType<typeof rotatedCertificate> {
    const { client, clock } = this
    return rotatedCertificate({
      client,
      clock,
      random: seededRandom(seed),
      keys: systemKeys,
      log: silentLog,
      metrics: new Metrics(),
      namespace,
    })
  }

  get secret(): Record<string, string> {
    const data = this.objects.get('Secret/azure-wi-webhook-server-cert')?.data ?? {}
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]))
  }

  get bundles(): readonly string[] {
    const found = this.objects.get('MutatingWebhookConfiguration/azure-wi-webhook-mutating-webhook-configuration')
    return (found?.webhooks ?? []).map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString())
  }
}

/** Signed by that authority, and for the name of the Service. */
function assertServed({ certificate }: TlsServerOptions, authority: string): void {
  const served = new X509Certificate(certificate)
  assert.ok(served.verify(new X509Certificate(authority).publicKey))
  assert.equal(served.checkHost(dnsName), dnsName)
}

test('a pair is made, kept under the four keys that upstream has, and trusted by every webhook of the configuration', async () => {
  const cluster = new Cluster()
  await drain()
  const served = await cluster.source().first(new AbortController().signal)
  assert.deepEqual(Object.keys(cluster.secret).sort(), ['ca.crt', 'ca.key', 'tls.crt', 'tls.key'])
  assertServed(served, cluster.secret['ca.crt'] ?? '')
  assert.deepEqual(cluster.bundles, [cluster.secret['ca.crt'], cluster.secret['ca.crt']])
  const authority = new X509Certificate(cluster.secret['ca.crt'] ?? '')
  assert.match(authority.subject, /CN=azure-workload-identity-ca/)
  assert.match(authority.subject, /O=azure-workload-identity/)
  assert.equal(Math.round((Date.parse(authority.validTo) - cluster.clock.now()) / dayMs), 3_650)
})

test('whoever comes later serves the same pair and writes nothing', async () => {
  const cluster = new Cluster()
  await drain()
  const first = await cluster.source().first(new AbortController().signal)
  const { writes } = cluster
  const second = await cluster.source(2).first(new AbortController().signal)
  assert.equal(second.certificate, first.certificate)
  assert.equal(cluster.writes, writes)
})

test('of two that start at once one makes the pair, and the other serves it', async () => {
  const cluster = new Cluster()
  await drain()
  const signal = new AbortController().signal
  const [one, other] = await Promise.all([cluster.source(1).first(signal), cluster.source(2).first(signal)])
  assert.equal(one.certificate, other.certificate)
})

test('a serving certificate is renewed while ninety days are left, and the authority stays', async () => {
  const cluster = new Cluster()
  await drain()
  const source = cluster.source()
  const stop = new AbortController()
  const first = await source.first(stop.signal)
  let take: (next: TlsServerOptions) => void = () => {}
  const taken = new Promise<TlsServerOptions>(resolve => {
    take = resolve
  })
  const authority = cluster.secret['ca.crt']
  await cluster.clock.advance(270 * dayMs)
  assert.equal((await cluster.source(2).first(stop.signal)).certificate, first.certificate, 'renewed too early')
  await cluster.clock.advance(6 * dayMs)
  const following = source.follow(first, take, stop.signal)
  await cluster.clock.advance(60_000)
  const next = await taken
  const left = Date.parse(new X509Certificate(first.certificate).validTo) - cluster.clock.now()
  assert.ok(left > 85 * dayMs && left < 90 * dayMs, `${left / dayMs} days were left`)
  assert.equal(cluster.secret['ca.crt'], authority)
  assert.notEqual(next.certificate, first.certificate)
  assertServed(next, authority ?? '')
  stop.abort(new Error('the test ends'))
  await following
})

test('a configuration that is applied after the start is trusted within seconds', async () => {
  const cluster = new Cluster()
  await drain()
  const id = 'MutatingWebhookConfiguration/azure-wi-webhook-mutating-webhook-configuration'
  const configuration = cluster.objects.get(id)
  assert.ok(configuration !== undefined)
  cluster.objects.delete(id)
  const stopping = new AbortController()
  const source = cluster.source()
  const served = await source.first(stopping.signal)
  const following = source.follow(served, () => assert.fail('nothing new'), stopping.signal)
  await cluster.clock.advance(5_000)
  await drain()
  cluster.objects.set(id, configuration)
  await cluster.clock.advance(5_000)
  await drain()
  assert.deepEqual(cluster.bundles, [cluster.secret['ca.crt'], cluster.secret['ca.crt']])
  stopping.abort()
  await following
})

test('an API server that is away is asked again, ever more slowly, and nothing ends', async () => {
  const cluster = new Cluster()
  await drain()
  cluster.away = true
  const pending = cluster.source().first(new AbortController().signal)
  await drain()
  await cluster.clock.advance(1_000)
  await cluster.clock.advance(2_000)
  cluster.away = false
  await cluster.clock.advance(4_000)
  assertServed(await pending, cluster.secret['ca.crt'] ?? '')
})

test('a Secret with garbage in it is made anew', async () => {
  const cluster = new Cluster()
  await drain()
  await cluster.source().first(new AbortController().signal)
  const held = cluster.objects.get('Secret/azure-wi-webhook-server-cert') as Loose
  const garbage = Buffer.from('garbage').toString('base64')
  cluster.objects.set('Secret/azure-wi-webhook-server-cert', {
    ...held,
    data: { ...held.data, 'ca.crt': garbage, 'tls.crt': garbage },
  })
  const served = await cluster.source(2).first(new AbortController().signal)
  assertServed(served, cluster.secret['ca.crt'] ?? '')
})

test('the authority before the last stays trusted while it lasts, and no third', async () => {
  const [a, b, c] = await Promise.all(
    [1, 2, 3].map(async seed => {
      const cluster = new Cluster()
      await drain()
      await cluster.source(seed).first(new AbortController().signal)
      return cluster.secret['ca.crt'] ?? ''
    }),
  )
  const now = new ManualClock().now()
  assert.equal(trustBundle(b ?? '', a ?? '', now), `${b?.trim()}\n${a?.trim()}\n`)
  assert.equal(trustBundle(b ?? '', trustBundle(b ?? '', a ?? '', now), now), `${b?.trim()}\n${a?.trim()}\n`)
  assert.equal(trustBundle(c ?? '', trustBundle(b ?? '', a ?? '', now), now), `${c?.trim()}\n${b?.trim()}\n`)
  assert.equal(trustBundle(b ?? '', a ?? '', now + 4_000 * dayMs), `${b?.trim()}\n`)
})
