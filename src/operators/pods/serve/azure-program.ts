// The Azure webhook as a process: what its flags and its environment mean for process.ts.
import type { Files, HttpExchange } from '#base'
import { azureCertificate } from '../azure/own-certificate.ts'
import type { AzureWebhookSettings } from '../azure/provider.ts'
import { readStackFile } from '../flags/azure-environment.ts'
import type { AzureProgram } from '../flags/azure-settings.ts'
import { createAzureWebhook } from './azure-webhook.ts'
import { certificateFiles } from './certificate.ts'
import { type Ground, type OnCluster, onCluster } from './on-cluster.ts'
import { type ListeningPorts, runWebhooks, type ServedWebhook } from './process.ts'
import type { PodWebhook } from './webhook.ts'

export interface RunAzureOptions extends Ground {
  readonly program: AzureProgram
  readonly onListening?: (at: {
    readonly webhook: number
    readonly metrics: number | undefined
    readonly health: number | undefined
  }) => void
}

/** As upstream: the API server waits no longer for an answer than this (§5.8). */
const graceMs = 60_000

/** Runs until the signal aborts; rejects when it cannot start, or must not go on. */
export async function runAzureWebhook(options: RunAzureOptions, signal: AbortSignal): Promise<void> {
  const { program, seams, onListening } = options
  const { serving, kubeconfig } = program
  const settings = await azureSettings(program, seams.files)
  await onCluster(options, { kubeconfig, program: 'azure-workload-identity-webhook' }, work, signal)

  async function work(on: OnCluster, until: AbortSignal): Promise<void> {
    const { metrics } = on
    const running = {
      seams,
      metrics,
      served: [azureServed(createAzureWebhook({ ...on, settings }), program, on)],
      metricsAt: serving.metrics === undefined ? [] : [{ address: serving.metrics, debug: noDebugging }],
      healthAt: serving.health === undefined ? [] : [serving.health],
      graceMs,
      onListening: ({ webhooks: [webhook = 0], ...at }: ListeningPorts): void => {
        seams.log.info('serving', { port: webhook, volumeLayout: settings.admission.layout })
        onListening?.({ webhook, metrics: at.metrics[0], health: at.health[0] })
      },
    }
    await runWebhooks(running, until)
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

export function azureServed(
  webhook: PodWebhook,
  { serving }: AzureProgram,
  { client, seams, metrics }: OnCluster,
): ServedWebhook {
  const { certificateFolder, rotates, namespace } = serving
  const paths = { certificatePath: `${certificateFolder}/tls.crt`, keyPath: `${certificateFolder}/tls.key` }
  const { clock, random, keys, log } = seams
  return {
    webhook,
    listener: serving,
    certificate: rotates
      ? azureCertificate({ client, clock, random, keys, log, metrics, namespace })
      : certificateFiles({ seams, metrics }, paths),
    needsCertificateFirst: !rotates,
  }
}

const noDebugging: HttpExchange = () => Promise.resolve({ status: 404, headers: {}, body: Buffer.from('not here: /metrics\n') })
