// What the webhook says of what it does: warnings to users, lines in the log, metrics (§2.16, §2.18, §5.1, §5.7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type Log, type LogFields } from '#base'
import { Metrics, processMetrics, type Tracer } from '#runtime'
import { askReview, openWebhook } from './webhook-world.fixture.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const prefix = 'eks.amazonaws.com'
const account = (annotations: Readonly<Record<string, string>>) => ({
  metadata: {
    annotations: Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value])),
  },
})
const pod = (spec: object = {}, annotations: object = {}) => ({
  metadata: { generateName: 'p-', annotations },
  spec: { serviceAccountName: 'app', containers: [{ name: 'a' }], ...spec },
})

function remembering(): { log: Log; lines: (readonly [string, LogFields])[] } {
  const lines: (readonly [string, LogFields])[] = []
  const add = (message: string, fields: LogFields = {}): void => void lines.push([message, fields])
  const log: Log = { debug: add, info: add, warn: add, error: add, with: () => log }
  return { log, lines }
}

test('warnings tell of a bad life, a role that is no ARN and names that collide; in v1 alone, and only when asked for [§5.1]', async t => {
  const { webhook, cluster } = await openWebhook(t, { admissionWarnings: true })
  cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': 'no-arn', 'token-expiration': '1h' }))
  await drain()
  const odd = pod({ volumes: [{ name: 'aws-iam-token', emptyDir: {} }] }, { [`${prefix}/token-expiration`]: 'x' })
  const { response } = await askReview(webhook, { object: odd })
  assert.deepEqual(response.warnings, [
    'token-expiration is no number of seconds; it is ignored (x)',
    'role-arn is no role ARN; it is used as it stands (no-arn)',
    'token-expiration is no number of seconds; it is ignored (1h)',
    'a volume of this name is there already and holds no such token; it is left as it is (aws-iam-token)',
  ])
  assert.deepEqual((await askReview(webhook, { object: odd })).response.warnings, response.warnings, 'for each pod anew')
  assert.equal((await askReview(webhook, { object: odd }, { version: 'v1beta1' })).response.warnings, undefined)
  const quiet = await openWebhook(t)
  quiet.cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': 'no-arn' }))
  await drain()
  assert.equal((await askReview(quiet.webhook, { object: odd })).response.warnings, undefined)
})

test('five warnings at most, of 256 characters [§5.1]', async t => {
  const { webhook, cluster } = await openWebhook(t, { admissionWarnings: true })
  cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': role }))
  await drain()
  const path = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
  const containers = Array.from({ length: 8 }, (_, index) => ({
    name: `${'n'.repeat(300)}${index}`,
    volumeMounts: [{ name: 'x', mountPath: path }],
  }))
  const { warnings = [] } = (await askReview(webhook, { object: pod({ containers }) })).response
  assert.deepEqual(
    warnings.map(({ length }) => length),
    [256, 256, 256, 256, 256],
  )
})

test('what is written at verbosity 0, 3 and 4 [§2.18]', async t => {
  const written = async (verbosity: number): Promise<string[]> => {
    const { log, lines } = remembering()
    const world = await openWebhook(
      t,
      { verbosity },
      {
        log,
        prepare: cluster => void cluster.put('ServiceAccount', 'ns1/first', account({ 'role-arn': role })),
      },
    )
    lines.length = 0
    world.cluster.put('ServiceAccount', 'ns1/plain')
    world.cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': 'no-arn' }))
    await drain()
    world.cluster.put('ServiceAccount', 'ns1/app', { ...account({ 'role-arn': 'no-arn' }), secrets: [] })
    await drain()
    await askReview(world.webhook, { object: pod({}, { [`${prefix}/skip-containers`]: 'a' }) })
    world.cluster.put('ServiceAccount', 'ns1/app')
    await drain()
    world.cluster.remove('ServiceAccount', 'ns1/app')
    await drain()
    return lines.map(([message, fields]) =>
      [message, fields['serviceAccount'], fields['pod'] ?? fields['path']].filter(Boolean).join(' '),
    )
  }
  const warned = 'role-arn is no role ARN; it is used as it stands app'
  const events = ['ServiceAccount added app', 'ServiceAccount changed app']
  assert.deepEqual(await written(0), [events[0], warned, events[1]])
  assert.deepEqual(await written(3), [events[0], warned, 'pod mutated app p-', events[1]])
  assert.deepEqual(await written(4), [
    events[0],
    warned,
    warned,
    'the annotations of the pod leave the container out app',
    'pod mutated app p-',
    'request /mutate',
    events[1],
  ])
})

test('every metric of the tables is there, of the type and with the labels that the tables say [§2.16, §5.7]', async t => {
  const { webhook, cluster } = await openWebhook(t, { watchConfigMap: true })
  cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': role }))
  await drain()
  await askReview(webhook, { object: pod() })
  const shown = webhook.metrics.expose()
  const types = Object.fromEntries([...shown.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
  const labelsOf = (name: string): string[] =>
    [...(new RegExp(`^${name}\\{([^}]*)\\}`, 'm').exec(shown)?.[1] ?? '').matchAll(/([a-z_]+)="/g)].map(
      ([, label]) => label as string,
    )
  const tables: Readonly<Record<string, readonly [type: string, labels: readonly string[]]>> = {
    http_request_count: ['counter', ['verb', 'path', 'code']],
    http_request_duration_microseconds: ['summary', []],
    http_request_latencies: ['histogram', []],
    pod_identity_webhook_pod_count: ['counter', ['method']],
    pod_identity_webhook_missing_sa_count: ['counter', []],
    pod_identity_webhook_used: ['gauge', []],
    identity_webhook_admission_duration_seconds: ['histogram', []],
    identity_webhook_admission_total: ['counter', ['provider', 'result', 'reason']],
    identity_webhook_sa_cache_entries: ['gauge', ['provider']],
    identity_webhook_sa_cache_synced: ['gauge', ['provider']],
    identity_webhook_sa_lookup_total: ['counter', ['provider', 'outcome']],
    identity_webhook_watch_restarts_total: ['counter', ['resource']],
  }
  for (const [name, [type, labels]] of Object.entries(tables)) {
    assert.equal(types[name], type, name)
    assert.deepEqual(labelsOf(name), labels, name)
  }
})

test('the process is among the metrics, and its processor time never goes back [§2.16]', () => {
  const metrics = new Metrics()
  const usage = {
    cpuSeconds: 1.5,
    startedSeconds: 1_000,
    residentBytes: 5,
    heapUsedBytes: 3,
    heapTotalBytes: 4,
    externalBytes: 1,
  }
  processMetrics(metrics, () => usage)
  const value = (name: string): string | undefined => new RegExp(`^${name} (.*)$`, 'm').exec(metrics.expose())?.[1]
  assert.equal(value('process_cpu_seconds_total'), '1.5')
  usage.cpuSeconds = 2
  assert.equal(value('process_cpu_seconds_total'), '2')
  usage.cpuSeconds = 1
  assert.equal(value('process_cpu_seconds_total'), '2')
  assert.equal(value('process_resident_memory_bytes'), '5')
  assert.equal(value('process_start_time_seconds'), '1000')
  assert.equal(value('process_open_fds'), undefined, 'not told by the system')
})

test('a span per review says what was decided, and which pods were let in without a role that they may have', async t => {
  const told: string[] = []
  const tracer: Tracer = {
    start: (name, attributes) => {
      const span = `${name} ${JSON.stringify(attributes)}`
      return {
        event: (event, more) => void told.push(`${span} ${event} ${JSON.stringify(more)}`),
        end: error => void told.push(`${span} ends ${error ?? 'well'}`),
      }
    },
  }
  const { webhook, cluster, clock } = await openWebhook(t, {}, { tracer })
  cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': role }))
  await drain()
  await askReview(webhook, { object: pod() })
  cluster.read = 'hang'
  const late = askReview(webhook, { object: pod({ serviceAccountName: 'other' }) })
  await clock.advance(100)
  await late
  const span = 'review {"k8s.namespace.name":"ns1"}'
  assert.deepEqual(told, [
    `${span} decided {"reason":"sa_role","operations":3}`,
    `${span} ends well`,
    `${span} decided {"reason":"lookup_timeout","operations":0}`,
    `${span} ends lookup_timeout`,
  ])
})

test('a watch that is told 410 is followed by a list, and the cache is never empty meanwhile [P-12]', async t => {
  const { webhook, cluster, clock } = await openWebhook(t)
  cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': role }))
  cluster.put('ServiceAccount', 'ns1/gone', account({ 'role-arn': role }))
  await drain()
  const isMutated = async (name: string): Promise<boolean> =>
    (await askReview(webhook, { object: pod({ serviceAccountName: name }) })).response.patch !== undefined
  cluster.hold()
  cluster.remove('ServiceAccount', 'ns1/gone')
  cluster.holdLists = true
  const listsBefore = cluster.lists
  cluster.expireWatches()
  await clock.advance(200)
  assert.equal(cluster.lists, listsBefore + 1)
  cluster.read = 'hang'
  assert.deepEqual([webhook.isReady, await isMutated('app')], [true, true])
  cluster.read = 'answer'
  cluster.holdLists = false
  cluster.answerReads()
  await clock.advance(1_000)
  assert.deepEqual([await isMutated('app'), await isMutated('gone')], [true, false])
})

test('a pod that is given the variables and cannot be given the token is told of by default: to its maker and in the log', async t => {
  const { log, lines } = remembering()
  const { webhook, cluster } = await openWebhook(t, {}, { log })
  cluster.put('ServiceAccount', 'ns1/app', account({ 'role-arn': role }))
  await drain()
  lines.length = 0
  const mountPath = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
  const volumeMounts = [{ name: 'x', mountPath }]
  const ask = async (container: object): Promise<readonly string[] | undefined> =>
    (await askReview(webhook, { object: pod({ containers: [{ name: 'a', ...container }] }) })).response.warnings
  const message = 'something else is mounted where the token belongs: the container is given the role and no token for it'
  assert.deepEqual(await ask({ volumeMounts }), [`${message} (a, ${mountPath})`])
  assert.deepEqual(lines, [[message, { container: 'a', path: mountPath, namespace: 'ns1', serviceAccount: 'app' }]])
  const own = [{ name: 'AWS_ROLE_ARN', value: 'x' }]
  assert.equal(await ask({ volumeMounts, env: own }), undefined, 'whoever sets the variables knows what is mounted there')
})
