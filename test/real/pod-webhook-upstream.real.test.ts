// The same reviews to upstream's webhook and to ours: the same effective pod (normalised as §0.3 of docs/rules/webhook.md
// says). Upstream's program cannot be had from the Go module proxy, so whoever has it names it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { given } from '#base'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { type ParityCase, parityCases } from '../../src/operators/pods/aws/parity.fixture.ts'
import { normalised, ourWebhook, type Running, startWebhook, type TinyApiState, tinyApi } from './programs/webhook-process.ts'

const upstream = process.env['VOUCH_UPSTREAM_WEBHOOK'] ?? ''
const skip =
  upstream === ''
    ? "skipped: upstream's webhook is not here; build amazon-eks-pod-identity-webhook and set VOUCH_UPSTREAM_WEBHOOK to its path"
    : undefined
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
      const known = ['role', ...(flags.some(flag => flag.includes('config-map')) ? ['wild', 'cc'] : [])]
      const beside = { flags, identities, known, accounts: mapValues(accounts, annotationsOf), entries }
      const [theirs, ours] = [await open(t, [upstream], beside), await open(t, ourWebhook, beside)]
      await fc.assert(
        fc.asyncProperty(pods, async pod => {
          assert.deepEqual(await ours.ask(pod), await theirs.ask(pod))
        }),
        // Which of the two is right is for a person to say; a shrunk pod would say it no better.
        { numRuns: 300, endOnFailure: true },
      )
    })
})

/** G-01: the rows that were worked out by hand, asked of processes; all rows of the same flags of one. */
for (const { name, command, versions, reason } of [
  { name: 'our webhook as a process', command: ourWebhook, versions: ['v1', 'v1beta1'], reason: undefined },
  { name: "upstream's webhook", command: [upstream], versions: ['v1beta1'], reason: skip },
]) {
  describe(`${name} answers as was worked out by hand`, reason === undefined ? {} : { skip: reason }, () => {
    for (const [flags, cases] of casesByFlags()) {
      it(`${cases.length} pods with ${flags.replaceAll('\n', ' ') || 'no flags'}`, { timeout: 60_000 }, async t => {
        const webhook = await open(t, command, worldOf(flags, cases))
        for (const [index, one] of cases.entries())
          for (const version of versions) {
            const { pod, request, expected } = renamed(one, index)
            const answered = await webhook.ask(pod, request ?? {}, version)
            assert.deepEqual(answered, normalised(JSON.parse(JSON.stringify(expected ?? pod)), []), one.name)
          }
      })
    }
  })
}

function casesByFlags(): ReadonlyMap<string, readonly ParityCase[]> {
  const found = new Map<string, ParityCase[]>()
  for (const one of parityCases) {
    const flags = one.flags?.join('\n') ?? ''
    found.set(flags, [...(found.get(flags) ?? []), one])
  }
  return found
}

/** Each case has a ServiceAccount of its own, so that all can be asked of one process. */
function renamed(one: ParityCase, index: number): ParityCase {
  return JSON.parse(JSON.stringify(one).replaceAll('app"', `app-${index}"`)) as ParityCase
}

/** Of all cases together, and of one more that shows when the caches are whole. */
function worldOf(flags: string, cases: readonly ParityCase[]): Beside {
  const own = cases.map(renamed)
  const canary = { [`${prefix}/role-arn`]: role, 'foo.io/role-arn': role }
  const named = own.flatMap((one, index) =>
    one.account === null ? [] : [[`app-${index}`, annotationsOf(one.account ?? {})] as const],
  )
  const listed = own.flatMap(one => one.listed ?? []).map(serviceAccount => ({ namespace: 'ns1', serviceAccount }))
  return {
    flags: flags === '' ? [] : flags.split('\n').map(flag => flag.replace('CREDENTIALS', 'FILE')),
    identities: JSON.stringify({ identities: [...listed, { namespace: 'ns1', serviceAccount: 'canary-cc' }] }),
    known: [
      'canary',
      ...(flags.includes('config-map') ? ['canary-cm'] : []),
      ...(flags.includes('CREDENTIALS') ? ['canary-cc'] : []),
    ],
    accounts: { ...Object.fromEntries(named), canary },
    entries: Object.assign({ 'ns1/canary-cm': { RoleARN: role } }, ...own.map(one => one.entries ?? {})) as object,
  }
}

interface Beside extends TinyApiState {
  /** FILE stands for the path of the credentials file. */
  readonly flags: readonly string[]
  readonly identities: string
  readonly known: readonly string[]
}

/** Until the test ends. */
async function open(
  t: TestContext,
  command: readonly string[],
  { flags, identities: text, known, ...state }: Beside,
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-upstream-'))
  const api = await tinyApi(state)
  const pair = servingPair()
  for (const [name, content] of Object.entries({ 'tls.crt': pair.certificate, 'tls.key': pair.key, 'cc.json': text }))
    writeFileSync(join(folder, name), content)
  const own = flags.map(flag => flag.replace('FILE', join(folder, 'cc.json')))
  const running = startWebhook({ command, flags: own, folder, api, ca: pair.certificate, known })
  t.after(async () => {
    await running.then(({ child }) => child.kill('SIGKILL')).catch(() => {})
    await api.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return running
}

function annotationsOf(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}/${name}`, value]))
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
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
    metadata: { name: 'p', annotations, ...given({ labels }) },
    spec: {
      serviceAccountName: account,
      containers: containers.map((one, index) => ({ name: `c${index}`, ...one })),
      initContainers: initContainers.map((one, index) => ({ name: `i${index}`, ...one })),
      ...given({ volumes, nodeSelector }),
    },
  }))
