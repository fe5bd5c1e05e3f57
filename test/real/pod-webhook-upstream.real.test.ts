// The same reviews to upstream's webhook and to ours: the same effective pod (parity rule P1 of the specification, normalised as its §0.3
// says). Upstream's program cannot be had from the Go module proxy, so whoever has it names it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type HttpListener, systemClock, systemNet } from '#base'
import { applyJsonPatch } from '#kube'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { plainExchange } from './exchange.ts'
import { freePort } from './free-port.ts'

const upstream = process.env['VOUCH_UPSTREAM_WEBHOOK'] ?? ''
const skip =
  upstream === ''
    ? "skipped: upstream's webhook is not here; build amazon-eks-pod-identity-webhook and set VOUCH_UPSTREAM_WEBHOOK to its path"
    : undefined
const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')
const prefix = 'eks.amazonaws.com'
const role = 'arn:aws:iam::111122223333:role/r'

/** ServiceAccounts of ns1, by name. */
const accounts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: {},
  role: { 'role-arn': role },
  empty: { 'role-arn': '' },
  odd: { 'role-arn': 'not-an-arn' },
  all: { 'role-arn': role, audience: 'my-aud', 'sts-regional-endpoints': 'true', 'token-expiration': '7200' },
  words: { 'role-arn': role, audience: '', 'sts-regional-endpoints': 'yes', 'token-expiration': '1h' },
  short: { 'role-arn': role, 'sts-regional-endpoints': 'F', 'token-expiration': '-5' },
}
const entries = {
  'ns1/plain': { RoleARN: role, TokenExpiration: 7_200 },
  '*/wild': { RoleARN: role, UseRegionalSTS: true, Audience: 'a' },
}
const identities = JSON.stringify({ identities: [{ namespace: 'ns1', serviceAccount: 'cc' }] })

const flagSets: readonly (readonly string[])[] = [
  [],
  ['--aws-default-region=eu-west-1', '--sts-regional-endpoint=true', '--token-mount-path=/x/y/', '--token-expiration=300'],
  ['--watch-config-map=true', '--watch-container-credentials-config=FILE', '--token-audience=other'],
]

describe("upstream's webhook and ours", skip === undefined ? {} : { skip }, () => {
  for (const flags of flagSets)
    it(`give the same effective pods with ${flags.join(' ') || 'no flags'}`, { timeout: 120_000 }, async t => {
      const folder = mkdtempSync(join(tmpdir(), 'vouch-upstream-'))
      const api = await tinyApi()
      t.after(async () => {
        await api.close()
        rmSync(folder, { recursive: true, force: true })
      })
      const pair = servingPair()
      for (const [name, text] of Object.entries({ 'tls.crt': pair.certificate, 'tls.key': pair.key, 'cc.json': identities }))
        writeFileSync(join(folder, name), text)
      const own = flags.map(flag => flag.replace('FILE', join(folder, 'cc.json')))
      const [theirs, ours] = await Promise.all([
        start([upstream], own, folder, api, pair.certificate),
        start([process.execPath, main, 'webhook', 'aws'], own, folder, api, pair.certificate),
      ])
      t.after(() => [theirs, ours].forEach(one => one.child.kill('SIGKILL')))
      await fc.assert(
        fc.asyncProperty(pods, async pod => {
          assert.deepEqual(await ours.ask(pod), await theirs.ask(pod))
        }),
        // Which of the two is right is for a person to say; a shrunk pod would say it no better.
        { numRuns: 300, endOnFailure: true },
      )
    })
})

interface Running {
  readonly child: ChildProcess
  /** The effective pod, normalised, or the refusal. */
  ask(pod: object): Promise<unknown>
}

async function start(
  command: readonly string[],
  flags: readonly string[],
  folder: string,
  api: HttpListener,
  ca: string,
): Promise<Running> {
  const [port, metrics] = [await freePort(), await freePort()]
  const args = [
    ...command.slice(1),
    '--in-cluster=false',
    `--kube-api=http://127.0.0.1:${api.port}`,
    `--tls-cert=${join(folder, 'tls.crt')}`,
    `--tls-key=${join(folder, 'tls.key')}`,
    `--port=${port}`,
    `--metrics-port=${metrics}`,
    ...flags,
  ]
  const child = spawn(command[0] as string, args, { stdio: 'ignore', env: { PATH: process.env['PATH'], HOME: folder } })
  const { exchange } = plainExchange({ origin: `https://127.0.0.1:${port}`, ca })
  const ask = async (pod: object): Promise<unknown> => {
    const review = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: 'u', namespace: 'ns1', object: pod },
    }
    const body = Buffer.from(JSON.stringify(review))
    const response = await exchange({
      method: 'POST',
      target: '/mutate?timeout=10s',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk)
    const answer = (JSON.parse(Buffer.concat(chunks).toString()) as { response: { allowed: boolean; patch?: string } }).response
    if (!answer.allowed) return 'refused'
    const patch = JSON.parse(Buffer.from(answer.patch ?? 'W10=', 'base64').toString()) as unknown[]
    return normalised(applyJsonPatch(structuredClone(pod), patch), [])
  }
  // What the caches know shows in what is answered.
  const known = ['role', ...(flags.some(flag => flag.includes('config-map')) ? ['wild', 'cc'] : [])]
  for (const name of known) await eventually(async () => JSON.stringify(await ask(podOf(name))).includes('serviceAccountToken'))
  return { child, ask }
}

/** §0.3: what a typed decoder adds or leaves out, and the jitter, make no difference. */
function normalised(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => normalised(item, [...path, String(index)]))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, child]) => {
    if (child === null || (name === 'namespace' && child === 'ns1')) return []
    if (name === 'expirationSeconds' && Number(child) >= 79_200 && Number(child) <= 86_400 && isContainerCredentials(value))
      return [[name, 'jittered'] as const]
    const clean = normalised(child, [...path, name])
    const isEmpty = typeof clean === 'object' && clean !== null && Object.keys(clean).length === 0
    return isEmpty && name !== 'emptyDir' ? [] : [[name, clean] as const]
  })
  return Object.fromEntries(kept)
}

function isContainerCredentials(source: object): boolean {
  return (source as { audience?: string }).audience === 'pods.eks.amazonaws.com'
}

function podOf(serviceAccountName: string): object {
  return { metadata: { name: 'p' }, spec: { serviceAccountName, containers: [{ name: 'a', image: 'i' }] } }
}

// Fields that a typed decoder knows; mounts at a foreign path, which upstream answers with a pod that the API server refuses, are left out.
const env = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(
      'A',
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
      'AWS_ROLE_ARN',
      'AWS_STS_REGIONAL_ENDPOINTS',
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    ),
    value: fc.constantFrom('x', 'y'),
  }),
  { maxLength: 4, selector: ({ name }) => name },
)
const mounts = fc.constantFrom([], [{ name: 'v', mountPath: '/v' }], [{ name: 'aws-iam-token', mountPath: '/elsewhere' }])
const container = fc.record({ image: fc.constant('i'), env, volumeMounts: mounts })
const pods = fc
  .record({
    account: fc.constantFrom(...Object.keys(accounts), 'wild', 'cc', 'nobody', ''),
    containers: fc.array(container, { maxLength: 3 }),
    initContainers: fc.array(container, { maxLength: 2 }),
    volumes: fc.constantFrom(undefined, [], [{ name: 'v', emptyDir: {} }], [{ name: 'aws-iam-token', emptyDir: {} }]),
    labels: fc.constantFrom(undefined, {}, { l: 'x' }, { 'eks.amazonaws.com/pod-identity': 'no' }),
    annotations: fc.dictionary(
      fc.constantFrom(`${prefix}/token-expiration`, `${prefix}/skip-containers`),
      fc.constantFrom('900', '+700', ' 900', '1e4', '599', '86400', 'c0', 'c0,i0', 'a, c0', '"c0"', 'c"0', 'c0\nc1', ''),
    ),
    nodeSelector: fc.constantFrom(
      undefined,
      { 'kubernetes.io/os': 'windows' },
      { 'beta.kubernetes.io/os': 'windows' },
      { 'kubernetes.io/os': 'Windows' },
    ),
  })
  .map(({ account, containers, initContainers, volumes, labels, annotations, nodeSelector }) => ({
    metadata: { name: 'p', annotations, ...(labels === undefined ? {} : { labels }) },
    spec: {
      serviceAccountName: account,
      containers: containers.map((one, index) => ({ name: `c${index}`, ...one })),
      initContainers: initContainers.map((one, index) => ({ name: `i${index}`, ...one })),
      ...(volumes === undefined ? {} : { volumes }),
      ...(nodeSelector === undefined ? {} : { nodeSelector }),
    },
  }))

function tinyApi(): Promise<HttpListener> {
  const account = ([name, fields]: readonly [string, Readonly<Record<string, string>>]) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      namespace: 'ns1',
      name,
      uid: name,
      resourceVersion: '1',
      annotations: Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${prefix}/${key}`, value])),
    },
  })
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'eks', name: 'pod-identity-webhook', uid: 'cm', resourceVersion: '1' },
    data: { config: JSON.stringify(entries) },
  }
  const json = (status: number, value: unknown) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  })
  const missing = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 }
  return systemNet.listen({}, async ({ target, signal }) => {
    const url = new URL(target, 'http://api')
    // A list as a stream is refused, as older servers do.
    if (url.searchParams.has('sendInitialEvents')) return json(400, { ...missing, reason: 'BadRequest', code: 400 })
    if (url.searchParams.has('watch')) {
      await new Promise<void>(resolve => signal?.addEventListener('abort', () => resolve(), { once: true }))
      return json(200, {})
    }
    const kind = url.pathname.includes('/configmaps') ? 'ConfigMap' : 'ServiceAccount'
    const items = kind === 'ConfigMap' ? [configMap] : Object.entries(accounts).map(account)
    const name = /\/(?:serviceaccounts|configmaps)\/(.+)$/.exec(url.pathname)?.[1]
    if (name === undefined) return json(200, { apiVersion: 'v1', kind: `${kind}List`, metadata: { resourceVersion: '1' }, items })
    const found = items.find(({ metadata }) => metadata.name === name)
    return found === undefined ? json(404, missing) : json(200, found)
  })
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await holds().catch(() => false)) return
    await systemClock.sleep(50)
  }
  assert.fail('it did not come about within fifteen seconds')
}
