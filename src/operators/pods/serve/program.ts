// The webhook as a process: certificate, listeners for health and metrics, caches, the listener for reviews; and the way back when it is
// told to stop. What is wrong with its settings ends it at the start; what is wrong with the cluster never does (1.3.2, F-19).
import {
  type HttpExchange,
  type HttpListener,
  type ListenOptions,
  listenAnywhere,
  type Seams,
  type TlsServerOptions,
  untilAborted,
} from '#base'
import { connect, type KubeClient } from '#kube/client'
import { healthHandler, Metrics, processMetrics, quietListenLimits, type Tracer, webhookListenLimits } from '#runtime'
import type { AwsProgram, ServingSettings } from '../flags/settings.ts'
import { type CertificateSource, certificateFiles, tlsPolicy, watchExpiry } from './certificate.ts'
import { clusterCertificate } from './cluster-certificate.ts'
import { readComposition } from './compose.ts'
import { isListenerAnswering } from './listeners.ts'
import { watchLoopLag } from './loop-lag.ts'
import { createPodWebhook, type PodWebhook } from './webhook.ts'

export interface RunOptions {
  readonly program: AwsProgram
  readonly seams: Seams
  /** Where each listener ended up, once the webhook answers. */
  readonly onListening?: (at: { readonly webhook: number; readonly metrics: number; readonly health: number | undefined }) => void
  readonly version?: string
  /** Where it counts; others may read them too. */
  readonly metrics?: Metrics
  readonly tracer?: Tracer
}

/** How long requests under way may take once we are told to stop (§5.8). */
const graceMs = 10_000
/** A review may be on its way on a connection that looks idle; API servers do not all send it again. */
const lingerMs = 1_000

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runAwsWebhook(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { program, seams, onListening, version, metrics = new Metrics(), tracer } = options
  const { serving } = program
  const { log, clock } = seams
  if (program.ignored.length > 0) log.warn('flags without effect here', { flags: program.ignored.join(', ') })
  if (seams.usage !== undefined) processMetrics(metrics, seams.usage)
  const compose = await readComposition(program.compose, seams, signal)
  const { client } = await connect(seams, {
    ...(program.kubeconfig === '' ? {} : { kubeconfig: [program.kubeconfig] }),
    ...(program.kubeApi === '' ? {} : { server: program.kubeApi }),
    followsKubeconfig: true,
    userAgent: `aws-pod-identity-webhook/${version ?? 'dev'}`,
  })
  const settings = {
    ...program.webhook,
    admission: { ...program.webhook.admission, ...(compose === undefined ? {} : { compose }) },
  }
  const webhook = createPodWebhook({ client, seams, settings, metrics, ...(tracer === undefined ? {} : { tracer }) })
  const certificate = certificateSource(client, program, { seams, metrics })
  // Fatal before anything is opened: a pair that cannot be served, or an unknown authority.
  const policy = await tlsPolicy(seams.files, serving)
  const pair = serving.inCluster ? undefined : await certificate.first(signal)
  const stop = new AbortController()
  const open: { readonly listener: HttpListener; readonly graceMs: number }[] = []
  const state: ServingState = { webhook, listener: undefined, isStopping: false }
  try {
    const listen = (
      host: string,
      port: number,
      handler: HttpExchange,
      more: Partial<ListenOptions> = {},
    ): Promise<HttpListener> => listenAnywhere(seams.net, { host, port, limits: quietListenLimits, ...more }, handler)
    const metricsListener = await listen(serving.bindAddress, serving.metricsPort, metricsHandler(webhook))
    open.push({ listener: metricsListener, graceMs: 0 })
    const healthListener =
      serving.health === undefined
        ? undefined
        : await listen(serving.health.host, serving.health.port, healthExchange(state, seams, serving))
    if (healthListener !== undefined) open.push({ listener: healthListener, graceMs: 0 })
    const tasks = [webhook.run(stop.signal), watchLoopLag(clock, metrics, stop.signal)]
    let current: TlsServerOptions = { ...(pair ?? (await certificate.first(signal))), ...policy }
    const listener = await listen(serving.bindAddress, serving.port, webhook.exchange, {
      tls: current,
      limits: webhookListenLimits,
      protocols: serving.offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    })
    state.listener = listener
    open.push({ listener, graceMs })
    const take = (next: TlsServerOptions): void => {
      current = { ...next, ...policy }
      listener.setTls(current)
    }
    tasks.push(certificate.follow(current, take, stop.signal))
    tasks.push(watchExpiry({ seams, metrics, provider: webhook.provider }, () => current, stop.signal))
    log.info('serving', { port: listener.port, metricsPort: metricsListener.port, namespace: settings.namespace })
    onListening?.({ webhook: listener.port, metrics: metricsListener.port, health: healthListener?.port })
    await untilAborted(signal)
    state.isStopping = true
    log.info('stopping', { delayMs: serving.shutdownDelayMs })
    if (serving.shutdownDelayMs > 0) await clock.sleep(serving.shutdownDelayMs)
    await listener.close(graceMs, lingerMs)
    stop.abort(signal.reason)
    await Promise.all(tasks)
  } finally {
    stop.abort(new Error('the webhook stops'))
    await Promise.all(open.map(one => one.listener.close(one.graceMs)))
    await client.close()
  }
}

interface ServingState {
  readonly webhook: PodWebhook
  listener: HttpListener | undefined
  isStopping: boolean
}

function certificateSource(
  client: KubeClient,
  program: AwsProgram,
  options: { seams: Seams; metrics: Metrics },
): CertificateSource {
  const { serving, webhook } = program
  if (!serving.inCluster) return certificateFiles(options, serving)
  const { clock, random, keys, log } = options.seams
  const { serviceName, tlsSecret: secretName, signerName } = serving
  const { metrics } = options
  return clusterCertificate({
    client,
    clock,
    random,
    keys,
    log,
    metrics,
    namespace: webhook.namespace,
    serviceName,
    secretName,
    signerName,
  })
}

function metricsHandler({ metrics, debug }: PodWebhook): HttpExchange {
  const health = healthHandler({ live: [], ready: [], metrics })
  return request => (request.target.startsWith('/metrics') ? health(request) : debug(request))
}

/** §5.6: alive as soon as it answers; ready when it really serves. */
function healthExchange(state: ServingState, seams: Pick<Seams, 'net' | 'clock'>, serving: ServingSettings): HttpExchange {
  let isAnswering = false
  const handler = healthHandler({
    live: [],
    failedStatus: 500,
    ready: [
      { name: 'stopping', check: () => (state.isStopping ? { ok: false, why: 'told to stop' } : { ok: true }) },
      {
        name: 'listener',
        check: () => (isAnswering ? { ok: true } : { ok: false, why: 'the TLS listener does not answer' }),
      },
      ...state.webhook.ready,
    ],
  })
  return async request => {
    if (request.target.startsWith('/readyz'))
      isAnswering =
        state.listener !== undefined &&
        // Nobody but the API server has a certificate to show, so nobody else can try.
        (serving.clientCaPath !== '' || (await isListenerAnswering(seams, serving.bindAddress, state.listener.port)))
    return handler(request)
  }
}
