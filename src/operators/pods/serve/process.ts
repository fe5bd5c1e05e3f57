// Webhooks as a process: listeners for health and metrics, caches, a listener for the reviews of each; and the way back when it is told to
// stop. What is wrong with its settings ends it at the start; what is wrong with the cluster never does (1.3.2, F-19).
import {
  type HttpExchange,
  type HttpListener,
  type ListenOptions,
  listenAnywhere,
  parseCertificate,
  type Seams,
  type TlsServerOptions,
  untilAborted,
} from '#base'
import {
  type CertificateSource,
  type HealthAnswer,
  healthHandler,
  type Metrics,
  quietListenLimits,
  webhookListenLimits,
} from '#runtime'
import type { ListenAddress } from '../flags/addresses.ts'
import type { ListenerSettings } from '../flags/process-flags.ts'
import { tlsPolicy, watchExpiry } from './certificate.ts'
import { isListenerAnswering } from './listeners.ts'
import { watchLoopLag } from './loop-lag.ts'
import type { PodWebhook } from './webhook.ts'

/** A webhook, where it listens, and who says what it serves. */
export interface ServedWebhook {
  readonly webhook: PodWebhook
  readonly listener: Omit<ListenerSettings, 'health'>
  readonly certificate: CertificateSource
  /** Whether a certificate is there from the start, or the process does not start. */
  readonly needsCertificateFirst: boolean
}

export interface ServingProcess {
  readonly seams: Seams
  readonly metrics: Metrics
  readonly served: readonly ServedWebhook[]
  /** Where what is counted is shown, with the debugging paths of the webhook there. */
  readonly metricsAt: readonly { readonly address: ListenAddress; readonly debug: HttpExchange }[]
  readonly healthAt: readonly ListenAddress[]
  /** How long requests under way may take once we are told to stop (§5.8). */
  readonly graceMs: number
  readonly onListening: (ports: ListeningPorts) => void
}

/** Where each listener ended up, in the order of what was asked for. */
export interface ListeningPorts {
  readonly webhooks: readonly number[]
  readonly metrics: readonly number[]
  readonly health: readonly number[]
}

/** A review may be on its way on a connection that looks idle; API servers do not all send it again. */
const lingerMs = 1_000

interface ProcessState {
  readonly listeners: Map<ServedWebhook, HttpListener>
  /** What each of them serves now. */
  readonly pairs: Map<ServedWebhook, TlsServerOptions>
  isStopping: boolean
}

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runWebhooks(options: ServingProcess, signal: AbortSignal): Promise<void> {
  const { seams, served, metrics } = options
  // Fatal before anything is opened: a pair that cannot be served, or an unknown authority.
  const prepared = await Promise.all(
    served.map(async one => ({
      one,
      policy: await tlsPolicy(seams.files, one.listener),
      pair: one.needsCertificateFirst ? await one.certificate.first(signal) : undefined,
    })),
  )
  const stop = new AbortController()
  const open: { readonly listener: HttpListener; readonly graceMs: number }[] = []
  const state: ProcessState = { listeners: new Map(), pairs: new Map(), isStopping: false }
  const listen = async (
    { host, port }: ListenAddress,
    handler: HttpExchange,
    graceMs: number,
    more: Partial<ListenOptions> = {},
  ): Promise<HttpListener> => {
    const listener = await listenAnywhere(seams.net, { host, port, limits: quietListenLimits, ...more }, handler)
    open.push({ listener, graceMs })
    return listener
  }
  try {
    const shown: number[] = []
    for (const { address, debug } of options.metricsAt)
      shown.push((await listen(address, metricsHandler(metrics, debug), 0)).port)
    const probed: number[] = []
    for (const address of options.healthAt) probed.push((await listen(address, healthExchange(state, options), 0)).port)
    const tasks = [...served.map(({ webhook }) => webhook.run(stop.signal)), watchLoopLag(seams.clock, metrics, stop.signal)]
    const opened = await Promise.allSettled(
      prepared.map(async ({ one, policy, pair }) => {
        const { listener: settings, webhook, certificate } = one
        let current: TlsServerOptions = { ...(pair ?? (await certificate.first(signal))), ...policy }
        state.pairs.set(one, current)
        const listener = await listen({ host: settings.bindAddress, port: settings.port }, webhook.exchange, options.graceMs, {
          tls: current,
          limits: webhookListenLimits,
          protocols: settings.offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
        })
        state.listeners.set(one, listener)
        const take = (next: TlsServerOptions): void => {
          current = { ...next, ...policy }
          state.pairs.set(one, current)
          listener.setTls(current)
        }
        tasks.push(certificate.follow(current, take, stop.signal))
        tasks.push(watchExpiry({ seams, metrics, provider: webhook.provider }, () => current, stop.signal))
      }),
    )
    const failed = opened.find(({ status }) => status === 'rejected')
    // Told to stop while one of them waits for its certificate: the others serve, and go down as ever.
    if (failed?.status === 'rejected' && !signal.aborted) throw failed.reason
    if (failed === undefined) {
      const reviewed = served.map(one => state.listeners.get(one)?.port ?? 0)
      options.onListening({ webhooks: reviewed, metrics: shown, health: probed })
      await untilAborted(signal)
    }
    await goDown(state, options)
    stop.abort(signal.reason)
    await Promise.all(tasks)
  } finally {
    stop.abort(new Error('the webhook stops'))
    await Promise.all(open.map(one => one.listener.close(one.graceMs)))
  }
}

/** Readiness first; then what endpoints may still send, then what is under way. */
async function goDown(state: ProcessState, { seams, served, graceMs }: ServingProcess): Promise<void> {
  state.isStopping = true
  const delayMs = Math.max(0, ...served.map(({ listener }) => listener.shutdownDelayMs))
  seams.log.info('stopping', { delayMs })
  if (delayMs > 0) await seams.clock.sleep(delayMs)
  await Promise.all([...state.listeners.values()].map(listener => listener.close(graceMs, lingerMs)))
}

function metricsHandler(metrics: Metrics, debug: HttpExchange): HttpExchange {
  const health = healthHandler({ live: [], ready: [], metrics })
  return request => (request.target.startsWith('/metrics') ? health(request) : debug(request))
}

/** §5.6: alive as soon as it answers; ready when all of them really serve. */
function healthExchange(state: ProcessState, { served, seams }: ServingProcess): HttpExchange {
  const answering = new Set<ServedWebhook>()
  const nameOf = (name: string, { webhook }: ServedWebhook): string =>
    served.length === 1 ? name : `${webhook.provider} ${name}`
  const handler = healthHandler({
    live: [],
    failedStatus: 500,
    ready: [
      { name: 'stopping', check: () => (state.isStopping ? { ok: false, why: 'told to stop' } : { ok: true }) },
      ...served.flatMap(one => [
        {
          name: nameOf('listener', one),
          check: () =>
            answering.has(one) ? ({ ok: true } as const) : ({ ok: false, why: 'the TLS listener does not answer' } as const),
        },
        { name: nameOf('certificate', one), check: () => certificateHealth(state.pairs.get(one), seams) },
        ...one.webhook.ready.map(check => ({ ...check, name: nameOf(check.name, one) })),
      ]),
    ],
  })
  return async request => {
    if (request.target.startsWith('/readyz'))
      for (const one of served) {
        if (await isAnswering(state, one, seams)) answering.add(one)
        else answering.delete(one)
      }
    return handler(request)
  }
}

/** A listener goes on with a pair that has run out, and answers; API servers end every call to it. */
function certificateHealth(pair: TlsServerOptions | undefined, { clock }: Pick<Seams, 'clock'>): HealthAnswer {
  const hasRunOut = pair !== undefined && parseCertificate(pair.certificate).validUntil <= clock.now()
  return hasRunOut ? { ok: false, why: 'the serving certificate has run out; bring a new pair' } : { ok: true }
}

async function isAnswering(
  { listeners }: ProcessState,
  one: ServedWebhook,
  seams: Pick<Seams, 'net' | 'clock'>,
): Promise<boolean> {
  const listener = listeners.get(one)
  if (listener === undefined) return false
  // Nobody but the API server has a certificate to show, so nobody else can try.
  return one.listener.clientCaPath !== '' || (await isListenerAnswering(seams, one.listener.bindAddress, listener.port))
}
