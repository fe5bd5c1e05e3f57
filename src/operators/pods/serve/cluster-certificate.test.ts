// The certificate from the cluster (§2.14), against a cluster that signs what a test approves.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import {
  type CertificateRequest,
  createLogTo,
  drain,
  issueCertificate,
  ManualClock,
  parseCertificate,
  type Random,
  requestCertificate,
  seededRandom,
  type TlsServerOptions,
} from '#base'
import type { KubeObject, ObjectKey, ResourceType } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { Metrics } from '#runtime'
import { ecKey, servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import { serviceNames } from '../manifests/issuer.ts'
import { clusterCertificate } from './cluster-certificate.ts'

const hour = 3_600_000
const again = 'no serving certificate from the cluster yet; trying again'

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

test('how old a certificate was when another took its place is counted, in seconds [§2.14]', async () => {
  const cluster = new Signer()
  const { source, pair } = cluster.start()
  await drain()
  cluster.approve()
  await cluster.clock.advance(2_000)
  const first = await pair
  cluster.approvesAll = true
  const ages: number[] = []
  const { validFrom } = parseCertificate(first.certificate)
  const stop = new AbortController()
  const following = source.follow(first, () => void ages.push((cluster.clock.now() - validFrom) / 1_000), stop.signal)
  while (ages.length === 0) await cluster.clock.advance(60_000)
  stop.abort(new Error('the test ends'))
  await drain()
  await following
  const shown = cluster.metrics.expose()
  assert.equal(Number(/^certificate_manager_server_rotation_seconds_sum (.*)$/m.exec(shown)?.[1]), ages[0])
  const bounds = [...shown.matchAll(/^certificate_manager_server_rotation_seconds_bucket\{le="([^"]+)"\}/gm)]
  assert.equal(bounds.map(([, bound]) => bound).join(' '), '60 3600 14400 86400 604800 2592000 7776000 31536000 +Inf')
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

test('what is asked for waits for approval, and the log says by which command and by whom it is signed [§2.14]', async () => {
  const cluster = new Signer()
  cluster.start()
  await drain()
  const [{ metadata } = assert.fail()] = cluster.requests
  assert.match(metadata.name ?? '', /^pod-identity-webhook\.eks\.svc-[0-9a-f]{8}$/)
  assert.deepEqual(cluster.lines, [
    [
      'warn',
      'a serving certificate was requested and waits for approval',
      {
        approve: `kubectl certificate approve ${metadata.name}`,
        signer: 'example.com/serving',
        otherwise: 'mount a pair of your own and use --in-cluster=false',
      },
    ],
  ])
})

test('where nothing may be asked for, that is told, and nobody is to approve anything', async () => {
  const cluster = new Signer()
  let calls = 0
  cluster.beforeAnswer = () => {
    if (++calls === 2) throw new KubeError('refused', 'no right to make requests')
  }
  cluster.start()
  await drain()
  assert.deepEqual(cluster.lines, [['error', again, { error: 'no right to make requests' }]])
})

test('every two seconds it is looked whether it was approved', async () => {
  const cluster = new Signer()
  const { pair } = cluster.start()
  let isServed = false
  void pair.then(() => (isServed = true))
  await drain()
  cluster.approve()
  await cluster.clock.advance(1_999)
  assert.equal(isServed, false)
  await cluster.clock.advance(1)
  assert.equal(isServed, true)
})

for (const [what, approvedOrNot, afterMs, said] of [
  ['nobody approves', () => {}, 900_000, 'the certificate request was not approved'],
  ['somebody deletes', (cluster: Signer) => void cluster.requests.splice(0), 2_000, 'the certificate request was not approved'],
  ['is denied', (cluster: Signer) => cluster.refuse({ type: 'Denied', message: 'not today' }), 2_000, /was refused: not today$/],
  ['cannot be signed', (cluster: Signer) => cluster.refuse({ type: 'Failed' }), 2_000, /was refused: Failed$/],
] as const)
  test(`a request that ${what} is told after ${afterMs / 1_000} seconds, and another one is made 5 seconds later [§2.14]`, async () => {
    const cluster = new Signer()
    cluster.start()
    await drain()
    const names = new Set(cluster.requests.map(({ metadata }) => metadata.name))
    cluster.lines.splice(0)
    approvedOrNot(cluster)
    const others = (): number => cluster.requests.filter(({ metadata }) => !names.has(metadata.name)).length
    await cluster.clock.advance(afterMs - 1)
    assert.equal(cluster.lines.length, 0)
    await cluster.clock.advance(1)
    const [[level, message, { error } = assert.fail()] = assert.fail()] = cluster.lines
    assert.deepEqual([level, message], ['error', again])
    if (typeof said === 'string') assert.equal(error, said)
    else assert.match(String(error), said)
    await cluster.clock.advance(4_999)
    assert.equal(others(), 0)
    await cluster.clock.advance(1)
    assert.equal(others(), 1)
  })

test('conditions that are no refusal are waited behind', async () => {
  const cluster = new Signer()
  const { pair } = cluster.start()
  await drain()
  for (const request of cluster.requests) request.status = { conditions: [{ type: 'Approved', message: 'by hand' }] }
  await cluster.clock.advance(2_000)
  for (const request of cluster.requests) delete request.status
  cluster.approve()
  await cluster.clock.advance(2_000)
  assert.match((await pair).certificate, /BEGIN CERTIFICATE/)
})

for (const [what, kept, isServed] of [
  ['that is whole', {}, true],
  ['that is valid from this moment on', { from: 0 }, true],
  ['that is not valid yet', { from: 1_000 }, false],
  ['that was valid to this moment', { from: -2_000, until: 0 }, false],
  ['for more names', { names: [...serviceNames('pod-identity-webhook', 'eks'), 'more'] }, true],
  ['for fewer names', { names: serviceNames('pod-identity-webhook', 'eks').slice(1) }, false],
  ['without a certificate', { 'tls.crt': undefined }, false],
  ['without a key', { 'tls.key': undefined }, false],
  ['with an empty certificate', { 'tls.crt': '' }, false],
  ['with an empty key', { 'tls.key': '' }, false],
  ['with a certificate that is none', { 'tls.crt': Buffer.from('garbage').toString('base64') }, false],
  ['with the key of another', { 'tls.key': Buffer.from(ecKey()).toString('base64') }, false],
] as const satisfies readonly (readonly [string, Kept, boolean])[])
  test(`a pair in the Secret ${what} is ${isServed ? 'served' : 'not served'} [§2.14]`, async () => {
    const cluster = new Signer()
    const certificate = cluster.keep(kept)
    const { pair } = cluster.start()
    await drain()
    assert.equal(cluster.requests.length, isServed ? 0 : 1)
    if (isServed) assert.equal((await pair).certificate, certificate)
  })

test('a pair that runs out while another one is asked for is served no more', async () => {
  const cluster = new Signer()
  cluster.keep({ from: -100_000, until: 2_000 })
  cluster.start()
  await drain()
  cluster.requests.splice(0)
  await cluster.clock.advance(2_000)
  assert.deepEqual(cluster.lines.at(-1), ['error', again, { error: 'the certificate request was not approved' }])
})

for (const [drawn, leftMs, isDue] of [
  [0, 2_000_000, false],
  [0, 1_999_000, true],
  [0.5, 4_000_001, false],
  [0.5, 3_999_000, true],
  [1, 6_000_001, false],
  [1, 5_999_000, true],
] as const)
  test(`of a life of 20,000 seconds ${leftMs} ms are left: by a draw of ${drawn} it is ${isDue ? '' : 'not '}renewed [§2.14]`, async () => {
    const cluster = new Signer()
    cluster.keep({ from: -1_000, until: 19_999_000 })
    await cluster.clock.advance(19_999_000 - leftMs)
    const random = { ...seededRandom(1), uuid: () => 'drawn-of-all', fork: () => ({ float: () => drawn }) } as unknown as Random
    cluster.start(random)
    await drain()
    assert.equal(cluster.requests.length, isDue ? 1 : 0)
  })

/** Somebody else is faster, or what is written does not stay. */
for (const [what, interfere, isOther] of [
  ['was made meanwhile', (cluster: Signer) => cluster.keep({}), true],
  ['was made meanwhile without a key', (cluster: Signer) => cluster.keep({ 'tls.key': undefined }), false],
  ['was made meanwhile with an empty key', (cluster: Signer) => cluster.keep({ 'tls.key': '' }), false],
  ['was made meanwhile with an empty certificate', (cluster: Signer) => cluster.keep({ 'tls.crt': '' }), false],
] as const)
  for (const isThere of [false, true])
    test(`where the Secret ${isThere ? 'holds a pair that has run out and ' : ''}${what}, ${isOther ? 'the other pair' : 'the own one'} is served [§2.14]`, async () => {
      const cluster = new Signer()
      if (isThere) cluster.keep({ from: -2_000, until: -1_000 })
      const { pair } = cluster.start()
      await drain()
      cluster.approve()
      let other = ''
      cluster.beforeStore = () => {
        cluster.beforeStore = () => {}
        other = interfere(cluster)
      }
      await cluster.clock.advance(2_000)
      const { certificate } = await pair
      assert.equal(certificate === other, isOther)
      assert.equal(parseCertificate(certificate).subject.commonName, 'pod-identity-webhook.eks.svc')
    })

test('where the Secret is gone again when it is read, the own pair is served [§2.14]', async () => {
  const cluster = new Signer()
  const { pair } = cluster.start()
  await drain()
  cluster.approve()
  cluster.beforeStore = () => {
    throw refusal('AlreadyExists')
  }
  await cluster.clock.advance(2_000)
  assert.match((await pair).certificate, /BEGIN CERTIFICATE/)
})

test('a pair that cannot be written is not served, and another one is asked for', async () => {
  const cluster = new Signer()
  const { pair } = cluster.start()
  await drain()
  cluster.approve()
  cluster.beforeStore = () => {
    throw refusal('Forbidden')
  }
  let isServed = false
  void pair.then(() => (isServed = true))
  await cluster.clock.advance(2_000)
  assert.deepEqual([isServed, cluster.lines.at(-1)], [false, ['error', again, { error: 'Forbidden' }]])
  await cluster.clock.advance(5_000)
  assert.equal(cluster.requests.length, 2)
})

test('what else is in the Secret stays, and it becomes one for TLS', async () => {
  const cluster = new Signer()
  cluster.keep({ from: -2_000, until: -1_000 }, { labels: { l: 'x' } })
  const { pair } = cluster.start()
  await drain()
  cluster.approve()
  await cluster.clock.advance(2_000)
  const { certificate, key } = await pair
  const { metadata, ...rest } = cluster.secret as KubeObject
  assert.deepEqual(metadata.labels, { l: 'x' })
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  const data = { 'tls.crt': encoded(certificate), 'tls.key': encoded(key) }
  assert.deepEqual(rest, { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', data })
})

test('a pair that another replica puts into the Secret is served within a minute, told once, and not asked for [§2.14]', async () => {
  const cluster = new Signer()
  const first = cluster.keep({ from: -2_000 })
  const { source, pair } = cluster.start()
  const taken: string[] = []
  const stop = new AbortController()
  const following = source.follow(await pair, ({ certificate }) => void taken.push(certificate), stop.signal)
  await cluster.clock.advance(60_000)
  assert.deepEqual([taken, cluster.lines], [[], []])
  const second = cluster.keep({})
  assert.notEqual(second, first)
  await cluster.clock.advance(59_999)
  assert.deepEqual(taken, [])
  await cluster.clock.advance(1)
  await cluster.clock.advance(120_000)
  assert.deepEqual([taken, cluster.requests.length], [[second], 0])
  assert.deepEqual(cluster.lines, [['info', 'serving certificate replaced', { secret: 'pod-identity-webhook' }]])
  stop.abort(new Error('the test ends'))
  await drain()
  await following
})

test('where the Secret is gone and nobody approves another pair, the one that is held goes on being served', async () => {
  const cluster = new Signer()
  cluster.keep({})
  const { source, pair } = cluster.start()
  const stop = new AbortController()
  const following = source.follow(await pair, () => assert.fail('taken'), stop.signal)
  cluster.lose()
  await cluster.clock.advance(60_000 + 900_000 + 60_000)
  assert.equal(cluster.requests.length, 2)
  assert.deepEqual(
    cluster.lines.filter(([level]) => level === 'error'),
    [],
  )
  stop.abort(new Error('the test ends'))
  await drain()
  await following
})

test('while the cluster is away what is held goes on being served; told to stop, it says no more', async () => {
  const cluster = new Signer()
  cluster.keep({})
  const { source, pair } = cluster.start()
  const stop = new AbortController()
  const following = source.follow(await pair, () => assert.fail('taken'), stop.signal)
  cluster.isAway = true
  await cluster.clock.advance(60_000)
  assert.deepEqual(cluster.lines, [['error', again, { error: 'nobody is there' }]])
  cluster.beforeAnswer = () => stop.abort(new Error('the test ends'))
  await cluster.clock.advance(60_000)
  await following
  assert.equal(cluster.lines.length, 1)
})

test('told to stop while it waits for a pair, it ends with the reason', async () => {
  const cluster = new Signer()
  cluster.isAway = true
  const stop = new AbortController()
  const ends: string[] = []
  cluster.start(undefined, stop.signal).pair.catch((error: Error) => ends.push(error.message))
  await drain()
  stop.abort(new Error('told to stop'))
  await drain()
  assert.deepEqual([ends, cluster.clock.pendingCount()], [['told to stop'], 0])
})

/** A pair as somebody left it in the Secret; times from now on, and what is in its place. */
interface Kept {
  readonly from?: number
  readonly until?: number
  readonly names?: readonly string[]
  readonly 'tls.crt'?: string | undefined
  readonly 'tls.key'?: string | undefined
}

interface RequestObject extends KubeObject {
  readonly spec: { readonly request: string; readonly signerName: string; readonly usages: readonly string[] }
  status?: { certificate?: string; conditions?: { type: string; message?: string }[] }
}

/** Knows one Secret and any number of requests, and signs for two hours when nothing else is said. */
class Signer {
  readonly clock = new ManualClock()
  readonly metrics = new Metrics()
  readonly requests: RequestObject[] = []
  /** What was logged. */
  readonly lines: [string, string, Readonly<Record<string, unknown>> | undefined][] = []
  /** Before each answer, and before the Secret is written. */
  beforeAnswer: () => void = () => {}
  beforeStore: () => void = () => {}
  approvesAll = false
  isAway = false
  validMs = 2 * hour
  #secret: KubeObject | undefined
  #version = 1
  readonly #ca = servingPair({ usage: 'ca' })
  readonly #keys: string[] = []
  #serial = 1
  #replicas = 0

  start(random?: Random, signal: AbortSignal = new AbortController().signal) {
    const source = clusterCertificate({
      client: this.#client(),
      clock: this.clock,
      // Each replica has its own chance, and so its own name for its request.
      random: random ?? seededRandom(++this.#replicas),
      keys: {
        generateEc: () => {
          const key = ecKey()
          this.#keys.push(key)
          return Promise.resolve(key)
        },
      },
      log: createLogTo(this, (level, message, fields) => void this.lines.push([level, message, fields])),
      metrics: this.metrics,
      namespace: 'eks',
      serviceName: 'pod-identity-webhook',
      secretName: 'pod-identity-webhook',
      signerName: 'example.com/serving',
    })
    const pair: Promise<TlsServerOptions> = source.first(signal)
    return { source, pair }
  }

  approve(): void {
    for (const request of this.requests) this.#sign(request)
  }

  refuse(condition: { type: string; message?: string } = { type: 'Denied', message: 'not today' }): void {
    for (const request of this.requests) request.status ??= { conditions: [condition] }
  }

  get secret(): KubeObject | undefined {
    return this.#secret
  }

  /** Somebody puts a pair into the Secret; gives its certificate. */
  keep({ from = -1_000, until = 20 * hour, names, ...data }: Kept, metadata: object = {}): string {
    const key = ecKey()
    const now = this.clock.now()
    const request: CertificateRequest = {
      subject: { commonName: 'pod-identity-webhook.eks.svc' },
      key,
      names: { dns: names ?? serviceNames('pod-identity-webhook', 'eks') },
      usage: 'server',
      validFrom: now + from,
      validUntil: now + until,
      serial: Uint8Array.of(2, this.#serial++),
      issuer: this.#ca,
    }
    const certificate = issueCertificate(request)
    const encoded = (text: string): string => Buffer.from(text).toString('base64')
    const kept = { 'tls.crt': encoded(certificate), 'tls.key': encoded(key), ...data }
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, name: 'pod-identity-webhook' }, data: kept }
    this.#secret = this.#stored(object as KubeObject)
    return certificate
  }

  lose(): void {
    this.#secret = undefined
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
      this.beforeAnswer()
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
          this.beforeStore()
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
        this.beforeStore()
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
