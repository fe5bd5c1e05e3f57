// Webhooks as a process: listeners for health and metrics, caches, a listener for the reviews of each; and the way back when it is told to
// stop. What is wrong with its settings ends it at the start; what is wrong with the cluster never does (1.3.2, F-19).
import {
  type HttpExchange,
  type HttpHandler,
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

/** What readiness is told of. */
interface ProcessState {
  readonly listeners: ReadonlyMap<ServedWebhook, HttpListener>
  /** What each of them serves now. */
  readonly pairs: ReadonlyMap<ServedWebhook, TlsServerOptions>
  readonly isStopping: boolean
}

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runWebhooks(options: ServingProcess, signal: AbortSignal): Promise<void> {
  const prepared = await Promise.all(options.served.map(one => prepare(one, options, signal)))
  const running = new RunningProcess(options)
  try {
    const pages = await running.openPages()
    running.startWork()
    const webhooks = await running.openWebhooks(prepared, signal)
    if (webhooks !== undefined) {
      options.onListening({ webhooks, ...pages })
      await untilAborted(signal)
    }
    await running.goDown(signal.reason)
  } finally {
    await running.close()
  }
}

interface Prepared {
  readonly one: ServedWebhook
  readonly policy: Awaited<ReturnType<typeof tlsPolicy>>
  readonly pair: TlsServerOptions | undefined
}

/** Fatal before anything is opened: a pair that cannot be served, or an unknown authority. */
async function prepare(one: ServedWebhook, { seams }: ServingProcess, signal: AbortSignal): Promise<Prepared> {
  const policy = await tlsPolicy(seams, one.listener)
  return { one, policy, pair: one.needsCertificateFirst ? await one.certificate.first(signal) : undefined }
}

/** Everything that is open and under way, from the first listener to the last. */
class RunningProcess implements ProcessState {
  readonly listeners = new Map<ServedWebhook, HttpListener>()
  readonly pairs = new Map<ServedWebhook, TlsServerOptions>()
  isStopping = false
  readonly #options: ServingProcess
  readonly #stop = new AbortController()
  readonly #open: { readonly listener: HttpListener; readonly graceMs: number }[] = []
  readonly #tasks: Promise<unknown>[] = []

  constructor(options: ServingProcess) {
    this.#options = options
  }

  async openPages(): Promise<Pick<ListeningPorts, 'metrics' | 'health'>> {
    const { metricsAt, healthAt, metrics: counted } = this.#options
    const metrics: number[] = []
    for (const { address, debug } of metricsAt)
      metrics.push((await this.#listen(address, metricsHandler(counted, debug), 0)).port)
    const health: number[] = []
    for (const address of healthAt) health.push((await this.#listen(address, healthExchange(this, this.#options), 0)).port)
    return { metrics, health }
  }

  startWork(): void {
    const { served, seams, metrics } = this.#options
    for (const { webhook } of served) this.#tasks.push(webhook.run(this.#stop.signal))
    this.#tasks.push(watchLoopLag(seams.clock, metrics, this.#stop.signal))
  }

  /** Undefined where it was told to stop while one of them waits for its certificate: the others serve, and go down as ever. */
  async openWebhooks(prepared: readonly Prepared[], signal: AbortSignal): Promise<readonly number[] | undefined> {
    const opened = await Promise.allSettled(prepared.map(each => this.#openWebhook(each, signal)))
    const failed = opened.find(one => one.status === 'rejected')
    if (failed !== undefined && !signal.aborted) throw failed.reason
    return failed === undefined ? this.#options.served.map(one => this.listeners.get(one)?.port ?? 0) : undefined
  }

  /** Readiness first; then what endpoints may still send, then what is under way. */
  async goDown(reason: unknown): Promise<void> {
    const { seams, served, graceMs } = this.#options
    this.isStopping = true
    const delayMs = Math.max(0, ...served.map(({ listener }) => listener.shutdownDelayMs))
    seams.log.info('stopping', { delayMs })
    if (delayMs > 0) await seams.clock.sleep(delayMs)
    await Promise.all([...this.listeners.values()].map(listener => listener.close(graceMs, lingerMs)))
    this.#stop.abort(reason)
    await Promise.all(this.#tasks)
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the webhook stops'))
    await Promise.all(this.#open.map(one => one.listener.close(one.graceMs)))
  }

  async #openWebhook({ one, policy, pair }: Prepared, signal: AbortSignal): Promise<void> {
    const { seams, metrics, graceMs } = this.#options
    const { listener: settings, webhook, certificate } = one
    const first: TlsServerOptions = { ...(pair ?? (await certificate.first(signal))), ...policy }
    this.pairs.set(one, first)
    const listener = await this.#listen({ host: settings.bindAddress, port: settings.port }, webhook.handler, graceMs, {
      tls: first,
      limits: webhookListenLimits,
      readsPlainHttp1: true,
      protocols: settings.offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    })
    this.listeners.set(one, listener)
    const take = (next: TlsServerOptions): void => {
      const current = { ...next, ...policy }
      this.pairs.set(one, current)
      listener.setTls(current)
    }
    const served = (): TlsServerOptions => this.pairs.get(one) ?? first
    this.#tasks.push(certificate.follow(first, take, this.#stop.signal))
    this.#tasks.push(watchExpiry({ seams, metrics, provider: webhook.provider }, served, this.#stop.signal))
  }

  async #listen(
    { host, port }: ListenAddress,
    handler: HttpHandler,
    graceMs: number,
    more: Partial<ListenOptions> = {},
  ): Promise<HttpListener> {
    const asked = { host, port, limits: quietListenLimits, ...more }
    const listener = await listenAnywhere(this.#options.seams.net, asked, handler)
    this.#open.push({ listener, graceMs })
    return listener
  }
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
  return one.listener.clientCaPath !== '' || isListenerAnswering(seams, one.listener.bindAddress, listener.port)
}
