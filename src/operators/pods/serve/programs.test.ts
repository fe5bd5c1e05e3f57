// What the flags of each program mean for its process, over a network on which nobody is.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  createLogTo,
  drain,
  ManualClock,
  memoryFiles,
  type Seams,
  seededRandom,
  silentLog,
  systemKeys,
  type TlsServerOptions,
} from '#base'
import type { KubeClient } from '#kube/client'
import { Metrics } from '#runtime'
import { servingPair } from '../../../base/x509/serving-pair.fixture.ts'
import { readAzureProgram } from '../flags/azure-settings.ts'
import { readBothPrograms } from '../flags/both-flags.ts'
import { readAwsProgram } from '../flags/settings.ts'
import { azureServed, azureSettings, runAzureWebhook } from './azure-program.ts'
import { runBothWebhooks } from './both-program.ts'
import type { OnCluster } from './on-cluster.ts'
import { pretendedNet } from './pretended-net.fixture.ts'
import { awsServed, awsSettings, runAwsWebhook } from './program.ts'
import type { PodWebhook } from './webhook.ts'

const pair = servingPair()
const env = { AZURE_TENANT_ID: 'tenant' }
const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'http://named:1' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  users: [{ name: 'u', user: {} }],
  'current-context': 'x',
})

function groundOf() {
  const clock = new ManualClock()
  const done: unknown[] = []
  const pretended = pretendedNet(what => done.push(what))
  const log = createLogTo({ clock }, (_level, message, fields) => {
    if (message === 'serving' || message === 'flags without effect here') done.push([message, fields])
  })
  const seams: Seams = {
    clock,
    random: seededRandom(1),
    keys: systemKeys,
    net: pretended.net,
    files: memoryFiles({
      '/kubeconfig': kubeconfig,
      '/certs/tls.crt': pair.certificate,
      '/certs/tls.key': pair.key,
      '/stack.json': '{"activeDirectoryEndpoint": "https://stack/"}',
    }),
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: {},
    log,
  }
  return { ...pretended, clock, seams, done }
}

type World = ReturnType<typeof groundOf>

/** Runs it until the test ends; gives what it told of its listeners. */
async function started(
  t: TestContext,
  { clock, done }: World,
  run: (onListening: (at: unknown) => void, signal: AbortSignal) => Promise<void>,
) {
  const told: unknown[] = []
  const stop = new AbortController()
  let isOver = false
  const running = run(at => told.push(at), stop.signal).finally(() => (isOver = true))
  const end = async (): Promise<void> => {
    stop.abort(new Error('the test ends'))
    await clock.advance(0)
    await running
  }
  t.after(end)
  for (let turn = 0; turn < 3; turn++) await drain()
  const lines = done.splice(0)
  assert.equal(isOver, false)
  return { told, lines, end }
}

const awsFlags = ['--in-cluster=false', '--tls-cert=/certs/tls.crt', '--tls-key=/certs/tls.key', '--bind-address=10.0.0.7']
const azureFlags = ['--disable-cert-rotation', '--bind-address=10.0.0.7']

for (const [more, ports, at] of [
  [['--health-addr=127.0.0.1:8080'], ['10.0.0.7:9999', '127.0.0.1:8080', '10.0.0.7:443'], { webhook: 3, metrics: 1, health: 2 }],
  [[], ['10.0.0.7:9999', '10.0.0.7:443'], { webhook: 2, metrics: 1, health: undefined }],
] as const)
  test(`the AWS webhook with ${more.join(' ') || 'no address for health'} listens on ${ports.join(' and ')} [§2.13]`, async t => {
    const world = groundOf()
    const program = readAwsProgram([...awsFlags, '--kube-api=http://api:1', '--kubeconfig=/kubeconfig', ...more])
    const { told, lines, end } = await started(t, world, (onListening, signal) =>
      runAwsWebhook({ program, seams: world.seams, onListening }, signal),
    )
    assert.deepEqual(
      world.opened.map(({ options }) => `${options.host}:${options.port}`),
      ports,
    )
    assert.deepEqual(told, [at])
    assert.deepEqual(lines, [['serving', { port: at.webhook, metricsPort: at.metrics, namespace: 'eks' }]])
    assert.deepEqual([...new Set(world.called)], ['http://api:1'])
    await end()
    assert.deepEqual(world.done[0], ['close', at.webhook, 10_000, 1_000])
  })

for (const [more, ports, at] of [
  [[], [':::8095', ':::9440', '10.0.0.7:9443'], { webhook: 3, metrics: 1, health: 2 }],
  [['--metrics-addr=0', '--health-addr='], ['10.0.0.7:9443'], { webhook: 1, metrics: undefined, health: undefined }],
] as const)
  test(`the Azure webhook with ${more.join(' ') || 'the usual addresses'} listens on ${ports.join(' and ')} [§3.13]`, async t => {
    const world = groundOf()
    const program = readAzureProgram([...azureFlags, '--kubeconfig=/kubeconfig', ...more], env)
    const { told, lines, end } = await started(t, world, (onListening, signal) =>
      runAzureWebhook({ program, seams: world.seams, onListening }, signal),
    )
    assert.deepEqual(
      world.opened.map(({ options }) => `${options.host}:${options.port}`),
      ports,
    )
    assert.deepEqual([told, lines], [[at], [['serving', { port: at.webhook, volumeLayout: 'classic' }]]])
    assert.deepEqual([...new Set(world.called)], ['http://named:1'])
    if (at.metrics !== undefined) assert.deepEqual(await world.get(at.metrics, '/'), [404, 'not here: /metrics\n'])
    await end()
    assert.deepEqual(world.done[0], ['close', at.webhook, 60_000, 1_000])
  })

for (const [aws, azure, at, closed] of [
  [['--aws.health-addr=:8080'], [], { aws: 5, azure: 6, metrics: [1, 2], health: [3, 4] }, [5, 6]],
  [[], ['--azure.health-addr=', '--azure.metrics-addr='], { aws: 2, azure: 3, metrics: [1], health: [] }, [2, 3]],
] as const)
  test(`both webhooks ${aws.length > 0 ? 'with pages of each' : 'with the metrics of AWS alone'} listen on ports in this order: ${JSON.stringify(at)}`, async t => {
    const world = groundOf()
    const flags = [
      ...awsFlags.map(flag => flag.replace('--', '--aws.')),
      ...azureFlags.map(flag => flag.replace('--', '--azure.')),
    ]
    const debugging = '--aws.enable-debugging-handlers'
    const programs = readBothPrograms(['--kubeconfig=/kubeconfig', debugging, ...flags, ...aws, ...azure], env)
    const { told, lines, end } = await started(t, world, (onListening, signal) =>
      runBothWebhooks({ programs, seams: world.seams, onListening }, signal),
    )
    assert.deepEqual([told, lines], [[at], [['serving', { aws: at.aws, azure: at.azure }]]])
    const statuses = at.metrics.map(async port => (await world.get(port, '/debug/alpha/cache'))[0])
    assert.deepEqual(await Promise.all(statuses), [200, 404].slice(0, at.metrics.length))
    await end()
    assert.deepEqual(
      world.done.slice(0, 2),
      closed.map(port => ['close', port, 60_000, 1_000]),
    )
  })

test('flags without effect are told, and account and partition go where roles are completed', async () => {
  for (const [flags, told, compose] of [
    [[], [], undefined],
    [['--logtostderr'], [['flags without effect here', { flags: 'logtostderr' }]], undefined],
    [
      ['--v=1', '--vmodule=x', '--log_dir=y', '--compose-role-arn', '--aws-account-id=111122223333'],
      [['flags without effect here', { flags: 'log_dir, vmodule' }]],
      { account: '111122223333', partition: 'aws' },
    ],
  ] as const) {
    const { seams, done } = groundOf()
    const program = readAwsProgram(flags)
    const settings = await awsSettings(program, seams, new AbortController().signal)
    assert.deepEqual(settings, {
      ...program.webhook,
      admission: { ...program.webhook.admission, ...(compose && { compose }) },
    })
    assert.deepEqual(done, told)
  }
})

for (const [cloud, authorityHost] of [
  [{}, 'https://login.microsoftonline.com/'],
  [{ AZURE_ENVIRONMENT: 'AzureStackCloud', AZURE_ENVIRONMENT_FILEPATH: '/stack.json' }, 'https://stack/'],
] as const)
  test(`with ${JSON.stringify(cloud)} the authority is ${authorityHost} [Z-38]`, async () => {
    const { seams } = groundOf()
    const program = readAzureProgram([], { ...env, ...cloud })
    const settings = await azureSettings(program, seams.files)
    assert.deepEqual(settings, { ...program.webhook, admission: { ...program.webhook.admission, authorityHost } })
  })

test('an Azure Stack whose file has no name has none [Z-38]', async () => {
  const { seams } = groundOf()
  const program = readAzureProgram([], { ...env, AZURE_ENVIRONMENT: 'AzureStackCloud' })
  await assert.rejects(
    azureSettings(program, seams.files),
    /^FlagError: failed to get AAD endpoint: open : no such file or directory$/,
  )
})

/** Where a certificate is looked for first: in files, or in this Secret. */
async function firstLook(served: (on: OnCluster) => ReturnType<typeof awsServed>) {
  const { clock, seams } = groundOf()
  const asked: string[] = []
  const refused = (type: { readonly kind: string }, key: { readonly namespace: string; readonly name: string }) => {
    asked.push(`${type.kind} ${key.namespace}/${key.name}`)
    return Promise.reject(new Error('nothing is here'))
  }
  const client = { find: refused, get: refused } as unknown as KubeClient
  const { certificate, needsCertificateFirst } = served({
    client,
    seams: { ...seams, log: silentLog },
    metrics: new Metrics(),
    onFatal: () => {},
  })
  const stop = new AbortController()
  let found: TlsServerOptions | undefined
  const looking = certificate.first(stop.signal).then(
    pair => (found = pair),
    () => undefined,
  )
  for (let turn = 0; turn < 3; turn++) await drain()
  stop.abort(new Error('the test ends'))
  await clock.advance(0)
  await looking
  return { isInFiles: found?.certificate === pair.certificate, asked: asked[0], needsCertificateFirst }
}

const webhook = {} as PodWebhook
const inFiles = { isInFiles: true, asked: undefined, needsCertificateFirst: true }
const inSecret = (name: string) => ({ isInFiles: false, asked: `Secret ${name}`, needsCertificateFirst: false })
const files = ['--in-cluster=false', '--tls-cert=/certs/tls.crt', '--tls-key=/certs/tls.key']

for (const [flags, expected] of [
  [files, inFiles],
  [['--tls-secret=kept', '--namespace=home'], inSecret('home/kept')],
  [['--tls-secret=own', '--webhook-configuration=w'], inSecret('eks/own')],
  [['--tls-secret=own', '--webhook-configuration=w', ...files], inSecret('eks/own')],
] as const)
  test(`the certificate of the AWS webhook with ${flags[0]}${flags.length > 4 ? ' and files' : ''} is looked for ${expected.isInFiles ? 'in files' : `in the ${expected.asked}`} [§2.14]`, async () => {
    const program = readAwsProgram(flags)
    assert.deepEqual(await firstLook(on => awsServed(webhook, program, on)), expected)
  })

for (const [flags, expected] of [
  [['--disable-cert-rotation'], inFiles],
  [[], inSecret('azure-workload-identity-system/azure-wi-webhook-server-cert')],
] as const)
  test(`the certificate of the Azure webhook with ${flags[0] ?? 'rotation'} is looked for ${expected.isInFiles ? 'in files' : `in the ${expected.asked}`} [§3.14]`, async () => {
    const program = readAzureProgram(flags, env)
    assert.deepEqual(await firstLook(on => azureServed(webhook, program, on)), expected)
  })
