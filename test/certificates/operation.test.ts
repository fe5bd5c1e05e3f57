// What an operator meets besides certificates: conflicts, other replicas, the end of its process, its own serving pair.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { type HttpExchange, HttpFailure, type HttpListener, ManualClock, memoryFiles, silentLog, systemNet } from '#base'
import { admissionPath, certKind, certValidatingConfiguration, certWebhooks, measuringTransport } from '#operators/certificates'
import { certificateInFiles, Metrics, serveWebhooks } from '#runtime'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { hubDefaults, renderHub } from '../../src/cli/testing/commands.ts'
import { certSeen } from '../../src/operators/certificates/testing/cert-seen.fixture.ts'
import { type CertWorld, certWorld, told, zoneName } from '../../src/operators/certificates/testing/cert-world.ts'

const minuteMs = 60_000
const zones = [{ name: 'k8s.example.com', id: 'Z1' }]
const rules = { allowsCrossZone: true, anyPrivateName: false, publishes: false }

function webhooks(metrics: Metrics): ReturnType<typeof certWebhooks> {
  return certWebhooks({
    failsClosed: true,
    rules,
    look: () => ({ registry: { zones }, privateZones: new Set(), others: [], forbidden: () => [] }),
    requests: metrics.counter('requests', 'Reviews.'),
  })
}

test('a serving pair that was renewed on disk is that of the next handshake of the webhook of Certs [6.7, #38]', async () => {
  const files = memoryFiles()
  const clock = new ManualClock()
  const metrics = new Metrics()
  const paths = { certificatePath: '/tls/tls.crt', keyPath: '/tls/tls.key' }
  const put = async (commonName: string): Promise<void> => {
    const pair = servingPair({ subject: { commonName } })
    await files.write(paths.certificatePath, pair.certificate)
    await files.write(paths.keyPath, pair.key)
  }
  await put('first')
  const stop = new AbortController()
  const certificate = certificateInFiles({ files, ...paths, clock, log: silentLog, metrics })
  const listening = Promise.withResolvers<HttpListener>()
  const serving = serveWebhooks(
    { clock, log: silentLog, metrics, routes: webhooks(metrics) },
    { net: systemNet, certificate, host: '127.0.0.1', port: 0 },
    stop.signal,
    listening.resolve,
  )
  const { port } = await listening.promise
  assert.equal(await servedName(port), 'first')
  await put('second')
  await clock.advance(10_000)
  assert.equal(await servedName(port), 'second')
  stop.abort(new Error('the test ends'))
  await serving
})

async function servedName(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return String(subject.CN)
}

test('a dry run of the API server is judged as every other request, and the webhook says that it does nothing else [16.8, #40]', async () => {
  const { webhooks: configured } = certValidatingConfiguration(
    {
      name: 'certs',
      service: { namespace: 'a', name: 'b', port: 443 },
      labels: {},
      annotations: {},
      caBundle: 'ca',
      operatorUser: 'u',
    },
    true,
  )
  assert.deepEqual(
    configured.map(each => (each as { readonly sideEffects: string }).sideEffects),
    ['None'],
  )
  const answers = new Map<string, unknown>()
  for (const dryRun of [true, false])
    for (const serviceName of ['api', 'Wrong']) answers.set(`${serviceName} ${dryRun}`, await review(serviceName, dryRun))
  assert.deepEqual(answers.get('api true'), answers.get('api false'))
  assert.deepEqual(answers.get('Wrong true'), answers.get('Wrong false'))
  assert.deepEqual(
    [...answers.values()].map(answer => (answer as { readonly allowed: boolean }).allowed),
    [true, false, true, false],
  )
})

async function review(serviceName: string, dryRun: boolean): Promise<unknown> {
  const handler = webhooks(new Metrics())[admissionPath]
  assert.ok(handler !== undefined)
  const { claim } = certSeen({ spec: { serviceName } })
  const { group, version, kind, plural } = certKind.type
  const request = {
    uid: 'r1',
    dryRun,
    operation: 'CREATE',
    kind: { group, version, kind },
    resource: { group, version, resource: plural },
    namespace: 'team',
    name: 'api',
    userInfo: {},
    object: claim,
  }
  const body = Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }))
  const answer = await handler({ contentType: 'application/json', body, signal: new AbortController().signal } as never)
  return (JSON.parse(Buffer.from(answer.body as Uint8Array).toString()) as { readonly response: unknown }).response
}

test('a validation record that somebody takes away while ACM validates is written again at the next look at records [#58]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateIssue: 10 * 3_600_000 } } })
  const zone = await world.zone(zoneName)
  world.start()
  await world.apply('api')
  await world.until('api', 'Validated')
  const [record = ''] = await world.records(zone)
  const [Name = '', Type = '', value = ''] = record.split(' ')
  await world.write(zone, 'DELETE', { Name, Type, values: [value] })
  assert.deepEqual(await world.records(zone), [])
  await world.advance(31 * minuteMs)
  assert.deepEqual(await world.records(zone), [record])
})

test('a clock that is five minutes off is told by the dates of the answers of AWS [#59]', async () => {
  const clock = new ManualClock()
  for (const aheadMs of [300_000, -300_000]) {
    const headers = { date: new Date(clock.now() + aheadMs).toUTCString() }
    const answer: HttpExchange = () => Promise.resolve({ status: 200, headers, body: null })
    const { transport, skewMs } = measuringTransport({ to: () => answer, close: () => Promise.resolve() }, clock)
    assert.equal(skewMs(), 0)
    await transport.to('https://acm')({ method: 'POST', target: '/', headers: {}, body: null })
    assert.ok(Math.abs(skewMs() - aheadMs) <= 1_000, String(skewMs()))
  }
})

test('a person who edits the object at the same time costs another try, and no certificate [#60]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  let edits = 0
  const editing =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const body = request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : ''
      if (request.method === 'PATCH' && request.target.includes('/status') && body.includes('certificateArn') && edits < 3) {
        edits++
        await world.change('api', { metadata: { labels: { edit: String(edits) } } })
      }
      return exchange(request)
    }
  world.start({ through: editing })
  await world.apply('api')
  const cert = await world.until('api', 'Ready')
  assert.ok(edits > 0)
  assert.deepEqual(await world.arns(), [cert.status?.certificateArn])
  assert.equal(cert.metadata.labels?.edit, String(edits))
})

test('a leader that dies in the middle of a request is followed within 25 seconds, and there is one certificate [15.1, #118]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  let isCut = false
  const cut =
    (exchange: HttpExchange): HttpExchange =>
    request =>
      isCut ? Promise.reject(new HttpFailure('reset', 'cut')) : exchange(request)
  const cutAfterRequest =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      if (isCut) throw new HttpFailure('reset', 'cut')
      const answer = await exchange(request)
      if (String(request.headers['x-amz-target'] ?? '').endsWith('.RequestCertificate')) {
        isCut = true
        throw new HttpFailure('reset', 'cut')
      }
      return answer
    }
  world.start({ replica: { identity: 'first', leaseDurationMs: 15_000 }, through: cut, throughAws: cutAfterRequest })
  await world.settle()
  const second = world.start({ replica: { identity: 'second', leaseDurationMs: 15_000 } })
  await world.settle()
  await world.apply('api')
  await world.advance(5_000)
  assert.ok(isCut)
  assert.deepEqual(second.passes, [])
  await world.advance(20_000)
  assert.ok(second.passes.length > 0, 'nobody took over')
  const cert = await world.until('api', 'Ready')
  assert.deepEqual(await world.arns(), [cert.status?.certificateArn])
  assert.equal(told(cert).Ready, 'True Issued')
})

test('with two replicas a drain leaves one, of the very pods that the Deployment makes [14, #119]', async () => {
  const objects = await renderHub({
    ...hubDefaults,
    replicas: 2,
    args: ['--controllers=certificates', '--aws-region=eu-west-1', '--dns-zones=k8s.example.com:Z1'],
  })
  const specOf = (kind: string): Readonly<Record<string, unknown>> =>
    Reflect.get(objects.find(object => object.kind === kind) ?? {}, 'spec') as Readonly<Record<string, unknown>>
  const budget = specOf('PodDisruptionBudget')
  const deployment = specOf('Deployment')
  assert.deepEqual([budget['maxUnavailable'], deployment['replicas']], [1, 2])
  assert.deepEqual(budget['selector'], deployment['selector'])
})

test('a process that is told to stop while AWS does not answer ends in time, and leaves no half status [15.2, #120]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  let isHeld = false
  const silent =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      if (!String(request.headers['x-amz-target'] ?? '').endsWith('.RequestCertificate')) return exchange(request)
      // AWS does it, and the answer never comes.
      await exchange(request)
      isHeld = true
      return new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(new HttpFailure('aborted', 'the process stops')), { once: true })
      })
    }
  const process = world.start({ throughAws: silent })
  await world.apply('api')
  await world.advance(2_000)
  assert.ok(isHeld)
  const beganMs = world.clock.monotonicMs()
  await process.stop()
  assert.ok(world.clock.monotonicMs() - beganMs <= 25_000)
  assertWhole(await world.cert('api'))
  world.start()
  const cert = await world.until('api', 'Ready')
  assert.deepEqual(await world.arns(), [cert.status?.certificateArn])
})

/** The intent is on record, and nothing else is said. */
function assertWhole(cert: Awaited<ReturnType<CertWorld['cert']>>): void {
  const { state, request, certificateArn } = cert?.status ?? {}
  assert.deepEqual([state, request?.revision, certificateArn], ['Pending', 1, undefined])
}
