// `vouch operator` at work: one manager for the operators that were chosen, with health, metrics and admission beside it, until it is told
// to stop.
import { netTransport, type Transport } from '#aws/client'
import { type HttpExchange, type HttpListener, listenAnywhere, type Net, type Seams } from '#base'
import { type CustomResourceDefinition, customResourceDefinitions, type ObjectKey } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import type { WorkloadIdentityConfig } from '#operators/identity'
import {
  type AnyController,
  type Companion,
  createManager,
  type HealthCheck,
  healthHandler,
  type Manager,
  type ManagerOptions,
  Metrics,
  processMetrics,
  serveWebhooks,
  type Tracer,
  type WebhookHandler,
} from '#runtime'
import type { Address, OperatorSettings } from './flags.ts'
import { guardedMetrics } from './guarded-metrics.ts'
import { leaseNameOf, leaseTimes } from './lease.ts'
import { awsClients, resourcesOptions } from './resources-options.ts'

export interface OperatorRun {
  readonly settings: OperatorSettings
  readonly seams: Seams
  readonly version: string
  /** Made here when absent. */
  readonly metrics?: Metrics
  readonly tracer?: Tracer
  /** Where each listener ended up, once all are open. */
  readonly onListening?: (at: Readonly<Record<'health' | 'metrics' | 'webhook', number | undefined>>) => void
}

/** What an operator brings to the process. */
interface Part {
  readonly controllers: readonly AnyController[]
  readonly companions?: readonly Companion[]
  readonly ready: readonly HealthCheck[]
  readonly webhooks: Readonly<Record<string, WebhookHandler>>
  attach(manager: Manager): void
  readonly telemetry?: Pick<ManagerOptions, 'onPass' | 'onMove' | 'onJudged' | 'onMappingFailed'>
  close(): Promise<void>
}

interface Shared {
  readonly run: OperatorRun
  readonly client: KubeClient
  readonly metrics: Metrics
  readonly transport: Transport
}

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runOperator(run: OperatorRun, signal: AbortSignal): Promise<void> {
  const { settings, seams } = run
  const metrics = run.metrics ?? new Metrics()
  if (seams.usage !== undefined) processMetrics(metrics, seams.usage)
  const { client, namespace } = await connect(seams, {
    ...(settings.kubeconfig === undefined ? {} : { kubeconfig: [settings.kubeconfig] }),
    userAgent: `vouch-operator/${run.version}`,
  })
  const transport = netTransport(seams.net)
  const shared = { run, client, metrics, transport }
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const parts: Part[] = []
  const listeners: HttpListener[] = []
  try {
    if (settings.controllers.has('identity')) parts.push(await identityPart(shared))
    if (settings.controllers.has('resources')) parts.push(await resourcesPart(shared))
    const manager = createManager({
      client,
      seams,
      metrics,
      identity: `${seams.env.HOSTNAME ?? 'vouch'}_${seams.random.uuid()}`,
      controllers: parts.flatMap(part => part.controllers),
      companions: parts.flatMap(part => part.companions ?? []),
      ...(run.tracer === undefined ? {} : { tracer: run.tracer }),
      onPass: record => parts.forEach(part => part.telemetry?.onPass?.(record)),
      onMove: move => parts.forEach(part => part.telemetry?.onMove?.(move)),
      onJudged: judged => parts.forEach(part => part.telemetry?.onJudged?.(judged)),
      onMappingFailed: failed => parts.forEach(part => part.telemetry?.onMappingFailed?.(failed)),
      ...(settings.elects
        ? { election: { lease: { namespace: settings.leaseNamespace ?? namespace, name: leaseNameOf(settings) }, ...leaseTimes } }
        : {}),
    })
    for (const part of parts) part.attach(manager)
    await serve(shared, { manager, parts, listeners, signal: stop.signal })
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort(new Error('the operator stops'))
    await Promise.all(listeners.map(listener => listener.close(1_000)))
    for (const part of parts) await part.close()
    await transport.close()
    await client.close()
  }
}

interface Serving {
  readonly manager: Manager
  readonly parts: readonly Part[]
  readonly listeners: HttpListener[]
  readonly signal: AbortSignal
}

/** Everything at once; the first that fails ends all. */
async function serve({ run, client, metrics }: Shared, { manager, parts, listeners, signal }: Serving): Promise<void> {
  const { settings, seams } = run
  const net: Net = {
    dial: options => seams.net.dial(options),
    listen: (options, handler) => listenAnywhere(seams.net, options, handler),
  }
  const routes = Object.assign({}, ...parts.map(part => part.webhooks)) as Record<string, WebhookHandler>
  const servesWebhooks = Object.keys(routes).length > 0 && settings.webhookAddress !== undefined
  let webhookPort: number | undefined
  const ready: readonly HealthCheck[] = [
    ...manager.ready,
    ...parts.flatMap(part => part.ready),
    ...(servesWebhooks ? [{ name: 'webhooks', check: () => listening(webhookPort) }] : []),
  ]
  const listen = async (address: Address | undefined, handler: HttpExchange): Promise<number | undefined> => {
    if (address === undefined) return undefined
    const listener = await net.listen(address, handler)
    listeners.push(listener)
    return listener.port
  }
  const health = await listen(settings.healthAddress, healthHandler({ live: manager.live, ready }))
  const exposed = guardedMetrics(client, seams.clock, healthHandler({ live: [], ready: [], metrics }))
  const metricsPort = await listen(settings.metricsAddress, exposed)
  const told = (): void => run.onListening?.({ health, metrics: metricsPort, webhook: webhookPort })
  const tasks = [manager.run(signal)]
  if (servesWebhooks) {
    const folder = settings.webhookCertificateFolder
    const certificate = { files: seams.files, certificatePath: `${folder}/tls.crt`, keyPath: `${folder}/tls.key` }
    tasks.push(
      serveWebhooks(
        { clock: seams.clock, log: seams.log, metrics, routes },
        { net, certificate, ...settings.webhookAddress },
        signal,
        listener => {
          webhookPort = listener.port
          told()
        },
      ),
    )
  } else told()
  await Promise.all(tasks)
}

async function identityPart({ run, client, metrics, transport }: Shared): Promise<Part> {
  const { settings, seams } = run
  const { admissionHandlers, configKind, createIdentityOperator, createTelemetry, parseProviderFile, S3IssuerStore } =
    await import('#operators/identity')
  const file = await seams.files.read(settings.providerFile)
  if (file === undefined) {
    throw new Error(`provider file ${settings.providerFile}: there is no such file; name it by --clusterprofile-provider-file`)
  }
  const clients = awsClients({ run, transport }, model => (model === 'S3' ? settings.s3Endpoint : undefined))
  const operator = createIdentityOperator({
    seams,
    store: new S3IssuerStore({ clients, clock: seams.clock }),
    providers: parseProviderFile(new TextDecoder().decode(file), settings.providerFile),
    webhookImage: settings.webhookImage,
    workers: settings.workers,
    rotation: settings.rotation,
    foreignAnnotation: settings.foreignAnnotation,
    // IAM is everywhere, and asked where the account's work is done.
    ...(settings.awsWriter === 'direct' ? { direct: { clients, region: settings.aws.region || 'us-east-1' } } : {}),
    ...(settings.profileNamespaces === undefined ? {} : { profileNamespaces: settings.profileNamespaces }),
  })
  let world: Manager['world'] | undefined
  const deliveryTypeOf = (_controller: string, { namespace }: ObjectKey): string =>
    world?.isSynced(configKind.type) === true
      ? (world.find<WorkloadIdentityConfig>(configKind.type, { namespace, name: 'default' })?.spec.type ?? '')
      : ''
  return {
    controllers: operator.controllers,
    ready: operator.ready,
    webhooks: admissionHandlers(client),
    telemetry: createTelemetry({ metrics, log: seams.log, deliveryTypeOf }),
    attach: manager => {
      world = manager.world
      operator.attach(manager)
    },
    close: () => operator.close(),
  }
}

async function resourcesPart({ run, client, metrics, transport }: Shared): Promise<Part> {
  const { createResourcesOperator, resourceWebhooks } = await import('#operators/resources')
  const { options, crds } = await resourcesOptions(run, transport)
  const operator = createResourcesOperator({ ...options, metrics })
  if (run.settings.resources.installsCrds) await installCrds(client, [...operator.crds, ...crds])
  const { controllers, companions } = operator
  const { checks } = run.settings.resources
  const webhooks = checks === 'off' ? {} : resourceWebhooks(options, checks)
  return { controllers, companions, ready: [], webhooks, attach: () => undefined, close: () => Promise.resolve() }
}

/** Server-side apply: what is there already is left as it is where we say nothing, and large ones fit. */
async function installCrds(client: KubeClient, crds: readonly CustomResourceDefinition[]): Promise<void> {
  for (const crd of crds) {
    const key = { namespace: '', name: crd.metadata.name ?? '' }
    await client.patch(customResourceDefinitions, key, 'apply', crd, { fieldManager: 'vouch-install', force: true })
  }
}

function listening(port: number | undefined): ReturnType<HealthCheck['check']> {
  return port === undefined ? { ok: false, why: 'the listener of the admission webhooks is not open yet' } : { ok: true }
}
