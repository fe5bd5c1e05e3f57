import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError } from '#base'
import type { Environment } from '../log-choice.ts'
import { operatorFlags, readOperatorFlags } from './flags.ts'

const needed = ['--cluster-profile-namespaces=*']
const read = (args: readonly string[], env: Environment = {}) => readOperatorFlags([...needed, ...args], env)

function trouble(args: readonly string[], env: Environment = {}): string {
  try {
    readOperatorFlags(args, env)
    return 'none'
  } catch (error) {
    assert.ok(error instanceof FlagError, String(error))
    return error.message
  }
}

test('ours: --aws-writer takes children or direct', () => {
  assert.equal(read(['--aws-writer=direct']).awsWriter, 'direct')
  assert.equal(trouble([...needed, '--aws-writer=ack']), '--aws-writer: "ack" is none of children, direct')
})

test('the defaults are those of the reference, and every flag of it is known [11.1]', () => {
  const { resources, ...settings } = read([])
  assert.deepEqual([resources.services, resources.models, resources.installsCrds], [undefined, undefined, false])
  assert.deepEqual(settings, {
    controllers: new Set(['identity']),
    metricsAddress: undefined,
    healthAddress: { host: '', port: 8081 },
    webhookAddress: { host: '', port: 9443 },
    webhookCertificateFolder: '/tmp/k8s-webhook-server/serving-certs',
    elects: false,
    leaseNamespace: undefined,
    providerFile: 'clusterprofile-provider-file.json',
    profileNamespaces: undefined,
    awsWriter: 'children',
    foreignAnnotation: 'overwrite',
    rotation: { propagationMs: 900_000, graceMs: 90_000_000 },
    webhookImage: 'public.ecr.aws/eks/amazon-eks-pod-identity-webhook:v0.6.15',
    s3Endpoint: undefined,
    workers: 4,
    log: {
      level: 'info',
      exporter: 'otlp',
      attributes: { 'service.name': 'aws-workload-identity-operator', 'service.namespace': 'appthrust' },
    },
    kubeconfig: undefined,
    aws: { region: '', account: '', services: ['iam', 's3', 'eks'] },
  })
  const names = operatorFlags.map(({ name }) => name)
  for (const name of [
    'metrics-bind-address',
    'health-probe-bind-address',
    'leader-elect',
    'clusterprofile-provider-file',
    'cluster-profile-namespaces',
    'pod-identity-webhook-image',
    'aws-endpoint-url',
    'allow-unsafe-aws-endpoint-urls',
    'max-concurrent-reconciles',
    'log-level',
    'log-exporter',
    'log-add-source',
    'log-resource-attributes',
    'kubeconfig',
  ]) {
    assert.ok(names.includes(name), name)
  }
})

test('the flags of AWS Controllers for Kubernetes are known by their names, with their defaults [6.17]', () => {
  const defaults = new Map(operatorFlags.map(flag => [flag.name, flag]))
  for (const name of [
    'metrics-addr',
    'healthz-addr',
    'enable-webhook-server',
    'webhook-server-addr',
    'enable-leader-election',
    'leader-election-namespace',
    'enable-field-export-reconciler',
    'enable-carm',
    'enable-cross-namespace',
    'enable-development-logging',
    'aws-region',
    'aws-endpoint-url',
    'aws-identity-endpoint-url',
    'allow-unsafe-aws-endpoint-urls',
    'aws-endpoint-use-path-style',
    'http-client-timeout',
    'log-level',
    'resource-tags',
    'watch-namespace',
    'watch-selectors',
    'deletion-policy',
    'feature-gates',
    'reconcile-default-resync-seconds',
    'reconcile-resource-resync-seconds',
    'reconcile-default-max-concurrent-syncs',
    'reconcile-resource-max-concurrent-syncs',
    'reconcile-resources',
    'services',
  ])
    assert.ok(defaults.has(name), name)
  assert.deepEqual(read([]).resources.client, { identityEndpoint: undefined, usesPathStyle: false, timeoutMs: 60_000 })
  const { options } = read([]).resources
  assert.deepEqual(
    [options.carm, options.crossNamespace, options.fieldExport, options.deletionPolicy],
    [true, true, true, 'delete'],
  )
  const settings = read([
    '--metrics-addr=0.0.0.0:8080',
    '--healthz-addr=0.0.0.0:8082',
    '--webhook-server-addr=0.0.0.0:9433',
    '--enable-leader-election',
    '--leader-election-namespace=ack-system',
    '--enable-development-logging',
    '--aws-identity-endpoint-url=https://sts',
    '--aws-endpoint-use-path-style',
    '--http-client-timeout=5s',
    '--reconcile-default-max-concurrent-syncs=7',
  ])
  assert.deepEqual(
    [settings.metricsAddress?.port, settings.healthAddress?.port, settings.webhookAddress?.port, settings.workers],
    [8080, 8082, 9433, 7],
  )
  assert.deepEqual([settings.elects, settings.leaseNamespace, settings.log.level], [true, 'ack-system', 'debug'])
  assert.deepEqual(settings.resources.client, { identityEndpoint: 'https://sts', usesPathStyle: true, timeoutMs: 5_000 })
  assert.match(trouble([...needed, '--aws-identity-endpoint-url=http://sts']), /^--aws-identity-endpoint-url is http/)
  assert.match(trouble([...needed, '--http-client-timeout=0']), /^--http-client-timeout takes/)
  assert.match(trouble([...needed, '--leader-election-namespace=A_']), /^--leader-election-namespace/)
})

test('one dash or two, a value after = or as the next argument, booleans bare or with a word [11.1]', () => {
  const settings = read([
    '-leader-elect',
    '-metrics-bind-address',
    ':8080',
    '--health-probe-bind-address=127.0.0.1:1',
    '-log-add-source=false',
  ])
  assert.equal(settings.elects, true)
  assert.deepEqual(settings.metricsAddress, { host: '', port: 8080 })
  assert.deepEqual(settings.healthAddress, { host: '127.0.0.1', port: 1 })
  assert.deepEqual(read(['--metrics-bind-address=[::1]:8080']).metricsAddress, { host: '::1', port: 8080 })
  assert.match(trouble([...needed, '--metrics-bind-address=8080']), /is no address such as :8080$/)
  assert.match(trouble([...needed, '--no-such-flag']), /^unknown flag: no-such-flag$/)
  assert.match(trouble([...needed, 'positional']), /is no flag/)
})

test('namespaces of ClusterProfiles [13.11 #240]', () => {
  assert.match(trouble([]), /^--cluster-profile-namespaces is required/)
  assert.match(trouble(['--cluster-profile-namespaces=a,,b']), /has an empty entry/)
  assert.match(trouble(['--cluster-profile-namespaces=*,a']), /has \* beside names/)
  assert.match(trouble(['--cluster-profile-namespaces=A_b']), /"A_b" is no name of a namespace$/)
  assert.deepEqual(readOperatorFlags(['--cluster-profile-namespaces', ' a,b,a '], {}).profileNamespaces, ['a', 'b'])
  assert.equal(read([]).profileNamespaces, undefined)
})

test('the S3 endpoint [13.11 #241]', () => {
  assert.match(trouble([...needed, '--aws-endpoint-url=http://x']), /travel in the clear/)
  assert.equal(read(['--aws-endpoint-url=http://x', '--allow-unsafe-aws-endpoint-urls']).s3Endpoint, 'http://x')
  assert.equal(read(['--aws-endpoint-url=https://x']).s3Endpoint, 'https://x')
  for (const url of ['ftp://x', '/path', 'https://', 'x']) {
    assert.match(
      trouble([...needed, `--aws-endpoint-url=${url}`, '--allow-unsafe-aws-endpoint-urls']),
      /is no URL with a host/,
      url,
    )
  }
})

test('log level, exporter, attributes and protocol [13.11 #242]', () => {
  assert.match(trouble([...needed, '--log-level=verbose']), /^--log-level takes/)
  assert.match(trouble([...needed, '--log-exporter=file']), /"file" is none of otlp, console, none$/)
  assert.match(trouble([...needed, '--log-resource-attributes=missing-value']), /"missing-value" is no key=value$/)
  assert.match(trouble([...needed, '--log-resource-attributes==x']), /is no key=value$/)
  assert.match(trouble([...needed, '--log-resource-attributes=a=%zz']), /percent-encoded/)
  assert.match(trouble(needed, { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }), /is neither http\/protobuf nor grpc$/)
  assert.equal(read([' --log-level= Warning '.trim()]).log.level, 'warn')
  assert.equal(read(['--log-level=']).log.level, 'info')
  assert.equal(read([], { OTEL_LOGS_EXPORTER: ' Console ' }).log.exporter, 'console')
  assert.equal(read(['--log-exporter=none'], { OTEL_LOGS_EXPORTER: 'console' }).log.exporter, 'none')
})

test('who names the service: our default, the attributes of the environment, its own variable, the flag [13.11 #243]', () => {
  const name = (args: readonly string[], env: Environment): string | undefined => read(args, env).log.attributes['service.name']
  assert.equal(name([], { OTEL_RESOURCE_ATTRIBUTES: 'service.name=attributes, x=%20y' }), 'attributes')
  const both = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=attributes', OTEL_SERVICE_NAME: 'variable' }
  assert.equal(name([], both), 'variable')
  assert.equal(name(['--log-resource-attributes=service.name=flag,,'], both), 'flag')
})

test('which operators run: a list of known names; only identity needs to know where profiles are', () => {
  assert.deepEqual(read(['--controllers=identity, resources']).controllers, new Set(['identity', 'resources']))
  assert.match(trouble([...needed, '--controllers=identity,dns2']), /"dns2" is none of identity, resources$/)
  assert.deepEqual(readOperatorFlags(['--controllers=resources'], { AWS_REGION: 'eu-west-1' }).aws.region, 'eu-west-1')
  assert.match(trouble([...needed, '--aws-account-id=12']), /takes twelve digits$/)
  assert.match(trouble([...needed, '--max-concurrent-reconciles=0']), /from 1 to 1000$/)
})

test('ack 6.17: the flags of the resources operator, with their defaults and their checks', () => {
  const { options } = read([]).resources
  assert.deepEqual(options, {
    resourceTags: [
      'services.k8s.aws/controller-version=%CONTROLLER_SERVICE%-%CONTROLLER_VERSION%',
      'services.k8s.aws/namespace=%K8S_NAMESPACE%',
    ],
    ownershipTags: true,
    deletionPolicy: 'delete',
    releaseAfterDelete: [],
    carm: true,
    crossNamespace: true,
    fieldExport: true,
    extendedFieldExports: false,
    gates: {},
    watchNamespaces: [],
    watchSecrets: true,
    resyncSecondsOf: {},
    workersOf: {},
    strictConditions: false,
    strictSync: false,
    conditionGenerations: false,
    events: true,
    anySecretType: false,
    metricNames: true,
    driftQueues: [],
    deletionPolicyOf: {},
  })
  const given = read([
    '--services=iam,sqs',
    '--reconcile-resources=Role',
    '--feature-gates=IAMRoleSelector=true',
    '--reconcile-resource-resync-seconds=Role=60',
    '--watch-namespace=a,b',
    '--resource-deletion-policy=Bucket=retain',
  ]).resources
  assert.deepEqual(given.services, ['iam', 'sqs'])
  assert.deepEqual(given.options.gates, { IAMRoleSelector: true })
  assert.deepEqual(given.options.resyncSecondsOf, { Role: 60 })
  assert.deepEqual(given.options.watchNamespaces, ['a', 'b'])
  assert.deepEqual(given.options.deletionPolicyOf, { Bucket: 'retain' })
  assert.deepEqual(read(['--drift-queue=https://sqs.eu-west-1.amazonaws.com/111122223333/drift']).resources.options.driftQueues, [
    'https://sqs.eu-west-1.amazonaws.com/111122223333/drift',
  ])
  assert.deepEqual([read([]).resources.checks, read(['--manifest-checks=deny']).resources.checks], ['off', 'deny'])
  assert.match(trouble([...needed, '--manifest-checks=on']), /^--manifest-checks: "on" is none of off, warn, deny$/)
  assert.match(trouble([...needed, '--drift-queue=drift']), /"drift" is no URL of a queue/)
  assert.match(trouble([...needed, '--drift-queue=http://localhost:4566/1/drift']), /travel in the clear/)
  assert.match(trouble([...needed, '--resource-deletion-policy=Bucket']), /is no Kind=delete or Kind=retain$/)
  assert.match(trouble([...needed, '--watch-selectors=a in (']), /^--watch-selectors: /)
  assert.match(trouble([...needed, '--deletion-policy=keep']), /^--deletion-policy takes/)
  assert.match(trouble([...needed, '--feature-gates=Nope=true']), /"Nope" is none of/)
  assert.match(trouble([...needed, '--reconcile-resource-resync-seconds=Role']), /is no Kind=number$/)
})

test('the times of a key rotation are durations that refuse no good token', () => {
  const settings = readOperatorFlags(['--cluster-profile-namespaces=a'], {})
  assert.deepEqual(settings.rotation, { propagationMs: 900_000, graceMs: 90_000_000 })
  for (const flag of ['--signing-key-grace=59m', '--signing-key-grace=soon', '--signing-key-propagation=1s']) {
    assert.throws(() => readOperatorFlags(['--cluster-profile-namespaces=a', flag], {}), /is no duration of .* or more/)
  }
})
