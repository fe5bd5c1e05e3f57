// What a process of operators does once they are put together: it runs their managers, and answers for all of them at one address each for
// health, metrics and admission. The first that fails ends all.
import { type HttpExchange, type HttpListener, type ListenOptions, listenAnywhere, type Net } from '#base'
import { customResourceDefinitions, validatingWebhookConfigurations } from '#kube'
import type { KubeClient } from '#kube/client'
import {
  type CertificateSource,
  certificateInFiles,
  type HealthCheck,
  healthHandler,
  type Metrics,
  type OwnCertificate,
  ownCertificate,
  quietListenLimits,
  serveWebhooks,
  type WebhookHandler,
} from '#runtime'
import { guardedMetrics } from './guarded-metrics.ts'
import type { OperatorRun, Part } from './operator-run.ts'
import type { Address } from './process-flags.ts'

export interface ServeOptions {
  readonly run: OperatorRun
  readonly client: KubeClient
  /** Where the process runs. */
  readonly namespace: string
  readonly metrics: Metrics
  readonly parts: readonly Part[]
  /** The open listeners; the caller closes them. */
  readonly listeners: HttpListener[]
}

export async function serveProcess(serving: ServeOptions, signal: AbortSignal): Promise<void> {
  const { run, client, metrics, parts, listeners } = serving
  const { seams, settings, onListening } = run
  const { healthAddress, metricsAddress, webhookAddress } = settings.process
  const net: Net = {
    dial: options => seams.net.dial(options),
    listen: (options, handler) => listenAnywhere(seams.net, options, handler),
  }
  const open = async (at: Address & Pick<ListenOptions, 'tls' | 'protocols'>, handler: HttpExchange): Promise<HttpListener> => {
    const listener = await net.listen({ ...at, limits: quietListenLimits }, handler)
    listeners.push(listener)
    return listener
  }
  const routes = Object.assign({}, ...parts.map(({ running }) => running.webhooks)) as Record<string, WebhookHandler>
  const servesWebhooks = Object.keys(routes).length > 0 && webhookAddress !== undefined
  let webhookPort: number | undefined
  const own = servesWebhooks ? ownAuthority(serving) : undefined
  const admission = servesWebhooks
    ? [{ name: 'webhooks', check: () => listening(webhookPort) }, ...(own === undefined ? [] : [own.ready])]
    : []
  const probes = healthHandler({ live: parts.flatMap(liveOf), ready: [...readyOf(parts), ...admission] })
  const health = healthAddress === undefined ? undefined : (await open(healthAddress, probes)).port
  const exposed = guardedMetrics(client, seams.clock, healthHandler({ live: [], ready: [], metrics }))
  const secure = metricsAddress === undefined ? undefined : metricsCertificate(serving)
  const tls = await secure?.first(signal)
  const metricsListener =
    metricsAddress === undefined
      ? undefined
      : await open({ ...metricsAddress, ...(tls === undefined ? {} : { tls, protocols: ['http/1.1'] }) }, exposed)
  const metricsPort = metricsListener?.port
  const told = (): void => onListening?.({ health, metrics: metricsPort, webhook: webhookPort })
  const tasks = parts.map(({ manager }) => manager.run(signal))
  if (secure !== undefined && tls !== undefined) tasks.push(secure.follow(tls, next => metricsListener?.setTls(next), signal))
  if (servesWebhooks) {
    const certificate = own ?? inFolder(serving)
    const protocols = settings.process.webhookHttp2 ? (['h2', 'http/1.1'] as const) : (['http/1.1'] as const)
    const webhooks = { clock: seams.clock, log: seams.log, metrics, routes }
    tasks.push(
      serveWebhooks(webhooks, { net, certificate, protocols, ...webhookAddress }, signal, listener => {
        webhookPort = listener.port
        told()
      }),
    )
  } else told()
  await Promise.all(tasks)
}

/** The authority that the process keeps itself, where its flags name one. */
function ownAuthority({ run, client, namespace, metrics, parts }: ServeOptions): OwnCertificate | undefined {
  const { webhookAuthority: authority } = run.settings.process
  if (authority === undefined) return undefined
  return ownCertificate({
    ...run.seams,
    newKey: () => run.seams.keys.generateEc(),
    client,
    metrics,
    secret: { namespace, name: authority.secret },
    service: { namespace, name: authority.service },
    configurations: [
      ...authority.configurations.map(name => ({ type: validatingWebhookConfigurations, name })),
      ...parts.flatMap(({ running }) => (running.conversions ?? []).map(name => ({ type: customResourceDefinitions, name }))),
    ],
  })
}

function inFolder({ run, metrics }: ServeOptions, folder = run.settings.process.webhookCertificateFolder): CertificateSource {
  return certificateInFiles({ ...run.seams, metrics, certificatePath: `${folder}/tls.crt`, keyPath: `${folder}/tls.key` })
}

/** Undefined where the metrics are served without TLS, as behind a proxy that adds it. */
function metricsCertificate(serving: ServeOptions): CertificateSource | undefined {
  const folder = serving.run.settings.process.metricsCertificateFolder
  return folder === undefined ? undefined : inFolder(serving, folder)
}

/** The checks of the first manager stand for all: a process that answers lives. */
function liveOf({ manager }: Part, index: number): readonly HealthCheck[] {
  return index === 0 ? manager.live : []
}

/** Where several operators run, the name of each check begins with its operator. */
function readyOf(parts: readonly Part[]): readonly HealthCheck[] {
  return parts.flatMap(({ name, running, manager }) =>
    [...manager.ready, ...(running.ready ?? [])].map(check =>
      parts.length === 1 ? check : { name: `${name}-${check.name}`, check: () => check.check() },
    ),
  )
}

function listening(port: number | undefined): ReturnType<HealthCheck['check']> {
  return port === undefined ? { ok: false, why: 'the listener of the admission webhooks is not open yet' } : { ok: true }
}
