// The certificate operator, assembled for one manager. Nothing is opened here.
import type { AwsClients } from '#aws/client'
import type { Clock, Dns, Log, Random } from '#base'
import type { AnyController } from '#runtime'
import { type BreakerSettings, circuitBreaker } from './aws/breaker.ts'
import { CertificateCache } from './aws/cache.ts'
import type { LayerCaller } from './aws/call.ts'
import { clientCaller } from './aws/client-caller.ts'
import { CertificateCloud } from './aws/cloud.ts'
import { CallBuckets, type LimiterRates, limiter } from './aws/limiter.ts'
import { type ThrottleRetryOptions, throttleRetry } from './aws/throttle-retry.ts'
import { certController } from './cert/controller.ts'
import { RequestBudget } from './cert/day/request-budget.ts'
import { AbsenceMemory, AheadMemory, ArnMemory, LookMemory, RequestMemory } from './cert/memory.ts'
import { RecordLocks } from './cert/record-locks.ts'
import { type CertSettings, settingsDefault } from './cert/settings.ts'
import { exportController } from './export/controller.ts'
import { publishController } from './publish/controller.ts'
import type { PublishTypes } from './publish/kinds.ts'
import type { CallMetrics } from './telemetry/call-metrics.ts'
import { DnsLooks } from './zones/dns-looks.ts'
import type { Zones } from './zones/zones.ts'

export interface CertificatesOptions {
  readonly seams: { readonly clock: Clock; readonly random: Random; readonly log: Log; readonly dns?: Dns }
  readonly clients: Pick<AwsClients, 'for'>
  readonly region: string
  readonly zones: Zones
  readonly settings?: Partial<CertSettings>
  readonly layers?: Partial<LayerOptions>
  readonly referenceRegions?: readonly string[]
  /** Name servers that are asked whether the world sees a record; an empty list is those of the machine. Nobody is asked without it. */
  readonly dnsServers?: readonly string[] | undefined
  /** Told when a service of AWS is not called for a while. */
  readonly onOutage?: (service: string) => void
  /** How far the clock of AWS is ahead of ours. */
  readonly skewMs?: () => number
  readonly namespaces?: readonly string[] | undefined
  readonly workers?: number | undefined
  /** Into which namespaces keys may be exported; nowhere without it. */
  readonly exportNamespaces?: readonly string[] | undefined
  /** Where ARNs are written into other objects; nowhere without it. */
  readonly publish?: { readonly types: PublishTypes } | undefined
}

/** A layer that is `undefined` is left out. */
export interface LayerOptions {
  readonly rates: LimiterRates | undefined
  readonly retry: Omit<ThrottleRetryOptions, 'clock' | 'random' | 'metrics'> | undefined
  readonly breaker: BreakerSettings | undefined
  readonly cache: { readonly ttlMs: number; readonly entriesMax: number } | undefined
  readonly metrics: CallMetrics | undefined
}

export const layersDefault: LayerOptions = {
  rates: { acm: { perSecond: 5, burst: 10 }, route53Zone: { perSecond: 3, burst: 5 }, route53Account: undefined },
  retry: { retriesMax: 5, delayMsMin: 1_000, delayMsMax: 30_000, jitter: 0.2 },
  breaker: { failuresMax: 5, windowMs: 60_000, ratioMax: 0.5, callsMin: 20, openMsMin: 30_000, openMsMax: 300_000 },
  cache: { ttlMs: 300_000, entriesMax: 1_000 },
  metrics: undefined,
}

export interface CertificatesOperator {
  readonly controllers: readonly AnyController[]
  readonly cloud: CertificateCloud
}

export function createCertificatesOperator(options: CertificatesOptions): CertificatesOperator {
  const { seams, zones, namespaces, workers, referenceRegions = [], skewMs = () => 0 } = options
  const { clock } = seams
  const { publish } = options
  const settings = { ...settingsDefault, publishes: publish !== undefined, ...options.settings }
  options.layers?.metrics?.readRequestsLeft(() => budget.left())
  const pace = paceOf(options)
  const cloud = new CertificateCloud(callerOf(options, settings, pace), clock, pace)
  const random = seams.random.fork('cert-waits')
  const { failedMs, readyMs } = settings.intervals
  const arns = new ArnMemory()
  const requests = new RequestMemory(clock)
  const budget = new RequestBudget(clock, { max: settings.requestsPerDayMax, isShared: settings.sharesRequests })
  return {
    cloud,
    controllers: [
      certController({
        observe: {
          cloud,
          zones,
          settings,
          referenceRegions,
          dnsLooks: dnsLooksOf(options),
          absences: new AbsenceMemory(clock),
          ahead: new AheadMemory(clock),
          looks: new LookMemory(),
          arns,
          requests,
          budget,
          nowMs: () => clock.now() + skewMs(),
          draw: () => random.float(),
        },
        act: {
          cloud,
          arns,
          requests,
          locks: new RecordLocks(),
          failedMs,
          budget,
        },
        namespaces,
        workers,
      }),
      ...exporting(options, { cloud, settings }),
      ...(publish === undefined ? [] : [publishController({ types: publish.types, readyMs, namespaces, workers })]),
    ],
  }
}

/** Keys leave ACM only where somebody said whither. */
function exporting(
  { exportNamespaces, namespaces, seams }: CertificatesOptions,
  { cloud, settings }: { readonly cloud: CertificateCloud; readonly settings: CertSettings },
): readonly AnyController[] {
  if (exportNamespaces === undefined) return []
  const { clusterId, intervals } = settings
  const { failedMs, readyMs } = intervals
  const random = seams.random.fork('cert-export')
  return [exportController({ cloud, clusterId, random, failedMs, readyMs, exportNamespaces, namespaces })]
}

function dnsLooksOf({ seams: { dns, clock }, dnsServers, zones }: CertificatesOptions): DnsLooks | undefined {
  return dns === undefined || dnsServers === undefined ? undefined : new DnsLooks({ dns, servers: dnsServers, clock, zones })
}

function paceOf({ seams: { clock }, layers = {} }: CertificatesOptions): CallBuckets | undefined {
  const { rates, metrics } = { ...layersDefault, ...layers }
  return rates === undefined ? undefined : new CallBuckets({ clock, rates, metrics })
}

/** Outermost first: memory, breaker, patience, pace, the client itself. */
function callerOf(
  { seams, clients, region, layers = {}, onOutage }: CertificatesOptions,
  { clusterId }: CertSettings,
  pace: CallBuckets | undefined,
): LayerCaller {
  const { clock, random, log } = seams
  const { retry, breaker, cache, metrics } = { ...layersDefault, ...layers }
  let caller = clientCaller({ clients, region, clusterId, metrics })
  if (pace !== undefined) caller = limiter(caller, pace)
  if (retry !== undefined) caller = throttleRetry(caller, { ...retry, clock, random: random.fork('throttle-retry'), metrics })
  if (breaker !== undefined) {
    const onOpen = (service: string): void => {
      log.warn('AWS does not answer; it is not called for a while', { service })
      onOutage?.(service)
    }
    caller = circuitBreaker(caller, { clock, random: random.fork('breaker'), settings: breaker, metrics, onOpen })
  }
  return cache === undefined ? caller : new CertificateCache({ ...cache, clock, metrics }).layer(caller)
}
