// What a scrape of the operator says, and how much of it there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { renderTime, type StoredCondition } from '#kube'
import { type Manager, Metrics, type PassRecord, Trouble } from '#runtime'
import { type Cert, type CertStatus, certKind } from '../api.ts'
import { certSpec } from '../testing/cert-seen.fixture.ts'
import { boundsOf } from '../testing/histogram-bounds.ts'
import { Zones } from '../zones/zones.ts'
import { callMetrics } from './calls.ts'
import { expiryOf } from './expiry.ts'
import { createTelemetry } from './telemetry.ts'

const dayMs = 86_400_000
const arn = 'arn:aws:acm:eu-west-1:111122223333:certificate/x'

interface CertOptions {
  readonly name: string
  readonly days?: number
  readonly status?: CertStatus
  readonly isDeleting?: boolean
}

function certAt(nowMs: number, { name, days, status, isDeleting = false }: CertOptions): Cert {
  return {
    apiVersion: certKind.apiVersion,
    kind: 'Cert',
    metadata: {
      namespace: 'team',
      name,
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: renderTime(nowMs),
      ...(isDeleting ? { deletionTimestamp: renderTime(nowMs) } : {}),
    },
    spec: certSpec({ serviceName: name }),
    status: {
      state: 'Ready',
      ...(days === undefined
        ? {}
        : { certificateArn: arn, certReady: true, expirationDate: new Date(nowMs + days * dayMs).toISOString() }),
      ...status,
    },
  }
}

function condition(type: string, status: 'True' | 'False', reason: string, sinceMs: number): StoredCondition {
  return { type, status, reason, message: '', lastTransitionTime: renderTime(sinceMs) }
}

interface Scraped {
  readonly clock: ManualClock
  readonly metrics: Metrics
  readonly telemetry: ReturnType<typeof createTelemetry>
  certs: readonly Cert[]
  /** From now on this process leads, until what is returned is called. */
  lead(): () => Promise<void>
  /** Lines of one metric, without its name where it has no labels. */
  of(name: string): readonly string[]
}

function scraped(trackedMax = 1_000): Scraped {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const zones = new Zones(Array.from({ length: 52 }, (_, index) => ({ name: `z${index}.dev`, id: `Z${index}` })))
  for (const zone of zones.registry.zones)
    zones.found(zone, { exists: zone.id !== 'Z51', name: zone.id === 'Z1' ? 'other.dev' : zone.name })
  const nowMs = (): number => clock.now()
  const telemetry = createTelemetry({ metrics, clock, nowMs, zones, thresholdDays: 90, trackedMax, controller: 'cert' })
  const world: Scraped = {
    clock,
    metrics,
    telemetry,
    certs: [],
    lead: () => {
      const term = new AbortController()
      const running = telemetry.companion.run({} as never, term.signal)
      return async () => {
        term.abort()
        await running
      }
    },
    of: name =>
      metrics
        .expose()
        .split('\n')
        .filter(line => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
        .map(line => line.slice(name.length).trim()),
  }
  telemetry.attach({
    world: {
      isSynced: () => true,
      list: () => world.certs,
      find: (_: unknown, key: { readonly name: string }) => world.certs.find(({ metadata }) => metadata.name === key.name),
    } as unknown as Manager['world'],
  })
  return world
}

const days = 'cert_operator_certificate_expiry_days'

test('of 1001 certificates that end soon a thousand have a series, and one that ends sooner takes the place of the last [10.3, #107]', () => {
  const world = scraped()
  world.lead()
  const now = world.clock.now()
  world.certs = Array.from({ length: 1_001 }, (_, index) => certAt(now, { name: `c${index}`, days: 10 + index * 0.05 }))
  for (let scrape = 0; scrape < 2; scrape++) {
    assert.equal(world.of(days).length, 1_000)
    assert.deepEqual(world.of('cert_operator_certificates_not_tracked'), ['1'])
    // Counted once, however often it is looked at.
    assert.deepEqual(world.of('cert_operator_certificates_not_tracked_total'), ['1'])
  }
  world.certs = [...world.certs, certAt(now, { name: 'urgent', days: 2 })]
  const lines = world.of(days)
  assert.equal(lines.length, 1_000)
  assert.ok(lines.includes('{namespace="team",name="urgent"} 2'))
  assert.ok(!lines.some(line => line.includes('"c999"')))
  assert.deepEqual(world.of('cert_operator_certificates_not_tracked'), ['2'])
  assert.deepEqual(world.of('cert_operator_certificates_not_tracked_total'), ['2'])
})

test('what is counted by its outcome stands at zero before it happens [10.3]', () => {
  const { of } = scraped()
  assert.deepEqual(of('cert_operator_config_reload_total'), ['{success="true"} 0', '{success="false"} 0'])
  assert.deepEqual(of('cert_operator_webhook_fail_open_total'), ['0'])
  assert.deepEqual(
    of('cert_operator_webhook_requests_total'),
    ['allowed', 'denied', 'error'].map(result => `{result="${result}"} 0`),
  )
})

test('a series appears when the end comes near, and goes with its Cert [10.3, #108]', () => {
  const world = scraped()
  world.lead()
  const now = world.clock.now()
  world.certs = [certAt(now, { name: 'a', days: 91 })]
  assert.deepEqual(world.of(days), [])
  world.certs = [certAt(now, { name: 'a', days: 89 })]
  assert.deepEqual(world.of(days), ['{namespace="team",name="a"} 89'])
  world.certs = []
  assert.deepEqual(world.of(days), [])
})

test('exactly seven days are the second bucket, and the alert for the last week fires [10.2, #109]', () => {
  const world = scraped()
  world.lead()
  const now = world.clock.now()
  world.certs = [certAt(now, { name: 'a', days: 7 })]
  assert.deepEqual(world.of('cert_operator_certificate_expiry_buckets'), [
    '{bucket="0-7d"} 0',
    '{bucket="7-14d"} 1',
    '{bucket="14-30d"} 0',
    '{bucket="30-60d"} 0',
    '{bucket="60-90d"} 0',
    '{bucket="90d+"} 0',
  ])
  // `<= 7` of the rule; promtool evaluates the rule itself.
  assert.deepEqual(world.of(days), ['{namespace="team",name="a"} 7'])
})

const edges: readonly (readonly [days: number, bucket: string])[] = [
  [0.001, '0-7d'],
  [6.999, '0-7d'],
  [7, '7-14d'],
  [14, '14-30d'],
  [29.99, '14-30d'],
  [30, '30-60d'],
  [60, '60-90d'],
  [89.99, '60-90d'],
  [90, '90d+'],
  [4_000, '90d+'],
]
for (const [left, bucket] of edges) {
  test(`a certificate with ${left} days left is in the bucket ${bucket} [10.2]`, () => {
    const { buckets } = expiryOf([certAt(0, { name: 'a', days: left })], { nowMs: 0, thresholdDays: 90, trackedMax: 1 })
    assert.deepEqual(
      Object.entries(buckets).filter(([, count]) => count > 0),
      [[bucket, 1]],
    )
  })
}

test('an expired certificate is counted as such, and in no bucket [10.2, #68]', () => {
  const world = scraped()
  world.lead()
  const now = world.clock.now()
  world.certs = [certAt(now, { name: 'a', days: 0 }), certAt(now, { name: 'b', days: -3, status: { state: 'Failed' } })]
  assert.deepEqual(world.of('cert_operator_certificates_expired'), ['2'])
  assert.ok(world.of('cert_operator_certificate_expiry_buckets').every(line => line.endsWith(' 0')))
})

test('a renewed certificate moves to another bucket and is counted, once [10.1, #64]', () => {
  const world = scraped()
  world.lead()
  const now = world.clock.now()
  const before = certAt(now, { name: 'a', days: 10, status: { serial: '01' } })
  const after = certAt(now, { name: 'a', days: 198, status: { serial: '02' } })
  world.certs = [before]
  assert.ok(world.of('cert_operator_certificate_expiry_buckets').includes('{bucket="7-14d"} 1'))
  world.certs = [after]
  world.telemetry.ofManager.onMove?.({ cache: '', listing: 0, change: { kind: 'changed', previous: before, object: after } })
  world.telemetry.ofManager.onMove?.({ cache: '', listing: 0, change: { kind: 'changed', previous: after, object: after } })
  assert.ok(world.of('cert_operator_certificate_expiry_buckets').includes('{bucket="90d+"} 1'))
  assert.deepEqual(world.of('cert_operator_renewals_total'), ['{result="success"} 1', '{result="failed"} 0'])
})

test('who does not lead says nothing of Certs, and who ceases to lead stops [10.5]', async () => {
  const world = scraped()
  world.certs = [certAt(world.clock.now(), { name: 'a', days: 3 })]
  const ofCerts = (): number =>
    [days, 'cert_operator_certificates_total', 'cert_operator_certificate_expiry_buckets', 'cert_operator_zone_healthy'].flatMap(
      name => world.of(name),
    ).length
  assert.deepEqual([ofCerts(), world.of('cert_operator_leader')], [0, ['0']])
  const end = world.lead()
  assert.deepEqual([ofCerts(), world.of('cert_operator_leader')], [1 + 5 + 6 + 51, ['1']])
  await end()
  assert.deepEqual([ofCerts(), world.of('cert_operator_leader')], [0, ['0']])
})

test('states, ages, blocked deletions and renewals that need somebody are counted from the objects [10.1]', async () => {
  const world = scraped()
  world.lead()
  const start = world.clock.now()
  world.certs = [
    certAt(start, { name: 'new', status: { state: '' } }),
    certAt(start, { name: 'odd', status: { state: 'Elsewhere' } }),
    certAt(start, {
      name: 'made',
      status: { state: 'Created', conditions: [condition('Reconciling', 'True', 'Progressing', start)] },
    }),
    certAt(start, {
      name: 'unused',
      days: 20,
      status: {
        conditions: [condition('RenewalHealthy', 'False', 'NotInUse', start), condition('Ready', 'True', 'Issued', start)],
      },
    }),
    certAt(start, {
      name: 'going',
      days: 100,
      isDeleting: true,
      status: { conditions: [condition('DeletionBlocked', 'True', 'CertificateInUse', start)] },
    }),
  ]
  await world.clock.advance(7_200_000)
  assert.deepEqual(world.of('cert_operator_certificates_total'), [
    '{state="Pending"} 2',
    '{state="Created"} 1',
    '{state="Validated"} 0',
    '{state="Ready"} 2',
    '{state="Failed"} 0',
  ])
  assert.ok(world.of('cert_operator_oldest_in_state_seconds').includes('{state="Created"} 7200'))
  assert.ok(world.of('cert_operator_oldest_in_state_seconds').includes('{state="Failed"} 0'))
  assert.deepEqual(world.of('cert_operator_deletions_blocked'), ['1'])
  assert.deepEqual(world.of('cert_operator_renewal_unhealthy'), [
    '{reason="RenewalFailed"} 0',
    '{reason="PendingValidation"} 0',
    '{reason="NotInUse"} 1',
    '{reason="Overdue"} 0',
  ])
})

test('a pass is a failure only for what neither time nor a person was expected to mend [10.1]', () => {
  const world = scraped()
  world.certs = [certAt(0, { name: 'a', days: 10 })]
  const record = (trouble: Trouble | undefined, controller = 'cert'): PassRecord => ({
    controller,
    key: { cluster: '', namespace: 'team', name: 'a' },
    plan: undefined,
    outcomes: [],
    writes: [],
    trouble,
    next: undefined,
    tookMs: 20,
  })
  const trouble = (kind: Trouble['kind'], reason = 'Throttled'): Trouble => new Trouble({ kind, reason, message: '' })
  const { onPass } = world.telemetry.ofManager
  for (const each of [
    undefined,
    trouble('wait'),
    trouble('stop'),
    trouble('backoff'),
    trouble('soon'),
    trouble('soon', 'NotLeader'),
  ])
    onPass?.(record(each))
  onPass?.(record(undefined, 'bucket'))
  assert.deepEqual(world.of('cert_operator_reconcile_duration_seconds_count').toSorted(), [
    '{state="Ready",success="false"} 2',
    '{state="Ready",success="true"} 4',
  ])
  assert.deepEqual(world.of('cert_operator_reconcile_duration_seconds_sum').toSorted(), [
    '{state="Ready",success="false"} 0.04',
    '{state="Ready",success="true"} 0.08',
  ])
  const failed = world.of('cert_operator_reconcile_duration_seconds_bucket').filter(line => line.includes('success="false"'))
  assert.equal(boundsOf(failed), '0.01 0.05 0.1 0.25 0.5 1 2.5 5 10 30 60 +Inf')
})

test('the time to the first certificate counts from the object, that of another one from its request [10.1]', async () => {
  const world = scraped()
  world.lead()
  const start = world.clock.now()
  await world.clock.advance(200_000)
  const move = (revision: number, requestedMs: number): void => {
    const request = { requestedAt: renderTime(requestedMs), specHash: 'h', revision }
    const previous = certAt(start, { name: 'a', status: { state: 'Created', request } })
    const object = certAt(start, { name: 'a', days: 198, status: { request } })
    world.telemetry.ofManager.onMove?.({ cache: '', listing: 0, change: { kind: 'changed', previous, object } })
  }
  move(1, start + 100_000)
  move(2, start + 150_000)
  assert.deepEqual(world.of('cert_operator_time_to_ready_seconds_sum'), ['250'])
  const bounds = boundsOf(world.of('cert_operator_time_to_ready_seconds_bucket'))
  assert.equal(bounds, '30 60 120 300 600 1800 3600 21600 86400 259200 +Inf')
})

test('a certificate counts as ready when it begins to serve, of the Certs of the one who leads alone [10.1, 10.5]', async () => {
  const world = scraped()
  const now = world.clock.now()
  const [before, after] = [certAt(now, { name: 'a' }), certAt(now, { name: 'a', days: 100 })]
  const counted = (change: object): string => (
    world.telemetry.ofManager.onMove?.({
      cache: '',
      listing: 0,
      change: { kind: 'changed', previous: before, object: after, ...change } as never,
    }),
    world.of('cert_operator_time_to_ready_seconds_count').join() || '0'
  )
  assert.equal(counted({}), '0')
  world.lead()
  const stranger = { ...after, apiVersion: 'acm.services.k8s.aws/v1' }
  const other = { ...after, kind: 'Other' }
  for (const change of [
    { kind: 'added' },
    { object: other },
    { object: stranger },
    { previous: { ...before, kind: 'Other' } },
    { previous: after },
    { object: before },
  ])
    assert.equal(counted(change), '0')
  assert.equal(counted({}), '1')
  assert.deepEqual(world.of('cert_operator_time_to_ready_seconds_sum'), ['0'])
})

test('a renewal is another serial of the same certificate, and a failed one is counted when it fails [10.1, #64]', () => {
  const world = scraped()
  world.lead()
  const now = world.clock.now()
  const renewal = (status: string) => ({ status }) as NonNullable<CertStatus['renewal']>
  const counted = (before: CertStatus, after: CertStatus): readonly string[] => {
    const [previous, object] = [before, after].map(status => certAt(now, { name: 'a', days: 9, status }))
    world.telemetry.ofManager.onMove?.({ cache: '', listing: 0, change: { kind: 'changed', previous, object } as never })
    return world.of('cert_operator_renewals_total').map(line => line.replace(/^.* /, ''))
  }
  assert.deepEqual(counted({ serial: '01', certificateArn: 'a' }, { serial: '02', certificateArn: 'b' }), ['0', '0'])
  assert.deepEqual(counted({ serial: '01' }, { serial: '01' }), ['0', '0'])
  assert.deepEqual(counted({}, { serial: '01' }), ['0', '0'])
  assert.deepEqual(counted({ serial: '01' }, { serial: '02' }), ['1', '0'])
  assert.deepEqual(counted({ renewal: renewal('FAILED') }, { renewal: renewal('FAILED') }), ['1', '0'])
  assert.deepEqual(counted({ renewal: renewal('PENDING_VALIDATION') }, { renewal: renewal('FAILED') }), ['1', '1'])
  assert.deepEqual(counted({ renewal: renewal('FAILED') }, { renewal: renewal('SUCCESS') }), ['1', '1'])
})

test('a certificate for which there was no room is counted anew when it comes again [10.3]', () => {
  const world = scraped(1)
  world.lead()
  const now = world.clock.now()
  const [first, second] = [certAt(now, { name: 'a', days: 1 }), certAt(now, { name: 'b', days: 2 })]
  const total = (...certs: readonly Cert[]): readonly string[] => {
    world.certs = certs
    return world.of('cert_operator_certificates_not_tracked_total')
  }
  assert.deepEqual([total(first, second), total(first, second), total(first), total(first, second)], [['1'], ['1'], ['1'], ['2']])
})

test('more than fifty zones share a series, which is as healthy as the worst of them [10.1]', () => {
  const world = scraped()
  world.lead()
  const lines = world.of('cert_operator_zone_healthy')
  assert.equal(lines.length, 51)
  assert.ok(lines.includes('{zone="z0.dev"} 1'))
  assert.ok(lines.includes('{zone="z1.dev"} 0'))
  assert.ok(lines.includes('{zone="other"} 0'))
})

test('calls are told apart by operations of a closed list [10.1]', async () => {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const calls = callMetrics(metrics, clock)
  const done = calls.begin('RequestCertificate')
  await clock.advance(300)
  done(true)
  for (let index = 0; index < 50; index++) calls.begin(`Odd${index}`)(false)
  calls.throttled('GetChange')
  calls.waited('route53', 20)
  calls.cacheAsked('arn', true)
  calls.readBreakers(service => (service === 'acm' ? 'open' : 'closed'))
  const text = metrics.expose()
  assert.match(text, /^cert_operator_aws_api_calls_total\{operation="RequestCertificate",success="true"\} 1$/m)
  assert.match(text, /^cert_operator_aws_api_calls_total\{operation="other",success="false"\} 50$/m)
  assert.match(text, /^cert_operator_aws_api_latency_seconds_sum\{operation="RequestCertificate"\} 0.3$/m)
  assert.match(text, /^cert_operator_throttling_events_total\{operation="GetChange"\} 1$/m)
  assert.match(text, /^cert_operator_rate_limit_wait_seconds_sum\{service="route53"\} 0.02$/m)
  assert.match(text, /^cert_operator_cache_hits_total\{lookup_type="arn"\} 1$/m)
  assert.match(text, /^cert_operator_circuit_breaker_state\{service="acm"\} 2$/m)
  assert.match(text, /^cert_operator_circuit_breaker_state\{service="sts"\} 0$/m)
})

test('ten thousand Certs are fewer than 2,500 series, whatever was called [10.3, 19.4]', () => {
  const world = scraped()
  world.lead()
  const now = world.clock.now()
  world.certs = Array.from({ length: 10_000 }, (_, index) => certAt(now, { name: `c${index}`, days: index / 100 }))
  const { calls } = world.telemetry
  for (const success of [true, false])
    for (const operation of [
      'RequestCertificate',
      'DescribeCertificate',
      'ChangeResourceRecordSets',
      'GetChange',
      'ListCertificates',
    ])
      calls.begin(operation)(success)
  const series = world.metrics
    .expose()
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#')).length
  assert.ok(series > 1_000 && series < 2_500, `${series} series`)
})
