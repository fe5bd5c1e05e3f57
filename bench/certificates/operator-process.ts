// The certificate operator as a process of its own, so that its memory is its own. Argument: one JSON of `Access`, with the time at which the
// certificates were in the middle of their life. Answers each message with
// what it has done, and with the series that a scrape would get.
import { systemClock as clock, keepHeapSmall, systemRandom as random, silentLog } from '#base'
import { createCertificatesOperator, createTelemetry, Zones } from '#operators/certificates'
import { createManager, Metrics } from '#runtime'
import { type Access, openClient } from '../identity/access.ts'
import { heapAfterCollection } from '../identity/heap.ts'
import { readyCloud, zone } from './ready-cloud.ts'

export interface OperatorFigures {
  /** Certs that were looked at, each once however often it was. */
  readonly lookedAt: number
  readonly rssMb: number
  readonly heapMb: number
  readonly series: number
}

// As `vouch operator` does.
keepHeapSmall()
const metrics = new Metrics()
const zones = new Zones([zone])
const controller = 'cert'
const telemetry = createTelemetry({
  metrics,
  clock,
  nowMs: () => clock.now(),
  zones,
  thresholdDays: 90,
  trackedMax: 1_000,
  controller,
})
const seams = { clock, random, log: silentLog }
const access = JSON.parse(process.argv[2] ?? '{}') as Access & { readonly beganMs: number }
const { clients, calls } = readyCloud(clock, access.beganMs)
// Without a pace: what is measured is what ten thousand take, and not how long ACM makes us wait for them.
const layers = { rates: undefined, metrics: telemetry.calls }
const { controllers } = createCertificatesOperator({ seams, clients, region: 'eu-west-1', zones, layers, workers: 10 })
/** By the number in the name, which takes less memory than names. */
const lookedAt = new Set<number>()
const manager = createManager({
  client: openClient(access),
  seams,
  identity: 'bench',
  controllers,
  companions: [telemetry.companion],
  ...telemetry.ofManager,
  onPass: record => {
    lookedAt.add(Number(record.key.name.slice('cert-'.length)))
    calls.length = 0
    telemetry.ofManager.onPass?.(record)
  },
})
telemetry.attach(manager)
const stop = new AbortController()
process.on('message', () => {
  const heapMb = heapAfterCollection() / 1_048_576
  const series = metrics
    .expose()
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#')).length
  const figures: OperatorFigures = { lookedAt: lookedAt.size, rssMb: process.memoryUsage().rss / 1_048_576, heapMb, series }
  process.send?.(figures)
})
process.on('disconnect', () => stop.abort(new Error('the bench is over')))
await manager.run(stop.signal)
process.exit(0)
