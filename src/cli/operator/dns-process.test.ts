// The dns operator as a process, started by the flags with which the existing operator is started.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { collectBody, memoryFiles, type Seams, silentLog, systemNet, systemSeams } from '#base'
import type { KubeObject } from '#kube'
import { newestKind, renderDnsCrd } from '#operators/dns'
import { servingPair } from '../../base/x509/serving-pair.fixture.ts'
import { readOperatorFlags } from './flags.ts'
import type { ListeningAt } from './operator-run.ts'
import { runOperator } from './run.ts'

const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing.toReversed()) await close()
})

const { certificate, key } = servingPair({ usage: 'ca' })

/** As the existing operator's manifest has them, but for the ports, which the system chooses. */
const theirs = [
  '--operator-namespace=$(OPERATOR_NAMESPACE)',
  '--operand-namespace=external-dns-operator',
  '--externaldns-image=registry.example.com/external-dns:v0.14.2',
  '--trusted-ca-configmap=',
  '--leader-elect',
  '--webhook-disable-http2',
  '--zap-log-level=debug',
  '--zap-encoder=console',
].map(flag => flag.replace('$(OPERATOR_NAMESPACE)', 'external-dns-operator'))

interface Started {
  readonly ports: ListeningAt
  readonly adminToken: string
  ask(port: number | undefined, target: string, options?: { readonly token?: string; readonly tls?: boolean }): Promise<string>
}

async function started(more: readonly string[]): Promise<Started> {
  const service = { namespace: 'external-dns-operator', name: 'webhook' }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'external-dns-operator' } } as KubeObject
  const hub = createApiServer({ seed: 1, objects: [renderDnsCrd({ service }), namespace] })
  closing.push(() => hub.close())
  await hub.listen()
  const files = memoryFiles({
    '/kubeconfig': hub.kubeconfig(),
    '/certs/tls.crt': certificate,
    '/certs/tls.key': key,
  })
  const settings = readOperatorFlags(
    [
      '--controllers=dns',
      '--kubeconfig=/kubeconfig',
      '--webhook-bind-address=127.0.0.1:0',
      '--health-probe-bind-addr=127.0.0.1:0',
      '--metrics-bind-address=127.0.0.1:0',
      ...theirs,
      ...more,
    ],
    {},
  )
  const seams: Seams = { ...systemSeams({}, { log: silentLog }), files }
  const stop = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<ListeningAt>()
  const running = runOperator({ settings, seams, version: 'test', onListening: resolve }, stop.signal)
  running.catch(reject)
  closing.push(async () => {
    stop.abort(new Error('enough'))
    await running.catch(() => undefined)
  })
  return { ports: await promise, adminToken: hub.adminToken, ask }
}

async function ask(
  port: number | undefined,
  target: string,
  { token, tls = false }: { readonly token?: string; readonly tls?: boolean } = {},
): Promise<string> {
  const origin = `${tls ? 'https' : 'http'}://localhost:${port ?? 0}`
  const http = systemNet.dial({ origin, ...(tls ? { tls: { ca: certificate } } : {}) })
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { status, body } = await http.exchange({ method: 'GET', target, headers, body: null })
    return `${status} ${Buffer.from(await collectBody(body, 1_000_000)).toString()}`
  } finally {
    await http.close()
  }
}

test('started as the existing operator is, it is ready with its webhook, and says its metrics by TLS to those who may read them', async () => {
  const { ports, adminToken, ask: get } = await started(['--cert-dir=/certs', '--metrics-secure', '--metrics-cert-dir=/certs'])
  let ready = ''
  for (let look = 0; look < 100 && !ready.startsWith('200'); look++) ready = await get(ports.health, '/readyz?verbose')
  assert.match(ready, /^200 [\s\S]*\[\+\]webhooks ok/)
  assert.match(await get(ports.metrics, '/metrics', { tls: true }), /^401 /)
  assert.match(await get(ports.metrics, '/metrics', { tls: true, token: 'wrong' }), /^401 /)
  assert.match(
    await get(ports.metrics, '/metrics', { tls: true, token: adminToken }),
    /^200 [\s\S]*externaldns_operator_deployment_updates_total 0/,
  )
  await assert.rejects(get(ports.metrics, '/metrics', { token: adminToken }))
})

test('without its webhook it is ready as well, and opens no port for it [#96, 19.5]', async () => {
  const { ports, ask: get } = await started(['--enable-webhook=false'])
  let ready = ''
  for (let look = 0; look < 100 && !ready.startsWith('200'); look++) ready = await get(ports.health, '/readyz?verbose')
  assert.match(ready, /^200 /)
  assert.doesNotMatch(ready, /webhooks/)
  assert.equal(ports.webhook, undefined)
  assert.equal(newestKind.apiVersion, 'externaldns.olm.openshift.io/v1beta2')
})

test('alone in its process it listens and speaks where the existing operator does, unless it is told otherwise', () => {
  const alone = readOperatorFlags(['--controllers=dns', ...theirs], {}).process
  assert.deepEqual(
    [alone.metricsAddress, alone.healthAddress, alone.log.level, alone.webhookHttp2],
    [{ host: '127.0.0.1', port: 8080 }, { host: '', port: 9440 }, 'debug', false],
  )
  const told = readOperatorFlags(['--controllers=dns', '--metrics-bind-address=0', '--health-probe-bind-address=:1'], {}).process
  assert.deepEqual([told.metricsAddress, told.healthAddress?.port], [undefined, 1])
  const among = readOperatorFlags(['--controllers=identity,dns', '--cluster-profile-namespaces=*'], {}).process
  assert.deepEqual([among.metricsAddress, among.healthAddress?.port, among.log.level], [undefined, 8081, 'info'])
})
