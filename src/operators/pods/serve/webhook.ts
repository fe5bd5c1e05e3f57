// The AWS pod identity webhook as a value: caches that follow a cluster, and one exchange that answers reviews. A process puts a listener
// in front of it (program.ts); an embedded API server calls the exchange as it is.
import type { Clock, HttpExchange, Seams } from '#base'
import { configMaps, type ObjectKey, type StoredObject, serviceAccounts } from '#kube'
import type { KubeClient } from '#kube/client'
import { countTo, type HealthCheck, type InformerLimits, Metrics, noTracer, type Tracer } from '#runtime'
import { Accounts } from '../accounts/accounts.ts'
import { DirectReads } from '../accounts/direct-reads.ts'
import { type Other, readUntilAnswered } from '../accounts/lookup.ts'
import { ReadBudget } from '../accounts/read-budget.ts'
import { type AwsWebhookSettings, defaultWebhookSettings } from '../flags/settings.ts'
import { configMapName } from '../sources/config-map.ts'
import { CredentialsFileSource } from '../sources/credentials-file.ts'
import { ConfigMapSource } from '../sources/follow-config-map.ts'
import { webhookExchange } from './exchange.ts'
import { webhookMetrics } from './metrics.ts'
import { Snapshots } from './snapshots.ts'

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
  /** `/mutate` and `/healthz`; the debugging paths when they are on. */
  readonly exchange: HttpExchange
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

/** Direct reads of ServiceAccounts that the cache does not know [2.10.1]. They wait for their turn: the watch may be faster. */
const unknownReads = { perSecond: 10, burst: 20, queuedMax: 1_000 }
/**
 * Of those that it knows without a role, which are those of most pods: as many as a large cluster makes pods, for whose creation the API
 * server does many times the work. Whoever comes in a greater crowd is answered at once: to wait for a turn that comes too late would only
 * be slower.
 */
const confirmingReads = { perSecond: 200, burst: 200, queuedMax: 1_000, waitMsMax: 5 }
/** Of the ConfigMap: one read serves all who wait, so that they wait for a turn. */
const configMapReads = { perSecond: 200, burst: 200, queuedMax: 1_000 }
/** Pods that wait for a promised role hold a place at the API server. */
const waitingMax = 100

export function createPodWebhook(options: PodWebhookOptions): PodWebhook {
  const { client, seams } = options
  const { clock, random, log } = seams
  const settings = { ...defaultWebhookSettings, ...options.settings }
  const { metrics = new Metrics(), tracer = noTracer } = options
  const own = webhookMetrics(metrics)
  const limits = options.informerLimits === undefined ? {} : { limits: options.informerLimits }
  const accounts = new Accounts({
    client,
    clock,
    random,
    log,
    annotationPrefix: settings.admission.annotationPrefix,
    verbosity: settings.verbosity,
    ...limits,
  })
  const onChange = (): void => accounts.tellAll()
  const configMap = settings.watchConfigMap
    ? new ConfigMapSource({ client, clock, random, log, namespace: settings.namespace, onChange, ...limits })
    : undefined
  const credentialsFile =
    settings.credentialsFile === ''
      ? undefined
      : new CredentialsFileSource({ path: settings.credentialsFile, files: seams.files, clock, random, log, onChange })
  const { lookup } = settings
  const snapshots = new Snapshots({
    accounts,
    configMap,
    credentialsFile,
    lookup: {
      accounts,
      reads: new DirectReads(client, serviceAccounts),
      clock,
      graceMs: lookup.graceMs,
      unknownBudget: new ReadBudget(clock, unknownReads),
      confirmBudget: lookup.confirmMissingRole ? new ReadBudget(clock, confirmingReads) : undefined,
      others: [
        ...(configMap === undefined ? [] : [configMapReader({ client, clock, configMap, namespace: settings.namespace })]),
        ...(credentialsFile === undefined ? [] : [fileReader(credentialsFile)]),
      ],
    },
    flags: settings.admission,
    clock,
    log,
    metrics: own,
    isPromised: options.isPromised ?? (() => false),
    requiredRoleWaitMs: lookup.requiredRoleWaitMs,
    waitingMax,
  })
  const sources = [
    { name: 'serviceaccounts', source: accounts },
    ...(configMap === undefined ? [] : [{ name: 'configmap', source: configMap }]),
    ...(credentialsFile === undefined ? [] : [{ name: 'container-credentials', source: credentialsFile }]),
  ]
  const isReady = (): boolean => sources.every(({ source }) => source.synced)
  metrics.collect(() => {
    own.cacheEntries.set(accounts.size, { provider: 'aws' })
    own.cacheSynced.set(accounts.synced ? 1 : 0, { provider: 'aws' })
    for (const [resource, follower] of [
      ['serviceaccounts', accounts],
      ['configmaps', configMap],
    ] as const)
      if (follower !== undefined) countTo(own.watchRestarts, Math.max(0, follower.informer.counts.watches - 1), { resource })
  })
  return {
    ...webhookExchange({ snapshots, accounts, configMap, credentialsFile, settings, clock, log, random, metrics, own, tracer }),
    metrics,
    ready: sources.map(({ name, source }) => ({
      name,
      check: () => (source.synced ? { ok: true } : { ok: false, why: 'not read once yet' }),
    })),
    get isReady() {
      return isReady()
    },
    wake: onChange,
    run: async signal => {
      await Promise.all(sources.map(({ source }) => source.run(signal)))
    },
    whenReady: signal => untilReady(isReady, [accounts, configMap], credentialsFile, clock, signal),
  }
}

/** The ConfigMap may name a role that its watch has not brought yet. One read serves all who wait. */
function configMapReader({ client, clock, configMap, namespace }: ConfigMapReaderOptions): Other {
  const reads = new DirectReads(client, configMaps)
  const budget = new ReadBudget(clock, configMapReads)
  const key = { namespace, name: configMapName }
  const learn = (object: StoredObject): void => configMap.learn(object)
  return (isDone, signal) => readUntilAnswered({ reads, clock, learn }, { key, budget, isDone }, signal)
}

interface ConfigMapReaderOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly configMap: ConfigMapSource
  readonly namespace: string
}

function fileReader(file: CredentialsFileSource): Other {
  return (_isDone, signal) =>
    new Promise(resolve => {
      const late = (): void => resolve('timeout')
      signal.addEventListener('abort', late, { once: true })
      // It rejects for nothing: what cannot be read is logged, and what was read before counts.
      void file.refresh().then(() => {
        signal.removeEventListener('abort', late)
        resolve('not_found')
      })
    })
}

/** Informers say when they are whole; the file says nothing, and is read within milliseconds of the start. */
async function untilReady(
  isReady: () => boolean,
  followers: readonly (Accounts | ConfigMapSource | undefined)[],
  file: CredentialsFileSource | undefined,
  clock: Seams['clock'],
  signal?: AbortSignal,
): Promise<void> {
  while (!isReady()) {
    signal?.throwIfAborted()
    const missing = followers.find(follower => follower !== undefined && !follower.synced)
    if (missing === undefined || file?.synced === false) await clock.sleep(5, signal)
    else await nextState(missing, signal)
  }
}

function nextState(follower: Accounts | ConfigMapSource, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      forget()
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const forget = follower.informer.onState(() => done(resolve))
    const onAbort = (): void => done(() => reject(signal?.reason as Error))
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
