// A pod webhook as a value: a provider that follows a cluster, and one exchange that answers reviews. A process puts a listener in front of
// it (program.ts); an embedded API server calls the exchange as it is.
import { given, type HttpExchange, type HttpHandler, type Seams } from '#base'
import type { ObjectKey } from '#kube'
import type { KubeClient } from '#kube/client'
import { countTo, type HealthCheck, type InformerLimits, Metrics, noTracer, type Tracer } from '#runtime'
import { awsProvider } from '../aws/provider.ts'
import { type AwsWebhookSettings, defaultWebhookSettings } from '../flags/settings.ts'
import type { IdentitySource, Provider } from '../provider.ts'
import { type ExchangeOptions, webhookExchange } from './exchange.ts'
import { webhookMetrics } from './metrics.ts'

export interface PodWebhookOptions {
  /** Of the cluster whose pods are admitted. */
  readonly client: KubeClient
  readonly seams: Pick<Seams, 'clock' | 'random' | 'log' | 'files'>
  readonly settings?: Partial<AwsWebhookSettings>
  readonly metrics?: Metrics
  /** A span for each review. */
  readonly tracer?: Tracer
  /**
   * Whether a role is promised for this ServiceAccount though nothing in the cluster says so yet: whoever binds roles in this process
   * knows. Its pods wait for the role, and are refused with a reason rather than let in without.
   */
  readonly isPromised?: (key: ObjectKey) => boolean
  readonly informerLimits?: Partial<InformerLimits>
}

export interface PodWebhook {
  readonly provider: string
  /** The paths of reviews and `/healthz`; the debugging paths when they are on. */
  readonly exchange: HttpExchange
  /** The same for a listener: most answers need no promise. */
  readonly handler: HttpHandler
  /** The debugging paths of the metrics port; 404 for all else. */
  readonly debug: HttpExchange
  readonly metrics: Metrics
  readonly ready: readonly HealthCheck[]
  readonly isReady: boolean
  /** Something that `isPromised` looks at has changed, or a binding has: pods that wait look again. */
  wake(): void
  /** Follows the cluster until the signal aborts. Never rejects for what the cluster does. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when reviews are answered from whole caches; rejects when the signal aborts first. */
  whenReady(signal?: AbortSignal): Promise<void>
}

/** With the AWS provider. */
export function createPodWebhook(options: PodWebhookOptions): PodWebhook {
  const { client, seams, informerLimits, metrics = new Metrics(), tracer = noTracer } = options
  const settings = { ...defaultWebhookSettings, ...options.settings }
  const own = webhookMetrics(metrics)
  const provider = awsProvider({
    client,
    seams,
    settings,
    metrics: own,
    isPromised: options.isPromised ?? (() => false),
    ...given({ informerLimits }),
  })
  return webhookOf(provider, { settings, clock: seams.clock, log: seams.log, metrics, own, tracer })
}

export type WebhookParts = Omit<ExchangeOptions, 'provider'>

/** The server around any provider. */
export function webhookOf(provider: Provider, options: WebhookParts): PodWebhook {
  const { metrics, clock } = options
  const { sources } = provider
  const isReady = (): boolean => sources.every(({ synced }) => synced)
  collectSources(provider, options)
  return {
    provider: provider.name,
    ...webhookExchange({ provider, ...options }),
    metrics,
    ready: sources.map(source => ({
      name: source.name,
      check: () => (source.synced ? { ok: true } : { ok: false, why: 'not read once yet' }),
    })),
    get isReady() {
      return isReady()
    },
    wake: () => provider.wake(),
    run: async signal => {
      await Promise.all(sources.map(source => source.run(signal)))
    },
    whenReady: signal => untilReady(sources, clock, signal),
  }
}

function collectSources({ name, serviceAccounts, sources }: Provider, { metrics, own }: WebhookParts): void {
  metrics.collect(() => {
    own.cacheEntries.set(serviceAccounts.size, { provider: name })
    own.cacheSynced.set(serviceAccounts.synced ? 1 : 0, { provider: name })
    for (const { watched } of sources)
      if (watched !== undefined) countTo(own.watchRestarts, Math.max(0, watched.watches - 1), { resource: watched.resource })
  })
}

/** Between two looks at a source that says nothing of its state. */
const lookEveryMs = 5

async function untilReady(sources: readonly IdentitySource[], clock: Seams['clock'], signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const missing = sources.filter(({ synced }) => !synced)
    if (missing.length === 0) return
    const onState = missing[0]?.onState
    if (onState === undefined || missing.some(source => source.onState === undefined)) await clock.sleep(lookEveryMs, signal)
    else await nextState(onState, signal)
  }
}

function nextState(onState: (changed: () => void) => () => void, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      forget()
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const forget = onState(() => done(resolve))
    const onAbort = (): void => done(() => reject(signal?.reason as Error))
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
