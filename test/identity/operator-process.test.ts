import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createApiServer } from '#apiserver'
import {
  type Files,
  type HttpRequest,
  type HttpResponse,
  ManualClock,
  memoryFiles,
  type Seams,
  silentLog,
  systemClock,
  systemNet,
  systemSeams,
} from '#base'
import { clusterProfileKind } from '#fleet'
import { leases, renderCrd, type StoredObject, serviceAccounts } from '#kube'
import { createKubeClient } from '#kube/client'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { guardedMetrics } from '../../src/cli/operator/guarded-metrics.ts'
import { readOperatorFlags, runOperator } from '../../src/cli/testing/commands.ts'
import { renderIdentityCrds, roleKind } from '../../src/operators/identity/api.ts'
import { ackCrds } from '../../src/operators/identity/testing/ack.ts'

const closing: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closing) await close()
})

const seamsOf = (files: Files, env: Readonly<Record<string, string>> = {}): Seams => ({
  ...systemSeams(env, { log: silentLog }),
  files,
  programs: { run: () => Promise.reject(new Error('no program expected')) },
})

const bodyOf = ({ body }: HttpResponse): string => Buffer.from(body as Uint8Array).toString()

test('a process: readiness, metrics for those who may, admission over TLS, and an end that leaves nothing open [13.11, 10.1, 10.3]', async () => {
  const hub = createApiServer({ seed: 1, objects: [...renderIdentityCrds(), renderCrd(clusterProfileKind), ...ackCrds] })
  closing.push(() => hub.close())
  await hub.listen()
  const { certificate, key } = servingPair({ usage: 'ca' })
  const files = memoryFiles({
    '/kubeconfig': hub.kubeconfig(),
    '/providers.json': '{"providers":[]}',
    '/certs/tls.crt': certificate,
    '/certs/tls.key': key,
  })
  const settings = readOperatorFlags(
    [
      '--cluster-profile-namespaces=*',
      '--kubeconfig=/kubeconfig',
      '--clusterprofile-provider-file=/providers.json',
      '--webhook-cert-dir=/certs',
      '--webhook-bind-address=127.0.0.1:0',
      '--health-probe-bind-address=127.0.0.1:0',
      '--metrics-bind-address=127.0.0.1:0',
      '--leader-elect',
    ],
    {},
  )
  const env = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' }
  const seams = seamsOf(files, env)
  const stop = new AbortController()
  let ports: Readonly<Record<string, number | undefined>> = {}
  const listening = new Promise<void>(resolve => {
    void runOperator(
      {
        settings,
        seams,
        version: 'test',
        onListening: at => {
          ports = at
          resolve()
        },
      },
      stop.signal,
    ).then(
      () => ended('stopped'),
      (error: unknown) => ended(String(error)),
    )
  })
  let ended: (how: string) => void = () => undefined
  const end = new Promise<string>(resolve => {
    ended = resolve
  })
  await Promise.race([listening, end])
  const get = async (port: number | undefined, target: string, token?: string): Promise<string> => {
    const http = systemNet.dial({ origin: `http://127.0.0.1:${port ?? 0}` })
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    try {
      const response = await http.exchange({ method: 'GET', target, headers, body: null })
      let body = ''
      if (response.body instanceof Uint8Array) body = bodyOf(response)
      else if (response.body !== null) for await (const piece of response.body) body += Buffer.from(piece).toString()
      return `${response.status} ${body}`
    } finally {
      await http.close()
    }
  }
  assert.equal(await get(ports.health, '/healthz'), '200 ok')
  let ready = ''
  for (let look = 0; look < 200 && !ready.startsWith('200'); look++) {
    ready = await get(ports.health, '/readyz?verbose')
    await hub.settle()
  }
  assert.match(ready, /^200 .*\[\+\]caches ok.*\[\+\]clusters ok \(engaged: none\).*\[\+\]webhooks ok/s)
  assert.match(await get(ports.metrics, '/metrics'), /^401 /)
  assert.match(await get(ports.metrics, '/metrics', 'wrong'), /^401 /)
  assert.match(await get(ports.metrics, '/metrics', hub.adminToken), /^200 .*workqueue_depth/s)
  const client = createKubeClient({ clock: systemClock, address: 'hub', exchange: hub.as() })
  const http = systemNet.dial({ origin: `https://localhost:${ports.webhook ?? 0}`, tls: { ca: certificate } })
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      kind: {},
      resource: { ...roleKind.type, resource: roleKind.type.plural },
      operation: 'CREATE',
      namespace: 'default',
      userInfo: {},
      object: { spec: { serviceAccount: { namespace: 'a', name: 'b' } } },
    },
  }
  const request: HttpRequest = {
    method: 'POST',
    target: '/validate-aws-identity-appthrust-io-v1alpha1-awsserviceaccountrole?timeout=10s',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(review)),
  }
  const answer = await http.exchange(request)
  let text = ''
  if (answer.body instanceof Uint8Array) text = bodyOf(answer)
  else if (answer.body !== null) for await (const piece of answer.body) text += Buffer.from(piece).toString()
  await http.close()
  assert.match(text, /"allowed":false.*there is no AWSWorkloadIdentityConfig\/default in namespace default/)
  // One lease, and it is ours [M15].
  const lease = await client.get<StoredObject & { spec: { leaseDurationSeconds: number } }>(leases, {
    namespace: 'default',
    name: 'aws-workload-identity-operator',
  })
  assert.equal(lease.spec.leaseDurationSeconds, 14)
  stop.abort(new Error('enough'))
  assert.equal(await end, 'stopped')
  await assert.rejects(get(ports.health, '/healthz'))
})

test('a provider file that is missing or wrong stops the start, by its name', async () => {
  const hub = createApiServer({ seed: 1 })
  closing.push(() => hub.close())
  await hub.listen()
  const run = (more: Readonly<Record<string, string>>) => {
    const files = memoryFiles({ '/kubeconfig': hub.kubeconfig(), ...more })
    const settings = readOperatorFlags(
      ['--cluster-profile-namespaces=*', '--kubeconfig=/kubeconfig', '--clusterprofile-provider-file=/p.json'],
      {},
    )
    return runOperator({ settings, seams: seamsOf(files), version: 'test' }, new AbortController().signal)
  }
  await assert.rejects(run({}), /provider file \/p\.json: there is no such file; name it by --clusterprofile-provider-file$/)
  await assert.rejects(run({ '/p.json': '{' }), /provider file \/p\.json: is no JSON/)
})

test('metrics: 401 without a token that counts, 403 without the right, and one review for many scrapes [10.1]', async () => {
  const clock = new ManualClock()
  const hub = createApiServer({ seed: 1, clock, controllers: 'none' })
  closing.push(() => hub.close())
  const admin = createKubeClient({ clock, address: 'hub', exchange: hub.as() })
  let reviews = 0
  const exchange = hub.as()
  const client = createKubeClient({
    clock,
    address: 'hub',
    exchange: request => {
      reviews++
      return exchange(request)
    },
  })
  const account = { namespace: 'default', name: 'scraper' }
  await admin.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account })
  const { token } = await admin.requestToken(account, { audiences: [] })
  const handler = guardedMetrics(client, clock, () => Promise.resolve({ status: 200, headers: {}, body: Buffer.from('x 1') }))
  const ask = async (authorization?: string) =>
    (await handler({ method: 'GET', target: '/metrics', headers: { authorization }, body: null })).status
  assert.equal(await ask(), 401)
  assert.equal(await ask('Basic x'), 401)
  assert.equal(await ask('Bearer wrong'), 401)
  assert.equal(await ask(`Bearer ${token}`), 403)
  const rbac = (kind: string, plural: string) => ({
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind,
    plural,
    namespaced: false,
  })
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const role = {
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name: 'scraper' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  }
  await admin.create(rbac('ClusterRole', 'clusterroles'), role)
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'scraper' }
  const binding = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'scraper' },
    roleRef,
    subjects: [{ kind: 'ServiceAccount', ...account }],
  }
  await admin.create(rbac('ClusterRoleBinding', 'clusterrolebindings'), binding)
  await clock.advance(11_000)
  assert.equal(await ask(`Bearer ${token}`), 200)
  const before = reviews
  for (let scrape = 0; scrape < 10; scrape++) assert.equal(await ask(`Bearer ${token}`), 200)
  assert.equal(reviews, before)
})
