import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { type HttpListener, ManualClock, memoryFiles, silentLog, systemNet } from '#base'
import { type ServingPair, servingPair } from '../../base/x509/serving-pair.fixture.ts'
import { Metrics } from '../metrics/registry.ts'
import { certificateInFiles } from './certificate-source.ts'
import { serveWebhooks } from './host.ts'
import { followServingCertificate, readServingCertificate } from './serving-certificate.ts'

const pair = (commonName: string): ServingPair => servingPair({ subject: { commonName } })

const paths = { certificatePath: '/tls/tls.crt', keyPath: '/tls/tls.key' }

test('a pair that does not belong together, or is not there, is refused with the path and the next step', async () => {
  const files = memoryFiles()
  const options = { files, clock: new ManualClock(), log: silentLog, metrics: new Metrics(), ...paths }
  await assert.rejects(readServingCertificate(options), /there is no file \/tls\/tls\.crt\. Mount/)
  const [one, other] = [pair('one'), pair('other')]
  await files.write(paths.certificatePath, one.certificate)
  await files.write(paths.keyPath, other.key)
  await assert.rejects(readServingCertificate(options), /\/tls\/tls\.key does not belong to the certificate in \/tls\/tls\.crt/)
  await files.write(paths.keyPath, 'half a fi')
  await assert.rejects(readServingCertificate(options), /are no PEM certificate and key/)
})

test('a renewed certificate is served without a restart, and half a renewal is not [F25]', async () => {
  const files = memoryFiles()
  const clock = new ManualClock()
  const metrics = new Metrics()
  const [first, second] = [pair('first'), pair('second')]
  await files.write(paths.certificatePath, first.certificate)
  await files.write(paths.keyPath, first.key)
  const stop = new AbortController()
  let heard: (listener: HttpListener) => void = () => {}
  const ready = new Promise<HttpListener>(resolve => {
    heard = resolve
  })
  const certificate = certificateInFiles({ files, ...paths, clock, log: silentLog, metrics })
  const serving = serveWebhooks(
    { clock, log: silentLog, metrics, routes: {} },
    { net: systemNet, certificate, host: '127.0.0.1', port: 0 },
    stop.signal,
    heard,
  )
  const { port } = await ready
  assert.equal(await servedName(port), 'first')
  await files.write(paths.certificatePath, second.certificate)
  await clock.advance(10_000)
  assert.equal(await servedName(port), 'first')
  assert.match(metrics.expose(), /certwatcher_read_certificate_errors_total 1/)
  await files.write(paths.keyPath, second.key)
  await clock.advance(10_000)
  assert.equal(await servedName(port), 'second')
  stop.abort(new Error('the test ends'))
  await serving
  assert.equal(clock.pendingCount(), 0)
})

/** The name in the certificate that a new connection is shown. */
async function servedName(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return String(subject.CN)
}

test('a renewal that stays half is told once, and counted each time', async () => {
  const files = memoryFiles()
  const clock = new ManualClock()
  const metrics = new Metrics()
  const first = pair('first')
  await files.write(paths.certificatePath, first.certificate)
  await files.write(paths.keyPath, first.key)
  const told: string[] = []
  const log = { ...silentLog, error: (message: string) => void told.push(message) }
  const options = { files, ...paths, clock, log, metrics }
  const stop = new AbortController()
  const following = followServingCertificate(options, await readServingCertificate(options), () => {}, stop.signal)
  await files.write(paths.certificatePath, pair('second').certificate)
  await clock.advance(600_000)
  assert.equal(told.length, 1)
  assert.match(metrics.expose(), /certwatcher_read_certificate_errors_total 60/)
  // Mended, and broken again: that is news.
  await files.write(paths.certificatePath, first.certificate)
  await clock.advance(10_000)
  await files.write(paths.keyPath, 'half a fi')
  await clock.advance(10_000)
  assert.equal(told.length, 2)
  stop.abort(new Error('the test ends'))
  await following
})

test('a certificate that is renewed with its key as it was is handed on, once, and so is the same one written otherwise', async () => {
  const files = memoryFiles()
  const clock = new ManualClock()
  const first = pair('first')
  const renewed = servingPair({ key: first.key, subject: { commonName: 'renewed' } })
  const write = async ({ certificate, key }: ServingPair): Promise<void> => {
    await files.write(paths.certificatePath, certificate)
    await files.write(paths.keyPath, key)
    for (let look = 0; look < 3; look++) await clock.advance(10_000)
  }
  await files.write(paths.certificatePath, first.certificate)
  await files.write(paths.keyPath, first.key)
  const options = { files, ...paths, clock, log: silentLog, metrics: new Metrics(), clientCa: 'CA' }
  const taken: unknown[] = []
  const stop = new AbortController()
  const current = await readServingCertificate(options)
  assert.deepEqual(current, { ...first, clientCa: 'CA' })
  const following = followServingCertificate(options, current, next => void taken.push(next), stop.signal)
  await write(first)
  assert.deepEqual(taken, [])
  await write(renewed)
  assert.deepEqual(taken, [{ ...renewed, clientCa: 'CA' }])
  const otherwise = { ...renewed, key: `${renewed.key}\n` }
  await write(otherwise)
  assert.deepEqual(taken.slice(1), [{ ...otherwise, clientCa: 'CA' }])
  stop.abort(new Error('the test ends'))
  await following
})
