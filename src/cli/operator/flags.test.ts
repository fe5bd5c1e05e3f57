import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Environment } from '#base'
import { FlagError } from '#base'
import { type IdentitySettings, identityOperator } from '#operators/identity/operator'
import type { Operator } from '#runtime'
import { resources } from '../operators.ts'
import { operatorFlagGroups, operatorFlags, readOperatorFlags, settingsOf } from './flags.ts'
import { operatorHelp } from './help.ts'
import type { ProcessSettings } from './process-flags.ts'

const needed = ['--cluster-profile-namespaces=*']
const read = (args: readonly string[], env: Environment = {}): ProcessSettings =>
  readOperatorFlags([...needed, ...args], env).process
const identityOf = (args: readonly string[]): IdentitySettings => settingsOf(readOperatorFlags(args, {}), identityOperator)
const identity = (...args: readonly string[]): IdentitySettings => identityOf([...needed, ...args])
const both = '--controllers=identity,resources'
const ofResources = (...args: readonly string[]): ReturnType<typeof resources.readSettings> =>
  settingsOf(readOperatorFlags(['--controllers=resources', ...args], {}), resources)

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
  assert.equal(identity('--aws-writer=direct').awsWriter, 'direct')
  assert.equal(trouble([...needed, '--aws-writer=ack']), '--aws-writer: "ack" is none of children, direct')
})

test('the defaults are those of the reference, and every flag of it is known [11.1]', () => {
  const { process, chosen } = readOperatorFlags(needed, {})
  assert.deepEqual(
    chosen.map(({ operator }) => operator.name),
    ['identity'],
  )
  assert.deepEqual(process, {
    metricsAddress: undefined,
    metricsCertificateFolder: undefined,
    healthAddress: { host: '', port: 8081 },
    webhookAddress: { host: '', port: 9443 },
    webhookCertificateFolder: '/tmp/k8s-webhook-server/serving-certs',
    webhookHttp2: true,
    webhookAuthority: undefined,
    elects: false,
    shards: undefined,
    leaseNamespace: undefined,
    accounts: {},
    workers: 4,
    log: {
      level: 'info',
      exporter: 'otlp',
      attributes: { 'service.name': 'aws-workload-identity-operator', 'service.namespace': 'appthrust' },
    },
    kubeconfig: undefined,
  })
  const aws = { region: '', account: '', identityEndpoint: undefined, usesPathStyle: false, timeoutMs: 60_000, rates: {} }
  assert.deepEqual(identity(), {
    providerFile: 'clusterprofile-provider-file.json',
    rolloutRules: 'safe',
    isProviderFileNamed: false,
    profileNamespaces: undefined,
    mayName: undefined,
    bucketSalt: '',
    awsWriter: 'children',
    foreignAnnotation: 'overwrite',
    rotation: { propagationMs: 900_000, graceMs: 90_000_000 },
    webhookImage: '',
    s3Endpoint: undefined,
    workers: 4,
    aws,
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

test('the flags of AWS Controllers for Kubernetes are known by their names, with their defaults', () => {
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
  const { options, services, models, installsCrds } = ofResources()
  assert.deepEqual([services, models, installsCrds], [['iam', 's3', 'eks'], undefined, false])
  assert.deepEqual(
    [options.carm, options.crossNamespace, options.fieldExport, options.deletionPolicy],
    [true, false, true, 'delete'],
  )
  const settings = read([
    '--metrics-addr=0.0.0.0:8080',
    '--healthz-addr=0.0.0.0:8082',
    '--webhook-server-addr=0.0.0.0:9433',
    '--enable-leader-election',
    '--leader-election-namespace=ack-system',
    '--enable-development-logging',
    '--reconcile-default-max-concurrent-syncs=7',
  ])
  assert.deepEqual(
    [settings.metricsAddress?.port, settings.healthAddress?.port, settings.webhookAddress?.port, settings.workers],
    [8080, 8082, 9433, 7],
  )
  assert.deepEqual([settings.elects, settings.leaseNamespace, settings.log.level], [true, 'ack-system', 'debug'])
  const called = ofResources(
    '--aws-identity-endpoint-url=https://sts',
    '--aws-endpoint-use-path-style',
    '--http-client-timeout=5s',
  )
  const { identityEndpoint, usesPathStyle, timeoutMs } = called.aws
  assert.deepEqual([identityEndpoint, usesPathStyle, timeoutMs], ['https://sts', true, 5_000])
  assert.match(
    trouble(['--controllers=resources', '--aws-identity-endpoint-url=http://sts']),
    /^--aws-identity-endpoint-url is http/,
  )
  assert.match(trouble([...needed, '--http-client-timeout=0']), /^--http-client-timeout takes/)
  assert.match(trouble([...needed, '--leader-election-namespace=A_']), /^--leader-election-namespace/)
  for (const shards of ['1', '-1', '65']) assert.match(trouble([...needed, `--shards=${shards}`]), /^--shards/)
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
  assert.match(trouble([...needed, '--no-such-flag']), /^unknown option '--no-such-flag'$/)
  assert.match(trouble([...needed, 'positional']), /is no flag/)
})

test('namespaces of ClusterProfiles [13.11 #240]', () => {
  assert.match(trouble([]), /^--cluster-profile-namespaces is required/)
  assert.match(trouble(['--cluster-profile-namespaces=a,,b']), /has an empty entry/)
  assert.match(trouble(['--cluster-profile-namespaces=*,a']), /has \* beside names/)
  assert.match(trouble(['--cluster-profile-namespaces=A_b']), /"A_b" is no name of a namespace$/)
  assert.deepEqual(identityOf(['--cluster-profile-namespaces', ' a,b,a ']).profileNamespaces, ['a', 'b'])
  assert.equal(identity().profileNamespaces, undefined)
})

test('the S3 endpoint [13.11 #241]', () => {
  assert.match(trouble([...needed, '--aws-endpoint-url=http://x']), /travel in the clear/)
  assert.equal(identity('--aws-endpoint-url=http://x', '--allow-unsafe-aws-endpoint-urls').s3Endpoint, 'http://x')
  assert.equal(identity('--aws-endpoint-url=https://x').s3Endpoint, 'https://x')
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
  const { chosen } = readOperatorFlags([...needed, '--controllers=resources, identity'], {})
  assert.deepEqual(
    chosen.map(({ operator }) => operator.name),
    ['identity', 'resources'],
  )
  assert.match(trouble([...needed, '--controllers=identity,dns2']), /"dns2" is none of identity, resources/)
  const elsewhere = readOperatorFlags(['--controllers=resources'], { AWS_REGION: 'eu-west-1' })
  assert.equal(settingsOf(elsewhere, resources).aws.region, 'eu-west-1')
  assert.match(trouble([...needed, '--aws-account-id=12']), /takes twelve digits$/)
  assert.match(trouble([...needed, '--max-concurrent-reconciles=0']), /from 1 to 1000$/)
})

test('ack 6.17: the flags of the resources operator, with their defaults and their checks', () => {
  const { options } = ofResources()
  assert.deepEqual(options, {
    workers: 4,
    resourceTags: [
      'services.k8s.aws/controller-version=%CONTROLLER_SERVICE%-%CONTROLLER_VERSION%',
      'services.k8s.aws/namespace=%K8S_NAMESPACE%',
    ],
    ownershipTags: true,
    deletionPolicy: 'delete',
    releaseAfterDelete: [],
    carm: true,
    crossNamespace: false,
    fieldExport: true,
    extendedFieldExports: false,
    adoptedResources: false,
    gates: {},
    watchNamespaces: [],
    watchSecrets: true,
    resyncSecondsOf: {},
    workersOf: {},
    strictConditions: false,
    strictSync: false,
    conditionGenerations: false,
    events: true,
    secrets: [],
    anySecretType: false,
    metricNames: true,
    driftQueues: [],
    deletionPolicyOf: {},
  })
  const given = ofResources(
    '--services=iam,sqs',
    '--reconcile-resources=Role',
    '--feature-gates=IAMRoleSelector=true',
    '--reconcile-resource-resync-seconds=Role=60',
    '--watch-namespace=a,b',
    '--resource-deletion-policy=Bucket=retain',
  )
  assert.deepEqual(given.services, ['iam', 'sqs'])
  assert.deepEqual(given.options.gates, { IAMRoleSelector: true })
  assert.deepEqual(given.options.resyncSecondsOf, { Role: 60 })
  assert.deepEqual(given.options.watchNamespaces, ['a', 'b'])
  assert.deepEqual(given.options.deletionPolicyOf, { Bucket: 'retain' })
  assert.deepEqual(ofResources('--drift-queue=https://sqs.eu-west-1.amazonaws.com/111122223333/drift').options.driftQueues, [
    'https://sqs.eu-west-1.amazonaws.com/111122223333/drift',
  ])
  assert.deepEqual([ofResources().checks, ofResources('--manifest-checks=deny').checks], ['off', 'deny'])
  assert.match(
    trouble(['--controllers=resources', '--manifest-checks=on']),
    /^--manifest-checks: "on" is none of off, warn, deny$/,
  )
  assert.match(trouble(['--controllers=resources', '--drift-queue=drift']), /"drift" is no URL of a queue/)
  assert.match(trouble(['--controllers=resources', '--drift-queue=http://localhost:4566/1/drift']), /travel in the clear/)
  assert.match(trouble(['--controllers=resources', '--resource-deletion-policy=Bucket']), /is no Kind=delete or Kind=retain$/)
  assert.match(trouble(['--controllers=resources', '--watch-selectors=a in (']), /^--watch-selectors: /)
  assert.match(trouble(['--controllers=resources', '--deletion-policy=keep']), /^--deletion-policy takes/)
  assert.match(trouble(['--controllers=resources', '--feature-gates=Nope=true']), /"Nope" is none of/)
  assert.match(trouble(['--controllers=resources', '--reconcile-resource-resync-seconds=Role']), /is no Kind=number$/)
})

test('the times of a key rotation are durations that refuse no good token', () => {
  assert.deepEqual(identity().rotation, { propagationMs: 900_000, graceMs: 90_000_000 })
  for (const flag of ['--signing-key-grace=59m', '--signing-key-grace=soon', '--signing-key-propagation=1s']) {
    assert.throws(() => readOperatorFlags(['--cluster-profile-namespaces=a', flag], {}), /is no duration of .* or more/)
  }
})

test('one name for two things belongs to the first operator that runs, and the other has its default', () => {
  const endpoint = '--aws-endpoint-url=https://aws'
  assert.equal(ofResources(endpoint).endpoint, 'https://aws')
  const settings = readOperatorFlags([...needed, both, endpoint], {})
  assert.equal(settingsOf(settings, identityOperator).s3Endpoint, 'https://aws')
  assert.equal(settingsOf(settings, resources).endpoint, undefined)
})

test('as which ServiceAccount an operator works: only for those that run, and only names of ServiceAccounts', () => {
  assert.deepEqual(read(['--operator-accounts=identity=vouch-identity']).accounts, { identity: 'vouch-identity' })
  assert.match(trouble([...needed, '--operator-accounts=resources=x']), /"resources" does not run in this process$/)
  for (const pair of ['identity', 'identity=A_b', '=x', 'identity=a=b'])
    assert.match(trouble([...needed, `--operator-accounts=${pair}`]), /is no operator=name of a ServiceAccount$/)
})

test('an operator that is no part of this program is a value in the list: its flags are read and its settings are its own', () => {
  const greeting: Operator<string> = {
    name: 'greeting',
    summary: 'greets',
    flags: [{ title: 'Greetings', flags: [{ name: 'greeting', type: 'text', otherwise: 'hello', help: 'what is said' }] }],
    examples: [],
    lease: 'greeting',
    readSettings: values => values.text('greeting'),
    describe: () => Promise.reject(new Error('not asked')),
    start: () => Promise.reject(new Error('not asked')),
  }
  const settings = readOperatorFlags(['--controllers=greeting', '--greeting=hi'], {}, [greeting])
  assert.equal(settingsOf(settings, greeting), 'hi')
  assert.ok(operatorFlagGroups([greeting]).some(({ title }) => title === 'Greetings'))
  assert.throws(() => readOperatorFlags(['--controllers=identity'], {}, [greeting]), /"identity" is none of greeting$/)
})

test('an authority of its own is named with the Service and the configurations that it is for', () => {
  const given = ['--webhook-authority-secret=a', '--webhook-service=hook', '--webhook-configurations=x, y']
  assert.deepEqual(read(given).webhookAuthority, { secret: 'a', service: 'hook', configurations: ['x', 'y'] })
  for (const without of [given.slice(1), given.slice(0, 1), given.slice(2)])
    assert.match(trouble([...needed, ...without]), /^--webhook-(?:authority-secret|service): "" is no name of an object$/)
})

test('the help of the operator shows every flag under a title of what it is about, and no group is most of them', () => {
  const groups = operatorFlagGroups()
  const help = operatorHelp()
  for (const { title, flags } of groups) {
    const [, ofGroup = ''] = new RegExp(`\n${title}:\n([\\s\\S]*?)(?:\n\n|$)`).exec(help) ?? []
    const shown = [...ofGroup.matchAll(/^ {2}--([a-z0-9-]+)/gm)].map(([, name = '']) => name)
    assert.deepEqual(
      shown,
      flags.map(({ name }) => name),
      title,
    )
    assert.ok(flags.length * 3 < operatorFlags.length, `${title}: ${flags.length} of ${operatorFlags.length} flags`)
  }
  assert.ok(groups.length > 5)
  const everywhere = [...help.matchAll(/^ {2}--([a-z0-9-]+)/gm)].map(([, name = '']) => name)
  assert.deepEqual(everywhere.toSorted(), operatorFlags.map(({ name }) => name).toSorted(), 'each once')
  assert.match(help, /--cluster-id string\n .*Certificates: name of this cluster .*; \S.*: part of the owner id/)
})
