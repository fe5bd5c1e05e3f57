// The certificate from the cluster (§2.14), against a cluster that signs what a test approves.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import {
  drain,
  issueCertificate,
  ManualClock,
  parseCertificate,
  requestCertificate,
  seededRandom,
  silentLog,
  type TlsServerOptions,
} from '#base'
import type { KubeObject, ObjectKey, ResourceType } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { Metrics } from '#runtime'
import { ecKey, servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import { serviceNames } from '../manifests/issuer.ts'
import { clusterCertificate } from './cluster-certificate.ts'

const hour = 3_600_000

test('a pair is asked for, kept in the Secret when it is approved, and the next replica serves the same', async () => {
  const cluster = new Signer()
  const first = cluster.start()
  await cluster.clock.advance(4_000)
  assert.equal(cluster.requests.length, 1)
  assert.deepEqual(cluster.requests[0]?.spec, {
    request: cluster.requests[0]?.spec.request,
    signerName: 'example.com/serving',
    usages: ['digital signature', 'key encipherment', 'server auth'],
  })
  cluster.approve()
  await cluster.clock.advance(2_000)
  const served = await first.pair
  assert.equal(parseCertificate(served.certificate).subject.commonName, 'pod-identity-webhook.eks.svc')
  const second = cluster.start()
  await drain()
  assert.equal((await second.pair).certificate, served.certificate)
  assert.equal(cluster.requests.length, 1)
})

test('it is renewed before it ends, once for all replicas', async () => {
  const cluster = new Signer()
  const [one, other] = [cluster.start(), cluster.start()]
  await drain()
  cluster.approve()
  await cluster.clock.advance(2_000)
  const [a, b] = await Promise.all([one.pair, other.pair])
  assert.equal(a.certificate, b.certificate, 'who lost the race serves the winner’s')
  const stop = new AbortController()
  const taken: string[][] = [[], []]
  let held = a.certificate
  const following = [one, other].map((replica, index) =>
    replica.source.follow(
      a,
      next => {
        taken[index]?.push(next.certificate)
        assert.ok(parseCertificate(held).validUntil - cluster.clock.now() > hour / 10, 'renewed when it had run out')
        if (index === 1) held = next.certificate
      },
      stop.signal,
    ),
  )
  cluster.approvesAll = true
  await cluster.clock.advance(3 * hour)
  // Renewed within the last minute it is not seen by the other replica yet; the next renewal is far more than a minute away.
  if (taken[0]?.at(-1) !== taken[1]?.at(-1)) await cluster.clock.advance(62_000)
  assert.ok(taken.every(list => list.length >= 1))
  assert.deepEqual(taken[0], taken[1], 'each renewal is one for all replicas')
  assert.ok(parseCertificate(taken[0]?.at(-1) ?? '').validUntil > cluster.clock.now())
  assert.match(cluster.metrics.expose(), /certificate_manager_server_rotation_seconds_count [1-9]/)
  stop.abort(new Error('the test ends'))
  await Promise.all(following)
  assert.equal(cluster.clock.pendingCount(), 0)
})

test('a refused request, and a cluster that does not answer, are tried again', async () => {
  const cluster = new Signer()
  cluster.isAway = true
  const { pair } = cluster.start()
  await cluster.clock.advance(20_000)
  cluster.isAway = false
  await cluster.clock.advance(8_000)
  cluster.refuse()
  await cluster.clock.advance(20_000)
  cluster.approve()
  await cluster.clock.advance(4_000)
  assert.ok((await pair).certificate.includes('BEGIN CERTIFICATE'))
})

test('a replica that starts late in the life of a pair, and whose request nobody approves, serves that pair as long as it lasts', async () => {
  const cluster = new Signer()
  cluster.validMs = 20 * hour
  const first = cluster.start()
  await drain()
  cluster.approve()
  await cluster.clock.advance(2_000)
  const { certificate } = await first.pair
  await cluster.clock.advance(18.1 * hour)
  const second = cluster.start()
  await cluster.clock.advance(4_000)
  assert.equal(cluster.requests.length, 2, 'the pair is due, and another one is asked for')
  await cluster.clock.advance(15 * 60_000)
  assert.equal((await second.pair).certificate, certificate)
  await cluster.clock.advance(2 * hour)
  let isServed = false
  void cluster.start().pair.then(() => (isServed = true))
  await cluster.clock.advance(15 * 60_000)
  assert.ok(!isServed, 'what has run out is served by nobody who starts')
})

test('a pair in the Secret whose key is of another certificate is replaced', async () => {
  const cluster = new Signer()
  const first = cluster.start()
  await drain()
  cluster.approve()
  await cluster.clock.advance(2_000)
  const { certificate } = await first.pair
  cluster.mixUp()
  const second = cluster.start()
  await drain()
  cluster.approve()
  await cluster.clock.advance(2_000)
  assert.notEqual((await second.pair).certificate, certificate)
})

test('the request says what openssl reads from it', t => {
  const cluster = new Signer()
  const key = ecKey()
  let text: string
  try {
    text = execFileSync('openssl', ['req', '-noout', '-text', '-verify'], {
      input: cluster.requestOf(key),
      stdio: 'pipe',
    }).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return t.skip('no openssl here')
    throw error
  }
  assert.match(text, /Subject: CN ?= ?pod-identity-webhook\.eks\.svc/)
  assert.match(
    text,
    /DNS:pod-identity-webhook, DNS:pod-identity-webhook\.eks, DNS:pod-identity-webhook\.eks\.svc, DNS:pod-identity-webhook\.eks\.svc\.cluster\.local/,
  )
})

interface RequestObject extends KubeObject {
  readonly spec: { readonly request: string; readonly signerName: string; readonly usages: readonly string[] }
  status?: { certificate?: string; conditions?: { type: string; message: string }[] }
}

/** Knows one Secret and any number of requests, and signs for two hours when nothing else is said. */
class Signer {
  readonly clock = new ManualClock()
  readonly metrics = new Metrics()
  readonly requests: RequestObject[] = []
  approvesAll = false
  isAway = false
  validMs = 2 * hour
  #secret: KubeObject | undefined
  #version = 1
  readonly #ca = servingPair({ usage: 'ca' })
  readonly #keys: string[] = []
  #serial = 1
  #replicas = 0

  start() {
    const source = clusterCertificate({
      client: this.#client(),
      clock: this.clock,
      // Each replica has its own chance, and so its own name for its request.
      random: seededRandom(++this.#replicas),
      keys: {
        generateEc: () => {
          const key = ecKey()
          this.#keys.push(key)
          return Promise.resolve(key)
        },
      },
      log: silentLog,
      metrics: this.metrics,
      namespace: 'eks',
      serviceName: 'pod-identity-webhook',
      secretName: 'pod-identity-webhook',
      signerName: 'example.com/serving',
    })
    const pair: Promise<TlsServerOptions> = source.first(new AbortController().signal)
    return { source, pair }
  }

  approve(): void {
    for (const request of this.requests) this.#sign(request)
  }

  refuse(): void {
    for (const request of this.requests) request.status ??= { conditions: [{ type: 'Denied', message: 'not today' }] }
  }

  /** Somebody wrote another key into the Secret. */
  mixUp(): void {
    const { data, ...rest } = this.#secret as KubeObject & { readonly data: object }
    this.#secret = this.#stored({ ...rest, data: { ...data, 'tls.key': Buffer.from(ecKey()).toString('base64') } } as KubeObject)
  }

  requestOf(key: string): string {
    return requestCertificate({
      subject: { commonName: 'pod-identity-webhook.eks.svc' },
      key,
      names: { dns: serviceNames('pod-identity-webhook', 'eks') },
    })
  }

  #sign(request: RequestObject): void {
    if (request.status !== undefined) return
    const now = this.clock.now()
    const certificate = issueCertificate({
      subject: { commonName: 'pod-identity-webhook.eks.svc' },
      // Keys are made in the order of the requests.
      key: this.#keys[this.requests.indexOf(request)] ?? '',
      names: { dns: serviceNames('pod-identity-webhook', 'eks') },
      usage: 'server',
      validFrom: now - 1_000,
      validUntil: now + this.validMs,
      serial: Uint8Array.of(1, this.#serial++),
      issuer: this.#ca,
    })
    request.status = { certificate: Buffer.from(certificate).toString('base64') }
  }

  #client(): KubeClient {
    const guard = (): void => {
      if (this.isAway) throw new KubeError('unreachable', 'nobody is there')
    }
    return {
      find: async (type: ResourceType, { name }: ObjectKey) => {
        guard()
        return type.kind === 'Secret' ? this.#secret : this.requests.find(({ metadata }) => metadata.name === name)
      },
      create: async (type: ResourceType, object: RequestObject) => {
        guard()
        if (type.kind === 'Secret') {
          if (this.#secret !== undefined) throw refusal('AlreadyExists')
          this.#secret = this.#stored(object)
        } else {
          this.requests.push(object)
          if (this.approvesAll) this.#sign(object)
        }
        return object
      },
      update: async (_: ResourceType, object: KubeObject) => {
        guard()
        if (object.metadata.resourceVersion !== this.#secret?.metadata.resourceVersion) throw refusal('Conflict')
        this.#secret = this.#stored(object)
        return object
      },
    } as unknown as KubeClient
  }

  #stored(object: KubeObject): KubeObject {
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } }
  }
}

function refusal(reason: string): KubeError {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    message: reason,
    code: 409,
  } as const
  return new KubeError('refused', reason, { httpStatus: 409, status })
}
