import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError, renderHelp } from '#base'
import { awsFlags } from './aws-flags.ts'
import { defaultWebhookSettings, readAwsProgram } from './settings.ts'

test('every flag of upstream is there with its default, but for the one grace period that differs on purpose [G-06]', () => {
  const upstream = {
    port: '443',
    'metrics-port': '9999',
    kubeconfig: '',
    'kube-api': '',
    'tls-cert': '/etc/webhook/certs/tls.crt',
    'tls-key': '/etc/webhook/certs/tls.key',
    'tls-cipher-suites': '',
    'tls-min-version': '',
    'in-cluster': 'true',
    'service-name': 'pod-identity-webhook',
    namespace: 'eks',
    'tls-secret': 'pod-identity-webhook',
    'annotation-prefix': 'eks.amazonaws.com',
    'token-audience': 'sts.amazonaws.com',
    'token-mount-path': '/var/run/secrets/eks.amazonaws.com/serviceaccount',
    'token-expiration': '86400',
    'aws-default-region': '',
    'sts-regional-endpoint': 'false',
    'watch-config-map': 'false',
    'compose-role-arn': 'false',
    'watch-container-credentials-config': '',
    'container-credentials-audience': 'pods.eks.amazonaws.com',
    'container-credentials-token-mount-path': '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount',
    'container-credentials-token-volume-name': 'eks-pod-identity-token',
    'container-credentials-token-path': 'eks-pod-identity-token',
    'container-credentials-full-uri': 'http://169.254.170.23/v1/credentials',
    'service-account-lookup-grace-period': '100ms',
    'resync-period': '60s',
    'enable-debugging-handlers': 'false',
    version: 'false',
    v: '0',
    logtostderr: 'true',
    alsologtostderr: 'false',
    add_dir_header: 'false',
    log_dir: '',
    log_file: '',
    log_file_max_size: '1800',
    one_output: 'false',
    skip_headers: 'false',
    skip_log_headers: 'false',
    stderrthreshold: '2',
    vmodule: '',
    log_backtrace_at: ':0',
  }
  const known = new Map(awsFlags.map(({ name, otherwise }) => [name, otherwise]))
  for (const [name, otherwise] of Object.entries(upstream)) assert.equal(known.get(name), otherwise, name)
  assert.equal(known.size, awsFlags.length, 'a flag is there twice')
})

test('every flag of the logging library is taken, as manifests carry them', () => {
  const given = ['--legacy_stderr_threshold_behavior=false', '--alsologtostderrthreshold=ERROR', '--stderrthreshold=WARNING']
  assert.deepEqual(readAwsProgram(given).ignored, [
    'alsologtostderrthreshold',
    'legacy_stderr_threshold_behavior',
    'stderrthreshold',
  ])
})

test('told nothing, the flags mean the settings that the library starts with', () => {
  assert.deepEqual(readAwsProgram([]).webhook, defaultWebhookSettings)
})

test('told nothing, the webhook serves as upstream’s does [§2.13]', () => {
  assert.deepEqual(readAwsProgram([]).serving, {
    port: 443,
    bindAddress: '',
    health: undefined,
    minVersion: 'TLSv1.2',
    ciphers: [],
    clientCaPath: '',
    shutdownDelayMs: 0,
    offersHttp2: false,
    metricsPort: 9_999,
    certificatePath: '/etc/webhook/certs/tls.crt',
    keyPath: '/etc/webhook/certs/tls.key',
    inCluster: true,
    serviceName: 'pod-identity-webhook',
    tlsSecret: 'pod-identity-webhook',
    signerName: 'beta.eks.amazonaws.com/app-serving',
    ownConfiguration: '',
  })
  assert.deepEqual(readAwsProgram([]).ignored, [])
})

test('what is switched on is on, and a time below zero is none', () => {
  const { webhook, serving } = readAwsProgram([
    '--watch-config-map',
    '--admission-warnings',
    '--enable-http2',
    '--configmap-default-audience',
    '--windows-from-pod-os',
    '--default-containers-mode=include',
    '--watch-container-credentials-config=/cc',
    '--service-account-lookup-grace-period=-1s',
    '--required-role-wait=-1s',
    '--steady-after=-1s',
    '--shutdown-delay=-1s',
  ])
  const { configMapDefaultAudience, windowsFromPodOs, onlyIncludedContainers } = webhook.admission
  assert.deepEqual([configMapDefaultAudience, windowsFromPodOs, onlyIncludedContainers], [true, true, true])
  assert.deepEqual([webhook.watchConfigMap, webhook.admissionWarnings, webhook.credentialsFile], [true, true, '/cc'])
  assert.deepEqual([serving.offersHttp2, serving.shutdownDelayMs], [true, 0])
  const confirmation = { kind: 'read', steadyAfterMs: 0 }
  assert.deepEqual(webhook.lookup, { graceMs: 0, confirmation, requiredRoleWaitMs: 0 })
  assert.deepEqual(readAwsProgram(['--confirm-missing-role=false']).webhook.lookup.confirmation, { kind: 'none' })
})

for (const [args, debugging] of [
  [[], 'nobody'],
  [['--debug-any-address'], 'nobody'],
  [['--enable-debugging-handlers'], 'loopback'],
  [['--enable-debugging-handlers', '--debug-any-address'], 'anybody'],
] as const)
  test(`with ${args.join(' ') || 'no more flags'} the debugging handlers answer ${debugging} [F-27]`, () => {
    assert.equal(readAwsProgram(args).webhook.debugging, debugging)
  })

test('flags come with one dash or two, with = or a space; booleans also bare [1.1.2]', () => {
  const { webhook, serving } = readAwsProgram([
    '-port=8443',
    '--metrics-port',
    '9000',
    '--in-cluster=false',
    '-sts-regional-endpoint',
    '-v=3',
    '--service-account-lookup-grace-period=1.5s',
    '--token-audience=',
    '--aws-default-region',
    'eu-west-1',
    '--container-credentials-full-uri=http://[fd00:ec2::23]/v1/credentials?a=b',
  ])
  assert.deepEqual([serving.port, serving.metricsPort, serving.inCluster], [8_443, 9_000, false])
  assert.deepEqual([webhook.verbosity, webhook.lookup.graceMs], [3, 1_500])
  const { regionalSts, tokenAudience, defaultRegion, containerCredentials } = webhook.admission
  assert.deepEqual([regionalSts, tokenAudience, defaultRegion], [true, '', 'eu-west-1'])
  assert.equal(containerCredentials.fullUri, 'http://[fd00:ec2::23]/v1/credentials?a=b')
})

for (const [args, message] of [
  [['--no-such'], /unknown option '--no-such'/],
  [['--port=http'], /option '--port' argument 'http' is invalid: it is no whole number/],
  [['--port=65536'], /a port from 0 to 65535/],
  [['--in-cluster=maybe'], /neither true nor false/],
  [['--resync-period=60'], /no duration/],
  [['--token-audience'], /option '--token-audience' argument missing/],
  [['stray'], /"stray" is no flag/],
  [['--tls-min-version=1.4'], /--tls-min-version is one of/],
  [['--tls-min-version=toString'], /--tls-min-version is one of 1\.0, 1\.1, .* not toString/],
  [['--tls-cipher-suites=TLS_AES_128_GCM_SHA256, FOO,BAR'], /unknown FOO, BAR/],
  [['--watch-container-credentials-config=here.json'], /absolute path/],
  [['--health-addr=8080'], /host:port/],
  [['--log-format=xml'], /text or json/],
  [['--default-containers-mode=some'], /all or include/],
  [['--aws-account-id=12'], /twelve digits/],
  [['--aws-partition=aws-cn'], /--aws-partition needs --aws-account-id/],
] as const) {
  test(`${args.join(' ')} is refused with the reason [1.1.2, 1.3.3]`, () => {
    assert.throws(
      () => readAwsProgram(args),
      error => error instanceof FlagError && message.test(error.message),
    )
  })
}

test('the start fails with the name of a cipher suite that nobody knows [P-09]', () => {
  assert.throws(() => readAwsProgram(['--tls-cipher-suites=FOO']), /--tls-cipher-suites: unknown FOO;/)
})

test('a configuration file gives flags, the command line wins, an unknown key is fatal [§7]', () => {
  const file = new Map([
    ['port', '1000'],
    ['namespace', 'here'],
  ])
  const { serving, webhook } = readAwsProgram(['--port=2000'], file)
  assert.deepEqual([serving.port, webhook.namespace], [2_000, 'here'])
  assert.throws(() => readAwsProgram([], new Map([['ports', '1']])), /unknown key: ports/)
})

test('cipher suites are taken by their IANA names, those of TLS 1.3 among them, without repeating one [P-08]', () => {
  const names =
    'TLS_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_RSA_WITH_AES_128_CBC_SHA'
  assert.deepEqual(readAwsProgram([`--tls-cipher-suites=${names}`]).serving.ciphers, [
    'ECDHE-RSA-AES128-GCM-SHA256',
    'AES128-SHA',
  ])
})

test('TLS versions are taken in both spellings [§5.3]', () => {
  const version = (text: string) => readAwsProgram([`--tls-min-version=${text}`]).serving.minVersion
  assert.deepEqual(['', '1.0', '1.1', '1.2', '1.3', 'VersionTLS10', 'VersionTLS13'].map(version), [
    'TLSv1.2',
    'TLSv1',
    'TLSv1.1',
    'TLSv1.2',
    'TLSv1.3',
    'TLSv1',
    'TLSv1.3',
  ])
})

test('composing role names needs the metadata service, or an account', () => {
  assert.equal(readAwsProgram([]).compose, undefined)
  assert.equal(readAwsProgram(['--compose-role-arn']).compose, 'metadata-service')
  const given = ['--compose-role-arn', '--aws-account-id=111122223333']
  assert.deepEqual(readAwsProgram(given).compose, { account: '111122223333', partition: 'aws' })
  assert.deepEqual(readAwsProgram([...given, '--aws-partition=aws-cn']).compose, { account: '111122223333', partition: 'aws-cn' })
})

test('the help names every flag that has an effect, with its default', () => {
  const help = renderHelp('aws-pod-identity-webhook', awsFlags)
  for (const { name, isIgnored } of awsFlags)
    assert.ok(help.includes(`${isIgnored === true ? '--' : name.length === 1 ? '-' : '--'}${name}`), name)
  assert.match(help, /--service-account-lookup-grace-period duration\n.*\(default 100ms\)/)
})
