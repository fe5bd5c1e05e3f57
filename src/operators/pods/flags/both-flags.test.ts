import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bothFlags, readBothPrograms } from './both-flags.ts'

const env = { AZURE_TENANT_ID: 'tenant' }

for (const [given, message] of [
  ['--aws.port=70000', /^--aws\.port is a port/],
  ['--azure.port=70000', /^--azure\.port is a port/],
  ['--azure.metrics-backend=none', /^--azure\.metrics-backend:/],
  ['--aws.aws-partition=aws', /^--aws\.aws-partition needs --aws\.aws-account-id$/],
  ['--azure.tls-min-version=9', /^--azure\.tls-min-version/],
  ['--log-format=xml', /^--log-format is text or json/],
] as const)
  test(`what is wrong with ${given} is told by the name that was given`, () => {
    assert.throws(() => readBothPrograms([given], env), { name: 'FlagError', message })
  })

test('flags without effect are named as they were given', () => {
  assert.deepEqual(readBothPrograms(['--aws.logtostderr=false'], env).aws.ignored, ['aws.logtostderr'])
})

for (const [args, level] of [
  [[], 'info'],
  [['--aws.v=4'], 'info'],
  [['--aws.v=5'], 'debug'],
  [['--azure.log-level=info'], 'info'],
  [['--azure.log-level=debug'], 'debug'],
] as const)
  test(`with ${args.join(' ') || 'no more flags'} the process tells from level ${level} on`, () => {
    assert.equal(readBothPrograms(args, env).logLevel, level)
  })

test('flags of the process are there once, and those of each webhook behind its name', () => {
  const names = bothFlags.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(
    names.filter(name => !name.startsWith('aws.') && !name.startsWith('azure.')),
    ['config', 'kubeconfig', 'log-exporter', 'log-format', 'log-resource-attributes', 'version'],
  )
  for (const name of ['aws.port', 'azure.port', 'aws.namespace', 'azure.audience']) assert.ok(names.includes(name), name)
})

test('each webhook sees its own flags of each kind, and those of the process', () => {
  const { aws, azure, kubeconfig } = readBothPrograms(
    [
      '--kubeconfig=/k',
      '--log-format=text',
      '--aws.port=1',
      '--azure.port=2',
      '--aws.shutdown-delay=1s',
      '--azure.shutdown-delay=2s',
      '--aws.enable-http2',
      '--azure.audience=a',
    ],
    env,
  )
  assert.deepEqual(
    [kubeconfig, aws.kubeconfig, azure.kubeconfig, aws.logFormat, azure.logFormat],
    ['/k', '/k', '/k', 'text', 'text'],
  )
  assert.deepEqual([aws.serving.port, aws.serving.shutdownDelayMs, aws.serving.offersHttp2], [1, 1_000, true])
  assert.deepEqual([azure.serving.port, azure.serving.shutdownDelayMs, azure.serving.offersHttp2], [2, 2_000, false])
  assert.equal(azure.webhook.admission.audience, 'a')
})
