// What is known of a call that was refused says nothing of the next one, whose answer is lost: what that one made is waited for, found, and
// neither made twice nor left behind.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { type HttpExchange, HttpFailure, type HttpRequest, type HttpResponse, issueCertificate, type ManualClock } from '#base'
import { type KubeObject, secrets } from '#kube'
import { annotations, conditions } from '../api.ts'
import { type ResourceWorld, resourceWorld } from '../testing/world.ts'

interface Fate {
  readonly isCreate: (request: HttpRequest) => boolean
  /** Whether a create call is refused rather than sent on. */
  readonly isRefused: (createCalls: number) => boolean
  readonly refusal: HttpResponse
  /** Lists lack what was made for so long after the answer was lost. */
  readonly lagMs: number
  readonly isList: (request: HttpRequest) => boolean
  readonly emptyList: HttpResponse
  readonly clock: () => ManualClock
}

/** Create calls are refused for a while; the first that is not takes hold, and its answer is lost. */
function refusedThenLost(fate: Fate): (exchange: HttpExchange) => HttpExchange {
  let calls = 0
  let lostAtMs: number | undefined
  return exchange => async request => {
    const isHidden = lostAtMs !== undefined && fate.clock().now() < lostAtMs + fate.lagMs
    if (isHidden && fate.isList(request)) return fate.emptyList
    if (fate.isCreate(request) && fate.isRefused(++calls)) return fate.refusal
    const answer = await exchange(request)
    if (!fate.isCreate(request) || lostAtMs !== undefined) return answer
    lostAtMs = fate.clock().now()
    throw new HttpFailure('reset', 'the connection was reset')
  }
}

const jsonAnswer = (status: number, body: object): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: Buffer.from(JSON.stringify(body)),
})

const xmlAnswer = (status: number, body: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(body),
})

const denied = xmlAnswer(403, '<Error><Code>AccessDenied</Code><Message>no</Message></Error>')

async function importing(isRefused: Fate['isRefused'], lagMs: number): Promise<ResourceWorld> {
  const targetOf = (request: HttpRequest): string => String(request.headers['x-amz-target'])
  const world: ResourceWorld = resourceWorld({
    services: ['acm'],
    secrets: ['default/pair'],
    throughAws: refusedThenLost({
      isCreate: request => targetOf(request).endsWith('.ImportCertificate'),
      isRefused,
      refusal: jsonAnswer(400, { __type: 'AccessDeniedException', message: 'no' }),
      lagMs,
      isList: request => targetOf(request).endsWith('.ListCertificates'),
      emptyList: jsonAnswer(200, { CertificateSummaryList: [] }),
      clock: () => world.clock,
    }),
  })
  await world.kube.create(secrets, pairOfKeys())
  world.start()
  const [certificate, privateKey] = ['crt', 'key'].map(key => ({ name: 'pair', key }))
  await world.create('Certificate', 'web', { certificate, privateKey })
  return world
}

function pairOfKeys(): KubeObject {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const crt = issueCertificate({
    subject: { commonName: 'www.example.com' },
    key,
    names: { dns: ['www.example.com'] },
    usage: 'server',
    validFrom: Date.UTC(2020, 0, 1),
    validUntil: Date.UTC(2049, 0, 1),
    serial: Uint8Array.of(1),
  })
  const data = Object.fromEntries(
    Object.entries({ key, crt }).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  )
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { namespace: 'default', name: 'pair' },
    data,
  } as KubeObject
}

const renderBody = ({ body }: HttpRequest): string =>
  body === undefined || body === null ? '' : Buffer.from(body as Uint8Array).toString('utf8')

const certificates = async (world: ResourceWorld): Promise<number> => {
  const { CertificateSummaryList } = await world
    .client('acm')
    .call('ListCertificates', { Includes: { keyTypes: ['EC_prime256v1'] } })
  return (CertificateSummaryList as readonly unknown[]).length
}

test('a certificate is imported once, although one import was denied, the next one’s answer was lost, and the list lags [S3, F7]', async () => {
  await using world = await importing(calls => calls === 1, 50_000)
  await world.advance(180_000)
  assert.equal(await certificates(world), 1)
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
})

test('a certificate whose import was denied for minutes is imported once all the same [S3, F7]', async () => {
  const deniedForMs = 120_000
  let since: number | undefined
  const world = await importing(() => {
    since ??= world.clock.now()
    return world.clock.now() - since < deniedForMs
  }, 50_000)
  await using _ = world
  await world.advance(1_200_000)
  assert.equal(await certificates(world), 1)
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
})

test('a bucket whose creation was denied once, and then its answer lost, goes with its object [S6]', async () => {
  const isBucketItself = ({ method, target }: HttpRequest): boolean => method === 'PUT' && !target.includes('?')
  const world: ResourceWorld = resourceWorld({
    services: ['s3'],
    throughAws: refusedThenLost({
      isCreate: isBucketItself,
      isRefused: calls => calls === 1,
      refusal: denied,
      lagMs: 0,
      isList: () => false,
      emptyList: denied,
      clock: () => world.clock,
    }),
  })
  await using _ = world
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.advance(20_000)
  await world.remove('Bucket', 'data')
  await world.advance(600_000)
  assert.equal(await world.get('Bucket', 'data'), undefined, 'the object is gone')
  const { Buckets } = await world.client('s3').call('ListBuckets')
  assert.deepEqual(Buckets ?? [], [])
})

test('who leads again after another process does not believe what it knew of its own call [S3, F3]', async () => {
  let isDenied = true
  let lostAtMs: number | undefined
  // Whose writes of the lease do not arrive.
  let cut = ''
  const targetOf = (request: HttpRequest): string => String(request.headers['x-amz-target'])
  const world: ResourceWorld = resourceWorld({
    services: ['acm'],
    secrets: ['default/pair'],
    throughAws: exchange => async request => {
      const target = targetOf(request)
      const isHidden = lostAtMs !== undefined && world.clock.now() < lostAtMs + 50_000
      if (target.endsWith('.ListCertificates') && isHidden) return jsonAnswer(200, { CertificateSummaryList: [] })
      const isImport = target.endsWith('.ImportCertificate')
      if (isImport && isDenied) return jsonAnswer(400, { __type: 'AccessDeniedException', message: 'no' })
      const answer = await exchange(request)
      if (!isImport || lostAtMs !== undefined) return answer
      lostAtMs = world.clock.now()
      cut = 'second'
      throw new HttpFailure('reset', 'the connection was reset')
    },
    throughKube: exchange => request => {
      const isLeaseOfCut = cut !== '' && request.target.includes('/leases') && renderBody(request).includes(`"${cut}"`)
      return isLeaseOfCut ? Promise.reject(new HttpFailure('reset', 'cut off')) : exchange(request)
    },
  })
  await using _ = world
  await world.kube.create(secrets, pairOfKeys())
  world.start({}, { identity: 'first', leaseDurationMs: 5_000 })
  const [certificate, privateKey] = ['crt', 'key'].map(key => ({ name: 'pair', key }))
  await world.create('Certificate', 'web', { certificate, privateKey })
  await world.advance(10_000)
  cut = 'first'
  world.start({}, { identity: 'second', leaseDurationMs: 5_000 })
  await world.advance(15_000)
  isDenied = false
  for (let second = 0; second < 120 && lostAtMs === undefined; second++) await world.advance(1_000)
  assert.equal(cut, 'second', 'the second one led, and its call was lost')
  await world.advance(300_000)
  assert.equal(await certificates(world), 1)
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
})

test('while a call is denied its note is renewed each five minutes, and no try is hurried by that', async () => {
  const tries: number[] = []
  await using world = resourceWorld({
    services: ['s3'],
    throughAws: exchange => async request => {
      if (request.method !== 'PUT' || request.target.includes('?')) return exchange(request)
      tries.push(world.clock.now())
      return denied
    },
  })
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  const notes = new Set<string>()
  for (let minute = 0; minute < 60; minute++) {
    await world.advance(60_000)
    notes.add((await world.get('Bucket', 'data'))?.metadata.annotations?.[annotations.createIntent] ?? '')
  }
  assert.ok(tries.length > 60 && tries.length <= 120, `${tries.length} tries: each half minute`)
  assert.ok(notes.size <= 13, `${notes.size} notes: one each five minutes`)
})
