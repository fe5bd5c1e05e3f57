// The Azure webhook as a process: what its flags and its environment mean for process.ts.
import type { Files, HttpExchange, Seams } from '#base'
import { connect, type KubeClient } from '#kube/client'
import { Metrics, openScope, processMetrics, type Tracer } from '#runtime'
import type { AzureWebhookSettings } from '../azure/provider.ts'
import { rotatedCertificate } from '../azure/rotation/rotated-certificate.ts'
import { readStackFile } from '../flags/azure-environment.ts'
import type { AzureProgram } from '../flags/azure-settings.ts'
import { createAzureWebhook } from './azure-webhook.ts'
import { certificateFiles } from './certificate.ts'
import { runWebhooks, type ServedWebhook } from './process.ts'
import type { PodWebhook } from './webhook.ts'

export interface RunAzureOptions {
  readonly program: AzureProgram
  readonly seams: Seams
  readonly onListening?: (at: {
    readonly webhook: number
    readonly metrics: number | undefined
    readonly health: number | undefined
  }) => void
  readonly version?: string
  readonly metrics?: Metrics
  readonly tracer?: Tracer
}

/** As upstream: the API server waits no longer for an answer than this (§5.8). */
const graceMs = 60_000

/** Runs until the signal aborts; rejects when it cannot start, or must not go on. */
export async function runAzureWebhook(options: RunAzureOptions, signal: AbortSignal): Promise<void> {
  const { program, seams, onListening, version, metrics = new Metrics(), tracer } = options
  const { serving } = program
  const settings = await azureSettings(program, seams.files)
  if (seams.usage !== undefined) processMetrics(metrics, seams.usage)
  const { client } = await connect(seams, {
    ...(program.kubeconfig === '' ? {} : { kubeconfig: [program.kubeconfig] }),
    followsKubeconfig: true,
    userAgent: `azure-workload-identity-webhook/${version ?? 'dev'}`,
  })
  const fatal = new AbortController()
  const onFatal = (error: Error): void => fatal.abort(error)
  const webhook = createAzureWebhook({ client, seams, settings, metrics, onFatal, ...(tracer === undefined ? {} : { tracer }) })
  const scope = openScope({ parents: [signal, fatal.signal] })
  try {
    const running = {
      seams,
      metrics,
      served: [azureServed(webhook, program, { client, seams, metrics })],
      metricsAt: serving.metrics === undefined ? [] : [{ address: serving.metrics, debug: noDebugging }],
      healthAt: serving.health === undefined ? [] : [serving.health],
      graceMs,
      onListening: (at: {
        readonly webhooks: readonly number[]
        readonly metrics: readonly number[]
        readonly health: readonly number[]
      }): void => {
        seams.log.info('serving', { port: at.webhooks[0] ?? 0, volumeLayout: settings.admission.layout })
        onListening?.({ webhook: at.webhooks[0] ?? 0, metrics: at.metrics[0], health: at.health[0] })
      },
    }
    await runWebhooks(running, scope.signal)
    fatal.signal.throwIfAborted()
  } finally {
    scope.end()
    await client.close()
  }
}

/** With the authority host that the file of an Azure Stack names. */
export async function azureSettings(
  { webhook, stackFile }: AzureProgram,
  files: Pick<Files, 'read'>,
): Promise<AzureWebhookSettings> {
  if (stackFile === undefined) return webhook
  const authorityHost = readStackFile(stackFile, stackFile === '' ? undefined : await files.read(stackFile))
  return { ...webhook, admission: { ...webhook.admission, authorityHost } }
}

export interface AzureServer {
  readonly client: KubeClient
  readonly seams: Seams
  readonly metrics: Metrics
}

export function azureServed(
  webhook: PodWebhook,
  { serving }: AzureProgram,
  { client, seams, metrics }: AzureServer,
): ServedWebhook {
  const { certificateFolder, rotates, namespace } = serving
  const paths = { certificatePath: `${certificateFolder}/tls.crt`, keyPath: `${certificateFolder}/tls.key` }
  const { clock, random, keys, log } = seams
  return {
    webhook,
    listener: serving,
    certificate: rotates
      ? rotatedCertificate({ client, clock, random, keys, log, metrics, namespace })
      : certificateFiles({ seams, metrics }, paths),
    needsCertificateFirst: !rotates,
  }
}

const noDebugging: HttpExchange = () => Promise.resolve({ status: 404, headers: {}, body: Buffer.from('not here: /metrics\n') })
