// The AWS webhook as a process: what its flags mean for process.ts.
import { given, type Seams } from '#base'
import { mutatingWebhookConfigurations } from '#kube'
import { type CertificateSource, ownCertificate } from '#runtime'
import type { AwsProgram, AwsWebhookSettings } from '../flags/settings.ts'
import { certificateFiles } from './certificate.ts'
import { clusterCertificate } from './cluster-certificate.ts'
import { readComposition } from './compose.ts'
import { type Ground, type OnCluster, onCluster } from './on-cluster.ts'
import { type ListeningPorts, runWebhooks, type ServedWebhook } from './process.ts'
import { createPodWebhook, type PodWebhook } from './webhook.ts'

export interface RunOptions extends Ground {
  readonly program: AwsProgram
  /** Where each listener ended up, once the webhook answers. */
  readonly onListening?: (at: { readonly webhook: number; readonly metrics: number; readonly health: number | undefined }) => void
}

/** How long requests under way may take once we are told to stop (§5.8). */
const graceMs = 10_000

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runAwsWebhook(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { program, seams, onListening } = options
  const { serving, kubeconfig, kubeApi: server } = program
  const settings = await awsSettings(program, seams, signal)
  const which = { kubeconfig, server, program: 'aws-pod-identity-webhook' }
  await onCluster(options, which, work, signal)

  async function work(on: OnCluster, until: AbortSignal): Promise<void> {
    const { metrics } = on
    const webhook = createPodWebhook({ ...on, settings })
    const running = {
      seams,
      metrics,
      served: [awsServed(webhook, program, on)],
      metricsAt: [{ address: { host: serving.bindAddress, port: serving.metricsPort }, debug: webhook.debug }],
      healthAt: serving.health === undefined ? [] : [serving.health],
      graceMs,
      onListening: ({ webhooks: [port = 0], metrics: [metricsPort = 0], health }: ListeningPorts): void => {
        seams.log.info('serving', { port, metricsPort, namespace: settings.namespace })
        onListening?.({ webhook: port, metrics: metricsPort, health: health[0] })
      },
    }
    await runWebhooks(running, until)
  }
}

/** What flags and, where they ask for it, the instance metadata service say. */
export async function awsSettings(program: AwsProgram, seams: Seams, signal: AbortSignal): Promise<AwsWebhookSettings> {
  if (program.ignored.length > 0) seams.log.warn('flags without effect here', { flags: program.ignored.join(', ') })
  const compose = await readComposition(program.compose, seams, signal)
  return {
    ...program.webhook,
    admission: { ...program.webhook.admission, ...given({ compose }) },
  }
}

export function awsServed(webhook: PodWebhook, program: AwsProgram, on: OnCluster): ServedWebhook {
  return {
    webhook,
    listener: program.serving,
    certificate: certificateSource(program, on),
    needsCertificateFirst: !program.serving.inCluster && program.serving.ownConfiguration === '',
  }
}

function certificateSource(program: AwsProgram, { client, seams, metrics }: OnCluster): CertificateSource {
  const { serving, webhook } = program
  if (serving.ownConfiguration !== '') return ownPair(program, { client, seams, metrics })
  if (!serving.inCluster) return certificateFiles({ seams, metrics }, serving)
  const { clock, random, keys, log } = seams
  const { serviceName, tlsSecret: secretName, signerName } = serving
  const { namespace } = webhook
  return clusterCertificate({ client, clock, random, keys, log, metrics, namespace, serviceName, secretName, signerName })
}

/** Nobody else is needed: the authority is kept in a Secret of its own, and the API server is told of it. */
function ownPair(
  { serving, webhook: { namespace } }: AwsProgram,
  { client, seams, metrics }: Pick<OnCluster, 'client' | 'seams' | 'metrics'>,
): CertificateSource {
  const { clock, random, keys, log } = seams
  return ownCertificate({
    client,
    clock,
    random,
    log,
    metrics,
    newKey: () => keys.generateEc(),
    secret: { namespace, name: serving.tlsSecret },
    service: { namespace, name: serving.serviceName },
    configurations: [{ type: mutatingWebhookConfigurations, name: serving.ownConfiguration }],
  })
}
