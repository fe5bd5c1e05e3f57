// What the Azure webhook would say, and which pods it would make otherwise today, without a cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { clientId, container, envOf, podOf, reserved, tokenFile } from '../testing/azure-rows.ts'
import { type AzureSetting, type PodShape, reviewOf, settingsOf } from '../testing/azure-world.ts'
import { auditAzurePods } from './audit-azure.ts'
import { mutateAzureOffline } from './mutate-azure.ts'

const prefix = 'azure.workload.identity'
const account = (annotations: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {
    namespace: 'ns1',
    name: 'app',
    annotations: Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value])),
  },
})
const withClient = account({ 'client-id': clientId })

interface Said {
  readonly allowed: boolean
  readonly pod: PodShape
  readonly message: string
  readonly warnings: readonly string[]
}

async function mutate(pod: PodShape, objects: readonly KubeObject[] = [withClient], setting: AzureSetting = {}): Promise<Said> {
  const warnings: string[] = []
  const answer = await mutateAzureOffline({
    review: Buffer.from(JSON.stringify(reviewOf(pod))),
    objects,
    flags: settingsOf(setting).admission,
    hasNativeSidecars: true,
    warn: message => warnings.push(message),
  })
  const { response } = JSON.parse(answer.review) as { response: { status?: { message?: string } } }
  return { allowed: answer.allowed, pod: answer.pod as PodShape, message: response.status?.message ?? '', warnings }
}

test('a review is decided without a cluster as the webhook decides it', async () => {
  const { allowed, pod, warnings } = await mutate(podOf())
  assert.equal(allowed, true)
  assert.deepEqual([envOf(pod)['AZURE_CLIENT_ID'], envOf(pod)['AZURE_FEDERATED_TOKEN_FILE']], [clientId, tokenFile])
  assert.deepEqual(warnings, [])
})

for (const [what, objects, message] of [
  ['whose ServiceAccount is not among the manifests', [], /serviceaccounts "app" not found/],
  ['that requires a client id that is not there', [account({ 'require-client-id': 'true' })], /promised or required/],
  ['whose life is too short', [account({ 'client-id': 'x', 'service-account-token-expiration': '60' })], /token expiration 60/],
] as const)
  test(`a pod ${what} is refused, and stays as it was`, async () => {
    const sent = podOf()
    const said = await mutate(sent, objects)
    assert.equal(said.allowed, false)
    assert.match(said.message, message)
    assert.deepEqual(said.pod, sent)
  })

test('that the webhook would not be asked about a pod without the label is said', async () => {
  assert.deepEqual((await mutate(podOf({ metadata: { labels: {} } }))).warnings, [
    'the configuration of the webhook asks about pods with the label alone',
  ])
})

/** As it runs: made by the webhook with these manifests and settings. */
async function running(objects: readonly KubeObject[], setting: AzureSetting = {}, sent = podOf()): Promise<KubeObject> {
  const { pod } = await mutate(sent, objects, setting)
  return { ...pod, metadata: { ...pod.metadata, namespace: 'ns1', name: 'p' } } as unknown as KubeObject
}

const audit = (pods: readonly KubeObject[], accounts: readonly KubeObject[] = [withClient], setting: AzureSetting = {}) =>
  auditAzurePods({ pods, accounts, flags: settingsOf(setting).admission })

for (const [what, setting] of [
  ['classic', {}],
  ['reserved', reserved],
] as const)
  test(`a pod that has what it would get today is well, ${what}`, async () => {
    const two = podOf({ spec: { containers: [container('a'), container('b', { env: [{ name: 'A', value: 'x' }] })] } })
    assert.deepEqual(audit([await running([withClient], setting, two)], [withClient], setting), { looked: 1, outdated: [] })
  })

for (const [what, before, now, setting, differences] of [
  ['another client id', [withClient], [account({ 'client-id': 'new' })], {}, [`has the client id ${clientId} and would get new`]],
  ['no client id', [account({})], [withClient], {}, [`has the client id none and would get ${clientId}`]],
  [
    'another tenant',
    [withClient],
    [account({ 'client-id': clientId, 'tenant-id': 'other' })],
    {},
    ['has the tenant 00000000-0000-4000-8000-000000000001 and would get other'],
  ],
  [
    'the audience of before',
    [withClient],
    [withClient],
    { flags: { audience: 'api://other' } },
    ['has the audience of the token api://AzureADTokenExchange and would get api://other'],
  ],
  ['a ServiceAccount that is gone', [withClient], [], {}, ['would be refused today: serviceaccounts "app" not found']],
] as const)
  test(`a pod with ${what} is told with what it has and would get`, async () => {
    const { outdated } = audit([await running(before)], now, setting)
    assert.deepEqual(
      outdated.map(({ name, serviceAccount, differences: told }) => [name, serviceAccount, told]),
      [['p', 'app', differences]],
    )
  })

test('a labelled pod that was let in while the webhook was away is told', () => {
  const pod = { ...podOf(), metadata: { ...podOf().metadata, namespace: 'ns1', name: 'p' } } as unknown as KubeObject
  assert.deepEqual(audit([pod]).outdated[0]?.differences, ['has no identity and would get one'])
})

test('a variable that a pod sets by itself is no difference: the webhook leaves it today as well', async () => {
  const own = podOf({
    spec: {
      containers: [
        container('c0', {
          env: [
            { name: 'AZURE_CLIENT_ID', value: 'mine' },
            { name: 'A', value: '' },
          ],
        }),
      ],
    },
  })
  assert.deepEqual(audit([await running([withClient], {}, own)]).outdated, [])
  for (const variable of [
    { name: 'AZURE_FEDERATED_TOKEN_FILE', value: '/own' },
    { name: 'MINE', value: tokenFile },
  ]) {
    const sent = podOf({
      spec: { containers: [container('c0', { env: [{ name: 'AZURE_CLIENT_ID', value: 'mine' }, variable] })] },
    })
    assert.deepEqual(audit([await running([withClient], {}, sent)]).outdated, [], variable.name)
  }
})

const nothingYet = ({ spec, metadata }: PodShape): KubeObject =>
  ({ metadata: { ...metadata, namespace: 'ns1', name: 'p' }, spec }) as unknown as KubeObject

test('of a pod that was let in while the webhook was away and names a client id itself, all the rest is told', () => {
  const env = [{ name: 'AZURE_CLIENT_ID', value: 'mine' }]
  const pod = nothingYet(podOf({ spec: { containers: [container('c0', { env })] } }))
  assert.deepEqual(audit([pod]).outdated[0]?.differences, [
    'has the tenant none and would get 00000000-0000-4000-8000-000000000001',
    'has the authority none and would get https://login.microsoftonline.com/',
    `has the token file none and would get ${tokenFile}`,
    'has the audience of the token none and would get api://AzureADTokenExchange',
  ])
})

test('a pod whose ServiceAccount names neither client nor tenant is compared by what else it has', async () => {
  const nobody = [account({ 'tenant-id': '' })]
  const pod = await running(nobody)
  assert.deepEqual(audit([pod], nobody).outdated, [])
  const env = { AZURE_TENANT_ID: 'tenant', AZURE_ENVIRONMENT: 'AzureUSGovernment' }
  assert.deepEqual(audit([pod], nobody, { env }).outdated[0]?.differences, [
    'has the authority https://login.microsoftonline.com/ and would get https://login.microsoftonline.us/',
  ])
})

test('a token that lies in a volume with a number is found', async () => {
  const sent = podOf({ spec: { volumes: [{ name: 'azure-identity-token', emptyDir: {} }] } })
  const pod = await running([withClient], {}, sent)
  assert.deepEqual(audit([pod]).outdated, [])
  assert.deepEqual(audit([pod], [withClient], { flags: { audience: 'api://other' } }).outdated[0]?.differences, [
    'has the audience of the token api://AzureADTokenExchange and would get api://other',
  ])
})

test('variables before ours and behind them stay, and a difference of one container of two is told once', async () => {
  const env = [{ name: 'A', value: 'x' }]
  const two = podOf({ spec: { initContainers: [container('i', { env })], containers: [container('c0', { env })] } })
  const pod = await running([withClient], {}, two)
  assert.deepEqual(audit([pod], [account({ 'client-id': 'new' })]).outdated[0]?.differences, [
    `has the client id ${clientId} and would get new`,
  ])
})

test('a container that the pod skips since it was made has an identity and would get none', async () => {
  const pod = await running([withClient])
  const annotations = { [`${prefix}/skip-containers`]: 'c0' }
  const skipping = { ...pod, metadata: { ...pod.metadata, annotations } }
  assert.deepEqual(audit([skipping]).outdated[0]?.differences, ['has an identity and would get none'])
})

test('a manifest without a namespace is one of the namespace default, and only ServiceAccounts are looked at', async () => {
  const { metadata } = withClient
  const of = async (kind: string): Promise<string> => {
    const accounts = [{ ...withClient, kind, metadata: { name: 'app', annotations: metadata.annotations ?? {} } }]
    const answer = await mutateAzureOffline({
      review: Buffer.from(JSON.stringify(reviewOf(podOf(), { namespace: 'default' }))),
      objects: accounts,
      flags: settingsOf({}).admission,
      hasNativeSidecars: true,
      warn: () => {},
    })
    return answer.allowed ? 'in' : 'refused'
  }
  assert.deepEqual([await of('ServiceAccount'), await of('Secret')], ['in', 'refused'])
})

test('pods that the webhook passes over are let in as they are, whoever their ServiceAccount is', async () => {
  for (const [sent, setting] of [
    [podOf({ metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }), {}],
    [podOf({ metadata: { labels: {} } }), { flags: { 'require-pod-label': 'true' } }],
  ] as const) {
    const said = await mutate(sent, [], setting)
    assert.deepEqual([said.allowed, said.pod], [true, sent])
  }
})

test('a ServiceAccount without annotations gives its pods all but a client id', async () => {
  const { allowed, pod } = await mutate(podOf(), [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'ns1', name: 'app' } },
  ])
  assert.deepEqual([allowed, 'AZURE_CLIENT_ID' in envOf(pod), Object.keys(envOf(pod)).length], [true, false, 3])
})

test('pods without the label, that are mirrors of a file, that are over or go away are not looked at', () => {
  const of = (metadata: object, status: object = {}): KubeObject =>
    ({ ...podOf(), metadata: { ...podOf().metadata, namespace: 'ns1', name: 'p', ...metadata }, status }) as unknown as KubeObject
  const mirror = of({ annotations: { 'kubernetes.io/config.mirror': 'x' } })
  const pods = [of({ labels: {} }), mirror, of({}, { phase: 'Succeeded' }), of({ deletionTimestamp: '2026-01-01T00:00:00Z' })]
  assert.equal(audit(pods).looked, 0)
})
