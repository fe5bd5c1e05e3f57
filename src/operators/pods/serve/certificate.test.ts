// What is told of the end of a serving certificate, and what the flags say of those who call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, drain, ManualClock, memoryFiles, silentLog } from '#base'
import { Metrics } from '#runtime'
import { servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import { certificateFiles, tlsPolicy, watchExpiry } from './certificate.ts'

const validFrom = Date.UTC(2026, 0, 1)
const validUntil = validFrom + 3_600_000

test('the end of the certificate is shown, and from that moment on it is told each minute that it has come [§5.6]', async () => {
  const clock = new ManualClock(validFrom)
  const metrics = new Metrics()
  const lines: unknown[] = []
  const log = createLogTo({ clock }, (level, message, fields) => lines.push([level, message, fields]))
  let current = servingPair({ validFrom, validUntil })
  const seams = { clock, log, files: memoryFiles() }
  const stop = new AbortController()
  const watching = watchExpiry({ seams, metrics, provider: 'aws' }, () => current, stop.signal)
  const shown = (): string | undefined =>
    /^identity_webhook_certificate_not_after_seconds\{provider="aws"\} (.*)$/m.exec(metrics.expose())?.[1]
  assert.equal(shown(), String(validUntil / 1_000))
  await clock.advance(3_599_999)
  assert.deepEqual(lines, [])
  await clock.advance(1)
  const line = ['error', 'the serving certificate has expired; API servers refuse it', { notAfter: '2026-01-01T01:00:00.000Z' }]
  assert.deepEqual(lines, [line])
  await clock.advance(59_999)
  assert.equal(lines.length, 1)
  await clock.advance(1)
  assert.deepEqual(lines, [line, line])
  current = servingPair({ validFrom, validUntil: validUntil + 3_600_000 })
  await clock.advance(60_000)
  assert.deepEqual([lines.length, shown()], [2, String((validUntil + 3_600_000) / 1_000)])
  stop.abort(new Error('the test ends'))
  await drain()
  await watching
  assert.equal(clock.pendingCount(), 0)
})

test('a pair that somebody renews in its files is served within a second [§5.3]', async () => {
  const clock = new ManualClock()
  const [first, second] = [servingPair(), servingPair()]
  const files = memoryFiles({ '/tls.crt': first.certificate, '/tls.key': first.key })
  const paths = { certificatePath: '/tls.crt', keyPath: '/tls.key' }
  const source = certificateFiles({ seams: { clock, log: silentLog, files }, metrics: new Metrics() }, paths)
  const stop = new AbortController()
  const taken: string[] = []
  const current = await source.first(stop.signal)
  const following = source.follow(current, ({ certificate }) => void taken.push(certificate), stop.signal)
  await files.write('/tls.crt', second.certificate)
  await files.write('/tls.key', second.key)
  await clock.advance(999)
  assert.deepEqual([current.certificate, taken], [first.certificate, []])
  await clock.advance(1)
  assert.deepEqual(taken, [second.certificate])
  stop.abort(new Error('the test ends'))
  await drain()
  await following
})

test('one that has run out before the start is told of at once', async () => {
  const clock = new ManualClock(validUntil + 1)
  const lines: string[] = []
  const log = { ...silentLog, error: (message: string) => void lines.push(message) }
  const pair = servingPair({ validFrom, validUntil })
  const seams = { clock, log, files: memoryFiles() }
  await watchExpiry({ seams, metrics: new Metrics(), provider: 'aws' }, () => pair, AbortSignal.abort(new Error('the test ends')))
  assert.deepEqual(lines, ['the serving certificate has expired; API servers refuse it'])
})

test('with a file of an authority, callers must show a certificate of it; without, nothing is asked of them [§5.3]', async () => {
  const seams = { files: memoryFiles({ '/ca.crt': 'the authority' }), log: silentLog }
  const policy = { minVersion: 'TLSv1.2', ciphers: ['one'] } as const
  assert.deepEqual(await tlsPolicy(seams, { ...policy, clientCaPath: '' }), policy)
  assert.deepEqual(await tlsPolicy(seams, { ...policy, clientCaPath: '/ca.crt' }), {
    ...policy,
    clientCa: 'the authority',
    requiresClientCertificate: true,
  })
  await assert.rejects(tlsPolicy(seams, { ...policy, clientCaPath: '/no.crt' }), {
    message: 'there is no file /no.crt, which --client-ca-file names',
  })
})

test('TLS 1.3 as the least version warns of suites that are named, and of none where none are [5.3]', async () => {
  const warned: string[] = []
  const seams = { files: memoryFiles(), log: { ...silentLog, warn: (message: string) => void warned.push(message) } }
  const policyOf = (ciphers: readonly string[]) => tlsPolicy(seams, { minVersion: 'TLSv1.3', ciphers, clientCaPath: '' })
  assert.deepEqual(await policyOf([]), { minVersion: 'TLSv1.3' })
  assert.deepEqual(warned, [])
  await policyOf(['one'])
  assert.equal(warned.length, 1)
})
