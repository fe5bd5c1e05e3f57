import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAzureProgram } from './azure-settings.ts'

const env = { AZURE_TENANT_ID: 'tenant' }
const read = (...args: readonly string[]) => readAzureProgram(args, env)

test('told nothing but the tenant, the program is what upstream’s flags make it, and what we add is off or careful [§3.13]', () => {
  assert.deepEqual(read(), {
    kubeconfig: '',
    logFormat: 'json',
    logFlags: { exporter: '', attributes: '' },
    webhook: {
      admission: {
        tenantId: 'tenant',
        authorityHost: 'https://login.microsoftonline.com/',
        audience: 'api://AzureADTokenExchange',
        layout: 'classic',
        proxyImage: 'mcr.microsoft.com/oss/azure/workload-identity/proxy:v1.5.1',
        proxyInitImage: 'mcr.microsoft.com/oss/azure/workload-identity/proxy-init:v1.5.1',
        logLevel: '',
        tokenEndpoint: undefined,
        requirePodLabel: false,
        proxyRequiresTrue: false,
        omitMissingCaFile: false,
      },
      lookup: { timeoutMs: 1_000, confirmMissingClientId: true, requiredClientIdWaitMs: 3_000 },
      admissionWarnings: false,
      tellsPods: false,
      labelsNamespaces: true,
    },
    stackFile: undefined,
    serving: {
      port: 9_443,
      bindAddress: '',
      health: { host: '', port: 9_440 },
      minVersion: 'TLSv1.3',
      ciphers: [],
      clientCaPath: '',
      shutdownDelayMs: 0,
      offersHttp2: false,
      metrics: { host: '', port: 8_095 },
      certificateFolder: '/certs',
      rotates: true,
      namespace: 'azure-workload-identity-system',
    },
    logLevel: 'warn',
  })
})

test('what is switched on is on', () => {
  const { webhook, serving } = read(
    '--require-pod-label',
    '--proxy-requires-true',
    '--omit-missing-ca-file',
    '--admission-warnings',
    '--disable-cert-rotation',
    '--enable-http2',
    '--audience=mine',
    '--confirm-missing-client-id=false',
    '--metrics-namespace-label=false',
  )
  const { requirePodLabel, proxyRequiresTrue, omitMissingCaFile, audience } = webhook.admission
  assert.deepEqual([requirePodLabel, proxyRequiresTrue, omitMissingCaFile, audience], [true, true, true, 'mine'])
  assert.deepEqual([webhook.admissionWarnings, serving.rotates, serving.offersHttp2], [true, false, true])
  assert.deepEqual([webhook.lookup.confirmMissingClientId, webhook.labelsNamespaces], [false, false])
})

test('a time below zero is none', () => {
  const { webhook, serving } = read(
    '--service-account-lookup-timeout=-1s',
    '--required-client-id-wait=-1s',
    '--shutdown-delay=-1s',
  )
  assert.deepEqual([webhook.lookup.timeoutMs, webhook.lookup.requiredClientIdWaitMs, serving.shutdownDelayMs], [0, 0, 0])
  assert.equal(read('--shutdown-delay=2s').serving.shutdownDelayMs, 2_000)
})

for (const [level, logLevel, tellsPods] of [
  ['', 'warn', false],
  ['info', 'info', true],
  ['debug', 'debug', true],
  ['trace', 'debug', true],
  ['all', 'debug', true],
] as const)
  test(`the log level ${JSON.stringify(level)} is ${logLevel} here, tells ${tellsPods ? 'of each pod' : 'of no pod'}, and is handed to the proxy as it is`, () => {
    const program = read(`--log-level=${level}`)
    assert.deepEqual(
      [program.logLevel, program.webhook.tellsPods, program.webhook.admission.logLevel],
      [logLevel, tellsPods, level],
    )
  })

test('metrics are off where their address is 0 or empty', () => {
  for (const text of ['0', '']) assert.equal(read(`--metrics-addr=${text}`).serving.metrics, undefined)
  assert.deepEqual(read('--metrics-addr=:1').serving.metrics, { host: '', port: 1 })
})

const layouts = '--volume-layout is classic or reserved, not'
for (const [args, message] of [
  [
    ['--port=1', '--arc-cluster'],
    '--arc-cluster: the mode for Arc clusters is gone since v1.0 of the upstream and is not built here',
  ],
  [['-arc-cluster=false'], '--arc-cluster: the mode for Arc clusters is gone since v1.0 of the upstream and is not built here'],
  [['--log-level=toString'], '--log-level is info, debug, trace, all or empty, not toString'],
  [['--log-level=warn'], '--log-level is info, debug, trace, all or empty, not warn'],
  [['--metrics-backend=otlp'], '--metrics-backend: there is prometheus and not otlp'],
  [['--volume-layout=new'], `${layouts} new`],
  [['--volume-layout=hashed'], `${layouts} hashed: that layout of a later upstream is not built here`],
] as const)
  test(`${args.join(' ')} ends the start with its reason`, () => {
    assert.throws(() => read(...args), { name: 'FlagError', message })
  })

const endpoint = (suffix: string, audience = 'https://tokens.example') =>
  read(
    '--volume-layout=reserved',
    `--custom-token-endpoint-annotation-suffix=${suffix}`,
    `--custom-token-endpoint-audience=${audience}`,
  ).webhook.admission.tokenEndpoint

test('the suffix of the custom token endpoint makes an annotation that the API server takes [Z-61]', () => {
  assert.deepEqual(endpoint('Aks'), {
    annotation: 'azure.workload.identity/use-Aks',
    audience: 'https://tokens.example',
    proxyUrl: '',
    sniName: '',
    ca: { kind: 'none' },
  })
  assert.equal(endpoint('', ''), undefined)
  assert.ok(endpoint('x'.repeat(59)), 'use- and 59 more are 63 bytes')
  const invalid = (suffix: string, trouble: RegExp): void =>
    assert.throws(
      () => endpoint(suffix),
      ({ message }: Error) =>
        message.startsWith(`custom token endpoint annotation key "azure.workload.identity/use-${suffix}" is not valid: `) &&
        trouble.test(message),
    )
  invalid('x'.repeat(60), /: name part must be no more than 63 bytes$/)
  invalid('a/b', /: a qualified name must consist of/)
  invalid('a-', /: name part must consist of/)
})

for (const [suffix, audience, message] of [
  ['', 'x', 'custom token endpoint annotation suffix cannot be empty when audience is set'],
  ['x', '', 'custom token endpoint audience cannot be empty when annotation suffix is set'],
] as const)
  test(`half of a custom token endpoint ends the start: ${message} [Z-61]`, () => {
    assert.throws(() => endpoint(suffix, audience), { name: 'FlagError', message })
  })

test('the custom token endpoint is not had with the classic layout [§3.11]', () => {
  assert.throws(() => read('--custom-token-endpoint-annotation-suffix=a', '--custom-token-endpoint-audience=b'), {
    message: 'the custom token endpoint needs --volume-layout=reserved',
  })
})
