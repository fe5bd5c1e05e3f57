// `vouch webhook aws` as its users start it, told of a collector by its environment.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemNet } from '#base'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { comesAbout } from '../real/eventually.ts'
import { plainExchange } from '../real/exchange.ts'
import { freePort } from '../real/programs/free-port.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

test('the webhook tells a collector what it logs, counts and traces, and sends the rest before it leaves', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-webhook-test-'))
  const heard: string[] = []
  const collector = await systemNet.listen({}, async ({ target, body }) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body instanceof Uint8Array ? [body] : (body ?? [])) chunks.push(chunk)
    heard.push(`${target} ${Buffer.concat(chunks).toString('latin1')}`)
    return { status: 200, headers: {}, body: null }
  })
  const pair = servingPair()
  writeFileSync(join(folder, 'tls.crt'), pair.certificate)
  writeFileSync(join(folder, 'tls.key'), pair.key, { mode: 0o600 })
  const port = await freePort()
  const flags = [
    '--in-cluster=false',
    `--tls-cert=${join(folder, 'tls.crt')}`,
    `--tls-key=${join(folder, 'tls.key')}`,
    // Nobody: what is told does not depend on a cluster.
    '--kube-api=http://127.0.0.1:1',
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--metrics-port=0',
    '--log-resource-attributes=team=blue',
  ]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'webhook', 'aws', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_TRACES_EXPORTER: 'otlp',
    },
  })
  let written = ''
  child.stderr.on('data', (text: Buffer) => (written += text.toString()))
  const { exchange, close } = plainExchange({ origin: `https://127.0.0.1:${port}`, ca: pair.certificate })
  t.after(async () => {
    close()
    child.kill('SIGKILL')
    await collector.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const object = { metadata: { name: 'p' }, spec: { serviceAccountName: '', containers: [{ name: 'a' }] } }
  const body = Buffer.from(JSON.stringify({ request: { uid: 'u', namespace: 'ns1', object } }))
  const headers = { 'content-type': 'application/json' }
  const ask = async () => (await exchange({ method: 'POST', target: '/mutate', headers, body })).status === 200
  await comesAbout(
    () => ask().catch(() => false),
    () => written || 'a review is answered',
    30_000,
  )
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  const at = (signal: string): string => heard.filter(text => text.startsWith(`/v1/${signal} `)).join('\n')
  assert.match(at('logs'), /service\.name.*aws-pod-identity-webhook.*team.*blue.*serving.*stopping/s)
  assert.match(at('metrics'), /aws-pod-identity-webhook.*identity_webhook_admission_total/s)
  assert.match(at('traces'), /review.*k8s\.namespace\.name.*ns1.*sa_unknown/s)
  assert.equal(written, '', 'what a collector takes is not written as well')
})

test('a second signal ends a webhook at once that waits for its endpoints to forget it [5.8]', { timeout: 60_000 }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-webhook-test-'))
  const pair = servingPair()
  writeFileSync(join(folder, 'tls.crt'), pair.certificate)
  writeFileSync(join(folder, 'tls.key'), pair.key, { mode: 0o600 })
  const flags = [
    '--in-cluster=false',
    `--tls-cert=${join(folder, 'tls.crt')}`,
    `--tls-key=${join(folder, 'tls.key')}`,
    '--kube-api=http://127.0.0.1:1',
    '--bind-address=127.0.0.1',
    `--port=${await freePort()}`,
    '--metrics-port=0',
    '--shutdown-delay=10m',
  ]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'webhook', 'aws', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  t.after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  let written = ''
  child.stderr.on('data', (text: Buffer) => (written += text.toString()))
  const ended = once(child, 'exit')
  const says = (word: string): Promise<void> =>
    comesAbout(
      () => Promise.resolve(written.includes(word)),
      () => written,
      30_000,
    )
  await says('serving')
  child.kill('SIGTERM')
  await says('stopping')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [1, null])
})
