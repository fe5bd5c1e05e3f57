// The flags of the operator: what each is without being given, what the environment says of it, and what is refused in one line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '#base'
import { settingsDefault } from './cert/settings.ts'
import { layersDefault } from './create-operator.ts'
import { type CertificateSettings, flagGroups, readCertificateFlags } from './flags.ts'

const flags = flagGroups.flatMap(group => group.flags)

function read(args: readonly string[], env: Readonly<Record<string, string>> = {}): CertificateSettings {
  return readCertificateFlags(parseFlags(flags, args, new Map()), { workers: 3, env })
}

const defaults: Readonly<Record<string, string>> = {
  'dns-zones': '',
  'webhook-fail-closed': 'true',
  'webhook-enabled': 'true',
  'acm-rate-limit': '5',
  'route53-rate-limit': '3',
  'cache-ttl': '5m',
  'cache-max-size': '1000',
  'aws-default-timeout': '30s',
  'metrics-expiry-threshold': '90',
  'metrics-max-tracked': '1000',
  'zone-config-file': '',
  'allow-cross-zone-sans': 'true',
  'acm-burst': '10',
  'route53-burst': '5',
  'route53-account-rate-limit': '0',
  'throttle-max-retries': '5',
  'throttle-base-delay': '1s',
  'throttle-max-delay': '30s',
  'throttle-jitter': '0.2',
  'breaker-failures': '5',
  'breaker-window': '60s',
  'breaker-ratio': '0.5',
  'breaker-min-calls': '20',
  'breaker-open': '30s',
  'breaker-max-open': '5m',
  'breaker-enabled': 'true',
  'pending-base-interval': '30s',
  'pending-max-interval': '5m',
  'created-base-interval': '1m',
  'created-max-interval': '10m',
  'validated-interval': '5m',
  'ready-interval': '1h',
  'failed-interval': '5m',
  'validation-timeout': '72h',
  'validation-record-cleanup': 'IfUnreferenced',
  'record-reference-regions': '',
  'overwrite-conflicting-records': 'false',
  'delete-failed-requests': 'true',
  'proactive-reissue': 'false',
  'enable-publishing': 'false',
  'enable-cert-policy': 'false',
  'enable-export': 'false',
  'max-requests-per-day': '200',
  'share-requests': 'true',
  'private-ca-any-name': 'false',
  'cluster-id': '',
  namespaces: '',
  'dry-run': 'false',
}

test('each flag is without being given what the design says [13]', () => {
  const told = new Map(flags.map(({ name, otherwise }) => [name, otherwise]))
  assert.deepEqual(Object.fromEntries(Object.keys(defaults).map(name => [name, told.get(name)])), defaults)
})

test('the environment says what no flag says, and a flag wins [13]', () => {
  const env = {
    CERT_OPERATOR_ACM_RATE_LIMIT: '2',
    CERT_OPERATOR_DRY_RUN: 'true',
    CERT_OPERATOR_ACM_BURST: '4',
    CERT_OPERATOR_DNS_ZONES: 'example.com:Z1',
  }
  const { layers, cert, zones } = read(['--acm-burst=7'], env)
  assert.deepEqual(layers.rates?.acm, { perSecond: 2, burst: 7 })
  assert.equal(cert.dryRun, true)
  assert.deepEqual(zones, [{ name: 'example.com', id: 'Z1' }])
  assert.throws(() => read([], { CERT_OPERATOR_DRY_RUN: 'yes' }), /^FlagError: --dry-run takes true or false$/)
  assert.throws(() => read([], { CERT_OPERATOR_ACM_BURST: '-1' }), /^FlagError: --acm-burst takes a whole number$/)
})

const refused: readonly (readonly [arg: string, why: RegExp])[] = [
  ['--nothing=1', /unknown option '--nothing'/],
  ['--acm-burst=0', /--acm-burst takes 1 or more/],
  ['--route53-burst=0', /takes 1 or more/],
  ['--breaker-failures=0', /takes 1 or more/],
  ['--breaker-min-calls=0', /takes 1 or more/],
  ['--metrics-expiry-threshold=0', /takes 1 or more/],
  ['--metrics-max-tracked=-1', /takes 0 or more/],
  ['--throttle-max-retries=-1', /takes 0 or more/],
  ['--throttle-jitter= ', /--throttle-jitter takes a number/],
  ['--pending-base-interval=-1s', /takes a duration/],
  ['--cache-ttl=-1s', /takes a duration/],
  ['--monitoring=some', /takes none or prometheus/],
  [`--cluster-id=${'x'.repeat(49)}`, /--cluster-id takes up to 48/],
  ['--acm-rate-limit=0', /--acm-rate-limit takes a number above 0/],
  ['--route53-rate-limit=-1', /--route53-rate-limit takes a number above 0/],
  ['--route53-account-rate-limit=-1', /takes a number above 0/],
  ['--acm-rate-limit=fast', /--acm-rate-limit takes a number/],
  ['--cache-max-size=-1', /--cache-max-size takes 0 or more/],
  ['--cache-ttl=soon', /--cache-ttl takes a duration/],
  ['--validated-interval=0', /--validated-interval takes a duration/],
  ['--validation-timeout=73h', /--validation-timeout takes 72h at most/],
  ['--validation-record-cleanup=Always', /takes IfUnreferenced or Never/],
  ['--metrics-max-tracked=5001', /takes 5000 at most/],
  ['--max-requests-per-day=0', /takes 1 or more/],
  ['--enable-export=true', /--enable-export needs --export-namespaces/],
  ['--cluster-id=a b', /--cluster-id takes up to 48/],
  ['--dns-zones=example.com', /--dns-zones: "example.com" is no name:id/],
  ['--dns-zones=example.com:Z1,', /--dns-zones: "" is no name:id/],
  ['--validation-dns-servers=dns.example.com', /takes IP addresses of name servers, or system/],
  ['--validation-dns-servers=system,1.1.1.1', /takes IP addresses of name servers, or system/],
]

for (const [arg, why] of refused)
  test(`${arg} is refused in one line [13]`, () => {
    assert.throws(
      () => read([arg]),
      (error: unknown) => error instanceof Error && why.test(error.message) && !error.message.includes('\n'),
    )
  })

const taken: readonly (readonly [arg: string, valueOf: (settings: CertificateSettings) => unknown, value: unknown])[] = [
  ['--acm-burst=1', ({ layers }) => layers.rates?.acm?.burst, 1],
  ['--route53-burst=1', ({ layers }) => layers.rates?.route53Zone?.burst, 1],
  ['--breaker-failures=1', ({ layers }) => layers.breaker?.failuresMax, 1],
  ['--breaker-min-calls=1', ({ layers }) => layers.breaker?.callsMin, 1],
  ['--throttle-max-retries=0', ({ layers }) => layers.retry?.retriesMax, 0],
  ['--throttle-jitter=0', ({ layers }) => layers.retry?.jitter, 0],
  ['--cache-max-size=1', ({ layers }) => layers.cache?.entriesMax, 1],
  ['--cache-ttl=1ms', ({ layers }) => layers.cache?.ttlMs, 1],
  ['--metrics-expiry-threshold=1', ({ telemetry }) => telemetry.thresholdDays, 1],
  ['--metrics-max-tracked=0', ({ telemetry }) => telemetry.trackedMax, 0],
  ['--metrics-max-tracked=5000', ({ telemetry }) => telemetry.trackedMax, 5_000],
  ['--max-requests-per-day=1', ({ cert }) => cert.requestsPerDayMax, 1],
  ['--validation-timeout=72h', ({ cert }) => cert.validationTimeoutMs, 259_200_000],
  ['--validation-timeout=1ms', ({ cert }) => cert.validationTimeoutMs, 1],
  ['--ready-interval=1ms', ({ cert }) => cert.intervals.readyMs, 1],
  [`--cluster-id=${'x'.repeat(48)}`, ({ cert }) => cert.clusterId, 'x'.repeat(48)],
  ['--monitoring=prometheus', ({ monitoring }) => monitoring, 'prometheus'],
  ['--namespaces=a,b', ({ namespaces }) => namespaces, ['a', 'b']],
  ['--namespaces=', ({ namespaces }) => namespaces, undefined],
  ['--zone-config-file=', ({ zoneFile }) => zoneFile, undefined],
  ['--zone-config-file=/zones.yaml', ({ zoneFile }) => zoneFile, '/zones.yaml'],
  ['--export-namespaces=a', ({ exportNamespaces }) => exportNamespaces, undefined],
]

for (const [arg, valueOf, value] of taken)
  test(`${arg} is taken as it is [13]`, () => assert.deepEqual(valueOf(read([arg])), value))

test('what is read of the flags when none is given is what a Cert is looked after with [13]', () => {
  const { cert, telemetry, workers, timeoutMs } = read([])
  assert.deepEqual(cert, settingsDefault)
  assert.deepEqual([telemetry, workers, timeoutMs], [{ thresholdDays: 90, trackedMax: 1_000 }, 3, 30_000])
})

test('whoever assembles the operator without flags has the pace and patience that the flags have [9.3, 9.5, 9.6]', () => {
  const { metrics: _, ...layers } = layersDefault
  assert.deepEqual(read([]).layers, layers)
})

test('zero is off for what may be off [9.3, 9.6, 13]', () => {
  assert.equal(read(['--cache-ttl=0']).layers.cache, undefined)
  assert.equal(read(['--cache-ttl=0s']).layers.cache, undefined)
  assert.equal(read(['--cache-max-size=0']).layers.cache, undefined)
  assert.equal(read(['--breaker-enabled=false']).layers.breaker, undefined)
  assert.equal(read([]).layers.rates?.route53Account, undefined)
  assert.deepEqual(read(['--route53-account-rate-limit=4']).layers.rates?.route53Account, { perSecond: 4, burst: 5 })
})

test('the DNS is asked at the servers that are named, at those of the machine, or not at all [13]', () => {
  assert.equal(read([]).dnsServers, undefined)
  assert.deepEqual(read(['--validation-dns-servers=system']).dnsServers, [])
  const servers = ['1.1.1.1', '127.0.0.1:5353', '[2001:db8::1]:53', '2001:db8::1']
  assert.deepEqual(read([`--validation-dns-servers=${servers.join(',')}`]).dnsServers, servers)
})
